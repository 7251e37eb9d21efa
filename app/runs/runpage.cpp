// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/runpage.h"

#include "app/review/reviewpage.h"
#include "app/runs/livepage.h"
#include "app/runs/returnpage.h"
#include "app/widgets/fonts.h"
#include "app/widgets/pageheader.h"
#include "core/base/pool.h"
#include "core/base/terminaltext.h"
#include "core/tasks/taskfile.h"

#include <QBoxLayout>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>

namespace Glovebox {

RunPage::RunPage(RunSource *source, ChangesReader readChanges, DiffDocument::Reader readFile,
                 QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_readChanges(std::move(readChanges))
    , m_header(new PageHeader(this))
    , m_doors(new QStackedWidget(this))
    , m_task(new QPlainTextEdit)
    , m_live(new LivePage)
    , m_finished(new FinishedPage)
    , m_return(new ReturnPage)
    , m_review(new ReviewPage(std::move(readFile)))
    , m_clock(new QTimer(this))
{
    m_task->setReadOnly(true);
    m_task->setFrameShape(QFrame::NoFrame);
    m_task->setFont(codeFont(font()));
    m_task->setAccessibleName(tr("The task as it was run"));
    for (QWidget *door : {static_cast<QWidget *>(m_task), static_cast<QWidget *>(m_live),
                          static_cast<QWidget *>(m_finished), static_cast<QWidget *>(m_return),
                          static_cast<QWidget *>(m_review)}) {
        m_doors->addWidget(door);
    }
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_header);
    all->addWidget(m_doors, 1);
    m_clock->setInterval(1000);
    connect(m_clock, &QTimer::timeout, this, &RunPage::present);
    connect(m_header->stepper(), &StageStepper::stageRequested, this, &RunPage::openStage);
    connect(m_live, &LivePage::stopRequested, this, [this] { Q_EMIT stopRequested(runId()); });
    connect(m_finished, &FinishedPage::stepRequested, this, &RunPage::takeStep);
    connect(m_return, &ReturnPage::reviewRequested, this, [this] { openStage(Stage::Review); });
    connect(m_review, &ReviewPage::retryRequested, this, [this] {
        m_readTip.clear();
        readChangeSet();
    });
    connectSource();
}

void RunPage::connectSource()
{
    connect(m_source, &RunSource::runChanged, this, [this](const QString &id) {
        if (id == runId()) {
            reload();
        }
    });
    connect(m_source, &RunSource::eventsChanged, this,
            [this](const QString &id, int first, const QList<TimedEvent> &events) {
                if (id == runId() && id == m_live->runId()) {
                    m_live->changeEvents(first, events);
                }
            });
    connect(m_source, &RunSource::keptRead, this,
            [this](const QString &id, const QList<TimedEvent> &events, const QString &blockedText) {
                if (id == runId()) {
                    m_live->setEvents(events);
                    m_live->setRun(m_view, QDateTime::currentDateTimeUtc());
                    if (m_blockedText != blockedText) {
                        m_blockedText = blockedText;
                        present();
                    }
                }
            });
    connect(m_source, &RunSource::outputAppended, this, [this](const QString &id) {
        if (id == runId()) {
            m_live->outputAppended();
        }
    });
}

void RunPage::showRun(const QString &id)
{
    if (id == runId()) {
        reload();
        return;
    }
    m_view = RunView{};
    m_view.record.id = id;
    m_changes = ChangeSet{};
    m_outOfScope.reset();
    m_readTip.clear();
    m_keptOf.clear();
    m_blockedText.clear();
    reload();
    openStage(doorOf(m_view.record));
}

void RunPage::refresh()
{
    if (runId().isEmpty()) {
        return;
    }
    m_keptOf.clear();
    reload();
    m_live->outputAppended();
}

void RunPage::readKept()
{
    if (m_keptOf == runId() || !m_view.events.isEmpty()) {
        return;
    }
    const QList<RunRecord> ours = m_source->working();
    if (std::any_of(ours.cbegin(), ours.cend(),
                    [this](const RunRecord &run) { return run.id == runId(); })) {
        return; // it tells its events itself
    }
    m_keptOf = runId();
    m_live->awaitEvents();
    m_source->readKept(runId());
}

void RunPage::reload()
{
    const Result<RunView> view = m_source->run(runId());
    if (!view) {
        m_header->setTitle(view.error().message);
        return;
    }
    m_view = *view;
    readChangeSet();
    present();
    readKept();
    const bool atRest = isAtRest(m_view.record.phase);
    if (atRest && !m_wasAtRest && shownStage() == Stage::Build) {
        openStage(Stage::Verify); // it has ended while it was watched
    }
    m_wasAtRest = atRest;
    if (atRest) {
        m_clock->stop();
    } else if (!m_clock->isActive()) {
        m_clock->start();
    }
    Q_EMIT recordChanged();
}

void RunPage::present()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    m_view.changes = m_changes;
    if (m_outOfScope) {
        m_view.outOfScope = m_outOfScope;
    }
    if (m_view.blockedText.isEmpty()) {
        m_view.blockedText = m_blockedText;
    }
    const RunRecord &run = m_view.record;
    m_header->setTitle(displayText(run.title));
    const QString branch = displayText(run.branch.isEmpty() ? run.wantedBranch : run.branch);
    //: Below a run's title: branch, base and tip, backend, agent
    m_header->setFacts(
        run.tip.isEmpty()
            ? tr("%1 · base %2 · %3 · %4").arg(branch, run.base.left(7), run.provider, run.agent)
            : tr("%1 · base %2 → %3 · %4 · %5")
                  .arg(branch, run.base.left(7), run.tip.left(7), run.provider, run.agent));
    m_header->stepper()->setStages(stagesOf(m_view, now));
    m_live->setRun(m_view, now);
    if (isAtRest(run.phase)) {
        m_finished->setRun(m_view);
        m_return->setRun(m_view);
    }
    const QString text = QString::fromUtf8(m_view.taskText);
    if (m_task->toPlainText() != text) {
        m_task->setPlainText(text);
    }
}

void RunPage::readChangeSet()
{
    const RunRecord &run = m_view.record;
    if (run.branch.isEmpty() || run.tip.isEmpty() || m_readTip == run.tip) {
        return;
    }
    m_readTip = run.tip;
    m_outOfScope.reset();
    m_review->setBusy();
    QCoro::connect(runInPool([read = m_readChanges, git = run.gitFolder, base = run.base,
                              tip = run.tip, text = m_view.taskText] {
                       Result<ChangeSet> changes = read(git, base, tip);
                       QList<QByteArray> outside;
                       if (changes) {
                           const TaskFile task = TaskDocument::parse(text).task();
                           outside = outOfScope(*changes, task.scope, task.forbid);
                       }
                       return std::make_pair(changes, outside);
                   }),
                   this,
                   [this, id = run.id,
                    tip = run.tip](const std::pair<Result<ChangeSet>, QList<QByteArray>> &read) {
                       if (id != runId() || tip != m_readTip) {
                           return;
                       }
                       if (!read.first) {
                           m_review->setError(read.first.error());
                           return;
                       }
                       takeChangeSet(*read.first, read.second);
                   });
}

void RunPage::takeChangeSet(const ChangeSet &changes, const QList<QByteArray> &outOfScope)
{
    m_changes = changes;
    m_outOfScope = outOfScope;
    m_review->setChanges(m_changes, outOfScope);
    present();
}

Stage RunPage::shownStage() const
{
    return static_cast<Stage>(m_doors->currentIndex());
}

void RunPage::openStage(Stage stage)
{
    if (!m_header->stepper()->canOpen(stage)) {
        return;
    }
    m_doors->setCurrentIndex(static_cast<int>(stage));
    m_header->stepper()->setShown(stage);
    Q_EMIT recordChanged(); // what can be found and done is another on each page
}

void RunPage::takeStep(NextStep step)
{
    switch (step) {
    case NextStep::Review:
        openStage(Stage::Review);
        return;
    case NextStep::EditTask:
        Q_EMIT editTaskRequested(m_view.record.taskPath, m_view.record.repository);
        return;
    case NextStep::RunAgain:
        Q_EMIT runAgainRequested(m_view.record.taskPath, m_view.record.repository);
        return;
    case NextStep::ShowLog:
        openStage(Stage::Build);
        m_live->tabs()->setCurrentIndex(1);
        return;
    }
}

} // namespace Glovebox
