// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/yamleditor.h"

#include <algorithm>

namespace Glovebox {

namespace {

constexpr std::size_t largestComparison = 1'000'000; ///< cells of the table below

/// Pairs of (old item, new item) that are equal and in the same order, as many as there can be.
std::vector<std::pair<std::size_t, std::size_t>> keptItems(const std::vector<YamlNode> &old,
                                                           const std::vector<YamlValue> &wanted)
{
    std::vector<std::pair<std::size_t, std::size_t>> kept;
    if (old.size() * wanted.size() > largestComparison) {
        return kept;
    }
    const std::size_t width = wanted.size() + 1;
    std::vector<std::size_t> longest((old.size() + 1) * width, 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::size_t & {
        return longest[i * width + j];
    };
    for (std::size_t i = old.size(); i-- > 0;) {
        for (std::size_t j = wanted.size(); j-- > 0;) {
            at(i, j) = wanted[j].isSaidBy(old[i]) ? at(i + 1, j + 1) + 1
                                                  : std::max(at(i + 1, j), at(i, j + 1));
        }
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < old.size() && j < wanted.size()) {
        if (wanted[j].isSaidBy(old[i])) {
            kept.emplace_back(i++, j++);
        } else if (at(i + 1, j) >= at(i, j + 1)) {
            ++i;
        } else {
            ++j;
        }
    }
    return kept;
}

const YamlEntry *entryOf(const YamlNode &map, const QString &key)
{
    const auto found = std::find_if(map.entries.begin(), map.entries.end(),
                                    [&key](const YamlEntry &e) { return e.key.text == key; });
    return found == map.entries.end() ? nullptr : &*found;
}

} // namespace

YamlEditor::YamlEditor(const QByteArray &text, const YamlDocument &document,
                       const QByteArray &lineEnd)
    : m_text(text)
    , m_locator(text)
    , m_dashes(document.dashes)
    , m_lineEnd(lineEnd)
{
}

void YamlEditor::edit(qsizetype begin, qsizetype end, const QByteArray &text)
{
    m_edits << TextEdit{begin, end - begin, text};
}

std::optional<QByteArray> YamlEditor::result() const
{
    return m_failed ? std::nullopt : applyEdits(m_text, m_edits);
}

int YamlEditor::column(qsizetype offset) const
{
    return static_cast<int>(offset - m_locator.lineStart(offset));
}

bool YamlEditor::isFirstOnLine(qsizetype offset) const
{
    const qsizetype start = m_locator.lineStart(offset);
    return m_text.mid(start, offset - start).trimmed().isEmpty();
}

qsizetype YamlEditor::dashOf(const YamlNode &item) const
{
    const auto next = std::upper_bound(m_dashes.begin(), m_dashes.end(), item.begin);
    return next == m_dashes.begin() ? item.begin : *(next - 1);
}

qsizetype YamlEditor::colonOf(const YamlNode &key) const
{
    return m_text.indexOf(':', key.end);
}

YamlLayout YamlEditor::itemLayout(const YamlNode &list) const
{
    return {list.isFlow(), list.isFlow() ? 0 : column(dashOf(list.items.front())), m_lineEnd};
}

QByteArray YamlEditor::memberText(const YamlMember &member, const YamlLayout &layout) const
{
    return member.key.toUtf8() + ':' + yamlBehindColon(*member.value, layout);
}

void YamlEditor::setMember(const YamlNode &map, const YamlMember &member, const QStringList &order)
{
    const YamlEntry *entry = entryOf(map, member.key);
    if (!entry) {
        if (member.value && !member.isDefault) {
            addEntry(map, member, order);
        }
        return;
    }
    if (!member.value) {
        removeEntry(map, static_cast<std::size_t>(entry - map.entries.data()));
        return;
    }
    setValue(*entry, *member.value, {map.isFlow(), column(entry->key.begin), m_lineEnd});
}

void YamlEditor::rewriteMember(const YamlNode &map, const YamlMember &member,
                               const QStringList &order)
{
    const YamlEntry *entry = entryOf(map, member.key);
    if (!entry || !member.value || map.isFlow()) {
        setMember(map, member, order);
        return;
    }
    const YamlLayout layout{false, column(entry->key.begin), m_lineEnd};
    edit(m_locator.lineStart(entry->key.begin), m_locator.lineEnd(entry->value.end),
         QByteArray(layout.indent, ' ') + memberText(member, layout) + m_lineEnd);
}

void YamlEditor::insertAt(qsizetype offset, const YamlMember &member)
{
    edit(offset, offset, memberText(member, {false, 0, m_lineEnd}) + m_lineEnd);
}

void YamlEditor::setValue(const YamlEntry &entry, const YamlValue &value, const YamlLayout &layout)
{
    const YamlNode &node = entry.value;
    if (value.isSaidBy(node)) {
        return;
    }
    if (value.kind == YamlValue::Kind::List) {
        if (node.kind == YamlNode::Kind::Sequence && !node.items.empty()) {
            setItems(node, value);
            return;
        }
        if (node.kind != YamlNode::Kind::Sequence && value.items.size() == 1 && !node.isNull()) {
            setValue(entry, value.items.front(), layout); // one item, written without a list
            return;
        }
    }
    const std::optional<YamlValue> scalar = value.asScalar();
    if (scalar && node.isScalar()) {
        replaceScalar(node, *scalar, layout);
    } else if (value.kind == YamlValue::Kind::Map && node.kind == YamlNode::Kind::Mapping &&
               !node.entries.empty()) {
        setMembers(node, value);
    } else {
        replaceValue(entry, value, layout);
    }
}

void YamlEditor::replaceScalar(const YamlNode &node, const YamlValue &value, YamlLayout layout)
{
    const qsizetype lineEnd = m_locator.lineTextEnd(node.end);
    if (!m_text.mid(node.end, lineEnd - node.end).trimmed().isEmpty()) {
        layout.flow = true; // a "|" block would swallow the comment behind it
    }
    const bool nothing = node.begin == node.end; // right behind the colon or dash
    edit(node.begin, node.end, (nothing ? " " : "") + scalarYaml(value, node.style, layout));
}

/// The value gets another shape. What stands behind it on its last line, and between key and value,
/// stays.
void YamlEditor::replaceValue(const YamlEntry &entry, const YamlValue &value,
                              const YamlLayout &layout)
{
    const YamlNode &node = entry.value;
    const qsizetype behindColon = colonOf(entry.key) + 1;
    const bool sameLine =
        node.isNull() || m_locator.lineStart(node.begin) == m_locator.lineStart(entry.key.begin);
    YamlLayout inner = layout;
    const std::optional<YamlValue> scalar = value.asScalar();
    const qsizetype textEnd = m_locator.lineTextEnd(node.end);
    if (scalar && !m_text.mid(node.end, textEnd - node.end).trimmed().isEmpty()) {
        inner.flow = true;
    }
    const QByteArray text = yamlBehindColon(value, inner);
    if (text.startsWith(' ')) {
        edit(behindColon, sameLine ? std::max(behindColon, node.end) : behindColon, text);
        if (!sameLine) {
            edit(m_locator.lineStart(node.begin), m_locator.lineEnd(node.end), {});
        }
        return;
    }
    if (sameLine) {
        edit(behindColon, std::max(behindColon, node.end), {});
        edit(textEnd, textEnd, text);
        return;
    }
    edit(m_locator.lineStart(node.begin), m_locator.lineTextEnd(node.end),
         text.mid(m_lineEnd.size()));
}

void YamlEditor::setMembers(const YamlNode &map, const YamlValue &value)
{
    QStringList order;
    for (const YamlMember &member : value.members) {
        order << member.key;
    }
    for (const YamlMember &member : value.members) {
        const YamlEntry *entry = entryOf(map, member.key);
        if (!entry || !member.value || !member.value->isSaidBy(entry->value)) {
            setMember(map, member, order);
        }
    }
}

void YamlEditor::setItems(const YamlNode &list, const YamlValue &value)
{
    auto kept = keptItems(list.items, value.items);
    kept.emplace_back(list.items.size(), value.items.size());
    std::size_t oldAt = 0;
    std::size_t newAt = 0;
    for (const auto &[oldKept, newKept] : kept) {
        const auto first = value.items.begin();
        changeRun(list, {oldAt, oldKept},
                  {first + static_cast<std::ptrdiff_t>(newAt),
                   first + static_cast<std::ptrdiff_t>(newKept)});
        oldAt = oldKept + 1;
        newAt = newKept + 1;
    }
}

/// Between two kept items: as many as there are on both sides change in place, the rest goes or
/// comes.
void YamlEditor::changeRun(const YamlNode &list, std::pair<std::size_t, std::size_t> old,
                           const std::vector<YamlValue> &wanted)
{
    const std::size_t both = std::min(old.second - old.first, wanted.size());
    for (std::size_t i = 0; i < both; ++i) {
        setItem(list.items[old.first + i], wanted[i], itemLayout(list));
    }
    if (old.first + both < old.second) {
        removeItems(list, old.first + both, old.second);
    } else if (both < wanted.size()) {
        insertItems(list, old.second,
                    {wanted.begin() + static_cast<std::ptrdiff_t>(both), wanted.end()});
    }
}

void YamlEditor::setItem(const YamlNode &node, const YamlValue &value, const YamlLayout &layout)
{
    const std::optional<YamlValue> scalar = value.asScalar();
    if (scalar && node.isScalar()) {
        replaceScalar(node, *scalar, layout);
        return;
    }
    if (value.kind == YamlValue::Kind::Map && node.kind == YamlNode::Kind::Mapping &&
        !node.entries.empty()) {
        setMembers(node, value);
        return;
    }
    const qsizetype lineEnd = m_locator.lineTextEnd(node.end);
    const bool isLast = m_text.mid(node.end, lineEnd - node.end).trimmed().isEmpty();
    YamlLayout inner = layout;
    inner.flow = layout.flow || !isLast; // a comment behind it must not become part of new lines
    const QByteArray text = yamlItem(value, inner);
    edit(node.begin, node.end, (node.begin == node.end ? " " : "") + text);
}

void YamlEditor::removeItems(const YamlNode &list, std::size_t first, std::size_t last)
{
    const std::vector<YamlNode> &items = list.items;
    if (list.isFlow()) {
        if (last < items.size()) {
            edit(items[first].begin, items[last].begin, {});
        } else if (first > 0) {
            edit(items[first - 1].end, items[last - 1].end, {});
        } else {
            edit(list.begin + 1, list.end - 1, {});
        }
        return;
    }
    for (std::size_t i = first; i < last; ++i) {
        const qsizetype dash = dashOf(items[i]);
        m_failed = m_failed || !isFirstOnLine(dash);
        edit(m_locator.lineStart(dash), m_locator.lineEnd(items[i].end), {});
    }
}

void YamlEditor::insertItems(const YamlNode &list, std::size_t before,
                             const std::vector<YamlValue> &wanted)
{
    const YamlLayout layout = itemLayout(list);
    const std::vector<YamlNode> &items = list.items;
    QByteArrayList texts;
    for (const YamlValue &value : wanted) {
        texts << yamlItem(value, layout);
    }
    if (list.isFlow()) {
        const qsizetype at = before > 0 ? items[before - 1].end : items.front().begin;
        edit(at, at, before > 0 ? ", " + texts.join(", ") : texts.join(", ") + ", ");
        return;
    }
    const qsizetype firstDash = dashOf(items.front());
    m_failed = m_failed || !isFirstOnLine(firstDash);
    const qsizetype at =
        before > 0 ? m_locator.lineEnd(items[before - 1].end) : m_locator.lineStart(firstDash);
    QByteArray lines;
    for (const QByteArray &text : texts) {
        lines += QByteArray(layout.indent, ' ') + "- " + text + m_lineEnd;
    }
    edit(at, at, lines);
}

void YamlEditor::removeEntry(const YamlNode &map, std::size_t index)
{
    const YamlEntry &entry = map.entries[index];
    const bool hasNext = index + 1 < map.entries.size();
    if (!map.isFlow() && isFirstOnLine(entry.key.begin)) {
        edit(m_locator.lineStart(entry.key.begin), m_locator.lineEnd(entry.value.end), {});
    } else if (hasNext) {
        edit(entry.key.begin, map.entries[index + 1].key.begin, {});
    } else if (map.isFlow() && index > 0) {
        edit(map.entries[index - 1].value.end, entry.value.end, {});
    } else if (map.isFlow()) {
        edit(map.begin + 1, map.end - 1, {});
    } else {
        m_failed = true; // the only member of a list item
    }
}

void YamlEditor::addEntry(const YamlNode &map, const YamlMember &member, const QStringList &order)
{
    const YamlEntry *before = nullptr; // the nearest member that belongs in front
    for (qsizetype i = order.indexOf(member.key) - 1; i >= 0 && !before; --i) {
        before = entryOf(map, order.at(i));
    }
    if (map.isFlow()) {
        const QByteArray text = memberText(member, {true, 0, m_lineEnd});
        if (before) {
            edit(before->value.end, before->value.end, ", " + text);
        } else {
            const qsizetype at = map.begin + 1;
            edit(at, at, map.entries.empty() ? text : text + ", ");
        }
        return;
    }
    const YamlNode &firstKey = map.entries.front().key;
    const YamlLayout layout{false, column(firstKey.begin), m_lineEnd};
    const QByteArray line = QByteArray(layout.indent, ' ') + memberText(member, layout) + m_lineEnd;
    if (!before && !isFirstOnLine(firstKey.begin)) {
        before = &map.entries.back(); // behind a dash: order means less than the dash
    }
    const qsizetype at =
        before ? m_locator.lineEnd(before->value.end) : aboveComments(firstKey.begin);
    edit(at, at, line);
}

/// The start of the line of \a offset, or of the comment lines right above it, which belong to it.
qsizetype YamlEditor::aboveComments(qsizetype offset) const
{
    qsizetype start = m_locator.lineStart(offset);
    while (start > 0) {
        const qsizetype above = m_locator.lineStart(start - 1);
        if (!m_text.mid(above, start - above).trimmed().startsWith('#')) {
            break;
        }
        start = above;
    }
    return start;
}

std::optional<QByteArray> applyEdits(const QByteArray &text, QList<TextEdit> edits)
{
    std::stable_sort(edits.begin(), edits.end(),
                     [](const TextEdit &a, const TextEdit &b) { return a.offset < b.offset; });
    QByteArray out;
    qsizetype at = 0;
    for (const TextEdit &edit : edits) {
        if (edit.offset < at || edit.length < 0 || edit.offset + edit.length > text.size()) {
            return std::nullopt;
        }
        out += text.mid(at, edit.offset - at) + edit.text;
        at = edit.offset + edit.length;
    }
    return out + text.mid(at);
}

} // namespace Glovebox
