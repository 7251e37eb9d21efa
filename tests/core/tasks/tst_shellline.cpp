// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/shellline.h"

#include "tests/support/testing.h"

#include <QProcess>
#include <QTest>

using namespace Glovebox;

class TestShellLine final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void canFail_data();
    void canFail();
    void agreesWithTheShell_data();
    void agreesWithTheShell();
    void programs_data();
    void programs();
    void pipes();
    void nothing();
};

namespace {

/// "work" stands for the check; in agreesWithTheShell() it is a command that fails.
const QStringList cannotFail{QStringLiteral("true"),
                             QStringLiteral(":"),
                             QStringLiteral("exit 0"),
                             QStringLiteral("/bin/true"),
                             QStringLiteral("work || true"),
                             QStringLiteral("work || :"),
                             QStringLiteral("work||true"),
                             QStringLiteral("work; true"),
                             QStringLiteral("work; exit 0"),
                             QStringLiteral("work\nexit 0\n"),
                             QStringLiteral("work || echo failed"),
                             QStringLiteral("work && true || true"),
                             QStringLiteral("(work || true)"),
                             QStringLiteral("{ work; true; }"),
                             QStringLiteral("work; exit 0; work"),
                             QStringLiteral("sh -c 'work || true'"),
                             QStringLiteral("sh -c \"work; exit 0\""),
                             QStringLiteral("work & "),
                             QStringLiteral("A=1"),
                             QStringLiteral("work || exit 0"),
                             QStringLiteral("work 2>&1 > /dev/null || true # note"),
                             QStringLiteral("true && true"),
                             QStringLiteral("work || { echo no; exit 0; }"),
                             QStringLiteral("cd . || true; true"),
                             QStringLiteral("work | true"),
                             QStringLiteral("env A=1 true"),
                             QStringLiteral("work ||\n true"),
                             QStringLiteral("(exit 0); true"),
                             QStringLiteral("true; exit")};

const QStringList mayFail{QStringLiteral("work"),
                          QStringLiteral("work && true"),
                          QStringLiteral("true && work"),
                          QStringLiteral("false || work"),
                          QStringLiteral("set -e; work; exit 0"),
                          QStringLiteral("set -eu\nwork\ntrue"),
                          QStringLiteral("work || exit 1"),
                          QStringLiteral("true; work"),
                          QStringLiteral("sh -ec 'work; true'"),
                          QStringLiteral("! true"),
                          QStringLiteral("(true; work)"),
                          QStringLiteral("work; exit $?"),
                          QStringLiteral("work; exit"),
                          QStringLiteral("echo '|| true' && work"),
                          QStringLiteral("echo \"; exit 0\"; work"),
                          QStringLiteral("work # || true"),
                          QStringLiteral("if work; then exit 0; fi; exit 1"),
                          QStringLiteral("for i in 1; do work || exit 1; done"),
                          QStringLiteral("true | work"),
                          QStringLiteral("A=$(work)"),
                          QStringLiteral("exit 1"),
                          QStringLiteral("(exit 0); work")};

/// The verdict is also what it is for a line that cannot be read: able to fail.
const QStringList unread{
    QStringLiteral("work <<E\nx\nE\ntrue"), QStringLiteral("work 'x"),
    QStringLiteral("f() { true; }; f"),     QStringLiteral("case x in x) true;; esac"),
    QStringLiteral("$CHECK || work"),       QStringLiteral("diff <(a) <(b)")};

void rows(const QStringList &lines, const bool fails)
{
    for (const QString &line : lines) {
        QTest::newRow(qPrintable(line)) << line << fails;
    }
}

} // namespace

void TestShellLine::canFail_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("expected");
    rows(cannotFail, false);
    rows(mayFail, true);
    rows(unread, true);
}

void TestShellLine::canFail()
{
    QFETCH(QString, line);
    QFETCH(bool, expected);
    QCOMPARE(judgeShellLine(line).canFail, expected);
}

void TestShellLine::agreesWithTheShell_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<bool>("expected");
    rows(cannotFail, false);
    rows(mayFail, true);
}

/// A real sh, with a check that fails: what "cannot fail" ends with 0, the rest does not.
void TestShellLine::agreesWithTheShell()
{
    QFETCH(QString, line);
    QFETCH(bool, expected);
    QProcess shell;
    line.replace(QLatin1String("work"), QLatin1String("false"));
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), line});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.exitCode() != 0, expected);
}

void TestShellLine::programs_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *line, const char *programs) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(programs);
    };
    row("npm test", "npm");
    row("cd x && npm ci && npm test | grep -q ok", "npm grep");
    row("A=1 B='2 3' make -j2 > log 2>&1", "make");
    row("./run.sh; sh scripts/check.sh", "sh");
    row("env -i X=1 pytest", "pytest");
    row("exec cargo test", "cargo");
    row("bash -c 'go test ./... && golint'", "bash go golint");
    row("'npm' test", "npm");
    row("$TOOL run; [ -f x ]", "");
    row("! grep -r TODO src", "grep");
    row("(cd a; make) && { ctest; }", "make ctest");
}

void TestShellLine::programs()
{
    QFETCH(QString, line);
    QFETCH(QString, expected);
    QCOMPARE(judgeShellLine(line).programs.join(QLatin1Char(' ')), expected);
}

void TestShellLine::pipes()
{
    QVERIFY(judgeShellLine(QStringLiteral("make | tee log")).hidesInPipe);
    QVERIFY(judgeShellLine(QStringLiteral("make 2>&1 | cat")).hidesInPipe);
    QVERIFY(!judgeShellLine(QStringLiteral("make | grep -q ok")).hidesInPipe);
    QVERIFY(!judgeShellLine(QStringLiteral("set -eo pipefail; make | tee log")).hidesInPipe);
    QVERIFY(!judgeShellLine(QStringLiteral("bash -o pipefail -c 'make | tee log'")).hidesInPipe);
    QVERIFY(!judgeShellLine(QStringLiteral("cat x")).hidesInPipe);
}

void TestShellLine::nothing()
{
    QVERIFY(!judgeShellLine(QString()).hasCommand);
    QVERIFY(!judgeShellLine(QStringLiteral("  # make\n")).hasCommand);
    QVERIFY(judgeShellLine(QStringLiteral("make")).hasCommand);
}

QTEST_GUILESS_MAIN(TestShellLine)
#include "tst_shellline.moc"
