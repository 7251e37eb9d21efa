// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/lint.h"

namespace Glovebox {

/// What one call of lintTask() has at hand: the rules in lintcommands.cpp, lintplaces.cpp and
/// lintchoices.cpp each take one and add what they find.
class LintRun final
{
public:
    LintRun(const TaskDocument &textAndTask, const LintFacts &known);

    const TaskDocument &document;
    const TaskFile &task;
    const LintFacts &facts;

    /// At a key, at an item of a list, or, where it isn't written, about the whole. The answer is
    /// good until the next call.
    Problem &add(Severity severity, const char *code, const QString &message, const QString &key);
    Problem &add(Severity severity, const char *code, const QString &message, const QString &key,
                 qsizetype item);
    Problem &addAt(Severity severity, const char *code, const QString &message,
                   const std::optional<KeyPosition> &position);

    /// A fix that sets \a key to what \a changed has for it. None where that changes nothing.
    void offer(Problem *problem, const QString &title, const QString &key,
               const TaskFile &changed) const;

    [[nodiscard]] QList<Problem> takeProblems() { return std::move(m_problems); }

private:
    QList<Problem> m_problems;
};

void lintCommands(LintRun *run); ///< acceptance and setup: do they run, can they fail
void lintPaths(LintRun *run);    ///< scope, forbid, base_tests
void lintBranch(LintRun *run);   ///< base and branch against the repository
void lintChoices(LintRun *run);  ///< agent, backend, limits
void lintNetwork(LintRun *run);
void lintText(LintRun *run); ///< title, instructions, secrets anywhere

} // namespace Glovebox
