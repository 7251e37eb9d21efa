// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/problem.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace Glovebox {

struct YamlEntry;

/// One node of a YAML document with the bytes it stands on. end is where its content ends: comments
/// and blank lines below are not part of it.
struct YamlNode
{
    enum class Kind { Scalar, Sequence, Mapping };
    enum class Style { Plain, SingleQuoted, DoubleQuoted, Literal, Folded, Block, Flow };

    Kind kind = Kind::Scalar;
    Style style = Style::Plain;
    QString text;                ///< of a scalar
    std::vector<YamlNode> items; ///< of a sequence
    std::vector<YamlEntry> entries;
    qsizetype begin = 0; ///< byte offsets in the whole text
    qsizetype end = 0;

    [[nodiscard]] bool isScalar() const { return kind == Kind::Scalar; }
    /// Nothing written, or null: the key stands there without a value.
    [[nodiscard]] bool isNull() const;
    [[nodiscard]] bool isFlow() const { return style == Style::Flow; }
};

struct YamlEntry
{
    YamlNode key;
    YamlNode value;
};

/// What readYaml() made of a text.
struct YamlDocument
{
    std::optional<YamlNode> root;  ///< nothing when it could not be read, or holds only comments
    std::vector<qsizetype> dashes; ///< where each "- " of a block list stands, ascending
    QList<Problem> problems;
    bool isReadable = true; ///< false: a YAML error, root is not to be trusted
};

/// Reads \a length bytes of \a text from \a begin as one YAML document (libyaml's events). Anchors,
/// aliases, tags, merge keys and keys that are no plain words are refused: a task file needs none
/// of them, and each makes it harder to see what a file says. The range must be valid UTF-8.
[[nodiscard]] YamlDocument readYaml(const QByteArray &text, qsizetype begin, qsizetype length);

} // namespace Glovebox
