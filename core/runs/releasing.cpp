// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

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

} // namespace

QCoro::Task<Result<void>> releaseSandbox(SharedContext context, RunSandbox sandbox)
{
    keepEgress(context, *sandbox.sandbox);
    const SandboxId id = sandbox.sandbox->id();
    Result<void> noted = context->store.setSandboxState(sandbox.key, LedgerState::Ending);
    Result<void> destroyed = noted;
    for (int attempt = 0; attempt < context->limits.releaseTries; ++attempt) {
        const std::stop_token own;
        destroyed = co_await context->provider.destroy(id, own);
        if (destroyed) {
            co_return context->store.setSandboxState(sandbox.key, LedgerState::Gone);
        }
        noted = context->store.setSandboxState(sandbox.key, LedgerState::Ending,
                                               destroyed.error().message);
        if (attempt + 1 == context->limits.releaseTries) {
            break;
        }
        const std::chrono::milliseconds wait = context->limits.releasePause * (attempt + 1);
        const Result<void> waited = co_await pause(wait, own);
        Q_UNUSED(waited); // nothing stops it
    }
    co_return destroyed;
}

QCoro::Task<void> releasing(SharedContext context)
{
    const Step entered = enter(context, RunPhase::Releasing);
    if (!entered) {
        context->run->addWarning(entered.error().error.message);
    }
    if (context->verifying) {
        const std::stop_token own;
        const tl::expected<RunSandbox, RunEnd> made = co_await takeVerifySandbox(context, own);
        Q_UNUSED(made); // whatever came of it is in context->verify
    }
    QList<RunSandbox> sandboxes;
    if (context->work.sandbox) {
        sandboxes << context->work;
    }
    if (context->verify) {
        sandboxes << *context->verify;
    }
    for (const RunSandbox &sandbox : sandboxes) {
        const Result<void> released = co_await releaseSandbox(context, sandbox);
        if (!released) {
            context->run->addWarning(
                Tr::tr("The sandbox could not be deleted yet; it is tried again at the next "
                       "start: %1")
                    .arg(released.error().message));
        }
    }
    context->work.sandbox.reset();
    context->verify.reset();
    // A creation that failed half way may have left a row whose sandbox nobody holds.
    const Result<QList<SandboxRecord>> rows = context->store.sandboxes(context->run->id());
    for (const SandboxRecord &row : rows.value_or(QList<SandboxRecord>())) {
        if (row.state == LedgerState::Planned || row.state == LedgerState::Live) {
            const Result<void> gone = co_await destroyByRow(context, row);
            if (!gone) {
                context->run->addWarning(gone.error().message);
            }
        }
    }
}

QCoro::Task<Result<void>> destroyByRow(SharedContext context, SandboxRecord row)
{
    const std::stop_token own;
    QList<SandboxId> ids;
    if (row.nativeId.isEmpty()) {
        // Planned, never confirmed: whatever carries its labels is ours.
        const LabelFilter filter{{QStringLiteral("run"), row.run},
                                 {QStringLiteral("role"), row.role}};
        const Result<QList<SandboxInfo>> there = co_await context->provider.list(filter, own);
        if (!there) {
            co_return fail(there.error()); // the row stays, and is swept at the next start
        }
        for (const SandboxInfo &info : *there) {
            ids << info.id;
        }
    } else {
        ids << SandboxId{row.provider, row.nativeId};
    }
    for (const SandboxId &id : ids) {
        const Result<void> gone = co_await context->provider.destroy(id, own);
        if (!gone) {
            const Result<void> noted =
                context->store.setSandboxState(row.key, LedgerState::Ending, gone.error().message);
            co_return fail(noted ? gone.error() : noted.error());
        }
    }
    co_return context->store.setSandboxState(row.key, LedgerState::Gone);
}

} // namespace Glovebox
