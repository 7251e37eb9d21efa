// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace Glovebox {

/// A word or an operator of a shell line. Redirections are left out.
struct ShellToken
{
    enum class Kind { Word, Operator };
    Kind kind = Kind::Word;
    QString text;          ///< a word without its quotes
    bool isLiteral = true; ///< nothing in it is expanded
    bool isQuoted = false;
    qsizetype plainLength = 0; ///< so many characters stand in front of the first quote

    [[nodiscard]] bool isOperator(const char *wanted) const
    {
        return kind == Kind::Operator && text == QLatin1String(wanted);
    }
};

/// Nothing where the line holds what a task's command seldom does: a here document, a process
/// substitution, a quote that is never closed.
[[nodiscard]] std::optional<QList<ShellToken>> splitShellLine(const QString &line);

} // namespace Glovebox
