// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/enginesource.h"

#include "app/runs/keptrun.h"
#include "app/runs/recordedplan.h"
#include "core/base/files.h"
#include "core/base/pool.h"
#include "core/runs/receipt.h"
#include "core/runs/run.h"
#include "core/tasks/taskfile.h"

#include <QFileInfo>
#include <QTimer>

namespace Glovebox {

namespace {

constexpr qint64 largestTask = 1024LL * 1024;

void addTask(RunView *view)
{
    const TaskFile task = TaskDocument::parse(view->taskText).task();
    view->checks = static_cast<int>(task.acceptance.size());
    view->timeout = task.timeout;
    view->budgetUsd = task.budgetUsd;
}

void addLiving(RunView *view, const Run &run, const QList<QDateTime> &seen)
{
    view->plan = planRows(run.plan());
    view->egress = run.egress();
    view->summary = run.summary();
    view->record.message = run.message();
    view->warnings = run.warnings();
    view->blockedText = run.returned().blocked;
    if (!run.returned().tip.isEmpty()) {
        view->outOfScope = run.returned().outOfScope;
    }
    for (qsizetype index = 0; index < run.events().size(); ++index) {
        view->events.append({seen.value(index), run.events().at(index)});
    }
}

/// What only the dossier has, which is written when a run ends.
void addKept(RunView *view, const RunReport &report)
{
    view->warnings = report.warnings;
    QList<QByteArray> outside;
    for (const QString &path : report.outOfScope) {
        outside.append(path.toUtf8());
    }
    if (!outside.isEmpty()) { // else there may be no dossier
        view->outOfScope = outside;
    }
}

} // namespace

EngineSource::EngineSource(Services *services, std::chrono::milliseconds othersPause,
                           QObject *parent)
    : RunSource(parent)
    , m_services(services)
    , m_othersTimer(new QTimer(this))
{
    m_othersTimer->setSingleShot(true);
    m_othersTimer->setInterval(othersPause);
    connect(m_othersTimer, &QTimer::timeout, this, &EngineSource::lookAtOthers);
    connect(&services->queue(), &RunQueue::runAdded, this, [this](const std::shared_ptr<Run> &run) {
        follow(run);
        Q_EMIT runsChanged();
    });
    connect(&services->queue(), &RunQueue::runOver, this, [this](const QString &id) {
        Q_EMIT runChanged(id);
        Q_EMIT runsChanged();
    });
    for (const std::shared_ptr<Run> &run : services->queue().running()) {
        follow(run);
    }
}

EngineSource::~EngineSource()
{
    m_planning.request_stop();
    dropPrepared();
}

void EngineSource::follow(const std::shared_ptr<Run> &run)
{
    const QString id = run->id();
    const Run *seenRun = run.get();
    connect(run.get(), &Run::phaseChanged, this, [this, id] {
        Q_EMIT runChanged(id);
        Q_EMIT runsChanged();
    });
    connect(run.get(), &Run::changed, this, [this, id] { Q_EMIT runChanged(id); });
    connect(run.get(), &Run::finished, this, [this, id] {
        Q_EMIT runChanged(id);
        Q_EMIT runsChanged();
    });
    connect(run.get(), &Run::logGrew, this, [this, id] { Q_EMIT outputAppended(id); });
    connect(run.get(), &Run::eventsChanged, this, [this, id, seenRun](int first) {
        QList<QDateTime> &seen = m_seen[id];
        while (seen.size() < seenRun->events().size()) {
            seen.append(m_services->clock().now());
        }
        QList<TimedEvent> fresh;
        for (qsizetype index = first; index < seenRun->events().size(); ++index) {
            fresh.append({seen.at(index), seenRun->events().at(index)});
        }
        Q_EMIT eventsChanged(id, first, fresh);
    });
}

Result<QList<RunRecord>> EngineSource::runs() const
{
    Result<QList<RunRecord>> runs = m_services->store().runs();
    if (runs) {
        for (const RunRecord &run : std::as_const(*runs)) {
            noteOther(run);
        }
    }
    return runs;
}

RunView::Worker EngineSource::workerOf(const RunRecord &record) const
{
    if (isAtRest(record.phase) || m_services->queue().find(record.id)) {
        return RunView::Worker::ThisProgram;
    }
    const bool others = record.owner != ownerOfThisProcess() && isOwnerAlive(record.owner);
    return others ? RunView::Worker::AnotherProgram : RunView::Worker::Nobody;
}

/// Nothing tells us when a run of another program goes on, so it is looked at as long as somebody
/// shows it at work. Reading arms it again.
void EngineSource::noteOther(const RunRecord &record) const
{
    if (!isAtRest(record.phase) && !m_services->queue().find(record.id)) {
        m_others.insert(record.id);
        if (!m_othersTimer->isActive()) {
            m_othersTimer->start();
        }
    }
}

void EngineSource::lookAtOthers()
{
    const QSet<QString> others = std::exchange(m_others, {});
    for (const QString &id : others) {
        lookAtOther(id);
    }
    if (!others.isEmpty()) {
        Q_EMIT runsChanged();
    }
}

void EngineSource::lookAtOther(const QString &id)
{
    Q_EMIT runChanged(id);
    const qint64 size =
        QFileInfo(m_services->store().runFolder(id) + QStringLiteral("/run.log")).size();
    qint64 &known = m_logSizes[id];
    if (size == known) {
        return;
    }
    known = size;
    Q_EMIT outputAppended(id);
    if (m_keptAsked == id) {
        readKept(id);
    }
}

QList<RunRecord> EngineSource::working() const
{
    QList<RunRecord> records;
    for (const std::shared_ptr<Run> &run : m_services->queue().running()) {
        const Result<RunRecord> record = m_services->store().run(run->id());
        if (record && !isAtRest(record->phase)) {
            records.append(*record);
        } else if (!record) {
            RunRecord known; // it works all the same
            known.id = run->id();
            known.title = run->plan().task.title;
            known.phase = run->phase();
            records.append(known);
        }
    }
    return records;
}

Result<RunView> EngineSource::run(const QString &id) const
{
    const Result<RunReport> report = readReport(m_services->store(), id);
    if (!report) {
        return fail(report.error());
    }
    RunView view;
    view.record = report->run;
    view.phases = report->phases;
    view.evidence = report->evidence;
    view.proofs = report->proofs;
    view.egress = report->egress;
    view.checkpoints = report->checkpoints;
    view.imports = report->imports;
    view.hazards = report->hazards;
    view.worker = workerOf(report->run);
    noteOther(report->run);
    for (const SandboxRecord &sandbox : report->sandboxes) {
        if (sandbox.state != LedgerState::Gone) {
            view.sandboxes.append(sandbox);
        }
    }
    view.folder = m_services->store().runFolder(id);
    view.agentLog = view.folder + QStringLiteral("/run.log");
    view.taskText =
        readFile(view.folder + QStringLiteral("/task.md"), largestTask).value_or(QByteArray());
    addTask(&view);
    if (const std::shared_ptr<Run> living = m_services->queue().find(id)) {
        addLiving(&view, *living, m_seen.value(id));
    } else {
        view.plan = recordedPlanRows(report->run.plan, view.taskText);
        view.summary.lastWords = report->run.lastWords;
        addKept(&view, *report);
    }
    return view;
}

PlannerParts EngineSource::parts() const
{
    PlannerParts parts;
    parts.agents = &m_services->agents();
    parts.providers = m_services->providers();
    parts.secrets = &m_services->secrets();
    parts.store = &m_services->store();
    parts.environment = m_services->environment();
    return parts;
}

void EngineSource::dropPrepared()
{
    if (m_prepared) {
        discardPlan(*m_prepared, m_services->store());
        m_prepared.reset();
    }
}

void EngineSource::plan(const QString &taskPath, const QString &repository, const PlanTicks &ticks)
{
    m_planning.request_stop();
    m_planning = std::stop_source();
    dropPrepared();
    const int generation = ++m_generation;
    PlanRequest request;
    request.taskFile = taskPath;
    request.repository = repository;
    request.ticks = ticks;
    QCoro::connect(makePlan(parts(), request, m_planning.get_token()), this,
                   [this, generation, taskPath](const Result<PlannedRun> &planned) {
                       takePlan(generation, planned, taskPath);
                   });
}

void EngineSource::takePlan(int generation, const Result<PlannedRun> &planned,
                            const QString &taskPath)
{
    if (generation != m_generation) {
        if (planned && planned->prepared) {
            discardPlan(*planned->prepared, m_services->store());
        }
        return;
    }
    if (!planned) {
        Q_EMIT planRefused(planned.error(), {}, {});
        return;
    }
    if (!planned->prepared) {
        const QByteArray text = readFile(taskPath, largestTask).value_or(QByteArray());
        Q_EMIT planRefused({ErrorCode::InvalidRequest, tr("This task can't be run as it is."), {}},
                           planned->problems, TaskDocument::parse(text).task().environment);
        return;
    }
    m_prepared = planned->prepared;
    Q_EMIT planReady(m_prepared->plan);
}

void EngineSource::start(const RunPlan &plan)
{
    if (!m_prepared || m_prepared->plan.run != plan.run) {
        Q_EMIT startRefused(
            {ErrorCode::InvalidRequest, tr("This plan is out of date. Plan the run again."), {}});
        return;
    }
    const PreparedRun prepared = *m_prepared;
    m_prepared.reset();
    const Result<std::shared_ptr<Run>> run = m_services->queue().submit(prepared);
    if (!run) {
        discardPlan(prepared, m_services->store());
        Q_EMIT startRefused(run.error());
        return;
    }
    Q_EMIT runStarted((*run)->id());
}

void EngineSource::stop(const QString &id, StopWish wish)
{
    m_services->queue().cancel(id,
                               wish == StopWish::KeepWork ? StopMode::KeepWork : StopMode::Discard);
}

void EngineSource::readKept(const QString &id)
{
    m_keptAsked = id;
    const Result<RunRecord> record = m_services->store().run(id);
    if (!record) {
        Q_EMIT keptRead(id, {}, {}); // run() says why
        return;
    }
    KeptPlaces places;
    places.folder = m_services->store().runFolder(id);
    if (const Agent *agent = m_services->agents().find(record->agent)) {
        places.agent = *agent;
    }
    places.gitFolder = record->gitFolder;
    places.tip = record->branch.isEmpty() ? QString() : record->tip;
    QCoro::connect(runInPool([places] { return readKeptRun(places); }), this,
                   [this, id](const KeptRun &kept) { takeKept(id, kept); });
}

void EngineSource::takeKept(const QString &id, const KeptRun &kept)
{
    const QList<QDateTime> seen = m_seen.value(id); // of a run that was watched in this session
    QList<TimedEvent> events;
    events.reserve(kept.events.size() + 1);
    for (qsizetype index = 0; index < kept.events.size(); ++index) {
        events.append({seen.value(index), kept.events.at(index)});
    }
    if (kept.left > 0) {
        AgentEvent rest;
        rest.object = tr("There is more: only the log has what came later.");
        events.append({{}, rest});
    }
    Q_EMIT keptRead(id, events, kept.blockedText);
}

} // namespace Glovebox
