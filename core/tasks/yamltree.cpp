// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/yamltree.h"

#include "core/tasks/textlocator.h"
#include "core/tasks/yamlerrors.h"

#include <QCoreApplication>

#include <algorithm>

#include <yaml.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(YamlTree)
};

constexpr int deepestNesting = 16;

/// A libyaml parser over a range of bytes; its marks count characters, offset() makes bytes of
/// them.
class Parser final
{
public:
    Parser(const QByteArray &text, qsizetype begin, qsizetype length)
    {
        yaml_parser_initialize(&m_parser);
        yaml_parser_set_encoding(&m_parser, YAML_UTF8_ENCODING);
        const auto *bytes = reinterpret_cast<const unsigned char *>(text.constData()) + begin;
        yaml_parser_set_input_string(&m_parser, bytes, static_cast<std::size_t>(length));
        for (qsizetype i = begin; i < begin + length; ++i) {
            if ((text.at(i) & 0xC0) != 0x80) {
                m_offsets.push_back(i);
            }
        }
        m_offsets.push_back(begin + length);
        m_begin = begin;
    }
    ~Parser() { yaml_parser_delete(&m_parser); }
    Q_DISABLE_COPY_MOVE(Parser)

    [[nodiscard]] yaml_parser_t *get() { return &m_parser; }
    [[nodiscard]] qsizetype offset(const yaml_mark_t &mark) const
    {
        return m_offsets.at(std::min(mark.index, m_offsets.size() - 1));
    }
    [[nodiscard]] qsizetype problemOffset() const
    {
        return m_parser.error == YAML_READER_ERROR
                   ? m_begin + static_cast<qsizetype>(m_parser.problem_offset)
                   : offset(m_parser.problem_mark);
    }

private:
    yaml_parser_t m_parser{};
    std::vector<qsizetype> m_offsets;
    qsizetype m_begin = 0;
};

/// Frees an event when its reader returns.
class Event final
{
public:
    Event() = default;
    ~Event() { yaml_event_delete(&m_event); }
    Q_DISABLE_COPY_MOVE(Event)
    [[nodiscard]] yaml_event_t *get() { return &m_event; }
    const yaml_event_t *operator->() const { return &m_event; }

private:
    yaml_event_t m_event{};
};

/// Builds the tree from events; false anywhere means: stop, a problem was noted.
class TreeReader final
{
public:
    TreeReader(const QByteArray &text, qsizetype begin, qsizetype length)
        : m_text(text)
        , m_locator(text)
        , m_parser(text, begin, length)
        , m_begin(begin)
        , m_length(length)
    {
    }

    YamlDocument read();

private:
    [[nodiscard]] bool next(Event *event);
    [[nodiscard]] bool readRoot();
    [[nodiscard]] bool readNode(const Event &event, YamlNode *node, int depth);
    [[nodiscard]] bool readSequence(const Event &event, YamlNode *node, int depth);
    [[nodiscard]] bool readMapping(const Event &event, YamlNode *node, int depth);
    [[nodiscard]] bool readKey(const YamlNode &key);
    void readScalar(const Event &event, YamlNode *node);
    void trimBlockScalar(YamlNode *node) const;
    [[nodiscard]] bool refusesExtras(const Event &event);
    [[nodiscard]] bool refuse(const QString &code, const QString &message, qsizetype begin,
                              qsizetype end);

    const QByteArray m_text;
    const TextLocator m_locator;
    Parser m_parser;
    const qsizetype m_begin;
    const qsizetype m_length;
    YamlDocument m_document;
};

YamlDocument TreeReader::read()
{
    m_document.isReadable = readRoot();
    return std::move(m_document);
}

bool TreeReader::refuse(const QString &code, const QString &message, qsizetype begin, qsizetype end)
{
    Problem problem{Severity::Error, code, message, 0, 0, 0, {}};
    placeProblem(&problem, m_locator.position(begin, end));
    m_document.problems << problem;
    return false;
}

bool TreeReader::next(Event *event)
{
    if (yaml_parser_parse(m_parser.get(), event->get()) != 0) {
        return true;
    }
    const yaml_parser_t *parser = m_parser.get();
    YamlComplaint complaint;
    complaint.problem = QByteArray(parser->problem);
    complaint.offset = m_parser.problemOffset();
    complaint.contextOffset =
        parser->context ? m_parser.offset(parser->context_mark) : complaint.offset;
    complaint.begin = m_begin;
    complaint.end = m_begin + m_length;
    m_document.problems << explainYamlError(m_text, m_locator, complaint);
    return false;
}

bool TreeReader::readRoot()
{
    while (true) {
        Event event;
        if (!next(&event)) {
            return false;
        }
        const yaml_event_type_t type = event->type;
        if (type == YAML_STREAM_END_EVENT) {
            return true;
        }
        if (type == YAML_STREAM_START_EVENT || type == YAML_DOCUMENT_END_EVENT) {
            continue;
        }
        if (type == YAML_DOCUMENT_START_EVENT) {
            if (m_document.root) {
                const qsizetype at = m_parser.offset(event->start_mark);
                return refuse(QStringLiteral("yaml"),
                              Tr::tr("The settings end here with \"...\"; remove it, or what "
                                     "follows it."),
                              at, at);
            }
            continue;
        }
        YamlNode root;
        if (!readNode(event, &root, 0)) {
            return false;
        }
        m_document.root = std::move(root);
    }
}

bool TreeReader::refusesExtras(const Event &event)
{
    const unsigned char *anchor = nullptr;
    const unsigned char *tag = nullptr;
    if (event->type == YAML_ALIAS_EVENT) {
        anchor = event->data.alias.anchor;
    } else if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (!anchor && !tag) {
        return false;
    }
    m_document.problems << explainYamlExtra(m_text, m_locator, m_parser.offset(event->start_mark));
    return true;
}

bool TreeReader::readNode(const Event &event, YamlNode *node, int depth)
{
    node->begin = m_parser.offset(event->start_mark);
    node->end = m_parser.offset(event->end_mark);
    if (refusesExtras(event)) {
        return false;
    }
    if (depth > deepestNesting) {
        return refuse(QStringLiteral("yaml-depth"),
                      Tr::tr("This is nested too deeply; a task file needs three levels."),
                      node->begin, node->end);
    }
    if (event->type == YAML_SEQUENCE_START_EVENT) {
        return readSequence(event, node, depth);
    }
    if (event->type == YAML_MAPPING_START_EVENT) {
        return readMapping(event, node, depth);
    }
    readScalar(event, node);
    return true;
}

void TreeReader::readScalar(const Event &event, YamlNode *node)
{
    const auto &scalar = event->data.scalar;
    node->text = QString::fromUtf8(reinterpret_cast<const char *>(scalar.value),
                                   static_cast<qsizetype>(scalar.length));
    switch (scalar.style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
        node->style = YamlNode::Style::SingleQuoted;
        return;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        node->style = YamlNode::Style::DoubleQuoted;
        return;
    case YAML_LITERAL_SCALAR_STYLE:
        node->style = YamlNode::Style::Literal;
        break;
    case YAML_FOLDED_SCALAR_STYLE:
        node->style = YamlNode::Style::Folded;
        break;
    case YAML_ANY_SCALAR_STYLE:
    case YAML_PLAIN_SCALAR_STYLE:
        return;
    }
    trimBlockScalar(node);
}

/// A block scalar's mark lies below its blank lines; the content ends with its last line of text,
/// or, where "+" keeps blank lines, with the last of those.
void TreeReader::trimBlockScalar(YamlNode *node) const
{
    const qsizetype headEnd = m_locator.lineTextEnd(node->begin);
    const QByteArray head = m_text.mid(node->begin, headEnd - node->begin);
    const bool keeps = head.left(head.indexOf('#')).contains('+');
    const auto isBlank = [this](qsizetype at) {
        const char c = m_text.at(at);
        return c == '\n' || c == '\r' || c == ' ';
    };
    if (keeps && node->end > headEnd) {
        node->end = m_locator.lineTextEnd(node->end - 1);
        return;
    }
    while (node->end > node->begin + 1 && isBlank(node->end - 1)) {
        --node->end;
    }
}

bool TreeReader::readSequence(const Event &event, YamlNode *node, int depth)
{
    node->kind = YamlNode::Kind::Sequence;
    const bool flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    node->style = flow ? YamlNode::Style::Flow : YamlNode::Style::Block;
    while (true) {
        Event item;
        if (!next(&item)) {
            return false;
        }
        if (item->type == YAML_SEQUENCE_END_EVENT) {
            if (flow) {
                node->end = m_parser.offset(item->end_mark);
            }
            return true;
        }
        node->items.emplace_back();
        if (!readNode(item, &node->items.back(), depth + 1)) {
            return false;
        }
        node->end = std::max(node->end, node->items.back().end);
    }
}

bool TreeReader::readMapping(const Event &event, YamlNode *node, int depth)
{
    node->kind = YamlNode::Kind::Mapping;
    const bool flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    node->style = flow ? YamlNode::Style::Flow : YamlNode::Style::Block;
    while (true) {
        Event first;
        if (!next(&first)) {
            return false;
        }
        if (first->type == YAML_MAPPING_END_EVENT) {
            if (flow) {
                node->end = m_parser.offset(first->end_mark);
            }
            return true;
        }
        YamlEntry entry;
        if (!readNode(first, &entry.key, depth + 1) || !readKey(entry.key)) {
            return false;
        }
        Event second;
        if (!next(&second) || !readNode(second, &entry.value, depth + 1)) {
            return false;
        }
        entry.value.end = std::max(entry.value.end, entry.value.begin);
        node->end = std::max({node->end, entry.key.end, entry.value.end});
        node->entries.push_back(std::move(entry));
    }
}

bool TreeReader::readKey(const YamlNode &key)
{
    qsizetype before = key.begin;
    while (before > 0 && m_text.at(before - 1) == ' ') {
        --before;
    }
    const bool marked = before > 0 && before < key.begin && m_text.at(before - 1) == '?';
    if (!key.isScalar() || marked || key.style == YamlNode::Style::Literal ||
        key.style == YamlNode::Style::Folded) {
        return refuse(QStringLiteral("yaml-key"),
                      Tr::tr("A key is one word with a colon, for example \"title:\"."), key.begin,
                      key.end);
    }
    if (key.style == YamlNode::Style::Plain && key.text == QLatin1String("<<")) {
        return refuse(QStringLiteral("yaml-alias"),
                      Tr::tr("Merge keys (<<) are not taken in task files; write the values out."),
                      key.begin, key.end);
    }
    return true;
}

/// The scanner's tokens tell what events don't: where the dashes of block lists are.
std::vector<qsizetype> findDashes(const QByteArray &text, qsizetype begin, qsizetype length)
{
    std::vector<qsizetype> dashes;
    Parser parser(text, begin, length);
    yaml_token_type_t type = YAML_NO_TOKEN;
    while (type != YAML_STREAM_END_TOKEN) {
        yaml_token_t token{};
        if (yaml_parser_scan(parser.get(), &token) == 0) {
            break;
        }
        type = token.type;
        if (type == YAML_BLOCK_ENTRY_TOKEN) {
            dashes.push_back(parser.offset(token.start_mark));
        }
        yaml_token_delete(&token);
    }
    return dashes;
}

} // namespace

bool YamlNode::isNull() const
{
    static const QStringList words{QString(), QStringLiteral("~"), QStringLiteral("null"),
                                   QStringLiteral("Null"), QStringLiteral("NULL")};
    return kind == Kind::Scalar && style == Style::Plain && words.contains(text);
}

YamlDocument readYaml(const QByteArray &text, qsizetype begin, qsizetype length)
{
    YamlDocument document = TreeReader(text, begin, length).read();
    if (document.isReadable) {
        document.dashes = findDashes(text, begin, length);
    }
    return document;
}

} // namespace Glovebox
