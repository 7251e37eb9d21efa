// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

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
    bool binary = false;
    int added = 0; ///< lines
    int removed = 0;
};

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

/// Reads the list with libgit2: raw trees, no attributes, no filters, no driver. Blocking; one
/// handle per call, so any thread.
[[nodiscard]] Result<ChangeSet> readChangeSet(const QString &gitFolder, const QString &base,
                                              const QString &tip);

/// The hunks of one file of it, with \a context lines around. Blocking.
[[nodiscard]] Result<FileDiff> readFileDiff(const ChangeSet &changes, int index, int context = 3);

/// Which changed paths the task did not allow: outside \a scope (when it is not empty), or in
/// \a forbid. A BLOCKED.md at the root never counts. Renames count with both paths.
[[nodiscard]] QList<QByteArray> outOfScope(const ChangeSet &changes, const QStringList &scope,
                                           const QStringList &forbid);

} // namespace Glovebox
