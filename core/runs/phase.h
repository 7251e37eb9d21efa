// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace Glovebox {

/// Where a run is. The five stages on screen are groups of these.
enum class RunPhase {
    Queued,
    Packing,
    Creating,
    Proving,
    Seeding,
    Working,
    Sealing,
    Checking,
    Importing,
    Releasing,
    AwaitingReview, ///< the pipeline ends here when there is a branch, whatever the outcome
    Publishing,
    Published,
    Rejected,
    Failed, ///< only for runs without a branch
    Cancelled,
    Interrupted,
};

enum class Stage { Specify, Build, Verify, Return, Review };

/// How a run ended. Each has a next step; where several hold, the one with the worst exit code
/// counts.
enum class Outcome {
    Accepted,
    AcceptanceFailed,
    OutOfScope,
    Blocked,
    NothingChanged,
    TimedOut,
    BudgetSpent,
    Cancelled,
    SetupFailed,
    SandboxError,
    AgentError,
    ImportRefused,
    BoundaryNotEnforced,
    Interrupted,
};

[[nodiscard]] const QList<RunPhase> &allPhases();
[[nodiscard]] const QList<Outcome> &allOutcomes();

/// The only table of legal moves.
[[nodiscard]] bool canMove(RunPhase from, RunPhase to);
/// Nothing of the pipeline follows: the run is at rest or over.
[[nodiscard]] bool isAtRest(RunPhase phase);
[[nodiscard]] Stage stageOf(RunPhase phase);

/// snake_case names of JSON and database.
[[nodiscard]] QString phaseName(RunPhase phase);
[[nodiscard]] std::optional<RunPhase> phaseOf(const QString &name);
[[nodiscard]] QString outcomeName(Outcome outcome);
[[nodiscard]] std::optional<Outcome> outcomeOf(const QString &name);

/// Translated words for people.
[[nodiscard]] QString phaseText(RunPhase phase);
[[nodiscard]] QString stageText(Stage stage);
[[nodiscard]] QString outcomeText(Outcome outcome);
/// What to do next, one translated sentence.
[[nodiscard]] QString nextStepText(Outcome outcome);

/// Exit code of `glovebox-cli run`.
[[nodiscard]] int exitCodeOf(Outcome outcome);
/// Of two that hold at once, the one that counts (130, 7, 4, 5, 6, 3, 1, 0).
[[nodiscard]] Outcome worseOf(Outcome a, Outcome b);

} // namespace Glovebox
