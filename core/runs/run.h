// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/transcript.h"
#include "core/runs/records.h"
#include "core/runs/runplan.h"

#include <QObject>

namespace Glovebox {

struct PhaseTime
{
    RunPhase phase = RunPhase::Queued;
    QDateTime began;
    QDateTime ended; ///< invalid while it lasts
};

/// What came back, once it is in the repository.
struct ReturnedBranch
{
    QString branch; ///< short name it got
    QString tip;
    int commits = 0;
    int files = 0;
    int added = 0;
    int removed = 0;
    QList<QByteArray> outOfScope; ///< raw paths
    QString blocked;              ///< text of BLOCKED.md, cut at 64 KiB
};

/// One run as others see it: what is known of it now, and signals when that changes. The pipeline
/// writes it, views only read. Main thread; shared.
class Run final : public QObject
{
    Q_OBJECT

public:
    explicit Run(RunPlan plan, QString folder);

    [[nodiscard]] QString id() const { return m_plan.run; }
    [[nodiscard]] const RunPlan &plan() const { return m_plan; }
    /// Private folder of this run: run.log, logs/, bundles, the dossier.
    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QString logFile() const { return m_folder + QStringLiteral("/run.log"); }

    [[nodiscard]] RunPhase phase() const { return m_phase; }
    [[nodiscard]] std::optional<Outcome> outcome() const { return m_outcome; }
    [[nodiscard]] QString message() const { return m_message; }
    [[nodiscard]] QString detail() const { return m_detail; }
    [[nodiscard]] const QList<PhaseTime> &times() const { return m_times; }
    [[nodiscard]] const QList<AgentEvent> &events() const { return m_events; }
    [[nodiscard]] const AgentSummary &summary() const { return m_summary; }
    [[nodiscard]] const QList<Evidence> &evidence() const { return m_evidence; }
    [[nodiscard]] const QList<ProofRecord> &proofs() const { return m_proofs; }
    [[nodiscard]] const QList<EgressRecord> &egress() const { return m_egress; }
    [[nodiscard]] const QList<CheckpointRecord> &checkpoints() const { return m_checkpoints; }
    [[nodiscard]] const QList<HazardRecord> &hazards() const { return m_hazards; }
    [[nodiscard]] const QStringList &warnings() const { return m_warnings; }
    [[nodiscard]] const ReturnedBranch &returned() const { return m_returned; }
    [[nodiscard]] QDateTime workDeadline() const
    {
        return m_workDeadline;
    } ///< invalid unless Working
    [[nodiscard]] qint64 logSize() const { return m_logSize; }

    // For the pipeline.
    void setPhase(RunPhase phase, const QDateTime &at);
    void setOutcome(Outcome outcome, const QString &message, const QString &detail);
    void setEnded(RunPhase phase, const QDateTime &at);
    void addEvents(const QList<AgentEvent> &events);
    void setSummary(const AgentSummary &summary);
    void addEvidence(const Evidence &evidence);
    void addProof(const ProofRecord &proof);
    void setEgress(const QList<EgressRecord> &egress);
    void addCheckpoint(const CheckpointRecord &checkpoint);
    void setHazards(const QList<HazardRecord> &hazards);
    void addWarning(const QString &sentence);
    void setReturned(const ReturnedBranch &returned);
    void setWorkDeadline(const QDateTime &deadline);
    void setLogSize(qint64 size);

Q_SIGNALS:
    void phaseChanged(Glovebox::RunPhase phase);
    void logGrew(qint64 size);     ///< coalesced, at most one in 50 ms
    void eventsChanged(int first); ///< rows from here on are new or updated
    void changed();                ///< anything else
    void finished();               ///< once; phase and outcome are final

private:
    RunPlan m_plan;
    QString m_folder;
    RunPhase m_phase = RunPhase::Queued;
    std::optional<Outcome> m_outcome;
    QString m_message;
    QString m_detail;
    QList<PhaseTime> m_times;
    QList<AgentEvent> m_events;
    QHash<QString, int> m_eventRows;
    AgentSummary m_summary;
    QList<Evidence> m_evidence;
    QList<ProofRecord> m_proofs;
    QList<EgressRecord> m_egress;
    QList<CheckpointRecord> m_checkpoints;
    QList<HazardRecord> m_hazards;
    QStringList m_warnings;
    ReturnedBranch m_returned;
    QDateTime m_workDeadline;
    qint64 m_logSize = 0;
    QTimer m_logTimer;
};

} // namespace Glovebox
