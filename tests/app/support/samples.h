// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/mainwindow/mainwindow.h"
#include "app/mainwindow/windowmemory.h"
#include "app/widgets/dialogs.h"

namespace Glovebox::Testing {

/// The window's runs without an engine: values of every kind, and what was asked is remembered.
class SampleSource final : public RunSource
{
    Q_OBJECT
public:
    explicit SampleSource(const QString &folder);

    [[nodiscard]] Result<QList<RunRecord>> runs() const override;
    [[nodiscard]] Result<RunView> run(const QString &id) const override;
    /// Nothing, unless a test fills workingIds.
    [[nodiscard]] QList<RunRecord> working() const override;
    void plan(const QString &taskPath, const QString &repository, const PlanTicks &given) override;
    void start(const RunPlan &plan) override;
    void stop(const QString &id, StopWish wish) override;
    void readKept(const QString &id) override;

    QMap<QString, RunView> views;
    QStringList order;
    QStringList workingIds;
    QList<TimedEvent> kept; ///< what readKept answers
    QString keptBlocked;
    WindowMemory memory;          ///< of the window that is built on this
    QStringList calls;            ///< "plan demo.task.md", "start r5", "stop r1 keep"
    std::optional<Error> refusal; ///< what the next plan is answered with
    QList<Problem> problems;
    QStringList variables;          ///< of that answer
    QList<PlanTicks> ticks;         ///< of each plan that was asked for
    QStringList repositories;       ///< the same
    std::optional<Error> readError; ///< what reading the list of runs says
};

[[nodiscard]] RunPlan samplePlan();
[[nodiscard]] ChangeSet sampleChanges();
[[nodiscard]] Result<FileDiff> sampleFileDiff(const ChangeSet &changes, int index);
/// A repository folder with two task files, one with an error.
void writeSampleTasks(const QString &folder);
[[nodiscard]] WindowParts sampleParts(SampleSource *source, Dialogs *dialogs,
                                      const QString &folder);

} // namespace Glovebox::Testing
