// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lint.h"
#include "core/tasks/taskfile.h"

#include "tests/support/testing.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

using namespace Glovebox;

class TestTaskFile final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void golden_data();
    void golden();
    void defaults();
    void problems_data();
    void problems();
    void fixMends_data();
    void fixMends();
    void encoding_data();
    void encoding();
    void tooLarge();
    void largeIsFast();
    void secretsAreNotRepeated();
    void durations_data();
    void durations();
    void durationRoundTrip();
    void plainForm_data();
    void plainForm();
    void positions();
};

namespace {

QString severityName(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return QStringLiteral("error");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Hint:
        return QStringLiteral("hint");
    }
    Q_UNREACHABLE();
}

QString dumpProblem(const Problem &problem)
{
    QString line = QStringLiteral("%1:%2+%3 %4 %5: %6")
                       .arg(problem.line)
                       .arg(problem.column)
                       .arg(problem.length)
                       .arg(severityName(problem.severity), problem.code, problem.message);
    for (const Fix &fix : problem.fixes) {
        line += QStringLiteral(" [%1]").arg(fix.title);
    }
    return line;
}

QString dumpList(const QString &key, const QStringList &items)
{
    QString out;
    for (const QString &item : items) {
        out += key + QStringLiteral(" - ") + item + QLatin1Char('\n');
    }
    return out;
}

QString dumpVerify(const VerifyChoice &verify)
{
    const QString in = !verify.in                     ? QStringLiteral("as the backend says")
                       : verify.in == VerifyIn::Clean ? QStringLiteral("clean")
                                                      : QStringLiteral("same");
    return QStringLiteral("verify: %1, base %2\n").arg(in).arg(verify.onBase ? 1 : 0) +
           dumpList(QStringLiteral("base_tests"), verify.baseTests);
}

QString dump(const TaskDocument &document)
{
    const TaskFile &task = document.task();
    QString out = QStringLiteral("plain %1, can change %2\ntitle: %3\n")
                      .arg(document.isPlainForm() ? 1 : 0)
                      .arg(document.canChange() ? 1 : 0)
                      .arg(task.title);
    for (const AcceptanceCommand &command : task.acceptance) {
        out += QStringLiteral("acceptance - %1 | %2 | %3\n")
                   .arg(command.name, command.run, durationText(command.timeout));
    }
    out += dumpList(QStringLiteral("scope"), task.scope);
    out += dumpList(QStringLiteral("forbid"), task.forbid);
    out += dumpList(QStringLiteral("setup"), task.setup);
    out += QStringLiteral("agent: %1 | %2 | model %3 | turns %4\n")
               .arg(task.agent.id, task.agent.command, task.model)
               .arg(task.turns.value_or(0));
    out += QStringLiteral("backend: %1 | template %2 | network %3\n")
               .arg(task.backend, task.imageTemplate, task.network.preset);
    out += dumpList(QStringLiteral("allow"), task.network.allow);
    out += dumpList(QStringLiteral("deny"), task.network.deny);
    out += QStringLiteral("budget %1, timeout %2, base %3, branch %4, attempts %5\n")
               .arg(task.budgetUsd.value_or(-1))
               .arg(durationText(task.timeout), task.base, task.branch)
               .arg(task.attempts);
    out += dumpList(QStringLiteral("env"), task.environment) + dumpVerify(task.verify);
    out += QStringLiteral("instructions:\n%1\n").arg(task.instructions);
    for (const Problem &problem : document.problems()) {
        out += dumpProblem(problem) + QLatin1Char('\n');
    }
    return out;
}

QByteArray fileBytes(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray frontMatter(const char *yaml)
{
    return "---\n" + QByteArray(yaml) + "---\nBody.\n";
}

const QString dataFolder = QStringLiteral(GLOVEBOX_TEST_DATA "/tasks/");

} // namespace

void TestTaskFile::golden_data()
{
    QTest::addColumn<QString>("name");
    const QStringList files = QDir(dataFolder).entryList({QStringLiteral("*.task.md")});
    QVERIFY(files.size() >= 12);
    for (const QString &file : files) {
        QTest::newRow(qPrintable(file)) << file.chopped(8);
    }
}

void TestTaskFile::golden()
{
    QFETCH(QString, name);
    const QByteArray bytes = fileBytes(dataFolder + name + QStringLiteral(".task.md"));
    const TaskDocument document = TaskDocument::parse(bytes);
    QCOMPARE(document.bytes(), bytes);
    const QString goldenPath = dataFolder + name + QStringLiteral(".golden");
    if (qEnvironmentVariableIsSet("GLOVEBOX_UPDATE_GOLDEN")) {
        QFile file(goldenPath);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(dump(document).toUtf8());
        QFAIL("golden file written; look at it and run again");
    }
    QCOMPARE(dump(document), QString::fromUtf8(fileBytes(goldenPath)));
}

void TestTaskFile::defaults()
{
    const TaskFile task = TaskDocument::parse(frontMatter("title: x\n")).task();
    QCOMPARE(task.agent.id, QStringLiteral("claude"));
    QCOMPARE(task.backend, QStringLiteral("srt"));
    QCOMPARE(task.network.preset, QStringLiteral("balanced"));
    QCOMPARE(task.timeout, std::chrono::hours(1));
    QCOMPARE(task.budgetUsd, std::optional(5.0));
    QVERIFY(!task.verify.in);
    QCOMPARE(task.attempts, 1);
    QCOMPARE(TaskDocument::parse(frontMatter("budget_usd: none\n")).task().budgetUsd,
             std::optional<double>());
}

void TestTaskFile::problems_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("expected"); // line:column code of the first problem
    const auto row = [](const char *name, const QByteArray &bytes, const char *expected) {
        QTest::newRow(name) << bytes << QString::fromLatin1(expected);
    };
    row("tab", frontMatter("scope:\n\t- a\n"), "3:1 yaml-tab");
    row("tab-behind-blanks", frontMatter("verify:\n  in: same\n \tbase: true\n"), "4:2 yaml-tab");
    row("star", frontMatter("scope:\n  - *.ts\n"), "3:5 yaml");
    row("stars", frontMatter("scope: **/x\n"), "2:8 yaml");
    row("alias", frontMatter("title: &a x\nbranch: *a\n"), "2:8 yaml-alias");
    row("tag", frontMatter("title: !important x\n"), "2:8 yaml-alias");
    row("merge", frontMatter("<<: {title: x}\n"), "2:1 yaml-alias");
    row("complex-key", frontMatter("? title\n: x\n"), "2:3 yaml-key");
    row("list-key", frontMatter("[a]: x\n"), "2:1 yaml-key");
    row("colon", frontMatter("setup: echo a: b\n"), "2:14 yaml");
    row("back-quote", frontMatter("setup: `date`\n"), "2:8 yaml");
    row("no-colon", frontMatter("title x\nscope: a\n"), "2:1 yaml");
    row("open-quote", frontMatter("title: \"x\nscope: a\n"), "2:8 yaml");
    row("open-bracket", frontMatter("scope: [a, b\ntitle: x\n"), "2:8 yaml");
    row("test-bracket", frontMatter("setup:\n  - [ -f x ] && y\n"), "3:14 yaml");
    row("odd-indent", frontMatter("verify:\n    in: same\n  base: true\n"), "4:3 yaml");
    row("control", frontMatter("title: a\x01\n"), "2:9 yaml");
    row("two-documents", frontMatter("title: a\n...\ntitle: b\n"), "4:1 yaml");
    row("scalar", frontMatter("hello\n"), "2:1 not-a-map");
    row("list", frontMatter("- a\n- b\n"), "2:1 not-a-map");
    row("deep", frontMatter("title: [[[[[[[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]]]]]]\n"),
        "2:24 yaml-depth");
    row("unknown", frontMatter("Budget-USD: 3\n"), "2:1 unknown-key");
    row("unknown-far", frontMatter("colour: red\n"), "2:1 unknown-key");
    row("twice", frontMatter("scope: a\ntitle: x\nscope: b\n"), "4:1 repeated-key");
    row("no-value", frontMatter("scope:\ntitle: x\n"), "2:7 no-value");
    row("title-lines", frontMatter("title: \"a\\nb\"\n"), "2:8 wrong-type");
    row("turns", frontMatter("turns: 0\n"), "2:8 out-of-range");
    row("turns-half", frontMatter("turns: 1.5\n"), "2:8 wrong-type");
    row("budget-word", frontMatter("budget_usd: $5\n"), "2:13 wrong-type");
    row("budget-nan", frontMatter("budget_usd: nan\n"), "2:13 wrong-type");
    row("timeout", frontMatter("timeout: 1 hour\n"), "2:10 wrong-value");
    row("timeout-long", frontMatter("timeout: 101h\n"), "2:10 wrong-value");
    row("agent-custom", frontMatter("agent: custom\n"), "2:8 wrong-value");
    row("verify", frontMatter("verify: {in: here}\n"), "2:14 wrong-value");
    row("list-in-list", frontMatter("acceptance:\n  - - a\n"), "3:5 wrong-type");
    row("late", "\n\n---\ntitle: x\n---\n", "3:1 front-matter-late");
    row("open", "---\ntitle: x\n", "1:1 front-matter-open");
    row("columns-count-characters", frontMatter("title: \"\xF0\x9F\x98\x80\xC3\xA4\" x\n"),
        "2:13 yaml");
}

void TestTaskFile::problems()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, expected);
    const TaskDocument document = TaskDocument::parse(bytes);
    QVERIFY(!document.problems().isEmpty());
    const Problem problem = document.problems().first();
    QCOMPARE(QStringLiteral("%1:%2 %3").arg(problem.line).arg(problem.column).arg(problem.code),
             expected);
    QVERIFY(!problem.message.isEmpty());
    for (const Fix &fix : problem.fixes) {
        QVERIFY(!fix.title.isEmpty());
        QVERIFY(applyFix(bytes, fix) != bytes);
    }
}

void TestTaskFile::fixMends_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("mended");
    const auto row = [](const char *name, const QByteArray &bytes, const QByteArray &mended) {
        QTest::newRow(name) << bytes << mended;
    };
    row("tabs", frontMatter("scope:\n\t- a\n\t- b\n"), frontMatter("scope:\n  - a\n  - b\n"));
    row("star", frontMatter("scope:\n  - *.ts \n"), frontMatter("scope:\n  - '*.ts' \n"));
    row("star-inline", frontMatter("scope: **/x\n"), frontMatter("scope: '**/x'\n"));
    row("colon", frontMatter("setup: echo a: b\n"), frontMatter("setup: 'echo a: b'\n"));
    row("quote-in-it", frontMatter("setup: echo 'a: b': c\n"),
        frontMatter("setup: 'echo ''a: b'': c'\n"));
    row("back-quote", frontMatter("setup: `date`\n"), frontMatter("setup: '`date`'\n"));
    row("bracket", frontMatter("setup:\n  - [ -f x ] && y\n"),
        frontMatter("setup:\n  - '[ -f x ] && y'\n"));
    row("tag", frontMatter("setup: !x y\n"), frontMatter("setup: '!x y'\n"));
    row("unknown", frontMatter("Budget-USD: 3\n"), frontMatter("budget_usd: 3\n"));
    row("twice", frontMatter("scope: a\nscope:\n  - b\ntitle: x\n"),
        frontMatter("scope: a\ntitle: x\n"));
    row("seconds", frontMatter("timeout: 3600\n"), frontMatter("timeout: 1h\n"));
    row("preset", frontMatter("network: lockdown\n"), frontMatter("network: locked-down\n"));
    row("env", frontMatter("env: [A=b, C]\n"), frontMatter("env: [A, C]\n"));
    row("late", "\n \n---\ntitle: x\n---\nBody.\n", "---\ntitle: x\n---\nBody.\n");
}

void TestTaskFile::fixMends()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, mended);
    const TaskDocument document = TaskDocument::parse(bytes);
    QCOMPARE(document.problems().size(), 1);
    QCOMPARE(document.problems().first().fixes.size(), 1);
    QCOMPARE(applyFix(bytes, document.problems().first().fixes.first()), mended);
    QVERIFY(TaskDocument::parse(mended).problems().isEmpty());
}

void TestTaskFile::encoding_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::newRow("latin-1") << frontMatter("title: caf\xE9\n") << 2 << 11;
    QTest::newRow("after-good-characters") << frontMatter("title: \xC3\xA4\xFF\n") << 2 << 9;
    QTest::newRow("cut") << QByteArray("a\n\xE4\xBD") << 2 << 1;
    QTest::newRow("surrogate") << QByteArray("a\xED\xA0\x80") << 1 << 2;
    QTest::newRow("utf-16") << QByteArray("\xFF\xFE-\0-\0", 6) << 1 << 1;
    QTest::newRow("nul") << QByteArray("---\ntitle: x\n---\na\0b", 19) << 4 << 2;
    QTest::newRow("body") << frontMatter("title: x\n") + "\xFF" << 5 << 1;
}

void TestTaskFile::encoding()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, line);
    QFETCH(int, column);
    const TaskDocument document = TaskDocument::parse(bytes);
    QCOMPARE(document.problems().size(), 1);
    QCOMPARE(document.problems().first().code, QStringLiteral("encoding"));
    QCOMPARE(document.problems().first().line, line);
    QCOMPARE(document.problems().first().column, column);
    QVERIFY(!document.canChange());
    QCOMPARE(document.withKey(QStringLiteral("branch"), TaskFile()), bytes);
}

void TestTaskFile::tooLarge()
{
    const QByteArray fits = frontMatter("title: x\n") + QByteArray(1024 * 1024 - 24, 'a');
    QVERIFY(TaskDocument::parse(fits).problems().isEmpty());
    const TaskDocument document = TaskDocument::parse(fits + QByteArray(100, 'b'));
    QCOMPARE(document.problems().size(), 1);
    QCOMPARE(document.problems().first().code, QStringLiteral("too-large"));
}

void TestTaskFile::largeIsFast()
{
    QByteArray yaml("scope:\n");
    while (yaml.size() < 900 * 1024) {
        yaml += "  - src/some/folder/**   # note\n";
    }
    QElapsedTimer timer;
    timer.start();
    const TaskDocument document = TaskDocument::parse(frontMatter(yaml.constData()));
    QVERIFY(document.problems().isEmpty());
    QVERIFY(document.task().scope.size() > 25000);
    QVERIFY2(timer.elapsed() < Testing::atMost(5000), "a large file made reading slow");
}

void TestTaskFile::secretsAreNotRepeated()
{
    const QByteArray value("hunter2hunter2");
    for (const QString &key : TaskDocument::knownKeys()) {
        const QByteArray yaml = key.toUtf8() + ": {\"A\": \"TOKEN=" + value + "\"}\n";
        const QByteArray list =
            key.toUtf8() + ": [\"-TOKEN=" + value + "\", \"T=" + value + "\"]\n";
        for (const QByteArray &text : {yaml, list}) {
            const TaskDocument document = TaskDocument::parse(frontMatter(text.constData()));
            for (const Problem &problem : document.problems()) {
                QVERIFY(!dumpProblem(problem).contains(QString::fromUtf8(value)));
            }
        }
    }
}

void TestTaskFile::durations_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("seconds"); // 0 = none
    const QList<std::pair<const char *, int>> rows{
        {"90s", 90},      {"15m", 900},    {"1h", 3600}, {"1h30m", 5400}, {"1h1m1s", 3661},
        {"100h", 360000}, {"100h1s", 0},   {"0s", 0},    {"", 0},         {"s", 0},
        {"1", 0},         {"1d", 0},       {"1.5h", 0},  {"-1h", 0},      {"30m1h", 0},
        {"1h 30m", 0},    {"9999999s", 0}, {"1H", 0},    {" 1h", 0},      {"1h1h", 0}};
    for (const auto &[text, seconds] : rows) {
        QTest::newRow(text) << QString::fromLatin1(text) << seconds;
    }
}

void TestTaskFile::durations()
{
    QFETCH(QString, text);
    QFETCH(int, seconds);
    QCOMPARE(static_cast<int>(parseDuration(text).value_or(std::chrono::seconds(0)).count()),
             seconds);
}

void TestTaskFile::durationRoundTrip()
{
    for (int i = 1; i <= 360000; i += i < 8000 ? 1 : 997) {
        const std::chrono::seconds duration(i);
        QCOMPARE(parseDuration(durationText(duration)), std::optional(duration));
    }
    QCOMPARE(durationText(std::chrono::seconds(90)), QStringLiteral("90s"));
    QCOMPARE(durationText(std::chrono::minutes(1)), QStringLiteral("1m"));
    QCOMPARE(durationText(std::chrono::minutes(90)), QStringLiteral("1h30m"));
}

void TestTaskFile::plainForm_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("command");
    const auto row = [](const char *name, const QByteArray &bytes, const char *title,
                        const char *command) {
        QTest::newRow(name) << bytes << QString::fromUtf8(title) << QString::fromUtf8(command);
    };
    row("lower-case", "task: do it. Then rest.\nacceptance: `make`\n", "Do it", "make");
    row("crlf", "Task: do\r\nit now\r\nAcceptance: run `make\r\ncheck`\r\n", "Do it now",
        "make check");
    row("dot-in-name", "Task: edit a.ts e.g. today! And more.\nAcceptance: `x`",
        "Edit a.ts e.g. today", "x");
    row("chinese", "Task: 加上重试。然后测试。\nAcceptance: 运行 `npm test`。", "加上重试",
        "npm test");
    row("no-command", "Task: a\nAcceptance: it works\n", "A", "");
    row("command-only-elsewhere", "Task: use `x`\nAcceptance: fine\nConstraints: `y`\n", "Use `x`",
        "");
    row("unclosed", "Task: a\nAcceptance: `make\n", "A", "");
    row("empty-span-first", "Task: a\nAcceptance: ` ` then `make`\n", "A", "make");
    row("second-part", "Task: a\nAcceptance: none\nAcceptance: `make`\n", "A", "make");
    row("double-ticks", "Task: a\nAcceptance: ``echo `date` ``\n", "A", "echo `date`");
    row("fence", "Task: a\nAcceptance:\n```sh\nmake\nmake check\n```\n", "A", "make\nmake check");
    row("only-constraints", "Constraints: none\n", "", "");
    row("not-at-line-start", "  Task: a\n", "", "");
}

void TestTaskFile::plainForm()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, title);
    QFETCH(QString, command);
    const TaskDocument document = TaskDocument::parse(bytes);
    QCOMPARE(document.task().title, title);
    QCOMPARE(document.task().acceptance.isEmpty(), command.isEmpty());
    if (!command.isEmpty()) {
        QCOMPARE(document.task().acceptance.first().run, command);
    }
    QString whole = QString::fromUtf8(bytes).trimmed();
    whole.remove(QLatin1Char('\r'));
    QCOMPARE(document.task().instructions.trimmed(), whole);
}

void TestTaskFile::positions()
{
    const TaskDocument document =
        TaskDocument::parse(fileBytes(dataFolder + QStringLiteral("full.task.md")));
    const std::optional<KeyPosition> scope = document.positionOf(QStringLiteral("scope"));
    QVERIFY(scope);
    QCOMPARE(scope->line, 10);
    QCOMPARE(scope->column, 1);
    QCOMPARE(scope->length, 5);
    const std::optional<KeyPosition> second = document.positionOf(QStringLiteral("scope"), 1);
    QVERIFY(second);
    QCOMPARE(second->column, 25);
    QCOMPARE(second->length, 17);
    QVERIFY(!document.positionOf(QStringLiteral("scope"), 2));
    QVERIFY(!document.positionOf(QStringLiteral("nothing")));
    QCOMPARE(document.positionOf(QStringLiteral("network.deny"), 0)->line, 23);
    const TaskDocument plain =
        TaskDocument::parse(fileBytes(dataFolder + QStringLiteral("seed.task.md")));
    QCOMPARE(plain.positionOf(QStringLiteral("acceptance"))->line, 6);
    QCOMPARE(plain.positionOf(QStringLiteral("acceptance"), 0)->column, 14);
}

QTEST_GUILESS_MAIN(TestTaskFile)
#include "tst_taskfile.moc"
