// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace Glovebox {

class Badge;
class Banner;
class LogView;
class Pane;
class RecordTable;

/// What can be done after a run.
enum class NextStep { Review, EditTask, RunAgain, ShowLog };

/// The Verify door: how it ended, what the harness measured, what to do next; and, labelled as no
/// evidence, the agent's last words.
class FinishedPage final : public QWidget
{
    Q_OBJECT
public:
    explicit FinishedPage(QWidget *parent = nullptr);
    void setRun(const RunView &view);
    [[nodiscard]] QList<NextStep> offered() const { return m_offered; }

Q_SIGNALS:
    void stepRequested(Glovebox::NextStep step);

private:
    [[nodiscard]] QWidget *makeLeft();
    [[nodiscard]] QWidget *makeRight();
    void updateBanner(const RunView &view);
    void updateWarnings(const RunView &view);
    void updateEvidence(const RunView &view);
    void updateNext(const RunView &view);
    void updateWords(const RunView &view);
    void addEdit(const QString &why);
    void addStep(NextStep step, const QString &icon, const QString &what, const QString &effect,
                 const QString &button);
    void addFact(const QString &name, const QString &value);
    void showOutput(int row, int column);

    Banner *m_banner;
    Badge *m_badge;
    RecordTable *m_evidence = nullptr;
    Pane *m_warningsPane = nullptr;
    QBoxLayout *m_warnings = nullptr;
    Pane *m_outputPane = nullptr;
    LogView *m_output = nullptr;
    QBoxLayout *m_steps = nullptr;
    QLabel *m_words = nullptr;
    QBoxLayout *m_facts = nullptr;
    QList<NextStep> m_offered;
    RunView m_view;
    QList<QList<int>> m_cells; ///< index of the evidence in each cell of the table, -1 = none
};

} // namespace Glovebox
