// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow/startpage.h"
#include "app/review/reviewpage.h"
#include "app/runs/runspage.h"
#include "core/runs/runplan.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

using namespace Glovebox;

/// Counts read as English does: through the contexts that the classes have when they run.
class TestTranslation : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void countsReadWell_data();
    void countsReadWell();
    void theCoreSpeaksToo_data();
    void theCoreSpeaksToo();
};

void TestTranslation::countsReadWell_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("files");
    QTest::addColumn<QString>("runs");
    QTest::newRow("none") << 0 << QStringLiteral("0 files") << QStringLiteral("0 runs");
    QTest::newRow("one") << 1 << QStringLiteral("1 file") << QStringLiteral("1 run");
    QTest::newRow("two") << 2 << QStringLiteral("2 files") << QStringLiteral("2 runs");
    QTest::newRow("many") << 21 << QStringLiteral("21 files") << QStringLiteral("21 runs");
}

void TestTranslation::countsReadWell()
{
    QFETCH(int, count);
    QFETCH(QString, files);
    QFETCH(QString, runs);
    QCOMPARE(ReviewPage::tr("%n file(s)", nullptr, count), files);
    QCOMPARE(StartPage::tr("%n run(s)", nullptr, count), runs);
    QCOMPARE(RunsPage::tr("%n run(s) on this computer", nullptr, count),
             runs + QStringLiteral(" on this computer"));
    QCOMPARE(StartPage::tr("%n need(s) you", nullptr, count),
             count == 1 ? QStringLiteral("1 needs you") : QStringLiteral("%1 need you").arg(count));
}

void TestTranslation::theCoreSpeaksToo_data()
{
    QTest::addColumn<qint64>("objects");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << qint64(0) << QStringLiteral("0 objects");
    QTest::newRow("one") << qint64(1) << QStringLiteral("1 object");
    QTest::newRow("two") << qint64(2) << QStringLiteral("2 objects");
}

void TestTranslation::theCoreSpeaksToo()
{
    QFETCH(qint64, objects);
    QFETCH(QString, text);
    RunPlan plan = Testing::samplePlan();
    plan.bundle.objects = objects;
    QVERIFY(planRows(plan).at(0).measure.endsWith(QStringLiteral(", ") + text));
}

QTEST_MAIN(TestTranslation)
#include "tst_translation.moc"
