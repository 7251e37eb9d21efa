// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/mainwindow/navigationmodel.h"
#include "app/runs/runpage.h"
#include "app/tasks/taskpage.h"

#include <QMainWindow>

class QLabel;
class QListView;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace Glovebox {

class Dialogs;
class PlanPage;
class RunListModel;
class RunsPage;
class StartPage;
class TasksPage;
class WindowMemory;
struct Question;

/// What the window is built on; all of it outlives the window. Tests give samples.
struct WindowParts
{
    RunSource *source = nullptr;
    Dialogs *dialogs = nullptr;
    WindowMemory *memory = nullptr;
    TaskPage::Linter linter;
    RunPage::ChangesReader readChanges;
    DiffDocument::Reader readFile;
    /// Makes the demo repository in a folder; answers by calling back once. Main thread.
    std::function<void(const QString &folder, std::function<void(const Result<void> &)>)> makeDemo;
    QString demoFolder;
};

/// The window: navigation, pages, menus. Decides nothing: pages ask, it passes on. Asks before a
/// text that isn't saved or a run that works would go.
class MainWindow final : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(WindowParts parts, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Asks first where the text of a task would go with the repository that is open now.
    void openRepository(const QString &path);
    /// Asks first where the text of another task would go.
    void openTask(const QString &path);
    void openRun(const QString &id);
    void openPlace(Place place);
    void startDemo();
    [[nodiscard]] QStringList recent() const { return m_recent; }
    [[nodiscard]] QWidget *currentPage() const;
    [[nodiscard]] RunPage *runPage() const { return m_run; }
    [[nodiscard]] PlanPage *planPage() const { return m_plan; }
    [[nodiscard]] TaskPage *taskPage() const { return m_task; }

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    using Then = std::function<void()>;
    /// A place to go back to.
    struct Visit
    {
        enum class Kind { Place, Task, Plan, Run };
        Kind kind = Kind::Place;
        Place place = Place::Start;
        QString id;         ///< task path or run id
        QString repository; ///< of a task
        friend bool operator==(const Visit &, const Visit &) = default;
    };
    [[nodiscard]] QWidget *makeNavigation();
    void makePages();
    void makeMenus();
    void makeFileMenu();
    void makeEditMenu();
    void makeViewMenu();
    void find();
    void findNext(int step);
    void makeTaskAndRunMenus();
    void makeReviewAndHelpMenus();
    void colourSide();
    void connectPages();
    void connectSource();
    void showPage(QWidget *page, const Visit &visit);
    void go(int step);
    void revisit(const Visit &visit);
    void readRuns();
    void setPlaces(const QList<RunRecord> &runs);
    void updateActions();
    void chooseRepository();
    void chooseTask();
    void newTask();
    void ask(const Question &question, std::function<void(const QString &)> answered);
    /// Goes on as soon as the text of the task page may go, or never.
    void leaveTask(const Then &then);
    /// The same for the runs that end with this program. Stops none.
    void leaveRuns(const Then &then);
    /// Goes on when the text is saved; an untitled one asks for its file.
    void saveTask(const Then &then);
    void saveTaskAs(const Then &then);
    void askReplace(const QString &path, const Then &then);
    /// The task's file has another text than the one that was edited here.
    void askWhichText(const Then &then);
    void switchRepository(const QString &path, const Then &then);
    void setRepository(const QString &path);
    void recall();
    void planTask(const QString &path, const QString &repository, const PlanTicks &ticks);
    /// \a repository: the one that the task works on, which needn't be the open one.
    void openTaskOf(const QString &path, const QString &repository);
    [[nodiscard]] QString repositoryAround(const QString &taskPath) const;
    void askStop(const QString &id);
    void showAbout();
    void addThemes(class QMenu *menu);
    QAction *addAction(class QMenu *menu, const QString &text, const QKeySequence &key,
                       std::function<void()> act);

    WindowParts m_parts;
    NavigationModel *m_places;
    RunListModel *m_runs;
    QSplitter *m_split = nullptr;
    QWidget *m_side = nullptr;
    QListView *m_navigation = nullptr;
    QPushButton *m_repositoryButton = nullptr;
    QStackedWidget *m_pages;
    StartPage *m_start = nullptr;
    TasksPage *m_tasks = nullptr;
    TaskPage *m_task = nullptr;
    PlanPage *m_plan = nullptr;
    RunPage *m_run = nullptr;
    RunsPage *m_runsPage = nullptr;
    QLabel *m_status = nullptr;
    QLabel *m_facts = nullptr;
    QStringList m_recent;
    QString m_repository;
    QString m_taskRepository; ///< of the task on the task page; empty = found by the planner
    QString m_planTask;
    QString m_planRepository;
    QList<Visit> m_history;
    int m_visit = -1;
    bool m_revisiting = false;
    bool m_asking = false;   ///< a question of ours is open
    bool m_mayClose = false; ///< what closing costs has been asked
    struct Actions
    {
        QAction *back = nullptr;
        QAction *forward = nullptr;
        QAction *save = nullptr;
        QAction *saveAs = nullptr;
        QAction *find = nullptr;
        QAction *findNext = nullptr;
        QAction *findPrevious = nullptr;
        QAction *plan = nullptr;
        QAction *nextProblem = nullptr;
        QAction *previousProblem = nullptr;
        QAction *stop = nullptr;
        QAction *again = nullptr;
        QAction *nextChange = nullptr;
        QAction *previousChange = nullptr;
        std::array<QAction *, stageCount> stages{};
    };
    Actions m_actions;
};

} // namespace Glovebox
