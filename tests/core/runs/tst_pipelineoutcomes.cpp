// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/runs/wholeway.h"
#include "tests/core/runs/workbench.h"

#include <QSignalSpy>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

} // namespace

Q_DECLARE_METATYPE(QList<Glovebox::RunPhase>)

/// The pipeline over plain folders, with real git and scripted agents: each outcome, what the
/// database says of it, and what is left behind (nothing).
class PipelineOutcomesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void outcomes_data();
    void outcomes();

private:
    std::unique_ptr<Workbench> m_bench;
};

void PipelineOutcomesTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void PipelineOutcomesTest::outcomes_data()
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

void PipelineOutcomesTest::outcomes()
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

QTEST_GUILESS_MAIN(PipelineOutcomesTest)
#include "tst_pipelineoutcomes.moc"
