// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The verbs of resources/runner.sh as they are, without RunnerSandbox.
#include "core/base/files.h"
#include "core/base/ids.h"
#include "tests/core/sandbox/shells.h"

#include <QProcess>

#include <csignal>
#include <unistd.h>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

struct Bench
{
    explicit Bench(const QString &first, bool onlyThat = false)
    {
        QFile::copy(QStringLiteral(":/glovebox/runner.sh"), root.filePath(QStringLiteral("r")));
        const QString path = QStringLiteral("/usr/bin:/bin");
        environment.insert(QStringLiteral("PATH"),
                           onlyThat ? first : first + QLatin1Char(':') + path);
        environment.insert(QStringLiteral("HOME"), QStringLiteral("/home/of test"));
        environment.insert(QStringLiteral("SHELL"), QString());
        environment.insert(QStringLiteral("KEPT"), QStringLiteral("it's kept"));
        environment.insert(QStringLiteral("LEAK"), QStringLiteral("leak"));
        shell = *findProgram(QStringLiteral("sh"), environment.value(QStringLiteral("PATH")));
    }
    ~Bench()
    {
        for (const QString &name : jobs) {
            runner({QStringLiteral("kill"), job(name), QStringLiteral("0")});
        }
    }

    QString job(const QString &name) const { return root.filePath(name); }

    QByteArray runner(const QStringList &words, const QByteArray &input = {}) const
    {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(shell, QStringList{root.filePath(QStringLiteral("r"))} + words);
        process.write(input);
        process.closeWriteChannel();
        process.waitForFinished(60'000);
        return process.readAllStandardOutput();
    }

    void lay(const QString &name, const QByteArray &line)
    {
        jobs.append(name);
        const QByteArray script = "cd '/' || exit 125\nset -- sh -c '" + line + "'\n";
        QVERIFY(writeFile(job(QStringLiteral("side-") + name + QStringLiteral(".sh")), script));
    }

    QByteArray start(const QString &name, const QByteArray &line,
                     const QString &verb = QStringLiteral("start"))
    {
        lay(name, line);
        return runner({verb, job(name), job(QStringLiteral("side-") + name), QStringLiteral("60"),
                       QStringLiteral("100000"), QStringLiteral("0"), QStringLiteral("KEPT")});
    }

    QByteArray follow(const QString &name, const QStringList &more = {}) const
    {
        return runner(QStringList{QStringLiteral("follow"), job(name), QStringLiteral("0"),
                                  QStringLiteral("0"), QStringLiteral("20")} +
                      more);
    }

    QTemporaryDir root;
    QProcessEnvironment environment;
    QString shell;
    QStringList jobs;
};

QByteArray outputOf(const QByteArray &frames)
{
    QByteArray output;
    for (const QByteArray &line : frames.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.front() == "o") {
            output += words.at(2).startsWith(':') ? QByteArray::fromHex(words.at(2).mid(1))
                                                  : QByteArray::fromBase64(words.at(2));
        }
    }
    return output;
}

} // namespace

class RunnerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void tellsWhatItFound_data() { m_shells.addRows(); }
    void tellsWhatItFound();
    void startsAndRuns_data() { m_shells.addRows(); }
    void startsAndRuns();
    void keepsNames_data() { m_shells.addRows(); }
    void keepsNames();
    void framesInTurns_data() { m_shells.addRows(); }
    void framesInTurns();
    void survivesItsCaller_data() { m_shells.addRows(); }
    void survivesItsCaller();
    void signalsAreNotIgnored_data() { m_shells.addRows(); }
    void signalsAreNotIgnored();
    void serves_data() { m_shells.addRows(); }
    void serves();
    void sweeps_data() { m_shells.addRows(); }
    void sweeps();
    void sweepsNeverWithoutABaseline();
    void fullDisk_data() { m_shells.addRows(); }
    void fullDisk();
    void withoutTools();
    void placesTwice();
    void unknownVerb();

private:
    Shells m_shells;
};

void RunnerTest::initTestCase()
{
    QFile script(QStringLiteral(":/glovebox/runner.sh"));
    QVERIFY(script.open(QIODevice::ReadOnly));
    QVERIFY(script.readAll().count('\n') <= 300);
}

void RunnerTest::tellsWhatItFound()
{
    QFETCH(QString, tools);
    Bench bench(tools);
    const QByteArray info = bench.runner({QStringLiteral("info")});
    QVERIFY(info.startsWith("gbx 1 sh=" + tools.toUtf8() + "/sh setsid="));
    QVERIFY2(info.contains(" base64=base64 sha256=yes proc=yes uid="), info.constData());
}

void RunnerTest::startsAndRuns()
{
    QFETCH(QString, tools);
    Bench bench(tools);
    QCOMPARE(bench.start(QStringLiteral("a"), "echo out; exit 9"), QByteArray("ok\n"));
    QCOMPARE(bench.start(QStringLiteral("a"), "echo again"), QByteArray("again\n"));
    QVERIFY(!QFile::exists(bench.job(QStringLiteral("side-a.sh"))));
    const QByteArray frames = bench.follow(QStringLiteral("a"));
    QCOMPARE(outputOf(frames), QByteArray("out\n"));
    QVERIFY2(frames.contains("\ns exit 9 closed ") && frames.endsWith(" 4 0 0\n"),
             frames.constData());
    QCOMPARE(bench.start(QStringLiteral("b"), "echo out", QStringLiteral("run")),
             QByteArray("ok\n"));
    QVERIFY(QFile::exists(bench.job(QStringLiteral("b/status"))));
    QCOMPARE(QFile::permissions(bench.job(QStringLiteral("a"))) &
                 (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther | QFile::WriteOther),
             QFile::Permissions());
    // A job without its script is not left open.
    QCOMPARE(bench.runner({QStringLiteral("start"), bench.job(QStringLiteral("c")),
                           bench.job(QStringLiteral("nothing")), QStringLiteral("60"),
                           QStringLiteral("0"), QStringLiteral("0")}),
             QByteArray("failed\n"));
    QVERIFY(bench.follow(QStringLiteral("c")).startsWith("s nostart 125 closed 0 0 0 0"));
}

void RunnerTest::keepsNames()
{
    QFETCH(QString, tools);
    Bench bench(tools);
    QCOMPARE(bench.start(QStringLiteral("a"), "echo \"$KEPT|$LEAK|$HOME|${SHELL-unset}\""),
             QByteArray("ok\n"));
    const QByteArray seen = outputOf(bench.follow(QStringLiteral("a"))).trimmed();
    // bash sets SHELL by itself, from the user's entry
    QVERIFY2(seen == "it's kept||/home/of test|unset" ||
                 (tools.endsWith(u"bash") && seen.startsWith("it's kept||/home/of test|/")),
             seen.constData());
}

void RunnerTest::framesInTurns()
{
    QFETCH(QString, tools);
    Bench bench(tools);
    QCOMPARE(bench.start(QStringLiteral("a"), "head -c 99000 /dev/zero; sleep 600"),
             QByteArray("ok\n"));
    const QByteArray turn = bench.follow(QStringLiteral("a"), {QStringLiteral("50000")});
    QVERIFY(turn.endsWith("\ns running\n")); // long before the 20 s: there was news
    QVERIFY(outputOf(turn).size() > 0 && outputOf(turn).size() <= 99'000);
    const QByteArray rest =
        bench.runner({QStringLiteral("follow"), bench.job(QStringLiteral("a")),
                      QStringLiteral("98990"), QStringLiteral("0"), QStringLiteral("1")});
    QVERIFY2(rest.startsWith("o 98990 ") && rest.endsWith("\ns running\n"), rest.constData());
    QCOMPARE(outputOf(rest).size(), 10);
}

void RunnerTest::survivesItsCaller()
{
    QFETCH(QString, tools);
    Bench bench(tools);
    bench.lay(QStringLiteral("a"), "sleep 1; echo outlived");
    QProcess caller;
    caller.setProcessEnvironment(bench.environment);
    caller.setChildProcessModifier([] { setsid(); });
    caller.start(bench.shell,
                 {QStringLiteral("-c"),
                  QStringLiteral("%1 %2 start %3 %4 60 1000 0; sleep 600")
                      .arg(bench.shell, bench.job(QStringLiteral("r")),
                           bench.job(QStringLiteral("a")), bench.job(QStringLiteral("side-a")))});
    QVERIFY(caller.waitForReadyRead(20'000));
    ::kill(static_cast<pid_t>(-caller.processId()), SIGKILL);
    caller.waitForFinished();
    QCOMPARE(outputOf(bench.follow(QStringLiteral("a"))), QByteArray("outlived\n"));
}

void RunnerTest::signalsAreNotIgnored()
{
    QFETCH(QString, tools);
    Bench bench(tools);
    // An ignored signal could not be trapped: that is what `&` would have left behind.
    QCOMPARE(bench.start(QStringLiteral("a"), "trap \"exit 42\" INT; kill -INT $$; exit 1"),
             QByteArray("ok\n"));
    QVERIFY(bench.follow(QStringLiteral("a")).contains("s exit 42 closed"));
}

void RunnerTest::serves()
{
    QFETCH(QString, tools);
    Bench bench(tools);
    bench.lay(QStringLiteral("a"), "trap \"exit 42\" INT; kill -INT $$");
    const QByteArray a = bench.job(QStringLiteral("a")).toUtf8();
    const QByteArray side = bench.job(QStringLiteral("side-a")).toUtf8();
    QProcess server;
    server.setProcessEnvironment(bench.environment);
    server.start(bench.shell,
                 {bench.job(QStringLiteral("r")), QStringLiteral("serve"), bench.root.path()});
    server.write("n1 start " + a + ' ' + side + " 60 1000 0\n\nn2 follow " + a +
                 " 0 0 20\nn3 info\n");
    QByteArray names;
    QTRY_VERIFY((server.waitForReadyRead(10), names += server.readAll(), names.count('\n') == 3));
    QVERIFY(names.startsWith("n1\n"));
    QCOMPARE(*readFile(bench.job(QStringLiteral("n1"))), QByteArray("ok\n"));
    QVERIFY(readFile(bench.job(QStringLiteral("n2")))->startsWith("s exit 42 closed"));
    QVERIFY(readFile(bench.job(QStringLiteral("n3")))->startsWith("gbx 1 "));
    server.closeWriteChannel();
    QVERIFY(server.waitForFinished(10'000));
}

void RunnerTest::sweeps()
{
    QFETCH(QString, tools);
    // Only in a process namespace of its own: elsewhere a sweep would end what is not ours.
    const QStringList walls{QStringLiteral("--unshare-pid"),
                            QStringLiteral("--dev-bind"),
                            QStringLiteral("/"),
                            QStringLiteral("/"),
                            QStringLiteral("--proc"),
                            QStringLiteral("/proc")};
    QProcess probe;
    probe.start(QStringLiteral("bwrap"), walls + QStringList{QStringLiteral("true")});
    if (!probe.waitForFinished() || probe.exitCode() != 0) {
        QSKIP("bwrap cannot make a process namespace here");
    }
    Bench bench(tools);
    QVERIFY(writeFile(bench.job(QStringLiteral("side-a.sh")),
                      "cd /\nset -- sh -c 'setsid env -i /bin/sh -c \"while :; do sleep 1; done\" "
                      ">/dev/null 2>&1 & (sleep 600 &) ; trap : TERM; sleep 600'\n"));
    const QString script =
        QStringLiteral("sleep 500 & r() { %1 %2/r \"$@\"; }; r baseline >%2/base\n"
                       "r start %2/a %2/side-a 60 1000 0; sleep 0.5\n"
                       "r sweep %2/base 1; kill -0 $! && echo spared\n"
                       "r follow %2/a 0 0 5; ls -d /proc/[0-9]* | wc -l; kill $!\n")
            .arg(bench.shell, bench.root.path());
    QProcess inside;
    inside.setProcessEnvironment(bench.environment);
    inside.start(QStringLiteral("bwrap"),
                 walls + QStringList{bench.shell, QStringLiteral("-c"), script});
    QVERIFY(inside.waitForFinished(60'000));
    const QList<QByteArray> lines = inside.readAllStandardOutput().trimmed().split('\n');
    QCOMPARE(lines.value(0), QByteArray("ok"));
    QCOMPARE(lines.value(1), QByteArray("left 0"));
    QCOMPARE(lines.value(2), QByteArray("spared"));
    QCOMPARE(lines.value(3), QByteArray("s lost"));
    QVERIFY(lines.value(4).toInt() <= 6); // init, this script, what was there, and the counting
}

void RunnerTest::sweepsNeverWithoutABaseline()
{
    Bench bench{QString()};
    const QString list = bench.job(QStringLiteral("base"));
    QCOMPARE(bench.runner({QStringLiteral("sweep"), list, QStringLiteral("0")}),
             QByteArray("failed baseline\n"));
    QVERIFY(writeFile(list, QByteArray()));
    QCOMPARE(bench.runner({QStringLiteral("sweep"), list, QStringLiteral("0")}),
             QByteArray("failed baseline\n"));
}

void RunnerTest::fullDisk()
{
    QFETCH(QString, tools);
    const QStringList walls{QStringLiteral("--unshare-user"),
                            QStringLiteral("--dev-bind"),
                            QStringLiteral("/"),
                            QStringLiteral("/"),
                            QStringLiteral("--size"),
                            QStringLiteral("2000000"),
                            QStringLiteral("--tmpfs"),
                            QStringLiteral("/mnt")};
    QProcess probe;
    probe.start(QStringLiteral("bwrap"), walls + QStringList{QStringLiteral("true")});
    if (!probe.waitForFinished() || probe.exitCode() != 0) {
        QSKIP("bwrap cannot make a small file system here");
    }
    Bench bench(tools);
    QVERIFY(writeFile(bench.job(QStringLiteral("side-a.sh")),
                      "cd /\nset -- sh -c 'head -c 9000000 /dev/zero; echo last; exit 4'\n"));
    const QString script =
        QStringLiteral("cp %2/side-a.sh /mnt/s.sh; %1 %2/r start /mnt/a /mnt/s 60 "
                       "50000000 0; %1 %2/r follow /mnt/a 0 0 20 | cut -c 1-60; "
                       "ls /mnt/a")
            .arg(bench.shell, bench.root.path());
    QProcess inside;
    inside.setProcessEnvironment(bench.environment);
    inside.start(QStringLiteral("bwrap"),
                 walls + QStringList{bench.shell, QStringLiteral("-c"), script});
    QVERIFY(inside.waitForFinished(60'000));
    const QByteArray said = inside.readAllStandardOutput();
    QVERIFY2(said.contains("\ns exit 4 closed "), said.constData());
    QVERIFY2(said.contains("\ng o "), said.constData());
    QVERIFY2(said.contains("out.full"), said.constData());
}

void RunnerTest::withoutTools()
{
    // Neither setsid, base64, sha256sum nor what could stand in for them.
    QTemporaryDir few;
    for (const char *tool :
         {"sh", "cat",   "chmod",  "cp", "cut", "date", "dd",    "env",  "grep", "head", "id", "ln",
          "ls", "mkdir", "mkfifo", "mv", "od",  "rm",   "sleep", "tail", "tee",  "tr",   "wc"}) {
        const QString name = QString::fromLatin1(tool);
        QFile::link(*findProgram(name, QStringLiteral("/usr/bin:/bin")), few.filePath(name));
    }
    Bench bench(few.path(), true);
    const QByteArray info = bench.runner({QStringLiteral("info")});
    QVERIFY2(info.contains("setsid=none base64=hex sha256=none proc=yes"), info.constData());
    QCOMPARE(bench.start(QStringLiteral("a"), "head -c 60000 /dev/zero; echo end; exit 3"),
             QByteArray("ok\n"));
    const QByteArray frames = bench.follow(QStringLiteral("a"));
    QVERIFY(frames.startsWith("o 0 :0000"));
    QCOMPARE(outputOf(frames), QByteArray(60'000, '\0') + "end\n");
    QVERIFY(frames.contains("\ns exit 3 closed "));
    QCOMPARE(bench.start(QStringLiteral("b"), "sleep 600 & sleep 600"), QByteArray("ok\n"));
    QCOMPARE(
        bench.runner({QStringLiteral("kill"), bench.job(QStringLiteral("b")), QStringLiteral("1")}),
        QByteArray("left 0\n"));
    QVERIFY(bench.follow(QStringLiteral("b")).startsWith("s killed 143"));
    QVERIFY(writeFile(bench.job(QStringLiteral("side")), "x"));
    QCOMPARE(bench.runner({QStringLiteral("place"), bench.job(QStringLiteral("side")),
                           QStringLiteral("057170"), QStringLiteral("600"), QStringLiteral("ab")}),
             QByteArray("failed digest\n"));
}

void RunnerTest::placesTwice()
{
    Bench bench{QString()};
    QVERIFY(writeFile(bench.job(QStringLiteral("side")), "x"));
    QByteArray octal;
    for (const char c : bench.job(QStringLiteral("to/x")).toUtf8()) {
        octal += QByteArray::number(c, 8).rightJustified(3, '0');
    }
    const QStringList words{QStringLiteral("place"), bench.job(QStringLiteral("side")),
                            QString::fromLatin1(octal), QStringLiteral("600"),
                            QString::fromLatin1(sha256("x"))};
    QCOMPARE(bench.runner(words), QByteArray("ok\n"));
    QCOMPARE(bench.runner(words), QByteArray("ok\n")); // the first answer was lost on the way
    QVERIFY(writeFile(bench.job(QStringLiteral("to/x")), "y"));
    QCOMPARE(bench.runner(words), QByteArray("damaged\n"));
}

void RunnerTest::unknownVerb()
{
    Bench bench{QString()};
    QCOMPARE(bench.runner({QStringLiteral("dance")}), QByteArray("failed verb\n"));
    QCOMPARE(bench.runner({}), QByteArray("failed verb\n"));
}

QTEST_GUILESS_MAIN(RunnerTest)
#include "tst_runner.moc"
