// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lintrun.h"
#include "core/tasks/names.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Lint)
};

const QString agentKey = QStringLiteral("agent");
const QString backendKey = QStringLiteral("backend");
const QString timeoutKey = QStringLiteral("timeout");

void lintAgent(LintRun *run)
{
    if (!run->facts.agent) {
        return;
    }
    const LintFacts::AgentFacts &agent = *run->facts.agent;
    const TaskFile &task = run->task;
    if (!agent.known) {
        const QString nearest = nearestName(task.agent.id, run->facts.agentIds);
        Problem &problem =
            run->add(Severity::Error, "unknown-agent",
                     Tr::tr("There is no agent called \"%1\". Known are: %2.")
                         .arg(task.agent.id, run->facts.agentIds.join(QLatin1String(", "))),
                     agentKey);
        TaskFile changed = task;
        changed.agent = {nearest, {}};
        if (!nearest.isEmpty()) {
            run->offer(&problem, Tr::tr("Use %1").arg(nearest), agentKey, changed);
        }
        return;
    }
    if (task.budgetUsd && !agent.limitsBudget) {
        const bool written = run->document.positionOf(QStringLiteral("budget_usd")).has_value();
        run->add(written ? Severity::Warning : Severity::Hint, "budget-not-enforced",
                 Tr::tr("This agent cannot keep to a budget; only the timeout ends it."),
                 QStringLiteral("budget_usd"));
    }
    if (task.turns && !agent.limitsTurns) {
        run->add(Severity::Warning, "turns-not-enforced",
                 Tr::tr("This agent cannot limit its turns; only the timeout ends it."),
                 QStringLiteral("turns"));
    }
    if (!task.model.isEmpty() && !agent.choosesModel) {
        run->add(Severity::Warning, "model-not-chosen",
                 Tr::tr("This agent takes no model; it uses its own."), QStringLiteral("model"));
    }
}

void lintBackend(LintRun *run)
{
    const TaskFile &task = run->task;
    if (run->facts.backend && !run->facts.backend->known) {
        const QString nearest = nearestName(task.backend, run->facts.backendIds);
        Problem &problem =
            run->add(Severity::Error, "unknown-backend",
                     Tr::tr("There is no backend called \"%1\". Known are: %2.")
                         .arg(task.backend, run->facts.backendIds.join(QLatin1String(", "))),
                     backendKey);
        TaskFile changed = task;
        changed.backend = nearest;
        if (!nearest.isEmpty()) {
            run->offer(&problem, Tr::tr("Use %1").arg(nearest), backendKey, changed);
        }
    }
    if (run->facts.backend && run->facts.backend->atOnce == 1) {
        run->add(Severity::Warning, "one-at-once",
                 Tr::tr("This backend runs one command at a time: no checkpoints are made, and "
                        "cancelling loses the work."),
                 backendKey);
    }
    const bool linked = run->facts.repository && run->facts.repository->linkedWorktree;
    if (linked && task.backend == QLatin1String("sbx")) {
        run->add(Severity::Error, "trap-linked-worktree",
                 Tr::tr("sbx cannot clone from a linked worktree; run the task in the main "
                        "worktree, or on another backend."),
                 backendKey);
    }
    if (task.backend == QLatin1String("e2b") &&
        task.imageTemplate == QLatin1String("claude-code")) {
        run->add(Severity::Error, "trap-template",
                 Tr::tr("E2B has no template called claude-code; build one of your own and name "
                        "it here."),
                 QStringLiteral("template"));
    }
}

void lintLifetime(LintRun *run)
{
    const std::chrono::seconds maximum =
        run->facts.backend ? run->facts.backend->maximumLifetime : std::chrono::seconds(0);
    if (maximum.count() <= 0) {
        return;
    }
    const TaskFile &task = run->task;
    std::chrono::seconds checks{0};
    for (const AcceptanceCommand &command : task.acceptance) {
        checks += command.timeout * task.verify.rounds();
    }
    const bool clean = task.verify.in == VerifyIn::Clean;
    TaskFile changed = task;
    changed.timeout = clean || checks >= maximum ? maximum : maximum - checks;
    if (task.timeout > maximum) {
        Problem &problem = run->add(
            Severity::Error, "lifetime",
            Tr::tr("A sandbox of this backend lives at most %1.").arg(durationText(maximum)),
            timeoutKey);
        run->offer(&problem, Tr::tr("Use %1").arg(durationText(changed.timeout)), timeoutKey,
                   changed);
        return;
    }
    if (clean && checks > maximum) {
        run->add(Severity::Warning, "lifetime-checks",
                 Tr::tr("The acceptance commands may take %1 in all, but a sandbox of this "
                        "backend lives at most %2.")
                     .arg(durationText(checks), durationText(maximum)),
                 QStringLiteral("acceptance"));
    }
    if (clean || task.timeout + checks <= maximum) {
        return;
    }
    Problem &problem = run->add(
        Severity::Warning, "lifetime-checks",
        Tr::tr("With %1 for the agent and up to %2 for acceptance the sandbox would have to live "
               "longer than its %3.")
            .arg(durationText(task.timeout), durationText(checks), durationText(maximum)),
        timeoutKey);
    if (changed.timeout < maximum) {
        run->offer(&problem, Tr::tr("Use %1").arg(durationText(changed.timeout)), timeoutKey,
                   changed);
    }
}

/// The forges' own names for a token that may push; none of them ever enters a sandbox.
void lintEnvironment(LintRun *run)
{
    static const QStringList forgeTokens{QStringLiteral("GITHUB_TOKEN"),
                                         QStringLiteral("GH_TOKEN"),
                                         QStringLiteral("GITHUB_PAT"),
                                         QStringLiteral("GH_ENTERPRISE_TOKEN"),
                                         QStringLiteral("GITLAB_TOKEN"),
                                         QStringLiteral("GITLAB_PRIVATE_TOKEN"),
                                         QStringLiteral("CI_JOB_TOKEN"),
                                         QStringLiteral("GITEA_TOKEN"),
                                         QStringLiteral("FORGEJO_TOKEN"),
                                         QStringLiteral("BITBUCKET_TOKEN"),
                                         QStringLiteral("BITBUCKET_APP_PASSWORD")};
    const QString key = QStringLiteral("env");
    for (qsizetype i = 0; i < run->task.environment.size(); ++i) {
        const QString &name = run->task.environment.at(i);
        if (forgeTokens.contains(name.toUpper())) {
            Problem &problem = run->add(
                Severity::Error, "forge-token",
                Tr::tr("%1 never enters a sandbox: you push, not the agent.").arg(name), key, i);
            TaskFile changed = run->task;
            changed.environment.removeAt(i);
            run->offer(&problem, Tr::tr("Remove %1").arg(name), key, changed);
        }
    }
}

} // namespace

void lintChoices(LintRun *run)
{
    lintAgent(run);
    lintBackend(run);
    lintLifetime(run);
    lintEnvironment(run);
    if (run->task.attempts > 1) {
        run->add(Severity::Warning, "attempts",
                 Tr::tr("Several attempts are not made yet: the task runs once."),
                 QStringLiteral("attempts"));
    }
}

} // namespace Glovebox
