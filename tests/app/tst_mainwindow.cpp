// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow/mainwindow.h"
#include "app/runs/eventlist.h"
#include "app/runs/livepage.h"
#include "app/runs/planpage.h"
#include "app/runs/runlistmodel.h"
#include "app/tasks/taskeditor.h"
#include "app/tasks/tasklistmodel.h"
#include "app/tasks/taskspage.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QMenuBar>
#include <QPushButton>
#include <QTemporaryDir>

using namespace Glovebox;

class TestMainWindow : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void findsTasksAndSkipsWhatToolsFill();
    void opensARepositoryThroughTheSeam();
    void aTaskBecomesAPlanAndARun();
    void aRefusedPlanOffersATick();
    void stoppingAsksOnce_data();
    void stoppingAsksOnce();
    void backAndForwardWalkThroughPlaces();
    void aTaskIsSavedAsItWas();
    void noShortcutIsUsedTwice();
    void theOutcomeDecidesWhatIsOffered_data();
    void theOutcomeDecidesWhatIsOffered();
    void modelsAreSound();
    void everyStateOfTheStoreHasAFace();

private:
    QPushButton *button(QWidget *page, const QString &text) const
    {
        for (QPushButton *found : page->findChildren<QPushButton *>()) {
            if (found->text() == text) {
                return found;
            }
        }
        return nullptr;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PreparedDialogs> m_dialogs;
    std::unique_ptr<Testing::SampleSource> m_source;
    std::unique_ptr<MainWindow> m_window;
};

void TestMainWindow::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    Testing::writeSampleTasks(m_folder->path());
    m_dialogs = std::make_unique<PreparedDialogs>();
    m_source = std::make_unique<Testing::SampleSource>(m_folder->path());
    m_window = std::make_unique<MainWindow>(
        Testing::sampleParts(m_source.get(), m_dialogs.get(), m_folder->path()));
    m_window->show();
}

void TestMainWindow::findsTasksAndSkipsWhatToolsFill()
{
    QFile::link(m_folder->path(), m_folder->filePath(QStringLiteral("loop")));
    const Result<FoundTasks> found = findTasks(m_folder->path());
    VERIFY_RESULT(found);
    QStringList paths;
    for (const TaskEntry &task : found->tasks) {
        paths.append(task.relative);
    }
    QCOMPARE(paths, QStringList(
                        {QStringLiteral("broken.task.md"), QStringLiteral("tasks/retry.task.md")}));
    QVERIFY(found->tasks.at(0).errors > 0);
    QCOMPARE(found->tasks.at(1).title, QStringLiteral("Retry on 429 and 503"));
    QVERIFY(!findTasks(m_folder->filePath(QStringLiteral("nowhere"))));
}

void TestMainWindow::opensARepositoryThroughTheSeam()
{
    m_dialogs->setNextPath(m_folder->path());
    auto *tasks = m_window->findChild<TasksPage *>();
    m_window->openPlace(Place::Tasks);
    QTest::mouseClick(button(tasks, QStringLiteral("Open repository…")), Qt::LeftButton);
    QTRY_COMPARE(tasks->model()->rowCount(), 2);
    QCOMPARE(m_window->recent().value(0), m_folder->path());
}

void TestMainWindow::aTaskBecomesAPlanAndARun()
{
    m_window->openRepository(m_folder->path());
    m_window->openTask(m_folder->path() + QStringLiteral("/tasks/retry.task.md"));
    QTRY_VERIFY(m_window->taskPage()->canPlan());
    QTest::mouseClick(button(m_window->taskPage(), QStringLiteral("Plan run…")), Qt::LeftButton);
    QCOMPARE(m_window->currentPage(), m_window->planPage());
    QVERIFY(!m_window->planPage()->canStart());
    QTRY_VERIFY(m_window->planPage()->canStart());
    QTest::mouseClick(button(m_window->planPage(), QStringLiteral("Start run")), Qt::LeftButton);
    QCOMPARE(m_source->calls,
             QStringList({QStringLiteral("plan retry.task.md"), QStringLiteral("start planned")}));
    QCOMPARE(m_window->currentPage(), m_window->runPage());
    QCOMPARE(m_window->runPage()->shownStage(), Stage::Build);
}

void TestMainWindow::aRefusedPlanOffersATick()
{
    m_source->refusal = Error{ErrorCode::InvalidRequest, QStringLiteral("Not as it is."), {}};
    Problem problem;
    problem.code = QStringLiteral("unenforced-network");
    problem.message = QStringLiteral("The network can't be enforced.");
    m_source->problems = {problem};
    m_window->startDemo();
    QTRY_VERIFY(m_window->planPage()->findChild<QCheckBox *>() != nullptr);
    QPushButton *again = button(m_window->planPage(), QStringLiteral("Plan again"));
    QVERIFY(again != nullptr);
    QVERIFY(!again->isEnabled());
    m_window->planPage()->findChild<QCheckBox *>()->setChecked(true);
    QVERIFY(again->isEnabled());
    m_source->refusal.reset();
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_VERIFY(m_window->planPage()->canStart());
    QCOMPARE(m_source->calls.last(), QStringLiteral("plan demo.task.md unenforced"));
}

void TestMainWindow::stoppingAsksOnce_data()
{
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("call");
    QTest::newRow("keep") << QStringLiteral("keep") << QStringLiteral("stop live keep");
    QTest::newRow("discard") << QStringLiteral("discard") << QStringLiteral("stop live discard");
    QTest::newRow("go on") << QStringLiteral("go-on") << QString();
}

void TestMainWindow::stoppingAsksOnce()
{
    QFETCH(QString, answer);
    QFETCH(QString, call);
    m_window->openRun(QStringLiteral("live"));
    m_dialogs->setNextAnswer(answer);
    QPushButton *stop = button(m_window->runPage()->live(), QStringLiteral("Stop and keep work…"));
    QTest::mouseClick(stop, Qt::LeftButton);
    QCOMPARE(m_dialogs->asked().size(), 1);
    QCOMPARE(m_dialogs->asked().at(0).safe, QStringLiteral("go-on"));
    if (call.isEmpty()) {
        QCoreApplication::processEvents();
        QVERIFY(m_source->calls.isEmpty());
    } else {
        QTRY_COMPARE(m_source->calls, QStringList({call}));
    }
}

void TestMainWindow::backAndForwardWalkThroughPlaces()
{
    QWidget *start = m_window->currentPage();
    m_window->openPlace(Place::Runs);
    m_window->openRun(QStringLiteral("failed"));
    const auto act = [this](const QString &text) {
        for (QAction *action : m_window->findChildren<QAction *>()) {
            if (action->text() == text) {
                action->trigger();
                return;
            }
        }
        QFAIL(qPrintable(text));
    };
    act(QStringLiteral("&Back"));
    act(QStringLiteral("&Back"));
    QCOMPARE(m_window->currentPage(), start);
    act(QStringLiteral("&Forward"));
    act(QStringLiteral("&Forward"));
    QCOMPARE(m_window->currentPage(), m_window->runPage());
    QCOMPARE(m_window->runPage()->runId(), QStringLiteral("failed"));
}

void TestMainWindow::aTaskIsSavedAsItWas()
{
    const QString path = m_folder->filePath(QStringLiteral("crlf.task.md"));
    const QByteArray text = "---\r\ntitle: x\r\nacceptance: make\r\n---\r\n\r\nDo it.\r\n";
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
    file.close();
    m_window->openTask(path);
    QVERIFY(!m_window->taskPage()->isModified());
    m_window->taskPage()->editor()->moveCursor(QTextCursor::End);
    m_window->taskPage()->editor()->insertPlainText(QStringLiteral("y\n"));
    m_window->taskPage()->save();
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), text + "y\r\n");
}

void TestMainWindow::noShortcutIsUsedTwice()
{
    QStringList keys;
    for (const QAction *action : m_window->findChildren<QAction *>()) {
        if (!action->shortcut().isEmpty()) {
            keys.append(action->shortcut().toString());
        }
    }
    QVERIFY(keys.size() > 10);
    QCOMPARE(keys.removeDuplicates(), 0);
    for (const QMenu *menu : m_window->menuBar()->findChildren<QMenu *>()) {
        QStringList mnemonics;
        for (const QAction *action : menu->actions()) {
            const auto at = action->text().indexOf(QLatin1Char('&'));
            if (at >= 0) {
                mnemonics.append(action->text().mid(at + 1, 1).toLower());
            }
        }
        QVERIFY2(mnemonics.removeDuplicates() == 0, qPrintable(menu->title()));
    }
}

void TestMainWindow::theOutcomeDecidesWhatIsOffered_data()
{
    QTest::addColumn<QString>("run");
    QTest::addColumn<bool>("review");
    QTest::addColumn<bool>("edit");
    QTest::newRow("accepted") << QStringLiteral("ready") << true << false;
    QTest::newRow("failed") << QStringLiteral("failed") << true << true;
    QTest::newRow("blocked") << QStringLiteral("blocked") << true << true;
    QTest::newRow("cancelled") << QStringLiteral("cancelled") << false << true;
}

void TestMainWindow::theOutcomeDecidesWhatIsOffered()
{
    QFETCH(QString, run);
    QFETCH(bool, review);
    QFETCH(bool, edit);
    m_window->openRun(run);
    QCOMPARE(m_window->runPage()->shownStage(), Stage::Verify);
    const QList<NextStep> offered = m_window->runPage()->finished()->offered();
    QVERIFY(!offered.isEmpty());
    QCOMPARE(offered.contains(NextStep::Review), review);
    QCOMPARE(offered.contains(NextStep::EditTask), edit);
    QVERIFY(offered.contains(NextStep::RunAgain));
}

void TestMainWindow::modelsAreSound()
{
    using Mode = QAbstractItemModelTester::FailureReportingMode;
    const QList<RunRecord> runs = m_source->runs().value();
    NavigationModel places;
    QAbstractItemModelTester first(&places, Mode::QtTest);
    places.setRuns(runs);
    QVERIFY(places.indexOf(QStringLiteral("live")).isValid());
    places.setRuns(runs.mid(1));
    QVERIFY(!places.indexOf(QStringLiteral("live")).isValid());
    RunListModel list;
    QAbstractItemModelTester second(&list, Mode::QtTest);
    list.setRuns(runs);
    list.setRuns(runs);
    list.setRuns({});
    TaskListModel tasks;
    QAbstractItemModelTester third(&tasks, Mode::QtTest);
    tasks.setTasks(findTasks(m_folder->path())->tasks);
    EventListModel events;
    QAbstractItemModelTester fourth(&events, Mode::QtTest);
    TimedEvent event;
    event.event.kind = AgentEvent::Kind::Runs;
    event.event.id = QStringLiteral("call 1");
    TimedEvent words;
    words.event.object = QStringLiteral("Next"); // has no id
    events.replaceFrom(0, {event, words});
    event.event.failed = true;
    event.event.output = QStringLiteral("boom\n");
    events.replaceFrom(0, {event, words, TimedEvent{}});
    QCOMPARE(events.rowCount(), 3); // the end of a tool is the row of its call
    QCOMPARE(events.at(1).event.object, QStringLiteral("Next"));
    events.replaceFrom(9, {words}); // without what is above it
    QCOMPARE(events.rowCount(), 3);
    QVERIFY(events.isOpen(0));
    events.toggle(events.index(0));
    QVERIFY(!events.isOpen(0));
}

void TestMainWindow::everyStateOfTheStoreHasAFace()
{
    RunView view = m_source->views.value(QStringLiteral("failed"));
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const RunPhase phase : allPhases()) {
        for (const Outcome outcome : allOutcomes()) {
            view.record.phase = phase;
            view.record.outcome = isAtRest(phase) ? std::optional(outcome) : std::nullopt;
            const Stages stages = stagesOf(view, now);
            QVERIFY(stages[0].state == StageState::Done);
            QVERIFY(stages.at(static_cast<size_t>(doorOf(view.record))).state !=
                    StageState::ToCome);
            QCOMPARE(stepsOf(view, now).size(), 9);
            QVERIFY(!factText(view.record, now).isEmpty());
            QCOMPARE(actionsFor(view.record).stop && actionsFor(view.record).runAgain, false);
        }
    }
}

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
