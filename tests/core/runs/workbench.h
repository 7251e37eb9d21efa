// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/planner.h"
#include "core/runs/runqueue.h"
#include "tests/fakes/faultprovider.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/testing.h"

namespace Glovebox::Testing {

/// All that a run needs, over plain folders: a repository whose check wants "two" in src/a.txt, a
/// store, the provider with faults, the agents "custom" and "printer" (its instructions are its
/// script, its output is read as claude's stream-json) and a queue. No time is waited anywhere.
class Workbench final
{
public:
    /// Its data lies in a folder of its own, or in \a dataFolder.
    explicit Workbench(Neighbours neighbours = Neighbours::None, const QString &dataFolder = {});
    ~Workbench();

    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString dataFolder() const { return m_data; }
    [[nodiscard]] const TestRepository &repository() const { return m_repository; }
    [[nodiscard]] QString git(const QStringList &arguments) const;
    [[nodiscard]] RunStore &store() { return *m_store; }
    [[nodiscard]] FolderService &service() { return *m_service; }
    [[nodiscard]] FaultProvider &provider() { return m_provider; }
    [[nodiscard]] Faults &faults() { return m_provider.faults(); }
    [[nodiscard]] SecretStore &secrets() { return m_secrets; }
    [[nodiscard]] RunLimits &limits() { return m_limits; } ///< before the first queue()
    [[nodiscard]] RunQueue &queue();
    /// Another queue on the same database and service, as a second program has.
    [[nodiscard]] std::unique_ptr<RunQueue> anotherQueue(RunStore &store);
    [[nodiscard]] PlannerParts parts();
    /// Where an agent's program is looked for first.
    void setPath(const QString &folder);

    /// Writes a task file; \a agent is the shell line of "custom", or the instructions where \a
    /// front names another agent.
    [[nodiscard]] QString writeTask(const QString &front, const QString &agent,
                                    const QString &name = QStringLiteral("t.task.md"));
    [[nodiscard]] Result<PlannedRun> plan(const QString &front, const QString &agent,
                                          const PlanTicks &ticks = {});
    /// A plan that must be there; the test fails where it isn't.
    [[nodiscard]] PreparedRun prepared(const QString &front, const QString &agent);
    [[nodiscard]] std::shared_ptr<Run> submit(const QString &front, const QString &agent);
    /// Submits and waits for its end.
    [[nodiscard]] std::shared_ptr<Run> toEnd(const QString &front, const QString &agent);
    /// Until the queue no longer knows it; at most a minute.
    bool waitForEnd(const std::shared_ptr<Run> &run);

    [[nodiscard]] QList<RunPhase> phases(const QString &run);
    [[nodiscard]] QByteArray log(const Run &run) const;
    /// Branches of ours in the repository.
    [[nodiscard]] QStringList branches() const;
    /// Nothing is left of any sandbox: no folder, no row that is not gone.
    [[nodiscard]] bool isAllReleased();

private:
    Testing::TemporaryFolder m_folder;
    QString m_data;
    TestRepository m_repository;
    SystemClock m_clock;
    std::shared_ptr<FolderService> m_service;
    FaultProvider m_provider;
    QProcessEnvironment m_environment;
    SecretStore m_secrets;
    std::optional<AgentCatalog> m_agents;
    RunLimits m_limits;
    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<RunQueue> m_queue;
};

/// A script that makes the check pass.
inline constexpr char goodAgent[] = "echo two > src/a.txt; git commit -qam work";

} // namespace Glovebox::Testing
