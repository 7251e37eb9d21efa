// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/yamltext.h"

#include "core/tasks/taskfile.h"

#include <algorithm>

namespace Glovebox {

namespace {

/// Characters that YAML can't hold as they are, and those that would not be seen.
bool needsEscape(uint c)
{
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool invisible = c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
                           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return control || invisible || c == 0xFEFF || (c & 0xFFFE) == 0xFFFE;
}

bool hasEscapes(const QString &text)
{
    const QList<uint> characters = text.toUcs4();
    return std::any_of(characters.begin(), characters.end(),
                       [](uint c) { return c != '\n' && needsEscape(c); });
}

/// Plain text that YAML reads back as the same text, with a margin: what other readers could take
/// for a number, a truth value or nothing is quoted too.
bool canBePlain(const QString &text, bool flow)
{
    static const QStringList words{QStringLiteral("null"),
                                   QStringLiteral("true"),
                                   QStringLiteral("false"),
                                   QStringLiteral("yes"),
                                   QStringLiteral("no"),
                                   QStringLiteral("on"),
                                   QStringLiteral("off"),
                                   QStringLiteral("y"),
                                   QStringLiteral("n"),
                                   QStringLiteral("~"),
                                   QString()};
    if (words.contains(text.toLower()) || hasEscapes(text) || text.contains(QLatin1Char('\n'))) {
        return false;
    }
    const QChar first = text.front();
    const bool goodStart = first.isLetterOrNumber() || QStringLiteral("./_$(").contains(first);
    bool isNumber = false;
    static_cast<void>(text.toDouble(&isNumber));
    if (!goodStart || isNumber || text.back() == QLatin1Char(':') || text.back().isSpace()) {
        return false;
    }
    if (text.contains(QLatin1String(": ")) || text.contains(QLatin1String(" #"))) {
        return false;
    }
    const auto isFlowMark = [](QChar c) {
        return QStringLiteral(",[]{}:").contains(c);
    };
    return !flow || std::none_of(text.begin(), text.end(), isFlowMark);
}

QByteArray escapedCharacter(uint c)
{
    switch (c) {
    case '"':
        return QByteArrayLiteral("\\\"");
    case '\\':
        return QByteArrayLiteral("\\\\");
    case '\n':
        return QByteArrayLiteral("\\n");
    case '\t':
        return QByteArrayLiteral("\\t");
    case '\r':
        return QByteArrayLiteral("\\r");
    default:
        break;
    }
    if (!needsEscape(c)) {
        const auto code = static_cast<char32_t>(c);
        return QString::fromUcs4(&code, 1).toUtf8();
    }
    return "\\U" + QByteArray::number(c, 16).rightJustified(8, '0');
}

QByteArray doubleQuoted(const QString &text)
{
    QByteArray out("\"");
    const QList<uint> characters = text.toUcs4();
    for (const uint c : characters) {
        out += escapedCharacter(c);
    }
    return out + '"';
}

/// "|" can hold a text of several lines as it is, if no line needs an escape and the first one does
/// not begin with a blank (that would need an indentation number).
bool canBeLiteral(const QString &text)
{
    return text.contains(QLatin1Char('\n')) && !text.startsWith(QLatin1Char(' ')) &&
           !text.startsWith(QLatin1Char('\n')) && !text.endsWith(QLatin1String("\n\n")) &&
           !hasEscapes(text);
}

QByteArray literal(const QString &text, const YamlLayout &layout)
{
    QString body = text;
    const bool endsLine = body.endsWith(QLatin1Char('\n'));
    if (endsLine) {
        body.chop(1);
    }
    QByteArray out = endsLine ? "|" : "|-";
    const QStringList lines = body.split(QLatin1Char('\n'));
    for (const QString &line : lines) {
        out += layout.lineEnd;
        if (!line.isEmpty()) {
            out += QByteArray(layout.indent + 2, ' ') + line.toUtf8();
        }
    }
    return out;
}

QByteArray flowYaml(const YamlValue &value, const YamlLayout &layout)
{
    if (const std::optional<YamlValue> scalar = value.asScalar()) {
        return scalarYaml(*scalar, YamlNode::Style::Plain, layout);
    }
    QByteArrayList parts;
    for (const YamlValue &item : value.items) {
        parts << flowYaml(item, layout);
    }
    for (const YamlMember &member : value.members) {
        if (member.value && !member.isDefault) {
            parts << member.key.toUtf8() + ": " + flowYaml(*member.value, layout);
        }
    }
    return value.kind == YamlValue::Kind::List ? '[' + parts.join(", ") + ']'
                                               : '{' + parts.join(", ") + '}';
}

/// The members of a map, one a line, without anything in front of the first.
QByteArray blockMembers(const YamlValue &value, const YamlLayout &layout)
{
    QByteArrayList lines;
    for (const YamlMember &member : value.members) {
        if (member.value && !member.isDefault) {
            lines << member.key.toUtf8() + ':' + yamlBehindColon(*member.value, layout);
        }
    }
    return lines.join(layout.lineEnd + QByteArray(layout.indent, ' '));
}

bool isYes(const QString &text)
{
    const QString word = text.toLower();
    return word == QLatin1String("true") || word == QLatin1String("yes");
}

} // namespace

bool YamlValue::isSaidBy(const YamlNode &node) const
{
    switch (kind) {
    case Kind::Text:
        return node.isScalar() && !node.isNull() && node.text == text;
    case Kind::Duration:
        return node.isScalar() && parseDuration(node.text) &&
               parseDuration(node.text) == parseDuration(text);
    case Kind::Number:
        return node.isScalar() && !node.isNull() &&
               qFuzzyCompare(node.text.toDouble() + 1, text.toDouble() + 1);
    case Kind::Flag:
        return node.isScalar() && isYes(node.text) == isYes(text);
    case Kind::List:
        if (node.kind != YamlNode::Kind::Sequence) {
            return items.size() == 1 && items.front().isSaidBy(node);
        }
        return std::equal(items.begin(), items.end(), node.items.begin(), node.items.end(),
                          [](const YamlValue &a, const YamlNode &b) { return a.isSaidBy(b); });
    case Kind::Map:
        break;
    }
    if (node.kind != YamlNode::Kind::Mapping) {
        return shortForm && node.isScalar() && !node.isNull() && node.text == *shortForm;
    }
    return std::all_of(members.begin(), members.end(), [&node](const YamlMember &member) {
        const auto found =
            std::find_if(node.entries.begin(), node.entries.end(),
                         [&](const YamlEntry &e) { return e.key.text == member.key; });
        if (found == node.entries.end()) {
            return !member.value || member.isDefault;
        }
        return member.value && member.value->isSaidBy(found->value);
    });
}

std::optional<YamlValue> YamlValue::asScalar() const
{
    if (isScalar()) {
        return *this;
    }
    if (!shortForm) {
        return std::nullopt;
    }
    YamlValue value;
    value.text = *shortForm;
    return value;
}

QByteArray quotedYaml(const QString &text, YamlNode::Style style)
{
    if (style != YamlNode::Style::SingleQuoted || hasEscapes(text) ||
        text.contains(QLatin1Char('\n'))) {
        return doubleQuoted(text);
    }
    QString inner = text;
    inner.replace(QLatin1Char('\''), QLatin1String("''"));
    return '\'' + inner.toUtf8() + '\'';
}

QByteArray scalarYaml(const YamlValue &value, YamlNode::Style style, const YamlLayout &layout)
{
    if (value.kind != YamlValue::Kind::Text) {
        return value.text.toUtf8();
    }
    const bool quoted =
        style == YamlNode::Style::SingleQuoted || style == YamlNode::Style::DoubleQuoted;
    if (!layout.flow && canBeLiteral(value.text)) {
        return literal(value.text, layout);
    }
    if (quoted || !canBePlain(value.text, layout.flow)) {
        return quotedYaml(value.text, quoted ? style : YamlNode::Style::DoubleQuoted);
    }
    return value.text.toUtf8();
}

QByteArray yamlBehindColon(const YamlValue &value, const YamlLayout &layout)
{
    if (layout.flow) {
        return ' ' + flowYaml(value, layout);
    }
    if (const std::optional<YamlValue> scalar = value.asScalar()) {
        return ' ' + scalarYaml(*scalar, YamlNode::Style::Plain, layout);
    }
    YamlLayout inner = layout;
    inner.indent += 2;
    const QByteArray newLine = layout.lineEnd + QByteArray(inner.indent, ' ');
    if (value.kind == YamlValue::Kind::Map) {
        return newLine + blockMembers(value, inner);
    }
    QByteArray out;
    for (const YamlValue &item : value.items) {
        out += newLine + "- " + yamlItem(item, inner);
    }
    return out;
}

QByteArray yamlItem(const YamlValue &value, const YamlLayout &layout)
{
    if (layout.flow) {
        return flowYaml(value, layout);
    }
    if (const std::optional<YamlValue> scalar = value.asScalar()) {
        return scalarYaml(*scalar, YamlNode::Style::Plain, layout);
    }
    YamlLayout inner = layout;
    inner.indent += 2;
    return value.kind == YamlValue::Kind::Map ? blockMembers(value, inner)
                                              : flowYaml(value, YamlLayout{true, 0, {}});
}

} // namespace Glovebox
