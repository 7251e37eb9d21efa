// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/phases.h"
#include "core/settings/secretstore.h"

#include <QObject>

#include <map>

namespace Glovebox {

/// A plan that the user has confirmed, with what must not be in it: the values.
struct PreparedRun
{
    RunPlan plan;
    QList<EnvironmentVariable> environment; ///< keys and the task's variables
};

/// Starts runs, keeps to the limit of each backend, cancels, and owns every pipeline from its start
/// to its end. Main thread.
class RunQueue final : public QObject
{
    Q_OBJECT

public:
    /// \a secrets is asked for the keys of runs that an earlier process left.
    RunQueue(RunStore &store, QList<SandboxProvider *> providers, const SecretStore &secrets,
             const Clock &clock, RunLimits limits);
    ~RunQueue() override;

    /// Records the run and starts it as soon as its backend has room here, by the limit below, and
    /// there: where the backend says LimitReached the run is Queued again, and tried again as often
    /// as RunLimits says. The row is on disk on return.
    [[nodiscard]] Result<std::shared_ptr<Run>> submit(PreparedRun prepared);
    /// Ends a run at any moment. Keeping means: what was done is sealed and returned.
    void cancel(const QString &run, StopMode mode);
    /// Runs of this process that are not over.
    [[nodiscard]] QList<std::shared_ptr<Run>> running() const;
    [[nodiscard]] std::shared_ptr<Run> find(const QString &run) const;

    /// How many runs of one backend work at once (default 4).
    void setLimit(const QString &provider, int limit);

    /// What an earlier process left: saves what can be saved, deletes sandboxes, ends the records.
    /// Runs of a living process are left alone.
    [[nodiscard]] QCoro::Task<Result<int>> recover(std::stop_token stop);

    /// Cancels everything, keeping work, and waits until the last sandbox is gone.
    [[nodiscard]] QCoro::Task<void> shutDown();

Q_SIGNALS:
    void runAdded(std::shared_ptr<Glovebox::Run> run);
    void runOver(const QString &run);
    void idle();

private:
    struct Entry;
    void startWaiting();
    void start(const std::shared_ptr<Entry> &entry);
    [[nodiscard]] int atWork(const QString &provider) const;
    [[nodiscard]] SandboxProvider *providerOf(const QString &id) const;
    static QCoro::Task<void> drive(RunQueue *queue, SharedContext context, std::stop_token stop);
    void rest(const QString &run);
    void wake(const QString &provider);
    void remove(const QString &run);
    void endWaiting(const std::shared_ptr<Run> &run);

    RunStore &m_store;
    QList<SandboxProvider *> m_providers;
    const SecretStore &m_secrets;
    const Clock &m_clock;
    RunLimits m_limits;
    std::map<QString, int> m_limitOf;
    QList<std::shared_ptr<Entry>> m_entries;
};

} // namespace Glovebox
