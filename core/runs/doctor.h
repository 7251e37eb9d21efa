// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/agent.h"
#include "core/sandbox/sandbox.h"
#include "core/settings/secretstore.h"

namespace Glovebox {

/// One finding. What stops every run is told from what is only missing for one agent or backend.
struct DoctorItem
{
    QString group; ///< "This computer", "Backend srt", "Agents": translated
    Readiness readiness;
    bool stopsRuns = false;
};

struct DoctorParts
{
    QList<SandboxProvider *> providers;
    const AgentCatalog *agents = nullptr;
    const SecretStore *secrets = nullptr;
    QProcessEnvironment environment;
};

/// What is installed, which version, which key is there (never its value), and the next step where
/// something is missing. Items come in a fixed order.
[[nodiscard]] QCoro::Task<QList<DoctorItem>> examine(DoctorParts parts, std::stop_token stop);

} // namespace Glovebox
