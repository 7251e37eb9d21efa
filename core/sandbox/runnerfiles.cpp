// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/runnerfiles.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/base/pool.h"
#include "core/sandbox/frames.h"
#include "core/sandbox/jobscript.h"

#include <QCoreApplication>
#include <QFile>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunnerFiles)
};

Error placeError(const QList<QByteArray> &words, const QString &path)
{
    if (words.front() == "damaged") {
        return {ErrorCode::DamagedInTransit,
                Tr::tr("%1 arrived damaged in the sandbox.").arg(path),
                {}};
    }
    const QByteArray why = words.value(1);
    if (why == "digest") {
        return {ErrorCode::NotSupported,
                Tr::tr("The sandbox has no program that computes SHA-256. Use an image with "
                       "sha256sum, busybox or openssl."),
                {}};
    }
    if (why == "folder") {
        return {ErrorCode::AlreadyExists,
                Tr::tr("%1 is a folder in the sandbox, so no file can be put there.").arg(path),
                {}};
    }
    return {ErrorCode::FileError, Tr::tr("%1 could not be written in the sandbox.").arg(path), {}};
}

Error offerError(const QList<QByteArray> &words, const QString &path)
{
    const QByteArray why = words.value(1);
    if (why == "missing") {
        return {ErrorCode::NotFound, Tr::tr("%1 is not in the sandbox.").arg(path), {}};
    }
    if (why == "large") {
        return {ErrorCode::TooLarge, Tr::tr("%1 is larger than allowed.").arg(path), {}};
    }
    if (why == "link" || why == "kind") {
        return {ErrorCode::Forbidden,
                Tr::tr("%1 is not a regular file, so it was not fetched.").arg(path),
                {}};
    }
    return {ErrorCode::FileError, Tr::tr("%1 could not be read in the sandbox.").arg(path), {}};
}

QCoro::Task<Result<void>> place(RunnerVerbs verbs, QString base, Upload upload, LocalFile source,
                                std::stop_token stop)
{
    const QString local = source.path;
    const Result<QByteArray> digest = co_await runInPool(std::bind(&sha256OfFile, local));
    if (!digest) {
        co_return fail(digest.error());
    }
    const QString side = freshSidePath(base);
    const Result<void> put = co_await putFile(verbs, side, source, stop);
    if (!put) {
        co_return fail(put.error());
    }
    const QString mode = upload.executable ? QStringLiteral("700") : QStringLiteral("600");
    const RunnerQuestion question{
        "place",
        {side, QString::fromLatin1(octalPath(upload.path)), mode, QString::fromLatin1(*digest)},
        {"ok", "damaged", "failed"},
        verbs.pace.transferLimit};
    const Result<QList<QByteArray>> words = co_await ask(verbs, question, stop);
    if (!words) {
        co_return fail(words.error());
    }
    if (words->front() != "ok") {
        co_return fail(placeError(*words, upload.path));
    }
    co_return Result<void>();
}

QCoro::Task<Result<void>> fetch(RunnerVerbs verbs, QString side, LocalFile target,
                                QByteArray digest, qint64 bytes, std::stop_token stop)
{
    const QString part = target.path + QStringLiteral(".part");
    std::function<QCoro::Task<Result<void>>()> attempt = [channel = verbs.channel, side, part,
                                                          bytes, stop] {
        return channel->get(side, LocalFile{part}, bytes, stop);
    };
    const Result<void> got = co_await retried(attempt, verbs.pace.retries, stop);
    if (!got) {
        QFile::remove(part);
        co_return fail(got.error());
    }
    const Result<QByteArray> seen = co_await runInPool(std::bind(&sha256OfFile, part));
    if (!seen || *seen != digest) {
        QFile::remove(part);
        co_return fail(ErrorCode::DamagedInTransit,
                       Tr::tr("A file from the sandbox arrived damaged."));
    }
    if (!QFile::rename(part, target.path)) {
        QFile::remove(part);
        co_return fail(ErrorCode::FileError, Tr::tr("%1 could not be written.").arg(target.path));
    }
    co_return Result<void>();
}

} // namespace

QString freshSidePath(const QString &base)
{
    return base + QStringLiteral("/s") + newId();
}

QCoro::Task<Result<void>> uploadFile(RunnerVerbs verbs, QString base, Upload upload,
                                     std::stop_token stop)
{
    std::shared_ptr<PrivateFile> own;
    LocalFile source;
    if (const auto *bytes = std::get_if<QByteArray>(&upload.content)) {
        const Result<std::shared_ptr<PrivateFile>> file = PrivateFile::create(*bytes);
        if (!file) {
            co_return fail(file.error());
        }
        own = *file;
        source = own->file();
    } else {
        source = std::get<LocalFile>(upload.content);
    }
    std::function<QCoro::Task<Result<void>>()> attempt = [verbs, base, upload, source, stop] {
        return place(verbs, base, upload, source, stop);
    };
    // Only damage is left to try again here: all else was tried again below already.
    Result<void> done = co_await retried(attempt, RetryPlan::atOnce(1), stop);
    co_return done;
}

QCoro::Task<Result<QByteArray>> downloadFile(RunnerVerbs verbs, QString base, QString path,
                                             LocalFile target, qint64 maximum, std::stop_token stop)
{
    const QString side = freshSidePath(base);
    const RunnerQuestion question{
        "offer",
        {QString::fromLatin1(octalPath(path)), side, QString::number(maximum)},
        {"ok", "refused"},
        verbs.pace.transferLimit};
    const Result<QList<QByteArray>> words = co_await ask(verbs, question, stop);
    if (!words) {
        co_return fail(words.error());
    }
    if (words->front() != "ok") {
        co_return fail(offerError(*words, path));
    }
    const qint64 bytes = words->value(1).toLongLong();
    const QByteArray digest = words->value(2);
    if (bytes < 0 || bytes > maximum || digest.size() != 64) {
        co_return fail(digest == "-" ? placeError({"failed", "digest"}, path)
                                     : Error{ErrorCode::UnexpectedReply,
                                             Tr::tr("The sandbox offered a file in an odd way."),
                                             cleanedReply(words->join(' '))});
    }
    std::function<QCoro::Task<Result<void>>()> attempt = [verbs, side, target, digest, bytes,
                                                          stop] {
        return fetch(verbs, side, target, digest, bytes, stop);
    };
    const Result<void> fetched = co_await retried(attempt, RetryPlan::atOnce(1), stop);
    const RunnerQuestion drop{"drop", {side}, {"ok"}, verbs.pace.callLimit};
    const Result<QList<QByteArray>> dropped = co_await ask(verbs, drop, stop);
    if (!fetched) {
        co_return fail(fetched.error());
    }
    if (!dropped && dropped.error().code == ErrorCode::Cancelled) {
        co_return fail(dropped.error()); // a copy that stays behind inside is no harm otherwise
    }
    co_return digest;
}

} // namespace Glovebox
