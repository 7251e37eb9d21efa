// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/runcontext.h"

#include "core/base/ids.h"

namespace Glovebox {

namespace {

QString argvText(const QStringList &argv)
{
    return QString::fromUtf8(
        QJsonDocument(QJsonArray::fromStringList(argv)).toJson(QJsonDocument::Compact));
}

CommandRecord recordOf(const SharedContext &context, const InsideRequest &request)
{
    CommandRecord record;
    record.id = newId();
    record.sandbox = request.sandbox.key;
    record.purpose = request.purpose;
    record.argv = argvText(request.command.argv);
    record.limitSeconds = request.command.limit.count();
    record.log = QStringLiteral("logs/%1-%2.log")
                     .arg(++context->commandNumber, 2, 10, QLatin1Char('0'))
                     .arg(request.purpose);
    return record;
}

/// A stopped command; with a token of its own, because the caller's is used up.
QCoro::Task<void> endInside(SharedContext context, RunSandbox sandbox, CommandId id)
{
    const std::stop_token own;
    const std::chrono::seconds grace = context->limits.endGrace;
    const Result<int> ended = co_await sandbox.sandbox->end(id, grace, own);
    Q_UNUSED(ended); // releasing ends whatever is left
}

} // namespace

QCoro::Task<Result<RunningCommand>> startInside(SharedContext context, InsideRequest request,
                                                std::stop_token stop)
{
    const CommandRecord record = recordOf(context, request);
    const auto log = std::make_shared<CommandLog>(
        CommandLog::Parts{context->run, context->log, &context->store, context->secrets,
                          request.transcript, !request.shown.isEmpty()},
        record);
    Result<void> ready = log->open();
    if (ready && !request.shown.isEmpty()) {
        ready = context->log->line(QStringLiteral("$ ") + request.shown);
    }
    if (ready) {
        ready = context->store.insertCommand(record);
    }
    if (!ready) {
        co_return fail(ready.error());
    }
    const CommandId id{record.id};
    const Result<void> started = co_await request.sandbox.sandbox->start(id, request.command, stop);
    if (!started) {
        if (started.error().code == ErrorCode::Cancelled) {
            co_await endInside(context, request.sandbox, id); // it may have begun all the same
        }
        co_return fail(started.error());
    }
    const Result<void> noted = context->store.setCommandStarted(record.id);
    if (!noted) {
        co_return fail(noted.error());
    }
    co_return RunningCommand{record, log};
}

QCoro::Task<Result<FinishedCommand>> waitInside(SharedContext context, RunSandbox sandbox,
                                                RunningCommand running, std::stop_token stop)
{
    const CommandId id{running.record.id};
    const Result<CommandResult> result = co_await sandbox.sandbox->wait(id, running.log, stop);
    const Result<void> flushed = running.log->finish();
    if (!result) {
        co_return fail(result.error());
    }
    const Result<void> noted = context->store.setCommandEnded(running.record.id, *result);
    if (!flushed || !noted) {
        co_return fail(flushed ? noted.error() : flushed.error());
    }
    co_return FinishedCommand{running.record, *result, running.log->outputFile()};
}

QCoro::Task<Result<FinishedCommand>> runInside(SharedContext context, InsideRequest request,
                                               std::stop_token stop)
{
    Result<RunningCommand> running = co_await startInside(context, request, stop);
    if (!running) {
        co_return fail(running.error());
    }
    const CommandId id{running->record.id};
    Result<FinishedCommand> finished =
        co_await waitInside(context, request.sandbox, *running, stop);
    if (!finished && finished.error().code == ErrorCode::Cancelled) {
        co_await endInside(context, request.sandbox, id);
    }
    co_return finished;
}

QString limitText(std::chrono::milliseconds limit)
{
    return limit < std::chrono::seconds(1)
               ? QStringLiteral("%1 ms").arg(limit.count())
               : durationText(std::chrono::duration_cast<std::chrono::seconds>(limit));
}

Command shellCommand(const QString &script, const QString &directory, std::chrono::seconds limit)
{
    Command command;
    command.argv = {QStringLiteral("sh"), QStringLiteral("-c"), script};
    command.directory = directory;
    command.limit = limit;
    command.streams = Streams::Merged;
    return command;
}

Step enter(const SharedContext &context, RunPhase phase)
{
    const std::optional<Error> why = std::exchange(context->whyMoved, std::nullopt);
    Result<void> moved = context->store.movePhase(context->run->id(), phase, why ? &*why : nullptr);
    if (moved) {
        context->run->setPhase(phase, context->clock.now());
        moved = context->log->line(QStringLiteral("── %1").arg(phaseText(phase)));
    }
    if (!moved) {
        return endWith(Outcome::SandboxError, moved.error());
    }
    return {};
}

void noteWhy(const SharedContext &context, const Error &error)
{
    const auto clean = [&context](const QString &text) {
        return QString::fromUtf8(context->secrets->redact(text.toUtf8()));
    };
    context->whyMoved = Error{error.code, clean(error.message), clean(error.detail)};
}

tl::unexpected<RunEnd> endWith(Outcome otherwise, const Error &error)
{
    const Outcome outcome = error.code == ErrorCode::Cancelled     ? Outcome::Cancelled
                            : error.code == ErrorCode::SandboxGone ? Outcome::SandboxError
                                                                   : otherwise;
    return tl::unexpected<RunEnd>(RunEnd{outcome, error});
}

tl::unexpected<RunEnd> endWith(Outcome outcome, ErrorCode code, const QString &message,
                               const QString &detail)
{
    return tl::unexpected<RunEnd>(RunEnd{outcome, Error{code, message, detail}});
}

QString tailOf(const QString &file, qint64 maximum)
{
    QFile log(file);
    if (!log.open(QIODevice::ReadOnly)) {
        return {};
    }
    log.seek(std::max<qint64>(0, log.size() - maximum));
    return QString::fromUtf8(log.read(maximum));
}

} // namespace Glovebox
