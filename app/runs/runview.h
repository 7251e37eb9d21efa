// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/logindex.h"
#include "app/widgets/stagestepper.h"
#include "core/agents/transcript.h"
#include "core/review/changeset.h"
#include "core/runs/records.h"
#include "core/runs/runplan.h"

#include <QMetaType>

namespace Glovebox {

/// Something the agent did, and when we saw it.
struct TimedEvent
{
    QDateTime at;
    AgentEvent event;
};

/// All that a page shows of one run, as a value: rows of the database and what the live run adds.
/// Pages are built from it alone, so they work on samples as on the engine.
struct RunView
{
    RunRecord record;
    QList<PhaseEvent> phases;
    QList<Evidence> evidence;
    QList<ProofRecord> proofs;
    QList<EgressRecord> egress;
    QList<CheckpointRecord> checkpoints;
    QList<ImportRecord> imports;
    QList<SandboxRecord> sandboxes; ///< that are not gone
    QList<TimedEvent> events;
    AgentSummary summary;
    QList<PlanRow> plan;
    QByteArray taskText; ///< the task as it was run
    int checks = 0;      ///< acceptance commands
    std::chrono::seconds timeout{0};
    std::optional<double> budgetUsd;
    QString folder;                              ///< of the run: logs, bundles
    QString agentLog;                            ///< absolute path of the agent's output
    QString blockedText;                         ///< BLOCKED.md of the branch
    ChangeSet changes;                           ///< of the branch; empty until it is imported
    std::optional<QList<QByteArray>> outOfScope; ///< raw paths; nothing = not known
    QStringList warnings;                        ///< sentences
    QList<HazardRecord> hazards;                 ///< of what came back
    int offline = 0;                             ///< seconds without an answer of the sandbox
    /// Who works on a run that isn't at rest: only our own ones can be stopped and watched live.
    enum class Worker { ThisProgram, AnotherProgram, Nobody };
    Worker worker = Worker::ThisProgram;
};

/// How one phase of the pipeline went.
struct PhaseStep
{
    enum class State { Done, Current, ToCome, Failed };
    RunPhase phase = RunPhase::Packing;
    State state = State::ToCome;
    QString measure; ///< its duration
};

/// What may be done with a run now.
struct RunActions
{
    bool stop = false;
    bool review = false;
    bool runAgain = false;
    bool deleteRecord = false;
};

[[nodiscard]] RunState stateOf(const RunRecord &record);
/// The one function that enables actions.
[[nodiscard]] RunActions actionsFor(const RunRecord &record);
/// The same, where it is known who works on it.
[[nodiscard]] RunActions actionsFor(const RunView &view);
[[nodiscard]] bool needsReader(const RunRecord &record);

[[nodiscard]] Stages stagesOf(const RunView &view, const QDateTime &now);
/// Which door to open first.
[[nodiscard]] Stage doorOf(const RunRecord &record);
[[nodiscard]] QList<PhaseStep> stepsOf(const RunView &view, const QDateTime &now);

/// When Working began, or nothing.
[[nodiscard]] QDateTime workingSince(const RunView &view);
/// "18 min 42 s"
[[nodiscard]] QString spanText(qint64 milliseconds);
/// "12 min ago", "28 Nov 09:12"
[[nodiscard]] QString whenText(const QDateTime &at, const QDateTime &now);
[[nodiscard]] QString moneyText(double usd);
/// "exit 1", "timed out", "lost"
[[nodiscard]] QString endText(const CommandResult &result);
[[nodiscard]] Glyph glyphOf(const Evidence &evidence);
/// One line below a run's title in lists: state and when.
[[nodiscard]] QString factText(const RunRecord &record, const QDateTime &now);

} // namespace Glovebox

Q_DECLARE_METATYPE(Glovebox::RunRecord)
