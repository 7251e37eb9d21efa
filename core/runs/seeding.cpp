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

QCoro::Task<Step> makeAgentFolders(SharedContext context, std::stop_token stop)
{
    const QString work = context->work.sandbox->workFolder();
    InsideRequest request;
    request.sandbox = context->work;
    request.purpose = QStringLiteral("seed");
    request.command = shellCommand(QStringLiteral("mkdir -p agent && chmod 700 agent"), work,
                                   context->limits.seed);
    const Result<FinishedCommand> made = co_await runInside(context, request, stop);
    if (!made) {
        co_return endWith(Outcome::SandboxError, made.error());
    }
    if (!made->succeeded()) {
        co_return endWith(Outcome::SandboxError, ErrorCode::CommandFailed,
                          Tr::tr("The sandbox gives no writable folder."),
                          tailOf(made->outputFile));
    }
    co_return Step();
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

QCoro::Task<Step> seeding(SharedContext context, std::stop_token stop)
{
    Step step = enter(context, RunPhase::Seeding);
    if (!step) {
        co_return step;
    }
    const RunPlan &plan = context->run->plan();
    const QString bundle = context->work.sandbox->workFolder() + baseBundleName();
    const Upload upload{bundle, LocalFile{plan.bundle.file}, false};
    const Result<void> put = co_await context->work.sandbox->upload(upload, stop);
    if (!put) {
        co_return endWith(Outcome::SandboxError, put.error());
    }
    const Result<QByteArray> script =
        seedScript(plan.bundle, bundle, context->work.repository, plan.branch, agentIdentity());
    step = co_await runGitScript(context, context->work, script, QStringLiteral("seed"), stop);
    if (!step) {
        co_return step;
    }
    step = co_await makeAgentFolders(context, stop);
    if (!step) {
        co_return step;
    }
    const RunSandbox sandbox = context->work;
    const QString folder = sandbox.repository;
    co_return co_await runSetup(context, sandbox, folder, stop);
}

} // namespace Glovebox
