// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/sandbox/command.h"

#include <qcorotask.h>

#include <memory>
#include <optional>
#include <stop_token>

namespace Glovebox {

/// Takes the runner's text frames, one line at a time, without the line end.
class LineSink
{
public:
    virtual ~LineSink() = default;
    /// Awaited before the next line is delivered. An error ends the follow.
    [[nodiscard]] virtual QCoro::Task<Result<void>> line(QByteArray text, std::stop_token stop) = 0;
};

/// What a provider really writes. RunnerSandbox and resources/runner.sh make a Sandbox of it, the
/// same on every backend.
class SandboxChannel
{
public:
    virtual ~SandboxChannel() = default;

    /// Runs `sh RUNNER VERB ARGS` inside and answers what it printed (text, at most 1 MiB). The
    /// line is ASCII of [A-Za-z0-9/_.-] and blanks: no quotes, no secrets. The native exit code is
    /// ignored.
    [[nodiscard]] virtual QCoro::Task<Result<QByteArray>>
    call(QByteArray line, std::chrono::seconds limit, std::stop_token stop) = 0;
    /// The lines of one turn of `sh RUNNER follow JOB OUT ERR`, as they come; whoever asks goes on
    /// from where it ended until an end is told. By default one call() that lasts at most five
    /// quiet seconds, with at most 384 KiB. A provider overrides it where lines arrive live: it
    /// appends how many seconds the turn may last, and delivers what is printed line by line.
    [[nodiscard]] virtual QCoro::Task<Result<void>>
    follow(QByteArray line, std::shared_ptr<LineSink> sink, std::stop_token stop);
    /// Puts bytes at a path inside that needs no quoting (runner words only); replaces a file.
    [[nodiscard]] virtual QCoro::Task<Result<void>> put(QString path, LocalFile source,
                                                        std::stop_token stop) = 0;
    /// Gets a regular file of at most \a maximum bytes; the path needs no quoting.
    [[nodiscard]] virtual QCoro::Task<Result<void>> get(QString path, LocalFile target,
                                                        qint64 maximum, std::stop_token stop) = 0;
    /// Ends all that was not there at the beginning; nothing = the runner's own sweep is to be
    /// used.
    [[nodiscard]] virtual QCoro::Task<Result<std::optional<int>>> endAll(EndScope scope,
                                                                         std::stop_token stop);
};

} // namespace Glovebox
