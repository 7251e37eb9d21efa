// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/pause.h"
#include "core/base/process.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

ProcessRequest shell(const QString &line)
{
    ProcessRequest request;
    request.program = QStringLiteral("sh");
    request.arguments = {QStringLiteral("-c"), line};
    request.environment = QProcessEnvironment::systemEnvironment();
    return request;
}

bool isAlive(const QByteArray &pid)
{
    // A zombie is dead: it only waits to be collected by whoever inherited it.
    QFile status(QStringLiteral("/proc/%1/stat").arg(QString::fromLatin1(pid.trimmed())));
    return status.open(QIODevice::ReadOnly) && !status.readAll().contains(") Z");
}

} // namespace

class ProcessTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exitCodes_data();
    void exitCodes();
    void inputArrivesWhole();
    void missingProgram();
    void limitEndsTheGroup();
    void stopEndsTheGroup();
    void tooMuchOutput();
    void inheritsNothing();
    void outputToFile();
    void programsAreNotFoundInRelativeFolders();
    void pauseWaitsAndStops();
};

void ProcessTest::exitCodes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::newRow("zero") << QStringLiteral("exit 0") << 0;
    QTest::newRow("seven") << QStringLiteral("exit 7") << 7;
    QTest::newRow("killed") << QStringLiteral("kill -9 $$") << 137;
}

void ProcessTest::exitCodes()
{
    QFETCH(QString, line);
    QFETCH(int, code);
    const Result<ProcessResult> result = await(runProcess(shell(line), {}));
    VERIFY_RESULT(result);
    QCOMPARE(result->exitCode, code);
}

void ProcessTest::inputArrivesWhole()
{
    ProcessRequest request = shell(QStringLiteral("cat; echo done >&2"));
    request.standardInput = QByteArray(3'000'000, 'x') + '\0' + "end";
    const Result<ProcessResult> result = await(runProcess(request, {}));
    VERIFY_RESULT(result);
    QCOMPARE(result->output, request.standardInput);
    QCOMPARE(result->error, QByteArray("done\n"));
}

void ProcessTest::missingProgram()
{
    ProcessRequest request;
    request.program = QStringLiteral("no-such-program-here");
    QCOMPARE(await(runProcess(request, {})).error().code, ErrorCode::NotInstalled);
    request.program = QStringLiteral("/no/such/program");
    QCOMPARE(await(runProcess(request, {})).error().code, ErrorCode::NotInstalled);
}

void ProcessTest::limitEndsTheGroup()
{
    QTemporaryDir folder;
    ProcessRequest request = shell(QStringLiteral("sleep 600 & echo $! > pid; wait"));
    request.directory = folder.path();
    request.limit = std::chrono::milliseconds(500);
    const Result<ProcessResult> result = await(runProcess(request, {}));
    QCOMPARE(result.error().code, ErrorCode::TimedOut);
    const QByteArray pid = *readFile(folder.filePath(QStringLiteral("pid")));
    QTRY_VERIFY(!isAlive(pid));
}

void ProcessTest::stopEndsTheGroup()
{
    QTemporaryDir folder;
    ProcessRequest request = shell(QStringLiteral("sleep 600 & echo $! > pid; wait"));
    request.directory = folder.path();
    std::stop_source source;
    QTimer poll;
    connect(&poll, &QTimer::timeout, this, [&] {
        if (readFile(folder.filePath(QStringLiteral("pid")))
                .value_or(QByteArray())
                .endsWith('\n')) {
            source.request_stop();
        }
    });
    poll.start(5);
    const Result<ProcessResult> result = await(runProcess(request, source.get_token()));
    QCOMPARE(result.error().code, ErrorCode::Cancelled);
    const QByteArray pid = *readFile(folder.filePath(QStringLiteral("pid")));
    QTRY_VERIFY(!isAlive(pid));
}

void ProcessTest::tooMuchOutput()
{
    ProcessRequest request = shell(QStringLiteral("yes"));
    request.outputLimit = 100'000;
    QCOMPARE(await(runProcess(request, {})).error().code, ErrorCode::TooLarge);
}

void ProcessTest::inheritsNothing()
{
    qputenv("GLOVEBOX_TEST_LEAK", "leak");
    ProcessRequest request;
    request.program = QStringLiteral("/usr/bin/env");
    request.environment.insert(QStringLiteral("ONLY"), QStringLiteral("this"));
    const Result<ProcessResult> result = await(runProcess(request, {}));
    VERIFY_RESULT(result);
    QCOMPARE(result->output, QByteArray("ONLY=this\n"));
}

void ProcessTest::outputToFile()
{
    QTemporaryDir folder;
    ProcessRequest request = shell(QStringLiteral("echo hello"));
    request.standardOutputFile = folder.filePath(QStringLiteral("out"));
    VERIFY_RESULT(await(runProcess(request, {})));
    QCOMPARE(*readFile(request.standardOutputFile), QByteArray("hello\n"));
}

void ProcessTest::programsAreNotFoundInRelativeFolders()
{
    QVERIFY(findProgram(QStringLiteral("sh"), QStringLiteral("/bin:/usr/bin")));
    QVERIFY(!findProgram(QStringLiteral("sh"), QStringLiteral("bin:.:")));
    QVERIFY(!findProgram(QStringLiteral("../bin/sh"), QStringLiteral("/usr/bin")));
}

void ProcessTest::pauseWaitsAndStops()
{
    VERIFY_RESULT(await(pause(std::chrono::milliseconds(1), {})));
    std::stop_source source;
    QTimer::singleShot(0, this, [&] { source.request_stop(); });
    QCOMPARE(await(pause(std::chrono::hours(1), source.get_token())).error().code,
             ErrorCode::Cancelled);
}

QTEST_GUILESS_MAIN(ProcessTest)
#include "tst_process.moc"
