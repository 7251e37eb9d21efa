// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow/mainwindow.h"

#include "app/mainwindow/startpage.h"
#include "app/mainwindow/windowmemory.h"
#include "app/runs/planpage.h"
#include "app/runs/runlistmodel.h"
#include "app/runs/runspage.h"
#include "app/tasks/taskspage.h"
#include "app/widgets/dialogs.h"
#include "app/widgets/icon.h"
#include "app/widgets/pane.h"
#include "core/base/terminaltext.h"
#include "core/tasks/templates.h"

#include <QBoxLayout>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>

namespace Glovebox {

namespace {

constexpr int mostRecent = 10;

} // namespace

MainWindow::MainWindow(WindowParts parts, QWidget *parent)
    : QMainWindow(parent)
    , m_parts(std::move(parts))
    , m_places(new NavigationModel(this))
    , m_runs(new RunListModel(this))
    , m_pages(new QStackedWidget)
{
    setWindowIcon(QIcon(QStringLiteral(":/glovebox/icons/glovebox.svg")));
    resize(1440, 900);
    setMinimumSize(900, 600);
    makePages();
    m_split = new QSplitter(Qt::Horizontal);
    m_split->addWidget(makeNavigation());
    m_split->addWidget(m_pages);
    m_split->setStretchFactor(1, 1);
    m_split->setHandleWidth(1);
    m_split->setChildrenCollapsible(false);
    m_split->setSizes({232, 1208});
    setCentralWidget(m_split);
    m_status = new QLabel;
    m_status->setTextFormat(Qt::PlainText);
    m_status->setContentsMargins(12, 0, 0, 0);
    m_facts = new QLabel;
    m_facts->setContentsMargins(0, 0, 12, 0);
    m_facts->setTextFormat(Qt::PlainText);
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_facts);
    statusBar()->setSizeGripEnabled(false);
    makeMenus();
    connectPages();
    connectSource();
    readRuns();
    recall();
    openPlace(Place::Start);
}

MainWindow::~MainWindow() = default;

void MainWindow::makePages()
{
    m_start = new StartPage;
    m_tasks = new TasksPage;
    m_task = new TaskPage(m_parts.linter);
    m_plan = new PlanPage;
    m_run = new RunPage(m_parts.source, m_parts.readChanges, m_parts.readFile);
    m_runsPage = new RunsPage(m_runs);
    for (QWidget *page : {static_cast<QWidget *>(m_start), static_cast<QWidget *>(m_tasks),
                          static_cast<QWidget *>(m_task), static_cast<QWidget *>(m_plan),
                          static_cast<QWidget *>(m_run), static_cast<QWidget *>(m_runsPage)}) {
        m_pages->addWidget(page);
    }
}

QWidget *MainWindow::makeNavigation()
{
    m_side = new QWidget;
    m_side->setAutoFillBackground(true);
    auto *column = new QBoxLayout(QBoxLayout::TopToBottom, m_side);
    column->setContentsMargins(0, 8, 0, 8);
    column->setSpacing(6);
    auto *buttons = new QBoxLayout(QBoxLayout::TopToBottom);
    buttons->setContentsMargins(6, 0, 6, 0);
    buttons->setSpacing(4);
    m_repositoryButton =
        new QPushButton(themedIcon(QStringLiteral("repository")), tr("Open repository…"));
    m_repositoryButton->setMinimumHeight(44);
    auto *add = new QPushButton(themedIcon(QStringLiteral("plus")), tr("New task"));
    buttons->addWidget(m_repositoryButton);
    buttons->addWidget(add);
    column->addLayout(buttons);
    m_navigation = new QListView;
    m_navigation->setModel(m_places);
    m_navigation->setItemDelegate(new NavigationDelegate(m_navigation));
    m_navigation->setFrameShape(QFrame::NoFrame);
    m_navigation->setMouseTracking(true);
    m_navigation->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_navigation->setAccessibleName(tr("Places and runs"));
    column->addWidget(m_navigation, 1);
    m_side->setMinimumWidth(180);
    m_side->setMaximumWidth(360);
    colourSide();
    connect(m_repositoryButton, &QPushButton::clicked, this, &MainWindow::chooseRepository);
    connect(add, &QPushButton::clicked, this, &MainWindow::newTask);
    const auto open = [this](const QModelIndex &index) {
        const auto kind =
            static_cast<NavigationModel::Kind>(index.data(NavigationModel::KindRole).toInt());
        if (kind == NavigationModel::Kind::Place) {
            openPlace(static_cast<Place>(index.data(NavigationModel::PlaceRole).toInt()));
        } else if (kind == NavigationModel::Kind::Run) {
            openRun(index.data(NavigationModel::RunRole).value<RunRecord>().id);
        }
    };
    connect(m_navigation, &QAbstractItemView::clicked, this, open);
    connect(m_navigation, &QAbstractItemView::activated, this, open);
    return m_side;
}

void MainWindow::connectPages()
{
    connect(m_start, &StartPage::runRequested, this, &MainWindow::openRun);
    connect(m_start, &StartPage::openRepositoryRequested, this, &MainWindow::chooseRepository);
    connect(m_start, &StartPage::repositoryRequested, this, [this](const QString &path) {
        switchRepository(path, [this] { openPlace(Place::Tasks); });
    });
    connect(m_start, &StartPage::demoRequested, this, &MainWindow::startDemo);
    connect(m_tasks, &TasksPage::taskRequested, this, &MainWindow::openTask);
    connect(m_tasks, &TasksPage::newTaskRequested, this, &MainWindow::newTask);
    connect(m_tasks, &TasksPage::openRepositoryRequested, this, &MainWindow::chooseRepository);
    connect(m_tasks, &TasksPage::countChanged, this,
            [this](int count) { m_places->setCount(Place::Tasks, count); });
    connect(m_task, &TaskPage::planRequested, this,
            [this](const QString &path) { planTask(path, m_taskRepository, {}); });
    connect(m_task, &TaskPage::saveAsRequested, this, [this] { saveTask({}); });
    connect(m_task, &TaskPage::changedOnDisk, this, &MainWindow::askWhichText);
    connect(m_task, &TaskPage::saved, m_tasks, &TasksPage::reload);
    connect(m_task, &TaskPage::stateChanged, this, &MainWindow::updateActions);
    connect(m_plan, &PlanPage::backRequested, this,
            [this] { openTaskOf(m_planTask, m_planRepository); });
    connect(m_plan, &PlanPage::startRequested, this,
            [this](const RunPlan &plan) { m_parts.source->start(plan); });
    connect(m_plan, &PlanPage::planAgainRequested, this,
            [this](const PlanTicks &ticks) { planTask(m_planTask, m_planRepository, ticks); });
    connect(m_run, &RunPage::recordChanged, this, &MainWindow::updateActions);
    connect(m_run, &RunPage::stopRequested, this, &MainWindow::askStop);
    connect(m_run, &RunPage::editTaskRequested, this, &MainWindow::openTaskOf);
    connect(
        m_run, &RunPage::runAgainRequested, this,
        [this](const QString &path, const QString &repository) { planTask(path, repository, {}); });
    connect(m_runsPage, &RunsPage::runRequested, this, &MainWindow::openRun);
    connect(m_runsPage, &RunsPage::retryRequested, this, &MainWindow::readRuns);
    connect(m_runsPage, &RunsPage::tasksRequested, this, [this] { openPlace(Place::Tasks); });
}

void MainWindow::connectSource()
{
    RunSource *source = m_parts.source;
    connect(source, &RunSource::runsChanged, this, &MainWindow::readRuns);
    connect(source, &RunSource::planReady, this,
            [this](const RunPlan &plan) { m_plan->setPlan(plan); });
    connect(source, &RunSource::planRefused, m_plan, &PlanPage::setRefused);
    connect(source, &RunSource::startRefused, this,
            [this](const Error &error) { m_plan->setRefused(error, {}, {}); });
    connect(source, &RunSource::runStarted, this, &MainWindow::openRun);
}

void MainWindow::readRuns()
{
    const Result<QList<RunRecord>> runs = m_parts.source->runs();
    if (!runs) {
        m_runsPage->setError(runs.error());
        m_status->setText(runs.error().message);
        return;
    }
    m_runsPage->clearError();
    m_runs->setRuns(*runs);
    setPlaces(*runs);
    m_start->setRuns(*runs);
    int working = 0;
    for (const RunRecord &run : *runs) {
        working += isAtRest(run.phase) ? 0 : 1;
    }
    m_status->setText(working == 0 ? tr("Nothing is running")
                                   : tr("%n run(s) working", nullptr, working));
}

/// The current item stays where the user left it, though rows move when a run changes group.
void MainWindow::setPlaces(const QList<RunRecord> &runs)
{
    const QModelIndex before = m_navigation->currentIndex();
    const int row = before.row();
    const QString run = before.data(NavigationModel::RunRole).value<RunRecord>().id;
    m_places->setRuns(runs);
    if (m_navigation->currentIndex().isValid()) {
        return;
    }
    if (row < 0 && m_visit >= 0 && m_history.at(m_visit).kind == Visit::Kind::Run) {
        m_navigation->setCurrentIndex(m_places->indexOf(m_run->runId())); // it is listed by now
    } else {
        m_navigation->setCurrentIndex(run.isEmpty() ? m_places->index(row)
                                                    : m_places->indexOf(run));
    }
}

QWidget *MainWindow::currentPage() const
{
    return m_pages->currentWidget();
}

void MainWindow::openRepository(const QString &path)
{
    switchRepository(path, [] {});
}

void MainWindow::switchRepository(const QString &path, const Then &then)
{
    if (QDir(path).absolutePath() == m_repository) {
        then();
        return;
    }
    leaveTask([this, path, then] {
        m_task->clear(); // a task belongs to the repository that is open
        m_history.removeIf([](const Visit &visit) { return visit.kind == Visit::Kind::Task; });
        m_visit = qMin(m_visit, static_cast<int>(m_history.size()) - 1);
        setRepository(path);
        if (currentPage() == m_task) {
            openPlace(Place::Tasks);
        }
        then();
    });
}

void MainWindow::setRepository(const QString &path)
{
    m_repository = QDir(path).absolutePath();
    m_recent.removeAll(m_repository);
    m_recent.prepend(m_repository);
    m_recent = m_recent.mid(0, mostRecent);
    m_repositoryButton->setText(QFileInfo(m_repository).fileName());
    m_repositoryButton->setToolTip(m_repository.toHtmlEscaped());
    m_tasks->setWorkTree(m_repository);
    m_start->setRepositories(m_recent, m_repository);
    m_facts->setText(m_repository);
    m_parts.memory->setRecent(m_recent);
}

void MainWindow::chooseRepository()
{
    const QString start = m_repository.isEmpty() ? QDir::homePath() : m_repository;
    m_parts.dialogs->chooseFolder(this, tr("Open a repository"), start,
                                  [this](const QString &path) {
                                      switchRepository(path, [this] { openPlace(Place::Tasks); });
                                  });
}

void MainWindow::chooseTask()
{
    const QString start = m_repository.isEmpty() ? QDir::homePath() : m_repository;
    const QStringList filters{tr("Task files (*.task.md *.md *.txt)"), tr("All files (*)")};
    m_parts.dialogs->chooseFile(this, tr("Open a task file"), start, filters,
                                [this](const QString &path) { openTask(path); });
}

void MainWindow::startDemo()
{
    m_start->setDemo(StartPage::Demo::BeingMade);
    const QPointer<MainWindow> self(this);
    m_parts.makeDemo(m_parts.demoFolder, [self](const Result<void> &made) {
        if (!self) {
            return;
        }
        self->m_start->setDemo(StartPage::Demo::Ready);
        if (!made && made.error().code != ErrorCode::AlreadyExists) {
            self->m_status->setText(made.error().message);
            return;
        }
        MainWindow *window = self;
        window->switchRepository(window->m_parts.demoFolder, [window] {
            window->planTask(window->m_parts.demoFolder + QStringLiteral("/demo.task.md"),
                             window->m_parts.demoFolder, {});
        });
    });
}

void MainWindow::newTask()
{
    leaveTask([this] {
        const QList<TaskTemplate> templates = taskTemplates();
        m_task->openNew(templates.isEmpty() ? QByteArray() : templates.constFirst().text,
                        m_repository);
        m_taskRepository = m_repository;
        showPage(m_task, {Visit::Kind::Task, Place::Tasks, {}, m_repository});
    });
}

void MainWindow::planTask(const QString &path, const QString &repository, const PlanTicks &ticks)
{
    m_planTask = path;
    m_planRepository = repository;
    m_plan->setPlanning(QFileInfo(path).fileName(), ticks);
    showPage(m_plan, {Visit::Kind::Plan, Place::Tasks, path, {}});
    m_parts.source->plan(path, repository, ticks);
}

void MainWindow::askStop(const QString &id)
{
    Question question;
    question.title = tr("Stop this run?");
    question.text = tr("Keeping the work commits what is there, checks it and returns a branch. "
                       "Throwing it away deletes the sandbox with everything in it.");
    question.answers = {{QStringLiteral("keep"), tr("Stop, commit and return")},
                        {QStringLiteral("discard"), tr("Stop and throw away")},
                        {QStringLiteral("go-on"), tr("Go on")}};
    question.safe = QStringLiteral("go-on");
    ask(question, [this, id](const QString &answer) {
        if (answer == QLatin1String("keep")) {
            m_parts.source->stop(id, StopWish::KeepWork);
        } else if (answer == QLatin1String("discard")) {
            m_parts.source->stop(id, StopWish::Discard);
        }
    });
}

void MainWindow::colourSide()
{
    QPalette colours = QApplication::palette();
    const QColor side = Tokens::of(colours)[Token::Side];
    colours.setColor(QPalette::Window, side);
    colours.setColor(QPalette::Base, side);
    m_side->setPalette(colours);
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    const bool colours =
        event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange;
    if (colours && m_side != nullptr) {
        colourSide();
    }
}

} // namespace Glovebox
