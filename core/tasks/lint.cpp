// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lint.h"

#include "core/tasks/lintrun.h"
#include "core/tasks/secretshapes.h"
#include "core/tasks/textlocator.h"
#include "core/tasks/yamleditor.h"

#include <QCoreApplication>

#include <algorithm>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Lint)
};

/// The one replacement that makes \a after of \a before.
TextEdit differenceOf(const QByteArray &before, const QByteArray &after)
{
    const qsizetype shorter = std::min(before.size(), after.size());
    qsizetype head = 0;
    while (head < shorter && before.at(head) == after.at(head)) {
        ++head;
    }
    qsizetype tail = 0;
    while (tail < shorter - head &&
           before.at(before.size() - 1 - tail) == after.at(after.size() - 1 - tail)) {
        ++tail;
    }
    return {head, before.size() - head - tail, after.mid(head, after.size() - head - tail)};
}

} // namespace

LintRun::LintRun(const TaskDocument &textAndTask, const LintFacts &known)
    : document(textAndTask)
    , task(textAndTask.task())
    , facts(known)
    , m_problems(textAndTask.problems())
{
}

Problem &LintRun::addAt(Severity severity, const char *code, const QString &message,
                        const std::optional<KeyPosition> &position)
{
    m_problems << Problem{severity, QString::fromLatin1(code), message, 0, 0, 0, {}};
    if (position) {
        placeProblem(&m_problems.last(), *position);
    }
    return m_problems.last();
}

Problem &LintRun::add(Severity severity, const char *code, const QString &message,
                      const QString &key)
{
    return addAt(severity, code, message, document.positionOf(key));
}

Problem &LintRun::add(Severity severity, const char *code, const QString &message,
                      const QString &key, qsizetype item)
{
    const std::optional<KeyPosition> position = document.positionOf(key, item);
    const QString topLevel = key.section(QLatin1Char('.'), 0, 0);
    return addAt(severity, code, message, position ? position : document.positionOf(topLevel));
}

void LintRun::offer(Problem *problem, const QString &title, const QString &key,
                    const TaskFile &changed) const
{
    const QByteArray after = document.withKey(key, changed);
    if (after != document.bytes()) {
        problem->fixes << Fix{title, {differenceOf(document.bytes(), after)}};
    }
}

void lintText(LintRun *run)
{
    const bool written = run->document.positionOf(QStringLiteral("title")).has_value();
    if (run->document.canChange() && run->task.title.isEmpty() && !written) {
        run->add(Severity::Warning, "no-title",
                 Tr::tr("The task has no title; lists, branch and pull request are called by it."),
                 QStringLiteral("title"));
    }
    if (run->document.canChange() && run->task.instructions.isEmpty()) {
        run->addAt(Severity::Error, "no-instructions",
                   Tr::tr("Below the second \"---\" nothing tells the agent what to do."), {});
    }
    const TextLocator locator(run->document.bytes());
    const QList<SecretFinding> secrets = findSecretShapes(run->document.bytes());
    for (const SecretFinding &secret : secrets) {
        const QString sentence =
            secret.isCertain
                ? Tr::tr("A secret stands here (%1); remove it, change it where it is valid, and "
                         "list only the variable's name under env.")
                : Tr::tr("This could be a secret (%1); if it is one, list only the variable's "
                         "name under env.");
        run->addAt(secret.isCertain ? Severity::Error : Severity::Warning, "secret",
                   sentence.arg(secret.kind), locator.position(secret.begin, secret.end));
    }
}

QList<Problem> lintTask(const TaskDocument &document, const LintFacts &facts)
{
    LintRun run(document, facts);
    lintText(&run);
    if (document.canChange()) { // else nothing is known of the task but that it can't be read
        lintCommands(&run);
        lintPaths(&run);
        lintBranch(&run);
        lintChoices(&run);
        lintNetwork(&run);
    }
    QList<Problem> problems = run.takeProblems();
    std::stable_sort(problems.begin(), problems.end(), [](const Problem &a, const Problem &b) {
        return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
    return problems;
}

QByteArray applyFix(const QByteArray &text, const Fix &fix)
{
    return applyEdits(text, fix.edits).value_or(text);
}

} // namespace Glovebox
