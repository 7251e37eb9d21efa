// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/agent.h"

namespace Glovebox {

namespace {

const QLatin1String optionsPlace("{options}");
const QLatin1String valuePlace("{value}");

QStringList withValue(const QStringList &argv, const QString &value)
{
    QStringList filled;
    for (const QString &argument : argv) {
        filled += QString(argument).replace(valuePlace, value);
    }
    return filled;
}

QStringList chosenOptions(const Agent &agent, const AgentOptions &options)
{
    QStringList argv;
    if (!options.model.isEmpty()) {
        argv += withValue(agent.options.value(QStringLiteral("model")), options.model);
    }
    if (options.budgetUsd) {
        argv += withValue(agent.options.value(QStringLiteral("budget")),
                          QString::number(*options.budgetUsd, 'g', 12));
    }
    if (options.turns) {
        argv += withValue(agent.options.value(QStringLiteral("turns")),
                          QString::number(*options.turns));
    }
    return argv;
}

} // namespace

QStringList agentCommand(const Agent &agent, const AgentOptions &options)
{
    QStringList argv;
    for (const QString &argument : agent.command) {
        if (argument == optionsPlace) {
            argv += chosenOptions(agent, options);
        } else {
            argv += QString(argument).replace(valuePlace, options.command);
        }
    }
    return argv;
}

} // namespace Glovebox
