// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/core/runs/failing.h"
#include "tests/core/runs/workbench.h"

#include <csignal>
#include <sys/resource.h>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

} // namespace

/// What goes wrong with the commands inside a sandbox, and with what they bring.
class InsideFaultsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void nobodyKnowsHowItEnded_data();
    void nobodyKnowsHowItEnded();
    void sandboxGoneReturnsTheLastCheckpoint();
    void failedDownloadIsTriedAgain();
    void survivors_data();
    void survivors();
    void threeFailedCheckpointsAreSaid();
    void fullLog();

private:
    std::unique_ptr<Workbench> m_bench;
};

void InsideFaultsTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void InsideFaultsTest::nobodyKnowsHowItEnded_data()
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

void InsideFaultsTest::nobodyKnowsHowItEnded()
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

void InsideFaultsTest::sandboxGoneReturnsTheLastCheckpoint()
{
    m_bench->limits().checkpointEach = std::chrono::milliseconds(50);
    const std::shared_ptr<Run> run = m_bench->submit(
        QString(),
        QStringLiteral("echo two > src/a.txt; git commit -qam first; echo at work; sleep 60"));
    QTRY_VERIFY_WITH_TIMEOUT(!run->checkpoints().isEmpty(), Testing::atMost(30'000));
    m_bench->service().advance(std::chrono::hours(30)); // its life is over
    QVERIFY(m_bench->waitForEnd(run));
    QVERIFY2(*run->outcome() == Outcome::SandboxError, m_bench->log(*run).right(4000).constData());
    QCOMPARE(run->phase(), P::AwaitingReview);
    QCOMPARE(m_bench->git({QStringLiteral("show"), QStringLiteral("agent/a-task:src/a.txt")}),
             QStringLiteral("two"));
    QCOMPARE(run->returned().tip, run->checkpoints().last().tip);
    QVERIFY(m_bench->isAllReleased());
}

void InsideFaultsTest::failedDownloadIsTriedAgain()
{
    m_bench->faults().before = failing("download", "result.bundle", ErrorCode::ConnectionLost, 1);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QCOMPARE(m_bench->branches(), QStringList{QStringLiteral("agent/a-task")});
    QVERIFY(m_bench->isAllReleased());
}

void InsideFaultsTest::survivors_data()
{
    QTest::addColumn<QString>("verify");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("same") << QStringLiteral("same") << Outcome::SandboxError;
    QTest::newRow("clean") << QStringLiteral("clean") << Outcome::Accepted;
}

void InsideFaultsTest::survivors()
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

void InsideFaultsTest::threeFailedCheckpointsAreSaid()
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

void InsideFaultsTest::fullLog()
{
    const std::shared_ptr<Run> run = m_bench->submit(
        QString(),
        QStringLiteral("echo two > src/a.txt; git commit -qam w; echo ready; n=0\n"
                       "until [ -e ../go ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done\n"
                       "seq 1000000; sleep 60"));
    QTRY_VERIFY_WITH_TIMEOUT(m_bench->log(*run).contains("Says: ready"), Testing::atMost(30'000));
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

QTEST_GUILESS_MAIN(InsideFaultsTest)
#include "tst_insidefaults.moc"
