// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace Glovebox {

/// Errors stop a run, warnings and hints do not.
enum class Severity { Error, Warning, Hint };

/// One replacement in a text: \a length bytes at \a offset become \a text (UTF-8 byte positions).
struct TextEdit
{
    qsizetype offset = 0;
    qsizetype length = 0;
    QByteArray text;
};

/// A mending that can be applied by one click, named with its result ("Use agent/retry-billing").
struct Fix
{
    QString title;
    QList<TextEdit> edits;
};

/// Something found in what a user wrote: a task file, a plan, an agent file.
/// Line and column count from 1, column in Unicode characters; 0 = about the whole.
struct Problem
{
    Severity severity = Severity::Error;
    QString code;    ///< stable, for programs: "unknown-key"
    QString message; ///< one translated sentence: what, and what was expected
    int line = 0;
    int column = 0;
    int length = 0; ///< characters to underline, 0 = to the end of the line
    QList<Fix> fixes;
};

[[nodiscard]] inline bool hasErrors(const QList<Problem> &problems)
{
    for (const Problem &problem : problems) {
        if (problem.severity == Severity::Error) {
            return true;
        }
    }
    return false;
}

} // namespace Glovebox
