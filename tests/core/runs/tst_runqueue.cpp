// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/core/runs/workbench.h"

#include <QSignalSpy>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

/// Waits until somebody makes the file "go" beside the clone.
const QString waitsForGo =
    QStringLiteral("n=0; until [ -e ../go ] || [ $n = 900 ]; do sleep 0.1; n=$((n + 1)); done");

} // namespace

/// Cancelling at every moment, the limits of a backend, several runs at once, and the end of a
/// program.
class RunQueueTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cancelInEachPhase_data();
    void cancelInEachPhase();
    void cancelWhileTheAgentWorks_data();
    void cancelWhileTheAgentWorks();
    void cancelBeforeItBegins();
    void cancelWhileQueued();
    void unknownBackendLeavesNothing();
    void sameRunTwiceLeavesNothing();
    void severalAtOnceWithinTheLimit();
    void shutDownKeepsTheWork();

private:
    std::unique_ptr<Workbench> m_bench;
};

void RunQueueTest::init()
{
    m_bench = std::make_unique<Workbench>(Neighbours::Some);
}

void RunQueueTest::cancelInEachPhase_data()
{
    QTest::addColumn<RunPhase>("phase");
    QTest::addColumn<StopMode>("mode");
    QTest::addColumn<bool>("returned");
    const auto row = [](const char *name, RunPhase phase, StopMode mode, bool returned) {
        QTest::newRow(name) << phase << mode << returned;
    };
    row("packing", P::Packing, StopMode::KeepWork, false);
    row("creating", P::Creating, StopMode::KeepWork, false);
    row("proving", P::Proving, StopMode::KeepWork, false);
    row("seeding", P::Seeding, StopMode::KeepWork, false);
    row("sealing, kept", P::Sealing, StopMode::KeepWork, true);
    row("sealing, discarded", P::Sealing, StopMode::Discard, false);
    row("checking, kept", P::Checking, StopMode::KeepWork, true);
    row("checking, discarded", P::Checking, StopMode::Discard, false);
    row("importing, kept", P::Importing, StopMode::KeepWork, true);
    row("importing, discarded", P::Importing, StopMode::Discard, false);
}

void RunQueueTest::cancelInEachPhase()
{
    QFETCH(RunPhase, phase);
    QFETCH(StopMode, mode);
    QFETCH(bool, returned);
    const std::shared_ptr<Run> run =
        m_bench->submit(QStringLiteral("verify: clean\n"), QString::fromLatin1(goodAgent));
    connect(run.get(), &Run::phaseChanged, this, [&](RunPhase now) {
        if (now == phase) {
            m_bench->queue().cancel(run->id(), mode);
        }
    });
    QVERIFY(m_bench->waitForEnd(run));
    QVERIFY2(*run->outcome() == Outcome::Cancelled, m_bench->log(*run).right(4000).constData());
    QCOMPARE(run->phase(), returned ? P::AwaitingReview : P::Cancelled);
    QCOMPARE(m_bench->branches().size(), returned ? 1 : 0);
    const QList<RunPhase> phases = m_bench->phases(run->id());
    QVERIFY(phases.contains(phase));
    QCOMPARE(phases.value(phases.size() - 2), P::Releasing);
    QVERIFY(m_bench->isAllReleased());
    QCOMPARE(m_bench->store().run(run->id())->outcome, std::optional(Outcome::Cancelled));
}

void RunQueueTest::cancelWhileTheAgentWorks_data()
{
    QTest::addColumn<StopMode>("mode");
    QTest::addColumn<QString>("agent");
    QTest::addColumn<bool>("returned");
    const QString work = QStringLiteral("echo two > src/a.txt; git commit -qam w; ");
    const QString stay = QStringLiteral("echo ready; ") + waitsForGo;
    QTest::newRow("kept") << StopMode::KeepWork << work + stay << true;
    QTest::newRow("kept, uncommitted")
        << StopMode::KeepWork << QStringLiteral("echo two > src/a.txt; ") + stay << true;
    QTest::newRow("kept, but nothing") << StopMode::KeepWork << stay << false;
    QTest::newRow("discarded") << StopMode::Discard << work + stay << false;
    QTest::newRow("an agent that does not heed TERM")
        << StopMode::KeepWork << QStringLiteral("trap '' TERM; ") + work + stay << true;
}

void RunQueueTest::cancelWhileTheAgentWorks()
{
    QFETCH(StopMode, mode);
    QFETCH(QString, agent);
    QFETCH(bool, returned);
    const std::shared_ptr<Run> run = m_bench->submit(QString(), agent);
    QTRY_VERIFY_WITH_TIMEOUT(m_bench->log(*run).contains("Says: ready"), Testing::atMost(30'000));
    QVERIFY(run->workDeadline().isValid());
    m_bench->queue().cancel(run->id(), mode);
    QVERIFY(m_bench->waitForEnd(run));
    QVERIFY2(*run->outcome() == Outcome::Cancelled, m_bench->log(*run).right(4000).constData());
    QCOMPARE(m_bench->branches().size(), returned ? 1 : 0);
    if (returned) {
        QCOMPARE(m_bench->git({QStringLiteral("show"), QStringLiteral("agent/a-task:src/a.txt")}),
                 QStringLiteral("two"));
    }
    QVERIFY(m_bench->isAllReleased());
}

void RunQueueTest::cancelBeforeItBegins()
{
    const std::shared_ptr<Run> run = m_bench->submit(QString(), QString::fromLatin1(goodAgent));
    QSignalSpy finished(run.get(), &Run::finished);
    m_bench->queue().cancel(run->id(), StopMode::KeepWork); // its pipeline waits for the event loop
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(finished.size(), 1);
    QCOMPARE(*run->outcome(), Outcome::Cancelled);
    QCOMPARE(m_bench->phases(run->id()), QList<RunPhase>{P::Cancelled});
    QCoreApplication::processEvents();
    QCOMPARE(m_bench->phases(run->id()), QList<RunPhase>{P::Cancelled});
    QCOMPARE(m_bench->provider().count(QString()), 0);
    QVERIFY(QFile::exists(run->folder() + QStringLiteral("/report.json")));
}

void RunQueueTest::cancelWhileQueued()
{
    m_bench->queue().setLimit(QStringLiteral("folder"), 1);
    const std::shared_ptr<Run> first =
        m_bench->submit(QString(), QStringLiteral("echo two > src/a.txt; ") + waitsForGo);
    const std::shared_ptr<Run> second = m_bench->submit(QString(), QString::fromLatin1(goodAgent));
    QTRY_COMPARE_WITH_TIMEOUT(first->phase(), P::Working, Testing::atMost(30'000));
    QCOMPARE(second->phase(), P::Queued);
    QSignalSpy over(&m_bench->queue(), &RunQueue::runOver);
    m_bench->queue().cancel(second->id(), StopMode::Discard);
    QCOMPARE(over.size(), 1);
    QCOMPARE(*second->outcome(), Outcome::Cancelled);
    QCOMPARE(m_bench->phases(second->id()), QList<RunPhase>{P::Cancelled});
    QVERIFY(!m_bench->queue().find(second->id()));
    QCOMPARE(m_bench->queue().running().size(), 1);
    QSignalSpy idle(&m_bench->queue(), &RunQueue::idle);
    m_bench->queue().cancel(first->id(), StopMode::Discard);
    QVERIFY(m_bench->waitForEnd(first));
    QCOMPARE(idle.size(), 1);
    QVERIFY(m_bench->isAllReleased());
}

void RunQueueTest::unknownBackendLeavesNothing()
{
    PreparedRun prepared = m_bench->prepared(QString(), QString::fromLatin1(goodAgent));
    prepared.plan.provider = QStringLiteral("another");
    const Result<std::shared_ptr<Run>> run = m_bench->queue().submit(prepared);
    QVERIFY(!run);
    QCOMPARE(run.error().code, ErrorCode::NotFound);
    QVERIFY(!QFile::exists(m_bench->store().runFolder(prepared.plan.run)));
    QVERIFY(m_bench->queue().running().isEmpty());
}

void RunQueueTest::sameRunTwiceLeavesNothing()
{
    const PreparedRun prepared = m_bench->prepared(QString(), QString::fromLatin1(goodAgent));
    const Result<std::shared_ptr<Run>> run = m_bench->queue().submit(prepared);
    VERIFY_RESULT(run);
    QVERIFY(!m_bench->queue().submit(prepared));
    QVERIFY(QFile::exists((*run)->folder() + QStringLiteral("/base.bundle"))); // the first's
    QVERIFY(m_bench->waitForEnd(*run));
    QCOMPARE(*(*run)->outcome(), Outcome::Accepted);
}

void RunQueueTest::severalAtOnceWithinTheLimit()
{
    m_bench->queue().setLimit(QStringLiteral("folder"), 2);
    QList<std::shared_ptr<Run>> runs;
    int most = 0;
    const auto atWork = [&] {
        int count = 0;
        for (const std::shared_ptr<Run> &run : runs) {
            count += !run->outcome() && run->phase() != P::Queued ? 1 : 0;
        }
        most = std::max(most, count);
    };
    for (int i = 0; i < 4; ++i) {
        const QString agent =
            QStringLiteral("echo two > src/a.txt; echo %1 > src/n; git add -A; git commit -qm w")
                .arg(i);
        runs << m_bench->submit(QString(), agent);
        connect(runs.last().get(), &Run::phaseChanged, this, atWork);
    }
    for (const std::shared_ptr<Run> &run : runs) {
        QVERIFY(m_bench->waitForEnd(run));
    }
    QCOMPARE(most, 2);
    for (int i = 0; i < 4; ++i) {
        QVERIFY2(*runs.at(i)->outcome() == Outcome::Accepted,
                 m_bench->log(*runs.at(i)).right(4000).constData());
        QCOMPARE(m_bench->git({QStringLiteral("show"),
                               runs.at(i)->returned().branch + QStringLiteral(":src/n")}),
                 QString::number(i));
    }
    QCOMPARE(m_bench->branches().size(), 4);
    QVERIFY(m_bench->isAllReleased());
}

void RunQueueTest::shutDownKeepsTheWork()
{
    m_bench->queue().setLimit(QStringLiteral("folder"), 1);
    const std::shared_ptr<Run> run = m_bench->submit(
        QString(),
        QStringLiteral("echo two > src/a.txt; git commit -qam w; echo ready; ") + waitsForGo);
    const std::shared_ptr<Run> waiting = m_bench->submit(QString(), QString::fromLatin1(goodAgent));
    QTRY_VERIFY_WITH_TIMEOUT(m_bench->log(*run).contains("Says: ready"), Testing::atMost(30'000));
    QSignalSpy over(&m_bench->queue(), &RunQueue::runOver);
    await(m_bench->queue().shutDown());
    QVERIFY(m_bench->queue().running().isEmpty());
    QCOMPARE(over.size(), 2);
    QCOMPARE(*run->outcome(), Outcome::Cancelled);
    QCOMPARE(*waiting->outcome(), Outcome::Cancelled);
    QCOMPARE(m_bench->branches().size(), 1);
    QVERIFY(m_bench->isAllReleased());
}

QTEST_GUILESS_MAIN(RunQueueTest)
#include "tst_runqueue.moc"
