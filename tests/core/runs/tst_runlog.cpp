// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/runs/runlog.h"
#include "core/runs/sql.h"
#include "tests/support/testing.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

const QByteArray key = "Zq9-the-key-of-this-test-77c1e2";

OutputChunk chunk(qint64 offset, const QByteArray &bytes, Stream stream = Stream::Output)
{
    return {stream, offset, bytes};
}

} // namespace

/// The log of a run and of its commands: redacted, whole, and to be gone on with after a crash.
class RunLogTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void linesAreRedacted();
    void secretOverChunks();
    void secretCutByAGap();
    void gapIsSaid();
    void streamsApart();
    void rejoinGoesOnFromWhatIsStored();
    void agentsOutputBecomesEvents();
    void eventLines_data();
    void eventLines();
    void unwritableFolder();
    void growthIsSaidOnceInAWhile();
    void eventsWithAnIdAreUpdated();
    void eventsAreLimited();
    void warningsAreSaidOnce();

private:
    [[nodiscard]] std::unique_ptr<CommandLog> open(const CommandRecord &record);
    [[nodiscard]] CommandRecord stored() const;
    [[nodiscard]] QByteArray contents(const QString &name) const
    {
        return readFile(m_run->folder() + QLatin1Char('/') + name).value_or("(missing)");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    SystemClock m_clock;
    std::unique_ptr<RunStore> m_store;
    std::shared_ptr<Run> m_run;
    std::shared_ptr<RunLog> m_log;
    std::shared_ptr<const SecretForms> m_forms;
    std::shared_ptr<TranscriptParser> m_transcript;
    CommandRecord m_record;
};

void RunLogTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    Result<std::unique_ptr<RunStore>> store = RunStore::open(m_folder->path(), m_clock);
    VERIFY_RESULT(store);
    m_store = std::move(*store);
    RunPlan plan;
    plan.run = newId();
    RunRecord run;
    run.id = plan.run;
    run.plan = "{}";
    for (QString *text :
         {&run.repository, &run.gitFolder, &run.taskPath, &run.taskDigest, &run.title,
          &run.provider, &run.agent, &run.base, &run.wantedBranch, &run.planDigest, &run.owner}) {
        *text = QStringLiteral("some");
    }
    VERIFY_RESULT(m_store->insertRun(run));
    SandboxRecord sandbox;
    sandbox.key = run.id + QStringLiteral("-work");
    sandbox.run = run.id;
    sandbox.role = QStringLiteral("work");
    sandbox.provider = QStringLiteral("folder");
    sandbox.policyDigest = QStringLiteral("d");
    VERIFY_RESULT(m_store->insertSandbox(sandbox));
    m_record = CommandRecord();
    m_record.id = newId();
    m_record.sandbox = sandbox.key;
    m_record.purpose = QStringLiteral("agent");
    m_record.argv = QStringLiteral("[]");
    m_record.log = QStringLiteral("logs/01-agent.log");
    VERIFY_RESULT(m_store->insertCommand(m_record));
    const QString folder = m_store->runFolder(run.id);
    VERIFY_RESULT(makePrivateFolder(folder + QStringLiteral("/logs")));
    m_run = std::make_shared<Run>(plan, folder);
    m_forms = std::make_shared<const SecretForms>(
        QList<NamedSecret>{NamedSecret{QStringLiteral("MY_KEY"), Secret(key)}});
    m_log = std::make_shared<RunLog>(m_run, m_forms);
    VERIFY_RESULT(m_log->open());
    m_transcript.reset();
}

std::unique_ptr<CommandLog> RunLogTest::open(const CommandRecord &record)
{
    auto log = std::make_unique<CommandLog>(
        CommandLog::Parts{m_run, m_log, m_store.get(), m_forms, m_transcript}, record);
    const Result<void> opened = log->open();
    if (!opened) {
        qFatal("%s", qPrintable(errorText(opened.error())));
    }
    return log;
}

CommandRecord RunLogTest::stored() const
{
    CommandRecord record = m_record;
    const QString name = newId();
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(m_folder->filePath(QStringLiteral("glovebox.sqlite")));
        if (!database.open()) {
            qFatal("no database");
        }
        Result<QSqlQuery> row = execute(database,
                                        QStringLiteral("SELECT out_offset, out_length, err_offset, "
                                                       "err_length FROM command WHERE id = ?"),
                                        {record.id});
        if (!row || !row->next()) {
            qFatal("no row");
        }
        record.outOffset = row->value(0).toLongLong();
        record.outLength = row->value(1).toLongLong();
        record.errOffset = row->value(2).toLongLong();
        record.errLength = row->value(3).toLongLong();
    }
    QSqlDatabase::removeDatabase(name);
    return record;
}

void RunLogTest::linesAreRedacted()
{
    VERIFY_RESULT(m_log->line(QStringLiteral("the key is ") + QString::fromUtf8(key)));
    QCOMPARE(contents(QStringLiteral("run.log")), QByteArray("the key is [redacted:MY_KEY]\n"));
    QCOMPARE(QFile::permissions(m_run->logFile()) & (QFile::ReadGroup | QFile::ReadOther),
             QFile::Permissions());
}

void RunLogTest::secretOverChunks()
{
    const QByteArray text = "before " + key + " after\n";
    for (qsizetype cut = 1; cut < text.size(); ++cut) {
        init();
        const auto log = open(m_record);
        VERIFY_RESULT(await(log->write(chunk(0, text.left(cut)), {})));
        VERIFY_RESULT(await(log->write(chunk(cut, text.mid(cut)), {})));
        VERIFY_RESULT(log->finish());
        const QByteArray clean = "before [redacted:MY_KEY] after\n";
        QCOMPARE(contents(m_record.log), clean);
        QCOMPARE(contents(QStringLiteral("run.log")), clean);
        QCOMPARE(log->received(Stream::Output), text.size());
    }
}

void RunLogTest::secretCutByAGap()
{
    const auto log = open(m_record);
    VERIFY_RESULT(await(log->write(chunk(0, "x " + key.left(20)), {})));
    VERIFY_RESULT(await(log->write(chunk(500, " end\n"), {})));
    VERIFY_RESULT(log->finish());
    QVERIFY2(!contents(m_record.log).contains(key.left(12)), contents(m_record.log).constData());
    QVERIFY(!contents(QStringLiteral("run.log")).contains(key.left(12)));
    QVERIFY(contents(m_record.log).endsWith(" end\n"));
}

void RunLogTest::gapIsSaid()
{
    const auto log = open(m_record);
    VERIFY_RESULT(await(log->write(chunk(0, "head\n"), {})));
    VERIFY_RESULT(await(log->write(chunk(1005, "tail\n"), {})));
    VERIFY_RESULT(log->finish());
    QVERIFY2(contents(m_record.log).contains("1000 bytes were not kept"),
             contents(m_record.log).constData());
    QCOMPARE(stored().outOffset, 1010);
}

void RunLogTest::streamsApart()
{
    const auto log = open(m_record);
    VERIFY_RESULT(await(log->write(chunk(0, "out\n"), {})));
    VERIFY_RESULT(await(log->write(chunk(0, "err\n", Stream::Error), {})));
    VERIFY_RESULT(log->finish());
    QCOMPARE(contents(m_record.log), QByteArray("out\n"));
    QCOMPARE(readFile(log->errorFile()).value_or(""), QByteArray("err\n"));
    QCOMPARE(contents(QStringLiteral("run.log")), QByteArray("out\nerr\n"));
    init();
    const auto quiet = open(m_record);
    VERIFY_RESULT(quiet->finish());
    QVERIFY(QFile::exists(quiet->outputFile()));
    QVERIFY(!QFile::exists(quiet->errorFile())); // an empty one is no file
}

void RunLogTest::rejoinGoesOnFromWhatIsStored()
{
    const QByteArray text = "one\ntwo " + key + " three\n";
    {
        const auto log = open(m_record);
        VERIFY_RESULT(await(log->write(chunk(0, text.left(18)), {})));
        // It dies here: no finish(). What came later is ahead of what was stored.
        QFile file(log->outputFile());
        QVERIFY(file.open(QIODevice::Append));
        file.write("written, but never stored");
    }
    const CommandRecord record = stored();
    QVERIFY(record.outOffset < 18); // the redactor held some of it back
    const auto log = open(record);
    QCOMPARE(log->received(Stream::Output), record.outOffset);
    VERIFY_RESULT(await(log->write(chunk(record.outOffset, text.mid(record.outOffset)), {})));
    VERIFY_RESULT(log->finish());
    QCOMPARE(contents(m_record.log), QByteArray("one\ntwo [redacted:MY_KEY] three\n"));
    QCOMPARE(stored().outOffset, text.size());
    QCOMPARE(stored().outLength, contents(m_record.log).size());
}

void RunLogTest::agentsOutputBecomesEvents()
{
    Agent agent;
    agent.transcript = QStringLiteral("claude-stream-json");
    agent.endDone = QJsonObject{{QStringLiteral("type"), QStringLiteral("result")}};
    m_transcript = makeTranscriptParser(agent);
    const QByteArray text =
        R"({"type":"assistant","message":{"content":[{"type":"text","text":"key )" + key +
        R"("}]}})"
        "\n"
        R"({"type":"result","is_error":false,"result":"done"})"; // no last line end
    const auto log = open(m_record);
    QSignalSpy changed(m_run.get(), &Run::eventsChanged);
    VERIFY_RESULT(await(log->write(chunk(0, text), {})));
    VERIFY_RESULT(await(log->write(chunk(0, "warned\n", Stream::Error), {})));
    VERIFY_RESULT(log->finish());
    QCOMPARE(m_run->events().first().object, QStringLiteral("key [redacted:MY_KEY]"));
    QVERIFY(m_run->summary().end == AgentSummary::End::Done);
    QVERIFY(changed.size() >= 1);
    const QByteArray shown = contents(QStringLiteral("run.log"));
    QVERIFY2(shown.startsWith("Says: key [redacted:MY_KEY]\n"), shown.constData());
    QVERIFY(shown.contains("warned\n"));
    QVERIFY(!shown.contains("assistant")); // never raw
    QVERIFY(contents(m_record.log).contains("assistant"));
}

void RunLogTest::eventLines_data()
{
    QTest::addColumn<AgentEvent::Kind>("kind");
    QTest::addColumn<QString>("line");
    using Kind = AgentEvent::Kind;
    QTest::newRow("says") << Kind::Says << QStringLiteral("Says: a b (exit 1)");
    QTest::newRow("thinks") << Kind::Thinks << QStringLiteral("Thinks: a b (exit 1)");
    QTest::newRow("reads") << Kind::Reads << QStringLiteral("Reads: a b (exit 1)");
    QTest::newRow("searches") << Kind::Searches << QStringLiteral("Searches: a b (exit 1)");
    QTest::newRow("edits") << Kind::Edits << QStringLiteral("Edits: a b (exit 1)");
    QTest::newRow("runs") << Kind::Runs << QStringLiteral("Runs: a b (exit 1)");
    QTest::newRow("refused") << Kind::Refused << QStringLiteral("Refused: a b (exit 1)");
    QTest::newRow("notice") << Kind::Notice << QStringLiteral("Notice: a b (exit 1)");
    QTest::newRow("result") << Kind::Result << QStringLiteral("Result: a b (exit 1)");
}

void RunLogTest::eventLines()
{
    QFETCH(AgentEvent::Kind, kind);
    QFETCH(QString, line);
    AgentEvent event;
    event.kind = kind;
    event.object = QStringLiteral("a\nb");
    event.measure = QStringLiteral("exit 1");
    QCOMPARE(eventLine(event), line);
    event.object = QString(5000, QLatin1Char('x'));
    QVERIFY(eventLine(event).size() < 500);
}

void RunLogTest::unwritableFolder()
{
    const auto nowhere =
        std::make_shared<Run>(m_run->plan(), m_folder->filePath(QStringLiteral("no/folder")));
    RunLog log(nowhere, m_forms);
    const Result<void> opened = log.open();
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::FileError);
    CommandLog command(CommandLog::Parts{nowhere, m_log, m_store.get(), m_forms, nullptr},
                       m_record);
    QVERIFY(!command.open());
}

void RunLogTest::growthIsSaidOnceInAWhile()
{
    QSignalSpy grew(m_run.get(), &Run::logGrew);
    for (int i = 0; i < 100; ++i) {
        VERIFY_RESULT(m_log->line(QStringLiteral("line")));
    }
    QCOMPARE(grew.size(), 0);
    QTRY_COMPARE(grew.size(), 1);
    QCOMPARE(grew.first().first().toLongLong(), 500);
    QCOMPARE(m_run->logSize(), 500);
}

void RunLogTest::eventsWithAnIdAreUpdated()
{
    QSignalSpy changed(m_run.get(), &Run::eventsChanged);
    AgentEvent call;
    call.id = QStringLiteral("t1");
    call.object = QStringLiteral("npm test");
    AgentEvent other;
    other.object = QStringLiteral("other");
    m_run->addEvents({call, other});
    call.measure = QStringLiteral("exit 1");
    m_run->addEvents({other, call});
    m_run->addEvents({});
    QCOMPARE(m_run->events().size(), 3);
    QCOMPARE(m_run->events().first().measure, QStringLiteral("exit 1"));
    QCOMPARE(changed.size(), 2);
    QCOMPARE(changed.at(0).first().toInt(), 0);
    QCOMPARE(changed.at(1).first().toInt(), 0); // the first row was updated
}

void RunLogTest::eventsAreLimited()
{
    m_run->addEvents(QList<AgentEvent>(30'000));
    QCOMPARE(m_run->events().size(), 20'000);
}

void RunLogTest::warningsAreSaidOnce()
{
    QSignalSpy changed(m_run.get(), &Run::changed);
    m_run->addWarning(QStringLiteral("a"));
    m_run->addWarning(QStringLiteral("a"));
    QCOMPARE(m_run->warnings(), QStringList{QStringLiteral("a")});
    QCOMPARE(changed.size(), 1);
}

QTEST_GUILESS_MAIN(RunLogTest)
#include "tst_runlog.moc"
