// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/support/samples.h"

#include "core/base/pool.h"
#include "tests/support/testing.h"

#include <QTest>
#include <QTimer>

namespace Glovebox::Testing {

namespace {

const QString base = QStringLiteral("4f2c9d1a7e5b3c2d1e0f9a8b7c6d5e4f3a2b1c0d");
const QString tip = QStringLiteral("8be31a7c6d5e4f3a2b1c0d4f2c9d1a7e5b3c2d1e");

QByteArray taskText()
{
    return "---\n"
           "title: Retry on 429 and 503\n"
           "acceptance:\n"
           "  - npm test -- src/billing\n"
           "  - npx tsc --noEmit\n"
           "scope:\n"
           "  - src/billing/**   # nothing else\n"
           "agent: claude\n"
           "backend: srt\n"
           "network: locked-down\n"
           "budget_usd: 5\n"
           "timeout: 60m\n"
           "---\n\n"
           "# Retry billing calls\n\n"
           "The payment provider answers 429 and 503 under load. Retry such calls.\n";
}

RunRecord record(const QString &id, const QString &title, RunPhase phase,
                 std::optional<Outcome> outcome)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    RunRecord run;
    run.id = id;
    run.repository = QStringLiteral("/home/sam/billing-service");
    run.gitFolder = run.repository + QStringLiteral("/.git");
    run.taskPath = run.repository + QStringLiteral("/tasks/retry.task.md");
    run.title = title;
    run.provider = QStringLiteral("srt");
    run.agent = QStringLiteral("claude");
    run.phase = phase;
    run.outcome = outcome;
    run.base = base;
    run.wantedBranch = QStringLiteral("agent/retry-billing");
    run.created = now.addSecs(-3600);
    if (outcome) {
        run.ended = now.addSecs(-720);
    }
    if (phase == RunPhase::AwaitingReview) {
        run.branch = run.wantedBranch;
        run.tip = tip;
    }
    return run;
}

QList<PhaseEvent> phasesUpTo(RunPhase last)
{
    QList<PhaseEvent> events;
    QDateTime at = QDateTime::currentDateTimeUtc().addSecs(-1300);
    RunPhase from = RunPhase::Queued;
    for (const RunPhase phase : allPhases()) {
        if (phase == RunPhase::Queued || phase > last || phase > RunPhase::AwaitingReview) {
            continue;
        }
        events.append({static_cast<int>(events.size()), from, phase, at, {}, {}, {}});
        from = phase;
        at = at.addMSecs(phase == RunPhase::Working ? 1'122'000 : 2'100);
    }
    return events;
}

Evidence evidence(const QString &check, Subject subject, int exitCode)
{
    Evidence seen;
    seen.check = check;
    seen.line = check;
    seen.subject = subject;
    seen.commit = subject == Subject::Base ? base : tip;
    seen.result.end = CommandResult::End::Exited;
    seen.result.exitCode = exitCode;
    seen.result.duration = std::chrono::milliseconds(12'300);
    seen.log = QStringLiteral("check.log");
    return seen;
}

AgentEvent event(AgentEvent::Kind kind, const char *object, const char *measure)
{
    AgentEvent made;
    made.kind = kind;
    made.object = QString::fromUtf8(object);
    made.measure = QString::fromUtf8(measure);
    return made;
}

QList<TimedEvent> sampleEvents()
{
    using K = AgentEvent::Kind;
    QList<AgentEvent> events{
        event(K::Says, "The types are in place. Next: the client and its tests.", ""),
        event(K::Reads, "src/http/client.ts", "212 lines"),
        event(K::Edits, "package.json", "+1 −1"),
        event(K::Runs, "npm install", "exit 0 · 21.4 s"),
        event(K::Runs, "npm test -- src/http", "exit 1 · 14.2 s"),
        event(K::Refused, "telemetry.example.com:443", "3rd time"),
        event(K::Says, "The new client raises its own TimeoutError. I'll map it.", ""),
        event(K::Edits, "src/http/errors.ts", "+14 −2"),
    };
    events[4].failed = true;
    events[4].output = QStringLiteral("FAIL src/http/client.test.ts\n  timeout > aborts\n"
                                      "    Expected: \"AbortError\"\n"
                                      "    Received: \"TimeoutError\"\n"
                                      "Tests: 1 failed, 27 passed, 28 total\n");
    QList<TimedEvent> timed;
    QDateTime at(QDate(2026, 11, 30), QTime(9, 41, 12), Qt::UTC);
    for (const AgentEvent &made : events) {
        timed.append({at, made});
        at = at.addSecs(47);
    }
    return timed;
}

FileChange change(ChangeKind kind, const char *path, int added, int removed)
{
    FileChange file;
    file.kind = kind;
    file.path = path;
    file.oldPath = path;
    file.oldMode = file.newMode = 0100644;
    file.added = added;
    file.removed = removed;
    return file;
}

void writeLog(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        QTest::qFail("cannot write a sample log", __FILE__, __LINE__);
    }
}

RunView failedRun(const RunView &common)
{
    RunView failed = common;
    failed.record = record(QStringLiteral("failed"), QStringLiteral("Invoice rounding, half even"),
                           RunPhase::AwaitingReview, Outcome::AcceptanceFailed);
    failed.record.costUsd = 2.11;
    failed.phases = phasesUpTo(RunPhase::AwaitingReview);
    failed.evidence = {
        evidence(QStringLiteral("npm test -- src/invoice"), Subject::Base, 1),
        evidence(QStringLiteral("npm test -- src/invoice"), Subject::Branch, 1),
        evidence(QStringLiteral("npm test -- src/invoice"), Subject::BranchWithBaseTests, 1),
        evidence(QStringLiteral("npx tsc --noEmit"), Subject::Branch, 0)};
    failed.record.message = QStringLiteral("1 of 2 commands failed on the branch.");
    failed.warnings = {QStringLiteral("The task's own branch has commits that were not taken."),
                       QStringLiteral("Three checkpoints in a row could not be saved: the disk "
                                      "has no room left for them.")};
    return failed;
}

} // namespace

ChangeSet sampleChanges()
{
    ChangeSet changes;
    changes.base = base;
    changes.tip = tip;
    changes.files = {change(ChangeKind::Modified, "src/billing/client.ts", 5, 3),
                     change(ChangeKind::Modified, "src/billing/client.test.ts", 18, 11),
                     change(ChangeKind::Added, "src/billing/retry.ts", 3, 0),
                     change(ChangeKind::Deleted, "src/billing/legacy.ts", 0, 2),
                     change(ChangeKind::Modified, ".github/workflows/ci.yml", 3, 1),
                     change(ChangeKind::Modified, "logo.png", 0, 0)};
    changes.files[2].oldPath = "src/billing/again.ts";
    changes.files[2].kind = ChangeKind::Renamed;
    changes.files[5].binary = true;
    return changes;
}

Result<FileDiff> sampleFileDiff(const ChangeSet &changes, int index)
{
    using K = DiffLine::Kind;
    FileDiff diff;
    diff.file = changes.files.at(index);
    if (diff.file.binary) {
        return diff;
    }
    if (index == 4) {
        return fail(ErrorCode::UnexpectedReply, QStringLiteral("The object is damaged."));
    }
    Hunk first{26, 6, 26, 7, "charge(request: ChargeRequest)", {}};
    first.lines = {
        {K::Context, 26, 26, "export async function charge(request: ChargeRequest) {"},
        {K::Removed, 27, 0, "  const response = await fetch(endpoint, { method: 'POST' });"},
        {K::Removed, 28, 0, "  if (response.status !== 200) {"},
        {K::Added, 0, 27, "  const response = await withRetry(() => fetch(endpoint), policy);"},
        {K::Added, 0, 28, "  if (!response.ok) {"},
        {K::Added, 0, 29,
         "  // Only for \xe2\x80\xae"
         "admins\xe2\x81\xa6 /* cap\xe2\x81\xa9 */"},
        {K::Context, 29, 30, "    throw new BillingError(response.status);"},
        {K::Context, 30, 31, "  }"},
    };
    Hunk second{58, 2, 59, 2, "retryDelay(attempt, response)", {}};
    second.lines = {
        {K::Context, 58, 59, "\treturn attempt;"},
        {K::Removed, 59, 0, "}"},
        {K::Added, 0, 60, "}"},
        {K::NoNewline, 0, 0, {}},
    };
    diff.hunks = {first, second};
    return diff;
}

SampleSource::SampleSource(const QString &folder)
    : memory(folder)
{
    const auto add = [this](const RunView &view) {
        views.insert(view.record.id, view);
        order.append(view.record.id);
    };
    writeLog(folder + QStringLiteral("/run.log"),
             "\x1b[32mPASS\x1b[0m src/invoice/tax.test.ts\n\x1b[31mFAIL\x1b[0m "
             "src/invoice/rounding.test.ts\n    Expected: \x1b[32m1050\x1b[0m\n"
             "    Received: \x1b[31m1051\x1b[0m\nTests: 2 failed, 39 passed, 41 total\n");
    writeLog(folder + QStringLiteral("/check.log"),
             "\x1b[32mPASS\x1b[0m src/invoice/tax.test.ts\n\x1b[31mFAIL\x1b[0m "
             "src/invoice/rounding.test.ts\n  rounding > splits a discount\n");
    RunView common;
    common.folder = folder;
    common.agentLog = folder + QStringLiteral("/run.log");
    common.taskText = taskText();
    common.checks = 2;
    common.timeout = std::chrono::hours(1);
    common.budgetUsd = 5;
    common.plan = planRows(samplePlan());
    common.proofs = {{QStringLiteral("forbidden listener"), {}, {}, true, true, {}}};
    common.egress = {{QStringLiteral("api.example.com"), 443, true, 182, {}, {}, {}},
                     {QStringLiteral("telemetry.example.com"), 443, false, 3, {}, {}, {}}};
    common.summary.lastWords = QStringLiteral(
        "Half-even rounding is in and the invoice total is right. Two tests still expect half-up.");

    RunView live = common;
    live.record = record(QStringLiteral("live"), QStringLiteral("Upgrade HTTP client to 4"),
                         RunPhase::Working, std::nullopt);
    live.record.costUsd = 1.38;
    live.phases = phasesUpTo(RunPhase::Working);
    live.events = sampleEvents();
    add(live);

    RunView ready = common;
    ready.record = record(QStringLiteral("ready"), QStringLiteral("Retry on 429 and 503"),
                          RunPhase::AwaitingReview, Outcome::Accepted);
    ready.phases = phasesUpTo(RunPhase::AwaitingReview);
    ready.evidence = {evidence(QStringLiteral("npm test -- src/billing"), Subject::Branch, 0)};
    ready.imports = {{1,
                      QStringLiteral("result.bundle"),
                      {},
                      tip,
                      QStringLiteral("accepted"),
                      {},
                      {},
                      QStringLiteral("refs/heads/agent/retry-billing"),
                      {}}};
    ready.hazards = {{tip, "ci/run.sh", QStringLiteral("executable"),
                      QStringLiteral("This file runs on the machines that build the repository.")}};
    add(ready);

    add(failedRun(common));

    RunView blocked = common;
    blocked.record = record(QStringLiteral("blocked"), QStringLiteral("Move ledger to UTC"),
                            RunPhase::AwaitingReview, Outcome::Blocked);
    blocked.blockedText = QStringLiteral("The ledger fixtures are encrypted; I need the key.\n");
    blocked.phases = phasesUpTo(RunPhase::AwaitingReview);
    add(blocked);

    RunView cancelled = common;
    cancelled.record =
        record(QStringLiteral("cancelled"), QStringLiteral("Drop legacy currency table"),
               RunPhase::Cancelled, Outcome::Cancelled);
    cancelled.phases = phasesUpTo(RunPhase::Working);
    add(cancelled);
}

Result<QList<RunRecord>> SampleSource::runs() const
{
    if (readError) {
        return fail(*readError);
    }
    QList<RunRecord> records;
    for (const QString &id : order) {
        records.append(views.value(id).record);
    }
    return records;
}

Result<RunView> SampleSource::run(const QString &id) const
{
    if (!views.contains(id)) {
        return fail(ErrorCode::NotFound, QStringLiteral("No such run."));
    }
    return views.value(id);
}

QList<RunRecord> SampleSource::working() const
{
    QList<RunRecord> records;
    for (const QString &id : workingIds) {
        records.append(views.value(id).record);
    }
    return records;
}

void SampleSource::plan(const QString &taskPath, const QString &repository, const PlanTicks &given)
{
    ticks.append(given);
    repositories.append(repository);
    calls.append(QStringLiteral("plan %1%2")
                     .arg(QFileInfo(taskPath).fileName(),
                          given.unenforced ? QStringLiteral(" unenforced") : QString()));
    QTimer::singleShot(0, this, [this] {
        if (refusal) {
            Q_EMIT planRefused(*refusal, problems, variables);
        } else {
            Q_EMIT planReady(samplePlan());
        }
    });
}

void SampleSource::start(const RunPlan &plan)
{
    calls.append(QStringLiteral("start %1").arg(plan.run));
    Q_EMIT runStarted(QStringLiteral("live"));
}

void SampleSource::stop(const QString &id, StopWish wish)
{
    calls.append(QStringLiteral("stop %1 %2")
                     .arg(id, wish == StopWish::KeepWork ? QStringLiteral("keep")
                                                         : QStringLiteral("discard")));
}

void SampleSource::readKept(const QString &id)
{
    QTimer::singleShot(0, this, [this, id] { Q_EMIT keptRead(id, kept, keptBlocked); });
}

RunPlan samplePlan()
{
    RunPlan plan;
    plan.run = QStringLiteral("planned");
    plan.taskPath = QStringLiteral("/home/sam/billing-service/tasks/retry.task.md");
    plan.taskText = taskText();
    plan.task = TaskDocument::parse(plan.taskText).task();
    plan.repository = QStringLiteral("/home/sam/billing-service");
    plan.branch = QStringLiteral("agent/retry-billing");
    plan.bundle.base = base;
    plan.bundle.bytes = 1'992'294;
    plan.bundle.objects = 212;
    plan.agent.name = QStringLiteral("Claude Code");
    plan.agentCommand = {QStringLiteral("claude"), QStringLiteral("-p")};
    plan.provider = QStringLiteral("srt");
    plan.hosts = {{QStringLiteral("api.example.com:443"), QStringLiteral("model")}};
    plan.variables = {{QStringLiteral("MODEL_API_KEY"), QStringLiteral("environment"), true}};
    plan.policy.strength = CompiledPolicy::Strength::Exact;
    plan.policy.limits = {
        QStringLiteral("Rules name hosts. Addresses and ranges can't be listed.")};
    plan.policy.rules = {QStringLiteral("allowedDomains: api.example.com"),
                         QStringLiteral("deniedDomains: (none)")};
    plan.notes = {QStringLiteral("The work tree has changes that are not committed.")};
    return plan;
}

void writeSampleTasks(const QString &folder)
{
    run(QStringLiteral("git"), {QStringLiteral("init"), QStringLiteral("-q")}, folder);
    QDir().mkpath(folder + QStringLiteral("/tasks"));
    QDir().mkpath(folder + QStringLiteral("/node_modules/x"));
    writeLog(folder + QStringLiteral("/tasks/retry.task.md"), taskText());
    writeLog(folder + QStringLiteral("/broken.task.md"), "---\ntitle: [\n---\n");
    writeLog(folder + QStringLiteral("/node_modules/x/hidden.task.md"), taskText());
    writeLog(folder + QStringLiteral("/README.md"), "no task\n");
}

WindowParts sampleParts(SampleSource *source, Dialogs *dialogs, const QString &folder)
{
    WindowParts parts;
    parts.source = source;
    parts.dialogs = dialogs;
    parts.memory = &source->memory;
    parts.linter = [](const LintRequest &wanted, const std::stop_token &) {
        return runInPool([text = wanted.text] { return TaskDocument::parse(text).problems(); });
    };
    parts.readChanges = [](const QString &, const QString &, const QString &) {
        return Result<ChangeSet>(sampleChanges());
    };
    parts.readFile = sampleFileDiff;
    parts.demoFolder = folder;
    parts.makeDemo = [](const QString &, const std::function<void(const Result<void> &)> &answer) {
        answer(Result<void>());
    };
    return parts;
}

} // namespace Glovebox::Testing
