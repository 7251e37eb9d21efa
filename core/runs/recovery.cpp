// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/recovery.h"

#include "core/base/files.h"
#include "core/base/pool.h"
#include "core/git/repository.h"
#include "core/runs/receipt.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Recovery)
};

SandboxProvider *providerOf(const RecoveryParts &parts, const QString &id)
{
    for (SandboxProvider *provider : parts.providers) {
        if (provider->info().id == id) {
            return provider;
        }
    }
    return nullptr;
}

/// As much of the plan as saving needs; the whole of it is in the record.
RunPlan planOf(const RunRecord &record, const QString &folder)
{
    RunPlan plan;
    plan.run = record.id;
    plan.taskPath = record.taskPath;
    plan.taskText = readFile(folder + QStringLiteral("/task.md")).value_or(QByteArray());
    plan.task = TaskDocument::parse(plan.taskText).task();
    plan.repository = record.repository;
    plan.gitFolder = record.gitFolder;
    plan.branch = record.wantedBranch;
    plan.bundle.base = record.base;
    plan.bundle.reference = QString::fromLatin1(baseBundleReference);
    const QJsonObject written = QJsonDocument::fromJson(record.plan).object();
    for (const QJsonValue id :
         written[QLatin1String("bundle")][QLatin1String("shallow")].toArray()) {
        plan.bundle.shallow << id.toString();
    }
    plan.provider = record.provider;
    plan.agent.id = record.agent;
    return plan;
}

SharedContext contextOf(const RecoveryParts &parts, SandboxProvider *provider,
                        const RunRecord &record)
{
    const auto context = std::make_shared<RunContext>(*parts.store, *provider, *parts.clock);
    const QString folder = parts.store->runFolder(record.id);
    context->limits = parts.limits;
    // The keys of the lost process are not known here; its files were redacted as they were
    // written.
    context->secrets = std::make_shared<const SecretForms>(QList<NamedSecret>());
    context->run = std::make_shared<Run>(planOf(record, folder), folder);
    context->log = std::make_shared<RunLog>(context->run, context->secrets);
    context->commandNumber = 90; // its logs stand behind those of the run itself
    return context;
}

bool agentMayHaveWorked(RunPhase phase)
{
    return phase == RunPhase::Working || phase == RunPhase::Sealing ||
           phase == RunPhase::Checking || phase == RunPhase::Importing ||
           phase == RunPhase::Releasing;
}

/// The newest work on our disk that is whole: the sealed one, else the last checkpoint.
void findSavedWork(const SharedContext &context)
{
    const Result<QList<CheckpointRecord>> all = context->store.checkpoints(context->run->id());
    for (auto it = all.value_or(QList<CheckpointRecord>()).crbegin();
         all && it != all->crend() && !context->saved; ++it) {
        const QString file = context->run->folder() + QLatin1Char('/') + it->file;
        const Result<QByteArray> digest = sha256OfFile(file);
        if (digest && *digest == it->sha256.toLatin1()) {
            context->saved = SavedWork{it->tip, file, 0};
            context->sealed = it->sealed;
        }
    }
}

QCoro::Task<void> reclaim(SharedContext context, SandboxRecord row, RunPhase phase)
{
    const std::stop_token own;
    const SandboxId id{row.provider, row.nativeId};
    if (row.role == QLatin1String("work") && agentMayHaveWorked(phase) && !context->sealed &&
        !row.nativeId.isEmpty()) {
        const Result<std::shared_ptr<Sandbox>> attached =
            co_await context->provider.attach(id, own);
        if (attached) {
            context->work = RunSandbox{row.key, row.role, *attached,
                                       (*attached)->workFolder() + QStringLiteral("/repo")};
            const Result<void> taken = co_await takeCheckpoint(context, own);
            if (!taken) {
                context->run->addWarning(taken.error().message);
            }
        }
    }
    if (context->work.sandbox && context->work.key == row.key) {
        const RunSandbox sandbox = context->work;
        const Result<void> released = co_await releaseSandbox(context, sandbox);
        context->work.sandbox.reset();
        if (!released) {
            context->run->addWarning(released.error().message);
        }
        co_return;
    }
    const Result<void> gone = co_await destroyByRow(context, row);
    if (!gone) {
        context->run->addWarning(gone.error().message);
    }
}

/// A branch that the lost process had made already, before it could write that down.
QString branchAt(const QString &gitFolder, const QString &wanted, const QString &tip)
{
    const Result<RepositoryFacts> facts = inspectRepository(gitFolder);
    for (const QString &branch : facts ? facts->branches : QStringList()) {
        if (branch.startsWith(wanted) &&
            resolveCommit(gitFolder, QStringLiteral("refs/heads/") + branch).value_or(QString()) ==
                tip) {
            return branch;
        }
    }
    return {};
}

QCoro::Task<void> returnSaved(SharedContext context)
{
    if (!context->saved) {
        co_return;
    }
    const RunPlan &plan = context->run->plan();
    const auto look = [git = plan.gitFolder, wanted = plan.branch, tip = context->saved->tip] {
        return branchAt(git, wanted, tip);
    };
    const QString there = co_await runInPool(look);
    if (there.isEmpty()) {
        const std::stop_token own;
        const Step imported = co_await importSavedWork(context, own);
        if (!imported) {
            context->run->addWarning(imported.error().error.message);
        }
        co_return;
    }
    const Result<void> stored = context->store.setBranch(context->run->id(), there);
    ReturnedBranch returned;
    returned.branch = there;
    returned.tip = context->saved->tip;
    context->run->setReturned(returned);
    if (!stored) {
        context->run->addWarning(stored.error().message);
    }
}

/// Without its backend nothing can be saved or deleted; its rows stay in the ledger.
Result<void> endWithoutBackend(const RecoveryParts &parts, const RunRecord &record)
{
    return parts.store->finishRun(
        record.id, RunPhase::Interrupted, Outcome::Interrupted,
        Tr::tr("Glovebox ended during %1, and there is no backend called %2 any more.")
            .arg(phaseText(record.phase), record.provider));
}

QCoro::Task<Result<void>> endRun(RecoveryParts parts, RunRecord record)
{
    SandboxProvider *provider = providerOf(parts, record.provider);
    if (!provider) {
        co_return endWithoutBackend(parts, record);
    }
    const SharedContext context = contextOf(parts, provider, record);
    const Result<void> opened = context->log->open();
    if (!opened) {
        co_return fail(opened.error());
    }
    findSavedWork(context);
    const Result<QList<SandboxRecord>> rows = parts.store->sandboxes(record.id);
    if (!rows) {
        co_return fail(rows.error());
    }
    for (const SandboxRecord &row : *rows) {
        if (row.state != LedgerState::Gone) {
            co_await reclaim(context, row, record.phase);
        }
    }
    co_await returnSaved(context);
    const QString branch = context->run->returned().branch;
    const QString message = branch.isEmpty()
                                ? Tr::tr("Glovebox ended during %1.").arg(phaseText(record.phase))
                                : Tr::tr("Glovebox ended during %1. What was done is on %2.")
                                      .arg(phaseText(record.phase), branch);
    Result<void> stored =
        parts.store->finishRun(record.id, RunPhase::Interrupted, Outcome::Interrupted, message);
    if (stored && !branch.isEmpty()) {
        stored = parts.store->movePhase(record.id, RunPhase::AwaitingReview);
    }
    context->run->setOutcome(Outcome::Interrupted, message, {});
    if (stored) {
        stored = writeDossier(*context->run, *parts.store);
    }
    co_return stored;
}

/// Rows of runs that are over whose sandbox could not be deleted then.
QCoro::Task<void> sweepLedger(RecoveryParts parts)
{
    const Result<QList<SandboxRecord>> rows = parts.store->sandboxes();
    for (const SandboxRecord &row : rows.value_or(QList<SandboxRecord>())) {
        const Result<RunRecord> run = parts.store->run(row.run);
        SandboxProvider *provider = providerOf(parts, row.provider);
        if (!run || !run->outcome || !provider) {
            continue;
        }
        const SharedContext context = contextOf(parts, provider, *run);
        co_await reclaim(context, row, RunPhase::Queued);
    }
}

} // namespace

QCoro::Task<Result<int>> recoverRuns(RecoveryParts parts, std::stop_token stop)
{
    const Result<QList<RunRecord>> unfinished = parts.store->unfinishedRuns();
    if (!unfinished) {
        co_return fail(unfinished.error());
    }
    int ended = 0;
    std::optional<Error> first; // of one run; the others are ended all the same
    for (const RunRecord &record : *unfinished) {
        if (isOwnerAlive(record.owner) || stop.stop_requested()) {
            continue;
        }
        const Result<bool> ours =
            parts.store->claimRun(record.id, record.owner, ownerOfThisProcess());
        if (!ours || !*ours) {
            continue; // another process was faster
        }
        const Result<void> done = co_await endRun(parts, record);
        if (done) {
            ++ended;
        } else if (!first) {
            first = done.error();
        }
    }
    co_await sweepLedger(parts);
    if (first) {
        co_return fail(*first);
    }
    co_return ended;
}

} // namespace Glovebox
