// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/networkpresets.h"

#include "core/base/terminaltext.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(NetworkPresets)
};

/// Builds a policy rule by rule; the first reason for a rule is the one that is shown.
class Resolver final
{
public:
    explicit Resolver(const NetworkChoice &choice)
        : m_choice(choice)
    {
    }

    [[nodiscard]] ResolvedNetwork resolve(const Agent &agent, const PackageHosts &packages)
    {
        const NetworkPreset preset = readPreset();
        m_result.policy.open = preset == NetworkPreset::Open;
        if (m_result.policy.open) {
            tell(Severity::Warning, QStringLiteral("network-open"), networkPresetText(preset));
        }
        addAgentHosts(agent);
        if (preset == NetworkPreset::Balanced) {
            for (const PackageHost &host : packages.hosts) {
                allow(host.rule, host.reason);
            }
            m_result.problems += packages.problems;
        }
        addTaskLists();
        return m_result;
    }

private:
    [[nodiscard]] NetworkPreset readPreset()
    {
        const std::optional<NetworkPreset> preset = networkPresetOf(m_choice.preset);
        if (!preset) {
            tell(Severity::Error, QStringLiteral("network-preset"),
                 Tr::tr("There is no network preset \"%1\": use locked-down, balanced or open.")
                     .arg(displayText(m_choice.preset)));
        }
        return preset.value_or(NetworkPreset::LockedDown);
    }

    void addAgentHosts(const Agent &agent)
    {
        for (const QString &host : agent.hosts) {
            // The catalog took only files whose hosts are rules.
            const std::optional<HostRule> rule = parseHostRule(host);
            if (rule) {
                allow(*rule, Tr::tr("agent %1").arg(agent.name));
            }
        }
    }

    void addTaskLists()
    {
        for (const QString &text : m_choice.allow) {
            if (const std::optional<HostRule> rule = readRule(text)) {
                allow(*rule, Tr::tr("the task's own list"));
            }
        }
        for (const QString &text : m_choice.deny) {
            const std::optional<HostRule> rule = readRule(text);
            if (rule && !m_result.policy.deny.contains(*rule)) {
                m_result.policy.deny += *rule;
            }
        }
    }

    [[nodiscard]] std::optional<HostRule> readRule(const QString &text)
    {
        const std::optional<HostRule> rule = parseHostRule(text);
        if (!rule) {
            tell(Severity::Error, QStringLiteral("network-rule"),
                 Tr::tr("\"%1\" is no host: write example.com, *.example.com, example.com:443, an "
                        "address or a block such as 10.0.0.0/8.")
                     .arg(displayText(text)));
        }
        return rule;
    }

    void allow(const HostRule &rule, const QString &reason)
    {
        if (m_result.policy.allow.contains(rule)) {
            return;
        }
        m_result.policy.allow += rule;
        m_result.hosts += PlanHost{toText(rule), reason};
    }

    void tell(Severity severity, const QString &code, const QString &message)
    {
        Problem problem;
        problem.severity = severity;
        problem.code = code;
        problem.message = message;
        m_result.problems += problem;
    }

    const NetworkChoice &m_choice;
    ResolvedNetwork m_result;
};

} // namespace

QString networkPresetName(NetworkPreset preset)
{
    switch (preset) {
    case NetworkPreset::LockedDown:
        return QStringLiteral("locked-down");
    case NetworkPreset::Balanced:
        return QStringLiteral("balanced");
    case NetworkPreset::Open:
        return QStringLiteral("open");
    }
    Q_UNREACHABLE();
}

std::optional<NetworkPreset> networkPresetOf(const QString &name)
{
    for (const NetworkPreset preset :
         {NetworkPreset::LockedDown, NetworkPreset::Balanced, NetworkPreset::Open}) {
        if (networkPresetName(preset) == name) {
            return preset;
        }
    }
    return std::nullopt;
}

QString networkPresetText(NetworkPreset preset)
{
    switch (preset) {
    case NetworkPreset::LockedDown:
        return Tr::tr("Only the hosts of the agent's model can be reached.");
    case NetworkPreset::Balanced:
        return Tr::tr("The hosts of the agent's model and of this repository's packages can be "
                      "reached.");
    case NetworkPreset::Open:
        return Tr::tr("Every host can be reached: whatever the agent can read, it can send "
                      "anywhere.");
    }
    Q_UNREACHABLE();
}

ResolvedNetwork resolveNetwork(const NetworkChoice &choice, const Agent &agent,
                               const PackageHosts &packages)
{
    return Resolver(choice).resolve(agent, packages);
}

} // namespace Glovebox
