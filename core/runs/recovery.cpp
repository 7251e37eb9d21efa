// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/recovery.h"

#include "core/base/deadline.h"
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
    for (const QJsonValue variable : written[QLatin1String("variables")].toArray()) {
        plan.variables << PlanVariable{variable[QLatin1String("name")].toString(),
                                       variable[QLatin1String("source")].toString(),
                                       variable[QLatin1String("secret")].toBool()};
    }
    plan.provider = record.provider;
    plan.agent.id = record.agent;
    return plan;
}

/// The keys of the lost process, as far as they are known here by the same names. A value that was
/// changed since cannot be told from the old one.
std::shared_ptr<const SecretForms> secretsOf(const RecoveryParts &parts, const RunPlan &plan,
                                             QStringList *unknown)
{
    QList<NamedSecret> known;
    for (const PlanVariable &variable : plan.variables) {
        const std::optional<Secret> value =
            variable.secret ? parts.secrets->find(variable.name) : std::nullopt;
        if (value) {
            known << NamedSecret{variable.name, *value};
        } else if (variable.secret) {
            *unknown << variable.name;
        }
    }
    return std::make_shared<const SecretForms>(known);
}

SharedContext contextOf(const RecoveryParts &parts, SandboxProvider *provider,
                        const RunRecord &record)
{
    const auto context = std::make_shared<RunContext>(*parts.store, *provider, *parts.clock);
    const QString folder = parts.store->runFolder(record.id);
    context->limits = parts.limits;
    const RunPlan plan = planOf(record, folder);
    context->secrets = secretsOf(parts, plan, &context->unknownSecrets);
    context->run = std::make_shared<Run>(plan, folder);
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

/// The newest one whose file is whole. Reads files of some hundred megabytes: in the pool.
std::optional<CheckpointRecord> newestWhole(const QString &folder,
                                            const QList<CheckpointRecord> &all)
{
    for (auto it = all.crbegin(); it != all.crend(); ++it) {
        const Result<QByteArray> digest = sha256OfFile(folder + QLatin1Char('/') + it->file);
        if (digest && *digest == it->sha256.toLatin1()) {
            return *it;
        }
    }
    return std::nullopt;
}

/// The newest work on our disk that is whole: the sealed one, else the last checkpoint.
QCoro::Task<void> findSavedWork(SharedContext context)
{
    const Result<QList<CheckpointRecord>> stored = context->store.checkpoints(context->run->id());
    const QList<CheckpointRecord> all = stored.value_or(QList<CheckpointRecord>());
    for (const CheckpointRecord &checkpoint : all) {
        context->run->addCheckpoint(checkpoint); // the next one gets another name
    }
    const QString folder = context->run->folder();
    const auto look = [folder, all] {
        return newestWhole(folder, all);
    };
    const std::optional<CheckpointRecord> newest = co_await runInPool(look);
    if (newest) {
        context->saved = SavedWork{newest->tip, folder + QLatin1Char('/') + newest->file, 0};
        context->sealed = newest->sealed;
    }
}

/// What the agent's sandbox still holds, as a checkpoint.
QCoro::Task<Result<void>> fetchWork(SharedContext context, SandboxRecord row)
{
    const Result<void> attached = co_await attachWork(context, row);
    if (!attached) {
        co_return attached;
    }
    const std::stop_token own;
    const std::chrono::seconds limit = context->limits.seal;
    co_return co_await takeCheckpoint(context, limit, own);
}

/// Nobody waits for what it holds any longer.
bool isPastKeeping(const SharedContext &context, const SandboxRecord &row)
{
    const bool ours =
        context->provider.info().capabilities.lifetime.keeper == Capabilities::Keeper::Ours;
    const std::chrono::seconds more = ours ? context->limits.keepBeyond : std::chrono::seconds(0);
    return !row.deadline.isValid() || row.deadline.addSecs(more.count()) < context->clock.now();
}

/// Whether the sandbox may hold work of the agent that is not on our disk.
bool mayHoldWork(const SharedContext &context, const SandboxRecord &row, RunPhase phase)
{
    const bool worked = agentMayHaveWorked(phase) || row.state == LedgerState::Kept;
    return row.role == QLatin1String("work") && worked && !context->sealed &&
           !row.nativeId.isEmpty();
}

QCoro::Task<void> reclaim(SharedContext context, SandboxRecord row, RunPhase phase)
{
    if (mayHoldWork(context, row, phase)) {
        const Result<void> fetched = co_await fetchWork(context, row);
        if (!fetched) {
            const bool later = mayBeFetchedLater(fetched.error()) && !isPastKeeping(context, row);
            if (later) {
                context->work.sandbox.reset();
                keepSandbox(context, row.key, row.deadline, fetched.error());
                co_return;
            }
            context->run->addWarning(fetched.error().message);
        }
    }
    Result<void> gone;
    if (context->work.sandbox && context->work.key == row.key) {
        const RunSandbox sandbox = context->work;
        gone = co_await releaseSandbox(context, sandbox);
        context->work.sandbox.reset();
    } else {
        gone = co_await destroyByRow(context, row);
    }
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
    Result<void> stored = context->store.setBranch(context->run->id(), there);
    if (stored) {
        stored = context->store.setTip(context->run->id(), context->saved->tip);
    }
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

QString endMessage(const SharedContext &context, RunPhase phase)
{
    const QString branch = context->run->returned().branch;
    const QString ended = Tr::tr("Glovebox ended during %1.").arg(phaseText(phase));
    if (!branch.isEmpty()) {
        return Tr::tr("%1 What was done is on %2.").arg(ended, branch);
    }
    if (context->saved && QFile::exists(context->saved->file)) {
        return Tr::tr("%1 What was done is kept in %2.").arg(ended, context->saved->file);
    }
    return ended;
}

/// The warnings that the dossier has already, so that writing it anew doesn't lose them.
void readWarnings(const SharedContext &context)
{
    const QString file = context->run->folder() + QStringLiteral("/report.json");
    const QJsonObject report =
        QJsonDocument::fromJson(readFile(file).value_or(QByteArray())).object();
    for (const QJsonValue warning : report[QLatin1String("warnings")].toArray()) {
        context->run->addWarning(warning.toString());
    }
}

/// What an import that was cut short left in the repository.
QCoro::Task<void> sweepImports(SharedContext context)
{
    const QString gitFolder = context->run->plan().gitFolder;
    const QString folder = context->run->folder();
    const Result<void> swept = co_await discardImports(gitFolder, folder);
    if (!swept) {
        context->run->addWarning(swept.error().message);
    }
}

Result<void> noteFetched(const SharedContext &context, const RunRecord &record)
{
    const QString branch = context->run->returned().branch;
    if (branch.isEmpty()) {
        return {};
    }
    const Result<void> told = context->store.setMessage(
        record.id, Tr::tr("%1 What its sandbox held was fetched later and is on %2.")
                       .arg(record.message, branch));
    return told && canMove(record.phase, RunPhase::AwaitingReview)
               ? context->store.movePhase(record.id, RunPhase::AwaitingReview)
               : told;
}

/// *Fetch again*: what a kept sandbox of a run that is over holds becomes a branch, then it goes.
QCoro::Task<Result<void>> fetchAgain(SharedContext context, RunRecord record, SandboxRecord row)
{
    const Result<void> opened = context->log->open();
    if (!opened) {
        co_return fail(opened.error());
    }
    co_await findSavedWork(context);
    const QString before = context->saved ? context->saved->tip : QString();
    co_await reclaim(context, row, record.phase);
    const bool newer = context->saved && context->saved->tip != before;
    if (!newer) {
        co_return Result<void>();
    }
    readWarnings(context);
    co_await returnSaved(context);
    const Result<void> noted = noteFetched(context, record);
    if (!noted) {
        co_return fail(noted.error());
    }
    co_return writeDossier(*context->run, context->store);
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
    co_await findSavedWork(context);
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
    co_await sweepImports(context);
    keepOnlyWhatCameBack(context);
    const QString branch = context->run->returned().branch;
    const QString message = endMessage(context, record.phase);
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

/// Rows of runs that are over whose sandbox could not be deleted, or emptied, then.
QCoro::Task<void> sweepLedger(RecoveryParts parts, QStringList triedNow)
{
    const Result<QList<SandboxRecord>> rows = parts.store->sandboxes();
    for (const SandboxRecord &row : rows.value_or(QList<SandboxRecord>())) {
        const Result<RunRecord> run = parts.store->run(row.run);
        SandboxProvider *provider = providerOf(parts, row.provider);
        if (!run || !run->outcome || !provider || triedNow.contains(row.run)) {
            continue;
        }
        const SharedContext context = contextOf(parts, provider, *run);
        if (row.state == LedgerState::Kept) {
            const Result<void> fetched = co_await fetchAgain(context, *run, row);
            Q_UNUSED(fetched); // the row stays, or the bundle does; the next start tries again
        } else {
            co_await reclaim(context, row, RunPhase::Queued);
        }
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
    QStringList tried;
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
        tried << record.id;
        const Result<void> done = co_await endRun(parts, record);
        if (done) {
            ++ended;
        } else if (!first) {
            first = done.error();
        }
    }
    co_await sweepLedger(parts, tried);
    if (first) {
        co_return fail(*first);
    }
    co_return ended;
}

} // namespace Glovebox
