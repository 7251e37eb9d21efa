// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/git/sandboxscripts.h"
#include "core/runs/insidegit.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Seeding)
};

/// The agent's own folders, beside the clone; made with it, because each command costs a start.
Result<QByteArray> withAgentFolders(Result<QByteArray> script)
{
    return std::move(script).map([](const QByteArray &text) {
        return QByteArray("mkdir -p agent agent-tmp && chmod 700 agent agent-tmp || exit 1\n") +
               text;
    });
}

/// Nothing of the task runs in it yet.
QCoro::Task<Step> putClone(SharedContext context, RunSandbox sandbox, std::stop_token stop)
{
    Step step = co_await putBaseBundle(context, sandbox, stop);
    if (!step) {
        co_return step;
    }
    const RunPlan &plan = context->run->plan();
    const QString bundle = sandbox.sandbox->workFolder() + baseBundleName();
    const Result<QByteArray> seed =
        seedScript(plan.bundle, bundle, sandbox.repository, plan.branch, agentIdentity());
    step = co_await runGitScript(context, sandbox, withAgentFolders(seed), QStringLiteral("seed"),
                                 stop);
    co_return step;
}

} // namespace

QCoro::Task<Step> runSetup(SharedContext context, RunSandbox sandbox, QString folder,
                           std::stop_token stop)
{
    const QStringList lines = context->run->plan().task.setup;
    for (const QString &line : lines) {
        InsideRequest request;
        request.sandbox = sandbox;
        request.purpose = QStringLiteral("setup");
        request.shown = line;
        request.command = shellCommand(line, folder, context->limits.setup);
        request.command.environment = temporaryFolder(sandbox);
        const Result<FinishedCommand> finished = co_await runInside(context, request, stop);
        if (!finished) {
            co_return endWith(Outcome::SandboxError, finished.error());
        }
        if (finished->result.end == CommandResult::End::Lost) {
            co_return endWith(Outcome::SandboxError, ErrorCode::SandboxGone,
                              Tr::tr("Nobody can tell how \"%1\" ended.").arg(line));
        }
        if (!finished->succeeded()) {
            const bool late = finished->result.end == CommandResult::End::TimedOut;
            co_return endWith(
                Outcome::SetupFailed, ErrorCode::CommandFailed,
                late ? Tr::tr("The setup command \"%1\" did not end in time.").arg(line)
                     : Tr::tr("The setup command \"%1\" ended with %2.")
                           .arg(line)
                           .arg(finished->result.exitCode),
                tailOf(finished->outputFile));
        }
    }
    co_return Step();
}

QCoro::Task<Step> putBaseBundle(SharedContext context, RunSandbox sandbox, std::stop_token stop)
{
    const Upload upload{sandbox.sandbox->workFolder() + baseBundleName(),
                        LocalFile{context->run->plan().bundle.file}, false};
    const Result<void> put = co_await sandbox.sandbox->upload(upload, stop);
    if (!put) {
        co_return endWith(Outcome::SandboxError, put.error());
    }
    co_return Step();
}

QCoro::Task<Step> seeding(SharedContext context, std::stop_token stop)
{
    Step step = enter(context, RunPhase::Seeding);
    if (!step) {
        co_return step;
    }
    const RunSandbox sandbox = context->work;
    QCoro::Task<Step> closing = closeListenerPort(context, sandbox, stop);
    step = co_await putClone(context, sandbox, stop);
    const Step closed = co_await closing;
    if (!step || !closed) {
        co_return step ? closed : step;
    }
    const QString folder = sandbox.repository;
    co_return co_await runSetup(context, sandbox, folder, stop);
}

} // namespace Glovebox
