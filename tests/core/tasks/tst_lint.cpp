// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lint.h"
#include "core/tasks/templates.h"

#include "tests/support/testing.h"

#include <QTest>

using namespace Glovebox;

class TestLint final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rules_data();
    void rules();
    void fixes_data();
    void fixes();
    void silentWithoutFacts();
    void unreadableFileOnlySaysThat();
    void inOrderOfPlaces();
    void secretsAreNamedNotRepeated();
    void templatesAreClean_data();
    void templatesAreClean();
    void templatesTellTheAgent();
};

namespace {

using Facts = LintFacts;
using Set = void (*)(LintFacts *);

const QByteArray good("title: Fine\nacceptance: [make check]\nscope: [src/**]\n");

LintFacts everything()
{
    LintFacts facts;
    facts.backend = LintFacts::BackendFacts();
    facts.agent = LintFacts::AgentFacts();
    facts.agent->limitsBudget = facts.agent->limitsTurns = facts.agent->choosesModel = true;
    facts.repository = LintFacts::RepositoryFacts();
    facts.repository->basePaths = {"src/a.ts", "src/billing/charge.ts", "README.md",
                                   "app/[id]/page.tsx"};
    facts.repository->branches = {QStringLiteral("main")};
    facts.backendIds = {QStringLiteral("srt"), QStringLiteral("sbx"), QStringLiteral("e2b")};
    facts.agentIds = {QStringLiteral("claude"), QStringLiteral("codex")};
    return facts;
}

QByteArray fileWith(const QByteArray &yaml)
{
    return "---\n" + yaml + "---\nDo it.\n";
}

QString shown(const QList<Problem> &problems)
{
    static const char *const letters[] = {"E", "W", "H"};
    QStringList lines;
    for (const Problem &problem : problems) {
        lines << QStringLiteral("%1 %2 %3:%4")
                     .arg(QLatin1String(letters[static_cast<int>(problem.severity)]), problem.code)
                     .arg(problem.line)
                     .arg(problem.column);
    }
    return lines.join(QStringLiteral(", "));
}

void none(LintFacts *) {}

void row(const char *name, const QByteArray &yaml, Set set, const char *expected)
{
    LintFacts facts = everything();
    set(&facts);
    const QList<Problem> problems = lintTask(TaskDocument::parse(fileWith(yaml)), facts);
    QTest::newRow(name) << shown(problems) << QString::fromLatin1(expected);
}

void commandRows()
{
    row("clean", good, none, "");
    row("no-acceptance", "title: x\nscope: [src/**]\n", none, "E no-acceptance 0:0");
    row("acceptance-empty", "title: x\nacceptance: []\nscope: [src/**]\n", none,
        "E no-acceptance 3:1");
    const QByteArray rest("title: x\nscope: [src/**]\nacceptance:\n  - ");
    for (const char *command :
         {"true", "\":\"", "exit 0", "make || true", "make; exit 0", "\"make || :\"",
          "\"# only this\"", "sh -c 'make || true'", "make; echo done", "make &"}) {
        row(command, rest + command + "\n", none, "E acceptance-cannot-fail 5:5");
    }
    row("pipe", rest + "make | tee log\n", none, "W acceptance-pipe 5:5");
    row("pipefail", rest + "set -o pipefail; make | tee log\n", none, "");
    row("second-item", rest + "make\n  - run: 'true'\n", none, "E acceptance-cannot-fail 6:5");
    row(
        "program-missing", rest + "cd x && A=1 npm test | grep -q ok\nsetup: cargo fetch\n",
        [](Facts *f) { f->backend->programs = {QStringLiteral("grep")}; },
        "W program-missing 5:5, W program-missing 6:8");
    row("npx-container-use", good + "setup: [npx -y container-use stdio]\n", none,
        "E trap-container-use 5:9");
    row("npx-container-use-agent", good + "agent: {command: npx container-use}\n", none,
        "E trap-container-use 5:1");
}

void placeRows()
{
    const QByteArray rest("title: x\nacceptance: make\n");
    row("no-scope", rest, none, "W no-scope 0:0");
    row("bad-scope", rest + "scope: ['a[']\n", none, "E bad-pattern 4:9");
    row("bad-forbid", good + "forbid: [src/../x]\n", none, "E bad-pattern 5:10");
    row("bad-base-tests", good + "verify: {base_tests: ['{a,b']}\n", none, "E bad-pattern 5:23");
    row("scope-matches-nothing", rest + "scope: [lib/**]\n", none, "W matches-nothing 4:9");
    row("scope-new-folder-too", rest + "scope: [src/**, lib/**]\n", none, "H matches-nothing 4:17");
    row("scope-new-file", rest + "scope: [NEW.md]\n", none, "H matches-nothing 4:9");
    row("scope-folder-without-slash", rest + "scope: [src/**, src/billing]\n", none,
        "W matches-nothing 4:17");
    row(
        "no-base", good + "base: maine\n", [](Facts *f) { f->repository->baseExists = false; },
        "E no-base 5:1");
    row(
        "no-commit-yet", good, [](Facts *f) { f->repository->baseExists = false; },
        "E no-base 0:0");
    row("bad-branch", good + "branch: a b\n", none, "E bad-branch 5:1");
    row("branch-prefix", good + "branch: agent/x\n", none, "W branch-prefix 5:1");
    row(
        "branch-taken", good + "branch: x\n",
        [](Facts *f) { f->repository->branches << QStringLiteral("agent/X"); },
        "W branch-taken 5:1");
    row(
        "title-taken", good,
        [](Facts *f) { f->repository->branches << QStringLiteral("agent/fine"); },
        "W branch-taken 0:0");
    row(
        "branch-blocked-by-agent", good + "branch: x\n",
        [](Facts *f) { f->repository->branches << QStringLiteral("agent"); },
        "E branch-blocked 5:1");
    row(
        "branch-blocked-below", good + "branch: x\n",
        [](Facts *f) { f->repository->branches << QStringLiteral("agent/x/y"); },
        "E branch-blocked 5:1");
}

void choiceRows()
{
    row(
        "unknown-backend", good + "backend: sbz\n", [](Facts *f) { f->backend->known = false; },
        "E unknown-backend 5:1");
    row(
        "unknown-agent", good + "agent: codec\n", [](Facts *f) { f->agent->known = false; },
        "E unknown-agent 5:1");
    row(
        "budget-written", good + "budget_usd: 3\n",
        [](Facts *f) { f->agent->limitsBudget = false; }, "W budget-not-enforced 5:1");
    row(
        "budget-default", good, [](Facts *f) { f->agent->limitsBudget = false; },
        "H budget-not-enforced 0:0");
    row(
        "budget-none", good + "budget_usd: none\n",
        [](Facts *f) { f->agent->limitsBudget = false; }, "");
    row(
        "turns", good + "turns: 3\n", [](Facts *f) { f->agent->limitsTurns = false; },
        "W turns-not-enforced 5:1");
    row(
        "model", good + "model: m\n", [](Facts *f) { f->agent->choosesModel = false; },
        "W model-not-chosen 5:1");
    row("attempts", good + "attempts: 2\n", none, "W attempts 5:1");
    row(
        "lifetime", good + "timeout: 2h\n",
        [](Facts *f) { f->backend->maximumLifetime = std::chrono::hours(1); }, "E lifetime 5:1");
    row(
        "lifetime-with-checks", good,
        [](Facts *f) { f->backend->maximumLifetime = std::chrono::hours(1); },
        "W lifetime-checks 0:0");
    row(
        "lifetime-clean", good + "verify: clean\n",
        [](Facts *f) { f->backend->maximumLifetime = std::chrono::hours(1); }, "");
    row(
        "lifetime-clean-checks",
        "title: x\nscope: [src/**]\nacceptance: [{run: make, timeout: 90m}]\nverify: clean\n",
        [](Facts *f) { f->backend->maximumLifetime = std::chrono::hours(1); },
        "W lifetime-checks 4:1");
    row(
        "one-at-once", good + "backend: sbx\n", [](Facts *f) { f->backend->atOnce = 1; },
        "W one-at-once 5:1");
    row(
        "linked-worktree-sbx", good + "backend: sbx\n",
        [](Facts *f) { f->repository->linkedWorktree = true; }, "E trap-linked-worktree 5:1");
    row(
        "linked-worktree-srt", good, [](Facts *f) { f->repository->linkedWorktree = true; }, "");
    row("template-trap", good + "backend: e2b\ntemplate: claude-code\n", none,
        "E trap-template 6:1");
    row("template-elsewhere", good + "backend: sbx\ntemplate: claude-code\n", none, "");
    row("forge-token", good + "env: [CI, GITHUB_TOKEN]\n", none, "E forge-token 5:11");
    row("no-title", "acceptance: make\nscope: [src/**]\n", none, "W no-title 0:0");
}

void networkRows()
{
    row("open", good + "network: open\n", none, "E open-network 5:1");
    row(
        "open-accepted", good + "network: open\n", [](Facts *f) { f->openAccepted = true; }, "");
    row(
        "open-with-prompts", good + "network: open\n",
        [](Facts *f) { f->agent->bypassesPermissions = false; }, "");
    row(
        "open-with-list", good + "network: {preset: open, allow: [a.example.com]}\n",
        [](Facts *f) { f->openAccepted = true; }, "H allow-ignored 5:33");
    row(
        "not-enforced", good, [](Facts *f) { f->backend->enforcesNetwork = false; },
        "W network-not-enforced 0:0");
    const auto hosts = [](const char *name, const char *list, Set set, const char *expected) {
        row(name, good + "network: {allow: [" + list + "]}\n", set, expected);
    };
    hosts("hosts-good", "a.example.com, '*.example.com', 'b.example.com:443', 10.0.0.0/8, 'a::1'",
          none, "");
    hosts("host-url", "'https://a.example.com/x'", none, "E bad-host 5:19");
    hosts("host-star", "'*'", none, "E bad-host 5:19");
    hosts("host-blank", "'a b'", none, "E bad-host 5:19");
    hosts(
        "host-predicate", "a.example.com",
        [](Facts *f) {
            f->readsHost = [](const QString &) {
                return false;
            };
        },
        "E bad-host 5:19");
    const Set namesOnly = [](Facts *f) {
        f->backend->takesAddresses = false;
    };
    hosts("address-block", "10.0.0.0/8", namesOnly, "E host-address 5:19");
    hosts("address-six", "'2001:db8::1'", namesOnly, "E host-address 5:19");
    hosts("address-not", "'a.example.com:443'", namesOnly, "");
    hosts("loopback", "localhost", none, "W host-loopback 5:19");
    hosts("loopback-port", "'localhost:8080'", none, "");
}

} // namespace

void TestLint::rules_data()
{
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("expected");
    commandRows();
    placeRows();
    choiceRows();
    networkRows();
}

void TestLint::rules()
{
    QFETCH(QString, found);
    QFETCH(QString, expected);
    QCOMPARE(found, expected);
}

void TestLint::fixes_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QByteArray>("mended");
    const auto fix = [](const char *name, const QByteArray &yaml, const char *title,
                        const QByteArray &mended) {
        QTest::newRow(name) << yaml << QString::fromLatin1(title) << mended;
    };
    fix("or-true", "title: x\nscope: [src/**]\nacceptance: make || true # c\n", "Use \"make\"",
        "title: x\nscope: [src/**]\nacceptance: make # c\n");
    fix("exit-0", "title: x\nscope: [src/**]\nacceptance:\n  - make && x; exit 0\n",
        "Use \"make && x\"", "title: x\nscope: [src/**]\nacceptance:\n  - make && x\n");
    fix("folder", "title: x\nacceptance: make\nscope:\n  - src/**\n  - src/billing # c\n",
        "Use src/billing/",
        "title: x\nacceptance: make\nscope:\n  - src/**\n  - src/billing/ # c\n");
    fix("anywhere", "title: x\nacceptance: make\nscope: [charge.ts]\n", "Use **/charge.ts",
        "title: x\nacceptance: make\nscope: [\"**/charge.ts\"]\n");
    fix("brackets", "title: x\nacceptance: make\nscope: ['app/[id]/*']\n", "Use app/\\[id\\]/*",
        "title: x\nacceptance: make\nscope: ['app/\\[id\\]/*']\n");
    fix("branch", good + "branch: Fix  the thing!\n", "Use agent/fix-the-thing",
        good + "branch: fix-the-thing\n");
    fix("branch-prefix", good + "branch: agent/x\n", "Use agent/x", good + "branch: x\n");
    fix("branch-taken", good + "branch: taken\n", "Use agent/taken-3", good + "branch: taken-3\n");
    fix("open", good + "network: open # c\n", "Use balanced", good + "network: balanced # c\n");
    fix("url", good + "network: {allow: ['https://u@a.example.com:8443/x']}\n",
        "Use a.example.com:8443", good + "network: {allow: ['a.example.com:8443']}\n");
    fix("timeout", good + "timeout: 20h\n", "Use 9h45m", good + "timeout: 9h45m\n");
    fix("timeout-checks", good + "timeout: 10h\n", "Use 9h45m", good + "timeout: 9h45m\n");
    fix("forge-token", good + "env: [CI, GH_TOKEN]\n", "Remove GH_TOKEN", good + "env: [CI]\n");
}

void TestLint::fixes()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, title);
    QFETCH(QByteArray, mended);
    LintFacts facts = everything();
    facts.repository->branches << QStringLiteral("agent/taken") << QStringLiteral("agent/taken-2");
    facts.backend->maximumLifetime = std::chrono::hours(10);
    const TaskDocument document = TaskDocument::parse(fileWith(yaml));
    const QList<Problem> problems = lintTask(document, facts);
    QCOMPARE(problems.size(), 1);
    QCOMPARE(problems.first().fixes.size(), 1);
    QCOMPARE(problems.first().fixes.first().title, title);
    QCOMPARE(applyFix(document.bytes(), problems.first().fixes.first()), fileWith(mended));
    QVERIFY(lintTask(TaskDocument::parse(fileWith(mended)), facts).isEmpty());
}

void TestLint::silentWithoutFacts()
{
    const QByteArray yaml = good + "network: open\nagent: who\nbackend: what\nbase: x\nturns: 3\n";
    QCOMPARE(shown(lintTask(TaskDocument::parse(fileWith(yaml)), {})), QString());
}

void TestLint::unreadableFileOnlySaysThat()
{
    const QList<Problem> yaml = lintTask(TaskDocument::parse(fileWith("a: b: c\n")), everything());
    QCOMPARE(shown(yaml), QStringLiteral("E yaml 2:5"));
    const QList<Problem> text = lintTask(TaskDocument::parse("Just a text."), everything());
    QCOMPARE(shown(text), QStringLiteral("W no-title 0:0, E no-acceptance 0:0, W no-scope 0:0"));
    const QList<Problem> empty = lintTask(TaskDocument::parse({}), everything());
    QCOMPARE(shown(empty), QStringLiteral("W no-title 0:0, E no-instructions 0:0, E no-acceptance "
                                          "0:0, W no-scope 0:0"));
    const QList<Problem> plain =
        lintTask(TaskDocument::parse("Task: x\nAcceptance: ok\n"), everything());
    QCOMPARE(shown(plain), QStringLiteral("W no-scope 0:0, E no-acceptance 2:1"));
}

void TestLint::inOrderOfPlaces()
{
    const QByteArray yaml("scope: ['a[']\ntitel: x\nacceptance: 'true'\nattempts: 3\n");
    QCOMPARE(shown(lintTask(TaskDocument::parse(fileWith(yaml)), {})),
             QStringLiteral("W no-title 0:0, E bad-pattern 2:9, W unknown-key 3:1, "
                            "E acceptance-cannot-fail 4:13, W attempts 5:1"));
}

void TestLint::secretsAreNamedNotRepeated()
{
    const QByteArray token = "gl" + QByteArray("pat-") + "a1B2c3D4e5F6g7H8i9J0";
    const QByteArray text = fileWith(good + "setup: curl -H " + token + "\n") + "Key: " + token;
    const QList<Problem> problems = lintTask(TaskDocument::parse(text), everything());
    QCOMPARE(shown(problems), QStringLiteral("E secret 5:16, E secret 8:6"));
    for (const Problem &problem : problems) {
        QVERIFY(problem.message.contains(QStringLiteral("GitLab")));
        QVERIFY(!problem.message.contains(QString::fromUtf8(token)));
        QCOMPARE(problem.length, static_cast<int>(token.size()));
    }
}

void TestLint::templatesAreClean_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected"); // what the user has to fill in
    const QString toFill = QStringLiteral("W no-value 2:7, E no-acceptance 4:1, W no-scope 6:1");
    const QList<TaskTemplate> templates = taskTemplates();
    QCOMPARE(templates.size(), 5);
    for (const TaskTemplate &task : templates) {
        const bool complete =
            task.id == QLatin1String("audit") || task.id == QLatin1String("harness");
        QTest::newRow(qPrintable(task.id)) << task.text << (complete ? QString() : toFill);
        QVERIFY(!task.title.isEmpty() && !task.about.isEmpty());
    }
}

void TestLint::templatesAreClean()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    QVERIFY(!text.isEmpty());
    const TaskDocument document = TaskDocument::parse(text);
    QCOMPARE(shown(lintTask(document, {})), expected);
    TaskFile filled = document.task(); // and clean altogether once that is done
    filled.title = QStringLiteral("Done");
    filled.acceptance = {AcceptanceCommand{{}, QStringLiteral("make check")}};
    filled.scope = {QStringLiteral("src/**")};
    QByteArray bytes = text;
    for (const char *key : {"title", "acceptance", "scope"}) {
        bytes = TaskDocument::parse(bytes).withKey(QLatin1String(key), filled);
    }
    QCOMPARE(shown(lintTask(TaskDocument::parse(bytes), everything())), QString());
    QVERIFY(TaskDocument::parse(bytes).task().instructions == document.task().instructions);
}

void TestLint::templatesTellTheAgent()
{
    const QList<TaskTemplate> templates = taskTemplates();
    for (const TaskTemplate &task : templates) {
        const QString told = TaskDocument::parse(task.text).task().instructions.simplified();
        for (const char *words : {"Nobody answers questions", "Do not push",
                                  "Do not edit, skip or weaken existing tests",
                                  "commit what there is and write `BLOCKED.md`"}) {
            QVERIFY2(told.contains(QLatin1String(words)), qPrintable(task.id));
        }
    }
}

QTEST_GUILESS_MAIN(TestLint)
#include "tst_lint.moc"
