// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/runs/records.h"

#include <QSqlDatabase>

#include <memory>

namespace Glovebox {

/// The truth about runs, sandboxes and evidence: one SQLite database (WAL, STRICT tables), written
/// before the effect that a row describes. Two programs on one database are safe. Main thread; each
/// call is one short transaction.
class RunStore final
{
public:
    /// Opens or makes DATA/glovebox.sqlite and brings its schema up to date. A database of a newer
    /// version is refused, never rewritten; a damaged one is named, never deleted.
    [[nodiscard]] static Result<std::unique_ptr<RunStore>> open(const QString &dataFolder,
                                                                const Clock &clock);
    ~RunStore();
    RunStore(const RunStore &) = delete;
    RunStore &operator=(const RunStore &) = delete;

    [[nodiscard]] QString dataFolder() const { return m_dataFolder; }
    /// DATA/runs/ID
    [[nodiscard]] QString runFolder(const QString &run) const;
    /// [a-z0-9], the same for the life of the database; in every label.
    [[nodiscard]] QString installation() const { return m_installation; }

    [[nodiscard]] Result<void> insertRun(const RunRecord &run);
    [[nodiscard]] Result<RunRecord> run(const QString &id) const;
    /// Newest first. A prefix of an id of at least 6 characters, or "last", names one run.
    [[nodiscard]] Result<QString> findRun(const QString &name) const;
    [[nodiscard]] Result<QList<RunRecord>> runs(int limit = 200, int offset = 0) const;
    [[nodiscard]] Result<QList<RunRecord>> unfinishedRuns() const;

    /// Moves the phase and appends its event in one transaction; an illegal move is InvalidRequest.
    [[nodiscard]] Result<void> movePhase(const QString &run, RunPhase to,
                                         const Error *why = nullptr);
    /// Sets the outcome and the end together with the last move (which may have been made).
    [[nodiscard]] Result<void> finishRun(const QString &run, RunPhase to, Outcome outcome,
                                         const QString &message, const Error *why = nullptr);
    [[nodiscard]] Result<QList<PhaseEvent>> phaseEvents(const QString &run) const;
    [[nodiscard]] Result<void> setUsage(const QString &run, std::optional<double> costUsd,
                                        std::optional<qint64> inputTokens,
                                        std::optional<qint64> outputTokens);
    [[nodiscard]] Result<void> setLastWords(const QString &run, const QString &words);
    /// Why it ended so, when that has become more than it was at the end.
    [[nodiscard]] Result<void> setMessage(const QString &run, const QString &message);
    [[nodiscard]] Result<void> setTip(const QString &run, const QString &tip);
    [[nodiscard]] Result<void> setBranch(const QString &run, const QString &branch);
    /// Takes over a run of a dead process; false when another process was faster.
    [[nodiscard]] Result<bool> claimRun(const QString &run, const QString &from, const QString &to);
    [[nodiscard]] Result<void> deleteRun(const QString &run);

    /// Busy when a row of this key is there and not gone.
    [[nodiscard]] Result<void> insertSandbox(const SandboxRecord &sandbox);
    [[nodiscard]] Result<void> setSandboxLive(const QString &key, const QString &nativeId);
    [[nodiscard]] Result<void> setSandboxState(const QString &key, LedgerState state,
                                               const QString &error = {});
    [[nodiscard]] Result<void> setSavedTip(const QString &key, const QString &tip);
    /// All rows that are not gone, or those of one run.
    [[nodiscard]] Result<QList<SandboxRecord>> sandboxes(const QString &run = {}) const;

    [[nodiscard]] Result<void> insertCommand(const CommandRecord &command);
    [[nodiscard]] Result<void> setCommandStarted(const QString &id);
    [[nodiscard]] Result<void> setCommandOffsets(const CommandRecord &command);
    [[nodiscard]] Result<void> setCommandEnded(const QString &id, const CommandResult &result);

    [[nodiscard]] Result<void> insertCheckpoint(const QString &run,
                                                const CheckpointRecord &checkpoint);
    [[nodiscard]] Result<QList<CheckpointRecord>> checkpoints(const QString &run) const;
    [[nodiscard]] Result<void> insertEvidence(const QString &run, const Evidence &evidence);
    [[nodiscard]] Result<QList<Evidence>> evidence(const QString &run) const;
    [[nodiscard]] Result<void> insertProof(const QString &run, const QString &provider,
                                           const QString &policyDigest, const ProofRecord &proof);
    [[nodiscard]] Result<QList<ProofRecord>> proofs(const QString &run) const;
    [[nodiscard]] Result<void> putEgress(const QString &run, const QList<EgressRecord> &egress);
    [[nodiscard]] Result<QList<EgressRecord>> egress(const QString &run) const;
    [[nodiscard]] Result<void> insertImport(const QString &run, const ImportRecord &import);
    [[nodiscard]] Result<QList<ImportRecord>> imports(const QString &run) const;
    [[nodiscard]] Result<void> insertHazards(const QString &run,
                                             const QList<HazardRecord> &hazards);
    [[nodiscard]] Result<QList<HazardRecord>> hazards(const QString &run) const;

private:
    RunStore(QSqlDatabase database, QString dataFolder, const Clock &clock);
    [[nodiscard]] Result<void> migrate();
    [[nodiscard]] Result<void> readInstallation();
    [[nodiscard]] qint64 now() const;
    [[nodiscard]] Result<QString> phaseNow(const QString &run) const;
    /// Within a transaction.
    [[nodiscard]] Result<void> moveFrom(const QString &from, const QString &run, RunPhase to,
                                        const Error *why);

    QSqlDatabase m_database;
    QString m_dataFolder;
    QString m_installation;
    const Clock &m_clock;
};

/// "boot id:pid:pid's start" of this process, and whether the process of such a text still lives.
[[nodiscard]] QString ownerOfThisProcess();
[[nodiscard]] bool isOwnerAlive(const QString &owner);

} // namespace Glovebox
