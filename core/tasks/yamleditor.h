// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/textlocator.h"
#include "core/tasks/yamltext.h"

namespace Glovebox {

/// Collects the smallest edits that make a YAML text say something else: scalars are replaced where
/// they stand, list items and map members come and go by whole lines (in flow style by their
/// bytes), and whatever lies between, comments above all, stays. Styles are kept where they can
/// hold the new value.
class YamlEditor final
{
public:
    YamlEditor(const QByteArray &text, const YamlDocument &document, const QByteArray &lineEnd);

    /// Makes \a map say \a member; \a order: all members that may stand there, for the place of a
    /// new one.
    void setMember(const YamlNode &map, const YamlMember &member, const QStringList &order);
    /// The same without care for what the value looked like: for the rare layout that setMember()
    /// cannot edit.
    void rewriteMember(const YamlNode &map, const YamlMember &member, const QStringList &order);
    /// A first member, where there is no map yet.
    void insertAt(qsizetype offset, const YamlMember &member);

    /// Nothing when the layout could not be edited piece by piece.
    [[nodiscard]] std::optional<QByteArray> result() const;

private:
    void setValue(const YamlEntry &entry, const YamlValue &value, const YamlLayout &layout);
    void replaceValue(const YamlEntry &entry, const YamlValue &value, const YamlLayout &layout);
    void replaceScalar(const YamlNode &node, const YamlValue &value, YamlLayout layout);
    void setMembers(const YamlNode &map, const YamlValue &value);
    void setItems(const YamlNode &list, const YamlValue &value);
    void setItem(const YamlNode &node, const YamlValue &value, const YamlLayout &layout);
    void changeRun(const YamlNode &list, std::pair<std::size_t, std::size_t> old,
                   const std::vector<YamlValue> &wanted);
    void removeItems(const YamlNode &list, std::size_t first, std::size_t last);
    void insertItems(const YamlNode &list, std::size_t before, const std::vector<YamlValue> &items);
    void removeEntry(const YamlNode &map, std::size_t index);
    void addEntry(const YamlNode &map, const YamlMember &member, const QStringList &order);

    [[nodiscard]] QByteArray memberText(const YamlMember &member, const YamlLayout &layout) const;
    [[nodiscard]] YamlLayout itemLayout(const YamlNode &list) const;
    [[nodiscard]] qsizetype dashOf(const YamlNode &item) const;
    [[nodiscard]] qsizetype colonOf(const YamlNode &key) const;
    [[nodiscard]] qsizetype aboveComments(qsizetype offset) const;
    [[nodiscard]] int column(qsizetype offset) const;
    [[nodiscard]] bool isFirstOnLine(qsizetype offset) const;
    void edit(qsizetype begin, qsizetype end, const QByteArray &text);

    const QByteArray m_text;
    const TextLocator m_locator;
    const std::vector<qsizetype> m_dashes;
    const QByteArray m_lineEnd;
    QList<TextEdit> m_edits;
    bool m_failed = false;
};

/// Applies edits that do not overlap, in any order; those at one place in the order given. Nothing
/// when they overlap or lie outside of the text.
[[nodiscard]] std::optional<QByteArray> applyEdits(const QByteArray &text, QList<TextEdit> edits);

} // namespace Glovebox
