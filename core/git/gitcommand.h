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
    QList<std::pair<QString, QString>> config;      ///< more -c pairs, by environment
    QList<std::pair<QString, QString>> environment; ///< more variables, e.g. GIT_INDEX_FILE
    std::chrono::milliseconds limit{std::chrono::minutes(2)};
    qint64 outputLimit = 64 * 1024 * 1024;
    ResourceLimits resources;
};

/// Runs git; a non-zero exit is a result. Errors as runProcess().
[[nodiscard]] QCoro::Task<Result<ProcessResult>> runGit(GitRequest request, std::stop_token stop);

/// Runs git and answers its output; a non-zero exit is CommandFailed with git's words in the
/// detail.
[[nodiscard]] QCoro::Task<Result<QByteArray>> gitOutput(GitRequest request, std::stop_token stop);

struct GitVersion
{
    int major = 0;
    int minor = 0;
    int patch = 0;
    QString text;
};
[[nodiscard]] QCoro::Task<Result<GitVersion>> gitVersion(std::stop_token stop);

} // namespace Glovebox
