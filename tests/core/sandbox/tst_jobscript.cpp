// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/ids.h"
#include "core/sandbox/jobscript.h"
#include "core/sandbox/retry.h"
#include "tests/support/testing.h"

#include <QProcess>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

Command sample()
{
    Command command;
    command.argv = {QStringLiteral("true")};
    command.directory = QStringLiteral("/");
    return command;
}

} // namespace

class JobScriptTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void quotes_data();
    void quotes();
    void octal();
    void runnerWords();
    void commandIds();
    void refusesCommands_data();
    void refusesCommands();
    void writesTheWhole();
    void plans();
    void triesAgain_data();
    void triesAgain();
    void stopsWhileWaiting();
};

void JobScriptTest::quotes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("blank") << QByteArray("a b");
    QTest::newRow("quotes") << QByteArray("'\"''`$(id)\\");
    QTest::newRow("newlines") << QByteArray("a\nb\n");
    QTest::newRow("star") << QByteArray("* ? [a] ~ !! #");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x01");
}

void JobScriptTest::quotes()
{
    QFETCH(QByteArray, bytes);
    QProcess shell;
    shell.start(QStringLiteral("sh"), {});
    shell.write("printf %s. " + shellQuoted(bytes) + "\n");
    shell.closeWriteChannel();
    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.readAllStandardOutput(), bytes + '.');
}

void JobScriptTest::octal()
{
    QCOMPARE(octalPath(QStringLiteral("/a\n")), QByteArray("057141012"));
    QCOMPARE(octalPath(QStringLiteral("中")), QByteArray("344270255"));
}

void JobScriptTest::runnerWords()
{
    QVERIFY(isRunnerWord(QStringLiteral("/a/b_c.d-9Z")));
    for (const char *bad : {"", "a b", "a;b", "$a", "a'b", "a\n", "a*"}) {
        QVERIFY2(!isRunnerWord(QString::fromLatin1(bad)), bad);
    }
    QVERIFY(!isRunnerWord(QStringLiteral("ä")));
}

void JobScriptTest::commandIds()
{
    QVERIFY(isCommandId({newId()}));
    for (const QString &bad :
         {QString(), QStringLiteral("a"), QStringLiteral("../../../../../../../etc/x"),
          QString(26, u'A'), QString(27, u'a'), QString(25, u'a') + u'/'}) {
        QVERIFY2(!isCommandId({bad}), qPrintable(bad));
    }
}

void JobScriptTest::refusesCommands_data()
{
    QTest::addColumn<Command>("command");
    Command command = sample();
    command.argv.clear();
    QTest::newRow("no program") << command;
    command.argv = {QString()};
    QTest::newRow("empty program") << command;
    command.argv = {QStringLiteral("-c")};
    QTest::newRow("dash") << command;
    command.argv = {QStringLiteral("a"), QString(QChar::Null)};
    QTest::newRow("NUL argument") << command;
    command = sample();
    command.directory = QStringLiteral("relative");
    QTest::newRow("relative folder") << command;
    command = sample();
    command.environment = {{QStringLiteral("A;id"), Secret("x")}};
    QTest::newRow("variable name") << command;
    command.environment = {{QStringLiteral("1A"), Secret("x")}};
    QTest::newRow("variable with a digit first") << command;
    command.environment = {{QStringLiteral("GLOVEBOX_JOB"), Secret("x")}};
    QTest::newRow("the mark") << command;
    command.environment = {{QStringLiteral("A"), Secret(QByteArray("x\0y", 3))}};
    QTest::newRow("NUL value") << command;
    command = sample();
    command.limit = std::chrono::seconds(0);
    QTest::newRow("no limit") << command;
    command = sample();
    command.standardInput = QByteArray(16 * 1024 * 1024 + 1, 'x');
    QTest::newRow("too much input") << command;
}

void JobScriptTest::refusesCommands()
{
    QFETCH(Command, command);
    QCOMPARE(checkCommand(command).error().code, ErrorCode::InvalidRequest);
}

void JobScriptTest::writesTheWhole()
{
    Command command = sample();
    VERIFY_RESULT(checkCommand(command));
    command.directory = QStringLiteral("/a'b");
    command.argv = {QStringLiteral("sh"), QStringLiteral("-c"), QString()};
    command.environment = {{QStringLiteral("KEY"), Secret("it's")}};
    QCOMPARE(jobScript(command), QByteArray("cd '/a'\\''b' || exit 125\n"
                                            "unset OLDPWD SHLVL\n"
                                            "export KEY='it'\\''s'\n"
                                            "set -- 'sh' '-c' ''\n"));
}

void JobScriptTest::plans()
{
    using namespace std::chrono_literals;
    const RetryPlan plan = RetryPlan::whileRunning();
    const QList<std::chrono::milliseconds> first{1s, 2s, 4s, 8s, 16s, 30s, 30s};
    QCOMPARE(plan.waits.first(7), first);
    const auto sum = std::accumulate(plan.waits.cbegin(), plan.waits.cend(), 0ms);
    QVERIFY(sum >= 600s && sum <= 630s);
    QCOMPARE(RetryPlan::atCreation().waits.size(), 2);
}

void JobScriptTest::triesAgain_data()
{
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<int>("calls");
    QTest::newRow("connection lost") << ErrorCode::ConnectionLost << 6;
    QTest::newRow("busy") << ErrorCode::Busy << 6;
    QTest::newRow("unreachable") << ErrorCode::Unreachable << 6;
    QTest::newRow("damaged") << ErrorCode::DamagedInTransit << 2;
    QTest::newRow("not found") << ErrorCode::NotFound << 1;
    QTest::newRow("limit reached") << ErrorCode::LimitReached << 1;
    QTest::newRow("cancelled") << ErrorCode::Cancelled << 1;
}

void JobScriptTest::triesAgain()
{
    QFETCH(ErrorCode, code);
    QFETCH(int, calls);
    int made = 0;
    const std::function<QCoro::Task<Result<int>>()> attempt = [&made, code] {
        ++made;
        const auto refuse = [](ErrorCode with) -> QCoro::Task<Result<int>> {
            co_return fail(with, QStringLiteral("no"));
        };
        return refuse(code);
    };
    QCOMPARE(await(retried(attempt, RetryPlan::atOnce(5), {})).error().code, code);
    QCOMPARE(made, calls);
}

void JobScriptTest::stopsWhileWaiting()
{
    std::stop_source source;
    const std::function<QCoro::Task<Result<int>>()> attempt = [] {
        const auto refuse = []() -> QCoro::Task<Result<int>> {
            co_return fail(ErrorCode::Busy, QStringLiteral("no"));
        };
        return refuse();
    };
    QTimer::singleShot(0, this, [&source] { source.request_stop(); });
    const RetryPlan plan{{std::chrono::hours(1)}};
    QCOMPARE(await(retried(attempt, plan, source.get_token())).error().code, ErrorCode::Cancelled);
}

QTEST_GUILESS_MAIN(JobScriptTest)
#include "tst_jobscript.moc"
