// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// What a run that is over shows: its events from the transcript, its plan from the database.
#include "app/runs/eventlist.h"
#include "app/runs/keptrun.h"
#include "app/runs/livepage.h"
#include "app/runs/logview.h"
#include "app/runs/plantable.h"
#include "app/runs/recordedplan.h"
#include "app/widgets/viewstates.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QAbstractItemView>
#include <QDir>
#include <QTemporaryDir>

using namespace Glovebox;
using Kind = AgentEvent::Kind;

class TestKeptRun : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void init();
    void roundsFollowEachOther();
    void toolsJoinTheirCalls();
    void whatIsMissingIsLeftOut_data();
    void whatIsMissingIsLeftOut();
    void aFloodIsCapped();
    void aLinkIsNotFollowed();
    void plansReadBackAsTheyWereShown_data();
    void plansReadBackAsTheyWereShown();
    void aBrokenPlanHasNoRows_data();
    void aBrokenPlanHasNoRows();
    void thePageShowsWhatWasKept();
    void thePageSaysWhenNothingWasKept();

private:
    void write(const QString &name, const QByteArray &bytes) const;
    [[nodiscard]] KeptRun read(const QString &transcript) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

QByteArray said(const char *text)
{
    return QByteArray(R"({"type":"assistant","message":{"content":[{"type":"text","text":")") +
           text + "\"}]}}\n";
}

void TestKeptRun::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("logs")));
}

void TestKeptRun::write(const QString &name, const QByteArray &bytes) const
{
    QFile file(m_folder->filePath(QStringLiteral("logs/") + name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

KeptRun TestKeptRun::read(const QString &transcript) const
{
    KeptPlaces places;
    places.folder = m_folder->path();
    places.agent.id = QStringLiteral("x");
    places.agent.transcript = transcript;
    return readKeptRun(places);
}

void TestKeptRun::roundsFollowEachOther()
{
    write(QStringLiteral("07-agent.log"), said("First."));
    write(QStringLiteral("12-agent.log"), said("Second."));
    write(QStringLiteral("08-check.log"), said("No event."));
    write(QStringLiteral("07-agent.log.err"), said("No event either."));
    const KeptRun kept = read(QStringLiteral("claude-stream-json"));
    QCOMPARE(kept.events.size(), 2);
    QCOMPARE(kept.events.at(0).object, QStringLiteral("First."));
    QCOMPARE(kept.events.at(1).object, QStringLiteral("Second."));
    QCOMPARE(kept.left, 0);
}

void TestKeptRun::toolsJoinTheirCalls()
{
    write(
        QStringLiteral("01-agent.log"),
        R"({"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}})"
        "\n" +
            said("Meanwhile.") +
            R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"Exit code 3\none","is_error":true}]}})"
            "\n");
    const KeptRun kept = read(QStringLiteral("claude-stream-json"));
    QCOMPARE(kept.events.size(), 2);
    QCOMPARE(kept.events.at(0).kind, Kind::Runs);
    QVERIFY(kept.events.at(0).failed);
    QVERIFY(kept.events.at(0).output.contains(QStringLiteral("one")));
}

void TestKeptRun::whatIsMissingIsLeftOut_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("transcript");
    QTest::addColumn<int>("events");
    QTest::newRow("empty") << QByteArray() << QStringLiteral("claude-stream-json") << 0;
    QTest::newRow("cut in the middle")
        << said("Whole.") + said("Cut.").chopped(9) << QStringLiteral("claude-stream-json") << 2;
    QTest::newRow("an agent that is gone") << QByteArray("hello\n") << QString() << 1;
}

void TestKeptRun::whatIsMissingIsLeftOut()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, transcript);
    QFETCH(int, events);
    QCOMPARE(read(transcript).events.size(), 0); // no file at all
    write(QStringLiteral("01-agent.log"), bytes);
    QCOMPARE(read(transcript).events.size(), events);
}

void TestKeptRun::aFloodIsCapped()
{
    QByteArray flood;
    for (int index = 0; index < 21'000; ++index) {
        flood += said("x");
    }
    write(QStringLiteral("01-agent.log"), flood);
    const KeptRun kept = read(QStringLiteral("claude-stream-json"));
    QCOMPARE(kept.events.size(), 20'000);
    QVERIFY(kept.left > 0);
}

void TestKeptRun::aLinkIsNotFollowed()
{
    QTemporaryDir elsewhere;
    QFile secret(elsewhere.filePath(QStringLiteral("secret")));
    QVERIFY(secret.open(QIODevice::WriteOnly));
    QVERIFY(secret.write(said("Secret.")) > 0);
    secret.close();
    QVERIFY(
        QFile::link(secret.fileName(), m_folder->filePath(QStringLiteral("logs/01-agent.log"))));
    QCOMPARE(read(QStringLiteral("claude-stream-json")).events.size(), 0);
}

void TestKeptRun::plansReadBackAsTheyWereShown_data()
{
    QTest::addColumn<RunPlan>("plan");
    QTest::newRow("sample") << Testing::samplePlan();
    RunPlan open = Testing::samplePlan();
    open.sandbox.network.open = true;
    open.hosts.clear();
    open.bundle.withHistory = true;
    open.task.scope.clear();
    open.verifyIn = VerifyIn::Same;
    QTest::newRow("open, no scope, history, same") << open;
    RunPlan full = Testing::samplePlan();
    full.policy.strength = CompiledPolicy::Strength::NotEnforced;
    full.sandbox.network.deny = {*parseHostRule(QStringLiteral("*.example.org")),
                                 *parseHostRule(QStringLiteral("10.0.0.0/8"))};
    full.sandbox.readable = {QStringLiteral("/opt/agent")};
    full.sandbox.lifetime = std::chrono::hours(2);
    full.task.setup = {QStringLiteral("npm ci")};
    full.task.forbid = {QStringLiteral("*.lock")};
    full.variables << PlanVariable{QStringLiteral("HOME_PAGE"), QStringLiteral("agent"), false};
    QTest::newRow("everything") << full;
}

void TestKeptRun::plansReadBackAsTheyWereShown()
{
    QFETCH(RunPlan, plan);
    const auto texts = [](const QList<PlanRow> &rows) {
        QStringList lines;
        for (const PlanRow &row : rows) {
            lines << QStringList{groupText(row.group), row.what, row.value, row.measure,
                                 row.warning}
                         .join(QLatin1Char('|'));
        }
        return lines;
    };
    const QList<PlanRow> rows = recordedPlanRows(canonicalJson(toJson(plan)), plan.taskText);
    QCOMPARE(texts(rows), texts(planRows(plan)));
    QVERIFY(!rows.isEmpty());
}

void TestKeptRun::aBrokenPlanHasNoRows_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("cut") << canonicalJson(toJson(Testing::samplePlan())).chopped(3);
    QTest::newRow("another kind") << QByteArray("[1, 2]");
}

void TestKeptRun::aBrokenPlanHasNoRows()
{
    QFETCH(QByteArray, json);
    QVERIFY(recordedPlanRows(json, {}).isEmpty());
    PlanTable table;
    table.setRows({});
    QVERIFY(!table.accessibleDescription().isEmpty());
}

void TestKeptRun::thePageShowsWhatWasKept()
{
    Testing::SampleSource source(m_folder->path());
    source.kept = source.views.value(QStringLiteral("live")).events;
    source.keptBlocked = QStringLiteral("I need the key.\n");
    source.views[QStringLiteral("blocked")].blockedText.clear();
    PreparedDialogs dialogs;
    MainWindow window(Testing::sampleParts(&source, &dialogs, m_folder->path()));
    window.show();
    window.openRun(QStringLiteral("blocked"));
    RunPage *page = window.runPage();
    page->openStage(Stage::Build);
    auto *list = page->live()->findChild<QAbstractItemView *>(QStringLiteral("events"));
    QVERIFY(list != nullptr);
    QTRY_COMPARE(list->model()->rowCount(), source.kept.size());
    QTRY_VERIFY(list->isVisible());
    QVERIFY(page->live()->findChild<PlanTable *>()->rows().size() > 5);
    QTRY_VERIFY(page->live()->log()->rowCount() > 0);
    page->openStage(Stage::Verify);
    QTRY_COMPARE(page->finished()->findChild<LogView *>()->rowText(0),
                 QStringLiteral("I need the key."));
}

void TestKeptRun::thePageSaysWhenNothingWasKept()
{
    Testing::SampleSource source(m_folder->path());
    source.views[QStringLiteral("cancelled")].agentLog = m_folder->filePath(QStringLiteral("none"));
    PreparedDialogs dialogs;
    MainWindow window(Testing::sampleParts(&source, &dialogs, m_folder->path()));
    window.show();
    window.openRun(QStringLiteral("cancelled"));
    window.runPage()->openStage(Stage::Build);
    const QList<ViewStates *> states = window.runPage()->live()->findChildren<ViewStates *>();
    QCOMPARE(states.size(), 2);
    for (const ViewStates *state : states) {
        QTRY_VERIFY(!state->isBusy());
        QCOMPARE(state->state(), ViewStates::State::Empty);
    }
}

QTEST_MAIN(TestKeptRun)
#include "tst_keptrun.moc"
