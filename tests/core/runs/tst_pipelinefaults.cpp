// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/core/runs/workbench.h"

#include <csignal>
#include <sys/resource.h>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;
using Fault = std::function<std::optional<Error>(const QString &, const QString &)>;

Error errorOf(ErrorCode code)
{
    return {code, QStringLiteral("as the test wants"), {}};
}

/// Answers \a code to the calls \a verb about something that holds \a word, \a times of them.
Fault failing(const char *verb, const char *word, ErrorCode code, int times = 1000)
{
    const auto left = std::make_shared<int>(times);
    return [=](const QString &seen, const QString &what) -> std::optional<Error> {
        if (seen != QLatin1String(verb) || !what.contains(QLatin1String(word)) || --*left < 0) {
            return std::nullopt;
        }
        return errorOf(code);
    };
}

/// The calls \a verb about something that holds \a word.
std::function<bool(const QString &, const QString &)> on(const char *verb, const QString &word)
{
    return [=](const QString &seen, const QString &what) {
        return seen == QLatin1String(verb) && what.contains(word);
    };
}

} // namespace

/// What goes wrong between a run and its backend, and where it leads.
class PipelineFaultsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void faults_data();
    void faults();
    void hangingCreation_data();
    void hangingCreation();
    void lateCreationIsDeleted();
    void hangingDeletion_data();
    void hangingDeletion();
    void noRoomWaitsInTheQueue();
    void noRoomForEver();
    void cancelledWithoutRoom();
    void phaseEventsSayWhy();
    void lostCreationIsAdopted();
    void lostCreationIsFoundAtTheEnd();
    void unableToLookMakesNoSecond();
    void nobodyKnowsHowItEnded_data();
    void nobodyKnowsHowItEnded();
    void sandboxGoneReturnsTheLastCheckpoint();
    void failedDownloadIsTriedAgain();
    void survivors_data();
    void survivors();
    void busyDestroyIsRepeated();
    void destroyThatNeverWorksIsSwept();
    void threeFailedCheckpointsAreSaid();
    void fullLog();
    void twoRunsOfOneTask();

private:
    std::unique_ptr<Workbench> m_bench;
};

void PipelineFaultsTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void PipelineFaultsTest::faults_data()
{
    QTest::addColumn<Fault>("before");
    QTest::addColumn<QString>("verify");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<RunPhase>("last"); ///< of the pipeline, before Releasing
    QTest::addColumn<bool>("returned");
    const auto row = [](const char *name, Fault fault, RunPhase last, bool returned = false,
                        const char *verify = "same") {
        QTest::newRow(name) << std::move(fault) << QString::fromLatin1(verify)
                            << Outcome::SandboxError << last << returned;
    };
    row("not installed", failing("create", "work", ErrorCode::NotInstalled), P::Creating);
    row("not signed in", failing("create", "work", ErrorCode::NotSignedIn), P::Creating);
    row("never reachable", failing("create", "work", ErrorCode::Unreachable), P::Creating);
    row("the canaries cannot start", failing("start", "canary", ErrorCode::SandboxGone),
        P::Proving);
    row("the names cannot be read", failing("start", "ENVIRON", ErrorCode::SandboxGone),
        P::Proving);
    row("the network cannot be closed", failing("network", "", ErrorCode::Unreachable), P::Proving);
    row("the base does not arrive", failing("upload", "base.bundle", ErrorCode::ConnectionLost),
        P::Seeding);
    row("the clone cannot be made", failing("start", "base.bundle", ErrorCode::SandboxGone),
        P::Seeding);
    row("the agent's folder cannot be made", failing("start", "mkdir -p agent", ErrorCode::Busy),
        P::Seeding);
    row("the agent cannot start", failing("start", "git commit -qam work", ErrorCode::SandboxGone),
        P::Working);
    row("the agent is lost", failing("wait", "git commit -qam work", ErrorCode::ConnectionLost),
        P::Importing, true);
    row("nothing can be ended", failing("endall", "", ErrorCode::SandboxGone), P::Importing, true);
    row("the seal cannot start", failing("start", "left uncommitted", ErrorCode::SandboxGone, 1),
        P::Importing, true);
    row("the check cannot start", failing("start", "sh tests/check.sh", ErrorCode::SandboxGone),
        P::Importing, true);
    row("no clean sandbox", failing("create", "verify", ErrorCode::LimitReached), P::Importing,
        true, "clean");
    row("the clean one gets no bundle", failing("upload", "result.bundle", ErrorCode::SandboxGone),
        P::Importing, true, "clean");
}

void PipelineFaultsTest::faults()
{
    QFETCH(Fault, before);
    QFETCH(QString, verify);
    QFETCH(Outcome, outcome);
    QFETCH(RunPhase, last);
    QFETCH(bool, returned);
    m_bench->faults().before = before;
    const std::shared_ptr<Run> run =
        m_bench->toEnd(QStringLiteral("verify: %1\n").arg(verify), QString::fromLatin1(goodAgent));
    QVERIFY2(*run->outcome() == outcome, m_bench->log(*run).right(4000).constData());
    const QList<RunPhase> phases = m_bench->phases(run->id());
    QCOMPARE(phases.value(phases.size() - 3), last);
    QCOMPARE(phases.value(phases.size() - 2), P::Releasing);
    QCOMPARE(phases.last(), returned ? P::AwaitingReview : P::Failed);
    QCOMPARE(m_bench->branches().size(), returned ? 1 : 0);
    QCOMPARE(run->message(), QStringLiteral("as the test wants"));
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::hangingCreation_data()
{
    QTest::addColumn<bool>("deaf");
    QTest::addColumn<QString>("role");
    QTest::addColumn<bool>("returned");
    QTest::newRow("heeds its token") << false << QStringLiteral("work") << false;
    QTest::newRow("deaf") << true << QStringLiteral("work") << false;
    QTest::newRow("the second sandbox") << false << QStringLiteral("verify") << true;
}

void PipelineFaultsTest::hangingCreation()
{
    QFETCH(bool, deaf);
    QFETCH(QString, role);
    QFETCH(bool, returned);
    // The first one must have been made by then.
    m_bench->limits().create = std::chrono::milliseconds(returned ? atMost(3000) : 100);
    m_bench->limits().patience = std::chrono::milliseconds(50);
    m_bench->faults().hangs = on("create", role);
    std::stop_source go;
    if (deaf) {
        m_bench->faults().deafUntil = go;
    }
    const std::shared_ptr<Run> run =
        m_bench->toEnd(QStringLiteral("verify: clean\n"), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QVERIFY2(run->message().contains(QLatin1String("did not make the sandbox within ")),
             qPrintable(run->message()));
    QCOMPARE(m_bench->branches().size(), returned ? 1 : 0);
    QCOMPARE(m_bench->isAllReleased(), !deaf); // a deaf one may still make it
    go.request_stop();
    QTRY_VERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::lateCreationIsDeleted()
{
    m_bench->limits().create = std::chrono::milliseconds(50);
    m_bench->limits().patience = std::chrono::milliseconds(1);
    m_bench->faults().hangs = on("create", QStringLiteral("work"));
    std::stop_source go;
    m_bench->faults().deafUntil = go;
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    const Result<QList<SandboxRecord>> rows = m_bench->store().sandboxes(run->id());
    VERIFY_RESULT(rows);
    QCOMPARE(ledgerStateName(rows->first().state), QStringLiteral("ending"));
    QVERIFY(run->warnings().join(QLatin1Char(' ')).contains(QLatin1String("has not said yet")));
    m_bench->faults().hangs = nullptr;
    go.request_stop(); // now it is made after all
    QTRY_COMPARE(m_bench->provider().count(QStringLiteral("destroy")), 1);
    QTRY_VERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::hangingDeletion_data()
{
    QTest::addColumn<bool>("deaf");
    QTest::newRow("heeds its token") << false;
    QTest::newRow("deaf") << true;
}

void PipelineFaultsTest::hangingDeletion()
{
    QFETCH(bool, deaf);
    m_bench->limits().release = std::chrono::milliseconds(100);
    m_bench->limits().patience = std::chrono::milliseconds(50);
    m_bench->faults().hangs = on("destroy", QString());
    std::stop_source go;
    if (deaf) {
        m_bench->faults().deafUntil = go;
    }
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    QVERIFY2(run->warnings().join(QLatin1Char(' ')).contains(QLatin1String("within 100 ms")),
             qPrintable(run->warnings().join(QLatin1Char('\n'))));
    const Result<QList<SandboxRecord>> rows = m_bench->store().sandboxes();
    VERIFY_RESULT(rows);
    QCOMPARE(rows->size(), 1);
    QCOMPARE(ledgerStateName(rows->first().state), QStringLiteral("ending"));
    m_bench->faults().hangs = nullptr;
    go.request_stop();
    QTRY_VERIFY(!deaf || m_bench->service().ids().isEmpty());
    VERIFY_RESULT(await(m_bench->queue().recover({})));
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::noRoomWaitsInTheQueue()
{
    m_bench->faults().before = failing("create", "work", ErrorCode::LimitReached, 2);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QVERIFY2(*run->outcome() == Outcome::Accepted, m_bench->log(*run).right(4000).constData());
    const QList<RunPhase> phases = m_bench->phases(run->id());
    const QList<RunPhase> begin{P::Packing,  P::Creating, P::Queued,  P::Packing,
                                P::Creating, P::Queued,   P::Packing, P::Creating};
    QCOMPARE(phases.mid(0, begin.size()), begin);
    const PhaseEvent queued = m_bench->store().phaseEvents(run->id())->at(2);
    QCOMPARE(queued.code, QStringLiteral("limit_reached"));
    QCOMPARE(queued.message, QStringLiteral("as the test wants"));
    QVERIFY(m_bench->log(*run).contains("has no room for another sandbox now: as the test wants"));
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::noRoomForEver()
{
    m_bench->faults().before = failing("create", "work", ErrorCode::LimitReached);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QVERIFY2(run->message().contains(QLatin1String("no room for another sandbox in 3 tries")),
             qPrintable(run->message()));
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), 3);
    QCOMPARE(run->phase(), P::Failed);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::cancelledWithoutRoom()
{
    m_bench->limits().queuePause = std::chrono::hours(1);
    m_bench->faults().before = failing("create", "work", ErrorCode::LimitReached);
    const std::shared_ptr<Run> run = m_bench->submit(QString(), QString::fromLatin1(goodAgent));
    QTRY_VERIFY(m_bench->phases(run->id()).contains(P::Queued));
    m_bench->queue().cancel(run->id(), StopMode::KeepWork);
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(*run->outcome(), Outcome::Cancelled);
    QCOMPARE(m_bench->phases(run->id()).last(), P::Cancelled);
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), 1);
}

void PipelineFaultsTest::phaseEventsSayWhy()
{
    const QByteArray value = "Zq9-MARKER-77c1e2-and-more";
    m_bench->secrets().remember(QStringLiteral("MY_TOKEN"), Secret(value));
    m_bench->faults().before = [value](const QString &verb, const QString &) {
        const Error told{ErrorCode::NotSignedIn, QStringLiteral("no"), QString::fromLatin1(value)};
        return verb == QLatin1String("create") ? std::optional(told) : std::nullopt;
    };
    const std::shared_ptr<Run> run =
        m_bench->toEnd(QStringLiteral("env: [MY_TOKEN]\n"), QString::fromLatin1(goodAgent));
    const Result<QList<PhaseEvent>> events = m_bench->store().phaseEvents(run->id());
    VERIFY_RESULT(events);
    QCOMPARE(events->size(), 4); // packing, creating, releasing, failed
    for (qsizetype i = 0; i < events->size(); ++i) {
        const bool told = i >= 2;
        QCOMPARE(events->at(i).code, told ? QStringLiteral("not_signed_in") : QString());
        QCOMPARE(events->at(i).message, told ? QStringLiteral("no") : QString());
        QCOMPARE(events->at(i).detail, told ? QStringLiteral("[redacted:MY_TOKEN]") : QString());
    }
}

void PipelineFaultsTest::lostCreationIsAdopted()
{
    m_bench->faults().after = failing("create", "work", ErrorCode::ConnectionLost, 1);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QVERIFY2(*run->outcome() == Outcome::Accepted, m_bench->log(*run).right(4000).constData());
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), 1);
    QCOMPARE(m_bench->provider().count(QStringLiteral("attach")), 1);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::lostCreationIsFoundAtTheEnd()
{
    m_bench->faults().after = failing("create", "work", ErrorCode::UnexpectedReply, 1);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::unableToLookMakesNoSecond()
{
    const Fault create = failing("create", "work", ErrorCode::ConnectionLost, 1);
    const Fault list = failing("list", "work", ErrorCode::Unreachable, 2);
    m_bench->faults().after = create;
    m_bench->faults().before = list;
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), 1);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::nobodyKnowsHowItEnded_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("end");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<bool>("returned");
    const int lost = static_cast<int>(CommandResult::End::Lost);
    const int killed = static_cast<int>(CommandResult::End::Killed);
    const int missing = static_cast<int>(CommandResult::End::NotStarted);
    QTest::newRow("setup") << QStringLiteral("true the setup") << lost << Outcome::SandboxError
                           << false;
    QTest::newRow("agent") << QStringLiteral("commit -qam work") << lost << Outcome::SandboxError
                           << true;
    QTest::newRow("check") << QStringLiteral("sh tests/check.sh") << lost << Outcome::SandboxError
                           << true;
    QTest::newRow("check not started")
        << QStringLiteral("sh tests/check.sh") << missing << Outcome::SandboxError << true;
    QTest::newRow("check killed") << QStringLiteral("sh tests/check.sh") << killed
                                  << Outcome::AcceptanceFailed << true;
}

void PipelineFaultsTest::nobodyKnowsHowItEnded()
{
    QFETCH(QString, command);
    QFETCH(int, end);
    QFETCH(Outcome, outcome);
    QFETCH(bool, returned);
    m_bench->faults().result = [=](const QString &what) -> std::optional<CommandResult> {
        CommandResult result;
        result.end = static_cast<CommandResult::End>(end);
        return what.contains(command) ? std::optional(result) : std::nullopt;
    };
    const std::shared_ptr<Run> run = m_bench->toEnd(QStringLiteral("setup: ['true the setup']\n"),
                                                    QString::fromLatin1(goodAgent));
    QVERIFY2(*run->outcome() == outcome, m_bench->log(*run).right(4000).constData());
    QCOMPARE(m_bench->branches().size(), returned ? 1 : 0);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::sandboxGoneReturnsTheLastCheckpoint()
{
    m_bench->limits().checkpointEach = std::chrono::milliseconds(50);
    const std::shared_ptr<Run> run = m_bench->submit(
        QString(),
        QStringLiteral("echo two > src/a.txt; git commit -qam first; echo at work; sleep 60"));
    QTRY_VERIFY_WITH_TIMEOUT(!run->checkpoints().isEmpty(), 30'000);
    m_bench->service().advance(std::chrono::hours(30)); // its life is over
    QVERIFY(m_bench->waitForEnd(run));
    QVERIFY2(*run->outcome() == Outcome::SandboxError, m_bench->log(*run).right(4000).constData());
    QCOMPARE(run->phase(), P::AwaitingReview);
    QCOMPARE(m_bench->git({QStringLiteral("show"), QStringLiteral("agent/a-task:src/a.txt")}),
             QStringLiteral("two"));
    QCOMPARE(run->returned().tip, run->checkpoints().last().tip);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::failedDownloadIsTriedAgain()
{
    m_bench->faults().before = failing("download", "result.bundle", ErrorCode::ConnectionLost, 1);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QCOMPARE(m_bench->branches(), QStringList{QStringLiteral("agent/a-task")});
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::survivors_data()
{
    QTest::addColumn<QString>("verify");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("same") << QStringLiteral("same") << Outcome::SandboxError;
    QTest::newRow("clean") << QStringLiteral("clean") << Outcome::Accepted;
}

void PipelineFaultsTest::survivors()
{
    QFETCH(QString, verify);
    QFETCH(Outcome, outcome);
    m_bench->faults().survivors = 2;
    const std::shared_ptr<Run> run =
        m_bench->toEnd(QStringLiteral("verify: %1\n").arg(verify), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), outcome);
    QCOMPARE(m_bench->branches().size(), 1); // what was done comes back all the same
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::busyDestroyIsRepeated()
{
    m_bench->faults().before = failing("destroy", "", ErrorCode::Busy, 3);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    QVERIFY(run->warnings().isEmpty());
    QCOMPARE(m_bench->provider().count(QStringLiteral("destroy")), 4);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineFaultsTest::destroyThatNeverWorksIsSwept()
{
    m_bench->faults().before = failing("destroy", "", ErrorCode::Unreachable);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    QVERIFY(run->warnings().join(QLatin1Char(' ')).contains(QLatin1String("could not be deleted")));
    Result<QList<SandboxRecord>> rows = m_bench->store().sandboxes();
    VERIFY_RESULT(rows);
    QCOMPARE(rows->size(), 1);
    QCOMPARE(ledgerStateName(rows->first().state), QStringLiteral("ending"));
    QCOMPARE(rows->first().lastError, QStringLiteral("as the test wants"));
    QCOMPARE(rows->first().savedTip, run->returned().tip);
    VERIFY_RESULT(await(m_bench->queue().recover({}))); // still not
    QVERIFY(!m_bench->isAllReleased());
    m_bench->faults().before = nullptr;
    const Result<int> ended = await(m_bench->queue().recover({}));
    VERIFY_RESULT(ended);
    QCOMPARE(*ended, 0);
    QVERIFY(m_bench->isAllReleased());
    QCOMPARE(m_bench->branches().size(), 1);
}

void PipelineFaultsTest::threeFailedCheckpointsAreSaid()
{
    m_bench->limits().checkpointEach = std::chrono::milliseconds(1);
    const auto failures = std::make_shared<int>(0);
    m_bench->faults().before = [failures](const QString &verb,
                                          const QString &what) -> std::optional<Error> {
        const bool checkpoint =
            verb == QLatin1String("start") && what.contains(QLatin1String("Checkpoint of work"));
        *failures += checkpoint ? 1 : 0;
        return checkpoint ? std::optional(errorOf(ErrorCode::Busy)) : std::nullopt;
    };
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QString(), QStringLiteral("echo two > src/a.txt; git commit -qam w; sleep 1"));
    QVERIFY2(*failures >= 3,
             m_bench->provider().calls().join(QLatin1Char('\n')).toUtf8().constData());
    QVERIFY(run->warnings().join(QLatin1Char(' ')).contains(QLatin1String("Three checkpoints")));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
}

void PipelineFaultsTest::fullLog()
{
    const std::shared_ptr<Run> run = m_bench->submit(
        QString(),
        QStringLiteral("echo two > src/a.txt; git commit -qam w; echo ready; n=0\n"
                       "until [ -e ../go ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done\n"
                       "seq 1000000; sleep 60"));
    QTRY_VERIFY_WITH_TIMEOUT(m_bench->log(*run).contains("Says: ready"), 30'000);
    ::signal(SIGXFSZ, SIG_IGN); // then writing beyond the limit is an error, as on a full disk
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{1'000'000, before.rlim_max};
    const QString work = m_bench->service().folder(m_bench->service().ids().first());
    QVERIFY(writeFile(QDir(work).filePath(QStringLiteral("work/go")), "go"));
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const bool ended = m_bench->waitForEnd(run);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY(ended);
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QVERIFY2(run->message().contains(QLatin1String("log")), qPrintable(run->message()));
    QVERIFY(m_bench->isAllReleased());
    QVERIFY(m_bench->store().run(run->id())->ended.isValid());
}

void PipelineFaultsTest::twoRunsOfOneTask()
{
    const QString agent = QString::fromLatin1(goodAgent);
    QCOMPARE(m_bench->toEnd(QString(), agent)->returned().branch, QStringLiteral("agent/a-task"));
    QCOMPARE(m_bench->toEnd(QString(), agent)->returned().branch, QStringLiteral("agent/a-task-2"));
}

QTEST_GUILESS_MAIN(PipelineFaultsTest)
#include "tst_pipelinefaults.moc"
