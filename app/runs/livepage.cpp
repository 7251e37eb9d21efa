// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/livepage.h"

#include "app/review/changeslistmodel.h"
#include "app/runs/eventlist.h"
#include "app/runs/liveside.h"
#include "app/runs/logview.h"
#include "app/runs/phaseline.h"
#include "app/runs/plantable.h"
#include "app/runs/recordtable.h"
#include "app/widgets/banner.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/icon.h"
#include "app/widgets/pane.h"
#include "app/widgets/viewstates.h"
#include "core/base/terminaltext.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>

namespace Glovebox {

namespace {

enum Tab { AgentTab, LogTab, FilesTab, NetworkTab, PlanTab };

QString watchingText(const RunView &view)
{
    if (isAtRest(view.record.phase)) {
        return LivePage::tr("This run has ended. What you see is its record.");
    }
    switch (view.worker) {
    case RunView::Worker::ThisProgram:
        return actionsFor(view).stop ? LivePage::tr("You're watching. The agent can't ask you "
                                                    "anything. Work elsewhere meanwhile.")
                                     : LivePage::tr("The run is being brought to its end.");
    case RunView::Worker::AnotherProgram:
        return LivePage::tr("Another program works on this run, glovebox-cli for example. Only "
                            "there it can be stopped.");
    case RunView::Worker::Nobody:
        return LivePage::tr("The program that worked on this run is gone. What it left is saved "
                            "when Glovebox starts.");
    }
    Q_UNREACHABLE();
}

} // namespace

LivePage::LivePage(QWidget *parent)
    : QWidget(parent)
    , m_phases(new PhaseLine(this))
    , m_banner(new Banner(Banner::Size::Line, this))
    , m_tabs(new QTabBar(this))
    , m_stack(new QStackedWidget(this))
    , m_events(new EventListModel(this))
    , m_eventList(new QListView)
    , m_eventStates(new ViewStates(m_eventList, this))
    , m_log(new LogView)
    , m_logStates(new ViewStates(m_log, this))
    , m_files(new RecordTable({tr("File"), tr("Change"), tr("Lines")}, this))
    , m_network(new RecordTable({tr("Host"), tr("Result"), tr("Times")}, this))
    , m_plan(new PlanTable(this))
    , m_side(new LiveSide(this))
{
    m_eventList->setModel(m_events);
    m_eventList->setItemDelegate(new EventDelegate(this));
    m_eventList->setObjectName(QStringLiteral("events"));
    m_eventList->setFrameShape(QFrame::NoFrame);
    m_eventList->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_eventList->setAccessibleName(tr("What the agent does"));
    m_log->setGutter(LogView::Gutter::LineNumbers);
    for (QWidget *page : {static_cast<QWidget *>(m_eventStates),
                          static_cast<QWidget *>(m_logStates), static_cast<QWidget *>(m_files),
                          static_cast<QWidget *>(m_network), static_cast<QWidget *>(m_plan)}) {
        m_stack->addWidget(page);
    }
    auto *split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(m_stack);
    split->addWidget(m_side);
    split->setStretchFactor(0, 1);
    split->setChildrenCollapsible(false);
    split->setSizes({800, 332});
    m_banner->hide();
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_phases);
    all->addWidget(makeToolbar());
    all->addWidget(m_banner);
    all->addWidget(split, 1);
    all->addWidget(makeDecisionBar());
    connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);
    connect(m_eventList, &QAbstractItemView::activated, m_events, &EventListModel::toggle);
    connect(m_eventStates, &ViewStates::emptyButtonClicked, this,
            [this] { m_tabs->setCurrentIndex(LogTab); });
    connect(m_log, &LogView::followingChanged, m_follow, &QCheckBox::setChecked);
}

QWidget *LivePage::makeToolbar()
{
    auto *bar = new Strip(Token::Head, Strip::Edge::Bottom, 40, this);
    bar->row()->setContentsMargins(8, 0, 16, 0);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    for (const QString &name : {tr("Agent"), tr("Log"), tr("Files"), tr("Network"), tr("Plan")}) {
        m_tabs->addTab(name);
    }
    m_find = new QLineEdit(bar);
    m_find->setPlaceholderText(tr("Find in log"));
    m_find->setAccessibleName(tr("Find in log"));
    m_find->addAction(themedIcon(QStringLiteral("search"), Token::Dim), QLineEdit::LeadingPosition);
    m_find->setMaximumWidth(180);
    m_follow = new QCheckBox(tr("Follow"), bar);
    m_follow->setChecked(true);
    bar->row()->addWidget(m_tabs, 0, Qt::AlignBottom);
    bar->row()->addStretch();
    m_findState = new ElidedLabel(ElidedLabel::Size::Small, bar);
    m_findState->setToken(Token::Bad);
    bar->row()->addWidget(m_findState);
    bar->row()->addWidget(m_find);
    bar->row()->addWidget(m_follow);
    connect(m_find, &QLineEdit::returnPressed, this, [this] {
        const bool back = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        findNext(back ? FindDirection::Backward : FindDirection::Forward);
    });
    connect(m_find, &QLineEdit::textChanged, this, [this] { showFound(true); });
    connect(m_log, &LogView::findFinished, this, &LivePage::showFound);
    connect(m_follow, &QCheckBox::clicked, m_log, &LogView::setFollowing);
    return bar;
}

QWidget *LivePage::makeDecisionBar()
{
    auto *bar = new Strip(Token::Head, Strip::Edge::Top, 52, this);
    m_watching = new ElidedLabel(ElidedLabel::Size::Body, bar);
    m_watching->setToken(Token::Dim);
    m_stop = new QPushButton(themedIcon(QStringLiteral("stop")), tr("Stop and keep work…"), bar);
    bar->row()->addWidget(m_watching, 1);
    bar->row()->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, this, &LivePage::stopRequested);
    return bar;
}

void LivePage::openFind()
{
    m_tabs->setCurrentIndex(LogTab);
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

void LivePage::findNext(FindDirection direction)
{
    if (m_find->text().isEmpty()) {
        openFind();
        return;
    }
    m_tabs->setCurrentIndex(LogTab);
    m_log->find(m_find->text(), direction);
}

void LivePage::showFound(bool found)
{
    const QString text = found ? QString() : tr("No match");
    m_findState->setText(text);
    m_find->setAccessibleDescription(text);
}

void LivePage::setRun(const RunView &view, const QDateTime &now)
{
    const RunActions actions = actionsFor(view);
    m_phases->setSteps(stepsOf(view, now));
    if (m_run != view.record.id) {
        m_run = view.record.id;
        m_awaiting = false; // what was asked for was another run's
        m_eventStates->setBusy({});
        m_log->setSource({view.agentLog, 0, -1, {}});
        m_events->setEvents(view.events);
        m_plan->setRows(view.plan);
    }
    m_stop->setVisible(actions.stop);
    m_watching->setText(watchingText(view));
    m_side->setRun(view, now);
    updateTables(view);
    updateTabs(view);
    updateEmpty(view);
    updateBanner(view);
}

void LivePage::updateEmpty(const RunView &view)
{
    const bool over = isAtRest(view.record.phase);
    if (!m_awaiting) {
        m_eventStates->setEmpty(
            QStringLiteral("message"), over ? tr("No events were kept") : tr("Nothing yet"),
            over ? tr("The agent left nothing that can be read as events. The log has what was "
                      "printed.")
                 : tr("What the agent says and does is listed here as it happens."),
            over ? tr("Show log") : QString());
    }
    m_logStates->setEmpty(QStringLiteral("terminal"), over ? tr("No log") : tr("Nothing yet"),
                          over ? tr("This run ended before anything was printed.")
                               : tr("What is printed in the sandbox appears here."),
                          {});
    m_events->rowCount() > 0 ? m_eventStates->showContent() : m_eventStates->showEmpty();
    const LogSource log{view.agentLog, 0, -1, {}};
    log.size() > 0 ? m_logStates->showContent() : m_logStates->showEmpty();
}

void LivePage::updateBanner(const RunView &view)
{
    m_banner->setVisible(view.offline > 0 && actionsFor(view).stop);
    m_banner->setMessage(warningGlyph(), tr("No answer for %1 s.").arg(view.offline),
                         tr("The sandbox may still live. Glovebox goes on trying."));
}

void LivePage::updateTables(const RunView &view)
{
    QList<RecordTable::Row> files;
    for (const FileChange &file : view.changes.files) {
        files.append({{displayText(file.path)},
                      {kindText(file.kind)},
                      {QStringLiteral("+%1 −%2").arg(file.added).arg(file.removed)}});
    }
    m_files->setRows(files, tr("No file is known to have changed yet."));
    QList<RecordTable::Row> hosts;
    for (const EgressRecord &entry : view.egress) {
        const Glyph glyph =
            entry.allowed ? doneGlyph() : Glyph{GlyphShape::Disc, GlyphMark::NoEntry, Token::Bad};
        hosts.append({{QStringLiteral("%1:%2").arg(displayText(entry.host)).arg(entry.port), glyph},
                      {entry.allowed ? tr("reached") : tr("refused")},
                      {QString::number(entry.count)}});
    }
    m_network->setRows(hosts, tr("No host was reached or refused so far."));
}

void LivePage::updateTabs(const RunView &view)
{
    int refused = 0;
    int reached = 0;
    for (const EgressRecord &entry : view.egress) {
        ++(entry.allowed ? reached : refused);
    }
    const int events = m_events->rowCount();
    const auto files = view.changes.files.size();
    m_tabs->setTabText(AgentTab, events == 0 ? tr("Agent") : tr("Agent %1").arg(events));
    m_tabs->setTabText(FilesTab, files == 0 ? tr("Files") : tr("Files %1").arg(files));
    m_tabs->setTabText(NetworkTab, refused > 0
                                       ? tr("Network %1 + %2 refused").arg(reached).arg(refused)
                                   : reached > 0 ? tr("Network %1").arg(reached)
                                                 : tr("Network"));
}

void LivePage::changeEvents(int first, const QList<TimedEvent> &events)
{
    const QScrollBar *bar = m_eventList->verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum();
    m_events->replaceFrom(first, events);
    m_eventStates->showContent();
    if (atEnd && m_follow->isChecked()) {
        m_eventList->scrollToBottom();
    }
}

void LivePage::awaitEvents()
{
    if (m_events->rowCount() > 0) {
        return; // what is there stays until then
    }
    m_awaiting = true;
    m_eventStates->setBusy(tr("Reading what the agent did…"));
    m_eventStates->setEmpty(QStringLiteral("message"), tr("Reading what the agent did…"), {}, {});
}

void LivePage::setEvents(const QList<TimedEvent> &events)
{
    m_awaiting = false;
    m_eventStates->setBusy({});
    if (m_events->rowCount() == 0 || events.size() < m_events->rowCount()) {
        m_events->setEvents(events);
    } else {
        changeEvents(0, events); // the same ones further on: what is open and in view stays so
    }
}

void LivePage::outputAppended()
{
    m_logStates->showContent();
    m_log->refresh();
}

} // namespace Glovebox
