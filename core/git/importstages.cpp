// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/importstages.h"

#include "core/base/files.h"
#include "core/base/pool.h"
#include "core/git/indexpackwords.h"
#include "core/git/objectdump.h"
#include "core/git/packwalk.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

namespace Glovebox::ImportStages {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ImportStages)
};

constexpr qint64 mebibyte = 1 << 20;

/// What one git child of an import may use.
ResourceLimits childLimits(const ImportLimits &limits)
{
    ResourceLimits resources;
    resources.cpu = std::chrono::seconds(60);
    resources.addressSpace = 2048 * mebibyte + 2 * limits.objectBytes;
    resources.fileSize = 2 * limits.bundleBytes + 8 * limits.objectBytes;
    return resources;
}

/// The user's packs are read through alternates: in small windows, so that large ones fit under the
/// limit as well.
void limitChild(GitRequest *git, const ImportLimits &limits)
{
    git->resources = childLimits(limits);
    git->config << std::pair{QStringLiteral("core.packedGitWindowSize"), QStringLiteral("32m")}
                << std::pair{QStringLiteral("core.packedGitLimit"), QStringLiteral("256m")};
}

/// A path as a line of objects/info/alternates: quoted where git would read it as something else.
QByteArray alternatesLine(const QByteArray &path)
{
    if (!path.startsWith('"') && !path.startsWith('#') && !path.contains('\n')) {
        return path + '\n';
    }
    QByteArray quoted = path;
    quoted.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return '"' + quoted + "\"\n";
}

/// Where the user's repository keeps its objects and its shallow boundary.
QCoro::Task<Result<QStringList>> storesOf(QString gitFolder, std::stop_token stop)
{
    QStringList paths;
    for (const char *name : {"objects", "shallow"}) {
        GitRequest git;
        git.gitFolder = gitFolder;
        git.arguments = {QStringLiteral("rev-parse"), QStringLiteral("--path-format=absolute"),
                         QStringLiteral("--git-path"), QString::fromLatin1(name)};
        const Result<QByteArray> output = co_await gitOutput(git, stop);
        if (!output) {
            co_return fail(output.error());
        }
        paths.append(QFile::decodeName(output->chopped(1))); // the line end, and no other blank
    }
    co_return paths;
}

/// Lets the quarantine see the user's objects and where their history is cut.
Result<void> linkStores(const QString &quarantine, const QStringList &stores)
{
    const QString info = quarantine + QStringLiteral("/objects/info");
    if (!QDir().mkpath(info)) {
        return fail(ErrorCode::FileError, Tr::tr("The folder %1 could not be made.").arg(info));
    }
    const Result<void> written = writeFile(info + QStringLiteral("/alternates"),
                                           alternatesLine(QFile::encodeName(stores.at(0))));
    if (!written || !QFile::exists(stores.at(1))) {
        return written;
    }
    const Result<QByteArray> shallow = readFile(stores.at(1));
    return shallow ? writeFile(quarantine + QStringLiteral("/shallow"), *shallow)
                   : Result<void>(fail(shallow.error()));
}

struct PackList
{
    QList<QByteArray> ids;
    int deepest = 0;
};

/// Reads `git verify-pack -v`: `<id> <type> <size> <packed> <offset>[ <depth> <base>]`.
Result<PackList> readPackList(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(ErrorCode::FileError,
                    Tr::tr("A scratch file could not be read: %1").arg(file.errorString()));
    }
    PackList list;
    while (!file.atEnd()) {
        const QList<QByteArray> words = file.readLine(1024).simplified().split(' ');
        if (words.size() < 5 || words.at(0).size() != 40) {
            continue; // the histogram and the last line
        }
        list.ids.append(words.at(0));
        if (words.size() >= 7) {
            list.deepest = qMax(list.deepest, words.at(5).toInt());
        }
    }
    return list;
}

} // namespace

QCoro::Task<Result<Verdict>> receive(ImportStatePtr state, std::stop_token stop)
{
    const auto work = [request = state->request, file = state->packFile(), stop] {
        return receiveBundle(request.bundle, file, request.limits, stop);
    };
    const Result<Checked<ReceivedBundle>> received = co_await runInPool(work);
    if (!received) {
        co_return fail(received.error());
    }
    if (!*received) {
        co_return Verdict(received->error());
    }
    state->bundle = received->value();
    state->report.bundleBytes = state->bundle.bytes;
    state->report.sha256 = state->bundle.sha256;
    const QByteArray wanted = state->request.reference.toUtf8();
    const Checked<ChosenReference> chosen = chooseReference(state->bundle.header, wanted);
    if (!chosen) {
        co_return Verdict(chosen.error());
    }
    state->chosen = *chosen;
    state->facts.tip = chosen->tip;
    state->facts.droppedReferences = chosen->dropped;
    state->report.tip = QString::fromLatin1(chosen->tip);
    state->report.reference = QString::fromUtf8(chosen->name);
    state->report.droppedReferences = chosen->dropped;
    const QString &expected = state->request.expectedTip;
    if (!expected.isEmpty() && expected != state->report.tip) {
        co_return Verdict(refusal("header", "tip-unexpected",
                                  Tr::tr("The bundle's branch ends in another commit than the run "
                                         "was sealed with.")));
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> checkPrerequisites(ImportStatePtr state, std::stop_token stop)
{
    const QByteArray base = state->request.base.toLatin1();
    QList<QByteArray> ids = state->bundle.header.prerequisites;
    ids.append(base);
    const auto types = co_await typesOf(state->request.gitFolder, ids, stop);
    if (!types) {
        co_return fail(types.error());
    }
    for (const QByteArray &id : state->bundle.header.prerequisites) {
        if (types->value(id) != "commit") {
            co_return Verdict(
                refusal("header", "bundle-prerequisite",
                        Tr::tr("The bundle builds on commit %1, which your repository "
                               "does not have. Fetch the base and try again.")
                            .arg(QString::fromLatin1(id))));
        }
    }
    if (types->value(base) != "commit") {
        co_return fail(ErrorCode::InvalidRequest,
                       Tr::tr("The base commit %1 is no longer in your repository. Fetch it and "
                              "try again.")
                           .arg(state->request.base));
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> checkPack(ImportStatePtr state, std::stop_token stop)
{
    using Walked = Result<Checked<PackFacts>>;
    const auto work = [path = state->packFile(), limits = state->request.limits, stop]() -> Walked {
        QFile pack(path);
        if (!pack.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) {
            return fail(
                ErrorCode::FileError,
                Tr::tr("The copy of the bundle could not be read: %1").arg(pack.errorString()));
        }
        PackBudget budget;
        budget.limits = limits;
        return walkPack(pack, budget, stop);
    };
    const Walked walked = co_await runInPool(work);
    if (!walked) {
        co_return fail(walked.error());
    }
    if (!*walked) {
        co_return Verdict(walked->error());
    }
    state->report.objects = walked->value().objects;
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> makeRepository(ImportStatePtr state, std::stop_token stop)
{
    GitRequest git;
    git.arguments = {QStringLiteral("init"),
                     QStringLiteral("-q"),
                     QStringLiteral("--bare"),
                     QStringLiteral("--template="),
                     QStringLiteral("--initial-branch=none"),
                     QStringLiteral("--"),
                     state->folder};
    const Result<QByteArray> made = co_await gitOutput(git, stop);
    if (!made) {
        co_return fail(made.error());
    }
    const Result<QStringList> stores = co_await storesOf(state->request.gitFolder, stop);
    if (!stores) {
        co_return fail(stores.error());
    }
    const Result<void> linked = linkStores(state->folder, *stores);
    if (!linked) {
        co_return fail(linked.error());
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> indexPack(ImportStatePtr state, std::stop_token stop)
{
    const QString maximum = QString::number(state->request.limits.bundleBytes);
    GitRequest git;
    git.gitFolder = state->folder;
    git.arguments = {QStringLiteral("index-pack"),
                     QStringLiteral("--stdin"),
                     QStringLiteral("--strict=badFilemode=error"),
                     QStringLiteral("--fix-thin"),
                     QStringLiteral("--max-input-size=") + maximum,
                     QStringLiteral("--threads=1")};
    git.inputFile = state->packFile();
    limitChild(&git, state->request.limits);
    const Result<ProcessResult> result = co_await runGit(git, stop);
    if (!result && result.error().code == ErrorCode::TimedOut) {
        co_return Verdict(refusal("limits", "bundle-too-slow",
                                  Tr::tr("Unpacking the bundle takes longer than is allowed.")));
    }
    if (!result) {
        co_return fail(result.error());
    }
    if (result->exitCode != 0) {
        const Result<Refusal> why = explainIndexPack(*result);
        if (!why) {
            co_return fail(why.error());
        }
        co_return Verdict(*why);
    }
    QFile::remove(state->packFile());
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> checkDeltas(ImportStatePtr state, std::stop_token stop)
{
    const QDir packs(state->folder + QStringLiteral("/objects/pack"));
    const QStringList names = packs.entryList({QStringLiteral("pack-*.idx")}, QDir::Files);
    if (names.isEmpty()) {
        co_return Verdict(); // a bundle without objects: the tip is one that the user has
    }
    GitRequest git;
    git.gitFolder = state->folder;
    git.arguments = {QStringLiteral("verify-pack"), QStringLiteral("-v"), QStringLiteral("--"),
                     packs.filePath(names.constFirst())};
    git.outputFile = state->newScratchFile();
    limitChild(&git, state->request.limits);
    const Result<ProcessResult> result = co_await runGit(git, stop);
    if (!result) {
        co_return fail(result.error());
    }
    if (result->exitCode != 0) {
        const Result<Refusal> why = explainIndexPack(*result);
        if (!why) {
            co_return fail(why.error());
        }
        co_return Verdict(*why);
    }
    const auto work = [file = git.outputFile] {
        return readPackList(file);
    };
    const Result<PackList> list = co_await runInPool(work);
    if (!list) {
        co_return fail(list.error());
    }
    QFile::remove(git.outputFile);
    state->packed = list->ids;
    if (list->deepest > state->request.limits.deltaChain) {
        co_return Verdict(refusal("limits", "delta-chain-too-deep",
                                  Tr::tr("The bundle's pack chains %1 deltas; the limit is %2.")
                                      .arg(list->deepest)
                                      .arg(state->request.limits.deltaChain)));
    }
    co_return Verdict();
}

} // namespace Glovebox::ImportStages
