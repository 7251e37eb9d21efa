// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "core/base/redactor.h"
#include "core/runs/runlog.h"

namespace Glovebox {

/// Time limits of the phases; injected, so that tests run fast.
struct RunLimits
{
    std::chrono::milliseconds create{5 * 60 * 1000}; ///< three times that with an image to pull
    std::chrono::seconds canary{20};
    std::chrono::seconds seed{5 * 60};
    std::chrono::seconds setup{10 * 60};
    std::chrono::milliseconds checkpointEach{5 * 60 * 1000};
    std::chrono::seconds checkpoint{60};
    std::chrono::seconds endGrace{5};
    std::chrono::seconds seal{5 * 60};
    std::chrono::milliseconds import{5 * 60 * 1000};
    std::chrono::milliseconds release{2 * 60 * 1000}; ///< all tries of one sandbox together
    int releaseTries = 5;
    std::chrono::milliseconds releasePause{1000};
    /// How long, beyond its lifetime, a sandbox is kept that only this program ends and that holds
    /// work which could not be fetched.
    std::chrono::seconds keepBeyond{7 * 24 * 60 * 60};
    /// What a backend may take to heed that a call is stopped, before nobody waits for it.
    std::chrono::milliseconds patience{10 * 1000};
    /// A backend that makes no more sandboxes is asked again this often, at the latest after each
    /// pause; then the run fails.
    int queueTries = 60;
    std::chrono::milliseconds queuePause{60 * 1000};
    std::chrono::milliseconds watch{1000}; ///< how often silence and the agent's end are looked at
    qint64 bundleBytes = 256LL << 20;
};

/// How a phase ended the run before its time.
struct RunEnd
{
    Outcome outcome = Outcome::SandboxError;
    Error error;
};
using Step = tl::expected<void, RunEnd>;

/// The agent's work as it left the sandbox: a bundle on our disk, whole and verified.
struct SavedWork
{
    QString tip;
    QString file; ///< absolute
    int commits = 0;
};

/// How a run is asked to stop.
enum class StopMode { KeepWork, Discard };

/// One sandbox of a run.
struct RunSandbox
{
    QString key; ///< in the ledger
    QString role;
    std::shared_ptr<Sandbox> sandbox;
    QString repository; ///< the clone inside
};

/// All that the phases of one run share. Lives until the pipeline of the run is over.
struct RunContext
{
    RunContext(RunStore &store_, SandboxProvider &provider_, const Clock &clock_)
        : store(store_)
        , provider(provider_)
        , clock(clock_)
    {
    }

    RunStore &store;
    SandboxProvider &provider;
    const Clock &clock;
    RunLimits limits;
    std::shared_ptr<Run> run;
    std::shared_ptr<RunLog> log;
    std::shared_ptr<const SecretForms> secrets;
    QList<EnvironmentVariable> agentEnvironment; ///< keys and the task's variables, with values
    StopMode stopMode = StopMode::KeepWork;
    int commandNumber = 0; ///< names the log files

    RunSandbox work;
    std::optional<RunSandbox> verify;                                       ///< while it lives
    std::optional<QCoro::Task<tl::expected<RunSandbox, RunEnd>>> verifying; ///< being made
    std::vector<QCoro::Task<Result<void>>> ending; ///< sandboxes on their way out, see releasing()
    std::optional<RunEnd> agentEnd; ///< why the agent ended before its time, judged after sealing
    std::optional<SavedWork> saved; ///< newest checkpoint or the sealed work
    bool sealed = false;

    QSet<QString> unanswered;      ///< ledger keys whose creation was left behind unanswered
    int timesAtLimit = 0;          ///< how often the backend had no room for it
    std::optional<Error> keepWork; ///< why the agent's sandbox holds work that is not here
    QStringList unknownSecrets;    ///< went in, but their values are not known to this process
    std::optional<Error> whyMoved; ///< goes into the next phase event, redacted
};

using SharedContext = std::shared_ptr<RunContext>;

/// What ran inside, and what it printed (redacted).
struct FinishedCommand
{
    CommandRecord record;
    CommandResult result;
    QString outputFile; ///< absolute
    [[nodiscard]] bool succeeded() const
    {
        return result.end == CommandResult::End::Exited && result.exitCode == 0;
    }
};

/// A command of the harness or the agent, to be run in one of the run's sandboxes.
struct InsideRequest
{
    RunSandbox sandbox;
    QString purpose; ///< "agent", "setup", "check", "canary", "seed", "seal", "checkpoint"
    QString shown;   ///< heads its output in the run's log; empty = neither is shown there
    Command command;
    std::shared_ptr<TranscriptParser> transcript;
};

/// Rows first, then start, then wait. The log is open before the first byte comes.
struct RunningCommand
{
    CommandRecord record;
    std::shared_ptr<CommandLog> log;
};
[[nodiscard]] QCoro::Task<Result<RunningCommand>>
startInside(SharedContext context, InsideRequest request, std::stop_token stop);
[[nodiscard]] QCoro::Task<Result<FinishedCommand>>
waitInside(SharedContext context, RunSandbox sandbox, RunningCommand running, std::stop_token stop);
/// Both; when stopped the command is ended, then Cancelled.
[[nodiscard]] QCoro::Task<Result<FinishedCommand>>
runInside(SharedContext context, InsideRequest request, std::stop_token stop);

/// "5m", or "100 ms" where it is less than a second.
[[nodiscard]] QString limitText(std::chrono::milliseconds limit);

/// A shell script of ours as a command: `sh -c TEXT`, merged streams.
[[nodiscard]] Command shellCommand(const QString &script, const QString &directory,
                                   std::chrono::seconds limit);

/// Moves the phase in the database, then in the Run, then says so in the log.
[[nodiscard]] Step enter(const SharedContext &context, RunPhase phase);
/// Notes for the next phase event why a phase ended the run.
void noteWhy(const SharedContext &context, const Error &error);
/// Cancelled stays Cancelled, a lost sandbox is a sandbox error, all else is \a otherwise.
[[nodiscard]] tl::unexpected<RunEnd> endWith(Outcome otherwise, const Error &error);
[[nodiscard]] tl::unexpected<RunEnd> endWith(Outcome outcome, ErrorCode code,
                                             const QString &message, const QString &detail = {});
/// The last \a maximum bytes of a file of the run, as text for an error's detail.
[[nodiscard]] QString tailOf(const QString &file, qint64 maximum = 4096);

} // namespace Glovebox
