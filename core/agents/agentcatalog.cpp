// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/agent.h"
#include "core/base/files.h"

#include <QDir>
#include <QFileInfo>

namespace Glovebox {

namespace {

constexpr qint64 largestFile = 256LL * 1024;

enum class Origin { Ours, User };

Result<Agent> readAgentFile(const QString &path, Origin origin, QList<Problem> *problems)
{
    const Result<QByteArray> bytes = readFile(path, largestFile);
    if (!bytes) {
        return fail(bytes.error());
    }
    return parseAgent(*bytes, path, origin == Origin::Ours, problems);
}

} // namespace

AgentCatalog AgentCatalog::load(const QString &userFolder)
{
    AgentCatalog catalog;
    const auto addFrom = [&catalog](const QString &folder, Origin origin) {
        const QStringList names =
            QDir(folder).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
        for (const QString &name : names) {
            Result<Agent> agent =
                readAgentFile(folder + QLatin1Char('/') + name, origin, &catalog.m_problems);
            if (!agent) {
                Problem problem;
                problem.code = QStringLiteral("agent-file");
                problem.message = agent.error().message;
                catalog.m_problems += problem;
                continue;
            }
            catalog.m_agents.removeIf([&](const Agent &other) { return other.id == agent->id; });
            catalog.m_agents += std::move(*agent);
        }
    };
    addFrom(QStringLiteral(":/glovebox/agents"), Origin::Ours);
    if (!userFolder.isEmpty() && QFileInfo(userFolder).isDir()) {
        addFrom(userFolder, Origin::User);
    }
    return catalog;
}

const Agent *AgentCatalog::find(const QString &id) const
{
    for (const Agent &agent : m_agents) {
        if (agent.id == id) {
            return &agent;
        }
    }
    return nullptr;
}

} // namespace Glovebox
