// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QProcessEnvironment>
#include <QStringList>

#include <qcorotask.h>

#include <chrono>
#include <optional>
#include <stop_token>

namespace Glovebox {

/// Limits that the kernel keeps for a child (POSIX only; ignored elsewhere). 0 = none.
struct ResourceLimits
{
    std::chrono::seconds cpu{0};
    qint64 addressSpace = 0; ///< bytes
    qint64 fileSize = 0;     ///< bytes, the largest file it may write
};

/// A host program to run to its end. No shell: arguments arrive as they are.
struct ProcessRequest
{
    QString
        program; ///< absolute, or a name that is looked up on PATH (never in the working folder)
    QStringList arguments;
    QProcessEnvironment environment; ///< all of it: nothing is inherited
    QString directory;               ///< empty = the file system's root
    QByteArray standardInput;        ///< then end of file
    QString standardInputFile;       ///< instead of the above
    QString standardOutputFile;      ///< stream output to this new file instead of keeping it
    std::chrono::milliseconds limit{std::chrono::minutes(2)};
    qint64 outputLimit =
        64LL * 1024 * 1024; ///< bytes kept of each stream; more ends it with TooLarge
    ResourceLimits resources;
};

struct ProcessResult
{
    int exitCode = -1; ///< 128 + n when ended by signal n
    QByteArray output;
    QByteArray error;
};

/// Runs a program in a session of its own and waits for its end. Main thread only.
/// A non-zero exit is a ProcessResult, not an Error. Errors: NotInstalled (no such program),
/// TimedOut, TooLarge, Cancelled; in each of these the whole process group is gone on return.
[[nodiscard]] QCoro::Task<Result<ProcessResult>> runProcess(ProcessRequest request,
                                                            std::stop_token stop);

/// The absolute path of a program on \a path (a PATH value), or nothing. Relative entries are
/// skipped.
[[nodiscard]] std::optional<QString> findProgram(const QString &name, const QString &path);
[[nodiscard]] std::optional<QString> findProgram(const QString &name);

} // namespace Glovebox
