// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/runview.h"

#include <QCoreApplication>
#include <QLocale>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Run)
};

RunState stateOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Accepted:
        return RunState::ReadyForReview;
    case Outcome::AcceptanceFailed:
        return RunState::AcceptanceFailed;
    case Outcome::OutOfScope:
        return RunState::OutOfScope;
    case Outcome::Blocked:
        return RunState::Blocked;
    case Outcome::NothingChanged:
        return RunState::NothingChanged;
    case Outcome::TimedOut:
        return RunState::TimedOut;
    case Outcome::BudgetSpent:
        return RunState::BudgetSpent;
    case Outcome::Cancelled:
        return RunState::Cancelled;
    case Outcome::SetupFailed:
        return RunState::SetupFailed;
    case Outcome::SandboxError:
        return RunState::SandboxError;
    case Outcome::AgentError:
        return RunState::AgentError;
    case Outcome::ImportRefused:
        return RunState::ImportRefused;
    case Outcome::BoundaryNotEnforced:
        return RunState::NotEnforced;
    case Outcome::Interrupted:
        return RunState::Interrupted;
    }
    Q_UNREACHABLE();
}

} // namespace

RunState stateOf(const RunRecord &record)
{
    switch (record.phase) {
    case RunPhase::Queued:
        return RunState::Queued;
    case RunPhase::Published:
        return RunState::Pushed;
    case RunPhase::Rejected:
        return RunState::Rejected;
    case RunPhase::Cancelled:
        return RunState::Cancelled;
    case RunPhase::Interrupted:
        return RunState::Interrupted;
    case RunPhase::AwaitingReview:
    case RunPhase::Publishing:
    case RunPhase::Failed:
        return record.outcome ? stateOf(*record.outcome) : RunState::Interrupted;
    default:
        return RunState::Working;
    }
}

RunActions actionsFor(const RunRecord &record)
{
    const bool rest = isAtRest(record.phase);
    RunActions actions;
    actions.stop = !rest && record.phase != RunPhase::Releasing;
    actions.review = !record.branch.isEmpty() && rest;
    actions.runAgain = rest;
    actions.deleteRecord = rest;
    return actions;
}

RunActions actionsFor(const RunView &view)
{
    RunActions actions = actionsFor(view.record);
    actions.stop = actions.stop && view.worker == RunView::Worker::ThisProgram;
    return actions;
}

bool needsReader(const RunRecord &record)
{
    switch (record.phase) {
    case RunPhase::AwaitingReview:
    case RunPhase::Failed:
    case RunPhase::Interrupted:
        return true;
    default:
        return false;
    }
}

QString spanText(qint64 milliseconds)
{
    const qint64 seconds = milliseconds / 1000;
    if (seconds < 10) {
        return Tr::tr("%1 s").arg(QLocale().toString(milliseconds / 1000.0, 'f', 1));
    }
    if (seconds < 60) {
        return Tr::tr("%1 s").arg(seconds);
    }
    if (seconds < 3600) {
        return seconds % 60 == 0 ? Tr::tr("%1 min").arg(seconds / 60)
                                 : Tr::tr("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
    }
    const qint64 minutes = seconds / 60 % 60;
    return minutes == 0 ? Tr::tr("%1 h").arg(seconds / 3600)
                        : Tr::tr("%1 h %2 min").arg(seconds / 3600).arg(minutes);
}

QString whenText(const QDateTime &at, const QDateTime &now)
{
    const qint64 seconds = at.secsTo(now);
    if (seconds < 60) {
        return Tr::tr("just now");
    }
    if (seconds < 3600) {
        return Tr::tr("%1 min ago").arg(seconds / 60);
    }
    if (seconds < 24LL * 3600) {
        return Tr::tr("%1 h ago").arg(seconds / 3600);
    }
    return QLocale().toString(at.toLocalTime(), QStringLiteral("d MMM hh:mm"));
}

QString moneyText(double usd)
{
    //: An amount of US dollars
    return Tr::tr("$%1").arg(QLocale().toString(usd, 'f', 2));
}

QString endText(const CommandResult &result)
{
    switch (result.end) {
    case CommandResult::End::Exited:
        return Tr::tr("exit %1").arg(result.exitCode);
    case CommandResult::End::TimedOut:
        return Tr::tr("timed out");
    case CommandResult::End::Killed:
        return Tr::tr("ended by Glovebox");
    case CommandResult::End::NotStarted:
        return Tr::tr("not started");
    case CommandResult::End::Lost:
        return Tr::tr("lost");
    }
    Q_UNREACHABLE();
}

Glyph glyphOf(const Evidence &evidence)
{
    if (evidence.unknown()) {
        return {GlyphShape::Hexagon, GlyphMark::Exclamation, Token::Bad};
    }
    return evidence.passed() ? doneGlyph() : failedGlyph();
}

QString factText(const RunRecord &record, const QDateTime &now)
{
    const RunState state = stateOf(record);
    if (state == RunState::Working) {
        //: A run in a list: stage and phase, "Build · Working"
        return Tr::tr("%1 · %2").arg(stageText(stageOf(record.phase)), phaseText(record.phase));
    }
    const QDateTime at = record.ended.isValid() ? record.ended : record.created;
    //: A run in a list: state and when, "Blocked · 2 h ago"
    return Tr::tr("%1 · %2").arg(wordOf(state), whenText(at, now));
}

} // namespace Glovebox
