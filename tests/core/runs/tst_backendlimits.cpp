// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/runs/failing.h"
#include "tests/core/runs/workbench.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

} // namespace

/// A backend that does not answer, and one that has no room: a run waits, but not for ever, and
/// says why.
class BackendLimitsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void hangingCreation_data();
    void hangingCreation();
    void lateCreationIsDeleted();
    void hangingDeletion_data();
    void hangingDeletion();
    void noRoomWaitsInTheQueue();
    void noRoomForEver();
    void cancelledWithoutRoom();
    void phaseEventsSayWhy();

private:
    std::unique_ptr<Workbench> m_bench;
};

void BackendLimitsTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void BackendLimitsTest::hangingCreation_data()
{
    QTest::addColumn<bool>("deaf");
    QTest::addColumn<QString>("role");
    QTest::addColumn<bool>("returned");
    QTest::newRow("heeds its token") << false << QStringLiteral("work") << false;
    QTest::newRow("deaf") << true << QStringLiteral("work") << false;
    QTest::newRow("the second sandbox") << false << QStringLiteral("verify") << true;
}

void BackendLimitsTest::hangingCreation()
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

void BackendLimitsTest::lateCreationIsDeleted()
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

void BackendLimitsTest::hangingDeletion_data()
{
    QTest::addColumn<bool>("deaf");
    QTest::newRow("heeds its token") << false;
    QTest::newRow("deaf") << true;
}

void BackendLimitsTest::hangingDeletion()
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

void BackendLimitsTest::noRoomWaitsInTheQueue()
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

void BackendLimitsTest::noRoomForEver()
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

void BackendLimitsTest::cancelledWithoutRoom()
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

void BackendLimitsTest::phaseEventsSayWhy()
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

QTEST_GUILESS_MAIN(BackendLimitsTest)
#include "tst_backendlimits.moc"
