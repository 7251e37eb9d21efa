// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runsource.h"
#include "app/services.h"
#include "core/runs/planner.h"

#include <QSet>

class QTimer;

namespace Glovebox {

struct KeptRun;

/// The engine's runs: the database for what is over, the living Run for what works. Owns the task
/// of the plan that is being made; everything else belongs to the queue.
class EngineSource final : public RunSource
{
    Q_OBJECT
public:
    /// \a services is not owned and must outlive this.
    /// \a othersPause: how often runs of other programs are looked at again while somebody asked
    /// for them and they work.
    explicit EngineSource(Services *services,
                          std::chrono::milliseconds othersPause = std::chrono::seconds(2),
                          QObject *parent = nullptr);
    ~EngineSource() override;

    [[nodiscard]] Result<QList<RunRecord>> runs() const override;
    [[nodiscard]] Result<RunView> run(const QString &id) const override;
    [[nodiscard]] QList<RunRecord> working() const override;
    void plan(const QString &taskPath, const QString &repository, const PlanTicks &ticks) override;
    void start(const RunPlan &plan) override;
    void stop(const QString &id, StopWish wish) override;
    void readKept(const QString &id) override;

private:
    void follow(const std::shared_ptr<Run> &run);
    [[nodiscard]] RunView::Worker workerOf(const RunRecord &record) const;
    void noteOther(const RunRecord &record) const;
    void lookAtOthers();
    void lookAtOther(const QString &id);
    void takeKept(const QString &id, const KeptRun &kept);
    void takePlan(int generation, const Result<PlannedRun> &planned, const QString &taskPath);
    void dropPrepared();
    [[nodiscard]] PlannerParts parts() const;

    Services *m_services;
    std::optional<PreparedRun> m_prepared; ///< confirmed by start(), or thrown away
    std::stop_source m_planning;
    int m_generation = 0;
    QHash<QString, QList<QDateTime>> m_seen; ///< when each event of a living run was first seen
    QTimer *m_othersTimer;
    mutable QSet<QString> m_others;    ///< runs of other programs that were told of as at work
    QHash<QString, qint64> m_logSizes; ///< of those, when they were last looked at
    QString m_keptAsked;               ///< the run whose events are shown
};

} // namespace Glovebox
