// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/recordedplan.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace Glovebox {

namespace {

QStringList listOf(const QJsonObject &object, QLatin1String key)
{
    QStringList list;
    for (const auto &value : object.value(key).toArray()) {
        list << value.toString();
    }
    return list;
}

std::chrono::seconds secondsOf(const QJsonObject &object, QLatin1String key)
{
    return std::chrono::seconds(object.value(key).toInteger());
}

void readTask(const QJsonObject &task, RunPlan *plan)
{
    plan->taskPath = task.value(QLatin1String("path")).toString();
    plan->task.title = task.value(QLatin1String("title")).toString();
    plan->task.scope = listOf(task, QLatin1String("scope"));
    plan->task.forbid = listOf(task, QLatin1String("forbid"));
    plan->task.setup = listOf(task, QLatin1String("setup"));
    plan->task.timeout = secondsOf(task, QLatin1String("timeout_s"));
    for (const auto &value : task.value(QLatin1String("acceptance")).toArray()) {
        const QJsonObject command = value.toObject();
        plan->task.acceptance << AcceptanceCommand{command.value(QLatin1String("name")).toString(),
                                                   command.value(QLatin1String("run")).toString(),
                                                   secondsOf(command, QLatin1String("timeout_s"))};
    }
    const QString where =
        task.value(QLatin1String("verify")).toObject().value(QLatin1String("in")).toString();
    plan->verifyIn = where == QLatin1String("same") ? VerifyIn::Same : VerifyIn::Clean;
}

CompiledPolicy::Strength strengthOf(const QString &name)
{
    using Strength = CompiledPolicy::Strength;
    for (const Strength strength : {Strength::Exact, Strength::Wider, Strength::Narrower}) {
        if (strengthName(strength) == name) {
            return strength;
        }
    }
    return Strength::NotEnforced;
}

void readNetwork(const QJsonObject &network, RunPlan *plan)
{
    plan->sandbox.network.open = network.value(QLatin1String("open")).toBool();
    for (const auto &value : network.value(QLatin1String("hosts")).toArray()) {
        const QJsonObject host = value.toObject();
        plan->hosts << PlanHost{host.value(QLatin1String("rule")).toString(),
                                host.value(QLatin1String("reason")).toString()};
    }
    for (const QString &text : listOf(network, QLatin1String("deny"))) {
        if (const std::optional<HostRule> rule = parseHostRule(text)) {
            plan->sandbox.network.deny << *rule;
        }
    }
    plan->policy.strength = strengthOf(network.value(QLatin1String("strength")).toString());
    plan->policy.limits = listOf(network, QLatin1String("limits"));
    plan->policy.rules = listOf(network, QLatin1String("rules"));
}

void readRest(const QJsonObject &json, RunPlan *plan)
{
    const QJsonObject bundle = json.value(QLatin1String("bundle")).toObject();
    plan->bundle.base = json.value(QLatin1String("base")).toString();
    plan->bundle.withHistory = bundle.value(QLatin1String("history")).toBool();
    plan->bundle.bytes = bundle.value(QLatin1String("bytes")).toInteger();
    plan->bundle.objects = bundle.value(QLatin1String("objects")).toInteger();
    const QJsonObject sandbox = json.value(QLatin1String("sandbox")).toObject();
    plan->provider = sandbox.value(QLatin1String("backend")).toString();
    plan->sandbox.lifetime = secondsOf(sandbox, QLatin1String("lifetime_s"));
    plan->sandbox.readable = listOf(sandbox, QLatin1String("readable"));
    for (const auto &value : json.value(QLatin1String("variables")).toArray()) {
        const QJsonObject variable = value.toObject();
        plan->variables << PlanVariable{variable.value(QLatin1String("name")).toString(),
                                        variable.value(QLatin1String("source")).toString(),
                                        variable.value(QLatin1String("secret")).toBool()};
    }
    plan->agentCommand =
        listOf(json.value(QLatin1String("agent")).toObject(), QLatin1String("command"));
    plan->branch = json.value(QLatin1String("branch")).toString();
}

} // namespace

QList<PlanRow> recordedPlanRows(const QByteArray &planJson, const QByteArray &taskText)
{
    const QJsonObject json = QJsonDocument::fromJson(planJson).object();
    if (json.isEmpty()) {
        return {};
    }
    RunPlan plan;
    plan.taskText = taskText;
    readTask(json.value(QLatin1String("task")).toObject(), &plan);
    readNetwork(json.value(QLatin1String("network")).toObject(), &plan);
    readRest(json, &plan);
    return planRows(plan);
}

} // namespace Glovebox
