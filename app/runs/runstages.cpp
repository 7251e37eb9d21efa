// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// How far each of the five stages of a run is, and the phases within.
#include "app/runs/runview.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Run)
};

const PhaseEvent *enteredAt(const RunView &view, RunPhase phase)
{
    for (auto event = view.phases.crbegin(); event != view.phases.crend(); ++event) {
        if (event->to == phase) {
            return &*event;
        }
    }
    return nullptr;
}

/// When the phase that began with \a event ended: with the next event, or not yet.
QDateTime leftAt(const RunView &view, const PhaseEvent &event)
{
    for (const PhaseEvent &next : view.phases) {
        if (next.seq > event.seq) {
            return next.at;
        }
    }
    return {};
}

/// The last pipeline phase before the end, for runs that ended early.
RunPhase lastPhase(const RunView &view)
{
    RunPhase last = RunPhase::Packing;
    for (const PhaseEvent &event : view.phases) {
        if (event.to > RunPhase::Queued && event.to < RunPhase::Releasing) {
            last = event.to;
        }
    }
    return last;
}

bool wentWrong(const RunRecord &record)
{
    return record.phase == RunPhase::Failed || record.phase == RunPhase::Cancelled ||
           record.phase == RunPhase::Interrupted;
}

StageView specifyStage(const RunView &view)
{
    return {StageState::Done, Tr::tr("%n command(s)", nullptr, view.checks), {}};
}

StageView buildStage(const RunView &view, const QDateTime &now)
{
    StageView stage;
    const RunRecord &record = view.record;
    const QDateTime began = view.phases.isEmpty() ? record.created : view.phases.constFirst().at;
    if (record.phase == RunPhase::Queued) {
        return {StageState::Working, Tr::tr("queued"), {}};
    }
    const bool building = record.phase >= RunPhase::Packing && record.phase <= RunPhase::Sealing;
    if (building) {
        const PhaseEvent *event = enteredAt(view, record.phase);
        const qint64 since = event == nullptr ? 0 : event->at.msecsTo(now);
        return {StageState::Working,
                Tr::tr("%1 · %2").arg(phaseText(record.phase), spanText(since)),
                {}};
    }
    const PhaseEvent *working = enteredAt(view, RunPhase::Working);
    const QDateTime left = working == nullptr ? record.ended : leftAt(view, *working);
    const QDateTime start = working == nullptr ? began : working->at;
    stage.fact = Tr::tr("%1 · %2").arg(record.provider,
                                       spanText(start.msecsTo(left.isValid() ? left : now)));
    const bool stopped = wentWrong(record) && lastPhase(view) <= RunPhase::Sealing;
    stage.state = stopped ? StageState::Failed : StageState::Done;
    return stage;
}

StageView verifyStage(const RunView &view)
{
    if (view.record.phase == RunPhase::Checking) {
        return {StageState::Working, Tr::tr("checking"), {}};
    }
    for (const Evidence &evidence : view.evidence) {
        if (evidence.subject == Subject::Branch && !evidence.passed()) {
            return {StageState::Failed, Tr::tr("%1 on branch").arg(endText(evidence.result)), {}};
        }
    }
    if (!view.evidence.isEmpty()) {
        return {StageState::Done, Tr::tr("accepted, exit 0"), {}};
    }
    if (isAtRest(view.record.phase)) {
        // Nothing to check: the door still leads to the page that says why the run ended.
        return {StageState::NotRun, Tr::tr("not run"), {}};
    }
    return {StageState::ToCome, Tr::tr("%n command(s)", nullptr, view.checks),
            Tr::tr("Waits until the agent has ended.")};
}

StageView returnStage(const RunView &view)
{
    if (view.record.phase == RunPhase::Importing) {
        return {StageState::Working, Tr::tr("importing"), {}};
    }
    if (!view.record.branch.isEmpty()) {
        return {StageState::Done, Tr::tr("one branch · %1").arg(view.record.tip.left(7)), {}};
    }
    if (!view.imports.isEmpty() && view.imports.constLast().verdict == QLatin1String("refused")) {
        return {StageState::Failed, Tr::tr("refused"), {}};
    }
    return {StageState::ToCome, Tr::tr("one branch"), Tr::tr("Waits for the checks.")};
}

StageView reviewStage(const RunView &view)
{
    switch (view.record.phase) {
    case RunPhase::Published:
        return {StageState::Done, Tr::tr("pushed"), {}};
    case RunPhase::Rejected:
        return {StageState::Failed, Tr::tr("rejected"), {}};
    case RunPhase::Publishing:
        return {StageState::Working, Tr::tr("publishing"), {}};
    default:
        break;
    }
    if (!view.record.branch.isEmpty() && isAtRest(view.record.phase)) {
        return {StageState::ToReview,
                Tr::tr("%n file(s)", nullptr, static_cast<int>(view.changes.files.size())),
                {}};
    }
    return {StageState::ToCome, Tr::tr("you"), Tr::tr("Waits for the branch.")};
}

} // namespace

QDateTime workingSince(const RunView &view)
{
    const PhaseEvent *event = enteredAt(view, RunPhase::Working);
    return event == nullptr ? QDateTime() : event->at;
}

Stages stagesOf(const RunView &view, const QDateTime &now)
{
    return {specifyStage(view), buildStage(view, now), verifyStage(view), returnStage(view),
            reviewStage(view)};
}

Stage doorOf(const RunRecord &record)
{
    return isAtRest(record.phase) ? Stage::Verify : Stage::Build;
}

QList<PhaseStep> stepsOf(const RunView &view, const QDateTime &now)
{
    static const QList<RunPhase> pipeline{
        RunPhase::Packing,  RunPhase::Creating,  RunPhase::Proving,
        RunPhase::Seeding,  RunPhase::Working,   RunPhase::Sealing,
        RunPhase::Checking, RunPhase::Importing, RunPhase::Releasing};
    QList<PhaseStep> steps;
    const bool stopped = wentWrong(view.record);
    for (const RunPhase phase : pipeline) {
        PhaseStep step{phase, PhaseStep::State::ToCome, {}};
        if (const PhaseEvent *event = enteredAt(view, phase)) {
            const QDateTime left = leftAt(view, *event);
            const bool current = view.record.phase == phase;
            step.state = current ? PhaseStep::State::Current : PhaseStep::State::Done;
            step.measure = spanText(event->at.msecsTo(left.isValid() ? left : now));
            if (stopped && phase == lastPhase(view)) {
                step.state = PhaseStep::State::Failed;
            }
        }
        steps.append(step);
    }
    return steps;
}

} // namespace Glovebox
