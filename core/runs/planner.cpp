// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/planner.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/base/pool.h"
#include "core/git/repository.h"
#include "core/runs/networkpresets.h"
#include "core/runs/packagehosts.h"
#include "core/tasks/lint.h"

#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Planner)
};

constexpr std::chrono::seconds lifetimeMargin{15 * 60};
constexpr std::chrono::seconds setupLimit{10 * 60};

Problem problemOf(Severity severity, const char *code, const QString &message)
{
    Problem problem;
    problem.severity = severity;
    problem.code = QString::fromLatin1(code);
    problem.message = message;
    return problem;
}

SandboxProvider *providerOf(const PlannerParts &parts, const QString &id)
{
    for (SandboxProvider *provider : parts.providers) {
        if (provider->info().id == id) {
            return provider;
        }
    }
    return nullptr;
}

/// The folders in which the agent's whole package lies, for a backend that hides the home it is in:
/// the one with the link on the PATH, and the one that it leads to. A package of npm needs its
/// neighbours in node_modules, but not what lies beside that: the prefix may be a home.
QStringList foldersOf(const QString &program)
{
    static const QString modules = QStringLiteral("/node_modules");
    const QString real = QFileInfo(program).canonicalFilePath();
    QStringList folders{QFileInfo(program).absolutePath()};
    const qsizetype at = real.indexOf(modules + QLatin1Char('/'));
    folders << (at < 0 ? QFileInfo(real).absolutePath() : real.left(at + modules.size()));
    folders.removeDuplicates();
    return folders;
}

bool runsHere(const SandboxProvider &provider)
{
    return provider.info().capabilities.isolation == Capabilities::Isolation::Process;
}

void addAgent(const PlannerParts &parts, const SandboxProvider &provider, const Agent &agent,
              PlannedRun *planned)
{
    RunPlan &plan = planned->prepared->plan;
    plan.agent = agent;
    if (plan.task.budgetUsd && !agent.options.contains(QStringLiteral("budget"))) {
        plan.cannot << Tr::tr("The agent can't limit what it spends.");
    }
    AgentOptions options{plan.task.model, plan.task.budgetUsd, plan.task.turns,
                         plan.task.agent.command};
    plan.agentCommand = agentCommand(agent, options);
    if (agent.install.npm.isEmpty() || !runsHere(provider)) {
        return;
    }
    const std::optional<QString> program =
        findProgram(agent.install.program, parts.environment.value(QStringLiteral("PATH")));
    if (!program) {
        planned->problems << problemOf(
            Severity::Error, "agent-missing",
            Tr::tr("%1 is not installed: there is no %2 on the PATH. Install it with "
                   "`npm install -g %3`.")
                .arg(agent.name, agent.install.program, agent.install.npm));
        return;
    }
    plan.program = *program;
    plan.sandbox.readable = foldersOf(*program);
    plan.sandbox.path = QStringList{QFileInfo(*program).absolutePath()};
}

void addVariable(const PlannerParts &parts, const QString &name, PlannedRun *planned)
{
    const std::optional<Secret> value = parts.secrets->find(name);
    const bool memory = parts.secrets->placeOf(name) == SecretStore::Place::Memory;
    planned->prepared->plan.variables << PlanVariable{
        name, memory ? QStringLiteral("memory") : QStringLiteral("environment"), true};
    planned->prepared->environment << EnvironmentVariable{name, value.value_or(Secret())};
    if (value && value->reveal().size() < 8) {
        planned->problems << problemOf(Severity::Warning, "short-secret",
                                       Tr::tr("%1 is too short to be kept out of logs.").arg(name));
    }
}

/// One key of each group, the first that is there.
void addKeys(const PlannerParts &parts, PlannedRun *planned)
{
    const Agent &agent = planned->prepared->plan.agent;
    QStringList groups;
    for (const Agent::Key &key : agent.keys) {
        if (!groups.contains(key.anyOf)) {
            groups << key.anyOf;
        }
    }
    for (const QString &group : groups) {
        QStringList names;
        QString found;
        for (const Agent::Key &key : agent.keys) {
            if (key.anyOf == group) {
                names << key.name;
                found = found.isEmpty() && parts.secrets->find(key.name) ? key.name : found;
            }
        }
        if (found.isEmpty()) {
            planned->problems << problemOf(Severity::Error, "no-key",
                                           Tr::tr("%1 needs a key: set the variable %2.")
                                               .arg(agent.name, names.join(Tr::tr(" or "))));
            continue;
        }
        addVariable(parts, found, planned);
    }
}

void addTaskVariables(const PlannerParts &parts, PlannedRun *planned)
{
    const RunPlan &plan = planned->prepared->plan;
    for (const QString &name : plan.task.environment) {
        if (!plan.ticks.confirmedVariables.contains(name)) {
            planned->problems << problemOf(
                Severity::Error, "unconfirmed-env",
                Tr::tr("The task asks for the variable %1. Say --confirm-env %1 to let it in.")
                    .arg(name));
            continue;
        }
        if (!parts.secrets->find(name)) {
            planned->problems << problemOf(
                Severity::Error, "missing-env",
                Tr::tr("The task asks for the variable %1, which is not set here.").arg(name));
            continue;
        }
        addVariable(parts, name, planned);
    }
}

/// What the harness itself sets, so that the audit is complete.
void addOwnVariables(PlannedRun *planned)
{
    RunPlan &plan = planned->prepared->plan;
    for (const auto &[name, value] : plan.agent.environment) {
        plan.variables << PlanVariable{name, QStringLiteral("agent"), false};
    }
    if (!plan.agent.configVariable.isEmpty()) {
        plan.variables << PlanVariable{plan.agent.configVariable, QStringLiteral("glovebox"),
                                       false};
    }
    plan.variables << PlanVariable{QStringLiteral("TMPDIR"), QStringLiteral("glovebox"), false};
    for (const auto &[name, value] : plan.agent.rootEnvironment) {
        plan.variables << PlanVariable{name, QStringLiteral("agent"), false};
    }
}

void addPolicy(const SandboxProvider &provider, PlannedRun *planned)
{
    RunPlan &plan = planned->prepared->plan;
    plan.policy = provider.compile(plan.sandbox.network);
    if (plan.policy.strength == CompiledPolicy::Strength::NotEnforced && !plan.ticks.unenforced) {
        planned->problems << problemOf(
            Severity::Error, "unenforced-network",
            Tr::tr("%1 cannot enforce this network: %2 Choose another preset or backend, or accept "
                   "it with --accept-unenforced.")
                .arg(provider.info().name, plan.policy.limits.join(QLatin1Char(' '))));
    }
    planned->problems << provider.validate(plan.sandbox);
}

std::chrono::seconds lifetimeOf(const RunPlan &plan)
{
    const int rounds = plan.task.verify.rounds();
    std::chrono::seconds sum =
        plan.task.timeout + lifetimeMargin + setupLimit * plan.task.setup.size() * (1 + rounds);
    for (const AcceptanceCommand &check : plan.task.acceptance) {
        sum += check.timeout * rounds;
    }
    return sum;
}

QString branchOf(const TaskFile &task, const QString &run)
{
    QString name = task.branch;
    if (name.isEmpty()) {
        name = slugOf(task.title);
    }
    return QStringLiteral("agent/") +
           (name.isEmpty() ? QStringLiteral("task-") + run.left(8) : name);
}

void addLabels(const RunStore &store, RunPlan *plan)
{
    plan->sandbox.labels = {{QStringLiteral("application"), QStringLiteral("glovebox")},
                            {QStringLiteral("installation"), store.installation()},
                            {QStringLiteral("run"), plan->run}};
}

/// The files of the base that tell where packages come from; libgit2, on a pool thread.
Result<QList<PackageFile>> packageFiles(const QString &gitFolder, const QString &base)
{
    const Result<QList<QByteArray>> paths = pathsOf(gitFolder, base);
    if (!paths) {
        return fail(paths.error());
    }
    QList<PackageFile> files;
    for (const QByteArray &path : *paths) {
        if (!isPackageFile(path)) {
            continue;
        }
        const Result<QByteArray> bytes = fileOf(gitFolder, base, path);
        if (bytes) {
            files << PackageFile{path, *bytes};
        }
    }
    return files;
}

QCoro::Task<Result<ResolvedNetwork>> networkOf(LintedTask task, Agent agent, std::stop_token stop)
{
    Result<PackageHosts> packages = PackageHosts();
    if (networkPresetOf(task.document.task().network.preset) == NetworkPreset::Balanced) {
        const auto read = [git = task.gitFolder, base = task.base] {
            return packageFiles(git, base).map(readPackageHosts);
        };
        const Result<PackageHosts> inFiles = co_await runInPool(read);
        if (!inFiles) {
            co_return fail(inFiles.error());
        }
        packages = co_await askPackageManagers(*inFiles, stop);
        if (!packages) {
            co_return fail(packages.error());
        }
    }
    ResolvedNetwork network = resolveNetwork(task.document.task().network, agent, *packages);
    network.problems << packages->problems;
    co_return network;
}

void fillPlan(const PlannerParts &parts, const PlanRequest &request, const LintedTask &task,
              SandboxProvider *provider, RunPlan *plan)
{
    plan->run = newId();
    plan->taskPath = QFileInfo(request.taskFile).absoluteFilePath();
    plan->taskText = task.document.bytes();
    plan->taskDigest = sha256(plan->taskText);
    plan->task = task.document.task();
    plan->repository =
        task.repository.workTree.isEmpty() ? task.repository.gitFolder : task.repository.workTree;
    plan->gitFolder = task.gitFolder;
    plan->branch = branchOf(plan->task, plan->run);
    plan->provider = provider->info().id;
    plan->ticks = request.ticks;
    plan->sandbox.image = plan->task.imageTemplate;
    plan->sandbox.hidden = {plan->repository, plan->gitFolder};
    plan->sandbox.lifetime = lifetimeOf(*plan);
    plan->verifyIn = plan->task.verify.in.value_or(
        provider->info().capabilities.billed ? VerifyIn::Same : VerifyIn::Clean);
    if (provider->info().capabilities.atOnce == 1) {
        plan->cannot << Tr::tr("No checkpoints: cancelling loses the work.");
    }
    addLabels(*parts.store, plan);
}

} // namespace

void discardPlan(const PreparedRun &prepared, const RunStore &store)
{
    QDir(store.runFolder(prepared.plan.run)).removeRecursively();
}

QCoro::Task<Result<PlannedRun>> makePlan(PlannerParts parts, PlanRequest request,
                                         std::stop_token stop)
{
    const Result<LintedTask> task = co_await lintTaskFile(parts, request, stop);
    if (!task) {
        co_return fail(task.error());
    }
    PlannedRun planned;
    planned.problems = task->problems;
    SandboxProvider *provider = providerOf(parts, task->document.task().backend);
    const Agent *agent = parts.agents->find(task->document.task().agent.id);
    if (hasErrors(planned.problems) || !provider || !agent || task->base.isEmpty()) {
        co_return planned; // lint named what is missing
    }
    planned.prepared.emplace();
    RunPlan &plan = planned.prepared->plan;
    fillPlan(parts, request, *task, provider, &plan);
    addAgent(parts, *provider, *agent, &planned);
    addKeys(parts, &planned);
    addTaskVariables(parts, &planned);
    addOwnVariables(&planned);
    const Result<ResolvedNetwork> network = co_await networkOf(*task, *agent, stop);
    if (!network) {
        co_return fail(network.error());
    }
    plan.sandbox.network = network->policy;
    plan.hosts = network->hosts;
    planned.problems << network->problems;
    addPolicy(*provider, &planned);
    if (hasErrors(planned.problems)) {
        planned.prepared.reset();
        co_return planned;
    }
    const QString folder = parts.store->runFolder(plan.run);
    const Result<void> made = makePrivateFolder(folder);
    if (!made) {
        co_return fail(made.error());
    }
    const BaseBundleRequest bundle{task->gitFolder, task->base, request.withHistory,
                                   folder + QStringLiteral("/base.bundle")};
    const Result<BaseBundle> packed = co_await makeBaseBundle(bundle, stop);
    if (!packed) {
        discardPlan(*planned.prepared, *parts.store);
        co_return fail(packed.error());
    }
    plan.bundle = *packed;
    for (const Problem &problem : planned.problems) {
        plan.notes << problem.message; // no errors among them
    }
    co_return planned;
}

} // namespace Glovebox
