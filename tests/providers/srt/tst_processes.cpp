// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/processes.h"
#include "tests/support/testing.h"

#include <QProcess>

#include <unistd.h>

using namespace Glovebox::Srt;

class ProcessesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nobodyLeadsTheMachine();
    void marksTellReusedNumbersApart();
    void treesReachIntoNewSessions();
};

void ProcessesTest::nobodyLeadsTheMachine()
{
    // Below 0 and 1 is everything: a keeper that never started must not end it.
    QCOMPARE(treeOf(0).size(), 0);
    QCOMPARE(treeOf(1).size(), 0);
    QCOMPARE(treeOf(-1).size(), 0);
    killTree(0, {});
    killTree(1, {});
    QVERIFY(!isAlive({}));
}

void ProcessesTest::marksTellReusedNumbersApart()
{
    const ProcessMark own = markOf(::getpid());
    QCOMPARE(own.pid, qint64(::getpid()));
    QVERIFY(own.started > 0);
    QVERIFY(isAlive(own));
    QVERIFY(!isAlive({own.pid, own.started + 1}));
}

void ProcessesTest::treesReachIntoNewSessions()
{
    QProcess leader;
    leader.setChildProcessModifier([] { ::setsid(); });
    leader.start(
        QStringLiteral("sh"),
        {QStringLiteral("-c"),
         QStringLiteral("sleep 4713 & setsid sh -c 'sleep 4713 & exec sleep 4713' & wait")});
    QVERIFY(leader.waitForStarted());
    const qint64 pid = leader.processId();
    QTRY_COMPARE(treeOf(pid).size(), 4);
    const QList<ProcessMark> tree = treeOf(pid);
    QCOMPARE(survivors(tree), 4);
    killTree(pid, tree);
    QVERIFY(leader.waitForFinished());
    QTRY_COMPARE(survivors(tree), 0);
}

QTEST_GUILESS_MAIN(ProcessesTest)
#include "tst_processes.moc"
