// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QWidget>

class QBoxLayout;
class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace Glovebox {

class ElidedLabel;
class PageHeader;
class PlanTable;
class ViewStates;

/// The audit before a run: everything that goes in, once. A plan that is refused only until the
/// user accepts something (an open network, a preset that can't be enforced, variables that go in)
/// offers a tick for each; they are recorded.
class PlanPage final : public QWidget
{
    Q_OBJECT
public:
    explicit PlanPage(QWidget *parent = nullptr);

    /// While a plan is being made. \a given: what has been accepted for this task already; it is
    /// kept through further refusals.
    void setPlanning(const QString &taskName, const PlanTicks &given);
    void setPlan(const RunPlan &plan);
    /// \a variables: the names that the task wants to give the agent.
    void setRefused(const Error &error, const QList<Problem> &problems,
                    const QStringList &variables);
    [[nodiscard]] bool canStart() const;
    [[nodiscard]] QString reason() const; ///< why it can't be started; empty when it can
    /// What was accepted before, and what is ticked now.
    [[nodiscard]] PlanTicks ticks() const;

Q_SIGNALS:
    void startRequested(const Glovebox::RunPlan &plan);
    void backRequested();
    /// The same task again, after a tick or after something was mended.
    void planAgainRequested(const Glovebox::PlanTicks &ticks);

private:
    [[nodiscard]] QWidget *makeSide();
    [[nodiscard]] QWidget *makeDecisionBar();
    void offerTicks(const QList<Problem> &problems, const QStringList &variables);
    [[nodiscard]] bool allTicked() const;
    void updateStart();
    void fillSide(const RunPlan &plan);
    void start();

    PageHeader *m_header;
    ViewStates *m_states;
    QBoxLayout *m_tickColumn;
    QList<QCheckBox *> m_ticks; ///< named by the code of the problem that they answer
    QStringList m_variables;
    PlanTicks m_given;
    bool m_onlyTicksMissing = false;
    PlanTable *m_table;
    QBoxLayout *m_canaries = nullptr;
    QBoxLayout *m_limits = nullptr;
    QPlainTextEdit *m_rules = nullptr;
    ElidedLabel *m_state = nullptr;
    QPushButton *m_copy = nullptr;
    QPushButton *m_start = nullptr;
    std::optional<RunPlan> m_plan;
};

} // namespace Glovebox
