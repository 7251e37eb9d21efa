// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/insidegit.h"

#include "core/base/files.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(InsideGit)
};

constexpr qint64 longestAnswer = 1024LL * 1024;
constexpr std::chrono::seconds cloneStart{30};
constexpr qint64 cloneBytesPerSecond = 200'000;

/// For fetching the base and checking it out; slow disks included.
std::chrono::seconds cloneLimit(const SharedContext &context)
{
    const qint64 bytes = context->run->plan().bundle.bytes;
    return std::max(context->limits.seed,
                    cloneStart + std::chrono::seconds(bytes / cloneBytesPerSecond));
}

} // namespace

Identity agentIdentity()
{
    return {QStringLiteral("sandbox-agent"), QStringLiteral("agent@sandbox.invalid")};
}

QString baseBundleName()
{
    return QStringLiteral("/base.bundle");
}

QString resultBundleName()
{
    return QStringLiteral("/result.bundle");
}

QList<EnvironmentVariable> temporaryFolder(const RunSandbox &sandbox)
{
    // The work folder itself: it is there on every backend, and is gone with the sandbox.
    return {EnvironmentVariable{QStringLiteral("TMPDIR"),
                                Secret(sandbox.sandbox->workFolder().toUtf8())}};
}

QString agentConfigFolder(const RunSandbox &sandbox)
{
    return sandbox.sandbox->workFolder() + QStringLiteral("/agent");
}

QString agentTemporaryFolder(const RunSandbox &sandbox)
{
    return sandbox.sandbox->workFolder() + QStringLiteral("/agent-tmp");
}

QCoro::Task<Result<QByteArray>> gitScriptOutput(SharedContext context, RunSandbox sandbox,
                                                Result<QByteArray> script, QString purpose,
                                                std::chrono::seconds limit, std::stop_token stop)
{
    if (!script) {
        co_return fail(script.error());
    }
    InsideRequest request;
    request.sandbox = sandbox;
    request.purpose = purpose;
    request.command =
        shellCommand(QString::fromUtf8(*script), sandbox.sandbox->workFolder(), limit);
    request.command.streams = Streams::Apart;
    request.command.outputLimit = longestAnswer;
    request.command.environment = temporaryFolder(sandbox);
    const Result<FinishedCommand> finished = co_await runInside(context, request, stop);
    if (!finished) {
        co_return fail(finished.error());
    }
    if (!finished->succeeded()) {
        const bool late = finished->result.end == CommandResult::End::TimedOut;
        co_return fail(late ? ErrorCode::TimedOut : ErrorCode::CommandFailed,
                       late ? Tr::tr("Git did not end in time inside the sandbox.")
                            : Tr::tr("Git failed inside the sandbox (exit code %1).")
                                  .arg(finished->result.exitCode),
                       tailOf(finished->outputFile + QStringLiteral(".err")));
    }
    co_return readFile(finished->outputFile, longestAnswer);
}

QCoro::Task<Step> runGitScript(SharedContext context, RunSandbox sandbox, Result<QByteArray> script,
                               QString purpose, std::stop_token stop)
{
    const std::chrono::seconds limit = cloneLimit(context);
    const Result<QByteArray> output =
        co_await gitScriptOutput(context, sandbox, script, purpose, limit, stop);
    if (!output) {
        co_return endWith(Outcome::SandboxError, output.error());
    }
    co_return Step();
}

} // namespace Glovebox
