// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/runplan.h"

#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Plan)
};

using Group = PlanRow::Group;

QList<PlanRow> goesIn(const RunPlan &plan)
{
    QList<PlanRow> rows;
    rows << PlanRow{Group::GoesIn,
                    Tr::tr("Repository"),
                    plan.bundle.withHistory
                        ? Tr::tr("%1 with its whole history").arg(plan.base().left(7))
                        : Tr::tr("%1 alone, without its history").arg(plan.base().left(7)),
                    Tr::tr("%1, %n objects", nullptr, static_cast<int>(plan.bundle.objects))
                        .arg(sizeText(plan.bundle.bytes)),
                    {}};
    rows << PlanRow{Group::GoesIn,
                    Tr::tr("Task"),
                    QFileInfo(plan.taskPath).fileName(),
                    sizeText(plan.taskText.size()),
                    {}};
    for (const PlanVariable &variable : plan.variables) {
        rows << PlanRow{Group::GoesIn, Tr::tr("Variable"), variable.name,
                        Tr::tr("from %1").arg(variable.source),
                        variable.secret ? Tr::tr("The agent can read this key.") : QString()};
    }
    for (const QString &folder : plan.sandbox.readable) {
        rows << PlanRow{
            Group::GoesIn, Tr::tr("Readable folder"), folder, Tr::tr("the agent's program"), {}};
    }
    return rows;
}

QList<PlanRow> mayReach(const RunPlan &plan)
{
    QList<PlanRow> rows;
    if (plan.sandbox.network.open) {
        rows << PlanRow{Group::MayReach,
                        Tr::tr("Network"),
                        Tr::tr("every host"),
                        {},
                        Tr::tr("Nothing keeps the agent from sending out what it can read.")};
    }
    for (const PlanHost &host : plan.hosts) {
        rows << PlanRow{Group::MayReach, Tr::tr("Host"), host.rule, host.reason, {}};
    }
    if (rows.isEmpty()) {
        rows << PlanRow{Group::MayReach, Tr::tr("Network"), Tr::tr("no host"), {}, {}};
    }
    for (const HostRule &rule : plan.sandbox.network.deny) {
        rows << PlanRow{
            Group::MayReach, Tr::tr("Refused"), toText(rule), Tr::tr("by the task"), {}};
    }
    if (plan.policy.strength != CompiledPolicy::Strength::Exact) {
        rows << PlanRow{Group::MayReach,
                        Tr::tr("Enforced by %1").arg(plan.provider),
                        strengthName(plan.policy.strength),
                        {},
                        plan.policy.limits.join(QLatin1Char(' '))};
    }
    return rows;
}

QList<PlanRow> runs(const RunPlan &plan)
{
    QList<PlanRow> rows;
    rows << PlanRow{Group::Runs,
                    Tr::tr("Sandbox"),
                    plan.provider,
                    Tr::tr("ends after %1").arg(durationText(plan.sandbox.lifetime)),
                    {}};
    for (const QString &line : plan.task.setup) {
        rows << PlanRow{Group::Runs, Tr::tr("Setup"), line, {}, {}};
    }
    rows << PlanRow{Group::Runs,
                    Tr::tr("Agent"),
                    plan.agentCommand.join(QLatin1Char(' ')),
                    Tr::tr("at most %1").arg(durationText(plan.task.timeout)),
                    {}};
    for (const AcceptanceCommand &command : plan.task.acceptance) {
        rows << PlanRow{Group::Runs,
                        Tr::tr("Check"),
                        command.run,
                        Tr::tr("at most %1").arg(durationText(command.timeout)),
                        {}};
    }
    rows << PlanRow{Group::Runs,
                    Tr::tr("Checked in"),
                    plan.verifyIn == VerifyIn::Clean
                        ? Tr::tr("a second sandbox made from the returned commits")
                        : Tr::tr("a fresh checkout in the agent's sandbox"),
                    {},
                    {}};
    return rows;
}

QList<PlanRow> comesBack(const RunPlan &plan)
{
    QList<PlanRow> rows;
    rows << PlanRow{Group::ComesBack,
                    Tr::tr("Branch"),
                    plan.branch,
                    Tr::tr("never overwrites, never pushed by itself"),
                    {}};
    rows << PlanRow{Group::ComesBack,
                    Tr::tr("May change"),
                    plan.task.scope.isEmpty() ? Tr::tr("any file")
                                              : plan.task.scope.join(QStringLiteral(", ")),
                    {},
                    plan.task.scope.isEmpty() ? Tr::tr("No scope is set.") : QString()};
    if (!plan.task.forbid.isEmpty()) {
        rows << PlanRow{Group::ComesBack,
                        Tr::tr("Must not change"),
                        plan.task.forbid.join(QStringLiteral(", ")),
                        {},
                        {}};
    }
    rows << PlanRow{Group::ComesBack,
                    Tr::tr("Afterwards"),
                    Tr::tr("the sandbox is deleted"),
                    Tr::tr("as soon as its commits are here"),
                    {}};
    return rows;
}

} // namespace

QList<PlanRow> planRows(const RunPlan &plan)
{
    return goesIn(plan) + mayReach(plan) + runs(plan) + comesBack(plan);
}

QString groupText(PlanRow::Group group)
{
    switch (group) {
    case Group::GoesIn:
        return Tr::tr("Goes in");
    case Group::MayReach:
        return Tr::tr("May reach");
    case Group::Runs:
        return Tr::tr("Runs");
    case Group::ComesBack:
        return Tr::tr("Comes back");
    }
    Q_UNREACHABLE();
}

} // namespace Glovebox
