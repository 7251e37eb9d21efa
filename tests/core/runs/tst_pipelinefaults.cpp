// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/runs/failing.h"
#include "tests/core/runs/workbench.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

} // namespace

/// What goes wrong between a run and its backend, and where it leads.
class PipelineFaultsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void faults_data();
    void faults();
    void lostCreationIsAdopted();
    void lostCreationIsFoundAtTheEnd();
    void unableToLookMakesNoSecond();
    void brokenWayInIsFoundAgain();
    void busyDestroyIsRepeated();
    void destroyThatNeverWorksIsSwept();
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
    row("the network cannot be closed", failing("network", "", ErrorCode::Unreachable), P::Seeding);
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

void PipelineFaultsTest::brokenWayInIsFoundAgain()
{
    const Fault lost = failing("wait", "git commit -qam work", ErrorCode::SandboxGone, 1);
    const Fault closed = failing("start", "Checkpoint of work", ErrorCode::SandboxGone, 1);
    m_bench->faults().after = lost; // the agent is done, and nobody heard of it
    m_bench->faults().before = closed;
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QCOMPARE(m_bench->provider().count(QStringLiteral("attach")), 1);
    QCOMPARE(m_bench->branches().size(), 1);
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

void PipelineFaultsTest::twoRunsOfOneTask()
{
    const QString agent = QString::fromLatin1(goodAgent);
    QCOMPARE(m_bench->toEnd(QString(), agent)->returned().branch, QStringLiteral("agent/a-task"));
    QCOMPARE(m_bench->toEnd(QString(), agent)->returned().branch, QStringLiteral("agent/a-task-2"));
}

QTEST_GUILESS_MAIN(PipelineFaultsTest)
#include "tst_pipelinefaults.moc"
