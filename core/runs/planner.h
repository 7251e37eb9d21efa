// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/repository.h"
#include "core/runs/runqueue.h"
#include "core/settings/secretstore.h"

namespace Glovebox {

/// What planning needs of the installation; all of it outlives the call.
struct PlannerParts
{
    const AgentCatalog *agents = nullptr;
    QList<SandboxProvider *> providers;
    const SecretStore *secrets = nullptr;
    const RunStore *store = nullptr;
    QProcessEnvironment
        environment; ///< PATH finds the agent's program; named variables come from here
};

struct PlanRequest
{
    QString taskFile;   ///< path as given
    QString repository; ///< empty = the one that holds the task file, else the current folder's
    PlanTicks ticks;
    bool withHistory = false;
};

/// A plan, or why there is none. With an error among the problems nothing is prepared and nothing
/// is left on disk.
struct PlannedRun
{
    QList<Problem> problems;
    std::optional<PreparedRun> prepared;
};

/// Resolves a task for its backend and agent: reads and lints it, reads the base, packs the bundle
/// into the run's folder, compiles the network, finds keys. Starts nothing. Errors are those of the
/// machine (no repository, no base, disk full, cancelled); what is wrong with the task is a
/// problem.
[[nodiscard]] QCoro::Task<Result<PlannedRun>> makePlan(PlannerParts parts, PlanRequest request,
                                                       std::stop_token stop);

/// Removes what makePlan() left on disk for a plan that is not started.
void discardPlan(const PreparedRun &prepared, const RunStore &store);

/// A task's file and repository, read and linted; what `lint` needs as well.
struct LintedTask
{
    TaskDocument document;
    RepositoryFacts repository;
    QString gitFolder; ///< empty when there is no repository
    QString base;      ///< commit id, empty when it could not be resolved
    QList<Problem> problems;
};
[[nodiscard]] QCoro::Task<Result<LintedTask>> lintTaskFile(PlannerParts parts, PlanRequest request,
                                                           std::stop_token stop);

/// The base that was read last, for who lints one text again and again: it is read whole only when
/// it is another one. Touched on the calling thread alone.
struct ReadBase
{
    QString folder; ///< where it was resolved
    QString commit; ///< empty = none was read yet
    QList<QByteArray> paths;
};
/// The same for a text that is in no file, or not yet; the request's taskFile only says where to
/// look for the repository.
[[nodiscard]] QCoro::Task<Result<LintedTask>> lintTaskText(PlannerParts parts, PlanRequest request,
                                                           QByteArray text,
                                                           std::shared_ptr<ReadBase> memory,
                                                           std::stop_token stop);

} // namespace Glovebox
