// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/runs/wholeway.h"
#include "tests/core/runs/workbench.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

} // namespace

/// The canaries of a run, and the network that its agent has.
class PipelineBoundaryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void boundary_data();
    void boundary();
    void networkIsClosedBeforeTheAgent();
    void secondSandboxThatLeaks();

private:
    std::unique_ptr<Workbench> m_bench;
};

void PipelineBoundaryTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void PipelineBoundaryTest::boundary_data()
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

void PipelineBoundaryTest::boundary()
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
        QVERIFY(run->message().contains(QLatin1String("the agent wasn't started")));
    }
    QVERIFY(m_bench->isAllReleased());
}

void PipelineBoundaryTest::networkIsClosedBeforeTheAgent()
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

void PipelineBoundaryTest::secondSandboxThatLeaks()
{
    m_bench->faults().proxyOf.insert(QStringLiteral("verify"), PolicyProxy::Mode::Leaks);
    const std::shared_ptr<Run> run =
        m_bench->toEnd(QStringLiteral("verify: clean\n"), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::BoundaryNotEnforced);
    QCOMPARE(run->phase(), P::AwaitingReview); // the agent was at work, and its work is there
    QCOMPARE(m_bench->branches().size(), 1);
    QVERIFY(run->evidence().isEmpty());
    const QString said = run->message() + nextStepText(*run->outcome());
    QVERIFY2(said.contains(QLatin1String("nothing was checked")), qPrintable(said));
    QVERIFY2(!said.contains(QLatin1String("wasn't started")), qPrintable(said));
    QVERIFY(m_bench->isAllReleased());
}

QTEST_GUILESS_MAIN(PipelineBoundaryTest)
#include "tst_pipelineboundary.moc"
