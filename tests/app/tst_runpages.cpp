// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// What the window says of a run and of its plan, while things change below it.
#include "app/mainwindow/startpage.h"
#include "app/review/reviewpage.h"
#include "app/runs/livepage.h"
#include "app/runs/planpage.h"
#include "app/runs/recordtable.h"
#include "app/runs/returnpage.h"
#include "app/runs/runspage.h"
#include "app/widgets/banner.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/nextsteprow.h"
#include "app/widgets/viewstates.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QTemporaryDir>

using namespace Glovebox;

class TestRunPages final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void whatWasAcceptedIsKeptThroughRefusals();
    void aTaskKeepsItsRepository();
    void aTaskOfAnotherRepositoryIsPlannedThere();
    void theScopeIsKnownAfterAReload();
    void whatIsNotKnownIsNotSaid();
    void warningsAndTheNextStepAreShown();
    void theFirstStepFitsTheOutcome_data();
    void theFirstStepFitsTheOutcome();
    void aRunOfAnotherProgramIsNotStoppedHere();
    void aFailedReadIsTriedAgain();
    void anotherRunEndsTheWaiting();
    void theRowsOfStartStay();
    void theNavigationStaysWhereItWasPut();

private:
    [[nodiscard]] static QPushButton *button(QWidget *page, const QString &text);
    [[nodiscard]] static bool says(QWidget *page, const QString &text);
    [[nodiscard]] RecordTable *table(const QString &name) const;
    void refuse(const QString &code, const QStringList &variables);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PreparedDialogs> m_dialogs;
    std::unique_ptr<Testing::SampleSource> m_source;
    std::unique_ptr<MainWindow> m_window;
};

void TestRunPages::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    Testing::writeSampleTasks(m_folder->path());
    m_dialogs = std::make_unique<PreparedDialogs>();
    m_source = std::make_unique<Testing::SampleSource>(m_folder->path());
    m_window = std::make_unique<MainWindow>(
        Testing::sampleParts(m_source.get(), m_dialogs.get(), m_folder->path()));
    m_window->show();
}

QPushButton *TestRunPages::button(QWidget *page, const QString &text)
{
    for (QPushButton *found : page->findChildren<QPushButton *>()) {
        if (found->text() == text) {
            return found;
        }
    }
    return nullptr;
}

bool TestRunPages::says(QWidget *page, const QString &text)
{
    const QList<QLabel *> labels = page->findChildren<QLabel *>();
    const QList<ElidedLabel *> elided = page->findChildren<ElidedLabel *>();
    return std::any_of(labels.cbegin(), labels.cend(),
                       [&](const QLabel *label) { return label->text() == text; }) ||
           std::any_of(elided.cbegin(), elided.cend(),
                       [&](const ElidedLabel *label) { return label->text() == text; });
}

RecordTable *TestRunPages::table(const QString &name) const
{
    for (RecordTable *found : m_window->runPage()->findChildren<RecordTable *>()) {
        if (found->accessibleName() == name) {
            return found;
        }
    }
    return nullptr;
}

/// The next plan ends so until it is ticked.
void TestRunPages::refuse(const QString &code, const QStringList &variables)
{
    m_source->refusal = Error{ErrorCode::InvalidRequest, QStringLiteral("Not as it is."), {}};
    Problem problem;
    problem.code = code;
    problem.message = code;
    m_source->problems = {problem};
    m_source->variables = variables;
}

void TestRunPages::whatWasAcceptedIsKeptThroughRefusals()
{
    PlanPage *page = m_window->planPage();
    const auto tick = [&](const QString &code) {
        QTRY_VERIFY(page->findChild<QCheckBox *>(code) != nullptr);
        page->findChild<QCheckBox *>(code)->setChecked(true);
        QTest::mouseClick(button(page, QStringLiteral("Plan again")), Qt::LeftButton);
    };
    refuse(QStringLiteral("open-network"), {});
    m_window->startDemo();
    QTRY_VERIFY(page->findChild<QCheckBox *>() != nullptr);
    refuse(QStringLiteral("unconfirmed-env"), {QStringLiteral("MY_TOKEN")});
    tick(QStringLiteral("open-network"));
    QTRY_VERIFY(page->findChild<QCheckBox *>(QStringLiteral("unconfirmed-env")) != nullptr);
    m_source->refusal.reset();
    tick(QStringLiteral("unconfirmed-env"));
    QTRY_VERIFY(page->canStart());
    QCOMPARE(m_source->ticks.size(), 3);
    QVERIFY(m_source->ticks.at(2).open); // given before the second refusal
    QCOMPARE(m_source->ticks.at(2).confirmedVariables, QStringList{QStringLiteral("MY_TOKEN")});
    m_window->startDemo(); // a plan of its own: nothing is taken over
    QCOMPARE(m_source->ticks.size(), 4);
    QVERIFY(!m_source->ticks.at(3).open);
    QVERIFY(m_source->ticks.at(3).confirmedVariables.isEmpty());
}

/// "Edit task" of a run of another repository than the one that is open.
void TestRunPages::aTaskKeepsItsRepository()
{
    const QString task = m_folder->filePath(QStringLiteral("tasks/retry.task.md"));
    m_source->views[QStringLiteral("failed")].record.taskPath = task;
    m_window->openRepository(m_folder->path());
    m_window->openRun(QStringLiteral("failed"));
    Q_EMIT m_window->runPage()->finished()->stepRequested(NextStep::EditTask);
    QCOMPARE(m_window->currentPage(), m_window->taskPage());
    QTRY_VERIFY(m_window->taskPage()->canPlan());
    m_window->taskPage()->plan();
    const QString other = m_source->views.value(QStringLiteral("failed")).record.repository;
    QCOMPARE(m_source->repositories, QStringList{other});
    QTest::mouseClick(button(m_window->planPage(), QStringLiteral("Back to task")), Qt::LeftButton);
    QTRY_VERIFY(m_window->taskPage()->canPlan());
    m_window->taskPage()->plan();
    QCOMPARE(m_source->repositories, QStringList({other, other}));
    m_window->openTask(task); // from the list of the repository that is open
    QTRY_VERIFY(m_window->taskPage()->canPlan());
    m_window->taskPage()->plan();
    QCOMPARE(m_source->repositories.last(), m_folder->path());
}

void TestRunPages::aTaskOfAnotherRepositoryIsPlannedThere()
{
    const QString other = m_folder->filePath(QStringLiteral("other"));
    QVERIFY(QDir().mkpath(other + QStringLiteral("/.git")));
    QVERIFY(QDir().mkpath(m_folder->filePath(QStringLiteral("open"))));
    const QString task = other + QStringLiteral("/retry.task.md");
    QVERIFY(QFile::copy(m_folder->filePath(QStringLiteral("tasks/retry.task.md")), task));
    m_window->openRepository(m_folder->filePath(QStringLiteral("open")));
    m_window->openTask(task);
    QTRY_VERIFY(m_window->taskPage()->canPlan());
    m_window->taskPage()->plan();
    QCOMPARE(m_source->repositories, QStringList{other});
    const QTemporaryDir none;
    const QString loose = none.filePath(QStringLiteral("retry.task.md"));
    QVERIFY(QFile::copy(task, loose));
    m_window->openTask(loose);
    QTRY_VERIFY(m_window->taskPage()->canPlan());
    m_window->taskPage()->plan();
    QCOMPARE(m_source->repositories.last(), m_folder->filePath(QStringLiteral("open")));
}

void TestRunPages::theScopeIsKnownAfterAReload()
{
    m_window->openRun(QStringLiteral("ready"));
    RecordTable *scope = table(QStringLiteral("Scope"));
    QTRY_COMPARE(scope->rowCount(), 2); // the sample's workflow and picture
    Q_EMIT m_source->runChanged(QStringLiteral("ready"));
    QCOMPARE(scope->rowCount(), 2);
    m_window->runPage()->refresh();
    QCOMPARE(scope->rowCount(), 2);
}

void TestRunPages::whatIsNotKnownIsNotSaid()
{
    const QString inside = QStringLiteral("Every changed file is inside the task's scope.");
    RunView view = m_source->views.value(QStringLiteral("ready"));
    ReturnPage page;
    page.setRun(view);
    const auto emptyText = [&page] {
        for (const RecordTable *found : page.findChildren<RecordTable *>()) {
            if (found->accessibleName() == QLatin1String("Scope")) {
                return found->emptyText();
            }
        }
        return QString();
    };
    QVERIFY(!emptyText().isEmpty());
    QVERIFY(emptyText() != inside);
    view.outOfScope = QList<QByteArray>();
    page.setRun(view);
    QCOMPARE(emptyText(), inside);
    view.record.branch.clear();
    page.setRun(view);
    QVERIFY(emptyText() != inside);
}

void TestRunPages::warningsAndTheNextStepAreShown()
{
    RunView &view = m_source->views[QStringLiteral("failed")];
    view.record.message = QStringLiteral("2 of 4 commands failed.");
    view.warnings = {QStringLiteral("The sandbox could not be deleted.")};
    view.hazards = {{QStringLiteral("8be31a7c6d5e"), "src/link", QStringLiteral("symlink"),
                     QStringLiteral("A link leaves the repository.")}};
    m_window->openRun(QStringLiteral("failed"));
    FinishedPage *page = m_window->runPage()->finished();
    QVERIFY(says(page, view.warnings.constFirst()));
    QVERIFY(says(page, QStringLiteral("What came back holds 1 hazard. Return lists it.")));
    QVERIFY(says(page, nextStepText(Outcome::AcceptanceFailed)));
    const RecordTable *hazards = table(QStringLiteral("Hazards"));
    QCOMPARE(hazards->rowCount(), 1);
    QCOMPARE(hazards->item(0, 0)->text(), view.hazards.constFirst().reason);
    QCOMPARE(hazards->item(0, 1)->text(), QStringLiteral("src/link"));
    for (int count = 0; count < 9; ++count) {
        view.warnings.append(QString::number(count));
    }
    const QString word = QString(500, QLatin1Char('x')); // a path, for example
    view.warnings[0] = word;
    m_window->runPage()->refresh();
    QVERIFY(!says(page, word)); // cut here, whole in its tip
    QVERIFY(says(page, word.left(240) + QChar(0x2026)));
    QVERIFY2(page->minimumSizeHint().width() < 700,
             qPrintable(QString::number(page->minimumSizeHint().width())));
    QVERIFY(says(page, QStringLiteral("6 more warnings in report.json in the folder of the run.")));
}

void TestRunPages::theFirstStepFitsTheOutcome_data()
{
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<NextStep>("first");
    QTest::newRow("setup") << Outcome::SetupFailed << NextStep::EditTask;
    QTest::newRow("nothing") << Outcome::NothingChanged << NextStep::EditTask;
    QTest::newRow("sandbox") << Outcome::SandboxError << NextStep::RunAgain;
    QTest::newRow("interrupted") << Outcome::Interrupted << NextStep::RunAgain;
}

void TestRunPages::theFirstStepFitsTheOutcome()
{
    QFETCH(Outcome, outcome);
    QFETCH(NextStep, first);
    RunView view = m_source->views.value(QStringLiteral("cancelled"));
    view.record.phase = RunPhase::Failed;
    view.record.outcome = outcome;
    FinishedPage page;
    page.setRun(view);
    QCOMPARE(page.offered().constFirst(), first);
    QCOMPARE(page.offered().count(NextStep::EditTask), 1);
}

void TestRunPages::aRunOfAnotherProgramIsNotStoppedHere()
{
    const auto stopAction = [this] {
        for (const QAction *action : m_window->findChildren<QAction *>()) {
            if (action->text() == QStringLiteral("&Stop and keep work…")) {
                return action;
            }
        }
        return static_cast<const QAction *>(nullptr);
    };
    m_window->openRun(QStringLiteral("live"));
    LivePage *live = m_window->runPage()->live();
    const QPushButton *stop = button(live, QStringLiteral("Stop and keep work…"));
    QVERIFY(!stop->isHidden());
    QVERIFY(stopAction()->isEnabled());
    for (const RunView::Worker worker :
         {RunView::Worker::AnotherProgram, RunView::Worker::Nobody}) {
        m_source->views[QStringLiteral("live")].worker = worker;
        Q_EMIT m_source->runChanged(QStringLiteral("live"));
        QVERIFY(stop->isHidden());
        QVERIFY(!stopAction()->isEnabled());
        QVERIFY(!says(live, QStringLiteral("This run has ended. What you see is its record.")));
    }
}

void TestRunPages::aFailedReadIsTriedAgain()
{
    m_window->openPlace(Place::Runs);
    auto *states = m_window->findChild<RunsPage *>()->findChild<ViewStates *>();
    m_source->readError = Error{ErrorCode::FileError, QStringLiteral("It is locked."), {}};
    Q_EMIT m_source->runsChanged();
    QCOMPARE(states->errorText(), QStringLiteral("It is locked."));
    m_source->readError.reset();
    QTest::mouseClick(button(states, QStringLiteral("Try again")), Qt::LeftButton);
    QCOMPARE(states->errorText(), QString());
    m_source->readError = Error{ErrorCode::FileError, QStringLiteral("Again."), {}};
    Q_EMIT m_source->runsChanged();
    QCOMPARE(states->errorText(), QStringLiteral("Again."));
    m_source->readError.reset();
    Q_EMIT m_source->runsChanged(); // by itself
    QCOMPARE(states->errorText(), QString());
}

void TestRunPages::anotherRunEndsTheWaiting()
{
    m_window->openRun(QStringLiteral("ready"));
    const auto waits = [this] {
        const QList<ViewStates *> all = m_window->runPage()->live()->findChildren<ViewStates *>();
        return std::any_of(all.cbegin(), all.cend(),
                           [](const ViewStates *states) { return states->isBusy(); });
    };
    QVERIFY(waits());
    m_window->openRun(QStringLiteral("live")); // before the first one's events were read
    QVERIFY(!waits());
}

void TestRunPages::theRowsOfStartStay()
{
    m_window->openPlace(Place::Start);
    auto *start = m_window->findChild<StartPage *>();
    const auto watch = [&] {
        return button(start, QStringLiteral("Watch"));
    };
    const QPushButton *before = watch();
    QVERIFY(before != nullptr);
    QCOMPARE(before->accessibleName(), QStringLiteral("Watch: Upgrade HTTP client to 4"));
    QPushButton *review = button(start, QStringLiteral("Review"));
    review->setFocus();
    m_source->views[QStringLiteral("live")].record.phase = RunPhase::Sealing;
    Q_EMIT m_source->runsChanged();
    QCOMPARE(watch(), before);
    QVERIFY(says(start, QStringLiteral("Build · Sealing · agent/retry-billing")));
    QCOMPARE(m_window->focusWidget(), review);
    m_source->order.removeAll(QStringLiteral("live"));
    Q_EMIT m_source->runsChanged();
    QCOMPARE(watch(), nullptr);
    m_source->order.prepend(QStringLiteral("live"));
    m_source->order.prepend(m_source->order.takeLast());
    m_source->views[QStringLiteral("live")].record.phase = RunPhase::AwaitingReview;
    m_source->views[QStringLiteral("live")].record.outcome = Outcome::AcceptanceFailed;
    Q_EMIT m_source->runsChanged();
    QStringList wanted;
    const QList<RunRecord> runs = m_source->runs().value();
    for (const RunRecord &run : runs) {
        wanted << (needsReader(run) ? QStringList{run.title} : QStringList());
    }
    QMap<int, QString> seen; // from the top down
    QTest::qWait(0);
    for (const NextStepRow *row : start->findChildren<NextStepRow *>()) {
        const QString title =
            row->findChild<QPushButton *>()->accessibleName().section(QStringLiteral(": "), 1);
        if (wanted.contains(title)) {
            seen.insert(row->mapTo(start, QPoint()).y(), title);
        }
    }
    QCOMPARE(seen.values(), wanted);
}

void TestRunPages::theNavigationStaysWhereItWasPut()
{
    m_window->openRun(QStringLiteral("live"));
    const QList<QListView *> lists = m_window->findChildren<QListView *>();
    const auto found = std::find_if(lists.cbegin(), lists.cend(), [](const QListView *list) {
        return list->accessibleName() == QLatin1String("Places and runs");
    });
    QVERIFY(found != lists.cend());
    QListView *navigation = *found;
    const auto current = [navigation] {
        return navigation->currentIndex().data(NavigationModel::RunRole).value<RunRecord>().id;
    };
    QCOMPARE(current(), QStringLiteral("live"));
    const auto *places = qobject_cast<const NavigationModel *>(navigation->model());
    QVERIFY(places != nullptr);
    navigation->setCurrentIndex(places->indexOf(QStringLiteral("failed"))); // by the keyboard
    m_source->views[QStringLiteral("live")].record.phase = RunPhase::Sealing;
    Q_EMIT m_source->runsChanged();
    QCOMPARE(current(), QStringLiteral("failed"));
    m_source->views[QStringLiteral("live")].record.phase = RunPhase::AwaitingReview;
    m_source->views[QStringLiteral("live")].record.outcome = Outcome::Accepted;
    Q_EMIT m_source->runsChanged(); // in another group
    QCOMPARE(current(), QStringLiteral("failed"));
    navigation->setCurrentIndex(places->indexOf(Place::Tasks));
    m_source->order.removeAll(QStringLiteral("live"));
    Q_EMIT m_source->runsChanged();
    QCOMPARE(navigation->currentIndex(), places->indexOf(Place::Tasks));
}

QTEST_MAIN(TestRunPages)
#include "tst_runpages.moc"
