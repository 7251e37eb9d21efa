// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phase.h"
#include "tests/support/testing.h"

using namespace Glovebox;

/// The whole matrix: what may follow what, and what each end means for programs.
class PhaseTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void moves_data();
    void moves();
    void namesAreUniqueAndComeBack();
    void exitCodes_data();
    void exitCodes();
    void precedence();
};

void PhaseTest::moves_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("legal");
    const auto row = [](const char *from, const char *legal) {
        QTest::newRow(from) << QString::fromLatin1(from) << QString::fromLatin1(legal);
    };
    row("queued", "packing failed cancelled interrupted");
    row("packing", "creating releasing interrupted");
    row("creating", "queued proving releasing interrupted");
    row("proving", "seeding releasing interrupted");
    row("seeding", "working releasing interrupted");
    row("working", "sealing importing releasing interrupted");
    row("sealing", "checking importing releasing interrupted");
    row("checking", "importing releasing interrupted");
    row("importing", "releasing interrupted");
    row("releasing", "awaiting_review failed cancelled interrupted");
    row("awaiting_review", "publishing rejected");
    row("publishing", "awaiting_review published");
    row("interrupted", "awaiting_review");
    row("published", "");
    row("rejected", "");
    row("failed", "awaiting_review");
    row("cancelled", "awaiting_review");
}

void PhaseTest::moves()
{
    QFETCH(QString, from);
    QFETCH(QString, legal);
    const QStringList expected = legal.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const RunPhase to : allPhases()) {
        QVERIFY2(canMove(*phaseOf(from), to) == expected.contains(phaseName(to)),
                 qPrintable(from + QStringLiteral(" to ") + phaseName(to)));
    }
}

void PhaseTest::namesAreUniqueAndComeBack()
{
    QSet<QString> names;
    for (const RunPhase phase : allPhases()) {
        QCOMPARE(phaseOf(phaseName(phase)), std::optional(phase));
        QVERIFY(!phaseText(phase).isEmpty());
        names << phaseName(phase);
    }
    QCOMPARE(names.size(), allPhases().size());
    for (const Outcome outcome : allOutcomes()) {
        QCOMPARE(outcomeOf(outcomeName(outcome)), std::optional(outcome));
        QVERIFY(!outcomeText(outcome).isEmpty());
        QVERIFY(nextStepText(outcome).endsWith(QLatin1Char('.')) ||
                nextStepText(outcome).endsWith(QLatin1Char(')')));
    }
    QVERIFY(!phaseOf(QStringLiteral("nonsense")));
    QVERIFY(!outcomeOf(QString()));
}

void PhaseTest::exitCodes_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("outcomes");
    QTest::newRow("0") << 0 << QStringLiteral("accepted");
    QTest::newRow("1") << 1 << QStringLiteral("acceptance_failed out_of_scope");
    QTest::newRow("3") << 3 << QStringLiteral("nothing_changed");
    QTest::newRow("4") << 4
                       << QStringLiteral(
                              "setup_failed sandbox_error agent_error import_refused interrupted");
    QTest::newRow("5") << 5 << QStringLiteral("timed_out budget_spent");
    QTest::newRow("6") << 6 << QStringLiteral("blocked");
    QTest::newRow("7") << 7 << QStringLiteral("boundary_not_enforced");
    QTest::newRow("130") << 130 << QStringLiteral("cancelled");
}

void PhaseTest::exitCodes()
{
    QFETCH(int, code);
    QFETCH(QString, outcomes);
    for (const Outcome outcome : allOutcomes()) {
        QCOMPARE(exitCodeOf(outcome) == code,
                 outcomes.split(QLatin1Char(' ')).contains(outcomeName(outcome)));
    }
}

void PhaseTest::precedence()
{
    const QList<Outcome> order{Outcome::Cancelled,        Outcome::BoundaryNotEnforced,
                               Outcome::SandboxError,     Outcome::TimedOut,
                               Outcome::Blocked,          Outcome::NothingChanged,
                               Outcome::AcceptanceFailed, Outcome::Accepted};
    for (qsizetype i = 0; i < order.size(); ++i) {
        for (qsizetype j = 0; j < order.size(); ++j) {
            QCOMPARE(worseOf(order.at(i), order.at(j)), order.at(std::min(i, j)));
        }
    }
}

QTEST_GUILESS_MAIN(PhaseTest)
#include "tst_phase.moc"
