// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/bundle.h"

#include "core/base/pool.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>
#include <QTemporaryDir>
#include <QtEndian>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Bundle)
};

constexpr std::chrono::minutes packingLimit{10};
constexpr qsizetype idLength = 40;

GitRequest gitIn(const QString &gitFolder, const QStringList &arguments)
{
    GitRequest request;
    request.gitFolder = gitFolder;
    request.arguments = arguments;
    request.limit = packingLimit;
    return request;
}

Error diskFull(const QString &path)
{
    return {ErrorCode::DiskFull,
            Tr::tr("There is not enough space to write %1. Free some and try again.").arg(path),
            {}};
}

/// git says in words alone that the disk is full, and words are not parsed.
Error packingFailed(const QString &target, const ProcessResult &result)
{
    const QStorageInfo storage(QFileInfo(target).absolutePath());
    if (storage.isValid() && storage.bytesAvailable() < (1 << 20)) {
        return diskFull(target);
    }
    return {ErrorCode::CommandFailed,
            Tr::tr("git could not pack the base. Check the repository with \"git fsck\"."),
            gitWords(result)};
}

Error lacksObjects(qsizetype count)
{
    return {ErrorCode::NotFound,
            Tr::tr("This repository is a partial clone and lacks %n object(s) of the base. Fetch "
                   "them first, for example with \"git fetch --refetch --no-filter\".",
                   nullptr, static_cast<int>(count)),
            {}};
}

/// A unique folder beside the target, gone with the object: the pack lies on the same disk.
class WorkFolder final
{
public:
    explicit WorkFolder(const QString &target)
        : m_folder(QFileInfo(target).absolutePath() + QStringLiteral("/.pack-XXXXXX"))
    {
    }
    [[nodiscard]] bool isValid() const { return m_folder.isValid(); }
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }

private:
    QTemporaryDir m_folder;
};

/// The shallow file of the main repository, read by us: git itself reads it from there.
QStringList shallowLines(const QString &commonFolder)
{
    QFile file(commonFolder + QStringLiteral("/shallow"));
    QStringList lines;
    if (file.open(QIODevice::ReadOnly)) {
        lines = QString::fromLatin1(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    }
    return lines;
}

QByteArray headerOf(const BaseBundle &bundle)
{
    return "# v2 git bundle\n" + bundle.base.toLatin1() + ' ' + bundle.reference.toLatin1() +
           "\n\n";
}

/// Header and pack become the target; counts and hashes on the way, a piece at a time.
Result<BaseBundle> assemble(BaseBundle bundle, const QString &pack, const std::stop_token &stop)
{
    QFile source(pack);
    QFile target(bundle.file);
    if (!source.open(QIODevice::ReadOnly) ||
        !target.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {
        return fail(ErrorCode::FileError,
                    Tr::tr("%1 could not be written: %2").arg(bundle.file, target.errorString()));
    }
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QByteArray piece = headerOf(bundle);
    const QByteArray packHeader = source.peek(12);
    bundle.objects =
        packHeader.size() == 12 ? qFromBigEndian<quint32>(packHeader.constData() + 8) : 0;
    while (!piece.isEmpty()) {
        hash.addData(piece);
        bundle.bytes += piece.size();
        if (target.write(piece) != piece.size()) {
            target.remove();
            return fail(diskFull(bundle.file));
        }
        piece = stop.stop_requested() ? QByteArray() : source.read(1 << 20);
    }
    const bool whole = source.atEnd() && source.error() == QFileDevice::NoError;
    if (stop.stop_requested() || !whole || !target.flush()) {
        target.remove();
        return fail(stop.stop_requested() ? cancelledError() : diskFull(bundle.file));
    }
    bundle.sha256 = hash.result().toHex();
    return bundle;
}

QCoro::Task<Result<void>> refuseSha256(QString gitFolder, std::stop_token stop)
{
    const GitRequest request =
        gitIn(gitFolder, {QStringLiteral("rev-parse"), QStringLiteral("--show-object-format")});
    QCoro::Task<Result<QByteArray>> asking = gitOutput(request, stop);
    const Result<QByteArray> format = co_await asking;
    if (!format) {
        co_return fail(format.error());
    }
    if (format->trimmed() != "sha1") {
        co_return fail(ErrorCode::NotSupported,
                       Tr::tr("This repository uses SHA-256 ids, which are not supported yet."));
    }
    co_return {};
}

QCoro::Task<Result<QString>> resolve(QString gitFolder, QString revision, std::stop_token stop)
{
    const GitRequest request =
        gitIn(gitFolder,
              {QStringLiteral("rev-parse"), QStringLiteral("--verify"), QStringLiteral("--quiet"),
               QStringLiteral("--end-of-options"), revision + QStringLiteral("^{commit}")});
    QCoro::Task<Result<ProcessResult>> asking = runGit(request, stop);
    const Result<ProcessResult> answer = co_await asking;
    if (!answer) {
        co_return fail(answer.error());
    }
    const QString id = QString::fromLatin1(answer->output).trimmed();
    if (answer->exitCode == 0 && id.size() == idLength) {
        co_return id;
    }
    if (revision == QStringLiteral("HEAD")) {
        co_return fail(ErrorCode::NotFound,
                       Tr::tr("The repository has no commit yet, or HEAD cannot be read. Make a "
                              "first commit, so that there is a base to start from."),
                       gitWords(*answer));
    }
    co_return fail(ErrorCode::NotFound,
                   Tr::tr("\"%1\" names no commit of this repository.").arg(revision.left(200)),
                   gitWords(*answer));
}

/// All objects of one commit into \a list, an id a line; NotFound when some are not there.
QCoro::Task<Result<void>> listObjects(QString gitFolder, QString commit, QString list,
                                      std::stop_token stop)
{
    GitRequest request =
        gitIn(gitFolder, {QStringLiteral("rev-list"), QStringLiteral("--objects"),
                          QStringLiteral("--no-object-names"), QStringLiteral("--no-walk"),
                          QStringLiteral("--missing=print"), commit});
    request.outputFile = list;
    QCoro::Task<Result<ProcessResult>> listing = runGit(request, stop);
    const Result<ProcessResult> listed = co_await listing;
    if (!listed) {
        co_return fail(listed.error());
    }
    if (listed->exitCode != 0) {
        co_return fail(ErrorCode::FileError,
                       Tr::tr("The commit %1 cannot be read whole. Check the repository with \"git "
                              "fsck\".")
                           .arg(commit.left(12)),
                       gitWords(*listed));
    }
    QFile file(list);
    qsizetype missing = 0;
    while (file.isOpen() || file.open(QIODevice::ReadOnly)) {
        const QByteArray line = file.readLine();
        if (line.isEmpty()) {
            break;
        }
        missing += line.startsWith('?') ? 1 : 0;
    }
    if (missing > 0) {
        co_return fail(lacksObjects(missing));
    }
    co_return {};
}

Error damaged(const ProcessResult &result)
{
    return {ErrorCode::FileError,
            Tr::tr("An object of the base is damaged. Check the repository with \"git fsck\"."),
            gitWords(result)};
}

bool saysMissing(const QString &answers)
{
    QFile file(answers);
    if (!file.open(QIODevice::ReadOnly)) {
        return true;
    }
    while (!file.atEnd()) {
        if (file.readLine().endsWith(" missing\n")) {
            return true;
        }
    }
    return false;
}

/// Twice: an object whose first bytes are damaged is "missing" and no failure, one that is damaged
/// further on is a failure of the second.
QCoro::Task<Result<void>> readObjects(QString gitFolder, QString list, std::stop_token stop)
{
    GitRequest headers =
        gitIn(gitFolder, {QStringLiteral("cat-file"), QStringLiteral("--batch-check"),
                          QStringLiteral("--buffer")});
    headers.inputFile = list;
    headers.outputFile = list + QStringLiteral(".headers");
    QCoro::Task<Result<ProcessResult>> checking = runGit(headers, stop);
    const Result<ProcessResult> checked = co_await checking;
    if (!checked) {
        co_return fail(checked.error());
    }
    if (checked->exitCode != 0 || saysMissing(headers.outputFile)) {
        co_return fail(damaged(*checked));
    }
    GitRequest contents = gitIn(gitFolder, {QStringLiteral("cat-file"), QStringLiteral("--batch"),
                                            QStringLiteral("--buffer")});
    contents.inputFile = list;
    contents.outputFile = QProcess::nullDevice();
    QCoro::Task<Result<ProcessResult>> reading = runGit(contents, stop);
    const Result<ProcessResult> read = co_await reading;
    if (!read) {
        co_return fail(read.error());
    }
    if (read->exitCode != 0) {
        co_return fail(damaged(*read));
    }
    co_return {};
}

/// Which of the repository's cuts lie in the history of \a base.
QCoro::Task<Result<QStringList>> cutsOf(QString gitFolder, QString base, std::stop_token stop)
{
    const GitRequest where =
        gitIn(gitFolder, {QStringLiteral("rev-parse"), QStringLiteral("--git-common-dir")});
    QCoro::Task<Result<QByteArray>> asking = gitOutput(where, stop);
    const Result<QByteArray> folder = co_await asking;
    if (!folder) {
        co_return fail(folder.error());
    }
    const QString common = QFile::decodeName(folder->chopped(folder->endsWith('\n') ? 1 : 0));
    const QStringList all = shallowLines(common);
    if (all.isEmpty()) {
        co_return all;
    }
    const GitRequest history = gitIn(gitFolder, {QStringLiteral("rev-list"), base});
    QCoro::Task<Result<QByteArray>> listing = gitOutput(history, stop);
    const Result<QByteArray> commits = co_await listing;
    if (!commits) {
        co_return fail(commits.error());
    }
    QStringList cuts;
    for (const QString &id : all) {
        if (commits->contains(id.toLatin1())) {
            cuts.append(id);
        }
    }
    co_return cuts;
}

QCoro::Task<Result<BaseBundle>> pack(BaseBundle bundle, QString gitFolder, std::stop_token stop)
{
    const WorkFolder folder(bundle.file);
    if (!folder.isValid()) {
        co_return fail(
            ErrorCode::FileError,
            Tr::tr("No file can be written beside %1. Choose another folder.").arg(bundle.file));
    }
    GitRequest request =
        gitIn(gitFolder,
              {QStringLiteral("pack-objects"), QStringLiteral("--revs"), QStringLiteral("--stdout"),
               QStringLiteral("--delta-base-offset"), QStringLiteral("--quiet")});
    if (!bundle.withHistory) {
        request.arguments.append(QStringLiteral("--shallow"));
        request.input = "--shallow " + bundle.base.toLatin1() + '\n';
    }
    request.input += bundle.base.toLatin1() + '\n';
    request.outputFile = folder.path(QStringLiteral("pack"));
    QCoro::Task<Result<ProcessResult>> packing = runGit(request, stop);
    const Result<ProcessResult> packed = co_await packing;
    if (!packed) {
        co_return fail(packed.error());
    }
    if (packed->exitCode != 0) {
        co_return fail(packingFailed(bundle.file, *packed));
    }
    QCoro::Task<Result<BaseBundle>> assembling = runInPool(
        [bundle, file = request.outputFile, stop] { return assemble(bundle, file, stop); });
    Result<BaseBundle> assembled = co_await assembling;
    co_return assembled;
}

QCoro::Task<Result<void>> checkRequest(BaseBundleRequest request, std::stop_token stop)
{
    if (QFileInfo::exists(request.target)) {
        co_return fail(ErrorCode::AlreadyExists,
                       Tr::tr("%1 is there already.").arg(request.target));
    }
    if (request.base.isEmpty()) {
        co_return fail(ErrorCode::NotFound,
                       Tr::tr("The repository has no commit yet. Make a first commit, so that "
                              "there is a base to start from."));
    }
    QCoro::Task<Result<void>> checking = refuseSha256(request.gitFolder, stop);
    Result<void> format = co_await checking;
    if (!format) {
        co_return format;
    }
    QCoro::Task<Result<QString>> resolving = resolve(request.gitFolder, request.base, stop);
    const Result<QString> base = co_await resolving;
    if (!base) {
        co_return fail(base.error());
    }
    if (*base != request.base) {
        co_return fail(ErrorCode::InvalidRequest,
                       Tr::tr("\"%1\" is not a full commit id.").arg(request.base.left(80)));
    }
    co_return {};
}

/// Missing objects are counted before packing, because pack-objects only says that it failed.
QCoro::Task<Result<void>> checkObjects(BaseBundleRequest request, std::stop_token stop)
{
    const WorkFolder folder(request.target);
    const QString list = folder.path(QStringLiteral("objects"));
    QCoro::Task<Result<void>> listing = listObjects(request.gitFolder, request.base, list, stop);
    Result<void> listed = co_await listing;
    co_return listed;
}

} // namespace

QCoro::Task<Result<BaseBundle>> makeBaseBundle(BaseBundleRequest request, std::stop_token stop)
{
    QCoro::Task<Result<void>> checking = checkRequest(request, stop);
    const Result<void> checked = co_await checking;
    if (!checked) {
        co_return fail(checked.error());
    }
    QCoro::Task<Result<void>> counting = checkObjects(request, stop);
    const Result<void> complete = co_await counting;
    if (!complete) {
        co_return fail(complete.error());
    }
    BaseBundle bundle;
    bundle.file = request.target;
    bundle.base = request.base;
    bundle.reference = QLatin1String(baseBundleReference);
    bundle.withHistory = request.withHistory;
    bundle.shallow = QStringList{request.base};
    if (request.withHistory) {
        QCoro::Task<Result<QStringList>> asking = cutsOf(request.gitFolder, request.base, stop);
        const Result<QStringList> cuts = co_await asking;
        if (!cuts) {
            co_return fail(cuts.error());
        }
        bundle.shallow = *cuts;
    }
    QCoro::Task<Result<BaseBundle>> packing = pack(bundle, request.gitFolder, stop);
    Result<BaseBundle> packed = co_await packing;
    co_return packed;
}

QCoro::Task<Result<QString>> resolveBase(QString gitFolder, QString revision, std::stop_token stop)
{
    QCoro::Task<Result<void>> checking = refuseSha256(gitFolder, stop);
    const Result<void> format = co_await checking;
    if (!format) {
        co_return fail(format.error());
    }
    QCoro::Task<Result<QString>> resolving = resolve(gitFolder, revision, stop);
    Result<QString> commit = co_await resolving;
    co_return commit;
}

QCoro::Task<Result<QString>> readBaseOnce(QString gitFolder, QString revision, std::stop_token stop)
{
    QCoro::Task<Result<QString>> resolving = resolveBase(gitFolder, revision, stop);
    Result<QString> commit = co_await resolving;
    if (!commit) {
        co_return commit;
    }
    const QTemporaryDir folder;
    const QString list = folder.filePath(QStringLiteral("objects"));
    QCoro::Task<Result<void>> listing = listObjects(gitFolder, *commit, list, stop);
    const Result<void> listed = co_await listing;
    if (!listed) {
        co_return fail(listed.error());
    }
    QCoro::Task<Result<void>> reading = readObjects(gitFolder, list, stop);
    const Result<void> read = co_await reading;
    if (!read) {
        co_return fail(read.error());
    }
    co_return commit;
}

} // namespace Glovebox
