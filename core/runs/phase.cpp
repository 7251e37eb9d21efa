// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phase.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Phase)
};

struct PhaseRow
{
    RunPhase phase;
    Stage stage;
    const char *name;
    const char *text;
};

constexpr PhaseRow phaseRows[] = {
    {RunPhase::Queued, Stage::Specify, "queued", QT_TRANSLATE_NOOP("Phase", "Queued")},
    {RunPhase::Packing, Stage::Specify, "packing", QT_TRANSLATE_NOOP("Phase", "Packing")},
    {RunPhase::Creating, Stage::Build, "creating", QT_TRANSLATE_NOOP("Phase", "Creating")},
    {RunPhase::Proving, Stage::Build, "proving", QT_TRANSLATE_NOOP("Phase", "Proving")},
    {RunPhase::Seeding, Stage::Build, "seeding", QT_TRANSLATE_NOOP("Phase", "Seeding")},
    {RunPhase::Working, Stage::Build, "working", QT_TRANSLATE_NOOP("Phase", "Working")},
    {RunPhase::Sealing, Stage::Build, "sealing", QT_TRANSLATE_NOOP("Phase", "Sealing")},
    {RunPhase::Checking, Stage::Verify, "checking", QT_TRANSLATE_NOOP("Phase", "Checking")},
    {RunPhase::Importing, Stage::Return, "importing", QT_TRANSLATE_NOOP("Phase", "Importing")},
    {RunPhase::Releasing, Stage::Return, "releasing", QT_TRANSLATE_NOOP("Phase", "Releasing")},
    {RunPhase::AwaitingReview, Stage::Review, "awaiting_review",
     QT_TRANSLATE_NOOP("Phase", "Ready for review")},
    {RunPhase::Publishing, Stage::Review, "publishing", QT_TRANSLATE_NOOP("Phase", "Publishing")},
    {RunPhase::Published, Stage::Review, "published", QT_TRANSLATE_NOOP("Phase", "Pushed")},
    {RunPhase::Rejected, Stage::Review, "rejected", QT_TRANSLATE_NOOP("Phase", "Rejected")},
    {RunPhase::Failed, Stage::Return, "failed", QT_TRANSLATE_NOOP("Phase", "Failed")},
    {RunPhase::Cancelled, Stage::Return, "cancelled", QT_TRANSLATE_NOOP("Phase", "Cancelled")},
    {RunPhase::Interrupted, Stage::Return, "interrupted",
     QT_TRANSLATE_NOOP("Phase", "Interrupted")},
};

struct OutcomeRow
{
    Outcome outcome;
    int exitCode;
    const char *name;
    const char *text;
    const char *next;
};

constexpr OutcomeRow outcomeRows[] = {
    {Outcome::Accepted, 0, "accepted", QT_TRANSLATE_NOOP("Phase", "Accepted"),
     QT_TRANSLATE_NOOP("Phase", "Review the branch, then push it.")},
    {Outcome::AcceptanceFailed, 1, "acceptance_failed",
     QT_TRANSLATE_NOOP("Phase", "Acceptance failed"),
     QT_TRANSLATE_NOOP("Phase", "The branch is kept. Read the output of the failed command, then "
                                "tighten the task and run it again.")},
    {Outcome::OutOfScope, 1, "out_of_scope", QT_TRANSLATE_NOOP("Phase", "Out of scope"),
     QT_TRANSLATE_NOOP("Phase", "The branch is kept. Look at the files outside the scope, then "
                                "widen the scope or say in the task what must stay.")},
    {Outcome::Blocked, 6, "blocked", QT_TRANSLATE_NOOP("Phase", "Blocked"),
     QT_TRANSLATE_NOOP("Phase", "Read BLOCKED.md, put what is missing into the task, and run it "
                                "again.")},
    {Outcome::NothingChanged, 3, "nothing_changed", QT_TRANSLATE_NOOP("Phase", "Nothing changed"),
     QT_TRANSLATE_NOOP("Phase", "Read the agent's last words, then say in the task what is to "
                                "change.")},
    {Outcome::TimedOut, 5, "timed_out", QT_TRANSLATE_NOOP("Phase", "Timed out"),
     QT_TRANSLATE_NOOP("Phase", "What was committed is kept. Give the task more time, or split "
                                "it.")},
    {Outcome::BudgetSpent, 5, "budget_spent", QT_TRANSLATE_NOOP("Phase", "Budget spent"),
     QT_TRANSLATE_NOOP("Phase", "What was committed is kept. Raise budget_usd or turns, or split "
                                "the task.")},
    {Outcome::Cancelled, 130, "cancelled", QT_TRANSLATE_NOOP("Phase", "Cancelled"),
     QT_TRANSLATE_NOOP("Phase", "Run the task again when you are ready.")},
    {Outcome::SetupFailed, 4, "setup_failed", QT_TRANSLATE_NOOP("Phase", "Setup failed"),
     QT_TRANSLATE_NOOP("Phase", "The agent wasn't started. Read the setup log, then mend the setup "
                                "commands or allow the host they need.")},
    {Outcome::SandboxError, 4, "sandbox_error", QT_TRANSLATE_NOOP("Phase", "Sandbox error"),
     QT_TRANSLATE_NOOP("Phase", "Ask the doctor what this backend lacks (glovebox-cli doctor).")},
    {Outcome::AgentError, 4, "agent_error", QT_TRANSLATE_NOOP("Phase", "Agent error"),
     QT_TRANSLATE_NOOP("Phase", "Read the agent's own words; often a key is missing or refused.")},
    {Outcome::ImportRefused, 4, "import_refused", QT_TRANSLATE_NOOP("Phase", "Import refused"),
     QT_TRANSLATE_NOOP("Phase", "Nothing entered the repository. Read the reason before you try it "
                                "again.")},
    {Outcome::BoundaryNotEnforced, 7, "boundary_not_enforced",
     QT_TRANSLATE_NOOP("Phase", "Boundary not enforced"),
     QT_TRANSLATE_NOOP("Phase", "Read which canary failed. Change the network preset or the "
                                "variables of the task, or choose another backend.")},
    {Outcome::Interrupted, 4, "interrupted", QT_TRANSLATE_NOOP("Phase", "Interrupted"),
     QT_TRANSLATE_NOOP("Phase", "Glovebox ended during the run. Run the task again, or go on from "
                                "the checkpoint.")},
};

const PhaseRow &rowOf(RunPhase phase)
{
    return phaseRows[static_cast<int>(phase)];
}

const OutcomeRow &rowOf(Outcome outcome)
{
    return outcomeRows[static_cast<int>(outcome)];
}

/// The order of the exit codes: the earlier counts.
int rank(int exitCode)
{
    static const QList<int> order{130, 7, 4, 5, 6, 3, 1, 0};
    return static_cast<int>(order.indexOf(exitCode));
}

QList<RunPhase> nextOf(RunPhase phase)
{
    using P = RunPhase;
    switch (phase) {
    case P::Queued:
        return {P::Packing, P::Cancelled, P::Failed, P::Interrupted};
    case P::Packing:
        return {P::Creating, P::Releasing, P::Interrupted};
    case P::Creating:
        return {P::Queued, P::Proving, P::Releasing, P::Interrupted};
    case P::Proving:
        return {P::Seeding, P::Releasing, P::Interrupted};
    case P::Seeding:
        return {P::Working, P::Releasing, P::Interrupted};
    case P::Working:
        return {P::Sealing, P::Importing, P::Releasing, P::Interrupted};
    case P::Sealing:
        return {P::Checking, P::Importing, P::Releasing, P::Interrupted};
    case P::Checking:
        return {P::Importing, P::Releasing, P::Interrupted};
    case P::Importing:
        return {P::Releasing, P::Interrupted};
    case P::Releasing:
        return {P::AwaitingReview, P::Failed, P::Cancelled, P::Interrupted};
    case P::AwaitingReview:
        return {P::Publishing, P::Rejected};
    case P::Publishing:
        return {P::Published, P::AwaitingReview};
    case P::Failed:
    case P::Cancelled:
    case P::Interrupted:
        return {P::AwaitingReview}; // its kept work was imported afterwards
    case P::Published:
    case P::Rejected:
        return {};
    }
    Q_UNREACHABLE();
}

} // namespace

const QList<RunPhase> &allPhases()
{
    static const QList<RunPhase> phases = [] {
        QList<RunPhase> list;
        for (const PhaseRow &row : phaseRows) {
            list << row.phase;
        }
        return list;
    }();
    return phases;
}

const QList<Outcome> &allOutcomes()
{
    static const QList<Outcome> outcomes = [] {
        QList<Outcome> list;
        for (const OutcomeRow &row : outcomeRows) {
            list << row.outcome;
        }
        return list;
    }();
    return outcomes;
}

bool canMove(RunPhase from, RunPhase to)
{
    return nextOf(from).contains(to);
}

bool isAtRest(RunPhase phase)
{
    return phase >= RunPhase::AwaitingReview && phase != RunPhase::Publishing;
}

Stage stageOf(RunPhase phase)
{
    return rowOf(phase).stage;
}

QString phaseName(RunPhase phase)
{
    return QString::fromLatin1(rowOf(phase).name);
}

std::optional<RunPhase> phaseOf(const QString &name)
{
    for (const PhaseRow &row : phaseRows) {
        if (name == QLatin1String(row.name)) {
            return row.phase;
        }
    }
    return std::nullopt;
}

QString outcomeName(Outcome outcome)
{
    return QString::fromLatin1(rowOf(outcome).name);
}

std::optional<Outcome> outcomeOf(const QString &name)
{
    for (const OutcomeRow &row : outcomeRows) {
        if (name == QLatin1String(row.name)) {
            return row.outcome;
        }
    }
    return std::nullopt;
}

QString phaseText(RunPhase phase)
{
    return Tr::tr(rowOf(phase).text);
}

QString stageText(Stage stage)
{
    switch (stage) {
    case Stage::Specify:
        return Tr::tr("Specify");
    case Stage::Build:
        return Tr::tr("Build");
    case Stage::Verify:
        return Tr::tr("Verify");
    case Stage::Return:
        return Tr::tr("Return");
    case Stage::Review:
        return Tr::tr("Review");
    }
    Q_UNREACHABLE();
}

QString outcomeText(Outcome outcome)
{
    return Tr::tr(rowOf(outcome).text);
}

QString nextStepText(Outcome outcome)
{
    return Tr::tr(rowOf(outcome).next);
}

int exitCodeOf(Outcome outcome)
{
    return rowOf(outcome).exitCode;
}

Outcome worseOf(Outcome a, Outcome b)
{
    return rank(exitCodeOf(b)) < rank(exitCodeOf(a)) ? b : a;
}

} // namespace Glovebox
