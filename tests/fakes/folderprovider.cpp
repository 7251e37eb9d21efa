// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/folderprovider.h"

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/sandbox/frames.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>

namespace Glovebox::Testing {

namespace {

const QString providerId = QStringLiteral("folder");

struct Answer
{
    int status = 0;
    QJsonObject body;
};

Error errorOf(const ServiceReply &reply)
{
    switch (reply.status) {
    case 0:
        return {ErrorCode::ConnectionLost, QStringLiteral("The connection was reset."), {}};
    case 400:
        return {ErrorCode::InvalidRequest, QStringLiteral("The service refused it."), {}};
    case 404:
        return {ErrorCode::NotFound, QStringLiteral("There is no such sandbox."), {}};
    case 409:
        return {ErrorCode::Busy, QStringLiteral("The sandbox is busy."), {}};
    case 422:
        return {ErrorCode::PolicyNotEnforceable, QStringLiteral("The policy was refused."),
                cleanedReply(reply.body)};
    case 429:
        return {ErrorCode::LimitReached, QStringLiteral("A limit is reached."), {}};
    default:
        return {ErrorCode::Unreachable, QStringLiteral("The service fails."), {}};
    }
}

Result<QJsonObject> parse(const QByteArray &body)
{
    const QJsonDocument document = QJsonDocument::fromJson(body);
    if (!document.isObject()) {
        return fail(ErrorCode::UnexpectedReply, QStringLiteral("The service answered nonsense."),
                    cleanedReply(body));
    }
    return document.object();
}

/// Asks the service. Where it says how long to wait, that long is waited, once, on its clock.
Result<Answer> askOnce(FolderService &service, const QString &verb, const QJsonObject &request)
{
    ServiceReply reply = service.ask(verb, request);
    if (reply.status == 429 && reply.retryAfter) {
        service.advance(*reply.retryAfter);
        reply = service.ask(verb, request);
    }
    const bool isAdoptable = reply.status == 409 && verb == QLatin1String("create");
    if (reply.status >= 300 && !isAdoptable) {
        return fail(errorOf(reply));
    }
    if (reply.status == 0) {
        return fail(errorOf(reply));
    }
    const Result<QJsonObject> body = parse(reply.body);
    if (!body) {
        return fail(body.error());
    }
    return Answer{reply.status, *body};
}

QCoro::Task<Result<Answer>> ready(Result<Answer> answer)
{
    co_return answer;
}

QCoro::Task<Result<Answer>> ask(std::shared_ptr<FolderService> service, QString verb,
                                QJsonObject request, std::stop_token stop)
{
    std::function<QCoro::Task<Result<Answer>>()> attempt = [service, verb, request] {
        return ready(askOnce(*service, verb, request));
    };
    Result<Answer> answer = co_await retried(attempt, RetryPlan::atOnce(4), stop);
    co_return answer;
}

QJsonObject toJson(const QMap<QString, QString> &labels)
{
    QJsonObject json;
    for (auto it = labels.cbegin(); it != labels.cend(); ++it) {
        json.insert(it.key(), it.value());
    }
    return json;
}

Result<SandboxInfo> readInfo(const QJsonValue &item)
{
    const QJsonObject json = item.toObject();
    const QString id = json[QStringLiteral("id")].toString();
    if (id.isEmpty() || !json[QStringLiteral("labels")].isObject()) {
        return fail(ErrorCode::UnexpectedReply, QStringLiteral("The service answered nonsense."));
    }
    SandboxInfo info;
    info.id = {providerId, id};
    info.state = json[QStringLiteral("state")].toString();
    info.created = QDateTime::fromString(json[QStringLiteral("created")].toString(), Qt::ISODate);
    info.deadline = QDateTime::fromString(json[QStringLiteral("deadline")].toString(), Qt::ISODate);
    const QJsonObject labels = json[QStringLiteral("labels")].toObject();
    for (auto it = labels.begin(); it != labels.end(); ++it) {
        info.labels.insert(it.key(), it.value().toString());
    }
    return info;
}

class FolderSandbox final : public RunnerSandbox, public LiveNetwork
{
public:
    FolderSandbox(std::shared_ptr<FolderService> service, const QString &id, RunnerFolders folders)
        : RunnerSandbox({providerId, id}, std::make_shared<FaultyChannel>(service, id),
                        std::move(folders), {}, pace())
        , m_service(std::move(service))
    {
    }

    LiveNetwork *liveNetwork() override { return this; }

    QCoro::Task<Result<void>> replace(NetworkPolicy policy, std::stop_token stop) override
    {
        const QString native = QString::fromUtf8(FolderProvider(m_service).compile(policy).native);
        const QJsonObject request = idWith(QStringLiteral("policy"), native);
        const Result<Answer> answer =
            co_await ask(m_service, QStringLiteral("network"), request, stop);
        if (!answer) {
            co_return fail(answer.error());
        }
        co_return Result<void>();
    }

    QCoro::Task<Result<QDateTime>> setDeadline(QDateTime deadline, std::stop_token stop) override
    {
        const QJsonObject request = idWith(QStringLiteral("until"), deadline.toString(Qt::ISODate));
        const Result<Answer> answer =
            co_await ask(m_service, QStringLiteral("deadline"), request, stop);
        if (!answer) {
            co_return fail(answer.error());
        }
        co_return deadline;
    }

private:
    static RunnerPace pace()
    {
        RunnerPace quick;
        quick.retries = RetryPlan::atOnce(5);
        return quick;
    }

    QJsonObject idWith(const QString &key, const QString &value) const
    {
        return {{QStringLiteral("id"), id().value}, {key, value}};
    }

    std::shared_ptr<FolderService> m_service;
};

} // namespace

FolderProvider::FolderProvider(std::shared_ptr<FolderService> service)
    : m_service(std::move(service))
{
    m_info.id = providerId;
    m_info.name = QStringLiteral("Folder without isolation");
    m_info.capabilities.network = {true, false, true, Capabilities::Wildcard::AnyDepth, true, 0};
    m_info.capabilities.lifetime = {Capabilities::Keeper::Service, std::chrono::hours(24)};
    m_info.capabilities.outlivesApp = true;
}

std::shared_ptr<RunnerSandbox> FolderProvider::open(const QString &id) const
{
    RunnerFolders folders{m_service->folder(id) + QStringLiteral("/base"),
                          m_service->folder(id) + QStringLiteral("/work")};
    if (m_service->breaks("C10") && !m_made.contains(id)) {
        folders.base = m_service->folder(id) + QStringLiteral("/another");
        QDir().mkpath(folders.base);
    }
    return std::make_shared<FolderSandbox>(m_service, id, folders);
}

CompiledPolicy FolderProvider::compile(const NetworkPolicy &policy) const
{
    CompiledPolicy compiled;
    compiled.strength = CompiledPolicy::Strength::Exact;
    const auto add = [&](const QString &word, const QList<HostRule> &rules) {
        for (HostRule rule : rules) {
            if (m_service->breaks("C35")) {
                rule.port.reset();
            }
            compiled.rules.append(
                word + (rule.port ? rule.host + u':' + QString::number(*rule.port) : rule.host));
        }
    };
    add(QStringLiteral("deny "), policy.deny);
    add(QStringLiteral("allow "), policy.allow);
    if (policy.open) {
        compiled.rules.append(QStringLiteral("open"));
    }
    compiled.native = compiled.rules.join(QStringLiteral("; ")).toUtf8();
    compiled.digest = sha256(compiled.native);
    return compiled;
}

QList<Problem> FolderProvider::validate(const SandboxSpec &spec) const
{
    if (spec.lifetime > m_info.capabilities.lifetime.maximum) {
        Problem problem;
        problem.code = QStringLiteral("lifetime");
        problem.message = QStringLiteral("A sandbox lives at most 24 hours.");
        return {problem};
    }
    return {};
}

std::optional<Error> FolderProvider::notReady() const
{
    const bool generic = m_service->breaks("C37");
    if (!m_service->toolIsThere()) {
        return Error{generic ? ErrorCode::UnexpectedReply : ErrorCode::NotInstalled,
                     QStringLiteral("The tool is not installed."),
                     {}};
    }
    if (!m_service->isSignedIn()) {
        return Error{generic ? ErrorCode::UnexpectedReply : ErrorCode::NotSignedIn,
                     QStringLiteral("You are not signed in."),
                     {}};
    }
    return std::nullopt;
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>> FolderProvider::create(SandboxSpec spec,
                                                                     std::stop_token stop)
{
    const auto missing = notReady();
    if (missing) {
        co_return fail(*missing);
    }
    const QList<Problem> problems = validate(spec);
    if (hasErrors(problems)) {
        co_return fail(ErrorCode::InvalidRequest, problems.front().message);
    }
    QStringList rules = compile(spec.network).rules;
    if (m_service->breaks("C33") && !rules.isEmpty()) {
        rules.removeLast();
    }
    QJsonObject request{{QStringLiteral("labels"), toJson(spec.labels)},
                        {QStringLiteral("policy"), rules.join(QStringLiteral("; "))}};
    if (!m_service->breaks("C30")) {
        request.insert(QStringLiteral("lifetime"), static_cast<qint64>(spec.lifetime.count()));
    }
    const Result<Answer> answer = co_await ask(m_service, QStringLiteral("create"), request, stop);
    if (!answer) {
        co_return fail(answer.error());
    }
    const Result<SandboxInfo> info = readInfo(answer->body);
    if (!info) {
        co_return fail(info.error());
    }
    m_made.append(info->id.value);
    const auto sandbox = open(info->id.value);
    const Result<void> prepared = co_await sandbox->prepare(stop);
    if (!prepared) {
        co_return fail(prepared.error());
    }
    co_return std::shared_ptr<Sandbox>(sandbox);
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>> FolderProvider::attach(SandboxId id,
                                                                     std::stop_token stop)
{
    const QJsonObject request{{QStringLiteral("id"), id.value}};
    const Result<Answer> answer = co_await ask(m_service, QStringLiteral("get"), request, stop);
    if (!answer) {
        co_return fail(answer.error());
    }
    const auto sandbox = open(id.value);
    const Result<void> joined = co_await sandbox->rejoin(stop);
    if (!joined) {
        co_return fail(joined.error());
    }
    co_return std::shared_ptr<Sandbox>(sandbox);
}

QCoro::Task<Result<QList<SandboxInfo>>> FolderProvider::list(LabelFilter filter,
                                                             std::stop_token stop)
{
    QList<SandboxInfo> all;
    for (int page = 1; page > 0;) {
        const QJsonObject request{{QStringLiteral("labels"), toJson(filter)},
                                  {QStringLiteral("page"), page}};
        const Result<Answer> answer =
            co_await ask(m_service, QStringLiteral("list"), request, stop);
        if (!answer && m_service->breaks("C42")) {
            co_return all;
        }
        if (!answer) {
            co_return fail(answer.error());
        }
        const QJsonValue items = answer->body.value(QStringLiteral("items"));
        const QJsonValue next = answer->body.value(QStringLiteral("next"));
        if (!items.isArray() || !next.isDouble()) {
            co_return fail(ErrorCode::UnexpectedReply,
                           QStringLiteral("The service answered nonsense."));
        }
        for (const auto &item : items.toArray()) {
            const Result<SandboxInfo> info = readInfo(item);
            if (!info) {
                co_return fail(info.error());
            }
            all.append(*info);
        }
        page = next.toInt() > page ? next.toInt() : 0;
    }
    co_return all;
}

QCoro::Task<Result<void>> FolderProvider::destroy(SandboxId id, std::stop_token stop)
{
    const QJsonObject request{{QStringLiteral("id"), id.value}};
    const Result<Answer> answer = co_await ask(m_service, QStringLiteral("destroy"), request, stop);
    if (!answer && answer.error().code != ErrorCode::NotFound) {
        co_return fail(answer.error());
    }
    if (m_service->breaks("C29")) {
        co_return Result<void>();
    }
    const Result<Answer> shown = co_await ask(m_service, QStringLiteral("get"), request, stop);
    if (!shown && shown.error().code == ErrorCode::NotFound) {
        co_return Result<void>();
    }
    co_return fail(ErrorCode::Busy, QStringLiteral("The sandbox is still there."));
}

QCoro::Task<Result<QList<Readiness>>> FolderProvider::checkReady(std::stop_token stop)
{
    const auto missing = notReady();
    Readiness item{QStringLiteral("tool"), Readiness::State::Ok, QStringLiteral("1.0"), {}};
    if (missing) {
        item.state = Readiness::State::Missing;
        item.nextStep = m_service->breaks("C37") ? QString() : QStringLiteral("Install it.");
        co_return QList{item};
    }
    ProcessRequest tool;
    tool.program = QStringLiteral("/bin/sh");
    const bool terminal = m_service->prompts() && m_service->breaks("C38");
    tool.arguments = {QStringLiteral("-c"), terminal ? QStringLiteral("sleep 60")
                                                     : QStringLiteral("read answer; echo 1.0")};
    const Result<ProcessResult> asked = co_await runProcess(tool, stop);
    if (!asked) {
        co_return fail(asked.error());
    }
    co_return QList{item};
}

} // namespace Glovebox::Testing
