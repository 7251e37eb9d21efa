// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/importstages.h"

#include "core/base/pool.h"
#include "core/git/objectdump.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QSet>

#include <algorithm>

namespace Glovebox::ImportStages {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ImportStages)
};

constexpr quint32 linkMode = 0120000;
constexpr qint64 longestTarget = 4096;
constexpr int mostMergesTried = 50;

QSet<QByteArray> pathsOf(const TreeDifference &difference)
{
    QSet<QByteArray> paths;
    for (const TreeChange &change : difference.changes) {
        paths.insert(change.path);
    }
    return paths;
}

/// The paths that a commit has like none of its parents.
QSet<QByteArray> ownPaths(const ImportState &state, const ScannedCommit &commit)
{
    const QByteArray tree = QByteArray::fromHex(commit.tree);
    if (commit.parents.isEmpty()) {
        return pathsOf(state.history->compare({}, tree));
    }
    std::optional<QSet<QByteArray>> own;
    for (const QByteArray &parent : commit.parents) {
        const QByteArray parentTree = QByteArray::fromHex(state.treeOfCommit.value(parent));
        const QSet<QByteArray> paths = pathsOf(state.history->compare(parentTree, tree));
        own = own ? own->intersect(paths) : paths;
    }
    return *own;
}

/// Fills what the rules need about files: the net difference, what only the history holds, and what
/// merges changed by themselves.
void compareInto(ImportState &state)
{
    ImportFacts &facts = state.facts;
    const QByteArray base = state.treeOfCommit.value(state.request.base.toLatin1());
    const QByteArray tip = state.treeOfCommit.value(state.chosen.tip);
    facts.net = facts.trees->compare(QByteArray::fromHex(base), QByteArray::fromHex(tip));
    const QSet<QByteArray> shown = pathsOf(facts.net);
    for (const ScannedCommit &commit : std::as_const(facts.commits)) {
        if (commit.isKnown) {
            continue;
        }
        const QSet<QByteArray> own = ownPaths(state, commit);
        for (const QByteArray &path : own) {
            if (!shown.contains(path)) {
                facts.historyOnly.insert(path, commit.id);
            }
        }
        if (commit.parents.size() > 1 && !own.isEmpty()) {
            QList<QByteArray> paths = own.values();
            std::sort(paths.begin(), paths.end());
            facts.merges.insert(commit.id, paths);
        }
    }
}

/// The tree that git itself would make of a merge, or nothing when it would stop at a conflict.
QCoro::Task<Result<QByteArray>> plainMerge(ImportStatePtr state, ScannedCommit merge,
                                           std::stop_token stop)
{
    GitRequest git;
    git.gitFolder = state->folder;
    git.arguments = {QStringLiteral("merge-tree"), QStringLiteral("--write-tree"),
                     QStringLiteral("--no-messages"), QString::fromLatin1(merge.parents.at(0)),
                     QString::fromLatin1(merge.parents.at(1))};
    git.limit = std::chrono::seconds(10);
    const Result<ProcessResult> result = co_await runGit(git, stop);
    if (!result && result.error().code == ErrorCode::Cancelled) {
        co_return fail(result.error());
    }
    if (!result || result->exitCode != 0) {
        co_return QByteArray(); // whatever kept git from it, the reviewer then sees the paths
    }
    co_return result->output.trimmed();
}

/// Bytes NUL in a file: names of `ls-tree -z`.
Result<qint64> countNames(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(ErrorCode::FileError,
                    Tr::tr("A scratch file could not be read: %1").arg(file.errorString()));
    }
    qint64 names = 0;
    while (!file.atEnd()) {
        names += file.read(1 << 16).count('\0');
    }
    file.close();
    QFile::remove(path);
    return names;
}

} // namespace

QCoro::Task<Result<Verdict>> compareTrees(ImportStatePtr state, std::stop_token stop)
{
    const auto work = [state] {
        compareInto(*state);
        return true;
    };
    [[maybe_unused]] const bool compared = co_await runInPool(work);
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    co_return Verdict();
}

/// Two sides that changed different lines of one file make a merged file that equals neither: only
/// what git would not have made by itself is the merge's own.
QCoro::Task<Result<Verdict>> checkMerges(ImportStatePtr state, std::stop_token stop)
{
    int tried = 0;
    const QList<ScannedCommit> commits = state->facts.commits;
    for (const ScannedCommit &commit : commits) {
        const bool isCandidate =
            commit.parents.size() == 2 && state->facts.merges.contains(commit.id);
        if (!isCandidate || ++tried > mostMergesTried) {
            continue;
        }
        const Result<QByteArray> tree = co_await plainMerge(state, commit, stop);
        if (!tree) {
            co_return fail(tree.error());
        }
        if (*tree == commit.tree) {
            state->facts.merges.remove(commit.id);
        }
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> readLinks(ImportStatePtr state, std::stop_token stop)
{
    QSet<QByteArray> ids;
    for (const TreeChange &change : std::as_const(state->facts.net.changes)) {
        if (change.newMode == linkMode) {
            ids.insert(change.newId);
        }
    }
    if (ids.isEmpty()) {
        co_return Verdict();
    }
    DumpRequest request;
    request.gitFolder = state->folder;
    request.ids = ids.values();
    request.file = state->newScratchFile();
    request.maximum = 2 * state->request.limits.inflatedBytes;
    const Result<void> dumped = co_await dumpObjects(request, stop);
    if (!dumped) {
        co_return fail(dumped.error());
    }
    const auto work = [state, file = request.file] {
        return readDump(file, longestTarget, [&state](DumpedObject &&object) {
            if (object.size <= longestTarget) { // a longer one is no path: the rule names it
                state->facts.links.insert(object.id, object.bytes);
            }
            return true;
        });
    };
    const Result<void> read = co_await runInPool(work);
    QFile::remove(request.file);
    if (!read) {
        co_return fail(read.error());
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> countBaseFiles(ImportStatePtr state, std::stop_token stop)
{
    const QList<TreeChange> &changes = state->facts.net.changes;
    const bool deletes = std::any_of(changes.begin(), changes.end(),
                                     [](const TreeChange &change) { return change.newMode == 0; });
    if (!deletes) {
        co_return Verdict();
    }
    GitRequest git;
    git.gitFolder = state->folder;
    git.arguments = {QStringLiteral("ls-tree"), QStringLiteral("-r"), QStringLiteral("-z"),
                     QStringLiteral("--name-only"), state->request.base};
    git.outputFile = state->newScratchFile();
    const Result<QByteArray> listed = co_await gitOutput(git, stop);
    if (!listed) {
        co_return fail(listed.error());
    }
    const auto work = [file = git.outputFile] {
        return countNames(file);
    };
    const Result<qint64> count = co_await runInPool(work);
    if (!count) {
        co_return fail(count.error());
    }
    state->facts.baseFiles = *count;
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> nameHazards(ImportStatePtr state, std::stop_token stop)
{
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    state->facts.now = QDateTime::currentSecsSinceEpoch();
    state->facts.agentEmail = state->request.agentEmail.toUtf8();
    const auto work = [state] {
        return importHazards(state->facts);
    };
    state->report.hazards = co_await runInPool(work);
    co_return Verdict();
}

} // namespace Glovebox::ImportStages
