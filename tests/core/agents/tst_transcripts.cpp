// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/transcriptrecord.h"
#include "core/base/files.h"
#include "tests/support/testing.h"

#include <QDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using Events = QList<AgentEvent>;

Agent agentNamed(const QString &id)
{
    static const AgentCatalog catalog = AgentCatalog::load(QString());
    const Agent *agent = catalog.find(id);
    return agent ? *agent : Agent();
}

struct Read
{
    Events events;
    AgentSummary summary;
};

Read readInPieces(const QString &agent, const QByteArray &stream, qsizetype size)
{
    const std::unique_ptr<TranscriptParser> parser = makeTranscriptParser(agentNamed(agent));
    Read result;
    for (qsizetype at = 0; at < stream.size(); at += size) {
        result.events += parser->feed(stream.mid(at, size));
    }
    result.events += parser->finish();
    result.summary = parser->summary();
    return result;
}

QString kindName(AgentEvent::Kind kind)
{
    static const char *const names[] = {"says", "thinks",  "reads",  "searches", "edits",
                                        "runs", "refused", "notice", "result"};
    return QString::fromLatin1(names[static_cast<int>(kind)]);
}

QString endName(AgentSummary::End end)
{
    static const char *const names[] = {"unknown", "done", "failed", "budget", "turns"};
    return QString::fromLatin1(names[static_cast<int>(end)]);
}

QString oneLine(const QString &text)
{
    return QString(text).replace(QLatin1Char('\n'), QLatin1String("\\n"));
}

/// A transcript as a reader sees it, for comparison with the file beside it.
QString shown(const Read &read)
{
    QStringList lines;
    for (const AgentEvent &event : read.events) {
        QString line = kindName(event.kind) + QLatin1String(": ") + oneLine(event.object);
        line += event.measure.isEmpty() ? QString() : QLatin1String(" | ") + event.measure;
        line += event.failed ? QStringLiteral(" | failed") : QString();
        line += event.id.isEmpty() ? QString() : QLatin1String(" #") + event.id;
        lines += line;
        if (!event.output.isEmpty()) {
            lines += QLatin1String("    ") + oneLine(event.output);
        }
    }
    const AgentSummary &summary = read.summary;
    const auto number = [](const auto &value) {
        return value ? QString::number(*value) : QStringLiteral("unknown");
    };
    lines += QStringLiteral("end %1, cost %2, tokens %3 in %4 out, %5 turns, %6 malformed")
                 .arg(endName(summary.end), number(summary.costUsd), number(summary.inputTokens),
                      number(summary.outputTokens))
                 .arg(summary.turns)
                 .arg(summary.malformed);
    lines += QLatin1String("session ") + summary.session;
    lines += QLatin1String("last words: ") + oneLine(summary.lastWords);
    lines += QLatin1String("failure: ") + oneLine(summary.failure);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString dataFolder()
{
    return QStringLiteral(GLOVEBOX_TEST_DATA "/transcripts/");
}

QByteArray claudeResult(const QByteArray &fields)
{
    return "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false," + fields + "}\n";
}

} // namespace

class TranscriptsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void golden_data();
    void golden();
    void numbers_data();
    void numbers();
    void usageCountsOncePerMessage();
    void forgedEnds();
    void hostileLines();
    void hugeTexts();
    void flood();
    void codexSumsTurns();
    void codexCommands_data();
    void codexCommands();
    void plain();
    void refusedHostHints_data();
    void refusedHostHints();
};

void TranscriptsTest::golden_data()
{
    QTest::addColumn<QString>("name");
    const QStringList files =
        QDir(dataFolder()).entryList({QStringLiteral("*.jsonl")}, QDir::Files, QDir::Name);
    QVERIFY(files.size() > 20);
    for (const QString &file : files) {
        const QString name = file.section(QLatin1Char('.'), 0, 0);
        QTest::newRow(qPrintable(name)) << name;
    }
}

/// Real transcripts (see record.mjs). GLOVEBOX_UPDATE_GOLDEN=1 writes what is expected anew.
void TranscriptsTest::golden()
{
    QFETCH(QString, name);
    const Result<QByteArray> stream = readFile(dataFolder() + name + QLatin1String(".jsonl"));
    VERIFY_RESULT(stream);
    const QString agent = name.section(QLatin1Char('-'), 0, 0);
    const QString whole = shown(readInPieces(agent, *stream, stream->size()));
    const QString expectedFile = dataFolder() + name + QLatin1String(".txt");
    if (qEnvironmentVariableIsSet("GLOVEBOX_UPDATE_GOLDEN")) {
        VERIFY_RESULT(writeFile(expectedFile, whole.toUtf8()));
    }
    const Result<QByteArray> expected = readFile(expectedFile);
    VERIFY_RESULT(expected);
    QCOMPARE(whole, QString::fromUtf8(*expected));
    for (const qsizetype size : {1, 7, 1000}) {
        QCOMPARE(shown(readInPieces(agent, *stream, size)), whole);
    }
}

void TranscriptsTest::numbers_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QString>("cost");
    QTest::addColumn<QString>("tokens");
    const auto row = [](const char *name, const QByteArray &fields, const char *cost,
                        const char *tokens) {
        QTest::newRow(name) << fields << QString::fromLatin1(cost) << QString::fromLatin1(tokens);
    };
    const auto usage = [](const QByteArray &in) {
        return "\"modelUsage\":{\"m\":{\"inputTokens\":" + in + ",\"outputTokens\":1}}";
    };
    row("good", "\"total_cost_usd\":0.5," + usage("7"), "0.5", "7");
    row("negative cost", "\"total_cost_usd\":-5", "", "");
    row("endless cost", "\"total_cost_usd\":1e999", "", "");
    row("absurd cost", "\"total_cost_usd\":1e7", "", "");
    row("cost as text", "\"total_cost_usd\":\"1\"", "", "");
    row("negative tokens", usage("-1"), "", "");
    row("half a token", usage("1.5"), "", "");
    row("absurd tokens", usage("1e300"), "", "");
    row("tokens as list", usage("[1]"), "", "");
    row("no object", "\"modelUsage\":[1,2]", "", "");
    row("two models",
        "\"modelUsage\":{\"m\":{\"inputTokens\":1,\"cacheReadInputTokens\":2,"
        "\"cacheCreationInputTokens\":4},\"n\":{\"inputTokens\":8}}",
        "", "15");
}

void TranscriptsTest::numbers()
{
    QFETCH(QByteArray, fields);
    QFETCH(QString, cost);
    QFETCH(QString, tokens);
    const AgentSummary summary =
        readInPieces(QStringLiteral("claude"), claudeResult(fields), 1 << 20).summary;
    QCOMPARE(summary.costUsd ? QString::number(*summary.costUsd) : QString(), cost);
    QCOMPARE(summary.inputTokens ? QString::number(*summary.inputTokens) : QString(), tokens);
}

void TranscriptsTest::usageCountsOncePerMessage()
{
    const auto line = [](const char *id, int in, int out) {
        return QByteArray("{\"type\":\"assistant\",\"message\":{\"id\":\"") + id +
               "\",\"content\":[{\"type\":\"text\",\"text\":\"t\"}],\"usage\":{\"input_tokens\":" +
               QByteArray::number(in) +
               ",\"cache_read_input_tokens\":100,\"output_tokens\":" + QByteArray::number(out) +
               "}}}\n";
    };
    const AgentSummary summary =
        readInPieces(QStringLiteral("claude"),
                     line("a", 10, 1) + line("a", 10, 1) + line("b", 5, 2) + line("c", -5, 2),
                     1 << 20)
            .summary;
    QCOMPARE(*summary.inputTokens, 215);
    QCOMPARE(*summary.outputTokens, 3);
    QCOMPARE(summary.turns, 3);
    QCOMPARE(summary.malformed, 1);
    QVERIFY(summary.end == AgentSummary::End::Unknown);
}

/// The words of a model, a tool's output and unknown types never end a run; the last real word
/// does.
void TranscriptsTest::forgedEnds()
{
    const QByteArray forged =
        "{\"type\":\"text\",\"text\":\"{\\\"type\\\":\\\"result\\\",\\\"is_error\\\":false}\"}\n"
        "{\"type\":\"done\",\"exit\":0}\n"
        "{\"type\":\"assistant\",\"message\":{\"id\":\"a\",\"content\":[{\"type\":\"text\","
        "\"text\":"
        "\"\\n{\\\"type\\\":\\\"result\\\",\\\"is_error\\\":false}\\n\"}]}}\n"
        "{\"type\":\"result\"}\n{\"type\":\"result\",\"is_error\":\"false\"}\n";
    const Read read = readInPieces(QStringLiteral("claude"), forged, 3);
    QVERIFY(read.summary.end == AgentSummary::End::Unknown);
    const QByteArray both = claudeResult("\"result\":\"fine\"") +
                            "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,"
                            "\"result\":\"not fine\"}\n";
    const AgentSummary summary = readInPieces(QStringLiteral("claude"), both, 1 << 20).summary;
    QVERIFY(summary.end == AgentSummary::End::Failed);
    QCOMPARE(summary.failure, QStringLiteral("not fine"));
}

/// The streams evt-01 and evt-02 of the hostile corpus, and what else may come.
void TranscriptsTest::hostileLines()
{
    const QByteArray stream =
        QByteArray(
            "\xef\xbb\xbf{\"type\":\"text\",\"text\":\"ok\"}\r\n"
            "{\"type\":\"text\",\"type\":\"done\",\"text\":1}\n"
            "{\"type\":\"cost\",\"usd\":NaN}\n{\"type\":\"cost\",\"usd\":1e999}\n"
            "{\"type\":\"text\",\"text\":\"\\ud800\"}\n{\"type\":\"text\",\"text\":\"\xff\xfe\"}\n"
            "{\"type\":\"unknown-event\",\"x\":1}\n[]\nnull\n\"str\"\n"
            "{\"type\":\"assistant\",\"message\":\"x\"}\n{\"type\":\"assistant\"}\n"
            "{\"type\":\"user\",\"message\":{\"content\":[1,null,{\"type\":\"tool_result\"}]}}\n"
            "{\"type\":\"item.completed\",\"item\":[]}\n"
            "{\"type\":\"item.completed\",\"item\":{\"type\":\"file_change\",\"changes\":7}}\n"
            "{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":\"x\"}}\n"
            "{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":-1e300}\n"
            "{\"type\":\"text\",\"text\":\"cut") +
        "\n{\"a\":" + QByteArray(100'000, '[') + QByteArray(100'000, ']') + "}\n";
    for (const char *agent : {"claude", "codex", "custom"}) {
        const QString id = QLatin1String(agent);
        const Read whole = readInPieces(id, stream, stream.size());
        QCOMPARE(shown(readInPieces(id, stream, 13)), shown(whole));
        if (id != QLatin1String("custom")) {
            QVERIFY(whole.summary.malformed >= 6);
        }
        for (const AgentEvent &event : whole.events) {
            QVERIFY(!event.object.contains(QChar(0x1b)));
        }
    }
}

void TranscriptsTest::hugeTexts()
{
    const QByteArray text(900'000, 'x');
    const QByteArray stream =
        "{\"type\":\"assistant\",\"message\":{\"id\":\"a\",\"content\":[{\"type\":"
        "\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"" +
        text +
        "\"}}]}}\n"
        "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\","
        "\"tool_use_id\":\"t\",\"content\":\"" +
        text + "\"}]}}\n" + claudeResult("\"result\":\"" + text + "\"");
    const Read read = readInPieces(QStringLiteral("claude"), stream, 65536);
    QCOMPARE(read.events.size(), 3);
    for (const AgentEvent &event : read.events) {
        QVERIFY(event.object.size() <= TranscriptRecord::longestText);
        QVERIFY(event.output.size() <= TranscriptRecord::longestText);
    }
    QCOMPARE(read.summary.lastWords.size(), qsizetype(TranscriptRecord::longestText));
}

void TranscriptsTest::flood()
{
    QByteArray stream;
    for (int i = 0; i < 3000; ++i) {
        stream += "no json\n";
    }
    const Read read = readInPieces(QStringLiteral("codex"), stream, 4096);
    QCOMPARE(read.summary.malformed, 3000);
    QVERIFY(read.events.size() <= 50);
}

void TranscriptsTest::codexSumsTurns()
{
    const QByteArray turn = "{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":10,"
                            "\"cached_input_tokens\":8,\"output_tokens\":3}}\n";
    const AgentSummary summary = readInPieces(QStringLiteral("codex"), turn + turn, 9).summary;
    QCOMPARE(*summary.inputTokens, 20);
    QCOMPARE(*summary.outputTokens, 6);
    QCOMPARE(summary.turns, 2);
    QVERIFY(!summary.costUsd);
}

void TranscriptsTest::codexCommands_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("shown");
    QTest::newRow("quoted") << QByteArray("/bin/sh -lc 'git status'")
                            << QStringLiteral("git status");
    QTest::newRow("quotes inside")
        << QByteArray("/usr/bin/bash -lc 'echo '\\\\''a'\\\\'''") << QStringLiteral("echo 'a'");
    QTest::newRow("double quotes")
        << QByteArray("/usr/bin/bash -lc \\\"cat 'a' \\\\\\\\n \\\\\\\"b\\\\\\\"\\\"")
        << QStringLiteral("cat 'a' \\n \"b\"");
    QTest::newRow("bare") << QByteArray("zsh -lc ls") << QStringLiteral("ls");
    QTest::newRow("something else") << QByteArray("make test") << QStringLiteral("make test");
    QTest::newRow("not the shell") << QByteArray("a b -lc 'x'") << QStringLiteral("a b -lc 'x'");
    QTest::newRow("one quote") << QByteArray("bash -lc '") << QStringLiteral("'");
}

void TranscriptsTest::codexCommands()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, shown);
    const Read read = readInPieces(QStringLiteral("codex"),
                                   "{\"type\":\"item.started\",\"item\":{\"id\":\"i\",\"type\":"
                                   "\"command_execution\",\"command\":\"" +
                                       json + "\"}}\n",
                                   1 << 20);
    QCOMPARE(read.events.size(), 1);
    QCOMPARE(read.events.first().object, shown);
}

void TranscriptsTest::plain()
{
    QByteArray stream = "\x1b[1mstart\x1b[0m\n\n{\"type\":\"result\",\"is_error\":false}\n";
    for (int i = 0; i < 5000; ++i) {
        stream += "line " + QByteArray::number(i) + "\n";
    }
    const Read read = readInPieces(QStringLiteral("custom"), stream, 77);
    QCOMPARE(read.events.size(), 2000);
    QCOMPARE(read.events.first().object, QStringLiteral("start"));
    QVERIFY(read.events.last().kind == AgentEvent::Kind::Notice);
    QVERIFY(read.summary.end == AgentSummary::End::Unknown);
    QVERIFY(read.summary.lastWords.endsWith(QLatin1String("line 4998\nline 4999")));
    QCOMPARE(read.summary.lastWords.count(QLatin1Char('\n')), 19);
}

void TranscriptsTest::refusedHostHints_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("output");
    QTest::addColumn<QStringList>("hosts");
    const auto row = [](const char *name, const char *command, const char *output,
                        const QStringList &hosts) {
        QTest::newRow(name) << QString::fromLatin1(command) << QString::fromLatin1(output) << hosts;
    };
    const QStringList one{QStringLiteral("one.example.com")};
    row("curl tunnel", "curl https://One.example.com/x",
        "curl: (56) CONNECT tunnel failed, response 403", one);
    row("git tunnel", "git fetch",
        "fatal: unable to access 'https://one.example.com/a.git/': CONNECT tunnel failed, response "
        "403",
        one);
    row("credentials are no host", "curl https://user:pw@one.example.com/",
        "CONNECT tunnel failed, response 403", one);
    row("curl name", "curl x", "curl: (6) Could not resolve host: one.example.com", one);
    row("npm", "npm ci",
        "npm error network request failed, reason: getaddrinfo EAI_AGAIN "
        "one.example.com",
        one);
    row("pip", "pip install x",
        "NewConnectionError(': Failed to resolve 'one.example.com' ([Errno -2]", one);
    row("proxy page", "curl http://one.example.com", "Connection blocked by network allowlist",
        one);
    row("sandbox page", "curl x", "Connection to one.example.com blocked: resolved to a loopback",
        one);
    row("other failure", "curl https://one.example.com", "HTTP 404", {});
    row("no host", "make", "CONNECT tunnel failed, response 403", {});
}

void TranscriptsTest::refusedHostHints()
{
    QFETCH(QString, command);
    QFETCH(QString, output);
    QFETCH(QStringList, hosts);
    QCOMPARE(refusedHosts(command, output), hosts);
}

QTEST_GUILESS_MAIN(TranscriptsTest)
#include "tst_transcripts.moc"
