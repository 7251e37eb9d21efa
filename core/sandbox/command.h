// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/secret.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <chrono>
#include <variant>

namespace Glovebox {

/// The name of one command in one sandbox: made by us (newId()) and stored before the start, so
/// that whoever comes back after a crash can join it again.
struct CommandId
{
    QString value;
    friend bool operator==(const CommandId &, const CommandId &) = default;
};

enum class Stream { Output, Error };

/// Agents keep their streams apart; setup and checks merge them, so that the order is kept.
enum class Streams { Apart, Merged };

struct EnvironmentVariable
{
    QString name;
    Secret value;
};

/// A file on our own disk, by its absolute path.
struct LocalFile
{
    QString path;
};

/// A file to put inside. \a path is absolute inside and may hold any character but NUL.
/// It arrives with mode 0600, or 0700 when executable.
struct Upload
{
    QString path;
    std::variant<QByteArray, LocalFile> content;
    bool executable = false;
};

/// What runs inside. argv is exact; a shell line is {"sh", "-c", text}.
struct Command
{
    QStringList argv;
    QString directory;                      ///< absolute, inside
    QList<EnvironmentVariable> environment; ///< all of it, beside the provider's kept names
    QByteArray standardInput;               ///< whole, at most 16 MiB; empty = end of file at once
    std::chrono::seconds limit{
        900}; ///< > 0; kept inside, on the whole tree, also while we are away
    qint64 outputLimit =
        64LL * 1024 * 1024; ///< bytes kept of each stream; beyond it a count and the last 64 KiB
    Streams streams = Streams::Apart;
};

/// How much of a sandbox endAll() ends.
enum class EndScope {
    Leftovers, ///< what commands left; where they left nothing, the backend's own may stay as it is
    Everything, ///< also what the backend itself runs inside, which a command could have changed
};

struct CommandResult
{
    enum class End {
        Exited,
        TimedOut,
        Killed,     ///< by us
        NotStarted, ///< its directory or its file was not there
        Lost,       ///< nobody can know: its supervisor is gone
    };
    End end = End::Lost;
    int exitCode = -1;      ///< 0..255 as a shell reports it (128 + n for signal n); -1 when Lost
    qint64 outputBytes = 0; ///< true totals, also of what was not kept
    qint64 errorBytes = 0;
    qint64 notKept = 0;
    bool outputOpen = false; ///< something it left behind still holds the pipe
    std::chrono::milliseconds duration{0};
};

/// "exited", "timed_out", "killed", "not_started", "lost": for JSON and the database.
[[nodiscard]] QString endName(CommandResult::End end);

/// A piece of a stream. An offset beyond the expected one means that the bytes between were not
/// kept.
struct OutputChunk
{
    Stream stream = Stream::Output;
    qint64 offset = 0;
    QByteArray bytes;
};

} // namespace Glovebox
