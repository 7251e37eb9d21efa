// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/ids.h"
#include "core/git/globs.h"
#include "core/tasks/lintrun.h"
#include "core/tasks/names.h"

#include <QCoreApplication>

#include <algorithm>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Lint)
};

const QString scopeKey = QStringLiteral("scope");
const QString forbidKey = QStringLiteral("forbid");
const QString baseTestsKey = QStringLiteral("verify.base_tests");
const QString branchKey = QStringLiteral("branch");

bool lintGlob(LintRun *run, const QString &pattern, const QString &key, qsizetype item)
{
    const QString sentence = GlobSet::explainInvalid(pattern);
    if (!sentence.isEmpty()) {
        run->add(Severity::Error, "bad-pattern", sentence, key, item);
    }
    return sentence.isEmpty();
}

bool matchesAny(const QStringList &patterns, const QList<QByteArray> &paths)
{
    const GlobSet set(patterns);
    return std::any_of(paths.begin(), paths.end(),
                       [&set](const QByteArray &path) { return set.matches(path); });
}

/// What a pattern that matches nothing was probably meant to be.
QString likelyPattern(const QString &pattern, const QList<QByteArray> &paths)
{
    QString literal = pattern;
    for (const QChar special : QStringLiteral("[]{}")) {
        literal.replace(special, QLatin1Char('\\') + QString(special));
    }
    const QStringList candidates{pattern + QLatin1Char('/'), QStringLiteral("**/") + pattern,
                                 QStringLiteral("**/") + pattern + QLatin1Char('/'), literal};
    for (const QString &candidate : candidates) {
        if (GlobSet::explainInvalid(candidate).isEmpty() && matchesAny({candidate}, paths)) {
            return candidate;
        }
    }
    return {};
}

bool hasWildcard(const QString &pattern)
{
    return std::any_of(pattern.begin(), pattern.end(),
                       [](QChar c) { return QStringLiteral("*?[{").contains(c); });
}

/// A pattern for new files is fine beside others that match; alone it is more likely a slip.
void lintMatches(LintRun *run, const QStringList &patterns, const QString &key,
                 QStringList TaskFile::*field)
{
    if (!run->facts.repository || !run->facts.repository->baseExists) {
        return;
    }
    const QList<QByteArray> &paths = run->facts.repository->basePaths;
    const bool anyMatches = matchesAny(patterns, paths);
    for (qsizetype i = 0; i < patterns.size(); ++i) {
        if (!GlobSet::explainInvalid(patterns.at(i)).isEmpty() ||
            matchesAny({patterns.at(i)}, paths)) {
            continue;
        }
        const QString likely = likelyPattern(patterns.at(i), paths);
        const bool isNewFile = !hasWildcard(patterns.at(i)) && !patterns.at(i).endsWith(u'/');
        const bool slip = !likely.isEmpty() || (!anyMatches && !isNewFile);
        Problem &problem = run->add(slip ? Severity::Warning : Severity::Hint, "matches-nothing",
                                    Tr::tr("No file of the base matches this pattern."), key, i);
        if (!likely.isEmpty() && field) {
            TaskFile changed = run->task;
            (changed.*field)[i] = likely;
            run->offer(&problem, Tr::tr("Use %1").arg(likely), key, changed);
        }
    }
}

void lintBase(LintRun *run)
{
    if (!run->facts.repository || run->facts.repository->baseExists) {
        return;
    }
    run->add(Severity::Error, "no-base",
             run->task.base.isEmpty()
                 ? Tr::tr("The repository has no commit yet to start from; make one first.")
                 : Tr::tr("\"%1\" is no commit of this repository; name a branch, tag or commit.")
                       .arg(run->task.base),
             QStringLiteral("base"));
}

void offerBranch(LintRun *run, Problem *problem, const QString &name)
{
    if (name.isEmpty() || !explainBadBranch(name).isEmpty()) {
        return;
    }
    TaskFile changed = run->task;
    changed.branch = name;
    run->offer(problem, Tr::tr("Use agent/%1").arg(name), branchKey, changed);
}

/// git keeps branches like files: where agent/a is one, agent/a/b can't be, and the other way
/// round.
QString blockingBranch(const QString &branch, const QStringList &branches)
{
    for (const QString &existing : branches) {
        if (branch.startsWith(existing + QLatin1Char('/'), Qt::CaseInsensitive) ||
            existing.startsWith(branch + QLatin1Char('/'), Qt::CaseInsensitive)) {
            return existing;
        }
    }
    return {};
}

void lintTakenBranch(LintRun *run, const QString &name)
{
    const QStringList &branches = run->facts.repository->branches;
    const QString branch = QStringLiteral("agent/") + name;
    const QString blocking = blockingBranch(branch, branches);
    if (!blocking.isEmpty()) {
        run->add(Severity::Error, "branch-blocked",
                 Tr::tr("Git cannot make %1 beside the branch %2; name another, or rename that "
                        "one.")
                     .arg(branch, blocking),
                 branchKey);
        return;
    }
    const QString free = freeBranch(branch, branches);
    if (free == branch) {
        return;
    }
    Problem &problem = run->add(
        Severity::Warning, "branch-taken",
        Tr::tr("%1 exists already, so the run's branch becomes %2.").arg(branch, free), branchKey);
    offerBranch(run, &problem, free.mid(6));
}

} // namespace

void lintPaths(LintRun *run)
{
    const TaskFile &task = run->task;
    if (task.scope.isEmpty()) {
        run->add(Severity::Warning, "no-scope",
                 Tr::tr("No scope is given, so the agent may change any file; list path patterns "
                        "under \"scope\"."),
                 scopeKey);
    }
    for (qsizetype i = 0; i < task.scope.size(); ++i) {
        lintGlob(run, task.scope.at(i), scopeKey, i);
    }
    for (qsizetype i = 0; i < task.forbid.size(); ++i) {
        lintGlob(run, task.forbid.at(i), forbidKey, i);
    }
    for (qsizetype i = 0; i < task.verify.baseTests.size(); ++i) {
        lintGlob(run, task.verify.baseTests.at(i), baseTestsKey, i);
    }
    lintMatches(run, task.scope, scopeKey, &TaskFile::scope);
    lintMatches(run, task.verify.baseTests, baseTestsKey, nullptr);
}

void lintBranch(LintRun *run)
{
    lintBase(run);
    const QString name = run->task.branch.isEmpty() ? slugOf(run->task.title) : run->task.branch;
    if (name.isEmpty()) {
        return;
    }
    const QString sentence = explainBadBranch(name);
    if (!sentence.isEmpty()) {
        Problem &problem = run->add(Severity::Error, "bad-branch", sentence, branchKey);
        offerBranch(run, &problem, mendedBranch(name));
        return;
    }
    if (name.startsWith(QLatin1String("agent/"))) {
        Problem &problem = run->add(
            Severity::Warning, "branch-prefix",
            Tr::tr("\"agent/\" is put in front by itself; this becomes agent/%1.").arg(name),
            branchKey);
        offerBranch(run, &problem, name.mid(6));
    }
    if (run->facts.repository) {
        lintTakenBranch(run, name);
    }
}

} // namespace Glovebox
