// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/run.h"

namespace Glovebox {

namespace {

constexpr int keptEvents = 20'000;
constexpr std::chrono::milliseconds logPause{50};

} // namespace

Run::Run(RunPlan plan, QString folder)
    : m_plan(std::move(plan))
    , m_folder(std::move(folder))
{
    m_logTimer.setSingleShot(true);
    m_logTimer.setInterval(logPause);
    connect(&m_logTimer, &QTimer::timeout, this, [this] { Q_EMIT logGrew(m_logSize); });
}

void Run::setPhase(RunPhase phase, const QDateTime &at)
{
    if (!m_times.isEmpty()) {
        m_times.last().ended = at;
    }
    m_times << PhaseTime{phase, at, {}};
    m_phase = phase;
    Q_EMIT phaseChanged(phase);
}

void Run::setOutcome(Outcome outcome, const QString &message, const QString &detail)
{
    m_outcome = outcome;
    m_message = message;
    m_detail = detail;
    Q_EMIT changed();
}

void Run::setEnded(RunPhase phase, const QDateTime &at)
{
    setPhase(phase, at);
    m_times.last().ended = at;
    Q_EMIT finished();
}

void Run::addEvents(const QList<AgentEvent> &events)
{
    int first = static_cast<int>(m_events.size());
    for (const AgentEvent &event : events) {
        const auto known = m_eventRows.constFind(event.id);
        if (!event.id.isEmpty() && known != m_eventRows.constEnd()) {
            m_events[*known] = event;
            first = std::min(first, *known);
            continue;
        }
        if (m_events.size() >= keptEvents) {
            continue; // the transcript on disk has them all
        }
        if (!event.id.isEmpty()) {
            m_eventRows.insert(event.id, static_cast<int>(m_events.size()));
        }
        m_events << event;
    }
    if (!events.isEmpty()) {
        Q_EMIT eventsChanged(first);
    }
}

void Run::setSummary(const AgentSummary &summary)
{
    m_summary = summary;
    Q_EMIT changed();
}

void Run::addEvidence(const Evidence &evidence)
{
    m_evidence << evidence;
    Q_EMIT changed();
}

void Run::addProof(const ProofRecord &proof)
{
    m_proofs << proof;
    Q_EMIT changed();
}

void Run::setEgress(const QList<EgressRecord> &egress)
{
    m_egress = egress;
    Q_EMIT changed();
}

void Run::addCheckpoint(const CheckpointRecord &checkpoint)
{
    m_checkpoints << checkpoint;
    Q_EMIT changed();
}

void Run::setHazards(const QList<HazardRecord> &hazards)
{
    m_hazards = hazards;
    Q_EMIT changed();
}

void Run::addWarning(const QString &sentence)
{
    if (!m_warnings.contains(sentence)) {
        m_warnings << sentence;
        Q_EMIT changed();
    }
}

void Run::setReturned(const ReturnedBranch &returned)
{
    m_returned = returned;
    Q_EMIT changed();
}

void Run::setWorkDeadline(const QDateTime &deadline)
{
    m_workDeadline = deadline;
    Q_EMIT changed();
}

void Run::setLogSize(qint64 size)
{
    m_logSize = size;
    if (!m_logTimer.isActive()) {
        m_logTimer.start();
    }
}

} // namespace Glovebox
