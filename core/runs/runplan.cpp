// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/runplan.h"

#include "core/base/files.h"

#include <QLocale>

namespace Glovebox {

namespace {

QJsonArray toArray(const QStringList &list)
{
    return QJsonArray::fromStringList(list);
}

QJsonArray checksJson(const TaskFile &task)
{
    QJsonArray checks;
    for (const AcceptanceCommand &command : task.acceptance) {
        checks << QJsonObject{{QStringLiteral("name"), command.name},
                              {QStringLiteral("run"), command.run},
                              {QStringLiteral("timeout_s"), qint64{command.timeout.count()}}};
    }
    return checks;
}

QJsonObject verifyJson(const RunPlan &plan)
{
    return {{QStringLiteral("in"),
             plan.verifyIn == VerifyIn::Clean ? QStringLiteral("clean") : QStringLiteral("same")},
            {QStringLiteral("base"), plan.task.verify.onBase},
            {QStringLiteral("base_tests"), toArray(plan.task.verify.baseTests)}};
}

QJsonObject taskJson(const RunPlan &plan)
{
    return {{QStringLiteral("path"), plan.taskPath},
            {QStringLiteral("sha256"), QString::fromLatin1(plan.taskDigest)},
            {QStringLiteral("title"), plan.task.title},
            {QStringLiteral("scope"), toArray(plan.task.scope)},
            {QStringLiteral("forbid"), toArray(plan.task.forbid)},
            {QStringLiteral("setup"), toArray(plan.task.setup)},
            {QStringLiteral("acceptance"), checksJson(plan.task)},
            {QStringLiteral("verify"), verifyJson(plan)},
            {QStringLiteral("timeout_s"), qint64{plan.task.timeout.count()}},
            {QStringLiteral("budget_usd"),
             plan.task.budgetUsd ? QJsonValue(*plan.task.budgetUsd) : QJsonValue()}};
}

QJsonObject bundleJson(const BaseBundle &bundle)
{
    return {{QStringLiteral("reference"), bundle.reference},
            {QStringLiteral("bytes"), bundle.bytes},
            {QStringLiteral("objects"), bundle.objects},
            {QStringLiteral("history"), bundle.withHistory},
            {QStringLiteral("shallow"), toArray(bundle.shallow)},
            {QStringLiteral("sha256"), QString::fromLatin1(bundle.sha256)}};
}

QJsonObject networkJson(const RunPlan &plan)
{
    QJsonArray hosts;
    for (const PlanHost &host : plan.hosts) {
        hosts << QJsonObject{{QStringLiteral("rule"), host.rule},
                             {QStringLiteral("reason"), host.reason}};
    }
    QStringList deny;
    for (const HostRule &rule : plan.sandbox.network.deny) {
        deny << toText(rule);
    }
    return {{QStringLiteral("preset"), plan.task.network.preset},
            {QStringLiteral("open"), plan.sandbox.network.open},
            {QStringLiteral("hosts"), hosts},
            {QStringLiteral("deny"), toArray(deny)},
            {QStringLiteral("strength"), strengthName(plan.policy.strength)},
            {QStringLiteral("rules"), toArray(plan.policy.rules)},
            {QStringLiteral("limits"), toArray(plan.policy.limits)},
            {QStringLiteral("digest"), QString::fromLatin1(plan.policy.digest)}};
}

QJsonArray variablesJson(const RunPlan &plan)
{
    QJsonArray variables;
    for (const PlanVariable &variable : plan.variables) {
        variables << QJsonObject{{QStringLiteral("name"), variable.name},
                                 {QStringLiteral("source"), variable.source},
                                 {QStringLiteral("secret"), variable.secret}};
    }
    return variables;
}

QJsonObject agentJson(const RunPlan &plan)
{
    return {{QStringLiteral("id"), plan.agent.id},
            {QStringLiteral("name"), plan.agent.name},
            {QStringLiteral("command"), toArray(plan.agentCommand)},
            {QStringLiteral("program"), plan.program}};
}

QJsonObject sandboxJson(const RunPlan &plan)
{
    return {{QStringLiteral("backend"), plan.provider},
            {QStringLiteral("image"), plan.sandbox.image},
            {QStringLiteral("lifetime_s"), qint64{plan.sandbox.lifetime.count()}},
            {QStringLiteral("readable"), toArray(plan.sandbox.readable)},
            {QStringLiteral("cannot"), toArray(plan.cannot)}};
}

QJsonObject ticksJson(const PlanTicks &ticks)
{
    return {{QStringLiteral("unenforced"), ticks.unenforced},
            {QStringLiteral("open"), ticks.open},
            {QStringLiteral("confirmed_variables"), toArray(ticks.confirmedVariables)}};
}

} // namespace

QJsonObject toJson(const RunPlan &plan)
{
    return {{QStringLiteral("run"), plan.run},
            {QStringLiteral("task"), taskJson(plan)},
            {QStringLiteral("repository"), plan.repository},
            {QStringLiteral("base"), plan.base()},
            {QStringLiteral("branch"), plan.branch},
            {QStringLiteral("bundle"), bundleJson(plan.bundle)},
            {QStringLiteral("sandbox"), sandboxJson(plan)},
            {QStringLiteral("network"), networkJson(plan)},
            {QStringLiteral("variables"), variablesJson(plan)},
            {QStringLiteral("agent"), agentJson(plan)},
            {QStringLiteral("ticks"), ticksJson(plan.ticks)},
            {QStringLiteral("notes"), toArray(plan.notes)}};
}

QByteArray canonicalJson(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact); // QJsonObject sorts its keys
}

QByteArray planDigest(const RunPlan &plan)
{
    return sha256(canonicalJson(toJson(plan)));
}

QString sizeText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

} // namespace Glovebox
