// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/taskfile.h"

#include <functional>

namespace Glovebox {

/// What lint needs to know about a backend, an agent and a repository; comes as values, because
/// tasks knows neither. Absent = not known here, and the rules that need it are silent.
struct LintFacts
{
    struct BackendFacts
    {
        bool known = true;                       ///< the task's backend id exists
        bool enforcesNetwork = true;             ///< policy strength is not NotEnforced
        bool takesAddresses = true;              ///< CIDR and addresses in allow and deny lists
        std::chrono::seconds maximumLifetime{0}; ///< 0 = none
        int atOnce = 0;
        QStringList programs; ///< programs known to be there; empty = not known
    };
    struct AgentFacts
    {
        bool known = true;
        bool bypassesPermissions = true;
        bool limitsBudget = false;
        bool limitsTurns = false;
        bool choosesModel = false;
        QStringList keys; ///< environment names of which one is needed
    };
    struct RepositoryFacts
    {
        QList<QByteArray> basePaths; ///< all files of the base
        bool baseExists = true;
        QStringList branches; ///< short names
        bool linkedWorktree = false;
    };
    std::optional<BackendFacts> backend;
    std::optional<AgentFacts> agent;
    std::optional<RepositoryFacts> repository;
    bool openAccepted = false; ///< --accept-open was ticked
    QStringList backendIds;    ///< all there are, for the nearest one; empty = not known
    QStringList agentIds;
    /// Whether a line of an allow or deny list can be read; without one, lint looks itself.
    std::function<bool(const QString &)> readsHost;
};

/// Every finding about a task: what parse() found and the rules of section 1 of the product page,
/// in the order of their places. Pure.
[[nodiscard]] QList<Problem> lintTask(const TaskDocument &document, const LintFacts &facts);

/// The text with one fix applied.
[[nodiscard]] QByteArray applyFix(const QByteArray &text, const Fix &fix);

} // namespace Glovebox
