// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checks/evidence.h"
#include "core/runs/phase.h"

#include <QDateTime>

namespace Glovebox {

/// Rows of the database, as values. Times are UTC.

struct RunRecord
{
    QString id;
    QString repository;
    QString gitFolder;
    QString taskPath;
    QString taskDigest;
    QString title;
    QString provider;
    QString agent;
    RunPhase phase = RunPhase::Queued;
    std::optional<Outcome> outcome;
    QString message;   ///< why it ended so, one sentence
    QString lastWords; ///< of the agent, or why it failed in its own words; no evidence
    std::optional<double> costUsd;
    std::optional<qint64> inputTokens;
    std::optional<qint64> outputTokens;
    QString base;
    QString tip;
    QString wantedBranch;
    QString branch;  ///< what it became in the repository; empty until imported
    QByteArray plan; ///< canonical JSON
    QString planDigest;
    QString owner; ///< of the process that works on it: boot id, pid, pid's start
    QDateTime created;
    QDateTime ended;
};

struct PhaseEvent
{
    int seq = 0;
    RunPhase from = RunPhase::Queued;
    RunPhase to = RunPhase::Queued;
    QDateTime at;
    QString code;
    QString message;
    QString detail;
};

enum class LedgerState { Planned, Live, Kept, Ending, Gone };
[[nodiscard]] QString ledgerStateName(LedgerState state);

/// One sandbox in the ledger: the row is there before the sandbox is.
struct SandboxRecord
{
    QString key; ///< run id and role
    QString run;
    QString role; ///< "work" or "verify"
    QString provider;
    QString nativeId;
    LedgerState state = LedgerState::Planned;
    QString policyDigest;
    QDateTime deadline;
    QString savedTip; ///< what of its commits is on our disk
    int tries = 0;
    QString lastError;
    QDateTime created;
    QDateTime gone;
};

struct CommandRecord
{
    QString id;
    QString sandbox; ///< ledger key
    QString purpose; ///< "agent", "setup", "check", "canary", "seed", "seal", "checkpoint"
    QString argv;    ///< JSON array, never with secrets
    qint64 limitSeconds = 0;
    QString state; ///< planned started ended
    std::optional<CommandResult> result;
    QString log; ///< file below the run's folder
    qint64 outOffset = 0;
    qint64 outLength = 0;
    qint64 errOffset = 0;
    qint64 errLength = 0;
    QDateTime started;
};

/// A bundle of the agent's work that is on our disk, whole and verified.
struct CheckpointRecord
{
    int seq = 0;
    QString tip;
    QString file; ///< below the run's folder
    QString sha256;
    qint64 bytes = 0;
    bool sealed = false; ///< made after the agent's processes were ended
    QDateTime at;
};

struct ProofRecord
{
    QString canary; ///< "allowed listener", "forbidden listener", "secrets", …
    QString expected;
    QString seen;
    bool passed = false;
    bool tried = true; ///< false: skipped with a reason in seen
    QDateTime at;
};

struct EgressRecord
{
    QString host;
    quint16 port = 0;
    bool allowed = false;
    qint64 count = 0;
    QDateTime first;
    QDateTime last;
    QString source; ///< "proxy" or "agent"
};

struct ImportRecord
{
    int seq = 0;
    QString file;
    QString sha256;
    QString tip;
    QString verdict; ///< "accepted" or "refused"
    QString code;
    QString reason;
    QString reference;
    QDateTime at;
};

struct HazardRecord
{
    QString commit;
    QByteArray path;
    QString kind;
    QString reason;
};

} // namespace Glovebox
