// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/runqueue.h"

#include "core/base/files.h"
#include "core/runs/planner.h"
#include "core/runs/receipt.h"
#include "core/runs/recovery.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunQueue)
};

constexpr int defaultLimit = 4;

std::shared_ptr<const SecretForms> formsOf(const PreparedRun &prepared)
{
    QList<NamedSecret> secrets;
    for (const PlanVariable &variable : prepared.plan.variables) {
        for (const EnvironmentVariable &value : prepared.environment) {
            if (variable.secret && variable.name == value.name) {
                secrets << NamedSecret{value.name, value.value};
            }
        }
    }
    return std::make_shared<const SecretForms>(secrets);
}

RunRecord recordOf(const RunPlan &plan)
{
    RunRecord record;
    record.id = plan.run;
    record.repository = plan.repository;
    record.gitFolder = plan.gitFolder;
    record.taskPath = plan.taskPath;
    record.taskDigest = QString::fromLatin1(plan.taskDigest);
    record.title = plan.task.title;
    record.provider = plan.provider;
    record.agent = plan.agent.id;
    record.base = plan.base();
    record.wantedBranch = plan.branch;
    record.plan = canonicalJson(toJson(plan));
    record.planDigest = QString::fromLatin1(planDigest(plan));
    record.owner = ownerOfThisProcess();
    return record;
}

Result<void> prepareFolder(const QString &folder, const RunPlan &plan)
{
    Result<void> ready = makePrivateFolder(folder);
    if (ready) {
        ready = makePrivateFolder(folder + QStringLiteral("/logs"));
    }
    if (ready) {
        ready = writeFile(folder + QStringLiteral("/task.md"), plan.taskText);
    }
    return ready;
}

} // namespace

struct RunQueue::Entry
{
    SharedContext context;
    std::stop_source stop;
    bool started = false; ///< has its place among those at work
    bool driven = false;  ///< its pipeline has begun
    bool resting = false; ///< its backend had no room
    std::optional<QCoro::Task<void>> task;
};

RunQueue::RunQueue(RunStore &store, QList<SandboxProvider *> providers, const SecretStore &secrets,
                   const Clock &clock, RunLimits limits)
    : m_store(store)
    , m_providers(std::move(providers))
    , m_secrets(secrets)
    , m_clock(clock)
    , m_limits(limits)
{
}

RunQueue::~RunQueue()
{
    for (const std::shared_ptr<Entry> &entry : m_entries) {
        if (entry->driven) {
            qWarning(
                "A run was still at work when its queue ended; it is recovered at the next start.");
        }
    }
}

SandboxProvider *RunQueue::providerOf(const QString &id) const
{
    for (SandboxProvider *provider : m_providers) {
        if (provider->info().id == id) {
            return provider;
        }
    }
    return nullptr;
}

Result<std::shared_ptr<Run>> RunQueue::submit(PreparedRun prepared)
{
    SandboxProvider *provider = providerOf(prepared.plan.provider);
    if (!provider) {
        discardPlan(prepared, m_store);
        return fail(ErrorCode::NotFound,
                    Tr::tr("There is no backend called %1.").arg(prepared.plan.provider));
    }
    if (m_store.run(prepared.plan.run)) {
        return fail(ErrorCode::AlreadyExists, Tr::tr("This run was started already."));
    }
    const QString folder = m_store.runFolder(prepared.plan.run);
    Result<void> ready = prepareFolder(folder, prepared.plan);
    if (ready) {
        ready = m_store.insertRun(recordOf(prepared.plan));
    }
    if (!ready) {
        discardPlan(prepared, m_store);
        return fail(ready.error());
    }
    const auto context = std::make_shared<RunContext>(m_store, *provider, m_clock);
    context->limits = m_limits;
    context->secrets = formsOf(prepared);
    context->agentEnvironment = prepared.environment;
    context->run = std::make_shared<Run>(std::move(prepared.plan), folder);
    context->log = std::make_shared<RunLog>(context->run, context->secrets);
    const auto entry = std::make_shared<Entry>();
    entry->context = context;
    m_entries << entry;
    Q_EMIT runAdded(context->run);
    startWaiting();
    return context->run;
}

int RunQueue::atWork(const QString &provider) const
{
    return static_cast<int>(
        std::count_if(m_entries.cbegin(), m_entries.cend(), [&provider](const auto &entry) {
            return entry->started && entry->context->run->plan().provider == provider;
        }));
}

void RunQueue::startWaiting()
{
    const QList<std::shared_ptr<Entry>> entries = m_entries;
    for (const std::shared_ptr<Entry> &entry : entries) {
        const QString provider = entry->context->run->plan().provider;
        const auto own = m_limitOf.find(provider);
        const int limit = own == m_limitOf.end() ? defaultLimit : own->second;
        if (!entry->started && !entry->resting && atWork(provider) < limit) {
            start(entry);
        }
    }
}

void RunQueue::start(const std::shared_ptr<Entry> &entry)
{
    entry->started = true;
    // From the event loop, so that whoever submitted it is connected before the first phase.
    QTimer::singleShot(0, this, [this, entry] {
        if (m_entries.contains(entry)) { // else it was cancelled meanwhile
            entry->driven = true;
            entry->task.emplace(drive(this, entry->context, entry->stop.get_token()));
        }
    });
}

/// Does not hold the entry, which holds its task: neither would ever go.
QCoro::Task<void> RunQueue::drive(RunQueue *queue, SharedContext context, std::stop_token stop)
{
    const Result<void> opened = context->log->open();
    if (!opened) {
        context->run->addWarning(opened.error().message);
    }
    const PipelineEnd end = co_await runPipeline(context, stop);
    const QString id = context->run->id();
    QTimer::singleShot(0, queue, [queue, id, end] {
        if (end == PipelineEnd::Waiting) {
            queue->rest(id);
        } else {
            queue->remove(id);
        }
    });
}

void RunQueue::rest(const QString &run)
{
    const auto entry = std::find_if(m_entries.cbegin(), m_entries.cend(), [&run](const auto &one) {
        return one->context->run->id() == run;
    });
    if (entry == m_entries.cend()) {
        return; // the program ends
    }
    (*entry)->started = false;
    (*entry)->driven = false;
    if ((*entry)->stop.stop_requested()) { // between the end of its pipeline and now
        endWaiting((*entry)->context->run);
        remove(run);
        return;
    }
    (*entry)->resting = true;
    const QString provider = (*entry)->context->run->plan().provider;
    QTimer::singleShot(m_limits.queuePause, this, [this, provider] {
        wake(provider);
        startWaiting();
    });
    startWaiting();
}

/// Perhaps there is room now.
void RunQueue::wake(const QString &provider)
{
    for (const std::shared_ptr<Entry> &entry : m_entries) {
        if (entry->context->run->plan().provider == provider) {
            entry->resting = false;
        }
    }
}

void RunQueue::remove(const QString &run)
{
    QString provider;
    for (const std::shared_ptr<Entry> &entry : m_entries) {
        if (entry->context->run->id() == run) {
            provider = entry->context->run->plan().provider;
        }
    }
    const auto removed =
        m_entries.removeIf([&run](const auto &entry) { return entry->context->run->id() == run; });
    if (removed == 0) {
        return;
    }
    wake(provider);
    startWaiting();
    Q_EMIT runOver(run);
    if (m_entries.isEmpty()) {
        Q_EMIT idle();
    }
}

void RunQueue::cancel(const QString &run, StopMode mode)
{
    const QList<std::shared_ptr<Entry>> entries = m_entries;
    for (const std::shared_ptr<Entry> &entry : entries) {
        if (entry->context->run->id() != run) {
            continue;
        }
        if (entry->context->stopMode != StopMode::Discard) { // what is thrown away stays so
            entry->context->stopMode = mode;
        }
        if (entry->driven) {
            entry->stop.request_stop();
        } else {
            endWaiting(entry->context->run);
            remove(run);
        }
    }
}

void RunQueue::endWaiting(const std::shared_ptr<Run> &run)
{
    const QString message = Tr::tr("You stopped it before it began.");
    const Result<void> stored =
        m_store.finishRun(run->id(), RunPhase::Cancelled, Outcome::Cancelled, message);
    run->setOutcome(Outcome::Cancelled, message, stored ? QString() : stored.error().message);
    run->setEnded(RunPhase::Cancelled, m_clock.now());
    const Result<void> dossier = writeDossier(*run, m_store);
    if (!dossier) {
        run->addWarning(dossier.error().message);
    }
}

QList<std::shared_ptr<Run>> RunQueue::running() const
{
    QList<std::shared_ptr<Run>> runs;
    for (const std::shared_ptr<Entry> &entry : m_entries) {
        runs << entry->context->run;
    }
    return runs;
}

std::shared_ptr<Run> RunQueue::find(const QString &run) const
{
    for (const std::shared_ptr<Entry> &entry : m_entries) {
        if (entry->context->run->id() == run) {
            return entry->context->run;
        }
    }
    return nullptr;
}

void RunQueue::setLimit(const QString &provider, int limit)
{
    m_limitOf[provider] = std::max(1, limit);
    startWaiting();
}

QCoro::Task<Result<int>> RunQueue::recover(std::stop_token stop)
{
    const RecoveryParts parts{&m_store, m_providers, &m_secrets, &m_clock, m_limits};
    co_return co_await recoverRuns(parts, stop);
}

QCoro::Task<void> RunQueue::shutDown()
{
    const QList<std::shared_ptr<Entry>> entries = m_entries;
    for (const std::shared_ptr<Entry> &entry : entries) {
        cancel(entry->context->run->id(), StopMode::KeepWork);
    }
    for (const std::shared_ptr<Entry> &entry : entries) {
        if (entry->task) {
            co_await *entry->task;
            if (!entry->context->run->outcome()) { // it had just gone back to the queue
                endWaiting(entry->context->run);
            }
            remove(entry->context->run->id());
        }
    }
}

} // namespace Glovebox
