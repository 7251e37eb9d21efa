// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/core/runs/workbench.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

const QList<RunPhase> wholeWay{P::Packing, P::Creating, P::Proving,   P::Seeding,  P::Working,
                               P::Sealing, P::Checking, P::Importing, P::Releasing};

QList<RunPhase> until(RunPhase last, const QList<RunPhase> &more)
{
    return wholeWay.mid(0, wholeWay.indexOf(last) + 1) + more;
}

} // namespace

Q_DECLARE_METATYPE(QList<Glovebox::RunPhase>)

/// The pipeline over plain folders, with real git and scripted agents: each outcome, what the
/// database says of it, and what is left behind (nothing).
class PipelineTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void outcomes_data();
    void outcomes();
    void verifies_data();
    void verifies();
    void sayings_data();
    void sayings();
    void silentAgentIsEnded();
    void agentThatStaysIsEnded();
    void agentsVariables();
    void secretsAreNowhere();
    void importRefusedKeepsTheBundle();
    void ownSecretInTheResult();
    void checkpointsLeaveTheIndexAlone();
    void boundary_data();
    void boundary();
    void networkIsClosedBeforeTheAgent();
    void egressIsKept();
    void changedBundleIsNotSent();
    void dossierIsWhole();

private:
    std::unique_ptr<Workbench> m_bench;
};

void PipelineTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void PipelineTest::outcomes_data()
{
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("agent");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<QList<RunPhase>>("phases");
    const auto row = [](const char *name, const char *front, const char *agent, Outcome outcome,
                        const QList<RunPhase> &phases) {
        QTest::newRow(name) << QString::fromLatin1(front) << QString::fromLatin1(agent) << outcome
                            << phases;
    };
    const QList<RunPhase> branch = until(P::Releasing, {P::AwaitingReview});
    const QList<RunPhase> failed{P::Releasing, P::Failed};
    row("accepted", "", goodAgent, Outcome::Accepted, branch);
    row("accepted in a clean sandbox", "verify: clean\n", goodAgent, Outcome::Accepted, branch);
    row("uncommitted work is taken", "", "echo two > src/a.txt", Outcome::Accepted, branch);
    row("acceptance failed", "", "echo three > src/a.txt", Outcome::AcceptanceFailed, branch);
    row("acceptance in time", "acceptance: {run: 'sleep 60; grep -q two src/a.txt', timeout: 1s}\n",
        goodAgent, Outcome::AcceptanceFailed, branch);
    row("out of scope", "", "echo two > src/a.txt; echo x > other", Outcome::OutOfScope, branch);
    row("out of scope and failed", "", "echo x > other", Outcome::OutOfScope, branch);
    row("blocked", "", "echo 'no key' > BLOCKED.md", Outcome::Blocked, branch);
    row("blocked without a word", "", ": > BLOCKED.md", Outcome::Blocked, branch);
    row("blocked counts more than out of scope", "", "echo why > BLOCKED.md; echo x > other",
        Outcome::Blocked, branch);
    row("nothing changed", "", "echo 'I did nothing'", Outcome::NothingChanged,
        until(P::Sealing, failed));
    row("timed out with work", "timeout: 2s\n", "echo two > src/a.txt; sleep 60", Outcome::TimedOut,
        branch);
    row("timed out without work", "timeout: 1s\n", "sleep 60", Outcome::TimedOut,
        until(P::Sealing, failed));
    row("setup failed", "setup: ['true', 'echo no >&2; exit 3']\n", goodAgent, Outcome::SetupFailed,
        until(P::Seeding, failed));
    row("agent error", "", "echo broken >&2; exit 9", Outcome::AgentError,
        until(P::Sealing, failed));
    row("agent error after work", "", "echo two > src/a.txt; exit 9", Outcome::Accepted, branch);
    row("agent cannot be started", "agent: printer\n", "exec /nowhere/at-all", Outcome::AgentError,
        until(P::Sealing, failed));
    row("setup breaks in the checkout", "setup: ['test ! -e src/broken']\n",
        "echo two > src/a.txt; echo x > src/broken", Outcome::AcceptanceFailed, branch);
    row("setup breaks and it says so", "setup: ['test ! -e src/broken']\n",
        "echo why > BLOCKED.md; echo x > src/broken", Outcome::Blocked, branch);
}

void PipelineTest::outcomes()
{
    QFETCH(QString, front);
    QFETCH(QString, agent);
    QFETCH(Outcome, outcome);
    QFETCH(QList<RunPhase>, phases);
    const std::shared_ptr<Run> run = m_bench->submit(front, agent);
    QSignalSpy finished(run.get(), &Run::finished);
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(finished.size(), 1);
    QVERIFY2(run->outcome() == outcome, m_bench->log(*run).right(4000).constData());
    QCOMPARE(m_bench->phases(run->id()), phases);
    QCOMPARE(run->phase(), phases.last());
    const Result<QList<PhaseEvent>> events = m_bench->store().phaseEvents(run->id());
    VERIFY_RESULT(events);
    for (qsizetype i = 0; i < events->size(); ++i) {
        QVERIFY(canMove(events->at(i).from, events->at(i).to));
        QVERIFY(i == 0 || events->at(i).from == events->at(i - 1).to);
        QVERIFY(i == 0 || events->at(i).at >= events->at(i - 1).at);
    }
    const Result<RunRecord> record = m_bench->store().run(run->id());
    VERIFY_RESULT(record);
    QVERIFY(record->outcome == outcome && record->ended.isValid() && !record->message.isEmpty());
    const bool returned = phases.last() == P::AwaitingReview;
    QCOMPARE(m_bench->branches().size(), returned ? 1 : 0);
    QCOMPARE(record->branch, returned ? QStringLiteral("agent/a-task") : QString());
    if (returned) {
        QCOMPARE(m_bench->git({QStringLiteral("rev-parse"), record->branch}), record->tip);
        QCOMPARE(m_bench->git({QStringLiteral("merge-base"), QStringLiteral("main"), record->tip}),
                 record->base);
    }
    QVERIFY(m_bench->isAllReleased());
}

void PipelineTest::verifies_data()
{
    QTest::addColumn<QString>("verify");
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QStringList>("subjects"); ///< with what each ended
    QTest::addColumn<QString>("warning");
    QTest::addColumn<int>("sandboxes");
    const QString branch0 = QStringLiteral("branch 0");
    const QString base1 = QStringLiteral("base 1");
    const QString good = QString::fromLatin1(goodAgent);
    QTest::newRow("same") << QStringLiteral("same") << good << QStringList{branch0} << QString()
                          << 1;
    QTest::newRow("clean") << QStringLiteral("clean") << good << QStringList{branch0} << QString()
                           << 2;
    QTest::newRow("red on the base") << QStringLiteral("{in: same, base: true}") << good
                                     << QStringList{branch0, base1} << QString() << 1;
    QTest::newRow("green on the base")
        << QStringLiteral("{in: same, base: true}")
        << QStringLiteral("echo 'grep -q one src/a.txt || true' > tests/check.sh; echo x > src/b")
        << QStringList{branch0, QStringLiteral("base 0")}
        << QStringLiteral("Passed on the base as well") << 1;
    QTest::newRow("only with the changed tests")
        << QStringLiteral("{in: same, base_tests: ['tests/**']}")
        << QStringLiteral("echo true > tests/check.sh; git commit -qam cheat")
        << QStringList{branch0, QStringLiteral("branch_with_base_tests 1")}
        << QStringLiteral("Passes only with the changed tests.") << 1;
    QTest::newRow("deleted tests come back")
        << QStringLiteral("{in: clean, base_tests: ['tests/**']}")
        << QStringLiteral("echo two > src/a.txt; echo true > tests/check.sh")
        << QStringList{branch0, QStringLiteral("branch_with_base_tests 0")} << QString() << 2;
    QTest::newRow("tests that are none")
        << QStringLiteral("{in: same, base_tests: ['nowhere/**']}") << good
        << QStringList{branch0, QStringLiteral("branch_with_base_tests 0")}
        << QStringLiteral("base_tests matches no file of the base.") << 1;
}

void PipelineTest::verifies()
{
    QFETCH(QString, verify);
    QFETCH(QString, agent);
    QFETCH(QStringList, subjects);
    QFETCH(QString, warning);
    QFETCH(int, sandboxes);
    const bool greenBase =
        QString::fromLatin1(QTest::currentDataTag()) == QLatin1String("green on the base");
    if (greenBase) {
        m_bench->repository().write(QStringLiteral("tests/check.sh"), "true\n");
        (void)m_bench->repository().commitAll(QStringLiteral("A check that shows nothing"));
    }
    const std::shared_ptr<Run> run =
        m_bench->toEnd(QStringLiteral("scope: ['**']\nverify: %1\n").arg(verify), agent);
    QStringList seen;
    const Result<QList<Evidence>> evidence = m_bench->store().evidence(run->id());
    VERIFY_RESULT(evidence);
    for (const Evidence &item : *evidence) {
        seen << QStringLiteral("%1 %2").arg(subjectName(item.subject)).arg(item.result.exitCode);
        QCOMPARE(item.commit,
                 item.subject == Subject::Base ? run->plan().base() : run->returned().tip);
        QCOMPARE(item.role, sandboxes == 2 ? QStringLiteral("verify") : QStringLiteral("work"));
        const Result<QByteArray> digest = sha256OfFile(run->folder() + QLatin1Char('/') + item.log);
        VERIFY_RESULT(digest);
        QCOMPARE(item.outputSha256, *digest);
    }
    QCOMPARE(seen, subjects);
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), sandboxes);
    const QString warnings = run->warnings().join(QLatin1Char('\n'));
    QVERIFY2(warning.isEmpty() ? warnings.isEmpty() : warnings.contains(warning),
             qPrintable(warnings));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
}

void PipelineTest::sayings_data()
{
    QTest::addColumn<QString>("result");
    QTest::addColumn<QString>("work");
    QTest::addColumn<Outcome>("outcome");
    const QString work = QStringLiteral("echo two > src/a.txt\n");
    const auto line = [](const char *subtype, bool isError) {
        return QStringLiteral(R"({"type":"result","subtype":"%1","is_error":%2,"result":"words",)"
                              R"("total_cost_usd":0.25,"num_turns":3,)"
                              R"("modelUsage":{"m":{"inputTokens":11,"outputTokens":7}}})")
            .arg(QLatin1String(subtype),
                 isError ? QStringLiteral("true") : QStringLiteral("false"));
    };
    QTest::newRow("done") << line("success", false) << work << Outcome::Accepted;
    QTest::newRow("done, nothing")
        << line("success", false) << QString() << Outcome::NothingChanged;
    QTest::newRow("budget") << line("error_max_budget_usd", true) << work << Outcome::BudgetSpent;
    QTest::newRow("budget, nothing")
        << line("error_max_budget_usd", true) << QString() << Outcome::BudgetSpent;
    QTest::newRow("turns") << line("error_max_turns", true) << work << Outcome::BudgetSpent;
    QTest::newRow("failed") << line("error_during_execution", true) << QString()
                            << Outcome::AgentError;
    QTest::newRow("failed after work")
        << line("error_during_execution", true) << work << Outcome::Accepted;
}

void PipelineTest::sayings()
{
    QFETCH(QString, result);
    QFETCH(QString, work);
    QFETCH(Outcome, outcome);
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\n"),
        work + QStringLiteral(
                   "cat <<'END'\n"
                   R"({"type":"assistant","message":{"content":[{"type":"text","text":"Hello"}]}})"
                   "\n%1\nEND\n")
                   .arg(result));
    QVERIFY2(run->outcome() == outcome, m_bench->log(*run).right(4000).constData());
    const Result<RunRecord> record = m_bench->store().run(run->id());
    VERIFY_RESULT(record);
    QCOMPARE(record->costUsd.value_or(0), 0.25);
    QCOMPARE(record->inputTokens.value_or(0), 11);
    QCOMPARE(record->outputTokens.value_or(0), 7);
    QVERIFY(m_bench->log(*run).contains("Says: Hello"));
    QVERIFY(!run->events().isEmpty());
    QVERIFY(m_bench->isAllReleased());
}

void PipelineTest::silentAgentIsEnded()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\n"), QStringLiteral("echo two > src/a.txt\nsleep 50"));
    QCOMPARE(*run->outcome(), Outcome::TimedOut);
    QCOMPARE(run->returned().branch, QStringLiteral("agent/a-task"));
    QVERIFY2(
        run->warnings().join(QLatin1Char(' ')).contains(QLatin1String("No word from the agent")),
        qPrintable(run->warnings().join(QLatin1Char('\n'))));
    QVERIFY(!run->workDeadline().isValid());
}

void PipelineTest::agentThatStaysIsEnded()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\n"),
        QStringLiteral("echo two > src/a.txt\n"
                       R"(echo '{"type":"result","subtype":"success","is_error":false}')"
                       "\nsleep 50"));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
}

void PipelineTest::agentsVariables()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\n"),
        QStringLiteral(
            "test \"$PRINTER\" = yes && test -d \"$PRINTER_HOME\" && test -d \"$TMPDIR\" "
            "&& echo two > src/a.txt\ntest \"$(id -u)\" != 0 || test -n \"$PRINTER_ROOT\" "
            "|| echo three > src/a.txt"));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    QStringList names;
    for (const PlanVariable &variable : run->plan().variables) {
        names << variable.name;
    }
    names.sort();
    QCOMPARE(names, (QStringList{QStringLiteral("PRINTER"), QStringLiteral("PRINTER_HOME"),
                                 QStringLiteral("PRINTER_ROOT"), QStringLiteral("TMPDIR")}));
}

void PipelineTest::secretsAreNowhere()
{
    const QByteArray value = "Zq9-MARKER-77c1e2-and-more";
    m_bench->secrets().remember(QStringLiteral("MY_TOKEN"), Secret(value));
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("agent: printer\nenv: [MY_TOKEN]\n"),
        QStringLiteral(
            "printf '{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\","
            "\"text\":\"the key is %s\"}]}}\\n' \"$MY_TOKEN\"\n"
            "echo \"$MY_TOKEN\" >&2; echo $MY_TOKEN | base64 >&2; echo two > src/a.txt\n"));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    bool told = false;
    for (const AgentEvent &event : run->events()) {
        QVERIFY(!event.object.contains(QString::fromLatin1(value)));
        told = told || event.object.contains(QLatin1String("[redacted:MY_TOKEN]"));
    }
    QVERIFY(told);
    QProcess grep;
    grep.start(QStringLiteral("grep"),
               {QStringLiteral("-rlaF"), QStringLiteral("-e"), QString::fromLatin1(value),
                QStringLiteral("-e"), QString::fromLatin1(value.toBase64().left(20)),
                m_bench->path(QStringLiteral("data"))});
    QVERIFY(grep.waitForFinished());
    QCOMPARE(grep.readAllStandardOutput(), QByteArray());
    QCOMPARE(grep.exitCode(), 1);
}

void PipelineTest::importRefusedKeepsTheBundle()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QString(), QStringLiteral("h=$(echo x | git hash-object -w --stdin)\n"
                                  "t=$(printf '100644 blob %s\\t.GIT\\n' $h | git mktree)\n"
                                  "git update-ref HEAD $(git commit-tree -p HEAD -m w $t)\n"
                                  "echo two > src/a.txt"));
    QVERIFY2(run->outcome() == Outcome::ImportRefused, m_bench->log(*run).right(4000).constData());
    QVERIFY(QFile::exists(run->folder() + QStringLiteral("/result.bundle")));
    QVERIFY(m_bench->branches().isEmpty());
    const Result<QList<ImportRecord>> imports = m_bench->store().imports(run->id());
    VERIFY_RESULT(imports);
    QCOMPARE(imports->size(), 1);
    QCOMPARE(imports->first().verdict, QStringLiteral("refused"));
    QVERIFY(!imports->first().code.isEmpty());
    QCOMPARE(run->phase(), P::Failed);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineTest::ownSecretInTheResult()
{
    const QByteArray value = "Zq9-MARKER-77c1e2-and-more";
    m_bench->secrets().remember(QStringLiteral("MY_TOKEN"), Secret(value));
    m_bench->limits().checkpointEach = std::chrono::milliseconds(100);
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QStringLiteral("env: [MY_TOKEN]\n"),
        QStringLiteral("echo two $MY_TOKEN > src/a.txt; git commit -qam w; sleep 1"));
    QCOMPARE(*run->outcome(), Outcome::ImportRefused);
    QVERIFY(run->message().contains(QLatin1String("MY_TOKEN")));
    QVERIFY(m_bench->branches().isEmpty());
    QVERIFY(!run->checkpoints().isEmpty());
    const QStringList bundles =
        QDir(run->folder()).entryList({QStringLiteral("*.bundle")}, QDir::Files);
    QCOMPARE(bundles, QStringList{QStringLiteral("base.bundle")});
    QVERIFY(m_bench->isAllReleased());
}

void PipelineTest::checkpointsLeaveTheIndexAlone()
{
    m_bench->limits().checkpointEach = std::chrono::milliseconds(50);
    const std::shared_ptr<Run> run = m_bench->submit(
        QString(),
        QStringLiteral("echo staged > src/b.txt; git add src/b.txt; echo two > src/a.txt\n"
                       "cp .git/index before; n=0\n"
                       "until [ -e ../go ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done\n"
                       "cmp before .git/index && git status --porcelain=v1 > ../status\n"
                       "rm before; cp ../status src/status"));
    QTRY_VERIFY_WITH_TIMEOUT(!run->checkpoints().isEmpty(), 30'000);
    const CheckpointRecord first = run->checkpoints().first();
    QVERIFY(!first.sealed);
    const QString file = run->folder() + QLatin1Char('/') + first.file;
    const Result<QByteArray> digest = sha256OfFile(file);
    VERIFY_RESULT(digest);
    QCOMPARE(QString::fromLatin1(*digest), first.sha256);
    (void)m_bench->git(
        {QStringLiteral("bundle"), QStringLiteral("verify"), QStringLiteral("-q"), file});
    const QString work = m_bench->service().folder(m_bench->service().ids().first());
    QVERIFY(writeFile(QDir(work).filePath(QStringLiteral("work/go")), "go"));
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    QCOMPARE(m_bench->git({QStringLiteral("show"), QStringLiteral("agent/a-task:src/status")}),
             QStringLiteral("M src/a.txt\nA  src/b.txt\n?? before"));
    QVERIFY(run->checkpoints().last().sealed);
    const Result<QList<CheckpointRecord>> stored = m_bench->store().checkpoints(run->id());
    VERIFY_RESULT(stored);
    QCOMPARE(stored->size(), run->checkpoints().size());
}

void PipelineTest::boundary_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("missed"); ///< names of the canaries
    const QString none;
    QTest::newRow("honest") << int(PolicyProxy::Mode::Honest) << none << none << none;
    QTest::newRow("leaks") << int(PolicyProxy::Mode::Leaks) << none << none
                           << QStringLiteral("forbidden-listener forbidden-name");
    QTest::newRow("deaf") << int(PolicyProxy::Mode::Deaf) << none << none
                          << QStringLiteral("allowed-listener");
    QTest::newRow("a secret inside")
        << int(PolicyProxy::Mode::Honest) << QStringLiteral("AWS_SECRET_ACCESS_KEY") << none
        << QStringLiteral("secrets");
    QTest::newRow("a variable that is none")
        << int(PolicyProxy::Mode::Honest) << QStringLiteral("EDITOR") << none << none;
    QTest::newRow("the task's own list opens it")
        << int(PolicyProxy::Mode::Honest) << none
        << QStringLiteral("network: {preset: locked-down, allow: [localhost]}\n")
        << QStringLiteral("forbidden-listener");
}

void PipelineTest::boundary()
{
    QFETCH(int, mode);
    QFETCH(QString, variable);
    QFETCH(QString, front);
    QFETCH(QString, missed);
    m_bench->faults().proxy = static_cast<PolicyProxy::Mode>(mode);
    if (!variable.isEmpty()) {
        m_bench->faults().environment << EnvironmentVariable{variable, Secret("value-of-it")};
    }
    const std::shared_ptr<Run> run = m_bench->toEnd(front, QString::fromLatin1(goodAgent));
    QStringList seen;
    const Result<QList<ProofRecord>> proofs = m_bench->store().proofs(run->id());
    VERIFY_RESULT(proofs);
    for (const ProofRecord &proof : *proofs) {
        seen << (proof.passed ? QStringList() : QStringList{proof.canary});
    }
    QCOMPARE(seen.join(QLatin1Char(' ')), missed);
    QCOMPARE(*run->outcome(), missed.isEmpty() ? Outcome::Accepted : Outcome::BoundaryNotEnforced);
    QVERIFY(proofs->size() >= 4);
    if (!missed.isEmpty()) {
        QCOMPARE(m_bench->phases(run->id()), until(P::Proving, {P::Releasing, P::Failed}));
        QVERIFY(run->message().contains(missed.section(QLatin1Char(' '), 0, 0)));
    }
    QVERIFY(m_bench->isAllReleased());
}

void PipelineTest::networkIsClosedBeforeTheAgent()
{
    NetworkPolicy atWork;
    atWork.open = true;
    m_bench->faults().before = [&](const QString &verb,
                                   const QString &what) -> std::optional<Error> {
        if (verb == QLatin1String("start") && what.contains(QLatin1String("the agent itself"))) {
            atWork = m_bench->provider().policyNow();
        }
        return std::nullopt;
    };
    const std::shared_ptr<Run> run =
        m_bench->toEnd(QString(), QStringLiteral(": the agent itself; echo two > src/a.txt"));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    QCOMPARE(atWork, run->plan().sandbox.network);
    QVERIFY(!atWork.open && atWork.allow.isEmpty());
}

void PipelineTest::egressIsKept()
{
    EgressEntry entry{
        QStringLiteral("evil.example.com"), 443, false, 3, QDateTime::currentDateTimeUtc(),
        QDateTime::currentDateTimeUtc()};
    m_bench->faults().egress << entry;
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    const Result<QList<EgressRecord>> egress = m_bench->store().egress(run->id());
    VERIFY_RESULT(egress);
    QCOMPARE(egress->size(), 1);
    QCOMPARE(egress->first().host, entry.host);
    QCOMPARE(egress->first().count, 3);
    QCOMPARE(run->egress().size(), 1);
}

void PipelineTest::changedBundleIsNotSent()
{
    const PreparedRun prepared = m_bench->prepared(QString(), QString::fromLatin1(goodAgent));
    QVERIFY(writeFile(prepared.plan.bundle.file, "another"));
    const Result<std::shared_ptr<Run>> run = m_bench->queue().submit(prepared);
    VERIFY_RESULT(run);
    QVERIFY(m_bench->waitForEnd(*run));
    QCOMPARE(*(*run)->outcome(), Outcome::SandboxError);
    QCOMPARE(m_bench->phases((*run)->id()), until(P::Packing, {P::Releasing, P::Failed}));
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), 0);
}

void PipelineTest::dossierIsWhole()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    for (const char *name : {"task.md", "plan.json", "report.json", "receipt.json", "run.log",
                             "base.bundle", "result.bundle"}) {
        QVERIFY2(QFile::exists(run->folder() + QLatin1Char('/') + QLatin1String(name)), name);
    }
    const QJsonObject receipt =
        QJsonDocument::fromJson(
            readFile(run->folder() + QStringLiteral("/receipt.json")).value_or(QByteArray()))
            .object();
    QCOMPARE(
        receipt[QLatin1String("subject")][0][QLatin1String("digest")][QLatin1String("gitCommit")]
            .toString(),
        run->returned().tip);
    const QJsonObject predicate = receipt[QLatin1String("predicate")].toObject();
    QCOMPARE(predicate[QLatin1String("outcome")].toString(), QStringLiteral("accepted"));
    QCOMPARE(predicate[QLatin1String("sandboxes")][0][QLatin1String("state")].toString(),
             QStringLiteral("gone"));
    QCOMPARE(predicate[QLatin1String("stages")].toArray().size(), wholeWay.size() + 1);
}

QTEST_GUILESS_MAIN(PipelineTest)
#include "tst_pipeline.moc"
