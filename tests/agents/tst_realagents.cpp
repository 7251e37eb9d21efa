// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/transcript.h"
#include "core/base/files.h"
#include "core/base/process.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/testing.h"

#include <QProcess>

#include <unistd.h>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using End = AgentSummary::End;

QString agentsFolder()
{
    return qEnvironmentVariable("GLOVEBOX_AGENTS_DIR") + QStringLiteral("/node_modules/.bin");
}

QString nodeFolder()
{
    return qEnvironmentVariable("GLOVEBOX_TOOLS_DIR") + QStringLiteral("/node_modules/node/bin");
}

QString text(const char *latin1)
{
    return QString::fromLatin1(latin1);
}

} // namespace

/// The real programs, started as their files in resources/agents say, against the scripted model,
/// without a sandbox: what the parsers make of them. As root the refusal is lifted as the file
/// says.
class RealAgentsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void versions_data();
    void versions();
    void scenarios_data();
    void scenarios();

private:
    [[nodiscard]] ProcessRequest requestFor(const Agent &agent, const QString &scenario,
                                            const QString &folder) const;
    QProcess m_model;
    Testing::TemporaryFolder m_folder;
    AgentCatalog m_catalog;
    QString m_address;
};

void RealAgentsTest::initTestCase()
{
    for (const QString &program : {agentsFolder() + text("/claude"),
                                   agentsFolder() + text("/codex"), nodeFolder() + text("/node")}) {
        QVERIFY2(QFileInfo(program).isExecutable(),
                 qPrintable(program + text(" is not there. installers/bootstrap test installs the "
                                           "agents and Node, and says where they are.")));
    }
    m_catalog = AgentCatalog::load(QString());
    const QString portFile = m_folder.filePath(text("port"));
    m_model.start(nodeFolder() + text("/node"),
                  {text(GLOVEBOX_SOURCE_DIR "/tests/fakes/model/server.mjs"), text("--port"),
                   text("0"), text("--port-file"), portFile});
    QTRY_VERIFY_WITH_TIMEOUT(readFile(portFile).value_or(QByteArray()).endsWith('\n'),
                             Testing::atMost(10'000));
    m_address = text("http://127.0.0.1:") + QString::fromLatin1(readFile(portFile)->trimmed());
}

void RealAgentsTest::cleanupTestCase()
{
    m_model.kill();
    m_model.waitForFinished();
}

void RealAgentsTest::versions_data()
{
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QByteArray>("version");
    QTest::newRow("claude") << text("claude") << QByteArray("2.1.332");
    QTest::newRow("codex") << text("codex") << QByteArray("0.171.0");
}

void RealAgentsTest::versions()
{
    QFETCH(QString, agent);
    QFETCH(QByteArray, version);
    ProcessRequest request;
    const QStringList argv = m_catalog.find(agent)->version;
    request.program = agentsFolder() + QLatin1Char('/') + argv.first();
    request.arguments = argv.mid(1);
    request.environment.insert(text("PATH"), nodeFolder() + text(":/usr/bin:/bin"));
    request.environment.insert(text("HOME"), m_folder.path());
    const Result<ProcessResult> result = await(runProcess(request, {}));
    VERIFY_RESULT(result);
    QVERIFY2(result->output.contains(version), result->output.constData());
}

ProcessRequest RealAgentsTest::requestFor(const Agent &agent, const QString &scenario,
                                          const QString &folder) const
{
    AgentOptions options;
    options.budgetUsd = 5;
    QStringList argv = agentCommand(agent, options);
    ProcessRequest request;
    request.environment.insert(text("PATH"), agentsFolder() + QLatin1Char(':') + nodeFolder() +
                                                 text(":/usr/bin:/bin"));
    request.environment.insert(text("HOME"), folder + text("/home"));
    request.environment.insert(text("TMPDIR"), folder + text("/tmp"));
    request.environment.insert(agent.configVariable, folder + text("/config"));
    request.environment.insert(agent.keys.first().name, text("sk-fake-0000000000"));
    for (const auto &[name, value] : agent.environment) {
        request.environment.insert(name, value);
    }
    for (const auto &[name, value] : agent.rootEnvironment) {
        if (::geteuid() == 0) {
            request.environment.insert(name, value);
        }
    }
    const QString address = m_address + text("/s/") + scenario;
    if (agent.id == text("codex")) {
        const QString provider =
            text("model_providers.fake={name=\"fake\",base_url=\"%1/v1\",wire_api=\"responses\","
                 "env_key=\"CODEX_API_KEY\"}")
                .arg(address);
        argv = argv.mid(0, argv.size() - 1) + QStringList{text("-c"), text("model_provider=fake"),
                                                          text("-c"), provider, text("-")};
    } else {
        request.environment.insert(text("ANTHROPIC_BASE_URL"), address);
    }
    request.program = agentsFolder() + QLatin1Char('/') + argv.takeFirst();
    request.arguments = argv;
    request.directory = folder + text("/repo");
    request.standardInput = "Change greeting.txt so that it says: hello, world. Commit.\n";
    request.standardOutputFile = folder + text("/out");
    request.limit = std::chrono::seconds(60);
    return request;
}

void RealAgentsTest::scenarios_data()
{
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<int>("exitCode"); // -1: ended by its time limit
    QTest::addColumn<End>("end");
    QTest::addColumn<int>("commits");
    for (const char *agent : {"claude", "codex"}) {
        const auto row = [agent](const char *scenario, int exitCode, End end, int commits) {
            QTest::addRow("%s %s", agent, scenario)
                << text(agent) << text(scenario) << exitCode << end << commits;
        };
        row("success", 0, End::Done, 1);
        row("liar", 0, End::Done, 0);
        row("blocked", 0, End::Done, 1);
        row("slow", 0, End::Done, 1);
        row("error", 0, End::Done, 1);
    }
    QTest::newRow("claude budget") << text("claude") << text("budget") << 1 << End::Budget << 0;
    QTest::newRow("codex budget") << text("codex") << text("budget") << -1 << End::Unknown << 0;
}

void RealAgentsTest::scenarios()
{
    QFETCH(QString, agent);
    QFETCH(QString, scenario);
    QFETCH(int, exitCode);
    QFETCH(End, end);
    QFETCH(int, commits);
    const QString folder = m_folder.filePath(agent + scenario);
    for (const char *name : {"/home", "/tmp", "/config"}) {
        QVERIFY(QDir().mkpath(folder + QLatin1String(name)));
    }
    const TestRepository repository(folder + text("/repo"));
    repository.write(text("greeting.txt"), "hello\n");
    const QString base = repository.commitAll(text("Base"));
    const Agent *found = m_catalog.find(agent);
    QVERIFY(found);
    ProcessRequest request = requestFor(*found, scenario, folder);
    request.limit = exitCode < 0 ? std::chrono::seconds(4) : request.limit;
    const Result<ProcessResult> result = await(runProcess(request, {}));
    if (exitCode < 0) {
        QVERIFY(!result && result.error().code == ErrorCode::TimedOut);
    } else {
        VERIFY_RESULT(result);
        QCOMPARE(result->exitCode, exitCode);
    }
    const Result<QByteArray> output = readFile(request.standardOutputFile);
    VERIFY_RESULT(output);
    const std::unique_ptr<TranscriptParser> parser = makeTranscriptParser(*found);
    QList<AgentEvent> events = parser->feed(*output);
    events += parser->finish();
    const AgentSummary &summary = parser->summary();
    QVERIFY(summary.end == end);
    QCOMPARE(summary.malformed, 0);
    QVERIFY(!events.isEmpty() && !summary.session.isEmpty());
    QCOMPARE(summary.costUsd.has_value(), agent == text("claude"));
    QCOMPARE(summary.inputTokens.has_value(), exitCode >= 0);
    if (end != End::Budget) {
        QVERIFY(!summary.lastWords.isEmpty());
    }
    QCOMPARE(repository.git({text("rev-list"), text("--count"), base + text("..HEAD")}).trimmed(),
             QByteArray::number(commits));
}

QTEST_GUILESS_MAIN(RealAgentsTest)
#include "tst_realagents.moc"
