// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/core/runs/workbench.h"

#include <QDir>
#include <QJsonArray>

using namespace Glovebox;
using namespace Glovebox::Testing;

/// From a task file to a plan, or to the reasons why there is none; and the plan as it is shown and
/// written down.
class PlannerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void refusals_data();
    void refusals();
    void errorsOfTheMachine_data();
    void errorsOfTheMachine();
    void customRun();
    void keyedRun();
    void secondKeyOfAGroup();
    void shortSecretsAndDirtyTreesAreSaid();
    void ticksLetThrough();
    void withAndWithoutHistory();
    void oneAtATimeLosesCheckpoints();
    void verifyFollowsTheCost_data();
    void verifyFollowsTheCost();
    void branchNames_data();
    void branchNames();
    void digestIsStable();
    void rows_data();
    void rows();
    void stoppedPlanLeavesNothing();
    void findsTheRepositoryAround();

private:
    /// Nothing of any plan is on disk.
    [[nodiscard]] bool nothingIsLeft() const
    {
        return QDir(m_bench->path(QStringLiteral("data/runs"))).isEmpty();
    }
    void makeKeyedAgent();

    std::unique_ptr<Workbench> m_bench;
};

void PlannerTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void PlannerTest::makeKeyedAgent()
{
    const QString folder = m_bench->path(QStringLiteral("tools/node_modules/keyed/bin"));
    QVERIFY(QDir().mkpath(folder));
    const QString file = folder + QStringLiteral("/keyed-agent");
    VERIFY_RESULT(writeFile(file, "#!/bin/sh\necho 1.2.3\n"));
    QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QString bin = m_bench->path(QStringLiteral("tools/bin"));
    QVERIFY(QDir().mkpath(bin));
    QVERIFY(QFile::link(file, bin + QStringLiteral("/keyed-agent")));
    m_bench->setPath(bin);
}

void PlannerTest::refusals_data()
{
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const char *front, const char *code) {
        QTest::newRow(name) << QString::fromLatin1(front) << QString::fromLatin1(code);
    };
    row("unknown backend", "backend: nowhere\n", "unknown-backend");
    row("unknown agent", "agent: nobody\n", "unknown-agent");
    row("unconfirmed variable", "env: [NOT_CONFIRMED]\n", "unconfirmed-env");
    row("variable that is not set", "env: [MY_TOKEN]\n", "missing-env");
    row("open without a tick", "network: open\n", "open-network");
    row("no such base", "base: no-such-branch\n", "no-base");
    row("a lifetime above the backend's", "timeout: 24h\n", "lifetime");
    row("no such program", "agent: keyed\n", "agent-missing");
    row("broken front matter", "title: [\n", "yaml");
}

void PlannerTest::refusals()
{
    QFETCH(QString, front);
    QFETCH(QString, code);
    PlanTicks ticks;
    ticks.confirmedVariables = QStringList{QStringLiteral("MY_TOKEN")};
    const Result<PlannedRun> planned = m_bench->plan(front, QStringLiteral("true"), ticks);
    VERIFY_RESULT(planned);
    QStringList codes;
    for (const Problem &problem : planned->problems) {
        codes << (problem.severity == Severity::Error ? problem.code : QString());
        QVERIFY(!problem.message.isEmpty());
    }
    QVERIFY2(codes.contains(code), qPrintable(codes.join(QLatin1Char(' '))));
    QVERIFY(!planned->prepared);
    QVERIFY(nothingIsLeft());
    QCOMPARE(m_bench->provider().count(QString()), 0);
}

void PlannerTest::errorsOfTheMachine_data()
{
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("repository");
    QTest::newRow("no such task") << QStringLiteral("no.task.md") << QString();
    QTest::newRow("no such repository") << QString() << QStringLiteral("nowhere");
    QTest::newRow("no repository") << QString() << QStringLiteral("data");
    QTest::newRow("no commit yet") << QString() << QStringLiteral("unborn");
}

void PlannerTest::errorsOfTheMachine()
{
    QFETCH(QString, task);
    QFETCH(QString, repository);
    (void)run(QStringLiteral("git"), {QStringLiteral("init"), QStringLiteral("-q"),
                                      m_bench->path(QStringLiteral("unborn"))});
    PlanRequest request;
    request.taskFile = m_bench->writeTask(QString(), QStringLiteral("true"));
    request.repository = m_bench->repository().folder();
    if (!task.isEmpty()) {
        request.taskFile = m_bench->path(task);
    } else {
        request.repository = m_bench->path(repository);
    }
    const Result<PlannedRun> planned = await(makePlan(m_bench->parts(), request, {}));
    QVERIFY(!planned);
    QVERIFY(!planned.error().message.isEmpty());
    QVERIFY(nothingIsLeft());
}

void PlannerTest::customRun()
{
    const PreparedRun prepared = m_bench->prepared(QStringLiteral("setup: ['true', 'true']\n"),
                                                   QStringLiteral("echo hello"));
    const RunPlan &plan = prepared.plan;
    QCOMPARE(plan.agentCommand, (QStringList{QStringLiteral("sh"), QStringLiteral("-c"),
                                             QStringLiteral("echo hello\n")}));
    QCOMPARE(plan.base(), m_bench->git({QStringLiteral("rev-parse"), QStringLiteral("main")}));
    QCOMPARE(plan.branch, QStringLiteral("agent/a-task"));
    QCOMPARE(plan.repository, m_bench->repository().folder());
    QVERIFY(plan.program.isEmpty() && plan.hosts.isEmpty());
    QCOMPARE(plan.sandbox.lifetime, std::chrono::seconds(60 + 15 * 60 + 2 * 2 * 10 * 60 + 15 * 60));
    QCOMPARE(plan.sandbox.labels.value(QStringLiteral("run")), plan.run);
    QCOMPARE(plan.sandbox.labels.value(QStringLiteral("installation")),
             m_bench->store().installation());
    QVERIFY(plan.cannot.join(QLatin1Char(' ')).contains(QLatin1String("limit what it spends")));
    const Result<QByteArray> digest = sha256OfFile(plan.bundle.file);
    VERIFY_RESULT(digest);
    QCOMPARE(*digest, plan.bundle.sha256);
    QVERIFY(plan.bundle.file.startsWith(m_bench->store().runFolder(plan.run)));
    discardPlan(prepared, m_bench->store());
    QVERIFY(nothingIsLeft());
}

void PlannerTest::keyedRun()
{
    makeKeyedAgent();
    const QString front = QStringLiteral("agent: keyed\nbudget_usd: 2.5\n");
    const Result<PlannedRun> without = m_bench->plan(front, QStringLiteral("Do it."));
    VERIFY_RESULT(without);
    QVERIFY(!without->prepared);
    QCOMPARE(without->problems.last().code, QStringLiteral("no-key"));
    QVERIFY(
        without->problems.last().message.contains(QLatin1String("KEYED_API_KEY or KEYED_TOKEN")));
    QVERIFY(nothingIsLeft());
    m_bench->secrets().remember(QStringLiteral("KEYED_API_KEY"), Secret("value-of-the-key"));
    m_bench->provider().capabilities().isolation = Capabilities::Isolation::Process;
    const PreparedRun prepared = m_bench->prepared(front, QStringLiteral("Do it."));
    const RunPlan &plan = prepared.plan;
    QVERIFY(plan.program.endsWith(QLatin1String("/tools/bin/keyed-agent")));
    QCOMPARE(plan.sandbox.readable,
             (QStringList{m_bench->path(QStringLiteral("tools/bin")),
                          m_bench->path(QStringLiteral("tools/node_modules"))}));
    QCOMPARE(plan.sandbox.path, QStringList{m_bench->path(QStringLiteral("tools/bin"))});
    QCOMPARE(plan.agentCommand, (QStringList{QStringLiteral("keyed-agent"),
                                             QStringLiteral("--budget"), QStringLiteral("2.5")}));
    QCOMPARE(plan.cannot, QStringList()); // this one can limit what it spends
    QCOMPARE(plan.hosts.size(), 1);
    QCOMPARE(plan.variables.size(), 2); // and TMPDIR
    QCOMPARE(plan.variables.first().name, QStringLiteral("KEYED_API_KEY"));
    QCOMPARE(plan.variables.first().source, QStringLiteral("memory"));
    QVERIFY(plan.variables.first().secret);
    QCOMPARE(prepared.environment.first().value.reveal(), QByteArray("value-of-the-key"));
    QVERIFY(!canonicalJson(toJson(plan)).contains("value-of-the-key"));
}

void PlannerTest::secondKeyOfAGroup()
{
    makeKeyedAgent();
    m_bench->secrets().remember(QStringLiteral("KEYED_TOKEN"), Secret("value-of-the-token"));
    m_bench->provider().capabilities().isolation = Capabilities::Isolation::Remote;
    const PreparedRun prepared =
        m_bench->prepared(QStringLiteral("agent: keyed\n"), QStringLiteral("Do it."));
    QCOMPARE(prepared.plan.variables.first().name, QStringLiteral("KEYED_TOKEN"));
    QVERIFY(prepared.plan.program.isEmpty()); // it is installed over there
    QVERIFY(prepared.plan.sandbox.readable.isEmpty());
}

void PlannerTest::shortSecretsAndDirtyTreesAreSaid()
{
    m_bench->secrets().remember(QStringLiteral("MY_TOKEN"), Secret("short"));
    m_bench->repository().write(QStringLiteral("src/a.txt"), "not committed\n");
    const PreparedRun prepared =
        m_bench->prepared(QStringLiteral("env: [MY_TOKEN]\n"), QStringLiteral("true"));
    const QString notes = prepared.plan.notes.join(QLatin1Char('\n'));
    QVERIFY2(notes.contains(QLatin1String("MY_TOKEN is too short")), qPrintable(notes));
    QVERIFY2(notes.contains(QLatin1String("not committed")), qPrintable(notes));
    QVERIFY(toJson(prepared.plan)[QLatin1String("notes")].toArray().size() >= 2);
}

void PlannerTest::ticksLetThrough()
{
    m_bench->provider().setStrength(CompiledPolicy::Strength::NotEnforced);
    const Result<PlannedRun> refused = m_bench->plan(QString(), QStringLiteral("true"));
    VERIFY_RESULT(refused);
    QVERIFY(!refused->prepared);
    QCOMPARE(refused->problems.last().code, QStringLiteral("unenforced-network"));
    QVERIFY(nothingIsLeft());
    PlanTicks ticks;
    ticks.unenforced = true;
    const Result<PlannedRun> planned = m_bench->plan(QString(), QStringLiteral("true"), ticks);
    VERIFY_RESULT(planned);
    QVERIFY(planned->prepared && planned->prepared->plan.ticks.unenforced);
    const QJsonObject json = toJson(planned->prepared->plan);
    QCOMPARE(json[QLatin1String("network")][QLatin1String("strength")].toString(),
             strengthName(CompiledPolicy::Strength::NotEnforced));
    QVERIFY(json[QLatin1String("ticks")][QLatin1String("unenforced")].toBool());
}

void PlannerTest::withAndWithoutHistory()
{
    PlanRequest request;
    request.taskFile = m_bench->writeTask(QString(), QStringLiteral("true"));
    request.repository = m_bench->repository().folder();
    const Result<PlannedRun> alone = await(makePlan(m_bench->parts(), request, {}));
    request.withHistory = true;
    const Result<PlannedRun> whole = await(makePlan(m_bench->parts(), request, {}));
    VERIFY_RESULT(alone);
    VERIFY_RESULT(whole);
    QVERIFY(alone->prepared && whole->prepared);
    QVERIFY(!alone->prepared->plan.bundle.withHistory && whole->prepared->plan.bundle.withHistory);
    QVERIFY(alone->prepared->plan.bundle.objects < whole->prepared->plan.bundle.objects);
}

void PlannerTest::oneAtATimeLosesCheckpoints()
{
    m_bench->provider().capabilities().atOnce = 1;
    const PreparedRun prepared = m_bench->prepared(QString(), QStringLiteral("true"));
    QVERIFY(prepared.plan.cannot.first().contains(QLatin1String("No checkpoints")));
}

void PlannerTest::verifyFollowsTheCost_data()
{
    QTest::addColumn<bool>("billed");
    QTest::addColumn<QString>("verify");
    QTest::addColumn<bool>("clean");
    QTest::newRow("free") << false << QString() << true;
    QTest::newRow("billed") << true << QString() << false;
    QTest::newRow("free, asked for") << false << QStringLiteral("same") << false;
    QTest::newRow("billed, asked for") << true << QStringLiteral("clean") << true;
}

void PlannerTest::verifyFollowsTheCost()
{
    QFETCH(bool, billed);
    QFETCH(QString, verify);
    QFETCH(bool, clean);
    m_bench->provider().capabilities().billed = billed;
    const QString front = verify.isEmpty() ? QStringLiteral("verify: {base: false}\n")
                                           : QStringLiteral("verify: %1\n").arg(verify);
    const PreparedRun prepared = m_bench->prepared(front, QStringLiteral("true"));
    QCOMPARE(prepared.plan.verifyIn == VerifyIn::Clean, clean);
}

void PlannerTest::branchNames_data()
{
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("branch"); ///< a beginning
    QTest::newRow("of the title") << QString() << QStringLiteral("agent/a-task");
    QTest::newRow("as asked for") << QStringLiteral("branch: other\n")
                                  << QStringLiteral("agent/other");
}

void PlannerTest::branchNames()
{
    QFETCH(QString, front);
    QFETCH(QString, branch);
    QCOMPARE(m_bench->prepared(front, QStringLiteral("true")).plan.branch, branch);
}

void PlannerTest::digestIsStable()
{
    PreparedRun prepared = m_bench->prepared(QString(), QStringLiteral("true"));
    const QByteArray digest = planDigest(prepared.plan);
    QCOMPARE(digest.size(), 64);
    QCOMPARE(planDigest(prepared.plan), digest);
    const QJsonObject json = toJson(prepared.plan);
    QCOMPARE(json.keys().join(QLatin1Char(' ')),
             QStringLiteral("agent base branch bundle network notes repository run sandbox task "
                            "ticks variables"));
    prepared.plan.task.acceptance.first().run += QLatin1Char(' ');
    QVERIFY(planDigest(prepared.plan) != digest);
}

void PlannerTest::rows_data()
{
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("row"); ///< "group|what|value|measure|warning", a part of one row
    const auto row = [](const char *name, const char *front, const char *text) {
        QTest::newRow(name) << QString::fromLatin1(front) << QString::fromUtf8(text);
    };
    row("task", "", "Goes in|Task|t.task.md|");
    row("repository", "", "alone, without its history|");
    row("variable", "env: [MY_TOKEN]\n",
        "Goes in|Variable|MY_TOKEN|from memory|The agent can read this key.");
    row("no network", "", "May reach|Network|no host||");
    row("open", "network: open\n", "May reach|Network|every host||Nothing keeps");
    row("host", "network: {preset: locked-down, allow: [api.example.com]}\n",
        "May reach|Host|api.example.com|");
    row("denied", "network: {preset: locked-down, deny: [bad.example.com]}\n",
        "May reach|Refused|bad.example.com|by the task|");
    row("setup", "setup: [make deps]\n", "Runs|Setup|make deps||");
    row("agent", "", "Runs|Agent|sh -c true\n|at most 1m|");
    row("check", "", "Runs|Check|sh tests/check.sh|at most 15m|");
    row("same", "", "Runs|Checked in|a fresh checkout");
    row("clean", "verify: clean\n", "Runs|Checked in|a second sandbox");
    row("branch", "", "Comes back|Branch|agent/a-task|");
    row("scope", "", "Comes back|May change|src/**||");
    row("no scope", "scope: []\n", "Comes back|May change|any file||No scope is set.");
    row("forbid", "forbid: [secret/**]\n", "Comes back|Must not change|secret/**||");
    row("deletion", "", "Comes back|Afterwards|the sandbox is deleted|");
}

void PlannerTest::rows()
{
    QFETCH(QString, front);
    QFETCH(QString, row);
    m_bench->secrets().remember(QStringLiteral("MY_TOKEN"), Secret("long enough it is"));
    const PreparedRun prepared = m_bench->prepared(front, QStringLiteral("true"));
    QString all;
    for (const PlanRow &shown : planRows(prepared.plan)) {
        all += groupText(shown.group) + QLatin1Char('|') + shown.what + QLatin1Char('|') +
               shown.value + QLatin1Char('|') + shown.measure + QLatin1Char('|') + shown.warning +
               QLatin1Char('\n');
    }
    QVERIFY2(all.contains(row), qPrintable(all));
}

void PlannerTest::stoppedPlanLeavesNothing()
{
    PlanRequest request;
    request.taskFile = m_bench->writeTask(QString(), QStringLiteral("true"));
    request.repository = m_bench->repository().folder();
    std::stop_source stop;
    QCoro::Task<Result<PlannedRun>> task = makePlan(m_bench->parts(), request, stop.get_token());
    stop.request_stop();
    const Result<PlannedRun> planned = await(std::move(task));
    QVERIFY(!planned);
    QCOMPARE(planned.error().code, ErrorCode::Cancelled);
    QVERIFY(nothingIsLeft());
}

void PlannerTest::findsTheRepositoryAround()
{
    PlanRequest request;
    const QString task = m_bench->writeTask(QString(), QStringLiteral("true"));
    request.taskFile = m_bench->repository().folder() + QStringLiteral("/src/inside.task.md");
    QVERIFY(QFile::copy(task, request.taskFile));
    const Result<LintedTask> linted = await(lintTaskFile(m_bench->parts(), request, {}));
    VERIFY_RESULT(linted);
    QCOMPARE(linted->gitFolder, m_bench->repository().gitFolder());
    QVERIFY(!linted->base.isEmpty());
}

QTEST_GUILESS_MAIN(PlannerTest)
#include "tst_planner.moc"
