// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/runs/receipt.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Pipeline)
};

using Phase = QCoro::Task<Step> (*)(SharedContext, std::stop_token);

/// What was saved before the run ended early is still returned as a branch.
QCoro::Task<void> returnSavedWork(SharedContext context)
{
    const std::stop_token own;
    if (context->work.sandbox && !context->sealed) {
        const Result<void> taken = co_await takeCheckpoint(context, own);
        if (!taken) {
            context->run->addWarning(
                Tr::tr("The last checkpoint could not be made: %1").arg(taken.error().message));
        }
    }
    if (!context->saved) {
        co_return;
    }
    const Step imported = co_await importing(context, own);
    if (!imported) {
        context->run->addWarning(imported.error().error.message);
    }
}

/// Working may have been left by a limit, by the user or by a lost sandbox: what there is comes
/// back.
bool mayHaveWork(RunPhase phase)
{
    return phase == RunPhase::Working || phase == RunPhase::Sealing || phase == RunPhase::Checking;
}

void finish(const SharedContext &context, const RunEnd &end)
{
    const std::shared_ptr<Run> run = context->run;
    const bool returned = !run->returned().branch.isEmpty();
    const RunPhase last = returned                              ? RunPhase::AwaitingReview
                          : end.outcome == Outcome::Cancelled   ? RunPhase::Cancelled
                          : end.outcome == Outcome::Interrupted ? RunPhase::Interrupted
                                                                : RunPhase::Failed;
    run->setOutcome(end.outcome, end.error.message,
                    QString::fromUtf8(context->secrets->redact(end.error.detail.toUtf8())));
    Result<void> stored = context->store.finishRun(run->id(), last, end.outcome, end.error.message);
    if (stored) {
        stored = context->log->line(
            QStringLiteral("── %1. %2").arg(outcomeText(end.outcome), end.error.message));
    }
    if (!stored) {
        run->addWarning(stored.error().message);
    }
    run->setEnded(last, context->clock.now());
    const Result<void> dossier = writeDossier(*run, context->store);
    if (!dossier) {
        run->addWarning(dossier.error().message);
    }
}

} // namespace

RunEnd judge(const Run &run)
{
    const auto result = [](Outcome outcome, const QString &message) {
        return RunEnd{outcome, Error{ErrorCode::CommandFailed, message, {}}};
    };
    RunEnd end = result(Outcome::Accepted,
                        Tr::tr("Every check ended with 0 on %1.").arg(run.returned().tip.left(7)));
    for (const Evidence &evidence : run.evidence()) {
        if (evidence.subject == Subject::Branch && !evidence.passed()) {
            end = result(Outcome::AcceptanceFailed,
                         Tr::tr("\"%1\" ended with %2. The branch is kept.")
                             .arg(evidence.check)
                             .arg(evidence.result.exitCode));
            break;
        }
    }
    if (!run.returned().outOfScope.isEmpty()) {
        end = result(Outcome::OutOfScope,
                     Tr::tr("%n files outside the scope. The branch is kept.", nullptr,
                            static_cast<int>(run.returned().outOfScope.size())));
    }
    if (!run.returned().blocked.isEmpty()) {
        end = result(Outcome::Blocked, Tr::tr("The agent stopped and says why in BLOCKED.md."));
    }
    return end;
}

QCoro::Task<void> runPipeline(SharedContext context, std::stop_token stop)
{
    static constexpr Phase phases[] = {packing, creatingAndProving, seeding,  working,
                                       sealing, checking,           importing};
    Step step;
    for (const Phase phase : phases) {
        step = co_await phase(context, stop);
        if (!step) {
            break;
        }
    }
    const RunPhase reached = context->run->phase();
    const bool discard = context->stopMode == StopMode::Discard;
    if (!step && mayHaveWork(reached) && !discard &&
        step.error().outcome != Outcome::NothingChanged &&
        step.error().outcome != Outcome::AgentError) {
        co_await returnSavedWork(context);
    }
    co_await releasing(context);
    RunEnd end = step ? judge(*context->run) : step.error();
    if (step && context->agentEnd && context->agentEnd->outcome != Outcome::AgentError &&
        worseOf(end.outcome, context->agentEnd->outcome) == context->agentEnd->outcome) {
        end = *context->agentEnd;
    }
    finish(context, end);
}

} // namespace Glovebox
