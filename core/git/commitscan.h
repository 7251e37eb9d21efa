// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

namespace Glovebox {

/// Who and when, as a commit says it.
struct CommitPerson
{
    QByteArray name;
    QByteArray email;
    qint64 time = 0; ///< seconds since 1970
};

/// What the import needs to know of one commit. Ids are hexadecimal.
struct ScannedCommit
{
    QByteArray id;
    QByteArray tree;
    QList<QByteArray> parents;
    CommitPerson author;
    CommitPerson committer;
    bool isKnown = false;        ///< the user's repository had it before
    bool hasControls = false;    ///< control or bidi characters in message or names
    bool hasOddEncoding = false; ///< not UTF-8, or says that it is not
    bool hasLongMessage = false; ///< above 64 KiB: views cut it
};

/// How many bytes of a commit object scanCommit() wants to see at most.
inline constexpr qint64 scannedCommitBytes = 1 << 20;

/// Reads a raw commit that passed git's own checks. \a size is the object's, \a bytes its start.
[[nodiscard]] ScannedCommit scanCommit(const QByteArray &id, const QByteArray &bytes, qint64 size);

} // namespace Glovebox
