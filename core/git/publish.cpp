// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/quarantine.h"

#include "core/base/files.h"
#include "core/base/pause.h"
#include "core/git/branchnames.h"
#include "core/git/referencename.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <re2/re2.h>

#include <string>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Publish)
};

constexpr int mostTries = 200;
constexpr std::chrono::milliseconds lockWait(100);
constexpr std::chrono::seconds lockPatience(10); // somebody may be at work there right now

constexpr QLatin1String branchPrefix("refs/heads/");

/// Where the fetched tip waits: named after the quarantine, so that a repeated call after a crash
/// finds what the first one left.
QString importReference(const PublishRequest &request)
{
    return QStringLiteral("refs/glovebox/import/") + QFileInfo(request.quarantine).fileName();
}

/// Holds the name that the next transaction creates; written before it.
QString recordFile(const PublishRequest &request)
{
    return request.quarantine + QStringLiteral("/glovebox-branch");
}

GitRequest inRepository(const PublishRequest &request, const QStringList &arguments)
{
    GitRequest git;
    git.gitFolder = request.gitFolder;
    git.arguments = arguments;
    git.config = {{QStringLiteral("core.filesRefLockTimeout"), QStringLiteral("1000")},
                  {QStringLiteral("core.packedRefsTimeout"), QStringLiteral("1000")},
                  {QStringLiteral("fetch.fsckObjects"), QStringLiteral("true")}};
    return git;
}

/// The lock file that git ran into, or nothing.
QString lockIn(const QByteArray &words)
{
    std::string path;
    const bool found = RE2::PartialMatch(words.left(64LL * 1024).toStdString(),
                                         "Unable to create '([^\\n]+\\.lock)': File exists", &path);
    return found ? QFile::decodeName(QByteArray::fromStdString(path)) : QString();
}

tl::unexpected<Error> staleLock(const QString &file)
{
    const qint64 seconds = QFileInfo(file).lastModified().secsTo(QDateTime::currentDateTimeUtc());
    return fail(ErrorCode::Busy,
                Tr::tr("The repository is locked by %1, which is %2 seconds old. If no git program "
                       "is at work there, delete that file and try again.")
                    .arg(file)
                    .arg(qMax<qint64>(seconds, 0)));
}

/// Runs git; waits a while when somebody else holds a lock.
QCoro::Task<Result<ProcessResult>> runPatiently(GitRequest git, std::stop_token stop)
{
    const QDeadlineTimer patience(lockPatience);
    while (true) {
        Result<ProcessResult> result = co_await runGit(git, stop);
        const QString lock = result ? lockIn(result->error) : QString();
        if (lock.isEmpty()) {
            co_return result;
        }
        const bool isOld =
            QFileInfo(lock).lastModified().secsTo(QDateTime::currentDateTimeUtc()) > 60;
        if (isOld || patience.hasExpired()) {
            co_return staleLock(lock);
        }
        const Result<void> waited = co_await pause(lockWait, stop);
        if (!waited) {
            co_return fail(waited.error());
        }
    }
}

Result<void> checkRequest(const PublishRequest &request)
{
    const QByteArray name = QString(branchPrefix + request.branch).toUtf8();
    const bool rounds = request.expected.isEmpty() || isObjectId(request.expected.toLatin1());
    if (!isSafeReference(name) || request.branch == QLatin1String("HEAD") ||
        !isSafeReference(importReference(request).toUtf8())) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("%1 is not a name that git allows for a branch.").arg(request.branch));
    }
    if (!isObjectId(request.tip.toLatin1()) || !rounds || !QFileInfo(request.quarantine).isDir()) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("There is no checked bundle to publish. Import it again."));
    }
    return {};
}

/// The commit that a reference names, empty when there is no such reference.
QCoro::Task<Result<QString>> valueOf(PublishRequest request, QString reference,
                                     std::stop_token stop)
{
    const GitRequest git =
        inRepository(request, {QStringLiteral("for-each-ref"),
                               QStringLiteral("--format=%(refname) %(objectname)"), reference});
    const Result<QByteArray> output = co_await gitOutput(git, stop);
    if (!output) {
        co_return fail(output.error());
    }
    for (const QByteArray &line : output->split('\n')) {
        if (line.startsWith(reference.toUtf8() + ' ')) {
            co_return QString::fromLatin1(line.mid(line.lastIndexOf(' ') + 1));
        }
    }
    co_return QString();
}

QCoro::Task<Result<void>> dropImportReference(PublishRequest request, std::stop_token stop)
{
    const QString reference = importReference(request);
    const Result<QString> value = co_await valueOf(request, reference, stop);
    if (!value) {
        co_return fail(value.error());
    }
    if (value->isEmpty()) {
        co_return Result<void>();
    }
    const GitRequest git = inRepository(
        request, {QStringLiteral("update-ref"), QStringLiteral("-d"), reference, *value});
    const Result<ProcessResult> result = co_await runPatiently(git, stop);
    if (!result) {
        co_return fail(result.error());
    }
    co_return Result<void>();
}

/// The name that an earlier call, which did not live to tell, had already made; else empty.
QCoro::Task<Result<QString>> finishedBefore(PublishRequest request, std::stop_token stop)
{
    const Result<QByteArray> record = readFile(recordFile(request), 4096);
    if (!record) {
        co_return QString();
    }
    const QString branch = QString::fromUtf8(*record).trimmed();
    const Result<QString> value = co_await valueOf(request, branchPrefix + branch, stop);
    if (!value) {
        co_return fail(value.error());
    }
    if (branch.isEmpty() || *value != request.tip) {
        co_return QString();
    }
    const Result<void> dropped = co_await dropImportReference(request, stop);
    if (!dropped) {
        co_return fail(dropped.error());
    }
    co_return branch;
}

QCoro::Task<Result<void>> fetchTip(PublishRequest request, std::stop_token stop)
{
    const QString refspec =
        QString::fromLatin1(quarantineReference) + QLatin1Char(':') + importReference(request);
    GitRequest git = inRepository(
        request,
        {QStringLiteral("fetch"), QStringLiteral("--quiet"), QStringLiteral("--no-tags"),
         QStringLiteral("--no-write-fetch-head"), QStringLiteral("--no-recurse-submodules"),
         QStringLiteral("--no-auto-maintenance"), QStringLiteral("--no-prune"),
         QStringLiteral("--no-write-commit-graph"), QStringLiteral("--end-of-options"),
         request.quarantine, refspec});
    git.limit = std::chrono::minutes(5);
    const Result<ProcessResult> result = co_await runPatiently(git, stop);
    if (!result) {
        co_return fail(result.error());
    }
    if (result->exitCode != 0) {
        const QString words = QString::fromUtf8(result->error.left(4000));
        const bool full = words.contains(QLatin1String("No space left"));
        co_return fail(full ? ErrorCode::DiskFull : ErrorCode::CommandFailed,
                       Tr::tr("The checked commits could not be copied into your repository."),
                       words);
    }
    const Result<QString> value = co_await valueOf(request, importReference(request), stop);
    if (!value) {
        co_return fail(value.error());
    }
    if (*value != request.tip) {
        co_return fail(ErrorCode::UnexpectedReply,
                       Tr::tr("The quarantine holds another commit than the one that was checked. "
                              "Import the bundle again."));
    }
    co_return Result<void>();
}

/// Branches that some work tree uses: checked out (also one without a commit yet), or in the middle
/// of a rebase or bisection.
struct UsedBranches
{
    QStringList names; ///< short
    [[nodiscard]] bool contains(const QString &name) const { return names.contains(name); }
};

QCoro::Task<Result<UsedBranches>> usedBranches(PublishRequest request, std::stop_token stop)
{
    const GitRequest git =
        inRepository(request, {QStringLiteral("worktree"), QStringLiteral("list"),
                               QStringLiteral("--porcelain"), QStringLiteral("-z")});
    const Result<QByteArray> output = co_await gitOutput(git, stop);
    if (!output) {
        co_return fail(output.error());
    }
    UsedBranches used;
    const auto add = [&used](const QByteArray &reference) {
        const QString name = QString::fromUtf8(reference.trimmed());
        if (name.startsWith(branchPrefix)) {
            used.names.append(name.mid(branchPrefix.size()));
        }
    };
    for (const QByteArray &field : output->split('\0')) {
        if (field.startsWith("branch ")) {
            add(field.mid(7));
        }
    }
    QStringList folders{request.gitFolder};
    const QDir linked(request.gitFolder + QStringLiteral("/worktrees"));
    for (const QString &name : linked.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        folders.append(linked.filePath(name));
    }
    for (const QString &folder : std::as_const(folders)) {
        for (const char *file : {"/rebase-merge/head-name", "/rebase-apply/head-name"}) {
            const Result<QByteArray> name = readFile(folder + QLatin1String(file), 4096);
            add(name.value_or(QByteArray()));
        }
        const Result<QByteArray> start = readFile(folder + QLatin1String("/BISECT_START"), 4096);
        add("refs/heads/" + start.value_or(QByteArray()));
    }
    co_return used;
}

QCoro::Task<Result<TakenNames>> takenNames(PublishRequest request, std::stop_token stop)
{
    const GitRequest git = inRepository(request, {QStringLiteral("for-each-ref"),
                                                  QStringLiteral("--format=%(refname)"),
                                                  QStringLiteral("refs/heads/")});
    const Result<QByteArray> output = co_await gitOutput(git, stop);
    if (!output) {
        co_return fail(output.error());
    }
    const Result<UsedBranches> used = co_await usedBranches(request, stop);
    if (!used) {
        co_return fail(used.error());
    }
    QStringList names = used->names;
    for (const QString &line : QString::fromUtf8(*output).split(QLatin1Char('\n'))) {
        names.append(line.mid(branchPrefix.size()));
    }
    names.removeAll(QString());
    co_return TakenNames(names);
}

/// One transaction: \a change, and the temporary reference goes. Answers whether it went through;
/// false: somebody else was faster.
QCoro::Task<Result<bool>> commitChange(PublishRequest request, QString branch, QString change,
                                       std::stop_token stop)
{
    const Result<void> recorded = writeFile(recordFile(request), branch.toUtf8() + '\n');
    if (!recorded) {
        co_return fail(recorded.error());
    }
    GitRequest git =
        inRepository(request, {QStringLiteral("update-ref"), QStringLiteral("-m"),
                               QStringLiteral("glovebox: import"), QStringLiteral("--stdin")});
    git.input = (change + QLatin1Char('\n') +
                 QStringLiteral("delete %1 %2\n").arg(importReference(request), request.tip))
                    .toUtf8();
    const Result<ProcessResult> result = co_await runPatiently(git, stop);
    if (!result) {
        co_return fail(result.error());
    }
    const QByteArray &words = result->error;
    const bool lost = words.contains("already exists") || words.contains("but expected") ||
                      words.contains("cannot create") || words.contains("cannot process both") ||
                      words.contains("unable to resolve");
    if (result->exitCode != 0 && !lost) {
        co_return fail(ErrorCode::CommandFailed,
                       Tr::tr("The branch could not be created in your repository."),
                       QString::fromUtf8(words.left(4000)));
    }
    co_return result->exitCode == 0;
}

/// A round's branch goes forward only from where the last round left it, and only while no work
/// tree uses it (its files would no longer be those of its branch).
QCoro::Task<Result<bool>> moveForward(PublishRequest request, std::stop_token stop)
{
    const Result<UsedBranches> used = co_await usedBranches(request, stop);
    if (!used) {
        co_return fail(used.error());
    }
    if (used->contains(request.branch)) {
        co_return false;
    }
    const GitRequest git =
        inRepository(request, {QStringLiteral("merge-base"), QStringLiteral("--is-ancestor"),
                               request.expected, request.tip});
    const Result<ProcessResult> ancestor = co_await runGit(git, stop);
    if (!ancestor) {
        co_return fail(ancestor.error());
    }
    if (ancestor->exitCode != 0) {
        co_return false;
    }
    const QString change = QStringLiteral("update refs/heads/%1 %2 %3")
                               .arg(request.branch, request.tip, request.expected);
    Result<bool> moved = co_await commitChange(request, request.branch, change, stop);
    co_return moved;
}

QCoro::Task<Result<QString>> createBranch(PublishRequest request, std::stop_token stop)
{
    for (int tries = 0; tries < mostTries; ++tries) {
        const Result<TakenNames> taken = co_await takenNames(request, stop);
        if (!taken) {
            co_return fail(taken.error());
        }
        const QString name = taken->freeName(request.branch);
        const QString change = QStringLiteral("create refs/heads/%1 %2").arg(name, request.tip);
        const Result<bool> created = co_await commitChange(request, name, change, stop);
        if (!created) {
            co_return fail(created.error());
        }
        if (*created) {
            co_return name;
        }
    }
    co_return fail(ErrorCode::Busy,
                   Tr::tr("Other programs keep changing the branches of your repository. Try again "
                          "later."));
}

QCoro::Task<Result<QString>> fetchAndName(PublishRequest request, std::stop_token stop)
{
    const Result<void> fetched = co_await fetchTip(request, stop);
    if (!fetched) {
        co_return fail(fetched.error());
    }
    if (!request.expected.isEmpty()) {
        const Result<bool> moved = co_await moveForward(request, stop);
        if (!moved) {
            co_return fail(moved.error());
        }
        if (*moved) {
            co_return request.branch;
        }
    }
    Result<QString> name = co_await createBranch(request, stop);
    co_return name;
}

} // namespace

QCoro::Task<Result<void>> discardImports(QString gitFolder, QString folder)
{
    const QDir place(folder);
    const QString pattern = QString::fromLatin1(quarantineFolderPrefix) + QLatin1Char('*');
    const QStringList names = place.entryList({pattern}, QDir::Dirs);
    for (const QString &name : names) {
        PublishRequest request;
        request.gitFolder = gitFolder;
        request.quarantine = place.filePath(name);
        const std::stop_token own;
        Result<void> gone = co_await dropImportReference(request, own);
        if (gone) {
            gone = discardQuarantine(request.quarantine);
        }
        if (!gone) {
            co_return gone;
        }
    }
    co_return Result<void>();
}

QCoro::Task<Result<QString>> publishBranch(PublishRequest request, std::stop_token stop)
{
    request.quarantine = QDir::cleanPath(request.quarantine);
    const Result<void> sound = checkRequest(request);
    if (!sound) {
        co_return fail(sound.error());
    }
    const Result<QString> before = co_await finishedBefore(request, stop);
    if (!before || !before->isEmpty()) {
        co_return before;
    }
    Result<QString> name = co_await fetchAndName(request, stop);
    if (!name) {
        // Also when cancelled: with a token of its own, so that nothing of ours stays behind.
        const Result<void> dropped = co_await dropImportReference(request, std::stop_token());
        if (!dropped) {
            name.error().detail += QLatin1Char('\n') + dropped.error().message;
        }
    }
    co_return name;
}

} // namespace Glovebox
