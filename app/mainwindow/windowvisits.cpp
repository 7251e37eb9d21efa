// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// Where the window has been: pages, back and forward, and which actions apply there.
#include "app/mainwindow/mainwindow.h"
#include "app/mainwindow/startpage.h"
#include "app/review/diffview.h"
#include "app/review/reviewpage.h"
#include "app/runs/planpage.h"
#include "app/runs/runspage.h"
#include "app/tasks/taskeditor.h"
#include "app/tasks/taskspage.h"
#include "core/base/terminaltext.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QListView>
#include <QStackedWidget>

namespace Glovebox {

namespace {

constexpr int longestHistory = 100;

} // namespace

void MainWindow::showPage(QWidget *page, const Visit &visit)
{
    m_pages->setCurrentWidget(page);
    if (!m_revisiting && (m_visit < 0 || m_history.at(m_visit) != visit)) {
        m_history = m_history.mid(0, m_visit + 1);
        m_history.append(visit);
        if (m_history.size() > longestHistory) {
            m_history.removeFirst();
        }
        m_visit = static_cast<int>(m_history.size()) - 1;
    }
    const QModelIndex index = visit.kind == Visit::Kind::Run ? m_places->indexOf(visit.id)
                                                             : m_places->indexOf(visit.place);
    m_navigation->setCurrentIndex(index);
    QString title = tr("Glovebox");
    if (visit.kind == Visit::Kind::Run) {
        title = tr("%1 — Glovebox").arg(displayText(m_run->record().title));
    } else if (!visit.id.isEmpty()) {
        title = tr("%1 — Glovebox").arg(QFileInfo(visit.id).fileName());
    }
    setWindowTitle(title);
    updateActions();
}

void MainWindow::openPlace(Place place)
{
    QWidget *page = m_start;
    if (place == Place::Tasks) {
        page = m_tasks;
    } else if (place == Place::Runs) {
        page = m_runsPage;
    }
    showPage(page, {Visit::Kind::Place, place, {}, {}});
}

void MainWindow::openTask(const QString &path)
{
    openTaskOf(path, repositoryAround(path));
}

/// The one that is open, unless the file lies in another one.
QString MainWindow::repositoryAround(const QString &taskPath) const
{
    QDir folder = QFileInfo(taskPath).absoluteDir();
    do {
        if (folder.path() == m_repository || folder.exists(QStringLiteral(".git"))) {
            return folder.path();
        }
    } while (folder.cdUp());
    return m_repository;
}

void MainWindow::openTaskOf(const QString &path, const QString &repository)
{
    const Visit visit{Visit::Kind::Task, Place::Tasks, path, repository};
    if (m_task->path() == path && m_task->isModified()) {
        m_taskRepository = repository;
        showPage(m_task, visit);
        return;
    }
    leaveTask([this, path, repository, visit] {
        if (m_task->path() == path && m_taskRepository == repository) {
            m_task->reload(); // where the reader was
        } else {
            m_task->open(path, repository.isEmpty() ? QFileInfo(path).absolutePath() : repository);
        }
        m_taskRepository = repository;
        showPage(m_task, visit);
    });
}

void MainWindow::openRun(const QString &id)
{
    m_run->showRun(id);
    showPage(m_run, {Visit::Kind::Run, Place::Runs, id, {}});
}

void MainWindow::go(int step)
{
    const int to = m_visit + step;
    if (to < 0 || to >= m_history.size()) {
        return;
    }
    const Visit visit = m_history.at(to);
    const auto walk = [this, to, visit] {
        m_visit = to;
        m_revisiting = true;
        revisit(visit);
        m_revisiting = false;
    };
    if (visit.kind == Visit::Kind::Task && visit.id != m_task->path()) {
        leaveTask(walk); // asked before the walk, so that Cancel stays where it is
    } else {
        walk();
    }
}

void MainWindow::revisit(const Visit &visit)
{
    switch (visit.kind) {
    case Visit::Kind::Place:
        openPlace(visit.place);
        return;
    case Visit::Kind::Task:
        if (visit.id.isEmpty() && m_task->path().isEmpty()) {
            showPage(m_task, visit);
        } else if (visit.id.isEmpty()) {
            newTask();
        } else {
            openTaskOf(visit.id, visit.repository);
        }
        return;
    case Visit::Kind::Plan:
        showPage(m_plan, visit);
        return;
    case Visit::Kind::Run:
        openRun(visit.id);
        return;
    }
}

void MainWindow::updateActions()
{
    if (m_actions.back == nullptr) {
        return; // the menus are made after the pages
    }
    const QWidget *page = currentPage();
    const bool onRun = page == m_run;
    const bool onTask = page == m_task;
    const RunActions run = onRun ? m_run->actions() : RunActions{};
    m_actions.back->setEnabled(m_visit > 0);
    m_actions.forward->setEnabled(m_visit + 1 < m_history.size());
    m_actions.save->setEnabled(onTask && m_task->isModified());
    m_actions.saveAs->setEnabled(onTask && !m_task->editor()->isReadOnly());
    const Stage stage = m_run->shownStage();
    const bool finds = onRun && (stage == Stage::Build || (stage == Stage::Review && run.review));
    m_actions.find->setEnabled(finds || page == m_runsPage);
    m_actions.findNext->setEnabled(finds);
    m_actions.findPrevious->setEnabled(finds);
    m_actions.plan->setEnabled(onTask && m_task->canPlan());
    m_actions.nextProblem->setEnabled(onTask && !m_task->problems().isEmpty());
    m_actions.previousProblem->setEnabled(m_actions.nextProblem->isEnabled());
    m_actions.stop->setEnabled(run.stop);
    m_actions.again->setEnabled(run.runAgain);
    m_actions.nextChange->setEnabled(run.review);
    m_actions.previousChange->setEnabled(run.review);
    for (QAction *door : m_actions.stages) {
        door->setEnabled(onRun);
    }
}

} // namespace Glovebox
