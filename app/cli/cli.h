// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/options.h"
#include "app/services.h"
#include "core/runs/planner.h"

#include <qcorotask.h>

namespace Glovebox {

/// What a verb has to work with.
struct Cli
{
    CliOptions options;
    Console console;
    Services &services;
    Interrupt &interrupt;
    std::stop_token stop; ///< of the interrupt
};

// One function a verb; each answers the program's exit code. Main thread.
[[nodiscard]] QCoro::Task<int> runVerb(Cli &cli);
[[nodiscard]] QCoro::Task<int> planVerb(Cli &cli);
[[nodiscard]] QCoro::Task<int> lintVerb(Cli &cli);
[[nodiscard]] QCoro::Task<int> doctorVerb(Cli &cli);
[[nodiscard]] QCoro::Task<int> backendsVerb(Cli &cli);
[[nodiscard]] QCoro::Task<int> runsVerb(Cli &cli);
[[nodiscard]] QCoro::Task<int> reviewVerb(Cli &cli);
[[nodiscard]] QCoro::Task<int> importVerb(Cli &cli);
[[nodiscard]] QCoro::Task<int> demoVerb(Cli &cli);

/// What planning takes from the services.
[[nodiscard]] PlannerParts plannerPartsOf(Services &services);
/// The plan request of `plan` and `run`.
[[nodiscard]] PlanRequest planRequestOf(const Cli &cli);
/// Problems as lines and as JSON.
[[nodiscard]] QString problemLine(const QString &file, const Problem &problem);
[[nodiscard]] QJsonObject problemJson(const Problem &problem);

} // namespace Glovebox
