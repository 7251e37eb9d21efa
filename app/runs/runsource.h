// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QObject>

namespace Glovebox {

/// How a run is to be stopped.
enum class StopWish { KeepWork, Discard };

/// Where the window has its runs from: the engine, or a test's samples. Calls start work and
/// return; what comes of it arrives as a signal. Main thread.
class RunSource : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    /// The newest runs of all repositories, at most 200.
    [[nodiscard]] virtual Result<QList<RunRecord>> runs() const = 0;
    [[nodiscard]] virtual Result<RunView> run(const QString &id) const = 0;
    /// The runs that are not over and that stop when this program ends; other programs' are not.
    [[nodiscard]] virtual QList<RunRecord> working() const = 0;
    /// Answered by planReady or planRefused; a plan that is asked for later takes its place.
    virtual void plan(const QString &taskPath, const QString &repository,
                      const PlanTicks &ticks) = 0;
    /// Answered by runStarted or startRefused.
    virtual void start(const RunPlan &plan) = 0;
    virtual void stop(const QString &id, StopWish wish) = 0;
    /// Reads what a run that isn't ours to watch live has left on disk. Answered by keptRead.
    virtual void readKept(const QString &id) = 0;

Q_SIGNALS:
    void runsChanged();
    void runChanged(const QString &id);
    /// \a events stand at the rows from \a first on: new ones, and those that were updated.
    void eventsChanged(const QString &id, int first, const QList<Glovebox::TimedEvent> &events);
    void outputAppended(const QString &id);
    /// \a blockedText: BLOCKED.md of the branch.
    void keptRead(const QString &id, const QList<Glovebox::TimedEvent> &events,
                  const QString &blockedText);
    void planReady(const Glovebox::RunPlan &plan);
    /// \a variables: the names that the task wants to give the agent.
    void planRefused(const Glovebox::Error &error, const QList<Glovebox::Problem> &problems,
                     const QStringList &variables);
    void runStarted(const QString &id);
    void startRefused(const Glovebox::Error &error);
};

} // namespace Glovebox
