// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"

#include <QList>

namespace Glovebox {

/// One call of the git program on the host, in an environment that runs nothing a repository chose
/// (hooks, fsmonitor, filters, drivers, helpers): see the set in gitcommand.cpp. Never a work-tree
/// command in a user's repository.
struct GitRequest
{
    QString gitFolder;     ///< becomes GIT_DIR; empty = none (init, bundle header tools)
    QStringList arguments; ///< "rev-parse", …; names after "--" or "--end-of-options"
    QByteArray input;
    QString inputFile;
    QString outputFile;
    QList<std::pair<QString, QString>> config; ///< more -c pairs, by environment
    /// More variables, e.g. GIT_INDEX_FILE; a null value removes one of the safe set.
    QList<std::pair<QString, QString>> environment;
    std::chrono::milliseconds limit{std::chrono::minutes(2)};
    qint64 outputLimit = 64LL * 1024 * 1024;
    ResourceLimits resources;
};

/// Runs git; a non-zero exit is a result. Errors as runProcess().
[[nodiscard]] QCoro::Task<Result<ProcessResult>> runGit(GitRequest request, std::stop_token stop);

/// Runs git and answers its output; a non-zero exit is CommandFailed with git's words in the
/// detail.
[[nodiscard]] QCoro::Task<Result<QByteArray>> gitOutput(GitRequest request, std::stop_token stop);

/// The git program that runGit() uses: from the system's own folders, else from those folders of
/// \a path (a PATH value) that are absolute, not writable by others and not inside any work tree.
[[nodiscard]] std::optional<QString> findGit(const QString &path);

/// What git said on its error stream, for Error::detail: cut at 4 KiB, passwords in addresses
/// masked. Never parsed as data.
[[nodiscard]] QString gitWords(const ProcessResult &result);

struct GitVersion
{
    int major = 0;
    int minor = 0;
    int patch = 0;
    QString text; ///< "2.39.5", with what a vendor adds
};

/// Reads the line of `git --version`.
[[nodiscard]] std::optional<GitVersion> parseGitVersion(const QByteArray &line);

/// NotInstalled, or NotSupported below 2.39 (the oldest that the import was tried with).
[[nodiscard]] QCoro::Task<Result<GitVersion>> gitVersion(std::stop_token stop);

} // namespace Glovebox
