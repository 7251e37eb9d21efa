// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/providers/contract/contractcases.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

namespace Glovebox::Testing {

namespace {

using End = CommandResult::End;

/// Writes its number to beat.pids, then a line to beat ten times a second.
const QString beating =
    QStringLiteral("echo $$ >>beat.pids; while :; do echo x >>beat; sleep 0.1; done");

QString exitCodes(CaseContext &context)
{
    MAKE_SANDBOX(context);
    for (const int code : {0, 1, 7, 137, 255}) {
        const auto result = context.run(context.shell(QStringLiteral("exit %1").arg(code)));
        EXPECT_RESULT(result);
        EXPECT(result->end == End::Exited && result->exitCode == code, "an exit code is wrong");
    }
    Command command = context.shell(QString());
    for (const auto &[program, code] :
         {std::pair(QStringLiteral("/no/such/program"), 127), {QStringLiteral("/etc"), 126}}) {
        command.argv = {program};
        const auto result = context.run(command);
        EXPECT_RESULT(result);
        EXPECT(result->exitCode == code, "126 or 127 is wrong");
    }
    return {};
}

QString streamsApart(CaseContext &context)
{
    MAKE_SANDBOX(context);
    Command command =
        context.shell(QStringLiteral("for i in 1 2 3; do echo o$i; echo e$i >&2; done"));
    EXPECT_RESULT(context.run(command));
    EXPECT(context.sink->output == "o1\no2\no3\n" && context.sink->error == "e1\ne2\ne3\n",
           "the streams are not apart");
    command.streams = Streams::Merged;
    EXPECT_RESULT(context.run(command));
    EXPECT(context.sink->output == "o1\ne1\no2\ne2\no3\ne3\n" && context.sink->error.isEmpty(),
           "the merged order is not kept");
    return {};
}

QString bytesExact(CaseContext &context)
{
    MAKE_SANDBOX(context);
    QByteArray bytes;
    for (int i = 0; i < 256; ++i) {
        bytes += static_cast<char>(i);
    }
    bytes += "no last line end \xe4\xb8"; // a character that is cut
    const QString path = context.sandbox->workFolder() + QStringLiteral("/bytes");
    EXPECT_RESULT(await(context.sandbox->upload({path, bytes, false}, {})));
    EXPECT_RESULT(context.run(context.shell(QStringLiteral("cat bytes"))));
    EXPECT(context.sink->output == bytes, "bytes have changed");
    return {};
}

QString environmentExact(CaseContext &context)
{
    MAKE_SANDBOX(context);
    Command command = context.shell(QString());
    command.argv = {QStringLiteral("env")};
    const QList<std::pair<QString, QByteArray>> given{
        {QStringLiteral("GB_QUOTES"), "it's \"$HOME\" `id` \\ *"},
        {QStringLiteral("GB_LINES"), "two\n  lines"},
        {QStringLiteral("GB_EMPTY"), ""}};
    for (const auto &[name, value] : given) {
        command.environment.append({name, Secret(value)});
    }
    EXPECT_RESULT(context.run(command));
    QByteArray seen = '\n' + context.sink->output;
    for (const auto &[name, value] : given) {
        const QByteArray entry = '\n' + name.toLatin1() + '=' + value + '\n';
        EXPECT(seen.contains(entry), "a value is missing or has changed");
        seen.replace(entry, "\n");
    }
    QStringList known{
        QStringLiteral("PATH"),    QStringLiteral("HOME"),  QStringLiteral("USER"),
        QStringLiteral("LOGNAME"), QStringLiteral("SHELL"), QStringLiteral("GLOVEBOX_JOB"),
        QStringLiteral("PWD"),     QStringLiteral("SHLVL"), QStringLiteral("_")};
    known += context.provider->info().keptNames;
    for (const QByteArray &line : seen.trimmed().split('\n')) {
        if (!known.contains(QString::fromUtf8(line.left(line.indexOf('='))))) {
            return QStringLiteral("a variable leaked in: ") + QString::fromUtf8(line.left(40));
        }
    }
    return {};
}

QString directory(CaseContext &context)
{
    MAKE_SANDBOX(context);
    Command command = context.shell(QStringLiteral("mkdir -p 'a b'; pwd -P"));
    EXPECT_RESULT(context.run(command));
    command = context.shell(QStringLiteral("pwd"));
    command.directory += QStringLiteral("/a b");
    EXPECT_RESULT(context.run(command));
    EXPECT(context.sink->output.endsWith("/a b\n"), "the command ran in another folder");
    command.directory += QStringLiteral("/missing");
    const auto result = context.run(command);
    EXPECT_RESULT(result);
    EXPECT(result->end == End::NotStarted, "a missing folder was not noticed");
    return {};
}

QString standardInput(CaseContext &context)
{
    MAKE_SANDBOX(context);
    Command command = context.shell(QStringLiteral("wc -c; sleep 0"));
    EXPECT_RESULT(context.run(command));
    EXPECT(context.sink->output.trimmed() == "0", "no input is not the end of file");
    command.argv = {QStringLiteral("sha256sum")};
    command.standardInput.resize(5'000'000);
    QRandomGenerator random(1);
    random.fillRange(reinterpret_cast<quint32 *>(command.standardInput.data()), 1'250'000);
    EXPECT_RESULT(context.run(command));
    EXPECT(context.sink->output.left(64) == sha256(command.standardInput), "the input has changed");
    return {};
}

QString startTwice(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const CommandId id{newId()};
    const Command command = context.shell(QStringLiteral("echo x >>ran"));
    for (int i = 0; i < 2; ++i) {
        EXPECT_RESULT(await(context.sandbox->start(id, command, {})));
        EXPECT_RESULT(await(context.sandbox->wait(id, std::make_shared<TextSink>(), {})));
    }
    EXPECT_RESULT(context.run(context.shell(QStringLiteral("cat ran"))));
    EXPECT(context.sink->output == "x\n", "a repeated start ran it again");
    return {};
}

QString detached(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const CommandId id{newId()};
    EXPECT_RESULT(await(
        context.sandbox->start(id, context.shell(QStringLiteral("sleep 1; echo outlived")), {})));
    if (context.provider->info().capabilities.outlivesApp) {
        const SandboxId sandbox = context.sandbox->id();
        context.sandbox.reset(); // the last of whom the call belonged to
        const auto joined = await(context.provider->attach(sandbox, {}));
        EXPECT_RESULT(joined);
        context.sandbox = *joined;
    }
    const auto sink = std::make_shared<TextSink>();
    const auto result = await(context.sandbox->wait(id, sink, {}));
    EXPECT_RESULT(result);
    EXPECT(result->end == End::Exited && sink->output == "outlived\n", "it died with its call");
    return {};
}

QByteArray manyLines()
{
    QByteArray lines;
    for (int i = 1; i <= 200'000; ++i) {
        lines += QByteArray::number(i) + '\n';
    }
    return lines;
}

QString rejoin(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const CommandId id{newId()};
    EXPECT_RESULT(
        await(context.sandbox->start(id, context.shell(QStringLiteral("seq 200000")), {})));
    const QByteArray expected = manyLines();
    QRandomGenerator random(2);
    QList<qint64> cuts;
    for (int i = 0; i < 50; ++i) {
        cuts.append(random.bounded(static_cast<int>(expected.size())));
    }
    std::sort(cuts.begin(), cuts.end());
    const auto sink = std::make_shared<TextSink>();
    Result<CommandResult> result = fail(cancelledError());
    for (qsizetype i = 0; i <= cuts.size() && !result; ++i) {
        std::stop_source source;
        const qint64 cut = i < cuts.size() ? cuts.at(i) : expected.size() + 1;
        sink->onWrite = [&sink, &source, cut] {
            if (sink->output.size() >= cut) {
                source.request_stop();
            }
        };
        result = await(context.sandbox->wait(id, sink, source.get_token()));
        if (!result && result.error().code != ErrorCode::Cancelled) {
            return errorText(result.error());
        }
    }
    EXPECT_RESULT(result);
    EXPECT(sink->output == expected, "the text is not equal after many cuts");
    return {};
}

QString rejoinFromNewProcess(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const CommandId id{newId()};
    EXPECT_RESULT(await(context.sandbox->start(
        id, context.shell(QStringLiteral("seq 200000; sleep 1; echo end; exit 7")), {})));
    const std::shared_ptr<SandboxProvider> another = context.harness.makeProvider();
    const auto sandbox = await(another->attach(context.sandbox->id(), {}));
    EXPECT_RESULT(sandbox);
    const QByteArray expected = manyLines() + "end\n";
    const auto sink = std::make_shared<TextSink>();
    sink->resume(expected.left(123'457));
    const auto result = await((*sandbox)->wait(id, sink, {}));
    EXPECT_RESULT(result);
    EXPECT(sink->output == expected, "a new process reads other bytes");
    return {};
}

QString outputCap(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const qint64 size = largeBytes();
    Command command = context.shell(
        QStringLiteral("yes 0123456789abcde | head -c %1; printf 'last words'").arg(size));
    command.outputLimit = size / 25;
    const auto result = context.run(command);
    EXPECT_RESULT(result);
    const QByteArray &seen = context.sink->output;
    EXPECT(result->outputBytes == size + 10, "the total is wrong");
    EXPECT(seen.size() >= command.outputLimit && seen.size() < 2 * command.outputLimit + 262'144,
           "the cap was not kept");
    EXPECT(seen.startsWith("0123456789abcde\n") && seen.endsWith("last words"),
           "head or last words are missing");
    EXPECT(context.sink->gaps.size() == 1 && result->notKept == size + 10 - seen.size(),
           "the gap is wrong");
    return {};
}

qint64 residentKiB()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QByteArray text = status.readAll();
    return text.mid(text.indexOf("VmRSS:") + 6).trimmed().split(' ').front().toLongLong();
}

/// Counts and forgets, slowly: memory that grows is not this sink's.
class SlowSink final : public OutputSink
{
public:
    qint64 received(Stream stream) const override { return stream == Stream::Output ? m_bytes : 0; }
    QCoro::Task<Result<void>> write(OutputChunk chunk, std::stop_token stop) override
    {
        m_bytes = chunk.offset + chunk.bytes.size();
        most = qMax(most, residentKiB());
        Result<void> paused = co_await pause(std::chrono::milliseconds(1), stop);
        co_return paused;
    }
    qint64 most = 0;

private:
    qint64 m_bytes = 0;
};

QString slowSink(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const qint64 size = largeBytes() / 2;
    Command command =
        context.shell(QStringLiteral("yes 0123456789abcde | head -c %1; date +%s >end").arg(size));
    command.outputLimit = 2 * size;
    command.limit = std::chrono::seconds(300);
    const auto sink = std::make_shared<SlowSink>();
    const qint64 idle = residentKiB();
    const auto result = await(runCommand(context.sandbox, {newId()}, command, sink, {}));
    EXPECT_RESULT(result);
    EXPECT(sink->received(Stream::Output) == size, "bytes are missing");
    EXPECT(sink->most - idle < 50 * 1024, "memory grew with what the sink had not taken yet");
    EXPECT(result->duration < std::chrono::milliseconds(atMost(60'000)), "the command was held up");
    return {};
}

QString timeOut(CaseContext &context)
{
    MAKE_SANDBOX(context);
    Command command =
        context.shell(QStringLiteral("setsid sh -c \"trap '' TERM; %1\" & sleep 600")
                          .arg(QString(beating).replace(u'$', QStringLiteral("\\$"))));
    command.limit = std::chrono::seconds(1);
    QElapsedTimer timer;
    timer.start();
    const auto result = context.run(command);
    EXPECT_RESULT(result);
    EXPECT(result->end == End::TimedOut, "it did not time out");
    EXPECT(timer.elapsed() < atMost(11'000), "it took more than ten seconds to end it");
    EXPECT(!context.beats(QStringLiteral("beat")), "a process of the tree is left");
    return {};
}

QString endTree(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const QString inner = QString(beating).replace(u'$', QStringLiteral("\\$"));
    const CommandId id{newId()};
    const Command command = context.shell(
        QStringLiteral("setsid sh -c \"%1\" & (sh -c \"%1\" &) & sh -c \"trap '' TERM; %1\" & "
                       "sh -c \"%1\" & sleep 0.3; kill -STOP $!; echo ready; sleep 600")
            .arg(inner));
    EXPECT_RESULT(await(context.sandbox->start(id, command, {})));
    const auto sink = std::make_shared<TextSink>();
    std::stop_source source;
    sink->onWrite = [&source] {
        source.request_stop();
    };
    (void)await(context.sandbox->wait(id, sink, source.get_token()));
    EXPECT(sink->output == "ready\n", "the tree did not start");
    const auto left = await(context.sandbox->end(id, std::chrono::seconds(1), {}));
    EXPECT_RESULT(left);
    EXPECT(*left == 0, "there are survivors");
    const auto result = await(context.sandbox->wait(id, std::make_shared<TextSink>(), {}));
    EXPECT_RESULT(result);
    EXPECT(result->end == End::Killed, "it does not say that it was killed");
    EXPECT(!context.beats(QStringLiteral("beat")), "a process of the tree is left");
    return {};
}

QString endAll(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const QString inner = QString(beating).replace(u'$', QStringLiteral("\\$"));
    EXPECT_RESULT(context.run(context.shell(
        QStringLiteral("setsid env -i /bin/sh -c \"PATH=/usr/bin:/bin; %1\" >/dev/null 2>&1 & "
                       "sleep 0.4")
            .arg(inner))));
    EXPECT(context.beats(QStringLiteral("beat")), "the test's own process does not run");
    const auto left = await(context.sandbox->endAll(EndScope::Everything, {}));
    EXPECT_RESULT(left);
    EXPECT(*left == 0, "there are survivors");
    EXPECT(!context.beats(QStringLiteral("beat")), "a process is left");
    return {};
}

QString cancelMidExec(CaseContext &context)
{
    MAKE_SANDBOX(context);
    std::stop_source source;
    const auto sink = std::make_shared<TextSink>();
    QElapsedTimer timer;
    sink->onWrite = [&source, &timer] {
        QTimer::singleShot(700, [&source, &timer] {
            timer.start();
            source.request_stop();
        });
    };
    const auto result = await(runCommand(context.sandbox, {newId()},
                                         context.shell(QStringLiteral("echo ready; ") + beating),
                                         sink, source.get_token()));
    EXPECT(!result && result.error().code == ErrorCode::Cancelled,
           "it is not said to be cancelled");
    EXPECT(timer.elapsed() < atMost(3000), "it took more than three seconds");
    EXPECT(!context.beats(QStringLiteral("beat")), "a process is left");
    return {};
}

QString manyAtOnce(CaseContext &context, int count)
{
    std::vector<QCoro::Task<Result<CommandResult>>> tasks;
    std::vector<std::shared_ptr<TextSink>> sinks;
    for (int i = 0; i < count; ++i) {
        sinks.push_back(std::make_shared<TextSink>());
        tasks.push_back(runCommand(context.sandbox, {newId()},
                                   context.shell(QStringLiteral("sleep 0.5; echo %1").arg(i)),
                                   sinks.back(), {}));
    }
    QString wrong;
    for (size_t i = 0; i < tasks.size(); ++i) { // all of them, or what is left would go on
        const auto result = await(std::move(tasks.at(i)));
        if (!result) {
            wrong = errorText(result.error());
        } else if (sinks.at(i)->output != QByteArray::number(static_cast<int>(i)) + '\n') {
            wrong = QStringLiteral("an answer belongs to another command");
        }
    }
    return wrong;
}

QString twentyAtOnce(CaseContext &context)
{
    MAKE_SANDBOX(context);
    return manyAtOnce(context, 20);
}

} // namespace

QList<ContractCase> commandCases()
{
    return {
        {QStringLiteral("C01"), QStringLiteral("exit-codes"), exitCodes},
        {QStringLiteral("C02"), QStringLiteral("streams-apart"), streamsApart},
        {QStringLiteral("C03"), QStringLiteral("bytes-exact"), bytesExact},
        {QStringLiteral("C04"), QStringLiteral("environment-exact"), environmentExact},
        {QStringLiteral("C05"), QStringLiteral("directory"), directory},
        {QStringLiteral("C06"), QStringLiteral("stdin"), standardInput},
        {QStringLiteral("C07"), QStringLiteral("start-twice"), startTwice},
        {QStringLiteral("C08"), QStringLiteral("detached"), detached},
        {QStringLiteral("C09"), QStringLiteral("rejoin"), rejoin},
        {QStringLiteral("C10"), QStringLiteral("rejoin-from-new-process"), rejoinFromNewProcess},
        {QStringLiteral("C11"), QStringLiteral("output-cap"), outputCap},
        {QStringLiteral("C12"), QStringLiteral("slow-sink"), slowSink},
        {QStringLiteral("C13"), QStringLiteral("time-out"), timeOut},
        {QStringLiteral("C14"), QStringLiteral("end-tree"), endTree},
        {QStringLiteral("C15"), QStringLiteral("end-all"), endAll},
        {QStringLiteral("C16"), QStringLiteral("cancel-mid-exec"), cancelMidExec},
        {QStringLiteral("C17"), QStringLiteral("twenty-at-once"), twentyAtOnce}};
}

} // namespace Glovebox::Testing
