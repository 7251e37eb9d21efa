// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/planner.h"

#include "core/base/files.h"
#include "core/base/pool.h"
#include "core/git/bundle.h"
#include "core/git/repository.h"
#include "core/tasks/lint.h"

#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Planner)
};

constexpr qint64 largestTask = 1024LL * 1024;

LintFacts::BackendFacts backendFacts(const PlannerParts &parts, const TaskFile &task)
{
    LintFacts::BackendFacts facts;
    facts.known = false;
    for (const SandboxProvider *provider : parts.providers) {
        if (provider->info().id == task.backend) {
            const Capabilities &can = provider->info().capabilities;
            facts.known = true;
            facts.enforcesNetwork = can.network.byName;
            facts.takesAddresses = can.network.byAddress;
            facts.maximumLifetime = can.lifetime.maximum;
            facts.atOnce = can.atOnce;
        }
    }
    return facts;
}

LintFacts::AgentFacts agentFacts(const PlannerParts &parts, const TaskFile &task)
{
    LintFacts::AgentFacts facts;
    const Agent *agent = parts.agents->find(task.agent.id);
    facts.known = agent != nullptr;
    if (!agent) {
        return facts;
    }
    facts.limitsBudget = agent->options.contains(QStringLiteral("budget"));
    facts.limitsTurns = agent->options.contains(QStringLiteral("turns"));
    facts.choosesModel = agent->options.contains(QStringLiteral("model"));
    for (const Agent::Key &key : agent->keys) {
        facts.keys << key.name;
    }
    return facts;
}

/// Where to look for the repository: what was asked for, else around the task, else here.
QStringList placesOf(const PlanRequest &request)
{
    if (!request.repository.isEmpty()) {
        return {request.repository};
    }
    return {QFileInfo(request.taskFile).absolutePath(), QDir::currentPath()};
}

Result<RepositoryFacts> findRepository(const QStringList &places)
{
    Result<RepositoryFacts> facts = inspectRepository(places.first());
    if (!facts && facts.error().code == ErrorCode::NotFound && places.size() > 1) {
        return inspectRepository(places.last());
    }
    return facts;
}

/// What needs reading the base: its paths, and whether the user's own work differs.
struct BaseFacts
{
    QList<QByteArray> paths;
    bool dirty = false;
};

/// \a known: its paths, where they have been read.
Result<BaseFacts> readBase(const RepositoryFacts &repository, const QString &base,
                           const std::optional<QList<QByteArray>> &known)
{
    Result<QList<QByteArray>> paths = known ? *known : pathsOf(repository.commonFolder, base);
    if (!paths) {
        return fail(paths.error());
    }
    return BaseFacts{std::move(*paths),
                     !repository.bare && hasLocalChanges(repository).value_or(false)};
}

Problem noteOf(const char *code, const QString &message)
{
    Problem problem;
    problem.severity = Severity::Hint;
    problem.code = QString::fromLatin1(code);
    problem.message = message;
    return problem;
}

QList<Problem> repositoryNotes(const LintedTask &task, bool dirty)
{
    QList<Problem> notes;
    if (dirty) {
        notes << noteOf("dirty-tree",
                        Tr::tr("The work tree has changes that are not committed; they stay here. "
                               "The run starts from %1.")
                            .arg(task.base.left(7)));
    }
    if (task.repository.rewritesHistory) {
        notes << noteOf("rewritten-history",
                        Tr::tr("This repository rewrites history locally (replace refs or grafts); "
                               "the run uses the true one."));
    }
    return notes;
}

QCoro::Task<Result<QString>> findBase(QString folder, QString revision,
                                      std::shared_ptr<ReadBase> memory, std::stop_token stop)
{
    if (!memory->commit.isEmpty() && memory->folder == folder) {
        const Result<QString> commit = co_await resolveBase(folder, revision, stop);
        if (!commit || *commit == memory->commit) {
            co_return commit;
        }
    }
    co_return co_await readBaseOnce(folder, revision, stop);
}

QCoro::Task<Result<void>> readRepository(PlanRequest request, LintedTask *task, LintFacts *facts,
                                         std::shared_ptr<ReadBase> memory, std::stop_token stop)
{
    const auto find = [places = placesOf(request)] {
        return findRepository(places);
    };
    const Result<RepositoryFacts> found = co_await runInPool(find);
    if (!found) {
        co_return fail(found.error());
    }
    task->repository = *found;
    task->gitFolder = found->commonFolder;
    LintFacts::RepositoryFacts repository;
    repository.branches = found->branches;
    repository.linkedWorktree = found->linkedWorktree;
    facts->repository = repository;
    const QString wanted = task->document.task().base;
    const QString revision = wanted.isEmpty() ? QStringLiteral("HEAD") : wanted;
    const QString folder = wanted.isEmpty() ? found->gitFolder : found->commonFolder;
    const Result<QString> base = co_await findBase(folder, revision, memory, stop);
    if (!base) {
        facts->repository->baseExists = false;
        if (wanted.isEmpty() || base.error().code != ErrorCode::NotFound) {
            co_return fail(base.error());
        }
        co_return Result<void>();
    }
    task->base = *base;
    const bool isKnown = memory->folder == folder && memory->commit == *base;
    const auto known = isKnown ? std::optional(memory->paths) : std::nullopt;
    const auto read = [repository = *found, commit = *base, known] {
        return readBase(repository, commit, known);
    };
    const Result<BaseFacts> contents = co_await runInPool(read);
    if (!contents) {
        co_return fail(contents.error());
    }
    facts->repository->basePaths = contents->paths;
    *memory = ReadBase{folder, *base, contents->paths};
    task->problems << repositoryNotes(*task, contents->dirty);
    co_return Result<void>();
}

} // namespace

QCoro::Task<Result<LintedTask>> lintTaskText(PlannerParts parts, PlanRequest request,
                                             QByteArray text, std::shared_ptr<ReadBase> memory,
                                             std::stop_token stop)
{
    LintedTask task;
    task.document = TaskDocument::parse(text);
    LintFacts facts;
    facts.backend = backendFacts(parts, task.document.task());
    facts.agent = agentFacts(parts, task.document.task());
    facts.openAccepted = request.ticks.open;
    for (const SandboxProvider *provider : parts.providers) {
        facts.backendIds << provider->info().id;
    }
    for (const Agent &agent : parts.agents->agents()) {
        facts.agentIds << agent.id;
    }
    facts.readsHost = [](const QString &host) {
        return parseHostRule(host).has_value();
    };
    const Result<void> read = co_await readRepository(request, &task, &facts, memory, stop);
    if (!read) {
        co_return fail(read.error());
    }
    // Patterns against all paths of the base: too long for the thread that draws.
    const auto judge = [document = task.document, facts] {
        return lintTask(document, facts);
    };
    const QList<Problem> found = co_await runInPool(judge);
    task.problems = found + task.problems;
    co_return task;
}

QCoro::Task<Result<LintedTask>> lintTaskFile(PlannerParts parts, PlanRequest request,
                                             std::stop_token stop)
{
    const Result<QByteArray> bytes = readFile(request.taskFile, largestTask);
    if (!bytes) {
        co_return fail(bytes.error());
    }
    const auto memory = std::make_shared<ReadBase>();
    co_return co_await lintTaskText(parts, request, *bytes, memory, stop);
}

} // namespace Glovebox
