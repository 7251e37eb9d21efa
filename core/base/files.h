// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QByteArray>

namespace Glovebox {

/// Reads a whole file of ours. FileError names the file and says why; TooLarge above \a maximum.
[[nodiscard]] Result<QByteArray> readFile(const QString &path, qint64 maximum = 64LL * 1024 * 1024);

/// Writes a file whole or not at all (side name, fsync, rename). DiskFull is told apart from
/// FileError.
[[nodiscard]] Result<void> writeFile(const QString &path, const QByteArray &bytes);

/// Gives a file of ours another name in the same file system, in one step: whoever looks finds what
/// was there before or what is there now, also after a crash.
[[nodiscard]] Result<void> replaceFile(const QString &from, const QString &to);

/// Makes a folder and what leads to it, the last one readable by this user alone (0700).
[[nodiscard]] Result<void> makePrivateFolder(const QString &path);

/// Lower-case hexadecimal SHA-256.
[[nodiscard]] QByteArray sha256(const QByteArray &bytes);
[[nodiscard]] Result<QByteArray> sha256OfFile(const QString &path);

} // namespace Glovebox
