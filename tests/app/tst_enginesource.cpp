// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The window's runs as the engine has them: real runs over plain folders.
#include "app/runs/enginesource.h"
#include "app/runs/eventlist.h"
#include "tests/core/runs/workbench.h"

#include <QProcess>
#include <QSignalSpy>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

/// Says two things, works, and says that it is done.
const QString worker = QStringLiteral(
    "cat <<'END'\n"
    R"({"type":"assistant","message":{"content":[{"type":"text","text":"Hello"}]}})"
    "\n"
    R"({"type":"assistant","message":{"content":[{"type":"text","text":"Working"}]}})"
    "\nEND\n%1\n"
    "cat <<'END'\n"
    R"({"type":"result","subtype":"success","is_error":false,"result":"Done","total_cost_usd":0.25})"
    "\nEND\n");
/// Calls a tool, says something, and only then comes the tool's end.
const QString toolUser = QStringLiteral(
    "cat <<'END'\n"
    R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}})"
    "\n"
    R"({"type":"assistant","message":{"content":[{"type":"text","text":"Meanwhile"}]}})"
    "\nEND\n"
    "n=0; until [ $n = 15 ]; do sleep 0.1; n=$((n + 1)); done\n"
    "cat <<'END'\n"
    R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"a.txt"}]}})"
    "\nEND\n%1\n"
    "cat <<'END'\n"
    R"({"type":"result","subtype":"success","is_error":false,"result":"Done"})"
    "\nEND\n");
const QString printer = QStringLiteral("agent: printer\n");
const QString good = QString::fromLatin1(goodAgent);
/// Works, says so in a file of the run, and goes on until it is stopped.
const QString endless = QStringLiteral("echo two > src/a.txt; git commit -qam w; echo ready; "
                                       "n=0; until [ $n = 900 ]; do sleep 0.1; n=$((n + 1)); done");

QStringList objectsOf(const QList<TimedEvent> &events)
{
    QStringList objects;
    for (const TimedEvent &event : events) {
        objects << event.event.object;
    }
    return objects;
}

} // namespace

class TestEngineSource final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void aRunGoesFromItsPlanToItsReview();
    void aRunIsReadBackByTheNextProgram();
    void aBlockedRunKeepsItsReason();
    void stopping_data();
    void stopping();
    void shuttingDownKeepsTheWork();
    void aTaskThatCannotBeRunSaysWhy();
    void aVariableIsAskedFor();
    void theLaterPlanCounts();
    void anOldPlanStartsNothing();
    void noSuchRun();
    void eventsComeWithTheirPlace();
    void whatARunWarnedOfIsKept();
    void aRunOfAnotherProgramIsLookedAtAgain();
    void anotherProgramIsToldFromNobody();

private:
    [[nodiscard]] std::unique_ptr<Services> makeServices();
    [[nodiscard]] std::optional<RunPlan> plan(const QString &front, const QString &agent,
                                              const PlanTicks &ticks = {});
    [[nodiscard]] QString start(const QString &front, const QString &agent);
    [[nodiscard]] bool waitUntilOver(const QString &id);
    [[nodiscard]] QByteArray log(const QString &id) const;

    std::unique_ptr<Workbench> m_bench;
    std::unique_ptr<Services> m_services;
    std::unique_ptr<EngineSource> m_source;
};

void TestEngineSource::initTestCase()
{
    qRegisterMetaType<QList<TimedEvent>>();
    qRegisterMetaType<RunPlan>();
}

std::unique_ptr<Services> TestEngineSource::makeServices()
{
    Services::Options options;
    options.dataFolder = m_bench->path(QStringLiteral("data"));
    options.environment = QProcessEnvironment::systemEnvironment();
    options.limits = m_bench->limits();
    options.providers.push_back(std::make_unique<FaultProvider>(
        std::shared_ptr<FolderService>(&m_bench->service(), [](FolderService *) {})));
    Result<std::unique_ptr<Services>> services = Services::create(std::move(options));
    if (!services) {
        qFatal("no services: %s", qPrintable(errorText(services.error())));
    }
    return std::move(*services);
}

void TestEngineSource::init()
{
    m_bench = std::make_unique<Workbench>();
    m_services = makeServices();
    m_source = std::make_unique<EngineSource>(m_services.get());
}

void TestEngineSource::cleanup()
{
    m_source.reset();
    await(m_services->queue().shutDown());
    m_services.reset();
    m_bench.reset();
}

std::optional<RunPlan> TestEngineSource::plan(const QString &front, const QString &agent,
                                              const PlanTicks &ticks)
{
    std::optional<RunPlan> made;
    QString why;
    bool answered = false;
    const auto ready =
        connect(m_source.get(), &RunSource::planReady, this, [&](const RunPlan &plan) {
            made = plan;
            answered = true;
        });
    const auto refused = connect(m_source.get(), &RunSource::planRefused, this,
                                 [&](const Error &error, const QList<Problem> &problems) {
                                     why = errorText(error);
                                     for (const Problem &problem : problems) {
                                         why += QLatin1Char('\n') + problem.message;
                                     }
                                     answered = true;
                                 });
    m_source->plan(m_bench->writeTask(front, agent), m_bench->repository().folder(), ticks);
    if (!QTest::qWaitFor([&] { return answered; }, 30'000) || !made) {
        qWarning("no plan: %s", qPrintable(why));
    }
    disconnect(ready);
    disconnect(refused);
    return made;
}

QString TestEngineSource::start(const QString &front, const QString &agent)
{
    const std::optional<RunPlan> made = plan(front, agent);
    if (!made) {
        return {};
    }
    QString started;
    const auto connection = connect(m_source.get(), &RunSource::runStarted, this,
                                    [&](const QString &id) { started = id; });
    m_source->start(*made);
    disconnect(connection);
    return started;
}

bool TestEngineSource::waitUntilOver(const QString &id)
{
    return QTest::qWaitFor([&] { return !m_services->queue().find(id); }, 60'000);
}

QByteArray TestEngineSource::log(const QString &id) const
{
    QFile file(m_services->store().runFolder(id) + QStringLiteral("/run.log"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestEngineSource::aRunGoesFromItsPlanToItsReview()
{
    QSignalSpy list(m_source.get(), &RunSource::runsChanged);
    QSignalSpy changed(m_source.get(), &RunSource::runChanged);
    QSignalSpy events(m_source.get(), &RunSource::eventsChanged);
    QSignalSpy output(m_source.get(), &RunSource::outputAppended);
    const std::optional<RunPlan> made = plan(printer, worker.arg(good));
    QVERIFY(made);
    QVERIFY(m_source->working().isEmpty());
    m_source->start(*made);
    QCOMPARE(m_source->working().size(), 1);
    QCOMPARE(m_source->working().at(0).id, made->run);
    QVERIFY(waitUntilOver(made->run));
    QVERIFY(m_source->working().isEmpty());
    for (const QSignalSpy *spy : {&list, &changed, &events, &output}) {
        QVERIFY(!spy->isEmpty());
    }
    const Result<QList<RunRecord>> runs = m_source->runs();
    VERIFY_RESULT(runs);
    QCOMPARE(runs->size(), 1);
    const Result<RunView> view = m_source->run(made->run);
    VERIFY_RESULT(view);
    QCOMPARE(view->record.phase, RunPhase::AwaitingReview);
    QCOMPARE(*view->record.outcome, Outcome::Accepted);
    QCOMPARE(view->checks, 1);
    QCOMPARE(view->evidence.size(), 1);
    QCOMPARE(view->imports.size(), 1);
    QVERIFY(view->sandboxes.isEmpty());
    QVERIFY(!view->taskText.isEmpty());
    QVERIFY(QFileInfo(view->agentLog).size() > 0);
    QCOMPARE(view->plan.size(), planRows(*made).size());
    QCOMPARE(view->plan.at(0).value, planRows(*made).at(0).value);

    QSignalSpy kept(m_source.get(), &RunSource::keptRead);
    m_source->readKept(made->run);
    QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, Testing::atMost(10'000)); // it may be there at once
    const auto read = kept.at(0).at(1).value<QList<TimedEvent>>();
    QVERIFY(objectsOf(read).contains(QStringLiteral("Hello")));
    QVERIFY(objectsOf(read).contains(QStringLiteral("Working")));
    QVERIFY(read.at(0).at.isValid()); // it was watched
}

void TestEngineSource::aRunIsReadBackByTheNextProgram()
{
    const QString id = start(printer, worker.arg(good));
    QVERIFY(waitUntilOver(id));
    m_source.reset();
    m_services = makeServices();
    m_source = std::make_unique<EngineSource>(m_services.get());
    QSignalSpy kept(m_source.get(), &RunSource::keptRead);
    m_source->readKept(id);
    QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, Testing::atMost(10'000)); // it may be there at once
    QCOMPARE(kept.at(0).at(0).toString(), id);
    const auto read = kept.at(0).at(1).value<QList<TimedEvent>>();
    QVERIFY(objectsOf(read).contains(QStringLiteral("Hello")));
    QVERIFY(!read.at(0).at.isValid()); // nobody knows when
    const Result<RunView> view = m_source->run(id);
    VERIFY_RESULT(view);
    QVERIFY(view->plan.size() > 5);
    QCOMPARE(view->summary.lastWords, QStringLiteral("Done"));
}

void TestEngineSource::aBlockedRunKeepsItsReason()
{
    const QString id =
        start(printer, worker.arg(QStringLiteral("echo 'No key.' > BLOCKED.md; git add -A; "
                                                 "git commit -qm blocked")));
    QVERIFY(waitUntilOver(id));
    const Result<RunView> view = m_source->run(id);
    VERIFY_RESULT(view);
    QCOMPARE(*view->record.outcome, Outcome::Blocked);
    QSignalSpy kept(m_source.get(), &RunSource::keptRead);
    m_source->readKept(id);
    QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, Testing::atMost(10'000)); // it may be there at once
    QCOMPARE(kept.at(0).at(2).toString(), QStringLiteral("No key.\n"));
}

void TestEngineSource::stopping_data()
{
    QTest::addColumn<StopWish>("wish");
    QTest::addColumn<bool>("returned");
    QTest::newRow("keep") << StopWish::KeepWork << true;
    QTest::newRow("discard") << StopWish::Discard << false;
}

void TestEngineSource::stopping()
{
    QFETCH(StopWish, wish);
    QFETCH(bool, returned);
    const QString id = start(QString(), endless);
    QTRY_VERIFY_WITH_TIMEOUT(log(id).contains("Says: ready"), Testing::atMost(30'000));
    m_source->stop(id, wish);
    QVERIFY(waitUntilOver(id));
    const Result<RunView> view = m_source->run(id);
    VERIFY_RESULT(view);
    QCOMPARE(*view->record.outcome, Outcome::Cancelled);
    QCOMPARE(!view->record.branch.isEmpty(), returned);
    QVERIFY(m_bench->isAllReleased());
}

/// What the question at the window's close promises.
void TestEngineSource::shuttingDownKeepsTheWork()
{
    const QString id = start(QString(), endless);
    QTRY_VERIFY_WITH_TIMEOUT(log(id).contains("Says: ready"), Testing::atMost(30'000));
    QCOMPARE(m_source->working().size(), 1);
    int turns = 0;
    QTimer heart;
    connect(&heart, &QTimer::timeout, this, [&turns] { ++turns; });
    heart.start(10);
    await(m_services->queue().shutDown());
    QVERIFY2(turns > 3, qPrintable(QString::number(turns))); // the event loop went on meanwhile
    QVERIFY(m_source->working().isEmpty());
    const Result<RunView> view = m_source->run(id);
    VERIFY_RESULT(view);
    QVERIFY(!view->record.branch.isEmpty());
    QVERIFY(m_bench->isAllReleased());
}

void TestEngineSource::aTaskThatCannotBeRunSaysWhy()
{
    QSignalSpy refused(m_source.get(), &RunSource::planRefused);
    m_source->plan(m_bench->writeTask(QStringLiteral("base: nowhere\n"), good),
                   m_bench->repository().folder(), {});
    QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 1, Testing::atMost(30'000));
    QVERIFY(!refused.at(0).at(0).value<Error>().message.isEmpty());
    QVERIFY(m_source->runs()->isEmpty());
    m_source->plan(m_bench->path(QStringLiteral("none.task.md")), m_bench->repository().folder(),
                   {});
    QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 2, Testing::atMost(30'000));
    QVERIFY(!refused.at(1).at(0).value<Error>().message.isEmpty());
}

void TestEngineSource::aVariableIsAskedFor()
{
    QSignalSpy refused(m_source.get(), &RunSource::planRefused);
    m_source->plan(m_bench->writeTask(QStringLiteral("env: [MY_TOKEN]\n"), good),
                   m_bench->repository().folder(), {});
    QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 1, Testing::atMost(30'000));
    QCOMPARE(refused.at(0).at(2).toStringList(), QStringList{QStringLiteral("MY_TOKEN")});
    QVERIFY(!refused.at(0).at(1).value<QList<Problem>>().isEmpty());
}

void TestEngineSource::theLaterPlanCounts()
{
    QSignalSpy ready(m_source.get(), &RunSource::planReady);
    QSignalSpy refused(m_source.get(), &RunSource::planRefused);
    const QString task = m_bench->writeTask(QString(), good);
    m_source->plan(task, m_bench->repository().folder(), {});
    m_source->plan(task, m_bench->repository().folder(), {});
    QTRY_COMPARE_WITH_TIMEOUT(ready.size(), 1, Testing::atMost(30'000));
    QTest::qWait(0);
    QCOMPARE(ready.size(), 1);
    QVERIFY(refused.isEmpty());
}

void TestEngineSource::anOldPlanStartsNothing()
{
    const std::optional<RunPlan> old = plan(QString(), good);
    const std::optional<RunPlan> later = plan(QString(), good);
    QVERIFY(old && later);
    QSignalSpy refused(m_source.get(), &RunSource::startRefused);
    m_source->start(*old);
    QCOMPARE(refused.size(), 1);
    QVERIFY(m_source->working().isEmpty());
    m_source->start(*later);
    QCOMPARE(m_source->working().size(), 1);
    m_source->start(*later); // twice is once
    QCOMPARE(refused.size(), 2);
    QCOMPARE(m_source->working().size(), 1);
    QVERIFY(waitUntilOver(later->run));
}

void TestEngineSource::noSuchRun()
{
    QVERIFY(!m_source->run(QStringLiteral("none")));
    QSignalSpy kept(m_source.get(), &RunSource::keptRead);
    m_source->readKept(QStringLiteral("none"));
    QCOMPARE(kept.size(), 1);
    QVERIFY(kept.at(0).at(1).value<QList<TimedEvent>>().isEmpty());
}

/// The end of a tool changes a row that others came after; nothing is there twice.
void TestEngineSource::eventsComeWithTheirPlace()
{
    EventListModel model;
    int updates = 0;
    connect(m_source.get(), &RunSource::eventsChanged, this,
            [&](const QString &, int first, const QList<TimedEvent> &events) {
                updates += first < model.rowCount() ? 1 : 0;
                model.replaceFrom(first, events);
            });
    const QString id = start(printer, toolUser.arg(good));
    QVERIFY(waitUntilOver(id));
    QVERIFY(updates > 0);
    QSignalSpy kept(m_source.get(), &RunSource::keptRead);
    m_source->readKept(id);
    QTRY_COMPARE_WITH_TIMEOUT(kept.size(), 1, Testing::atMost(10'000));
    const auto read = kept.at(0).at(1).value<QList<TimedEvent>>();
    QCOMPARE(model.rowCount(), static_cast<int>(read.size()));
    for (int row = 0; row < model.rowCount(); ++row) {
        QCOMPARE(model.at(row).event.object, read.at(row).event.object);
        QCOMPARE(model.at(row).event.output, read.at(row).event.output);
    }
}

void TestEngineSource::whatARunWarnedOfIsKept()
{
    const QString id =
        start(QString(), QStringLiteral("git checkout -qb other; echo two > src/a.txt; "
                                        "echo x > outside; git add -A; git commit -qm work"));
    const std::shared_ptr<Run> run = m_services->queue().find(id);
    QVERIFY(run);
    QVERIFY(waitUntilOver(id));
    QVERIFY(!run->warnings().isEmpty());
    m_source.reset();
    m_services = makeServices();
    m_source = std::make_unique<EngineSource>(m_services.get());
    const Result<RunView> view = m_source->run(id);
    VERIFY_RESULT(view);
    QCOMPARE(*view->record.outcome, Outcome::OutOfScope);
    QCOMPARE(view->warnings, run->warnings());
    QVERIFY(view->outOfScope);
    QCOMPARE(*view->outOfScope, QList<QByteArray>{"outside"});
}

/// Two programs with the same data folder: one works, the other shows it and can't stop it.
void TestEngineSource::aRunOfAnotherProgramIsLookedAtAgain()
{
    const std::unique_ptr<Services> others = makeServices();
    EngineSource reader(others.get(), std::chrono::milliseconds(20));
    const QString id = start(QString(), endless);
    QTRY_VERIFY_WITH_TIMEOUT(log(id).contains("Says: ready"), Testing::atMost(30'000));
    QVERIFY(actionsFor(*m_source->run(id)).stop);
    QVERIFY(!actionsFor(*reader.run(id)).stop);
    QSignalSpy list(&reader, &RunSource::runsChanged);
    QTRY_VERIFY_WITH_TIMEOUT(!list.isEmpty(), Testing::atMost(10'000));
    std::optional<RunView> last;
    connect(&reader, &RunSource::runChanged, this,
            [&](const QString &changed) { last = reader.run(changed).value(); });
    QVERIFY(reader.runs()); // shows it: it is looked at again from now on
    m_source->stop(id, StopWish::KeepWork);
    QVERIFY(waitUntilOver(id));
    QTRY_VERIFY_WITH_TIMEOUT(last && isAtRest(last->record.phase), Testing::atMost(10'000));
    QTest::qWait(100);
    list.clear();
    QTest::qWait(100);
    QVERIFY(list.isEmpty()); // what is at rest is left alone
}

void TestEngineSource::anotherProgramIsToldFromNobody()
{
    QProcess other;
    other.start(QStringLiteral("sleep"), {QStringLiteral("60")});
    QVERIFY(other.waitForStarted());
    QFile stat(QStringLiteral("/proc/%1/stat").arg(other.processId()));
    QVERIFY(stat.open(QIODevice::ReadOnly));
    const QByteArray line = stat.readAll();
    RunRecord record;
    record.id = QStringLiteral("otherrun");
    record.plan = "{}";
    record.owner =
        QStringLiteral("%1:%2:%3")
            .arg(ownerOfThisProcess().section(QLatin1Char(':'), 0, 0))
            .arg(other.processId())
            .arg(QString::fromLatin1(line.mid(line.lastIndexOf(')') + 2).split(' ').at(19)));
    VERIFY_RESULT(m_services->store().insertRun(record));
    QCOMPARE(m_source->run(record.id)->worker, RunView::Worker::AnotherProgram);
    other.kill();
    QVERIFY(other.waitForFinished());
    QCOMPARE(m_source->run(record.id)->worker, RunView::Worker::Nobody);
}

QTEST_MAIN(TestEngineSource)
#include "tst_enginesource.moc"
