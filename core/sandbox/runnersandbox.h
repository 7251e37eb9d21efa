// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/channel.h"
#include "core/sandbox/retry.h"
#include "core/sandbox/sandbox.h"

namespace Glovebox {

/// Where things are inside one sandbox. All paths absolute, of runner words only.
struct RunnerFolders
{
    QString base; ///< 0700, holds the runner and the job folders; outside the work folder's clone
    QString work; ///< Sandbox::workFolder()
};

/// How patient a RunnerSandbox is. Tests set the waits to zero.
struct RunnerPace
{
    RetryPlan retries = RetryPlan::whileRunning();
    std::chrono::seconds callLimit{60};      ///< of a short verb
    std::chrono::seconds transferLimit{600}; ///< of a verb that copies or hashes a file
};

/// A Sandbox made of a SandboxChannel and the runner script (resources/runner.sh). Knows how a job
/// folder is laid out, how the environment is kept exact, and how the text frames are read.
class RunnerSandbox : public Sandbox
{
public:
    RunnerSandbox(SandboxId id, std::shared_ptr<SandboxChannel> channel, RunnerFolders folders,
                  QStringList keptNames, RunnerPace pace = {});
    ~RunnerSandbox() override;

    /// Puts the runner under a fresh random name, asks it what it found, and takes the baseline of
    /// processes. Before anything else; again after endAll (which calls it itself).
    [[nodiscard]] QCoro::Task<Result<void>> prepare(std::stop_token stop);
    /// After attach(): puts a runner without taking a new baseline; endAll() then uses the one that
    /// prepare() left inside.
    [[nodiscard]] QCoro::Task<Result<void>> rejoin(std::stop_token stop);

    [[nodiscard]] SandboxId id() const override;
    [[nodiscard]] QString workFolder() const override;
    [[nodiscard]] QCoro::Task<Result<void>> start(CommandId id, Command command,
                                                  std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<CommandResult>>
    wait(CommandId id, std::shared_ptr<OutputSink> sink, std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<int>> end(CommandId id, std::chrono::seconds grace,
                                               std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<void>> setLimit(CommandId id, std::chrono::seconds limit,
                                                     std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<int>> endAll(EndScope scope, std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<void>> upload(Upload upload, std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<QByteArray>>
    download(QString path, LocalFile target, qint64 maximum, std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<QDateTime>> setDeadline(QDateTime deadline,
                                                             std::stop_token stop) override;
    [[nodiscard]] QString runnerInfo() const override;

private:
    struct Private;
    std::shared_ptr<Private> d; // shared with the coroutines, which may outlive us
};

} // namespace Glovebox
