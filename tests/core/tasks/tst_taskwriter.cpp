// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/taskfile.h"
#include "core/tasks/taskvalues.h"

#include "tests/support/testing.h"

#include <QDir>
#include <QRandomGenerator>
#include <QTest>

using namespace Glovebox;

class TestTaskWriter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void edits_data();
    void edits();
    void plainFormGetsFrontMatter();
    void textGetsFrontMatter();
    void impossibleValueIsWritten();
    void goldenFilesStay();
};

namespace {

using Change = void (*)(TaskFile *);

QByteArray frontMatter(const QByteArray &yaml)
{
    return "---\n" + yaml + "---\nBody.\n";
}

void row(const char *name, const char *key, Change change, const QByteArray &before,
         const QByteArray &after)
{
    TaskFile task = TaskDocument::parse(frontMatter(before)).task();
    change(&task);
    const QByteArray written =
        TaskDocument::parse(frontMatter(before)).withKey(QString::fromLatin1(key), task);
    QTest::newRow(name) << QString::fromLatin1(key) << frontMatter(before) << written
                        << frontMatter(after);
}

void scalarRows()
{
    row(
        "scalar", "title", [](TaskFile *t) { t->title = QStringLiteral("New"); },
        "# c\ntitle:  Old   # why\nscope: a\n", "# c\ntitle:  New   # why\nscope: a\n");
    row(
        "scalar-keeps-quotes", "title", [](TaskFile *t) { t->title = QStringLiteral("it's"); },
        "title: 'Old'\n", "title: 'it''s'\n");
    row(
        "scalar-needs-quotes", "title", [](TaskFile *t) { t->title = QStringLiteral("a: b #c"); },
        "title: Old\n", "title: \"a: b #c\"\n");
    row(
        "scalar-like-a-word", "branch", [](TaskFile *t) { t->branch = QStringLiteral("no"); },
        "branch: x\n", "branch: \"no\"\n");
    row(
        "added-in-order", "model", [](TaskFile *t) { t->model = QStringLiteral("m1"); },
        "title: x\nagent: codex # c\n# about backend\nbackend: e2b\n",
        "title: x\nagent: codex # c\nmodel: m1\n# about backend\nbackend: e2b\n");
    row(
        "added-first", "title", [](TaskFile *t) { t->title = QStringLiteral("T"); },
        "# about scope\nscope: a\n", "title: T\n# about scope\nscope: a\n");
    row(
        "added-to-nothing", "branch", [](TaskFile *t) { t->branch = QStringLiteral("b"); },
        "# only a comment\n", "branch: b\n# only a comment\n");
    row(
        "removed-when-empty", "model", [](TaskFile *t) { t->model.clear(); },
        "title: x\nmodel: m # gone too\n# stays\nscope: a\n", "title: x\n# stays\nscope: a\n");
    row(
        "default-is-written-in-place", "backend",
        [](TaskFile *t) { t->backend = QStringLiteral("srt"); }, "backend: e2b\n",
        "backend: srt\n");
    row(
        "empty-value-filled", "base", [](TaskFile *t) { t->base = QStringLiteral("main"); },
        "base:   # none yet\n", "base: main   # none yet\n");
    row(
        "duration", "timeout", [](TaskFile *t) { t->timeout = std::chrono::minutes(90); },
        "timeout: 60m\n", "timeout: 1h30m\n");
    row(
        "budget-none", "budget_usd", [](TaskFile *t) { t->budgetUsd = std::nullopt; },
        "budget_usd: 3\n", "budget_usd: none\n");
    row(
        "turns-away", "turns", [](TaskFile *t) { t->turns = std::nullopt; }, "turns: 3\nenv: A\n",
        "env: A\n");
    row(
        "flow-root", "branch", [](TaskFile *t) { t->branch = QStringLiteral("b"); },
        "{title: x, env: [A]}\n", "{title: x, branch: b, env: [A]}\n");
    row(
        "indented-root", "model", [](TaskFile *t) { t->model = QStringLiteral("m"); },
        "  title: x\n  scope: a\n", "  title: x\n  scope: a\n  model: m\n");
}

void listRows()
{
    row(
        "item-added", "scope", [](TaskFile *t) { t->scope << QStringLiteral("c/**"); },
        "scope:\n    # first\n    - a/**  # one\n    - b/**\n# end\n",
        "scope:\n    # first\n    - a/**  # one\n    - b/**\n    - c/**\n# end\n");
    row(
        "item-removed", "scope", [](TaskFile *t) { t->scope.removeFirst(); },
        "scope:\n- a\n# about b\n- b\ntitle: x\n", "scope:\n# about b\n- b\ntitle: x\n");
    row(
        "item-changed", "scope", [](TaskFile *t) { t->scope[1] = QStringLiteral("**/x"); },
        "scope:\n  - a\n  - b   # why\n  - c\n", "scope:\n  - a\n  - \"**/x\"   # why\n  - c\n");
    row(
        "item-put-first", "scope", [](TaskFile *t) { t->scope.prepend(QStringLiteral("z")); },
        "scope:\n  - a\n", "scope:\n  - z\n  - a\n");
    row(
        "flow-added", "env", [](TaskFile *t) { t->environment << QStringLiteral("C"); },
        "env: [A, B]  # names\n", "env: [A, B, C]  # names\n");
    row(
        "flow-removed", "env", [](TaskFile *t) { t->environment = {QStringLiteral("B")}; },
        "env: [A, B, C]\n", "env: [B]\n");
    row(
        "flow-lines", "env", [](TaskFile *t) { t->environment.insert(1, QStringLiteral("X")); },
        "env: [A,  # a\n      B]  # b\n", "env: [A, X,  # a\n      B]  # b\n");
    row(
        "one-to-one", "setup", [](TaskFile *t) { t->setup = {QStringLiteral("npm i")}; },
        "setup: npm ci # fast\n", "setup: npm i # fast\n");
    row(
        "one-to-two", "setup", [](TaskFile *t) { t->setup << QStringLiteral("make"); },
        "setup: npm ci # fast\nenv: A\n", "setup: # fast\n  - npm ci\n  - make\nenv: A\n");
    row(
        "list-emptied", "forbid", [](TaskFile *t) { t->forbid.clear(); },
        "forbid:\n  - a\n  # note\n  - b\nenv: A\n", "env: A\n");
    row(
        "new-list", "scope",
        [](TaskFile *t) {
            t->scope = {QStringLiteral("a b"), QStringLiteral("*")};
        },
        "title: x\n", "title: x\nscope:\n  - a b\n  - \"*\"\n");
    row(
        "several-lines", "setup", [](TaskFile *t) { t->setup = {QStringLiteral("a\nb")}; },
        "title: x\n", "title: x\nsetup:\n  - |-\n    a\n    b\n");
    row(
        "several-lines-before-comment", "setup",
        [](TaskFile *t) { t->setup = {QStringLiteral("a\nb")}; }, "setup: x # c\n",
        "setup: \"a\\nb\" # c\n");
    row(
        "block-scalar-to-line", "setup", [](TaskFile *t) { t->setup = {QStringLiteral("c")}; },
        "setup: |\n  a\n  b\n\n# c\nenv: A\n", "setup: c\n\n# c\nenv: A\n");
}

void mapRows()
{
    row(
        "command-gets-time", "acceptance",
        [](TaskFile *t) { t->acceptance[0].timeout = std::chrono::minutes(2); },
        "acceptance:\n  - make  # c\n", "acceptance:\n  - {run: make, timeout: 2m}  # c\n");
    row(
        "map-member-added", "acceptance",
        [](TaskFile *t) { t->acceptance[0].timeout = std::chrono::minutes(2); },
        "acceptance:\n  - name: n  # c\n    run: make\n  - other\n",
        "acceptance:\n  - name: n  # c\n    run: make\n    timeout: 2m\n  - other\n");
    row(
        "map-member-removed", "acceptance",
        [](TaskFile *t) { t->acceptance[0].name = t->acceptance[0].run; },
        "acceptance:\n  - name: n\n    run: make\n", "acceptance:\n  - run: make\n");
    row(
        "map-in-flow", "acceptance",
        [](TaskFile *t) { t->acceptance[0].name = t->acceptance[0].run = QStringLiteral("a, b"); },
        "acceptance: [{run: make, timeout: 1m}]\n", "acceptance: [{run: \"a, b\", timeout: 1m}]\n");
    row(
        "unknown-members-stay", "network",
        [](TaskFile *t) { t->network.allow << QStringLiteral("b.example.com"); },
        "network: {preset: open, x: 1, allow: [a.example.com]}\n",
        "network: {preset: open, x: 1, allow: [a.example.com, b.example.com]}\n");
    row(
        "network-to-map", "network",
        [](TaskFile *t) { t->network.allow = {QStringLiteral("a.example.com")}; },
        "network: locked-down # c\nenv: A\n",
        "network: # c\n  preset: locked-down\n  allow:\n    - a.example.com\nenv: A\n");
    row(
        "network-map-stays", "network", [](TaskFile *t) { t->network.allow.clear(); },
        "network:\n  # c\n  preset: open\n  allow: [x]\n", "network:\n  # c\n  preset: open\n");
    row(
        "network-both-away", "network",
        [](TaskFile *t) { t->network.allow = t->network.deny = {}; },
        "network: {preset: open, allow: [x], deny: [y]}\n", "network: open\n");
    row(
        "agent-to-map", "agent",
        [](TaskFile *t) {
            t->agent = {QStringLiteral("custom"), QStringLiteral("run it")};
        },
        "agent: claude\n", "agent:\n  command: run it\n");
    row(
        "agent-from-map", "agent",
        [](TaskFile *t) {
            t->agent = {QStringLiteral("codex"), {}};
        },
        "agent:\n  # mine\n  command: x\nenv: A\n", "agent: codex\n  # mine\nenv: A\n");
    row(
        "verify-new", "verify", [](TaskFile *t) { t->verify.onBase = true; }, "title: x\n",
        "title: x\nverify:\n  base: true\n");
    row(
        "verify-away", "verify", [](TaskFile *t) { t->verify = {}; }, "verify: clean\nenv: A\n",
        "env: A\n");
}

} // namespace

void TestTaskWriter::edits_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QByteArray>("expected");
    scalarRows();
    listRows();
    mapRows();
}

void TestTaskWriter::edits()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, written);
    QFETCH(QByteArray, expected);
    QVERIFY(TaskDocument::parse(before).canChange());
    QCOMPARE(written, expected);
}

void TestTaskWriter::plainFormGetsFrontMatter()
{
    const QByteArray bytes("\xEF\xBB\xBFTask: do it.\r\nAcceptance: `make: all`\r\n");
    const TaskDocument document = TaskDocument::parse(bytes);
    QVERIFY(document.isPlainForm());
    TaskFile task = document.task();
    QCOMPARE(document.withKey(QStringLiteral("scope"), task), bytes);
    task.scope = {QStringLiteral("src/")};
    const QByteArray written = document.withKey(QStringLiteral("scope"), task);
    QCOMPARE(written, QByteArray("\xEF\xBB\xBF---\r\ntitle: Do it\r\nacceptance:\r\n  - \"make: "
                                 "all\"\r\nscope:\r\n  - src/\r\n---\r\n\r\nTask: do "
                                 "it.\r\nAcceptance: `make: all`\r\n"));
    const TaskDocument again = TaskDocument::parse(written);
    QVERIFY(again.problems().isEmpty());
    QVERIFY(!again.isPlainForm());
    QCOMPARE(again.task().instructions, task.instructions);
    QCOMPARE(again.task().scope, task.scope);
    QCOMPARE(again.task().acceptance.first().run, QStringLiteral("make: all"));
}

void TestTaskWriter::textGetsFrontMatter()
{
    const TaskDocument document = TaskDocument::parse("Just a text.\n");
    TaskFile task = document.task();
    task.acceptance = {AcceptanceCommand{{}, QStringLiteral("make"), std::chrono::minutes(15)}};
    QCOMPARE(document.withKey(QStringLiteral("acceptance"), task),
             QByteArray("---\nacceptance:\n  - make\n---\n\nJust a text.\n"));
}

/// A form shows what was typed, so a value that no task can have is written and then complained of.
void TestTaskWriter::impossibleValueIsWritten()
{
    const QByteArray bytes = frontMatter("title: x\n");
    const TaskDocument document = TaskDocument::parse(bytes);
    TaskFile task = document.task();
    task.attempts = 1000;
    const QByteArray written = document.withKey(QStringLiteral("attempts"), task);
    QCOMPARE(written, frontMatter("title: x\nattempts: 1000\n"));
    QCOMPARE(TaskDocument::parse(written).problems().first().code, QStringLiteral("out-of-range"));
}

void TestTaskWriter::goldenFilesStay()
{
    const QDir folder(QStringLiteral(GLOVEBOX_TEST_DATA "/tasks"));
    const QStringList files = folder.entryList({QStringLiteral("*.task.md")});
    QVERIFY(!files.isEmpty());
    for (const QString &name : files) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        const TaskDocument document = TaskDocument::parse(bytes);
        for (const QString &key : TaskDocument::knownKeys()) {
            QCOMPARE(document.withKey(key, document.task()), bytes);
        }
    }
}

QTEST_GUILESS_MAIN(TestTaskWriter)
#include "tst_taskwriter.moc"
