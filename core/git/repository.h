// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace Glovebox {

/// What a repository on the host is, read once with libgit2 (no program of the repository runs).
struct RepositoryFacts
{
    QString workTree;     ///< empty for a bare one
    QString gitFolder;    ///< of this work tree, absolute, canonical
    QString commonFolder; ///< the main repository's git folder (same as gitFolder but in linked
                          ///< work trees)
    bool bare = false;
    bool shallow = false;
    bool linkedWorktree = false;
    bool unborn = false; ///< HEAD names a branch without a commit
    bool detached = false;
    bool rewritesHistory = false; ///< refs/replace or grafts: history shown may not be the true one
    QString head;                 ///< commit id, empty when unborn
    QString headBranch;           ///< short name, empty when detached
    QStringList submodules;       ///< paths
    QStringList branches;         ///< short names of local branches
};

struct CommitFacts
{
    QString id;
    QString parent; ///< first parent, empty for a root
    QString summary;
    QString author;
    QString email;
    qint64 time = 0; ///< seconds since 1970
};

/// Finds the repository that holds \a path. NotFound says so in a sentence; InvalidRequest when it
/// is there but unsafe (another owner) or unreadable, NotSupported for SHA-256 ids and other newer
/// features. Reads references and the index, no object. Blocking (libgit2): call through runInPool.
[[nodiscard]] Result<RepositoryFacts> inspectRepository(const QString &path);

/// A revision ("HEAD", "main", an id) to a full commit id. Blocking. For a repository that was not
/// looked at before, readBaseOnce() (core/git/bundle.h) does the same in a child with a deadline:
/// libgit2 before 1.9.8 never returns from reading a loose object that was cut short.
[[nodiscard]] Result<QString> resolveCommit(const QString &gitFolder, const QString &revision);

/// All file paths of a commit's tree, raw bytes; TooLarge above \a maximum. Blocking.
[[nodiscard]] Result<QList<QByteArray>> pathsOf(const QString &gitFolder, const QString &commit,
                                                int maximum = 1'000'000);

/// The bytes of one file of a commit; NotFound. TooLarge above \a maximum. Blocking.
[[nodiscard]] Result<QByteArray> fileOf(const QString &gitFolder, const QString &commit,
                                        const QByteArray &path,
                                        qint64 maximum = 64LL * 1024 * 1024);

/// The commits of base..tip, newest first, at most \a maximum. Blocking.
[[nodiscard]] Result<QList<CommitFacts>> commitsBetween(const QString &gitFolder,
                                                        const QString &base, const QString &tip,
                                                        int maximum = 1000);

/// Whether the work tree or index differ from HEAD, untracked files included, ignored ones and
/// what is inside submodules not (only said, never refused). Starts no program and writes nothing:
/// sizes, times and modes first, and where these leave a doubt the file is hashed in our process,
/// with line ends converted as configured. Programs that are configured as filters do not run, so
/// a touched but unchanged file under one (LFS) counts as a change. Blocking.
[[nodiscard]] Result<bool> hasLocalChanges(const RepositoryFacts &repository);

} // namespace Glovebox
