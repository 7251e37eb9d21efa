// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/phases.h"

namespace Glovebox {

struct RecoveryParts
{
    RunStore *store = nullptr;
    QList<SandboxProvider *> providers;
    const Clock *clock = nullptr;
    RunLimits limits;
};

/// Ends what a killed process left. For each unfinished run whose owner is gone: the sandbox is
/// attached and a last checkpoint taken where the agent may have worked; the newest work on disk is
/// returned as a branch; the sandboxes are deleted; the run is Interrupted. Sandboxes that could
/// not be deleted earlier are tried again. Answers how many runs were ended. Repeating it changes
/// nothing.
[[nodiscard]] QCoro::Task<Result<int>> recoverRuns(RecoveryParts parts, std::stop_token stop);

} // namespace Glovebox
