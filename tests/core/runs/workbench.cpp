// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/runs/workbench.h"

#include "core/base/files.h"

#include <QDir>

namespace Glovebox::Testing {

namespace {

constexpr char printerAgent[] = R"({
  "id": "printer", "name": "Printer", "install": {"npm": null, "program": "sh"}, "version": [],
  "command": ["sh", "-s"], "stdin": "task", "options": {},
  "environment": {"PRINTER": "yes"}, "keys": [], "hosts": [],
  "config": {"variable": "PRINTER_HOME", "create": true}, "root": {"PRINTER_ROOT": "1"},
  "transcript": "claude-stream-json",
  "ends": {"done": {"type": "result", "is_error": false}, "failed": {"type": "result", "is_error": true},
           "budget": {"type": "result", "subtype": "error_max_budget_usd"},
           "turns": {"type": "result", "subtype": "error_max_turns"},
           "graceSeconds": 1, "silenceSeconds": SILENCE}
})";

constexpr char keyedAgent[] = R"({
  "id": "keyed", "name": "Keyed", "install": {"npm": "keyed-agent", "program": "keyed-agent",
              "minimum": "1.2.0"},
  "version": ["keyed-agent", "--version"], "command": ["keyed-agent", "{options}"], "stdin": "task",
  "options": {"budget": ["--budget", "{value}"]}, "environment": {},
  "keys": [{"name": "KEYED_API_KEY", "anyOf": "a"}, {"name": "KEYED_TOKEN", "anyOf": "a"}],
  "hosts": ["api.example.net"], "root": "runs", "transcript": "plain",
  "ends": {"graceSeconds": 0, "silenceSeconds": 60}
})";

} // namespace

Workbench::Workbench(Neighbours neighbours, const QString &dataFolder)
    : m_data(dataFolder.isEmpty() ? m_folder.filePath(QStringLiteral("data")) : dataFolder)
    , m_repository(m_folder.filePath(QStringLiteral("repo")))
    , m_service(std::make_shared<FolderService>(QString(), neighbours))
    , m_provider(m_service)
    , m_environment(QProcessEnvironment::systemEnvironment())
    , m_secrets(m_environment)
{
    m_repository.write(QStringLiteral("src/a.txt"), "one\n");
    m_repository.write(QStringLiteral("tests/check.sh"), "grep -q two src/a.txt\n");
    m_repository.commitAll(QStringLiteral("Base"));
    QDir().mkpath(m_data + QStringLiteral("/agents"));
    for (const auto &[name, text] :
         {std::pair("printer", printerAgent), std::pair("keyed", keyedAgent)}) {
        const QString file = m_data + QStringLiteral("/agents/%1.json").arg(QLatin1String(name));
        const QByteArray silence = QByteArray::number(atMost(2000) / 1000);
        if (!writeFile(file, QByteArray(text).replace("SILENCE", silence))) {
            qFatal("cannot write an agent");
        }
    }
    m_agents = AgentCatalog::load(m_data + QStringLiteral("/agents"));
    Result<std::unique_ptr<RunStore>> store = RunStore::open(m_data, m_clock);
    if (!store || !m_agents->problems().isEmpty()) {
        qFatal("no store, or an agent cannot be read");
    }
    m_store = std::move(*store);
    m_limits.watch = std::chrono::milliseconds(20);
    m_limits.releasePause = std::chrono::milliseconds(1);
    m_limits.endGrace = std::chrono::seconds(1);
    m_limits.checkpointEach = std::chrono::hours(1);
    m_limits.queuePause = std::chrono::milliseconds(1);
    m_limits.queueTries = 3;
}

Workbench::~Workbench()
{
    if (m_queue) {
        await(m_queue->shutDown());
    }
}

QString Workbench::git(const QStringList &arguments) const
{
    return QString::fromUtf8(m_repository.git(arguments)).trimmed();
}

RunQueue &Workbench::queue()
{
    if (!m_queue) {
        m_queue = anotherQueue(*m_store);
    }
    return *m_queue;
}

std::unique_ptr<RunQueue> Workbench::anotherQueue(RunStore &store)
{
    return std::make_unique<RunQueue>(store, QList<SandboxProvider *>{&m_provider}, m_secrets,
                                      m_clock, m_limits);
}

PlannerParts Workbench::parts()
{
    return {&*m_agents, {&m_provider}, &m_secrets, m_store.get(), m_environment};
}

void Workbench::setPath(const QString &folder)
{
    m_environment.insert(QStringLiteral("PATH"),
                         folder + QLatin1Char(':') + m_environment.value(QStringLiteral("PATH")));
}

QString Workbench::writeTask(const QString &front, const QString &agent, const QString &name)
{
    QString head = QStringLiteral("title: A task\n");
    const std::pair<QLatin1String, QLatin1String> defaults[] = {
        {QLatin1String("acceptance:"), QLatin1String("acceptance: sh tests/check.sh\n")},
        {QLatin1String("scope:"), QLatin1String("scope: [src/**]\n")},
        {QLatin1String("network:"), QLatin1String("network: locked-down\n")},
        {QLatin1String("backend:"), QLatin1String("backend: folder\n")},
        {QLatin1String("timeout:"), QLatin1String("timeout: 1m\n")},
        {QLatin1String("verify:"), QLatin1String("verify: same\n")},
    };
    const QString lines = QLatin1Char('\n') + front;
    for (const auto &[key, line] : defaults) {
        head += lines.contains(QLatin1Char('\n') + key) ? QString() : QString(line);
    }
    QString body = QStringLiteral("Do it.");
    if (lines.contains(QLatin1String("\nagent:"))) {
        body = agent;
    } else {
        head += QStringLiteral("agent:\n  command: |\n    ") +
                QString(agent).replace(QLatin1Char('\n'), QLatin1String("\n    ")) +
                QLatin1Char('\n');
    }
    const QString text = QStringLiteral("---\n%1%2---\n%3\n").arg(head, front, body);
    if (!writeFile(path(name), text.toUtf8())) {
        qFatal("cannot write the task");
    }
    return path(name);
}

Result<PlannedRun> Workbench::plan(const QString &front, const QString &agent,
                                   const PlanTicks &ticks)
{
    PlanRequest request;
    request.taskFile = writeTask(front, agent);
    request.repository = m_repository.folder();
    request.ticks = ticks;
    return await(makePlan(parts(), request, {}));
}

PreparedRun Workbench::prepared(const QString &front, const QString &agent)
{
    PlanTicks ticks;
    ticks.confirmedVariables = QStringList{QStringLiteral("MY_TOKEN")};
    ticks.open = true;
    const Result<PlannedRun> planned = plan(front, agent, ticks);
    QString why = planned ? QString() : errorText(planned.error());
    for (const Problem &problem : planned ? planned->problems : QList<Problem>()) {
        why += problem.code + QLatin1String(": ") + problem.message + QLatin1Char('\n');
    }
    if (!planned || !planned->prepared) {
        qFatal("no plan: %s", qPrintable(why));
    }
    return *planned->prepared;
}

std::shared_ptr<Run> Workbench::submit(const QString &front, const QString &agent)
{
    const Result<std::shared_ptr<Run>> run = queue().submit(prepared(front, agent));
    if (!run) {
        qFatal("not submitted: %s", qPrintable(errorText(run.error())));
    }
    return *run;
}

std::shared_ptr<Run> Workbench::toEnd(const QString &front, const QString &agent)
{
    std::shared_ptr<Run> run = submit(front, agent);
    if (!waitForEnd(run)) {
        qFatal("it did not end: %s", log(*run).right(4000).constData());
    }
    return run;
}

bool Workbench::waitForEnd(const std::shared_ptr<Run> &run)
{
    return QTest::qWaitFor([&] { return !queue().find(run->id()); }, 60'000);
}

QList<RunPhase> Workbench::phases(const QString &run)
{
    QList<RunPhase> list;
    for (const PhaseEvent &event : m_store->phaseEvents(run).value_or(QList<PhaseEvent>())) {
        list << event.to;
    }
    return list;
}

QByteArray Workbench::log(const Run &run) const
{
    return readFile(run.logFile()).value_or(QByteArray());
}

QStringList Workbench::branches() const
{
    return git({QStringLiteral("for-each-ref"), QStringLiteral("--format=%(refname:short)"),
                QStringLiteral("refs/heads/agent")})
        .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

bool Workbench::isAllReleased()
{
    const Result<QList<SandboxRecord>> rows = m_store->sandboxes();
    return rows && rows->isEmpty() && m_service->ids().isEmpty();
}

} // namespace Glovebox::Testing
