// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/agent.h"
#include "core/agents/transcript.h"
#include "core/base/files.h"
#include "tests/support/testing.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QJsonObject customFile()
{
    QFile file(QStringLiteral(":/glovebox/agents/custom.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

QByteArray bytesOf(const QJsonObject &object)
{
    return QJsonDocument(object).toJson();
}

/// The custom agent's file with one key set, or taken out for an undefined value.
QByteArray with(const QString &path, const QJsonValue &value)
{
    QJsonObject file = customFile();
    const QStringList steps = path.split(QLatin1Char('.'));
    if (steps.size() == 2) {
        QJsonObject inner = file.value(steps.first()).toObject();
        inner.insert(steps.last(), value);
        file.insert(steps.first(), inner);
    } else {
        file.insert(path, value);
    }
    return bytesOf(file);
}

} // namespace

class AgentCatalogTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oursAreThere();
    void claude();
    void codex();
    void custom();
    void usersFilesReplaceOurs();
    void refused_data();
    void refused();
    void unknownKeys_data();
    void unknownKeys();
    void syntaxErrorNamesTheLine();
};

void AgentCatalogTest::oursAreThere()
{
    const AgentCatalog catalog = AgentCatalog::load(QStringLiteral("/no/such/folder"));
    QVERIFY(catalog.problems().isEmpty());
    QStringList ids;
    for (const Agent &agent : catalog.agents()) {
        ids += agent.id;
        QVERIFY(transcriptFormats().contains(agent.transcript));
    }
    QCOMPARE(ids, (QStringList{QStringLiteral("claude"), QStringLiteral("codex"),
                               QStringLiteral("custom")}));
    QVERIFY(!catalog.find(QStringLiteral("nobody")));
}

void AgentCatalogTest::claude()
{
    const AgentCatalog catalog = AgentCatalog::load(QString());
    const Agent *agent = catalog.find(QStringLiteral("claude"));
    QVERIFY(agent);
    QCOMPARE(agent->hosts, QStringList{QStringLiteral("api.anthropic.com")});
    QCOMPARE(agent->configVariable, QStringLiteral("CLAUDE_CONFIG_DIR"));
    QVERIFY(agent->root == Agent::Root::Lift);
    QCOMPARE(agent->rootEnvironment.first().first, QStringLiteral("IS_SANDBOX"));
    QCOMPARE(agent->keys.size(), 3);
    QCOMPARE(agent->silence, std::chrono::seconds(1800));
    const QStringList plain = agentCommand(*agent, {});
    QCOMPARE(plain.join(QLatin1Char(' ')),
             QStringLiteral("claude -p --dangerously-skip-permissions --output-format stream-json "
                            "--verbose"));
    AgentOptions options;
    options.model = QStringLiteral("a model; rm {value}");
    options.budgetUsd = 2.5;
    options.turns = 40;
    QCOMPARE(
        agentCommand(*agent, options).mid(plain.size()),
        (QStringList{QStringLiteral("--model"), options.model, QStringLiteral("--max-budget-usd"),
                     QStringLiteral("2.5"), QStringLiteral("--max-turns"), QStringLiteral("40")}));
}

void AgentCatalogTest::codex()
{
    const AgentCatalog catalog = AgentCatalog::load(QString());
    const Agent *agent = catalog.find(QStringLiteral("codex"));
    QVERIFY(agent);
    QVERIFY(agent->root == Agent::Root::Runs);
    AgentOptions options;
    options.model = QStringLiteral("m");
    options.budgetUsd = 5; // it has no such option
    const QStringList argv = agentCommand(*agent, options);
    QCOMPARE(argv.mid(argv.size() - 3),
             (QStringList{QStringLiteral("-m"), QStringLiteral("m"), QStringLiteral("-")}));
    QVERIFY(!agent->options.contains(QStringLiteral("budget")));
}

void AgentCatalogTest::custom()
{
    const AgentCatalog catalog = AgentCatalog::load(QString());
    AgentOptions options;
    options.command = QStringLiteral("echo \"{value}\" {options} && make");
    QCOMPARE(agentCommand(*catalog.find(QStringLiteral("custom")), options),
             (QStringList{QStringLiteral("sh"), QStringLiteral("-c"), options.command}));
}

void AgentCatalogTest::usersFilesReplaceOurs()
{
    QTemporaryDir folder;
    const auto write = [&folder](const char *name, const QByteArray &bytes) {
        VERIFY_RESULT(writeFile(folder.filePath(QLatin1String(name)), bytes));
    };
    write("mine.json", with(QStringLiteral("id"), QStringLiteral("mine")));
    QJsonObject own = customFile();
    own.insert(QStringLiteral("id"), QStringLiteral("claude"));
    own.insert(QStringLiteral("hosts"), QJsonArray{QStringLiteral("gateway.example.com:8443")});
    own.insert(QStringLiteral("colour"), QStringLiteral("red"));
    write("claude.json", bytesOf(own));
    write("broken.json", "{");
    write("notes.txt", "no agent");
    const AgentCatalog catalog = AgentCatalog::load(folder.path());
    QCOMPARE(catalog.agents().size(), 4);
    QVERIFY(catalog.find(QStringLiteral("mine")));
    QCOMPARE(catalog.find(QStringLiteral("claude"))->hosts,
             QStringList{QStringLiteral("gateway.example.com:8443")});
    QCOMPARE(catalog.problems().size(), 2);
    QCOMPARE(catalog.problems().at(0).code, QStringLiteral("agent-file"));
    QVERIFY(catalog.problems().at(0).message.contains(QLatin1String("broken.json")));
    QVERIFY(catalog.problems().at(0).severity == Severity::Error);
    QCOMPARE(catalog.problems().at(1).code, QStringLiteral("unknown-key"));
    QVERIFY(catalog.problems().at(1).message.contains(QLatin1String("\"colour\"")));
}

void AgentCatalogTest::refused_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("names");
    const auto row = [](const char *name, const char *path, const QJsonValue &value) {
        const QString key = QLatin1String(path);
        QTest::newRow(name) << with(key, value) << key;
    };
    row("no id", "id", QJsonValue());
    row("id with slash", "id", QStringLiteral("../x"));
    row("number as name", "name", 3);
    row("no command", "command", QJsonArray());
    row("command is a text", "command", QStringLiteral("sh"));
    row("number in command", "command", QJsonArray{QStringLiteral("sh"), 1});
    row("NUL in command", "command", QJsonArray{QStringLiteral("sh"), QString(QChar(0))});
    row("no program", "install.program", QJsonValue());
    row("odd stdin", "stdin", QStringLiteral("argument"));
    row("variable with blank", "environment.A B", QStringLiteral("1"));
    row("number as value", "environment.A", 1);
    row("key without name", "keys", QJsonArray{QJsonObject()});
    row("url as host", "hosts", QJsonArray{QStringLiteral("https://example.com/")});
    row("star as host", "hosts", QJsonArray{QStringLiteral("*")});
    row("odd root", "root", QStringLiteral("refuses"));
    row("odd transcript", "transcript", QStringLiteral("xml"));
    row("negative silence", "ends.silenceSeconds", -1);
    row("endless silence", "ends.silenceSeconds", 1e300);
    row("end is a text", "ends.done", QStringLiteral("result"));
    row("no folder", "config.create", false);
}

void AgentCatalogTest::refused()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, names);
    for (const bool ours : {true, false}) {
        QList<Problem> problems;
        const Result<Agent> agent = parseAgent(file, QStringLiteral("x.json"), ours, &problems);
        QVERIFY(!agent);
        QVERIFY(agent.error().code == ErrorCode::InvalidRequest);
        QVERIFY2(agent.error().message.contains(names.section(QLatin1Char('.'), 0, 0)),
                 qPrintable(agent.error().message));
    }
}

void AgentCatalogTest::unknownKeys_data()
{
    QTest::addColumn<QString>("path");
    for (const char *path :
         {"colour", "install.pip", "options.speed", "config.more", "ends.soon"}) {
        QTest::newRow(path) << QString::fromLatin1(path);
    }
}

void AgentCatalogTest::unknownKeys()
{
    QFETCH(QString, path);
    const QByteArray file = with(path, QJsonValue(QJsonArray()));
    QList<Problem> problems;
    QVERIFY(!parseAgent(file, QStringLiteral("x.json"), true, &problems));
    const Result<Agent> agent = parseAgent(file, QStringLiteral("x.json"), false, &problems);
    VERIFY_RESULT(agent);
    QCOMPARE(problems.size(), 1);
    QVERIFY(problems.first().severity == Severity::Warning);
    QVERIFY(problems.first().message.contains(QLatin1Char('"') + path + QLatin1Char('"')));
}

void AgentCatalogTest::syntaxErrorNamesTheLine()
{
    QList<Problem> problems;
    const Result<Agent> agent =
        parseAgent("{\n\"id\": \"x\",\n\"name\" 3\n}", QStringLiteral("x.json"), false, &problems);
    QVERIFY(!agent);
    QVERIFY2(agent.error().message.contains(QLatin1String("line 3")),
             qPrintable(agent.error().message));
}

QTEST_GUILESS_MAIN(AgentCatalogTest)
#include "tst_agentcatalog.moc"
