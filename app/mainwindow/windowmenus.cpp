// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The menus of the window. What does not apply is disabled, never hidden.
#include "app/mainwindow/mainwindow.h"
#include "app/mainwindow/windowmemory.h"
#include "app/review/difffindbar.h"
#include "app/review/diffview.h"
#include "app/review/reviewpage.h"
#include "app/runs/livepage.h"
#include "app/runs/runspage.h"
#include "app/tasks/taskspage.h"
#include "app/widgets/dialogs.h"
#include "app/widgets/tokens.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

namespace Glovebox {

QAction *MainWindow::addAction(QMenu *menu, const QString &text, const QKeySequence &key,
                               std::function<void()> act)
{
    auto *action = menu->addAction(text);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, std::move(act));
    return action;
}

void MainWindow::makeMenus()
{
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makeTaskAndRunMenus();
    makeReviewAndHelpMenus();
}

void MainWindow::makeFileMenu()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    addAction(file, tr("&New task…"), QKeySequence::New, [this] { newTask(); });
    file->addSeparator();
    addAction(file, tr("&Open repository…"), QKeySequence::Open, [this] { chooseRepository(); });
    addAction(file, tr("Open &task file…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O,
              [this] { chooseTask(); });
    addAction(file, tr("&Demo task"), {}, [this] { startDemo(); });
    file->addSeparator();
    m_actions.save = addAction(file, tr("&Save"), QKeySequence::Save, [this] { m_task->save(); });
    m_actions.saveAs = addAction(file, tr("Save &as…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
                                 [this] { saveTaskAs([] {}); });
    file->addSeparator();
    // Not by the platform's table: it has no key for these on every system.
    addAction(file, tr("&Close window"), Qt::CTRL | Qt::Key_W, [this] { close(); });
    addAction(file, tr("&Quit"), Qt::CTRL | Qt::Key_Q, [] { QApplication::closeAllWindows(); });
}

void MainWindow::makeEditMenu()
{
    QMenu *edit = menuBar()->addMenu(tr("&Edit"));
    m_actions.find = addAction(edit, tr("&Find"), QKeySequence::Find, [this] { find(); });
    m_actions.findNext = addAction(edit, tr("Find &next"), Qt::Key_F3, [this] { findNext(1); });
    m_actions.findPrevious =
        addAction(edit, tr("Find &previous"), Qt::SHIFT | Qt::Key_F3, [this] { findNext(-1); });
}

void MainWindow::find()
{
    if (currentPage() == m_runsPage) {
        m_runsPage->focusFilter();
    } else if (m_run->shownStage() == Stage::Review) {
        m_run->review()->findBar()->open();
    } else {
        m_run->live()->openFind();
    }
}

void MainWindow::findNext(int step)
{
    if (m_run->shownStage() == Stage::Review) {
        m_run->review()->findBar()->walk(step);
    } else {
        m_run->live()->findNext(step > 0 ? FindDirection::Forward : FindDirection::Backward);
    }
}

void MainWindow::makeViewMenu()
{
    QMenu *view = menuBar()->addMenu(tr("&View"));
    m_actions.back = addAction(view, tr("&Back"), QKeySequence::Back, [this] { go(-1); });
    m_actions.forward = addAction(view, tr("&Forward"), QKeySequence::Forward, [this] { go(1); });
    view->addSeparator();
    addAction(view, tr("&Start"), Qt::CTRL | Qt::Key_1, [this] { openPlace(Place::Start); });
    addAction(view, tr("&Tasks"), Qt::CTRL | Qt::Key_2, [this] { openPlace(Place::Tasks); });
    addAction(view, tr("&Runs"), Qt::CTRL | Qt::Key_3, [this] { openPlace(Place::Runs); });
    addAction(view, tr("R&efresh"), QKeySequence::Refresh, [this] {
        m_tasks->reload();
        readRuns();
        m_run->refresh();
    });
    view->addSeparator();
    for (int index = 0; index < stageCount; ++index) {
        const auto stage = static_cast<Stage>(index);
        m_actions.stages.at(static_cast<size_t>(index)) =
            addAction(view, stageText(stage), QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + index)),
                      [this, stage] { m_run->openStage(stage); });
    }
    view->addSeparator();
    addThemes(view->addMenu(tr("The&me")));
    addAction(view, tr("F&ull screen"), QKeySequence::FullScreen,
              [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
}

void MainWindow::addThemes(QMenu *menu)
{
    auto *themes = new QActionGroup(menu);
    const Theme chosen = m_parts.memory->theme();
    for (const auto &[theme, text] :
         {std::pair(Theme::System, tr("&System")), std::pair(Theme::Light, tr("&Light")),
          std::pair(Theme::Dark, tr("&Dark"))}) {
        QAction *action = addAction(menu, text, {}, [this, theme = theme] {
            applyTheme(theme);
            m_parts.memory->setTheme(theme);
        });
        action->setCheckable(true);
        action->setChecked(theme == chosen);
        themes->addAction(action);
    }
}

void MainWindow::makeTaskAndRunMenus()
{
    QMenu *task = menuBar()->addMenu(tr("&Task"));
    m_actions.plan = addAction(task, tr("&Plan run…"), Qt::CTRL | Qt::SHIFT | Qt::Key_R,
                               [this] { m_task->plan(); });
    m_actions.nextProblem =
        addAction(task, tr("&Next problem"), Qt::Key_F8, [this] { m_task->nextProblem(1); });
    m_actions.previousProblem = addAction(task, tr("Pre&vious problem"), Qt::SHIFT | Qt::Key_F8,
                                          [this] { m_task->nextProblem(-1); });
    QMenu *run = menuBar()->addMenu(tr("&Run"));
    m_actions.stop =
        addAction(run, tr("&Stop and keep work…"), {}, [this] { askStop(m_run->runId()); });
    m_actions.again = addAction(run, tr("&Run again…"), {}, [this] {
        planTask(m_run->record().taskPath, m_run->record().repository, {});
    });
}

void MainWindow::makeReviewAndHelpMenus()
{
    QMenu *review = menuBar()->addMenu(tr("Revie&w"));
    m_actions.nextChange = addAction(review, tr("&Next change"), {},
                                     [this] { m_run->review()->diff()->nextChange(1); });
    m_actions.previousChange = addAction(review, tr("&Previous change"), {},
                                         [this] { m_run->review()->diff()->nextChange(-1); });
    QMenu *help = menuBar()->addMenu(tr("&Help"));
    addAction(help, tr("&About Glovebox"), {}, [this] { showAbout(); });
}

void MainWindow::showAbout()
{
    Question about;
    about.title = tr("Glovebox %1").arg(QStringLiteral(GLOVEBOX_VERSION));
    about.text = tr("Runs coding agents unattended in disposable sandboxes and returns a checked "
                    "branch. It sends nothing about you or your work anywhere.");
    about.answers = {{QStringLiteral("close"), tr("Close")}};
    about.safe = QStringLiteral("close");
    ask(about, [](const QString &) {});
}

} // namespace Glovebox
