// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/faultprovider.h"

#include "core/base/pause.h"

namespace Glovebox::Testing {

namespace {

using Calls = std::shared_ptr<QStringList>;
using SharedFaults = std::shared_ptr<Faults>;

template<typename T>
QCoro::Task<Result<T>> failing(Error error)
{
    co_return fail(error);
}

class FaultSandbox final : public Sandbox, public LiveNetwork, public EgressLog
{
public:
    FaultSandbox(std::shared_ptr<Sandbox> inner, std::shared_ptr<PolicyProxy> proxy,
                 SharedFaults faults, Calls calls)
        : m_inner(std::move(inner))
        , m_proxy(std::move(proxy))
        , m_faults(std::move(faults))
        , m_calls(std::move(calls))
    {
    }

    SandboxId id() const override { return m_inner->id(); }
    QString workFolder() const override { return m_inner->workFolder(); }
    QString runnerInfo() const override { return m_inner->runnerInfo(); }
    LiveNetwork *liveNetwork() override { return this; }
    EgressLog *egressLog() override { return this; }
    QList<EgressEntry> entries() const override { return m_faults->egress; }

    QCoro::Task<Result<void>> start(CommandId id, Command command, std::stop_token stop) override
    {
        const QString argv = command.argv.join(QLatin1Char(' '));
        m_argv.insert(id.value, argv);
        if (const auto error = admit(QStringLiteral("start"), argv)) {
            return failing<void>(*error);
        }
        for (const char *name : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"}) {
            command.environment << EnvironmentVariable{QString::fromLatin1(name),
                                                       Secret(m_proxy->url().toLatin1())};
        }
        command.environment << m_faults->environment;
        return m_inner->start(id, command, stop);
    }

    QCoro::Task<Result<CommandResult>> wait(CommandId id, std::shared_ptr<OutputSink> sink,
                                            std::stop_token stop) override
    {
        const QString argv = m_argv.value(id.value);
        const auto error = admit(QStringLiteral("wait"), argv);
        if (error) {
            co_return fail(*error);
        }
        const SharedFaults faults = m_faults;
        Result<CommandResult> result = co_await m_inner->wait(id, sink, stop);
        if (result && faults->result) {
            result = faults->result(argv).value_or(*result);
        }
        const std::optional<Error> lost =
            faults->after ? faults->after(QStringLiteral("wait"), argv) : std::nullopt;
        if (lost) {
            co_return fail(*lost);
        }
        co_return result;
    }

    QCoro::Task<Result<int>> end(CommandId id, std::chrono::seconds grace,
                                 std::stop_token stop) override
    {
        if (const auto error = admit(QStringLiteral("end"), m_argv.value(id.value))) {
            return failing<int>(*error);
        }
        return m_inner->end(id, grace, stop);
    }

    QCoro::Task<Result<void>> setLimit(CommandId id, std::chrono::seconds limit,
                                       std::stop_token stop) override
    {
        return m_inner->setLimit(id, limit, stop);
    }

    QCoro::Task<Result<int>> endAll(EndScope scope, std::stop_token stop) override
    {
        if (const auto error = admit(QStringLiteral("endall"), {})) {
            co_return fail(*error);
        }
        const int survivors = m_faults->survivors;
        const Result<int> left = co_await m_inner->endAll(scope, stop);
        if (!left) {
            co_return fail(left.error());
        }
        co_return *left + survivors;
    }

    QCoro::Task<Result<void>> upload(Upload upload, std::stop_token stop) override
    {
        if (const auto error = admit(QStringLiteral("upload"), upload.path)) {
            return failing<void>(*error);
        }
        return m_inner->upload(std::move(upload), stop);
    }

    QCoro::Task<Result<QByteArray>> download(QString path, LocalFile target, qint64 maximum,
                                             std::stop_token stop) override
    {
        if (const auto error = admit(QStringLiteral("download"), path)) {
            return failing<QByteArray>(*error);
        }
        return m_inner->download(path, target, maximum, stop);
    }

    QCoro::Task<Result<QDateTime>> setDeadline(QDateTime deadline, std::stop_token stop) override
    {
        return m_inner->setDeadline(deadline, stop);
    }

    QCoro::Task<Result<void>> replace(NetworkPolicy policy, std::stop_token stop) override
    {
        if (const auto error = admit(QStringLiteral("network"), {})) {
            return failing<void>(*error);
        }
        m_proxy->setPolicy(policy);
        return m_inner->liveNetwork()->replace(policy, stop);
    }

private:
    [[nodiscard]] std::optional<Error> admit(const QString &verb, const QString &what) const
    {
        m_calls->append(verb + QLatin1Char(' ') + what);
        return m_faults->before ? m_faults->before(verb, what) : std::nullopt;
    }

    std::shared_ptr<Sandbox> m_inner;
    std::shared_ptr<PolicyProxy> m_proxy;
    SharedFaults m_faults;
    Calls m_calls;
    QHash<QString, QString> m_argv;
};

} // namespace

FaultProvider::FaultProvider(std::shared_ptr<FolderService> service)
    : m_inner(std::move(service))
    , m_info(m_inner.info())
    , m_faults(std::make_shared<Faults>())
    , m_calls(std::make_shared<QStringList>())
{
}

int FaultProvider::count(const QString &prefix) const
{
    return static_cast<int>(
        std::count_if(m_calls->cbegin(), m_calls->cend(),
                      [&prefix](const QString &call) { return call.startsWith(prefix); }));
}

NetworkPolicy FaultProvider::policyNow() const
{
    const std::shared_ptr<PolicyProxy> proxy = m_proxy.lock();
    return proxy ? proxy->policy() : NetworkPolicy();
}

std::optional<Error> FaultProvider::admit(const QString &verb, const QString &what) const
{
    m_calls->append(verb + QLatin1Char(' ') + what);
    return m_faults->before ? m_faults->before(verb, what) : std::nullopt;
}

QCoro::Task<Result<void>> FaultProvider::hang(std::shared_ptr<Faults> faults, QString verb,
                                              QString what, std::stop_token stop)
{
    if (!faults->hangs || !faults->hangs(verb, what)) {
        co_return Result<void>();
    }
    const bool deaf = faults->deafUntil.has_value();
    const std::stop_token heard = deaf ? faults->deafUntil->get_token() : stop;
    const Result<void> waited = co_await pause(std::chrono::hours(1), heard);
    co_return deaf ? Result<void>() : waited;
}

std::optional<Error> FaultProvider::lose(const QString &verb, const QString &what) const
{
    return m_faults->after ? m_faults->after(verb, what) : std::nullopt;
}

std::shared_ptr<Sandbox> FaultProvider::wrap(std::shared_ptr<Sandbox> inner,
                                             const SandboxSpec &spec)
{
    const QString role = spec.labels.value(QStringLiteral("role"));
    const PolicyProxy::Mode mode = m_faults->proxyOf.value(role, m_faults->proxy);
    const auto proxy = std::make_shared<PolicyProxy>(spec.network, mode);
    m_proxy = proxy;
    return std::make_shared<FaultSandbox>(std::move(inner), proxy, m_faults, m_calls);
}

CompiledPolicy FaultProvider::compile(const NetworkPolicy &policy) const
{
    CompiledPolicy compiled = m_inner.compile(policy);
    compiled.strength = m_strength;
    if (m_strength != CompiledPolicy::Strength::Exact) {
        compiled.limits << QStringLiteral("Names only.");
    }
    return compiled;
}

QList<Problem> FaultProvider::validate(const SandboxSpec &spec) const
{
    return m_inner.validate(spec);
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>> FaultProvider::create(SandboxSpec spec,
                                                                    std::stop_token stop)
{
    const QString role = spec.labels.value(QStringLiteral("role"));
    const auto refused = admit(QStringLiteral("create"), role);
    if (refused) {
        co_return fail(*refused);
    }
    const Result<void> hung = co_await hang(m_faults, QStringLiteral("create"), role, stop);
    if (!hung) {
        co_return fail(hung.error());
    }
    const Result<std::shared_ptr<Sandbox>> made = co_await m_inner.create(spec, stop);
    if (made) {
        m_specs.insert((*made)->id().value, spec);
    }
    const auto lost = lose(QStringLiteral("create"), role);
    if (!made || lost) {
        co_return fail(made ? *lost : made.error());
    }
    co_return wrap(*made, spec);
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>> FaultProvider::attach(SandboxId id,
                                                                    std::stop_token stop)
{
    const auto refused = admit(QStringLiteral("attach"), id.value);
    if (refused) {
        co_return fail(*refused);
    }
    const Result<std::shared_ptr<Sandbox>> there = co_await m_inner.attach(id, stop);
    if (!there) {
        co_return fail(there.error());
    }
    co_return wrap(*there, m_specs.value(id.value));
}

QCoro::Task<Result<QList<SandboxInfo>>> FaultProvider::list(LabelFilter filter,
                                                            std::stop_token stop)
{
    const auto refused = admit(QStringLiteral("list"), filter.value(QStringLiteral("role")));
    if (refused) {
        co_return fail(*refused);
    }
    Result<QList<SandboxInfo>> all = co_await m_inner.list(filter, stop);
    co_return all;
}

QCoro::Task<Result<void>> FaultProvider::destroy(SandboxId id, std::stop_token stop)
{
    const auto refused = admit(QStringLiteral("destroy"), id.value);
    if (refused) {
        co_return fail(*refused);
    }
    const Result<void> hung = co_await hang(m_faults, QStringLiteral("destroy"), id.value, stop);
    if (!hung) {
        co_return hung;
    }
    co_return co_await m_inner.destroy(id, stop);
}

QCoro::Task<Result<QList<Readiness>>> FaultProvider::checkReady(std::stop_token stop)
{
    if (const auto refused = admit(QStringLiteral("ready"), {})) {
        return failing<QList<Readiness>>(*refused);
    }
    return m_inner.checkReady(stop);
}

} // namespace Glovebox::Testing
