// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/logindex.h"
#include "app/runs/runview.h"

#include <QWidget>

class QCheckBox;
class QLineEdit;
class QListView;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace Glovebox {

class Banner;
class ElidedLabel;
class EventListModel;
class LiveSide;
class LogView;
class PhaseLine;
class PlanTable;
class RecordTable;
class ViewStates;

/// The Build door: what the agent does now, or did. Shows what it is given; stopping is asked for.
class LivePage final : public QWidget
{
    Q_OBJECT
public:
    explicit LivePage(QWidget *parent = nullptr);

    /// Another run, or the same one later: log and events are read anew only for another one.
    void setRun(const RunView &view, const QDateTime &now);
    /// \a events stand at the rows from \a first on.
    void changeEvents(int first, const QList<TimedEvent> &events);
    /// What a run that isn't ours, or over, did comes later, by setEvents().
    void awaitEvents();
    void setEvents(const QList<TimedEvent> &events);
    void outputAppended();
    /// Shows the log with the keyboard in its find field.
    void openFind();
    void findNext(FindDirection direction);
    [[nodiscard]] const QString &runId() const { return m_run; }
    [[nodiscard]] LogView *log() const { return m_log; }
    [[nodiscard]] QTabBar *tabs() const { return m_tabs; }

Q_SIGNALS:
    void stopRequested();

private:
    [[nodiscard]] QWidget *makeToolbar();
    [[nodiscard]] QWidget *makeDecisionBar();
    void updateBanner(const RunView &view);
    void updateTables(const RunView &view);
    void updateTabs(const RunView &view);
    void updateEmpty(const RunView &view);
    void showFound(bool found);

    PhaseLine *m_phases;
    Banner *m_banner;
    QTabBar *m_tabs;
    QStackedWidget *m_stack;
    QLineEdit *m_find = nullptr;
    ElidedLabel *m_findState = nullptr;
    QCheckBox *m_follow = nullptr;
    EventListModel *m_events;
    QListView *m_eventList;
    ViewStates *m_eventStates;
    LogView *m_log;
    ViewStates *m_logStates;
    RecordTable *m_files;
    RecordTable *m_network;
    PlanTable *m_plan;
    LiveSide *m_side;
    ElidedLabel *m_watching = nullptr;
    QPushButton *m_stop = nullptr;
    QString m_run;
    bool m_awaiting = false;
};

} // namespace Glovebox
