// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checks/canarylistener.h"
#include "core/git/quarantine.h"
#include "core/runs/runcontext.h"

namespace Glovebox {

// The phases of a run, one file each. Each enters its phase, does its work, and either lets the
// next one follow or says how the run ends. None of them destroys a sandbox: that is releasing's.

/// The bundle that the plan names is still the one on disk, and there is room for what comes back.
[[nodiscard]] QCoro::Task<Step> packing(SharedContext context, std::stop_token stop);

/// Whether canaries can reach a listener of ours: not from a sandbox on another machine.
[[nodiscard]] bool hasListener(const SharedContext &context);

/// A sandbox for a role, with its ledger row first. The listener's allowed port is let through
/// until closeListenerPort().
[[nodiscard]] QCoro::Task<tl::expected<RunSandbox, RunEnd>>
createSandbox(SharedContext context, QString role, quint16 allowedPort, std::stop_token stop);

/// The canaries.
[[nodiscard]] QCoro::Task<Step> proveSandbox(SharedContext context, RunSandbox sandbox,
                                             std::shared_ptr<CanaryListener> listener,
                                             std::stop_token stop);
/// After the canaries, and before anything of the task runs: from then on the sandbox has exactly
/// the plan's policy.
[[nodiscard]] QCoro::Task<Step> closeListenerPort(SharedContext context, RunSandbox sandbox,
                                                  std::stop_token stop);

/// Begins to make and prove the sandbox of the checks beside the agent's, with the base's bundle in
/// it: that hides its start. Kept in context->verifying until takeVerifySandbox(), which waits for
/// it.
void startVerifySandbox(SharedContext context, std::stop_token stop);
[[nodiscard]] QCoro::Task<tl::expected<RunSandbox, RunEnd>> takeVerifySandbox(SharedContext context,
                                                                              std::stop_token stop);

/// Creating and Proving of the agent's sandbox.
[[nodiscard]] QCoro::Task<Step> creatingAndProving(SharedContext context, std::stop_token stop);

/// The bundle of the base, to its place in a sandbox.
[[nodiscard]] QCoro::Task<Step> putBaseBundle(SharedContext context, RunSandbox sandbox,
                                              std::stop_token stop);

/// The clone, the branch, the identity, then the setup commands.
[[nodiscard]] QCoro::Task<Step> seeding(SharedContext context, std::stop_token stop);

/// The setup commands of the task in one folder.
[[nodiscard]] QCoro::Task<Step> runSetup(SharedContext context, RunSandbox sandbox, QString folder,
                                         std::stop_token stop);

/// The agent, to its end or to a limit; checkpoints beside it.
[[nodiscard]] QCoro::Task<Step> working(SharedContext context, std::stop_token stop);

/// One checkpoint: never touches the agent's index. Updates context->saved; older ones go.
[[nodiscard]] QCoro::Task<Result<void>>
takeCheckpoint(SharedContext context, std::chrono::seconds limit, std::stop_token stop);
/// Deletes the bundles of all checkpoints but some, by their names: they may hold what the agent
/// took back since.
void removeCheckpoints(const SharedContext &context, const QStringList &kept);
/// Once a run is over: only what came back is kept, and nothing of what was thrown away.
void keepOnlyWhatCameBack(const SharedContext &context);

/// The agent's sandbox again, by its row: after a restart, or when the way to it broke. Without it
/// context->work stays as it is.
[[nodiscard]] QCoro::Task<Result<void>> attachWork(SharedContext context, SandboxRecord row);

/// Whether a checkpoint that failed so may work another time: the sandbox is kept for that.
[[nodiscard]] bool mayBeFetchedLater(const Error &error);
/// Keeps a sandbox whose work is not on our disk instead of deleting it: ledger and warning.
void keepSandbox(const SharedContext &context, const QString &key, const QDateTime &deadline,
                 const Error &error);

/// Ends what is left, commits it, fixes the tip, brings the bundle here.
[[nodiscard]] QCoro::Task<Step> sealing(SharedContext context, std::stop_token stop);

/// Acceptance on exactly the sealed tip; evidence. Whether it passed is in the run's evidence.
[[nodiscard]] QCoro::Task<Step> checking(SharedContext context, std::stop_token stop);

/// Quarantine, one ref, scope, BLOCKED.md.
[[nodiscard]] QCoro::Task<Step> importing(SharedContext context, std::stop_token stop);
/// The same without the phase, for work that an earlier process saved.
[[nodiscard]] QCoro::Task<Step> importSavedWork(SharedContext context, std::stop_token stop);

/// Destroys every sandbox of the run, whatever happened; with a token of its own.
[[nodiscard]] QCoro::Task<void> releasing(SharedContext context);

/// Waits for a sandbox of the checks that is still being made, and takes it out of the context's
/// hands when there is one.
[[nodiscard]] QCoro::Task<std::optional<RunSandbox>> leaveVerifySandbox(SharedContext context);

/// Destroys one sandbox and keeps the ledger true.
[[nodiscard]] QCoro::Task<Result<void>> releaseSandbox(SharedContext context, RunSandbox sandbox);

/// Destroys what a row of the ledger stands for where nobody holds the sandbox, by its id or, where
/// none was ever confirmed, by its labels. The row says afterwards whether it is gone.
[[nodiscard]] QCoro::Task<Result<void>> destroyByRow(SharedContext context, SandboxRecord row);

/// Whether a run is over, or went back to the queue because its backend has no room now.
enum class PipelineEnd { Over, Waiting };

/// All phases in order; never fails: how it ended is in the run and the database.
[[nodiscard]] QCoro::Task<PipelineEnd> runPipeline(SharedContext context, std::stop_token stop);

/// What the evidence and the returned branch say, when nothing ended the run before.
[[nodiscard]] RunEnd judge(const Run &run);

} // namespace Glovebox
