// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/importstages.h"

#include "core/base/pool.h"
#include "core/git/objectdump.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QSet>

namespace Glovebox::ImportStages {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ImportStages)
};

constexpr std::chrono::seconds walkTime(10);
constexpr qint64 mostTreeBytes = 512LL << 20;
constexpr int historyFactor = 5; ///< the whole history may touch that many times the tip's paths

Refusal incomplete()
{
    return refusal("objects", "pack-incomplete",
                   Tr::tr("Objects that the returned branch needs are not in the bundle."));
}

Refusal tooMuchToWalk()
{
    return refusal("limits", "tree-too-many-entries",
                   Tr::tr("The returned branch holds more folders and files than can be looked at "
                          "in time."));
}

QStringList range(const ImportState &state)
{
    return {QString::fromLatin1(state.chosen.tip), QStringLiteral("--not"), state.request.base};
}

/// Reads a dump of commits and deletes it.
Result<QList<ScannedCommit>> readCommits(const QString &file)
{
    QList<ScannedCommit> commits;
    bool sound = true;
    const Result<void> read =
        readDump(file, scannedCommitBytes, [&commits, &sound](DumpedObject &&object) {
            sound = object.type == "commit";
            if (sound) {
                commits.append(scanCommit(object.id, object.bytes, object.size));
            }
            return sound;
        });
    QFile::remove(file);
    if (!read) {
        return fail(read.error());
    }
    if (!sound) {
        return fail(ErrorCode::UnexpectedReply, Tr::tr("A commit of the branch cannot be read."));
    }
    return commits;
}

QCoro::Task<Result<QList<ScannedCommit>>> commitsOf(ImportStatePtr state, QList<QByteArray> ids,
                                                    std::stop_token stop)
{
    DumpRequest request;
    request.gitFolder = state->folder;
    request.ids = ids;
    request.file = state->newScratchFile();
    request.maximum = 2 * state->request.limits.inflatedBytes;
    const Result<void> dumped = co_await dumpObjects(request, stop);
    if (!dumped) {
        co_return fail(dumped.error());
    }
    const auto work = [file = request.file] {
        return readCommits(file);
    };
    Result<QList<ScannedCommit>> commits = co_await runInPool(work);
    co_return commits;
}

/// Feeds a dump of trees to a walk and looks at its level. Deletes the dump.
Result<Verdict> stepWith(TreeWalk &walk, const QString &file)
{
    bool sound = true;
    const Result<void> read = readDump(file, mostTreeBytes, [&walk, &sound](DumpedObject &&object) {
        sound = object.type == "tree";
        if (sound) {
            walk.feed(QByteArray::fromHex(object.id), object.bytes);
        }
        return sound;
    });
    QFile::remove(file);
    if (!read) {
        return fail(read.error());
    }
    return sound ? walk.step() : Verdict(incomplete());
}

/// One level: fetch the trees it wants, then look at them.
QCoro::Task<Result<Verdict>> walkLevel(ImportStatePtr state, std::shared_ptr<TreeWalk> walk,
                                       QDeadlineTimer deadline, std::stop_token stop)
{
    DumpRequest request;
    request.gitFolder = state->folder;
    for (const QByteArray &id : walk->wanted()) {
        request.ids.append(id.toHex());
    }
    if (request.ids.isEmpty()) {
        const auto look = [walk]() -> Result<Verdict> {
            return walk->step();
        };
        Result<Verdict> verdict = co_await runInPool(look);
        co_return verdict;
    }
    request.file = state->newScratchFile();
    request.maximum = mostTreeBytes;
    request.limit = std::chrono::milliseconds(qMax<qint64>(deadline.remainingTime(), 1));
    const Result<void> dumped = co_await dumpObjects(request, stop);
    if (!dumped) {
        const ErrorCode code = dumped.error().code;
        if (code == ErrorCode::TimedOut || code == ErrorCode::TooLarge) {
            co_return Verdict(tooMuchToWalk());
        }
        co_return fail(dumped.error());
    }
    const auto work = [walk, file = request.file] {
        return stepWith(*walk, file);
    };
    Result<Verdict> verdict = co_await runInPool(work);
    co_return verdict;
}

QCoro::Task<Result<Verdict>> walkAll(ImportStatePtr state, std::shared_ptr<TreeWalk> walk,
                                     QDeadlineTimer deadline, std::stop_token stop)
{
    while (!walk->isDone()) {
        if (deadline.hasExpired()) {
            co_return Verdict(tooMuchToWalk());
        }
        const Result<Verdict> verdict = co_await walkLevel(state, walk, deadline, stop);
        if (!verdict || *verdict) {
            co_return verdict;
        }
    }
    co_return Verdict();
}

QByteArray rawTree(const ImportState &state, const QByteArray &commit)
{
    return QByteArray::fromHex(state.treeOfCommit.value(commit));
}

/// Lines of 40 digits in a file, as a set.
Result<QSet<QByteArray>> readIds(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(ErrorCode::FileError,
                    Tr::tr("A scratch file could not be read: %1").arg(file.errorString()));
    }
    QSet<QByteArray> ids;
    while (!file.atEnd()) {
        ids.insert(file.readLine(256).trimmed());
    }
    file.close();
    QFile::remove(path);
    return ids;
}

} // namespace

QCoro::Task<Result<Verdict>> checkTip(ImportStatePtr state, std::stop_token stop)
{
    const QList<QByteArray> ids{state->chosen.tip};
    const auto types = co_await typesOf(state->folder, ids, stop);
    if (!types) {
        co_return fail(types.error());
    }
    const QByteArray type = types->value(state->chosen.tip);
    if (type.isEmpty()) {
        co_return Verdict(incomplete());
    }
    if (type != "commit") {
        co_return Verdict(refusal("tip", "tip-not-commit",
                                  Tr::tr("The returned branch does not end in a commit.")));
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> checkHistory(ImportStatePtr state, std::stop_token stop)
{
    GitRequest git;
    git.gitFolder = state->folder;
    git.arguments = {QStringLiteral("merge-base"), QStringLiteral("--is-ancestor"),
                     state->request.base, QString::fromLatin1(state->chosen.tip)};
    const Result<ProcessResult> result = co_await runGit(git, stop);
    if (!result) {
        co_return fail(result.error());
    }
    if (result->exitCode == 1) {
        co_return Verdict(refusal("history", "history-not-from-base",
                                  Tr::tr("The returned branch does not descend from the base.")));
    }
    if (result->exitCode != 0) {
        co_return Verdict(incomplete());
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> scanCommits(ImportStatePtr state, std::stop_token stop)
{
    GitRequest git;
    git.gitFolder = state->folder;
    git.arguments = QStringList{QStringLiteral("rev-list"), QStringLiteral("--topo-order")};
    git.arguments += range(*state);
    git.outputLimit = 256LL << 20;
    const Result<ProcessResult> listed = co_await runGit(git, stop);
    if (!listed) {
        co_return fail(listed.error());
    }
    if (listed->exitCode != 0) {
        co_return Verdict(incomplete());
    }
    QList<QByteArray> ids = listed->output.split('\n');
    ids.removeAll(QByteArray());
    const auto known = co_await typesOf(state->request.gitFolder, ids, stop);
    if (!known) {
        co_return fail(known.error());
    }
    ids.append(state->request.base.toLatin1());
    Result<QList<ScannedCommit>> commits = co_await commitsOf(state, ids, stop);
    if (!commits) {
        co_return fail(commits.error());
    }
    const ScannedCommit base = commits->takeLast();
    state->facts.baseTime = base.committer.time;
    state->treeOfCommit.insert(base.id, base.tree);
    QSet<QByteArray> outside;
    for (ScannedCommit &commit : *commits) {
        commit.isKnown = known->contains(commit.id);
        state->treeOfCommit.insert(commit.id, commit.tree);
        outside.unite(QSet<QByteArray>(commit.parents.begin(), commit.parents.end()));
    }
    state->facts.commits = *commits;
    state->report.commits = static_cast<int>(commits->size());
    outside.removeIf([&state](const QByteArray &id) { return state->treeOfCommit.contains(id); });
    const Result<QList<ScannedCommit>> parents = co_await commitsOf(state, outside.values(), stop);
    if (!parents) {
        co_return fail(parents.error());
    }
    for (const ScannedCommit &parent : *parents) {
        state->treeOfCommit.insert(parent.id, parent.tree);
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> walkTrees(ImportStatePtr state, std::stop_token stop)
{
    const QDeadlineTimer deadline(walkTime);
    const ImportLimits &limits = state->request.limits;
    const QByteArray baseTree = rawTree(*state, state->request.base.toLatin1());
    const QByteArray tipTree = rawTree(*state, state->chosen.tip);
    const auto net = std::make_shared<TreeWalk>(TreeWalk::Limits{limits.newPaths, limits.depth});
    net->addPair(baseTree, tipTree);
    Result<Verdict> verdict = co_await walkAll(state, net, deadline, stop);
    if (!verdict || *verdict) {
        co_return verdict;
    }
    state->facts.trees = net;
    // What a commit on the way holds is never listed before it was counted, either.
    state->history = std::make_shared<TreeWalk>(
        TreeWalk::Limits{qint64(limits.newPaths) * historyFactor, limits.depth});
    for (const ScannedCommit &commit : state->facts.commits) {
        const QByteArray tree = QByteArray::fromHex(commit.tree);
        if (commit.parents.isEmpty()) {
            state->history->addPair({}, tree);
        }
        for (const QByteArray &parent : commit.parents) {
            state->history->addPair(rawTree(*state, parent), tree);
        }
    }
    verdict = co_await walkAll(state, state->history, deadline, stop);
    co_return verdict;
}

QCoro::Task<Result<Verdict>> checkClosure(ImportStatePtr state, std::stop_token stop)
{
    GitRequest git;
    git.gitFolder = state->folder;
    git.arguments = QStringList{QStringLiteral("rev-list"), QStringLiteral("--objects"),
                                QStringLiteral("--no-object-names")};
    git.arguments += range(*state);
    git.outputFile = state->newScratchFile();
    const Result<ProcessResult> listed = co_await runGit(git, stop);
    if (!listed) {
        co_return fail(listed.error());
    }
    if (listed->exitCode != 0) {
        const bool deep = listed->error.contains("tree depth"); // git 2.43 and newer stop by size
        co_return Verdict(deep ? refusal("limits", "path-too-deep",
                                         Tr::tr("The returned branch nests folders too deep."))
                               : incomplete());
    }
    const auto work = [file = git.outputFile] {
        return readIds(file);
    };
    const Result<QSet<QByteArray>> reached = co_await runInPool(work);
    if (!reached) {
        co_return fail(reached.error());
    }
    QList<QByteArray> unreached;
    for (const QByteArray &id : std::as_const(state->packed)) {
        if (!reached->contains(id)) {
            unreached.append(id);
        }
    }
    // Bases of thin deltas, and objects of older commits that the user has anyway, are no
    // stowaways.
    const auto known = co_await typesOf(state->request.gitFolder, unreached, stop);
    if (!known) {
        co_return fail(known.error());
    }
    state->facts.stowaways = unreached.size() - known->size();
    co_return Verdict();
}

} // namespace Glovebox::ImportStages
