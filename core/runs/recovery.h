// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/phases.h"
#include "core/settings/secretstore.h"

namespace Glovebox {

struct RecoveryParts
{
    RunStore *store = nullptr;
    QList<SandboxProvider *> providers;
    const SecretStore *secrets = nullptr;
    const Clock *clock = nullptr;
    RunLimits limits;
};

/// Ends what a killed process left. For each unfinished run whose owner is gone: the sandbox is
/// attached and a last checkpoint taken where the agent may have worked; the newest work on disk is
/// returned as a branch; the sandboxes are deleted; the run is Interrupted. A sandbox whose work
/// could not be fetched is kept: every later call fetches it again, until its lifetime and
/// RunLimits::keepBeyond are over. Sandboxes that could not be deleted earlier are tried again.
/// The keys of a run are asked for again by name; those that are not known any more are named with
/// the branch, because nobody can say that it doesn't hold them. Answers how many runs were ended.
/// Repeating it changes nothing.
[[nodiscard]] QCoro::Task<Result<int>> recoverRuns(RecoveryParts parts, std::stop_token stop);

} // namespace Glovebox
