// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/sandboxscripts.h"
#include "core/runs/runcontext.h"

namespace Glovebox {

/// Who commits inside, as the product says: sandbox-agent <agent@sandbox.invalid>.
[[nodiscard]] Identity agentIdentity();

/// Where the bundles are inside, below the work folder.
[[nodiscard]] QString baseBundleName();   ///< "/base.bundle"
[[nodiscard]] QString resultBundleName(); ///< "/result.bundle"

/// TMPDIR for commands inside: a folder that exists.
[[nodiscard]] QList<EnvironmentVariable> temporaryFolder(const RunSandbox &sandbox);

/// Where an agent keeps its settings and its temporary files: beside the clone, made by seeding.
/// Apart from each other, as Codex wants no settings folder below the temporary one.
[[nodiscard]] QString agentConfigFolder(const RunSandbox &sandbox);
[[nodiscard]] QString agentTemporaryFolder(const RunSandbox &sandbox);

/// Runs one of the scripts of core/git inside. A script that could not be made, or that fails, is a
/// sandbox error with git's words in the detail.
[[nodiscard]] QCoro::Task<Step> runGitScript(SharedContext context, RunSandbox sandbox,
                                             Result<QByteArray> script, QString purpose,
                                             std::stop_token stop);

/// The same, answering what the script printed.
[[nodiscard]] QCoro::Task<Result<QByteArray>>
gitScriptOutput(SharedContext context, RunSandbox sandbox, Result<QByteArray> script,
                QString purpose, std::chrono::seconds limit, std::stop_token stop);

} // namespace Glovebox
