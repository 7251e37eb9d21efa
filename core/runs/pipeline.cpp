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

/// The last checkpoint. A sandbox whose way in broke may still have its files: it is asked for
/// anew.
QCoro::Task<Result<void>> takeLastCheckpoint(SharedContext context)
{
    const std::stop_token own;
    const std::chrono::seconds limit = context->limits.seal;
    const Result<void> taken = co_await takeCheckpoint(context, limit, own);
    if (taken || taken.error().code != ErrorCode::SandboxGone) {
        co_return taken;
    }
    SandboxRecord row;
    row.key = context->work.key;
    row.role = context->work.role;
    row.provider = context->work.sandbox->id().provider;
    row.nativeId = context->work.sandbox->id().value;
    const Result<void> attached = co_await attachWork(context, row);
    if (!attached) {
        co_return taken; // it is gone
    }
    co_return co_await takeCheckpoint(context, limit, own);
}

/// What was saved before the run ended early is still returned as a branch.
QCoro::Task<void> returnSavedWork(SharedContext context)
{
    const std::stop_token own;
    const bool again = context->run->phase() == RunPhase::Importing; // it was stopped there
    if (context->work.sandbox && !context->sealed) {
        const Result<void> taken = co_await takeLastCheckpoint(context);
        if (!taken) {
            context->run->addWarning(
                Tr::tr("The last checkpoint could not be made: %1").arg(taken.error().message));
            if (mayBeFetchedLater(taken.error())) {
                context->keepWork = taken.error();
            }
        }
    }
    if (!context->saved) {
        co_return;
    }
    QCoro::Task<Step> import = again ? importSavedWork(context, own) : importing(context, own);
    const Step imported = co_await import;
    if (!imported) {
        context->run->addWarning(imported.error().error.message);
    }
}

/// Working may have been left by a limit, by the user or by a lost sandbox: what there is comes
/// back. What the import refused stays out.
bool mayHaveWork(const SharedContext &context, const RunEnd &end)
{
    static const QList<Outcome> without{Outcome::NothingChanged, Outcome::AgentError,
                                        Outcome::ImportRefused};
    const RunPhase phase = context->run->phase();
    return !without.contains(end.outcome) && context->stopMode == StopMode::KeepWork &&
           context->run->returned().branch.isEmpty() && phase >= RunPhase::Working &&
           phase <= RunPhase::Importing;
}

/// How the agent ended counts where it is worse than what became of its work; its failing explains
/// only, and is a warning already.
RunEnd withAgentEnd(const SharedContext &context, const RunEnd &end)
{
    const std::optional<RunEnd> &agent = context->agentEnd;
    const bool counts = agent && agent->outcome != Outcome::AgentError &&
                        worseOf(end.outcome, agent->outcome) == agent->outcome;
    return counts ? *agent : end;
}

/// The verdict on a returned branch counts where it is worse than why the run ended early.
RunEnd endOf(const SharedContext &context, const Step &step)
{
    if (step) {
        return withAgentEnd(context, judge(*context->run));
    }
    if (context->run->returned().branch.isEmpty()) {
        return step.error();
    }
    const RunEnd verdict = judge(*context->run);
    return worseOf(step.error().outcome, verdict.outcome) == verdict.outcome ? verdict
                                                                             : step.error();
}

/// The backend had no room for the first sandbox, so nothing is lost by waiting.
bool hadNoRoom(const SharedContext &context, const RunEnd &end)
{
    return end.error.code == ErrorCode::LimitReached && context->run->phase() == RunPhase::Creating;
}

/// Whether the ledger shows that nothing was made; what may be there is deleted.
QCoro::Task<bool> nothingWasMade(SharedContext context)
{
    const std::optional<RunSandbox> verify = co_await leaveVerifySandbox(context);
    Q_UNUSED(verify); // its row is among these
    const Result<QList<SandboxRecord>> rows = context->store.sandboxes(context->run->id());
    bool nothing = rows.has_value();
    for (const SandboxRecord &row : rows.value_or(QList<SandboxRecord>())) {
        if (row.state != LedgerState::Gone) {
            const Result<void> gone = co_await destroyByRow(context, row);
            nothing = nothing && gone;
        }
    }
    co_return nothing;
}

/// Back to Queued, or an error that says that it was tried often enough.
QCoro::Task<Step> backToQueue(SharedContext context, RunEnd end)
{
    const QString backend = context->provider.info().name;
    const int most = context->limits.queueTries;
    if (++context->timesAtLimit >= most) {
        end.error.message = Tr::tr("%1 has had no room for another sandbox in %n tries: %2 End "
                                   "sandboxes there, or run the task again later.",
                                   nullptr, most)
                                .arg(backend, end.error.message);
        co_return tl::unexpected<RunEnd>(end);
    }
    const bool nothing = co_await nothingWasMade(context);
    if (!nothing) {
        co_return tl::unexpected<RunEnd>(end);
    }
    noteWhy(context, end.error);
    const Step queued = enter(context, RunPhase::Queued);
    if (!queued) {
        co_return queued;
    }
    const Result<void> said = context->log->line(
        Tr::tr("%1 has no room for another sandbox now: %2 It is asked again within %3 (%4 of %5).")
            .arg(backend, end.error.message, limitText(context->limits.queuePause))
            .arg(context->timesAtLimit)
            .arg(most));
    Q_UNUSED(said); // the phase event says it too
    co_return Step();
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
    noteWhy(context, end.error);
    const std::optional<Error> why = std::exchange(context->whyMoved, std::nullopt);
    const bool accepted = end.outcome == Outcome::Accepted;
    Result<void> stored = context->store.finishRun(run->id(), last, end.outcome, end.error.message,
                                                   accepted ? nullptr : &*why);
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
            const bool late = evidence.result.end == CommandResult::End::TimedOut;
            end = result(
                Outcome::AcceptanceFailed,
                late ? Tr::tr("\"%1\" did not end in time. The branch is kept.").arg(evidence.check)
                     : Tr::tr("\"%1\" ended with %2. The branch is kept.")
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

QCoro::Task<PipelineEnd> runPipeline(SharedContext context, std::stop_token stop)
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
    if (!step && hadNoRoom(context, step.error())) {
        const RunEnd noRoom = step.error();
        step = co_await backToQueue(context, noRoom);
        if (step) {
            co_return PipelineEnd::Waiting;
        }
    }
    if (!step) {
        noteWhy(context, step.error().error);
    }
    if (!step && mayHaveWork(context, step.error())) {
        co_await returnSavedWork(context);
    }
    co_await releasing(context);
    keepOnlyWhatCameBack(context);
    const RunEnd end = endOf(context, step);
    finish(context, end);
    co_return PipelineEnd::Over;
}

} // namespace Glovebox
