// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStorageInfo>

#include <filesystem>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Files)
};

constexpr qint64 smallestRead = 16LL * 1024;

ErrorCode codeOf(const QFileDevice &file, qint64 wanted)
{
    const QStorageInfo storage(QFileInfo(file.fileName()).absolutePath());
    const bool full = file.error() == QFileDevice::ResourceError ||
                      (file.error() == QFileDevice::WriteError && storage.isValid() &&
                       storage.bytesAvailable() < wanted + 4096);
    return full ? ErrorCode::DiskFull : ErrorCode::FileError;
}

} // namespace

Result<QByteArray> readFile(const QString &path, qint64 maximum)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(file.exists() ? ErrorCode::FileError : ErrorCode::NotFound,
                    Tr::tr("%1 could not be read: %2").arg(path, file.errorString()));
    }
    // Not the maximum at once: QIODevice::read() makes room for all that it may read. What has no
    // size, as in /proc, comes in pieces.
    QByteArray bytes;
    while (bytes.size() <= maximum) {
        const qint64 most = std::max(file.size() + 1, smallestRead);
        const QByteArray part = file.read(std::min(most, maximum + 1 - bytes.size()));
        if (part.isEmpty()) {
            break;
        }
        bytes += part;
    }
    if (file.error() != QFileDevice::NoError) {
        return fail(ErrorCode::FileError,
                    Tr::tr("%1 could not be read: %2").arg(path, file.errorString()));
    }
    if (bytes.size() > maximum) {
        return fail(ErrorCode::TooLarge,
                    Tr::tr("%1 is larger than %n MiB.", nullptr, static_cast<int>(maximum >> 20))
                        .arg(path));
    }
    return bytes;
}

Result<void> writeFile(const QString &path, const QByteArray &bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return fail(codeOf(file, bytes.size()),
                    Tr::tr("%1 could not be written: %2").arg(path, file.errorString()));
    }
    return {};
}

Result<void> replaceFile(const QString &from, const QString &to)
{
    // QFile::rename() refuses where the target is there.
    std::error_code error;
    std::filesystem::rename(QFileInfo(from).filesystemAbsoluteFilePath(),
                            QFileInfo(to).filesystemAbsoluteFilePath(), error);
    if (error) {
        return fail(
            ErrorCode::FileError,
            Tr::tr("%1 could not be written: %2").arg(to, QString::fromStdString(error.message())));
    }
    return {};
}

Result<void> makePrivateFolder(const QString &path)
{
    const QFileInfo info(path);
    if (!QDir().mkpath(info.absolutePath())) {
        return fail(ErrorCode::FileError, Tr::tr("The folder %1 could not be made.").arg(path));
    }
    constexpr auto ownerOnly =
        QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;
    if (!info.isDir() && !QDir().mkdir(path)) {
        return fail(ErrorCode::FileError, Tr::tr("The folder %1 could not be made.").arg(path));
    }
    if (!QFile::setPermissions(path, ownerOnly)) {
        return fail(ErrorCode::FileError,
                    Tr::tr("The folder %1 could not be made private.").arg(path));
    }
    return {};
}

QByteArray sha256(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

Result<QByteArray> sha256OfFile(const QString &path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file)) {
        return fail(ErrorCode::FileError,
                    Tr::tr("%1 could not be read: %2").arg(path, file.errorString()));
    }
    return hash.result().toHex();
}

} // namespace Glovebox
