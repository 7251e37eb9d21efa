// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/agent.h"
#include "core/runs/packagehosts.h"
#include "core/runs/runplan.h"
#include "core/sandbox/networkpolicy.h"
#include "core/tasks/taskfile.h"

namespace Glovebox {

enum class NetworkPreset {
    LockedDown, ///< the agent's own hosts
    Balanced,   ///< these, and where this repository's packages come from
    Open,       ///< no limit
};

/// "locked-down", "balanced", "open", as a task file writes them.
[[nodiscard]] QString networkPresetName(NetworkPreset preset);
[[nodiscard]] std::optional<NetworkPreset> networkPresetOf(const QString &name);
/// What it means, one translated sentence; for open a warning.
[[nodiscard]] QString networkPresetText(NetworkPreset preset);

/// A task's network choice, resolved for one agent and one repository.
struct ResolvedNetwork
{
    NetworkPolicy policy;
    QList<PlanHost> hosts;   ///< each allowed rule once, with where it comes from
    QList<Problem> problems; ///< errors: rules that are none; warnings: open, package hosts
};

/// Pure. The agent's hosts and, in balanced, the package hosts, then the task's own allow list; its
/// deny list wins over all. An unknown preset is an error and resolved as locked-down.
[[nodiscard]] ResolvedNetwork resolveNetwork(const NetworkChoice &choice, const Agent &agent,
                                             const PackageHosts &packages);

} // namespace Glovebox
