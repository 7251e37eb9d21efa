// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/taskfile.h"

#include <QByteArray>

#include <vector>

namespace Glovebox {

/// Turns byte offsets of a UTF-8 text into lines and columns for people, and finds line borders.
/// Lines end with LF, CRLF or a lone CR; a byte order mark takes no column.
class TextLocator final
{
public:
    explicit TextLocator(const QByteArray &text);

    /// Line and column of \a begin, length up to \a end or to the end of the first line.
    [[nodiscard]] KeyPosition position(qsizetype begin, qsizetype end) const;
    [[nodiscard]] qsizetype lineStart(qsizetype offset) const;
    [[nodiscard]] qsizetype lineTextEnd(qsizetype offset) const; ///< in front of the line's end
    [[nodiscard]] qsizetype lineEnd(qsizetype offset) const;     ///< where the next line starts

private:
    [[nodiscard]] std::size_t lineOf(qsizetype offset) const;
    [[nodiscard]] int characters(qsizetype begin, qsizetype end) const;

    QByteArray m_text;
    std::vector<qsizetype> m_starts;
};

/// Fills a problem's place.
void placeProblem(Problem *problem, const KeyPosition &position);

} // namespace Glovebox
