// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/gitcommand.h"

#include <QHash>

#include <functional>

namespace Glovebox {

/// One object out of `git cat-file --batch`. Sample of the stream:
///   <id> <type> <size>\n<size bytes>\n
///   <id> missing\n
struct DumpedObject
{
    QByteArray id;
    QByteArray type; ///< empty = missing
    qint64 size = 0; ///< of the object; \a bytes may hold less
    QByteArray bytes;
};

/// Where a dump is made and how much it may hold.
struct DumpRequest
{
    QString gitFolder;
    QList<QByteArray> ids; ///< hexadecimal
    QString file;          ///< scratch file, new
    qint64 maximum = 512LL << 20;
    std::chrono::milliseconds limit{std::chrono::seconds(30)};
};

/// Writes the objects one after another to a file, by a git child under limits: hostile packs are
/// read there and not in this process. TooLarge above the maximum, TimedOut after the limit.
[[nodiscard]] QCoro::Task<Result<void>> dumpObjects(DumpRequest request, std::stop_token stop);

/// Reads such a file, at most \a keep bytes of each object; false from \a visit ends it early.
/// Blocking, any thread.
[[nodiscard]] Result<void> readDump(const QString &file, qint64 keep,
                                    const std::function<bool(DumpedObject &&)> &visit);

/// The type of each object that is there; those that are missing have no entry.
[[nodiscard]] QCoro::Task<Result<QHash<QByteArray, QByteArray>>>
typesOf(QString gitFolder, QList<QByteArray> ids, std::stop_token stop);

} // namespace Glovebox
