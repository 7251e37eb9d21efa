// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/branchnames.h"
#include "tests/support/testing.h"

using namespace Glovebox;

class BranchNamesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void freeNames_data();
    void freeNames();
};

void BranchNamesTest::freeNames_data()
{
    QTest::addColumn<QStringList>("taken");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("got");
    const auto row = [](const char *name, const QStringList &taken, const char *wanted,
                        const char *got) {
        QTest::newRow(name) << taken << QString::fromUtf8(wanted) << QString::fromUtf8(got);
    };
    const auto names = [](const char *list) {
        return QString::fromUtf8(list).split(QLatin1Char(' '));
    };
    row("nothing there", {}, "agent/x", "agent/x");
    row("others there", names("main agent/y agent/x-2"), "agent/x", "agent/x");
    row("taken", names("agent/x"), "agent/x", "agent/x-2");
    row("taken twice", names("agent/x agent/x-2"), "agent/x", "agent/x-3");
    row("gap", names("agent/x agent/x-3"), "agent/x", "agent/x-2");
    row("by case", names("Agent/X"), "agent/x", "agent/x-2");
    row("by case of the number", names("agent/x AGENT/X-2"), "agent/x", "agent/x-3");
    row("by accents' form", names("cafe\xcc\x81"), "caf\xc3\xa9", "caf\xc3\xa9-2");
    row("folder is a branch", names("agent"), "agent/x", "agent-2/x");
    row("folder is a branch, by case", names("AGENT"), "agent/x", "agent-2/x");
    row("second folder too", names("agent agent-2"), "agent/x", "agent-3/x");
    row("below it taken", names("agent agent-2/x"), "agent/x", "agent-2/x-2");
    row("deep folder", names("a/b"), "a/b/c", "a/b-2/c");
    row("branch is a folder", names("agent/x/y"), "agent/x", "agent/x-2");
    row("top is a folder", names("agent/x"), "agent", "agent-2");
    row("a longer name is none", names("agent/xy"), "agent/x", "agent/x");
}

void BranchNamesTest::freeNames()
{
    QFETCH(QStringList, taken);
    QFETCH(QString, wanted);
    const TakenNames names(taken);
    const QString got = names.freeName(wanted);
    QTEST(got, "got");
    QVERIFY(names.isFree(got));
    QCOMPARE(names.isFree(wanted), got == wanted);
}

QTEST_GUILESS_MAIN(BranchNamesTest)
#include "tst_branchnames.moc"
