// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/pause.h"
#include "core/runs/insidegit.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Working)
};

/// Shared by the agent's wait and the two loops beside it.
struct WorkState
{
    RunningCommand agent;
    std::shared_ptr<TranscriptParser> transcript;
    std::stop_source loops;        ///< ends the watcher and the checkpoints
    bool silent = false;           ///< the watcher ended it for silence
    bool endedAfterResult = false; ///< it said that it is done, but did not go
    int failedCheckpoints = 0;
};
using Work = std::shared_ptr<WorkState>;

Command agentCommandOf(const SharedContext &context)
{
    const RunPlan &plan = context->run->plan();
    const RunSandbox &sandbox = context->work;
    Command command;
    command.argv = plan.agentCommand;
    command.directory = context->work.repository;
    command.limit = plan.task.timeout;
    command.environment = context->agentEnvironment;
    for (const auto &[name, value] : plan.agent.environment) {
        command.environment << EnvironmentVariable{name, Secret(value.toUtf8())};
    }
    if (!plan.agent.configVariable.isEmpty()) {
        command.environment << EnvironmentVariable{plan.agent.configVariable,
                                                   Secret(agentConfigFolder(sandbox).toUtf8())};
    }
    // Claude Code dies where it can make no folder in it.
    command.environment << EnvironmentVariable{QStringLiteral("TMPDIR"),
                                               Secret(agentTemporaryFolder(sandbox).toUtf8())};
    const bool root = sandbox.sandbox->runnerInfo().endsWith(QLatin1String("uid=0")) ||
                      sandbox.sandbox->runnerInfo().contains(QLatin1String("uid=0 "));
    if (root) {
        for (const auto &[name, value] : plan.agent.rootEnvironment) {
            command.environment << EnvironmentVariable{name, Secret(value.toUtf8())};
        }
    }
    if (plan.agent.taskOnStdin) {
        command.standardInput = plan.task.instructions.toUtf8();
    }
    return command;
}

QCoro::Task<void> endAgent(SharedContext context, Work work)
{
    const CommandId id{work->agent.record.id};
    const std::stop_token own;
    const std::chrono::seconds grace = context->limits.endGrace;
    const Result<int> ended = co_await context->work.sandbox->end(id, grace, own);
    if (!ended) {
        context->run->addWarning(ended.error().message);
    }
}

bool saysItIsOver(const AgentSummary &summary)
{
    return summary.end != AgentSummary::End::Unknown;
}

/// Ends an agent that fell silent, or that stays after its last word.
QCoro::Task<void> watchAgent(SharedContext context, Work work)
{
    const Agent &agent = context->run->plan().agent;
    const std::stop_token stop = work->loops.get_token();
    while (true) {
        const Result<void> waited = co_await pause(context->limits.watch, stop);
        if (!waited) {
            co_return;
        }
        const auto quiet = std::chrono::steady_clock::now() - work->agent.log->lastSign();
        if (agent.silence.count() > 0 && quiet > agent.silence) {
            work->silent = true;
        } else if (agent.silence.count() > 0 && quiet > agent.silence / 2) {
            context->run->addWarning(
                Tr::tr("No word from the agent for %1. It is ended after %2.")
                    .arg(durationText(agent.silence / 2), durationText(agent.silence)));
        }
        if (saysItIsOver(work->transcript->summary()) && quiet > agent.grace) {
            work->endedAfterResult = true;
        }
        if (work->silent || work->endedAfterResult) {
            co_await endAgent(context, work);
            co_return;
        }
    }
}

QCoro::Task<void> keepCheckpoints(SharedContext context, Work work)
{
    const std::stop_token stop = work->loops.get_token();
    while (true) {
        const Result<void> waited = co_await pause(context->limits.checkpointEach, stop);
        if (!waited) {
            co_return;
        }
        const std::chrono::seconds limit = context->limits.checkpoint;
        const Result<void> taken = co_await takeCheckpoint(context, limit, stop);
        if (taken) {
            work->failedCheckpoints = 0;
        } else if (taken.error().code != ErrorCode::Cancelled && ++work->failedCheckpoints == 3) {
            context->run->addWarning(Tr::tr("Three checkpoints in a row could not be saved: %1")
                                         .arg(taken.error().message));
        }
    }
}

/// How the agent's own end explains the run's, when there is nothing better.
std::optional<RunEnd> endOfAgent(const Work &work, const FinishedCommand &finished)
{
    using End = CommandResult::End;
    const AgentSummary &summary = work->transcript->summary();
    if (finished.result.end == End::TimedOut) {
        return RunEnd{Outcome::TimedOut,
                      {ErrorCode::TimedOut, Tr::tr("The time of the task is over."), {}}};
    }
    if (work->silent) {
        return RunEnd{
            Outcome::TimedOut,
            {ErrorCode::TimedOut, Tr::tr("The agent was silent for too long and was ended."), {}}};
    }
    if (summary.end == AgentSummary::End::Budget || summary.end == AgentSummary::End::Turns) {
        return RunEnd{Outcome::BudgetSpent,
                      {ErrorCode::LimitReached,
                       summary.end == AgentSummary::End::Budget
                           ? Tr::tr("The budget of the task is spent.")
                           : Tr::tr("The agent reached the limit of turns."),
                       summary.failure}};
    }
    const bool failed = summary.end == AgentSummary::End::Failed ||
                        (!work->endedAfterResult && !finished.succeeded());
    if (!failed) {
        return std::nullopt;
    }
    return RunEnd{Outcome::AgentError,
                  {ErrorCode::CommandFailed,
                   finished.result.end == End::NotStarted
                       ? Tr::tr("The agent could not be started.")
                       : Tr::tr("The agent ended with exit code %1.").arg(finished.result.exitCode),
                   summary.failure.isEmpty() ? tailOf(finished.outputFile + QStringLiteral(".err"))
                                             : summary.failure}};
}

Result<void> storeSummary(const SharedContext &context)
{
    const AgentSummary &summary = context->run->summary();
    const Result<void> words = context->store.setLastWords(
        context->run->id(), summary.lastWords.isEmpty() ? summary.failure : summary.lastWords);
    if (!words) {
        return words;
    }
    return context->store.setUsage(context->run->id(), summary.costUsd, summary.inputTokens,
                                   summary.outputTokens);
}

QCoro::Task<Result<FinishedCommand>> waitBesideLoops(SharedContext context, Work work,
                                                     std::stop_token stop)
{
    const bool alone = context->provider.info().capabilities.atOnce == 1;
    QCoro::Task<void> watcher = watchAgent(context, work);
    std::optional<QCoro::Task<void>> checkpoints;
    if (!alone) {
        checkpoints.emplace(keepCheckpoints(context, work));
    }
    const RunningCommand agent = work->agent;
    const RunSandbox sandbox = context->work;
    Result<FinishedCommand> finished = co_await waitInside(context, sandbox, agent, stop);
    if (!finished && finished.error().code == ErrorCode::Cancelled) {
        co_await endAgent(context, work);
    }
    work->loops.request_stop();
    co_await watcher;
    if (checkpoints) {
        co_await *checkpoints;
    }
    co_return finished;
}

} // namespace

QCoro::Task<Step> working(SharedContext context, std::stop_token stop)
{
    const Step entered = enter(context, RunPhase::Working);
    if (!entered) {
        co_return entered;
    }
    const auto work = std::make_shared<WorkState>();
    work->transcript = makeTranscriptParser(context->run->plan().agent);
    InsideRequest request;
    request.sandbox = context->work;
    request.purpose = QStringLiteral("agent");
    request.shown = context->run->plan().agentCommand.join(QLatin1Char(' '));
    request.command = agentCommandOf(context);
    request.transcript = work->transcript;
    const Result<RunningCommand> started = co_await startInside(context, request, stop);
    if (!started) {
        co_return endWith(Outcome::SandboxError, started.error());
    }
    work->agent = *started;
    context->run->setWorkDeadline(
        context->clock.now().addSecs(context->run->plan().task.timeout.count()));
    const Result<FinishedCommand> finished = co_await waitBesideLoops(context, work, stop);
    context->run->setWorkDeadline({});
    const Result<void> stored = storeSummary(context);
    if (!finished || !stored) {
        co_return endWith(Outcome::SandboxError, finished ? stored.error() : finished.error());
    }
    context->agentEnd = endOfAgent(work, *finished);
    if (finished->result.end == CommandResult::End::Lost) {
        co_return endWith(Outcome::SandboxError, ErrorCode::SandboxGone,
                          Tr::tr("Nobody can tell how the agent ended."));
    }
    co_return Step();
}

} // namespace Glovebox
