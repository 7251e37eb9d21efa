// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/names.h"

#include <QProcess>
#include <QTest>

using namespace Glovebox;

class TestNames final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nearest_data();
    void nearest();
    void branchAgreesWithGit_data();
    void branchAgreesWithGit();
    void mendedBranchIsGood();
    void freeBranches();
};

void TestNames::nearest_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    const QList<std::pair<const char *, const char *>> rows{{"titel", "title"},
                                                            {"Budget-USD", "budget_usd"},
                                                            {"acceptence", "acceptance"},
                                                            {"scpoe", "scope"},
                                                            {"colour", ""},
                                                            {"", ""},
                                                            {"x", ""},
                                                            {"timeouts", "timeout"},
                                                            {"budgetusd", "budget_usd"}};
    for (const auto &[name, expected] : rows) {
        QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(expected);
    }
}

void TestNames::nearest()
{
    QFETCH(QString, name);
    QFETCH(QString, expected);
    QCOMPARE(nearestName(name, {QStringLiteral("title"), QStringLiteral("acceptance"),
                                QStringLiteral("scope"), QStringLiteral("timeout"),
                                QStringLiteral("budget_usd")}),
             expected);
}

void TestNames::branchAgreesWithGit_data()
{
    QTest::addColumn<QString>("name");
    const QStringList names{QStringLiteral("retry-billing"),
                            QStringLiteral("a/b"),
                            QStringLiteral("@"),
                            QStringLiteral("HEAD"),
                            QStringLiteral("-dash"),
                            QStringLiteral("a b"),
                            QStringLiteral("a~b"),
                            QStringLiteral("a^"),
                            QStringLiteral("a:b"),
                            QStringLiteral("a?"),
                            QStringLiteral("a*"),
                            QStringLiteral("[a"),
                            QStringLiteral("a]"),
                            QStringLiteral("a\\b"),
                            QStringLiteral("a..b"),
                            QStringLiteral("a@{b"),
                            QStringLiteral("@{"),
                            QStringLiteral("a@b"),
                            QStringLiteral("/a"),
                            QStringLiteral("a/"),
                            QStringLiteral("a//b"),
                            QStringLiteral(".a"),
                            QStringLiteral("a/.b"),
                            QStringLiteral("a."),
                            QStringLiteral("a./b"),
                            QStringLiteral("a.b"),
                            QStringLiteral("a.lock"),
                            QStringLiteral("a.lock/b"),
                            QStringLiteral("a.LOCK"),
                            QStringLiteral("a\tb"),
                            QStringLiteral("a\x7f"),
                            QStringLiteral("ж中😀"),
                            QStringLiteral("a\u00a0b"),
                            QStringLiteral("{a,b}"),
                            QStringLiteral("a'b\"c"),
                            QStringLiteral(".lock"),
                            QStringLiteral("x/.lock")};
    for (qsizetype i = 0; i < names.size(); ++i) {
        QTest::addRow("%d %s", static_cast<int>(i), qPrintable(names.at(i))) << names.at(i);
    }
}

void TestNames::branchAgreesWithGit()
{
    QFETCH(QString, name);
    QProcess git;
    git.start(QStringLiteral("git"),
              {QStringLiteral("check-ref-format"), QStringLiteral("refs/heads/agent/") + name});
    QVERIFY(git.waitForFinished());
    QCOMPARE(explainBadBranch(name).isEmpty(), git.exitCode() == 0);
}

void TestNames::mendedBranchIsGood()
{
    QCOMPARE(mendedBranch(QStringLiteral("Fix it!/Now..")), QStringLiteral("fix-it/now"));
    QCOMPARE(mendedBranch(QStringLiteral("~^:")), QString());
    QVERIFY(!explainBadBranch(QString(201, QLatin1Char('a'))).isEmpty());
    QVERIFY(explainBadBranch(QString(200, QLatin1Char('a'))).isEmpty());
}

void TestNames::freeBranches()
{
    const QString name = QStringLiteral("agent/x");
    QCOMPARE(freeBranch(name, {}), name);
    QCOMPARE(freeBranch(name, {QStringLiteral("agent/X")}), QStringLiteral("agent/x-2"));
    QCOMPARE(freeBranch(name, {name, QStringLiteral("agent/x-2")}), QStringLiteral("agent/x-3"));
}

QTEST_GUILESS_MAIN(TestNames)
#include "tst_names.moc"
