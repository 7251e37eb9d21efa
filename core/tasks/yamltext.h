// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/yamltree.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace Glovebox {

struct YamlMember;

/// What a key is to say, before it has a form on paper.
struct YamlValue
{
    enum class Kind { Text, Duration, Number, Flag, List, Map };

    Kind kind = Kind::Text;
    QString text; ///< of all but List and Map, as it is written
    std::vector<YamlValue> items;
    std::vector<YamlMember> members;  ///< of a Map, in the order in which they are written
    std::optional<QString> shortForm; ///< of a Map: one text that says it all ("npm test")

    [[nodiscard]] bool isScalar() const { return kind != Kind::List && kind != Kind::Map; }
    /// This value as one text, where it is one or has a short form.
    [[nodiscard]] std::optional<YamlValue> asScalar() const;
    /// Whether \a node says the same, in whatever form ("60m" and "1h", [a] and a).
    [[nodiscard]] bool isSaidBy(const YamlNode &node) const;
};

/// One member of a map: a value to write, or nothing = must not be there.
struct YamlMember
{
    QString key;
    std::optional<YamlValue> value;
    bool isDefault = false; ///< need not be written where it isn't
};

/// A text between quotes; \a style chooses which, single ones only where they can hold it.
[[nodiscard]] QByteArray quotedYaml(const QString &text, YamlNode::Style style);

/// How a new value is laid out.
struct YamlLayout
{
    bool flow = false; ///< within [ ] or { }
    int indent = 0;    ///< of the key or dash that the value belongs to
    QByteArray lineEnd{"\n"};
};

/// One scalar in a style near to \a style that can hold it; several lines become a "|" block.
[[nodiscard]] QByteArray scalarYaml(const YamlValue &value, YamlNode::Style style,
                                    const YamlLayout &layout);

/// What stands behind "key:": " value", or lines that begin with a line end.
[[nodiscard]] QByteArray yamlBehindColon(const YamlValue &value, const YamlLayout &layout);

/// What stands behind "-" in a block list, or an item of a flow list.
[[nodiscard]] QByteArray yamlItem(const YamlValue &value, const YamlLayout &layout);

} // namespace Glovebox
