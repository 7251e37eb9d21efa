// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/agent.h"
#include "core/base/clock.h"
#include "core/runs/runqueue.h"
#include "core/runs/runstore.h"
#include "core/settings/secretstore.h"
#include "providers/registry.h"

namespace Glovebox {

/// Everything that lives as long as the program; built here, or by a test, and nowhere else. The
/// composition root of the window and the command line; knows no widget.
class Services final
{
public:
    struct Options
    {
        QString dataFolder; ///< empty = the system's place for application data
        QProcessEnvironment environment;
        RunLimits limits;
        /// Empty = all that this build has; a test gives its own.
        std::vector<std::unique_ptr<SandboxProvider>> providers;
    };
    [[nodiscard]] static Result<std::unique_ptr<Services>> create(Options options);
    ~Services();

    /// The system's place for this application's data.
    [[nodiscard]] static QString defaultDataFolder();

    [[nodiscard]] const Clock &clock() const { return m_clock; }
    [[nodiscard]] RunStore &store() { return *m_store; }
    [[nodiscard]] RunQueue &queue() { return *m_queue; }
    [[nodiscard]] SecretStore &secrets() { return m_secrets; }
    [[nodiscard]] const AgentCatalog &agents() const { return m_agents; }
    [[nodiscard]] QList<SandboxProvider *> providers() const;
    [[nodiscard]] SandboxProvider *provider(const QString &id) const;
    [[nodiscard]] const QProcessEnvironment &environment() const { return m_environment; }

private:
    explicit Services(Options options);

    SystemClock m_clock;
    QProcessEnvironment m_environment;
    SecretStore m_secrets;
    AgentCatalog m_agents;
    std::unique_ptr<RunStore> m_store;
    std::vector<std::unique_ptr<SandboxProvider>> m_providers;
    std::unique_ptr<RunQueue> m_queue;
};

} // namespace Glovebox
