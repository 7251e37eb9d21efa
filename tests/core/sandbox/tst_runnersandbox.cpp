// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/sandbox/runnersandbox.h"
#include "tests/core/sandbox/shells.h"
#include "tests/fakes/folderchannel.h"
#include "tests/fakes/textsink.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

using namespace Glovebox;
using namespace Glovebox::Testing;
using End = CommandResult::End;

namespace {

/// A folder that is a sandbox, under one of the shells.
struct Box
{
    explicit Box(const QString &tools)
        : channel(std::make_shared<FolderChannel>(root.path(), tools))
    {
        QDir(root.path()).mkdir(QStringLiteral("b"));
        QDir(root.path()).mkdir(QStringLiteral("w"));
        sandbox = open();
    }
    ~Box() { endProcessesOfFolder(root.path()); }

    std::shared_ptr<RunnerSandbox> open() const
    {
        RunnerPace pace;
        pace.retries = RetryPlan::atOnce(5);
        return std::make_shared<RunnerSandbox>(
            SandboxId{QStringLiteral("folder"), root.path()}, channel,
            RunnerFolders{root.filePath(QStringLiteral("b")), root.filePath(QStringLiteral("w"))},
            QStringList(), pace);
    }

    Command shell(const QString &line) const
    {
        Command command;
        command.argv = {QStringLiteral("sh"), QStringLiteral("-c"), line};
        command.directory = root.filePath(QStringLiteral("w"));
        command.limit = std::chrono::seconds(60);
        return command;
    }

    Result<CommandResult> run(const Command &command)
    {
        sink = std::make_shared<TextSink>();
        id = CommandId{newId()};
        return await(runCommand(sandbox, id, command, sink, {}));
    }

    QTemporaryDir root;
    std::shared_ptr<FolderChannel> channel;
    std::shared_ptr<RunnerSandbox> sandbox;
    std::shared_ptr<TextSink> sink;
    CommandId id;
};

/// Counts how often a beating process wrote to its file, for half a second.
bool beats(const QString &file)
{
    const qint64 before = QFileInfo(file).size();
    QTest::qWait(500);
    return QFileInfo(file).size() != before;
}

} // namespace

class RunnerSandboxTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void commands_data() { m_shells.addRows(); }
    void commands();
    void exitCodes_data() { m_shells.addRows(); }
    void exitCodes();
    void environment_data() { m_shells.addRows(); }
    void environment();
    void limits_data() { m_shells.addRows(); }
    void limits();
    void endsTrees_data() { m_shells.addRows(); }
    void endsTrees();
    void caps_data() { m_shells.addRows(); }
    void caps();
    void leftBehind_data() { m_shells.addRows(); }
    void leftBehind();
    void files_data() { m_shells.addRows(); }
    void files();
    void twentyAtOnce_data() { m_shells.addRows(); }
    void twentyAtOnce();
    void rejoins();
    void startsOnce();
    void unknownAndLost();
    void refusesBadIds();
    void endsAll();
    void millionLines();
    void leavesNoSecret();
    void sinkErrorsEndTheWait();

private:
    Shells m_shells;
};

void RunnerSandboxTest::commands()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    QVERIFY2(box.sandbox->runnerInfo().contains(tools), qPrintable(box.sandbox->runnerInfo()));

    Command command = box.shell(QStringLiteral("pwd; cat; echo wrong >&2; exit 7"));
    command.standardInput = QByteArray("\0\xff in", 5);
    Result<CommandResult> result = box.run(command);
    VERIFY_RESULT(result);
    QVERIFY(result->end == End::Exited);
    QCOMPARE(result->exitCode, 7);
    QCOMPARE(box.sink->output, command.directory.toUtf8() + '\n' + command.standardInput);
    QCOMPARE(box.sink->error, QByteArray("wrong\n"));
    QCOMPARE(result->outputBytes, box.sink->output.size());
    QCOMPARE(result->errorBytes, 6);
    QVERIFY(!result->outputOpen);

    command = box.shell(QStringLiteral("echo 1; echo 2 >&2; echo 3; echo 4 >&2"));
    command.streams = Streams::Merged;
    VERIFY_RESULT(box.run(command));
    QCOMPARE(box.sink->output, QByteArray("1\n2\n3\n4\n"));
    QVERIFY(box.sink->error.isEmpty());

    command.argv = {QStringLiteral("printf"),      QStringLiteral("[%s]"),
                    QStringLiteral("a b"),         QString(),
                    QStringLiteral("*'\"$HOME\n"), QStringLiteral("中")};
    VERIFY_RESULT(box.run(command));
    QCOMPARE(box.sink->output, QByteArray("[a b][][*'\"$HOME\n][中]"));
}

void RunnerSandboxTest::exitCodes()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const QList<std::pair<QString, int>> cases{{QStringLiteral("exit 0"), 0},
                                               {QStringLiteral("exit 255"), 255},
                                               {QStringLiteral("no-such-program"), 127},
                                               {QStringLiteral("/etc"), 126},
                                               {QStringLiteral("kill -9 $$"), 137}};
    for (const auto &[line, code] : cases) {
        const Result<CommandResult> result = box.run(box.shell(line));
        VERIFY_RESULT(result);
        QVERIFY(result->end == End::Exited);
        QCOMPARE(result->exitCode, code);
    }
    Command command = box.shell(QString());
    command.argv = {QStringLiteral("/no/such/program")};
    QCOMPARE(box.run(command)->exitCode, 127);
    command.argv = {QStringLiteral("/etc/passwd")};
    QCOMPARE(box.run(command)->exitCode, 126);
    command = box.shell(QStringLiteral("echo never"));
    command.directory = QStringLiteral("/no/such/folder");
    const Result<CommandResult> result = box.run(command);
    VERIFY_RESULT(result);
    QVERIFY(result->end == End::NotStarted);
    QVERIFY(box.sink->output.isEmpty());
}

void RunnerSandboxTest::environment()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const QList<std::pair<QString, QByteArray>> given{
        {QStringLiteral("A"), "it's \"$HOME\" `id` \\"},
        {QStringLiteral("B"), "two\nlines\n"},
        {QStringLiteral("line"), "x"},
        {QStringLiteral("me"), "y"},
        {QStringLiteral("state"), "z"},
        {QStringLiteral("OLDPWD"), "/old"},
        {QStringLiteral("PATH"), "/usr/bin:/bin"}};
    Command command = box.shell(QString());
    command.argv = {QStringLiteral("cat"), QStringLiteral("/proc/self/environ")};
    for (const auto &[name, value] : given) {
        command.environment.append({name, Secret(value)});
    }
    VERIFY_RESULT(box.run(command));
    QMap<QString, QByteArray> seen;
    for (const QByteArray &entry : box.sink->output.split('\0')) {
        const qsizetype equals = entry.indexOf('=');
        if (equals > 0) {
            seen.insert(QString::fromLatin1(entry.left(equals)), entry.mid(equals + 1));
        }
    }
    for (const auto &[name, value] : given) {
        QCOMPARE(seen.take(name), value);
    }
    QCOMPARE(seen.take(QStringLiteral("HOME")), box.root.path().toUtf8());
    QVERIFY(seen.take(QStringLiteral("GLOVEBOX_JOB")).endsWith(box.id.value.toLatin1()));
    for (const char *own : {"USER", "PWD", "SHLVL", "SHELL", "_"}) {
        seen.remove(QString::fromLatin1(own));
    }
    QVERIFY2(seen.isEmpty(), qPrintable(seen.keys().join(u' ')));
}

void RunnerSandboxTest::limits()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const QString beat = box.root.filePath(QStringLiteral("w/beat"));
    Command command =
        box.shell(QStringLiteral("(trap '' TERM; while :; do echo x >>beat; sleep 0.1;"
                                 " done) & sleep 600"));
    command.limit = std::chrono::seconds(1);
    QElapsedTimer timer;
    timer.start();
    Result<CommandResult> result = box.run(command);
    VERIFY_RESULT(result);
    QVERIFY(result->end == End::TimedOut);
    QVERIFY2(timer.elapsed() < atMost(10'000), qPrintable(QString::number(timer.elapsed())));
    QVERIFY(QFileInfo(beat).size() > 0);
    QVERIFY(!beats(beat));

    // A limit that is shortened, and one that is lengthened, while it runs.
    const CommandId id{newId()};
    command.limit = std::chrono::seconds(600);
    command.argv = {QStringLiteral("sleep"), QStringLiteral("600")};
    VERIFY_RESULT(await(box.sandbox->start(id, command, {})));
    VERIFY_RESULT(await(box.sandbox->setLimit(id, std::chrono::seconds(1), {})));
    result = await(box.sandbox->wait(id, std::make_shared<TextSink>(), {}));
    VERIFY_RESULT(result);
    QVERIFY(result->end == End::TimedOut);
    const CommandId other{newId()};
    command.limit = std::chrono::seconds(1);
    command.argv = {QStringLiteral("sleep"), QStringLiteral("2")};
    VERIFY_RESULT(await(box.sandbox->start(other, command, {})));
    VERIFY_RESULT(await(box.sandbox->setLimit(other, std::chrono::seconds(60), {})));
    result = await(box.sandbox->wait(other, std::make_shared<TextSink>(), {}));
    VERIFY_RESULT(result);
    QVERIFY(result->end == End::Exited);
    QCOMPARE(await(box.sandbox->setLimit({newId()}, std::chrono::seconds(1), {})).error().code,
             ErrorCode::NotFound);
}

void RunnerSandboxTest::endsTrees()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const QString beat = QStringLiteral("while :; do echo x >>beat; sleep 0.1; done");
    const QList<QString> trees{
        beat + QStringLiteral(" & wait"),
        QStringLiteral("(sh -c '%1' &) & sleep 600").arg(beat),
        QStringLiteral("setsid sh -c '%1' & sleep 600").arg(beat),
        QStringLiteral("env -i /bin/sh -c 'PATH=/usr/bin:/bin; %1' & sleep 600").arg(beat),
        QStringLiteral("trap '' TERM; %1").arg(beat),
        QStringLiteral("sh -c '%1' & sleep 0.3; kill -STOP $!; sleep 600").arg(beat),
        QStringLiteral("trap 'sh -c \"trap : TERM; %1\" & wait' TERM; %1").arg(beat)};
    const QString file = box.root.filePath(QStringLiteral("w/beat"));
    for (const QString &tree : trees) {
        QFile::remove(file);
        const CommandId id{newId()};
        VERIFY_RESULT(await(box.sandbox->start(id, box.shell(tree), {})));
        QTRY_VERIFY(QFileInfo(file).size() > 2);
        const Result<int> left = await(box.sandbox->end(id, std::chrono::seconds(1), {}));
        VERIFY_RESULT(left);
        QCOMPARE(*left, 0);
        const Result<CommandResult> result =
            await(box.sandbox->wait(id, std::make_shared<TextSink>(), {}));
        VERIFY_RESULT(result);
        QVERIFY(result->end == End::Killed);
        QVERIFY2(!beats(file), qPrintable(tree));
    }
}

void RunnerSandboxTest::caps()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    Command command = box.shell(QStringLiteral("head -c 20000000 /dev/zero; printf 'last words'"));
    command.outputLimit = 1'000'000;
    const Result<CommandResult> result = box.run(command);
    VERIFY_RESULT(result);
    QCOMPARE(result->outputBytes, 20'000'010);
    QCOMPARE(result->notKept, 20'000'010 - box.sink->output.size());
    QVERIFY(box.sink->output.size() >= 1'000'000 && box.sink->output.size() < 1'200'000);
    QVERIFY(box.sink->output.endsWith(QByteArray("\0last words", 11)));
    QCOMPARE(box.sink->gaps.size(), 1);
    QCOMPARE(box.sink->gaps.front().until, 20'000'010 - 65'536);
    QCOMPARE(box.sink->gaps.front().until - box.sink->gaps.front().from, result->notKept);

    command.outputLimit = 0; // only the tail
    VERIFY_RESULT(box.run(command));
    QCOMPARE(box.sink->output.size(), 65'536);
}

void RunnerSandboxTest::leftBehind()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const Result<CommandResult> result =
        box.run(box.shell(QStringLiteral("echo done; setsid sleep 600 & exit 3")));
    VERIFY_RESULT(result);
    QCOMPARE(result->exitCode, 3);
    QVERIFY(result->outputOpen);
    QCOMPARE(box.sink->output, QByteArray("done\n"));
    QCOMPARE(await(box.sandbox->end(box.id, std::chrono::seconds(1), {})).value_or(-1), 0);
    // It ended by itself: ending what it left does not change that.
    QVERIFY(await(box.sandbox->wait(box.id, box.sink, {}))->end == End::Exited);
}

void RunnerSandboxTest::files()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const QString odd = box.root.filePath(QStringLiteral("w/a b/'\"\n 中/-x;$(id)*\n"));
    VERIFY_RESULT(await(box.sandbox->upload({odd, QByteArray("text\0x", 6), true}, {})));
    QCOMPARE(*readFile(odd), QByteArray("text\0x", 6));
    QVERIFY(QFileInfo(odd).isExecutable());
    VERIFY_RESULT(await(box.sandbox->upload({odd, QByteArray(), false}, {})));
    QCOMPARE(QFileInfo(odd).size(), 0);
    QVERIFY(!QFileInfo(odd).isExecutable());
    const QString folder = box.root.filePath(QStringLiteral("w/a b"));
    QCOMPARE(await(box.sandbox->upload({folder, QByteArray("x"), false}, {})).error().code,
             ErrorCode::AlreadyExists);

    const QString target = box.root.filePath(QStringLiteral("got"));
    VERIFY_RESULT(await(box.sandbox->upload({odd, QByteArray(100'000, 'y'), false}, {})));
    const Result<QByteArray> digest = await(box.sandbox->download(odd, {target}, 100'000, {}));
    VERIFY_RESULT(digest);
    QCOMPARE(*digest, sha256(QByteArray(100'000, 'y')));
    QCOMPARE(*sha256OfFile(target), *digest);
    QCOMPARE(await(box.sandbox->download(odd, {target}, 100'000, {})).error().code,
             ErrorCode::AlreadyExists);
    QFile::remove(target);
    QCOMPARE(await(box.sandbox->download(odd, {target}, 99'999, {})).error().code,
             ErrorCode::TooLarge);
    QFile::link(odd, folder + QStringLiteral("/link"));
    const QList<std::pair<QString, ErrorCode>> refused{
        {folder + QStringLiteral("/link"), ErrorCode::Forbidden},
        {folder, ErrorCode::Forbidden},
        {QStringLiteral("/dev/zero"), ErrorCode::Forbidden},
        {folder + QStringLiteral("/missing"), ErrorCode::NotFound}};
    for (const auto &[path, code] : refused) {
        QCOMPARE(await(box.sandbox->download(path, {target}, 1000, {})).error().code, code);
        QVERIFY(!QFile::exists(target));
    }
    const QStringList sides = QDir(box.root.filePath(QStringLiteral("b")))
                                  .entryList({QStringLiteral("s*")}, QDir::Files | QDir::Hidden);
    QVERIFY2(sides.isEmpty(), qPrintable(sides.join(u' ')));
}

void RunnerSandboxTest::twentyAtOnce()
{
    QFETCH(QString, tools);
    Box box(tools);
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    std::vector<QCoro::Task<Result<CommandResult>>> tasks;
    std::vector<std::shared_ptr<TextSink>> sinks;
    for (int i = 0; i < 20; ++i) {
        sinks.push_back(std::make_shared<TextSink>());
        const QString line = QStringLiteral("echo %1; sleep 0.2; exit %1").arg(i);
        tasks.push_back(runCommand(box.sandbox, {newId()}, box.shell(line), sinks.back(), {}));
    }
    for (int i = 0; i < 20; ++i) {
        const Result<CommandResult> result = await(std::move(tasks.at(static_cast<size_t>(i))));
        VERIFY_RESULT(result);
        QCOMPARE(result->exitCode, i);
        QCOMPARE(sinks.at(static_cast<size_t>(i))->output, QByteArray::number(i) + '\n');
    }
}

void RunnerSandboxTest::rejoins()
{
    Box box{QString()};
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const CommandId id{newId()};
    VERIFY_RESULT(await(box.sandbox->start(
        id, box.shell(QStringLiteral("seq 300000; sleep 0.5; seq 300000")), {})));
    QByteArray stored;
    Result<CommandResult> result = fail(cancelledError());
    for (int i = 0; i < 50 && !result; ++i) {
        const auto sink = std::make_shared<TextSink>();
        sink->resume(stored); // as a new process would: by id and stored offsets
        const auto sandbox = box.open();
        VERIFY_RESULT(await(sandbox->rejoin({})));
        std::stop_source source;
        const qint64 cut = stored.size() + QRandomGenerator::global()->bounded(1, 200'000);
        sink->onWrite = [&sink, &source, cut] {
            if (sink->output.size() >= cut) {
                source.request_stop();
            }
        };
        result = await(sandbox->wait(id, sink, source.get_token()));
        QVERIFY(result || result.error().code == ErrorCode::Cancelled);
        stored = sink->output;
    }
    VERIFY_RESULT(result);
    const QByteArray once = run(QStringLiteral("seq"), {QStringLiteral("300000")});
    QCOMPARE(stored.size(), 2 * once.size());
    QCOMPARE(sha256(stored), sha256(once + once));
}

void RunnerSandboxTest::startsOnce()
{
    Box box{QString()};
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const CommandId id{newId()};
    const Command command = box.shell(QStringLiteral("echo x >>ran"));
    std::vector<QCoro::Task<Result<void>>> starts;
    for (int i = 0; i < 8; ++i) {
        starts.push_back(box.sandbox->start(id, command, {}));
    }
    for (auto &start : starts) {
        VERIFY_RESULT(await(std::move(start)));
    }
    VERIFY_RESULT(await(box.sandbox->wait(id, std::make_shared<TextSink>(), {})));
    VERIFY_RESULT(await(box.sandbox->start(id, command, {})));
    VERIFY_RESULT(await(box.sandbox->wait(id, std::make_shared<TextSink>(), {})));
    QCOMPARE(*readFile(box.root.filePath(QStringLiteral("w/ran"))), QByteArray("x\n"));
}

void RunnerSandboxTest::unknownAndLost()
{
    Box box{QString()};
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const auto sink = std::make_shared<TextSink>();
    QCOMPARE(await(box.sandbox->wait({newId()}, sink, {})).error().code, ErrorCode::NotFound);
    QCOMPARE(await(box.sandbox->end({newId()}, std::chrono::seconds(1), {})).value_or(-1), 0);

    const CommandId id{newId()};
    VERIFY_RESULT(await(box.sandbox->start(id, box.shell(QStringLiteral("sleep 600")), {})));
    const QByteArray supervisor =
        *readFile(box.root.filePath(QStringLiteral("b/") + id.value + QStringLiteral("/sup")));
    run(QStringLiteral("kill"),
        {QStringLiteral("-9"), QString::fromLatin1(supervisor.split(' ').front())});
    const Result<CommandResult> result = await(box.sandbox->wait(id, sink, {}));
    VERIFY_RESULT(result);
    QVERIFY(result->end == End::Lost);
    QCOMPARE(result->exitCode, -1);
}

void RunnerSandboxTest::refusesBadIds()
{
    Box box{QString()};
    const auto sink = std::make_shared<TextSink>();
    for (const QString &bad : {QString(), QStringLiteral("../../../../../../tmp/aaaaa")}) {
        QCOMPARE(await(box.sandbox->start({bad}, box.shell(QString()), {})).error().code,
                 ErrorCode::InvalidRequest);
        QCOMPARE(await(box.sandbox->wait({bad}, sink, {})).error().code, ErrorCode::InvalidRequest);
        QCOMPARE(await(box.sandbox->end({bad}, std::chrono::seconds(1), {})).error().code,
                 ErrorCode::InvalidRequest);
    }
    QCOMPARE(await(box.sandbox->setDeadline(QDateTime(), {})).error().code,
             ErrorCode::NotSupported);
}

void RunnerSandboxTest::endsAll()
{
    Box box{QString()};
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const QString before = box.sandbox->runnerInfo();
    const Result<CommandResult> result = box.run(box.shell(QStringLiteral(
        "setsid env -i /bin/sh -c 'PATH=/usr/bin:/bin; while :; do echo x >>beat; sleep 0.1; done'"
        " >/dev/null 2>&1 & sleep 0.3")));
    VERIFY_RESULT(result);
    const QString beat = box.root.filePath(QStringLiteral("w/beat"));
    QVERIFY(beats(beat));
    QCOMPARE(await(box.sandbox->endAll(EndScope::Everything, {})).value_or(-1), 0);
    QVERIFY(!beats(beat));
    QCOMPARE(box.sandbox->runnerInfo(), before);
    QCOMPARE(box.run(box.shell(QStringLiteral("exit 5")))->exitCode, 5);
    const QStringList runners =
        QDir(box.root.filePath(QStringLiteral("b"))).entryList({QStringLiteral("r*")}, QDir::Files);
    QVERIFY(runners.size() >= 2); // put anew under another name
}

void RunnerSandboxTest::millionLines()
{
    Box box{QString()};
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const Result<CommandResult> result = box.run(box.shell(QStringLiteral("seq 1000000")));
    VERIFY_RESULT(result);
    QCOMPARE(result->outputBytes, 6'888'896);
    QCOMPARE(box.sink->output.count('\n'), 1'000'000);
}

void RunnerSandboxTest::leavesNoSecret()
{
    Box box{QString()};
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    Command command = box.shell(QStringLiteral("sleep 0.5"));
    command.environment = {{QStringLiteral("KEY"), Secret("secret-of-this-test")}};
    command.standardInput = "secret-of-this-test";
    const CommandId id{newId()};
    VERIFY_RESULT(await(box.sandbox->start(id, command, {})));
    // Gone before the command runs; also when it is started again.
    const QStringList search{
        QStringLiteral("-c"),
        QStringLiteral("grep -rl secret-of-this-test %1 || true").arg(box.root.path())};
    QTRY_VERIFY(QFile::exists(box.root.filePath(QStringLiteral("b/%1/started").arg(id.value))));
    QCOMPARE(run(QStringLiteral("sh"), search), QByteArray());
    VERIFY_RESULT(await(box.sandbox->start(id, command, {})));
    QCOMPARE(run(QStringLiteral("sh"), search), QByteArray());
    VERIFY_RESULT(await(box.sandbox->wait(id, std::make_shared<TextSink>(), {})));
}

void RunnerSandboxTest::sinkErrorsEndTheWait()
{
    class FullDisk final : public OutputSink
    {
    public:
        qint64 received(Stream) const override { return 0; }
        QCoro::Task<Result<void>> write(OutputChunk, std::stop_token) override
        {
            ++calls;
            co_return fail(ErrorCode::DiskFull, QStringLiteral("full"));
        }
        int calls = 0;
    };
    Box box{QString()};
    VERIFY_RESULT(await(box.sandbox->prepare({})));
    const auto sink = std::make_shared<FullDisk>();
    const auto result =
        await(runCommand(box.sandbox, {newId()}, box.shell(QStringLiteral("echo x")), sink, {}));
    QCOMPARE(result.error().code, ErrorCode::DiskFull);
    QCOMPARE(sink->calls, 1);
}

QTEST_GUILESS_MAIN(RunnerSandboxTest)
#include "tst_runnersandbox.moc"
