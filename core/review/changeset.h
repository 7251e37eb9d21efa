// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QByteArrayView>
#include <QList>
#include <QStringList>

namespace Glovebox {

enum class ChangeKind { Added, Modified, Deleted, Renamed, Copied, TypeChanged, ModeChanged };

/// One changed file between two commits. Paths are raw bytes.
struct FileChange
{
    ChangeKind kind = ChangeKind::Modified;
    QByteArray oldPath; ///< equal to path but for renames and copies
    QByteArray path;
    quint32 oldMode = 0;
    quint32 newMode = 0;
    QString oldId;
    QString newId;
    bool binary = false;   ///< by isBinaryContent() of either side; no attribute decides
    bool tooLarge = false; ///< a side is above the guards: not read, lines not counted
    int added = 0;         ///< lines; 0 for binary ones
    int removed = 0;
};

/// The guards of one side of a comparison: above either, it is not compared.
inline constexpr qint64 maximumFileBytes = 256LL << 20;
inline constexpr qint64 maximumFileLines = 4'000'000;

struct DiffLine
{
    enum class Kind { Context, Added, Removed, NoNewline };
    Kind kind = Kind::Context;
    int oldLine = 0; ///< from 1, 0 = not on that side
    int newLine = 0;
    QByteArray text; ///< without the line end
};

struct Hunk
{
    int oldStart = 0;
    int oldCount = 0;
    int newStart = 0;
    int newCount = 0;
    QByteArray header; ///< enclosing function, raw
    QList<DiffLine> lines;
};

struct FileDiff
{
    FileChange file;
    QList<Hunk> hunks;
    bool tooLarge = false; ///< not compared: above the guard; sizes are in the file's blobs
};

/// What a branch changes: base, tip and every changed file.
struct ChangeSet
{
    QString gitFolder;
    QString base;
    QString tip;
    QList<FileChange> files;
    [[nodiscard]] int added() const;
    [[nodiscard]] int removed() const;
};

/// Reads the list with libgit2: raw trees, no attributes, no filters, no driver, sorted by path.
/// Renames and copies: exact ones always (of the base's unchanged files too), at most 1,000 of the
/// other added and deleted files by similarity of at least 50 %; see renames.h. A link to a
/// submodule counts as one line "Subproject commit ID". Blocking; one handle per call, so any
/// thread. The repository must have passed quarantine or readBaseOnce().
[[nodiscard]] Result<ChangeSet> readChangeSet(const QString &gitFolder, const QString &base,
                                              const QString &tip);

/// The hunks of one file of it, with \a context lines around; text is raw bytes in the file's own
/// encoding. Binary files and those above the guards have no hunks. Blocking.
[[nodiscard]] Result<FileDiff> readFileDiff(const ChangeSet &changes, int index, int context = 3);

/// Whether more than 30 % of the first MiB is no text: control bytes, and bytes that are not UTF-8
/// where control bytes show that the file is in no older encoding either. UTF-16 and UTF-32 with a
/// byte order mark, and UTF-16 that looks like it without, are text. A few NULs hide nothing.
[[nodiscard]] bool isBinaryContent(QByteArrayView bytes);

/// Which changed paths the task did not allow: outside \a scope (when it is not empty), or in
/// \a forbid. A BLOCKED.md at the root never counts. Renames count with both paths.
[[nodiscard]] QList<QByteArray> outOfScope(const ChangeSet &changes, const QStringList &scope,
                                           const QStringList &forbid);

} // namespace Glovebox
