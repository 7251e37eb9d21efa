// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/services.h"

#include <QStandardPaths>

namespace Glovebox {

Services::Services(Options options)
    : m_environment(options.environment)
    , m_secrets(options.environment)
    , m_agents(AgentCatalog::load(options.dataFolder + QStringLiteral("/agents")))
{
}

Services::~Services() = default;

QString Services::defaultDataFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/glovebox");
}

Result<std::unique_ptr<Services>> Services::create(Options options)
{
    if (options.dataFolder.isEmpty()) {
        options.dataFolder = defaultDataFolder();
    }
    options.dataFolder = QDir(options.dataFolder).absolutePath();
    const RunLimits limits = options.limits;
    const QString folder = options.dataFolder;
    auto providers = std::move(options.providers);
    std::unique_ptr<Services> services(new Services(std::move(options)));
    Result<std::unique_ptr<RunStore>> store = RunStore::open(folder, services->m_clock);
    if (!store) {
        return fail(store.error());
    }
    services->m_store = std::move(*store);
    ProviderSettings settings;
    settings.dataFolder = folder;
    settings.installation = services->m_store->installation();
    services->m_providers = providers.empty() ? makeProviders(settings) : std::move(providers);
    services->m_queue = std::make_unique<RunQueue>(*services->m_store, services->providers(),
                                                   services->m_secrets, services->m_clock, limits);
    return services;
}

QList<SandboxProvider *> Services::providers() const
{
    QList<SandboxProvider *> list;
    for (const auto &provider : m_providers) {
        list << provider.get();
    }
    return list;
}

SandboxProvider *Services::provider(const QString &id) const
{
    for (const auto &provider : m_providers) {
        if (provider->info().id == id) {
            return provider.get();
        }
    }
    return nullptr;
}

} // namespace Glovebox
