// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/sandbox.h"

#include <QLoggingCategory>
#include <QTimer>

namespace Glovebox {

namespace {

Q_LOGGING_CATEGORY(log, "glovebox.sandbox", QtWarningMsg)

constexpr std::chrono::seconds grace{5};
constexpr std::chrono::seconds endLimit{15};

/// Ends a command with a time limit of its own: the caller's token is used up already.
QCoro::Task<void> endCommand(std::shared_ptr<Sandbox> sandbox, CommandId id)
{
    std::stop_source source;
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &timer, [&source] { source.request_stop(); });
    timer.start(endLimit);
    const Result<int> left = co_await sandbox->end(id, grace, source.get_token());
    if (!left) {
        qCWarning(log) << "a stopped command could not be ended:" << left.error().message;
    } else if (*left > 0) {
        qCWarning(log) << *left << "processes of a stopped command are left";
    }
}

} // namespace

QCoro::Task<Result<CommandResult>> runCommand(std::shared_ptr<Sandbox> sandbox, CommandId id,
                                              Command command, std::shared_ptr<OutputSink> sink,
                                              std::stop_token stop)
{
    const Result<void> started = co_await sandbox->start(id, std::move(command), stop);
    Result<CommandResult> result = fail(cancelledError());
    if (started) {
        result = co_await sandbox->wait(id, std::move(sink), stop);
    } else {
        result = fail(started.error());
    }
    if (!result && result.error().code == ErrorCode::Cancelled) {
        co_await endCommand(sandbox, id); // also after start(): it may have happened
    }
    co_return result;
}

} // namespace Glovebox
