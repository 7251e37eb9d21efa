// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace Glovebox {

/// Where the parts of a task file are, as byte offsets.
struct TaskParts
{
    bool hasFrontMatter = false; ///< the first line is "---"
    bool isClosed = false;       ///< and there is a second one
    qsizetype textBegin = 0;     ///< behind a byte order mark
    qsizetype yamlBegin = 0;
    qsizetype yamlEnd = 0; ///< where the closing line starts
    qsizetype bodyBegin = 0;
    qsizetype lateFence = -1; ///< a "---" that comes after blank lines, where none is first
    QByteArray lineEnd{"\n"}; ///< of the first line
};

[[nodiscard]] TaskParts splitTaskText(const QByteArray &bytes);

/// A part of the text as the agent gets it: line ends LF, no blank lines in front or behind.
[[nodiscard]] QString readableBody(const QByteArray &bytes);

} // namespace Glovebox
