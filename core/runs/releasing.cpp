// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/deadline.h"
#include "core/base/pause.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Releasing)
};

void keepEgress(const SharedContext &context, Sandbox &sandbox)
{
    EgressLog *log = sandbox.egressLog();
    if (!log) {
        return;
    }
    QList<EgressRecord> records;
    for (const EgressEntry &entry : log->entries()) {
        records << EgressRecord{entry.host,  entry.port, entry.allowed,          entry.count,
                                entry.first, entry.last, QStringLiteral("proxy")};
    }
    const Result<void> stored = context->store.putEgress(context->run->id(), records);
    if (!stored) {
        context->run->addWarning(stored.error().message);
    }
    const Result<QList<EgressRecord>> all = context->store.egress(context->run->id());
    context->run->setEgress(all.value_or(records));
}

/// The row says it too: an error of the ledger counts more than the backend's.
Result<void> noteEnding(const SharedContext &context, const QString &key, const Error &error)
{
    const Result<void> noted =
        context->store.setSandboxState(key, LedgerState::Ending, error.message);
    return fail(noted ? error : noted.error());
}

QCoro::Task<Result<void>> destroyPatiently(SharedContext context, SandboxId id,
                                           std::stop_token stop)
{
    Result<void> destroyed;
    for (int attempt = 1; attempt <= context->limits.releaseTries; ++attempt) {
        destroyed = co_await context->provider.destroy(id, stop);
        if (destroyed || attempt == context->limits.releaseTries) {
            break;
        }
        const std::chrono::milliseconds wait = context->limits.releasePause * attempt;
        const Result<void> waited = co_await pause(wait, stop);
        if (!waited) {
            break; // why the last try failed says more
        }
    }
    co_return destroyed;
}

/// Nothing but its time stops a deletion.
QCoro::Task<Result<void>> inReleaseTime(SharedContext context, LimitedCall<void> call)
{
    const std::chrono::milliseconds most = context->limits.release;
    const TimeLimit limit{most,
                          Tr::tr("%1 did not delete the sandbox within %2.")
                              .arg(context->provider.info().name, limitText(most)),
                          context->limits.patience};
    const std::stop_token own;
    co_return co_await withinLimit<void>(call, limit, own);
}

QCoro::Task<Result<void>> destroyFound(SharedContext context, SandboxRecord row,
                                       std::stop_token stop)
{
    QList<SandboxId> ids;
    if (row.nativeId.isEmpty()) {
        // Planned, never confirmed: whatever carries its labels is ours.
        const LabelFilter filter{{QStringLiteral("run"), row.run},
                                 {QStringLiteral("role"), row.role}};
        const Result<QList<SandboxInfo>> there = co_await context->provider.list(filter, stop);
        if (!there) {
            co_return fail(there.error());
        }
        for (const SandboxInfo &info : *there) {
            ids << info.id;
        }
    } else {
        ids << SandboxId{row.provider, row.nativeId};
    }
    for (const SandboxId &id : ids) {
        const Result<void> gone = co_await context->provider.destroy(id, stop);
        if (!gone) {
            co_return gone;
        }
    }
    co_return Result<void>();
}

QDateTime deadlineOf(const SharedContext &context, const QString &key)
{
    const Result<QList<SandboxRecord>> rows = context->store.sandboxes(context->run->id());
    for (const SandboxRecord &row : rows.value_or(QList<SandboxRecord>())) {
        if (row.key == key) {
            return row.deadline;
        }
    }
    return context->clock.now();
}

} // namespace

QCoro::Task<Result<void>> releaseSandbox(SharedContext context, RunSandbox sandbox)
{
    keepEgress(context, *sandbox.sandbox);
    const SandboxId id = sandbox.sandbox->id();
    const Result<void> noted = context->store.setSandboxState(sandbox.key, LedgerState::Ending);
    Q_UNUSED(noted); // deleting it counts more than writing that down
    const LimitedCall<void> call = [context, id](std::stop_token stop) {
        return destroyPatiently(context, id, stop);
    };
    const Result<void> destroyed = co_await inReleaseTime(context, call);
    if (!destroyed) {
        co_return noteEnding(context, sandbox.key, destroyed.error());
    }
    co_return context->store.setSandboxState(sandbox.key, LedgerState::Gone);
}

bool mayBeFetchedLater(const Error &error)
{
    return error.code != ErrorCode::SandboxGone && error.code != ErrorCode::NotFound;
}

void keepSandbox(const SharedContext &context, const QString &key, const QDateTime &deadline,
                 const Error &error)
{
    const Result<void> noted =
        context->store.setSandboxState(key, LedgerState::Kept, error.message);
    Q_UNUSED(noted); // it is kept all the same, and the next start finds its row as it is
    context->run->addWarning(
        Tr::tr("What the sandbox holds could not be fetched: %1 The sandbox is kept, and fetched "
               "again whenever Glovebox starts, at least until %2.")
            .arg(error.message,
                 deadline.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))));
}

QCoro::Task<void> releasing(SharedContext context)
{
    const Step entered = enter(context, RunPhase::Releasing);
    if (!entered) {
        context->run->addWarning(entered.error().error.message);
    }
    const std::optional<RunSandbox> verify = co_await leaveVerifySandbox(context);
    QString kept;
    if (context->work.sandbox && context->keepWork) {
        kept = context->work.key;
        keepSandbox(context, kept, deadlineOf(context, kept), *context->keepWork);
    } else if (context->work.sandbox) {
        context->ending.push_back(releaseSandbox(context, context->work));
    }
    if (verify) {
        context->ending.push_back(releaseSandbox(context, *verify));
    }
    context->work.sandbox.reset();
    for (QCoro::Task<Result<void>> &ending : context->ending) {
        const Result<void> released = co_await ending;
        if (!released) {
            context->run->addWarning(
                Tr::tr("The sandbox could not be deleted yet; it is tried again at the next "
                       "start: %1")
                    .arg(released.error().message));
        }
    }
    context->ending.clear();
    // A creation that failed half way may have left a row whose sandbox nobody holds.
    const Result<QList<SandboxRecord>> rows = context->store.sandboxes(context->run->id());
    for (const SandboxRecord &row : rows.value_or(QList<SandboxRecord>())) {
        const bool open = row.state == LedgerState::Planned || row.state == LedgerState::Live;
        if (open && row.key != kept) {
            const Result<void> gone = co_await destroyByRow(context, row);
            if (!gone) {
                context->run->addWarning(gone.error().message);
            }
        }
    }
}

QCoro::Task<Result<void>> destroyByRow(SharedContext context, SandboxRecord row)
{
    const LimitedCall<void> call = [context, row](std::stop_token stop) {
        return destroyFound(context, row, stop);
    };
    const Result<void> gone = co_await inReleaseTime(context, call);
    if (!gone) {
        co_return noteEnding(context, row.key, gone.error());
    }
    if (context->unanswered.contains(row.key)) {
        const Error unknown{ErrorCode::TimedOut,
                            Tr::tr("%1 has not said yet whether it made the sandbox. It is looked "
                                   "for again at the next start.")
                                .arg(context->provider.info().name),
                            {}};
        co_return noteEnding(context, row.key, unknown);
    }
    co_return context->store.setSandboxState(row.key, LedgerState::Gone);
}

} // namespace Glovebox
