// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/folders.h"

#include "core/base/files.h"
#include "core/base/ids.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtFolders)
};

constexpr int keyLength = 12;
// 108 bytes of a socket's path, less "/KEY/R/tmp/claude-http-0123456789abcdef.sock" and some room.
constexpr int longestRoot = 50;
constexpr qint64 largestRecord = 1024LL * 1024;

bool isRunnerWord(const QString &path)
{
    return std::all_of(path.cbegin(), path.cend(), [](QChar letter) {
        return letter.unicode() < 128 &&
               (letter.isLetterOrNumber() || QStringLiteral("/_.-").contains(letter));
    });
}

QString homeRoot(const QString &dataFolder)
{
    return dataFolder + QStringLiteral("/sandboxes");
}

QString spareRoot(const QString &dataFolder)
{
    const QByteArray digest = sha256(QFile::encodeName(QFileInfo(dataFolder).absoluteFilePath()));
    return QStringLiteral("/var/tmp/gbx-%1-%2")
        .arg(::geteuid())
        .arg(QString::fromLatin1(digest.left(8)));
}

bool canEnter(const QString &path, const RunAs &user)
{
    struct stat status
    {
    };
    for (QString part = path; part.size() > 1; part = part.section(QLatin1Char('/'), 0, -2)) {
        if (::stat(QFile::encodeName(part).constData(), &status) == 0 &&
            (status.st_mode & S_IXOTH) == 0 &&
            !(status.st_uid == user.user && (status.st_mode & S_IXUSR) != 0)) {
            return false;
        }
    }
    return true;
}

/// /var/tmp is everybody's: whatever has our name there must be a folder, and ours alone.
Result<void> checkOwn(const QString &path)
{
    struct stat status
    {
    };
    if (::lstat(QFile::encodeName(path).constData(), &status) != 0 || !S_ISDIR(status.st_mode) ||
        status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return fail(ErrorCode::Forbidden,
                    Tr::tr("The folder %1 is not this user's own. Remove it, or set another data "
                           "folder.")
                        .arg(path));
    }
    return {};
}

Result<void> makeFolder(const QString &path, mode_t mode)
{
    const QByteArray name = QFile::encodeName(path);
    if (::mkdir(name.constData(), mode) != 0 || ::chmod(name.constData(), mode) != 0) {
        const int problem = errno;
        return fail(problem == EEXIST   ? ErrorCode::AlreadyExists
                    : problem == ENOSPC ? ErrorCode::DiskFull
                                        : ErrorCode::FileError,
                    problem == EEXIST
                        ? Tr::tr("A sandbox with this name exists already: %1").arg(path)
                        : Tr::tr("The folder %1 could not be made: %2")
                              .arg(path, QString::fromLocal8Bit(std::strerror(problem))));
    }
    return {};
}

QJsonArray toJson(const QList<HostRule> &rules)
{
    QJsonArray array;
    for (const HostRule &rule : rules) {
        array.append(toText(rule));
    }
    return array;
}

QStringList textsFrom(const QJsonArray &array)
{
    QStringList texts;
    for (const QJsonValue value : array) {
        texts.append(value.toString());
    }
    return texts;
}

QList<HostRule> rulesFrom(const QJsonArray &array)
{
    QList<HostRule> rules;
    for (const QJsonValue value : array) {
        if (const std::optional<HostRule> rule = parseHostRule(value.toString())) {
            rules.append(*rule);
        }
    }
    return rules;
}

} // namespace

Result<Claim> Claim::take(const Layout &layout)
{
    FileHandle lock(::open(QFile::encodeName(layout.lockFile()).constData(),
                           O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!lock.isValid()) {
        return fail(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::FileError,
                    Tr::tr("The sandbox %1 could not be claimed: %2")
                        .arg(layout.key(), QString::fromLocal8Bit(std::strerror(errno))));
    }
    if (::flock(lock.descriptor(), LOCK_EX | LOCK_NB) != 0) {
        return fail(
            ErrorCode::Busy,
            Tr::tr("The sandbox %1 is in use by another running Glovebox.").arg(layout.key()));
    }
    return Claim(std::move(lock));
}

QStringList sandboxRoots(const QString &dataFolder)
{
    return {homeRoot(dataFolder), spareRoot(dataFolder)};
}

Result<QString> rootForNew(const QString &dataFolder, const std::optional<RunAs> &runAs)
{
    const QString home = homeRoot(dataFolder);
    if (const Result<void> made = makePrivateFolder(home); !made) {
        return fail(made.error());
    }
    const QString canonical = QFileInfo(home).canonicalFilePath();
    if (canonical.size() <= longestRoot && isRunnerWord(canonical) && !runAs) {
        return canonical;
    }
    const QString spare = spareRoot(dataFolder);
    if (const Result<void> made = makeFolder(spare, runAs ? 0711 : 0700);
        !made && made.error().code != ErrorCode::AlreadyExists) {
        return fail(made.error());
    }
    if (const Result<void> own = checkOwn(spare); !own) {
        return fail(own.error());
    }
    const QString path = QFileInfo(spare).canonicalFilePath();
    if (runAs && !canEnter(path, *runAs)) {
        return fail(ErrorCode::Forbidden,
                    Tr::tr("The user %1 can't enter %2, where its sandboxes are to be.")
                        .arg(runAs->name, path));
    }
    return path;
}

QString keyOf(const Labels &labels)
{
    const QString run = labels.value(QStringLiteral("run"));
    if (run.isEmpty()) {
        return newId().left(keyLength);
    }
    const QStringList parts{labels.value(QStringLiteral("installation")), run,
                            labels.value(QStringLiteral("role"))};
    return QString::fromLatin1(sha256(parts.join(QLatin1Char('/')).toUtf8()).left(keyLength));
}

Result<Layout> makeLayout(const QString &root, const QString &key,
                          const std::optional<RunAs> &runAs)
{
    const Layout layout(root + QLatin1Char('/') + key);
    if (const Result<void> made = makeFolder(layout.folder(), 0700); !made) {
        return fail(made.error());
    }
    QStringList paths{layout.readable(),
                      layout.workingFolder(),
                      layout.ownTemporary(),
                      layout.writable(),
                      layout.work(),
                      layout.home(),
                      layout.temporaryInside(),
                      layout.jobs(),
                      layout.writable() + QStringLiteral("/calls")};
    for (const QString &path : paths) {
        if (const Result<void> made = makeFolder(path, 0700); !made) {
            static_cast<void>(removeLayout(layout)); // the first failure is what is told
            return fail(made.error());
        }
    }
    paths.append(layout.folder());
    for (const QString &path : paths) {
        if (runAs && ::chown(QFile::encodeName(path).constData(), runAs->user, runAs->group) != 0) {
            const QString words = QString::fromLocal8Bit(std::strerror(errno));
            static_cast<void>(removeLayout(layout));
            return fail(
                ErrorCode::Forbidden,
                Tr::tr("%1 could not be given to the user %2: %3").arg(path, runAs->name, words));
        }
    }
    return layout;
}

Result<Layout> findLayout(const QString &dataFolder, const QString &key)
{
    const bool plain = !key.isEmpty() && !key.contains(QLatin1Char('/')) &&
                       !key.startsWith(QLatin1Char('.')) && isRunnerWord(key);
    for (const QString &root : sandboxRoots(dataFolder)) {
        const QFileInfo folder(root + QLatin1Char('/') + key);
        if (plain && folder.isDir() && !folder.isSymLink()) {
            return Layout(folder.canonicalFilePath());
        }
    }
    return fail(ErrorCode::NotFound, Tr::tr("The sandbox %1 is gone.").arg(key));
}

Result<QList<Layout>> allLayouts(const QString &dataFolder)
{
    QList<Layout> layouts;
    for (const QString &root : sandboxRoots(dataFolder)) {
        const QDir folder(root);
        if (folder.exists() && !folder.isReadable()) {
            return fail(ErrorCode::FileError, Tr::tr("The folder %1 can't be read.").arg(root));
        }
        for (const QString &key : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            layouts.append(Layout(folder.canonicalPath() + QLatin1Char('/') + key));
        }
    }
    return layouts;
}

Result<void> writeRecord(const Layout &layout, const Record &record)
{
    QJsonObject labels;
    for (auto label = record.labels.cbegin(); label != record.labels.cend(); ++label) {
        labels.insert(label.key(), label.value());
    }
    const QJsonObject object{
        {QStringLiteral("labels"), labels},
        {QStringLiteral("created"), record.created.toString(Qt::ISODateWithMs)},
        {QStringLiteral("deadline"), record.deadline.toString(Qt::ISODateWithMs)},
        {QStringLiteral("open"), record.network.open},
        {QStringLiteral("allow"), toJson(record.network.allow)},
        {QStringLiteral("deny"), toJson(record.network.deny)},
        {QStringLiteral("readable"), QJsonArray::fromStringList(record.readable)},
        {QStringLiteral("path"), QJsonArray::fromStringList(record.path)},
        {QStringLiteral("hidden"), QJsonArray::fromStringList(record.hidden)},
        {QStringLiteral("keeper"), record.keeper.pid},
        {QStringLiteral("boot"), record.boot},
        {QStringLiteral("keeperStarted"), QString::number(record.keeper.started)}};
    return writeFile(layout.ownerFile(), QJsonDocument(object).toJson());
}

Result<Record> readRecord(const Layout &layout)
{
    const Result<QByteArray> bytes = readFile(layout.ownerFile(), largestRecord);
    if (!bytes) {
        return fail(bytes.error());
    }
    const QJsonObject object = QJsonDocument::fromJson(*bytes).object();
    Record record;
    const QJsonObject labels = object.value(QStringLiteral("labels")).toObject();
    for (const QString &name : labels.keys()) {
        record.labels.insert(name, labels.value(name).toString());
    }
    const auto time = [&object](const QString &name) {
        return QDateTime::fromString(object.value(name).toString(), Qt::ISODateWithMs);
    };
    record.created = time(QStringLiteral("created"));
    record.deadline = time(QStringLiteral("deadline"));
    record.network.open = object.value(QStringLiteral("open")).toBool();
    record.network.allow = rulesFrom(object.value(QStringLiteral("allow")).toArray());
    record.network.deny = rulesFrom(object.value(QStringLiteral("deny")).toArray());
    record.readable = textsFrom(object.value(QStringLiteral("readable")).toArray());
    record.path = textsFrom(object.value(QStringLiteral("path")).toArray());
    record.hidden = textsFrom(object.value(QStringLiteral("hidden")).toArray());
    record.boot = object.value(QStringLiteral("boot")).toString();
    record.keeper.pid = object.value(QStringLiteral("keeper")).toInteger();
    record.keeper.started = object.value(QStringLiteral("keeperStarted")).toString().toULongLong();
    if (!record.created.isValid()) {
        return fail(ErrorCode::UnexpectedReply,
                    Tr::tr("The file %1 is damaged.").arg(layout.ownerFile()));
    }
    return record;
}

Result<void> removeLayout(const Layout &layout)
{
    const Result<void> removed = SafeFolder::removeFolder(layout.folder());
    if (removed && layout.folder().startsWith(QLatin1String("/var/tmp/gbx-"))) {
        QDir().rmdir(QFileInfo(layout.folder()).absolutePath()); // only the last one can
    }
    return removed;
}

} // namespace Glovebox::Srt
