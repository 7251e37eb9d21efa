// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/bundlereceive.h"

#include "core/base/safefolder.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(BundleReceive)
};

constexpr qint64 chunkSize = 256LL * 1024;

/// Reads until \a wanted bytes are there or the file ends; short reads happen.
QByteArray readUpTo(QFile &file, qint64 wanted)
{
    QByteArray bytes;
    while (bytes.size() < wanted) {
        const QByteArray more = file.read(wanted - bytes.size());
        if (more.isEmpty()) {
            break;
        }
        bytes += more;
    }
    return bytes;
}

tl::unexpected<Error> unreadable(const QFile &file)
{
    return fail(ErrorCode::FileError,
                Tr::tr("The bundle could not be read: %1").arg(file.errorString()));
}

tl::unexpected<Error> unwritable(const QFile &file)
{
    const bool full = file.error() == QFileDevice::ResourceError;
    return fail(full ? ErrorCode::DiskFull : ErrorCode::FileError,
                Tr::tr("The bundle could not be copied for checking: %1. Make room on that disk "
                       "and try again.")
                    .arg(file.errorString()),
                file.fileName());
}

Checked<ReceivedBundle> tooBig(const ImportLimits &limits)
{
    return refuse("limits", "bundle-too-big",
                  Tr::tr("The bundle is larger than %1 MiB.").arg(limits.bundleBytes >> 20));
}

Result<FileHandle> openBundle(const QString &bundle)
{
    const QFileInfo info(bundle);
    const auto folder = SafeFolder::open(info.absolutePath());
    if (!folder) {
        return fail(folder.error());
    }
    return folder->openFile(info.fileName());
}

/// Copies what is left of \a source after \a received.bytes; false: more than the limit.
Result<bool> copyRest(QFile &source, QFile &target, QCryptographicHash &hash,
                      ReceivedBundle &received, const ImportLimits &limits,
                      const std::stop_token &stop)
{
    while (true) {
        if (stop.stop_requested()) {
            return fail(cancelledError());
        }
        const QByteArray chunk = source.read(chunkSize);
        if (chunk.isEmpty()) {
            break;
        }
        received.bytes += chunk.size();
        if (received.bytes > limits.bundleBytes) {
            return false;
        }
        hash.addData(chunk);
        if (target.write(chunk) != chunk.size()) {
            return unwritable(target);
        }
    }
    if (source.error() != QFileDevice::NoError) {
        return unreadable(source);
    }
    if (!target.flush()) {
        return unwritable(target);
    }
    return true;
}

} // namespace

Result<Checked<ReceivedBundle>> receiveBundle(const QString &bundle, const QString &packFile,
                                              const ImportLimits &limits, std::stop_token stop)
{
    Result<FileHandle> handle = openBundle(bundle);
    if (!handle && handle.error().code == ErrorCode::InvalidRequest) {
        return Checked<ReceivedBundle>(
            refuse("header", "bundle-not-a-file",
                   Tr::tr("What was returned as the bundle is a link or no plain file.")));
    }
    if (!handle) {
        return fail(handle.error());
    }
    QFile source;
    if (!source.open(handle->release(), QIODevice::ReadOnly | QIODevice::Unbuffered,
                     QFileDevice::AutoCloseHandle)) {
        return unreadable(source);
    }
    if (source.size() > limits.bundleBytes) {
        return tooBig(limits);
    }
    const QByteArray start = readUpTo(source, limits.headerBytes + 1);
    Checked<BundleHeader> header = parseBundleHeader(start, limits);
    if (!header) {
        return Checked<ReceivedBundle>(tl::unexpected<Refusal>(header.error()));
    }
    QFile target(packFile);
    const QByteArray firstOfPack = start.mid(header->size);
    if (!target.open(QIODevice::WriteOnly | QIODevice::NewOnly) ||
        target.write(firstOfPack) != firstOfPack.size()) {
        return unwritable(target);
    }
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(start);
    ReceivedBundle received{*header, start.size(), {}};
    const Result<bool> whole = copyRest(source, target, hash, received, limits, stop);
    if (!whole) {
        return fail(whole.error());
    }
    if (!*whole) {
        return tooBig(limits);
    }
    received.sha256 = hash.result().toHex();
    return Checked<ReceivedBundle>(received);
}

} // namespace Glovebox
