// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/runs/workbench.h"

#include <QDir>
#include <QProcess>

using namespace Glovebox;
using namespace Glovebox::Testing;

/// What agents say and get, and what becomes of those that do not go; their keys are nowhere.
class PipelineAgentsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void sayings_data();
    void sayings();
    void silentAgentIsEnded();
    void agentThatStaysIsEnded();
    void agentsVariables();
    void secretsAreNowhere();
    void ownSecretInTheResult();

private:
    std::unique_ptr<Workbench> m_bench;
};

void PipelineAgentsTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void PipelineAgentsTest::sayings_data()
{
    QTest::addColumn<QString>("result");
    QTest::addColumn<QString>("work");
    QTest::addColumn<Outcome>("outcome");
    const QString work = QStringLiteral("echo two > src/a.txt\n");
    const auto line = [](const char *subtype, bool isError) {
        return QStringLiteral(R"({"type":"result","subtype":"%1","is_error":%2,"result":"words",)"
                              R"("total_cost_usd":0.25,"num_turns":3,)"
                              R"("modelUsage":{"m":{"inputTokens":11,"outputTokens":7}}})")
            .arg(QLatin1String(subtype),
                 isError ? QStringLiteral("true") : QStringLiteral("false"));
    };
    QTest::newRow("done") << line("success", false) << work << Outcome::Accepted;
    QTest::newRow("done, nothing")
        << line("success", false) << QString() << Outcome::NothingChanged;
    QTest::newRow("budget") << line("error_max_budget_usd", true) << work << Outcome::BudgetSpent;
    QTest::newRow("budget, nothing")
        << line("error_max_budget_usd", true) << QString() << Outcome::BudgetSpent;
    QTest::newRow("turns") << line("error_max_turns", true) << work << Outcome::BudgetSpent;
    QTest::newRow("failed") << line("error_during_execution", true) << QString()
                            << Outcome::AgentError;
    QTest::newRow("failed after work")
        << line("error_during_execution", true) << work << Outcome::Accepted;
}

void PipelineAgentsTest::sayings()
{
    QFETCH(QString, result);
    QFETCH(QString, work);
    QFETCH(Outcome, outcome);
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\n"),
        work + QStringLiteral(
                   "cat <<'END'\n"
                   R"({"type":"assistant","message":{"content":[{"type":"text","text":"Hello"}]}})"
                   "\n%1\nEND\n")
                   .arg(result));
    QVERIFY2(run->outcome() == outcome, m_bench->log(*run).right(4000).constData());
    const Result<RunRecord> record = m_bench->store().run(run->id());
    VERIFY_RESULT(record);
    QCOMPARE(record->costUsd.value_or(0), 0.25);
    QCOMPARE(record->inputTokens.value_or(0), 11);
    QCOMPARE(record->outputTokens.value_or(0), 7);
    QVERIFY(m_bench->log(*run).contains("Says: Hello"));
    QVERIFY(!run->events().isEmpty());
    QVERIFY(m_bench->isAllReleased());
}

void PipelineAgentsTest::silentAgentIsEnded()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\n"), QStringLiteral("echo two > src/a.txt\nsleep 50"));
    QCOMPARE(*run->outcome(), Outcome::TimedOut);
    QCOMPARE(run->returned().branch, QStringLiteral("agent/a-task"));
    QVERIFY2(
        run->warnings().join(QLatin1Char(' ')).contains(QLatin1String("No word from the agent")),
        qPrintable(run->warnings().join(QLatin1Char('\n'))));
    QVERIFY(!run->workDeadline().isValid());
}

void PipelineAgentsTest::agentThatStaysIsEnded()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\n"),
        QStringLiteral("echo two > src/a.txt\n"
                       R"(echo '{"type":"result","subtype":"success","is_error":false}')"
                       "\nsleep 50"));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
}

void PipelineAgentsTest::agentsVariables()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\n"),
        QStringLiteral(
            "test \"$PRINTER\" = yes && test -d \"$PRINTER_HOME\" && test -d \"$TMPDIR\" "
            "&& echo two > src/a.txt\ntest \"$(id -u)\" != 0 || test -n \"$PRINTER_ROOT\" "
            "|| echo three > src/a.txt"));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    QStringList names;
    for (const PlanVariable &variable : run->plan().variables) {
        names << variable.name;
    }
    names.sort();
    QCOMPARE(names, (QStringList{QStringLiteral("PRINTER"), QStringLiteral("PRINTER_HOME"),
                                 QStringLiteral("PRINTER_ROOT"), QStringLiteral("TMPDIR")}));
}

void PipelineAgentsTest::secretsAreNowhere()
{
    const QByteArray value = "Zq9-MARKER-77c1e2-and-more";
    m_bench->secrets().remember(QStringLiteral("MY_TOKEN"), Secret(value));
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\nenv: [MY_TOKEN]\n"),
        QStringLiteral(
            "printf '{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\","
            "\"text\":\"the key is %s\"}]}}\\n' \"$MY_TOKEN\"\n"
            "echo \"$MY_TOKEN\" >&2; echo $MY_TOKEN | base64 >&2; echo two > src/a.txt\n"));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    bool told = false;
    for (const AgentEvent &event : run->events()) {
        QVERIFY(!event.object.contains(QString::fromLatin1(value)));
        told = told || event.object.contains(QLatin1String("[redacted:MY_TOKEN]"));
    }
    QVERIFY(told);
    QProcess grep;
    grep.start(QStringLiteral("grep"),
               {QStringLiteral("-rlaF"), QStringLiteral("-e"), QString::fromLatin1(value),
                QStringLiteral("-e"), QString::fromLatin1(value.toBase64().left(20)),
                m_bench->path(QStringLiteral("data"))});
    QVERIFY(grep.waitForFinished());
    QCOMPARE(grep.readAllStandardOutput(), QByteArray());
    QCOMPARE(grep.exitCode(), 1);
}

void PipelineAgentsTest::ownSecretInTheResult()
{
    const QByteArray value = "Zq9-MARKER-77c1e2-and-more";
    m_bench->secrets().remember(QStringLiteral("MY_TOKEN"), Secret(value));
    m_bench->limits().checkpointEach = std::chrono::milliseconds(100);
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("env: [MY_TOKEN]\n"),
        QStringLiteral("echo two $MY_TOKEN > src/a.txt; git commit -qam w; sleep 1"));
    QCOMPARE(*run->outcome(), Outcome::ImportRefused);
    QVERIFY(run->message().contains(QLatin1String("MY_TOKEN")));
    QVERIFY(m_bench->branches().isEmpty());
    QVERIFY(!run->checkpoints().isEmpty());
    const QStringList bundles =
        QDir(run->folder()).entryList({QStringLiteral("*.bundle")}, QDir::Files);
    QCOMPARE(bundles, QStringList{QStringLiteral("base.bundle")});
    QVERIFY(m_bench->isAllReleased());
}

QTEST_GUILESS_MAIN(PipelineAgentsTest)
#include "tst_pipelineagents.moc"
