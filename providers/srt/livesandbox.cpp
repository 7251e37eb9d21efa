// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/livesandbox.h"

#include "core/base/ids.h"
#include "core/base/pause.h"
#include "core/base/pool.h"

#include <QCoreApplication>
#include <QJsonDocument>

#include <unistd.h>

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtLiveSandbox)
};

using namespace std::chrono_literals;

constexpr auto gateInterval = 20ms;
constexpr auto idleInterval = 5ms;
constexpr auto idlePatience = 100ms; // the runner's own processes go right after a job has ended
constexpr qint64 longestTimer = 24LL * 60 * 60 * 1000; // a QTimer counts milliseconds in an int
const QByteArray turnSeconds("600");

Error endedError()
{
    return {ErrorCode::SandboxGone, Tr::tr("The sandbox has ended."), {}};
}

Error notAgainError(const Error &why)
{
    return {ErrorCode::SandboxGone,
            Tr::tr("The sandbox could not be started again: %1").arg(why.message), why.detail};
}

Error renewedError()
{
    return {ErrorCode::ConnectionLost,
            Tr::tr("The connection to the sandbox was lost: everything in it was ended."),
            {}};
}

} // namespace

QCoro::Task<Result<StartGate::Place>> StartGate::enter(std::shared_ptr<StartGate> gate,
                                                       std::stop_token stop)
{
    while (gate->m_free <= 0) {
        const Result<void> waited = co_await pause(gateInterval, stop);
        if (!waited) {
            co_return fail(waited.error());
        }
    }
    --gate->m_free;
    const auto giveBack = [gate](void *) {
        ++gate->m_free;
    };
    co_return Place(nullptr, giveBack);
}

LiveSandbox::LiveSandbox(LiveParts parts, Claim claim)
    : m_parts(std::move(parts))
    , m_claim(std::move(claim))
{
    m_lifetime.setSingleShot(true);
    connect(&m_lifetime, &QTimer::timeout, this, &LiveSandbox::checkDeadline);
}

LiveSandbox::~LiveSandbox() = default;

Result<void> LiveSandbox::listen()
{
    const Result<UpstreamProxy> upstream =
        UpstreamProxy::of(QProcessEnvironment::systemEnvironment());
    if (!upstream) {
        return fail(upstream.error());
    }
    EgressOptions options;
    options.policy = m_parts.record.network;
    options.upstream = *upstream;
    if (m_parts.record.network.open) {
        options.clientUser = m_parts.runAs ? m_parts.runAs->user : quint32(::geteuid());
    } else {
        options.credential = "gbx:" + newId().toLatin1();
    }
    Result<std::unique_ptr<EgressProxy>> proxy = EgressProxy::listen(std::move(options));
    if (!proxy) {
        return fail(proxy.error());
    }
    m_proxy = std::move(*proxy);
    m_parts.confinement.network = m_parts.record.network;
    m_parts.confinement.proxyPort = m_proxy->port();
    m_parts.confinement.proxyCredential = m_proxy->options().credential;
    return {};
}

QCoro::Task<Result<void>> LiveSandbox::start(std::shared_ptr<LiveSandbox> self,
                                             std::stop_token stop)
{
    const Result<void> listening = self->listen();
    if (!listening) {
        co_return listening;
    }
    const Result<void> started = co_await startKeeper(self, stop);
    if (started) {
        self->armTimer();
    }
    co_return started;
}

QCoro::Task<Result<std::shared_ptr<Keeper>>>
LiveSandbox::launchKeeper(std::shared_ptr<LiveSandbox> self, std::stop_token stop)
{
    const Result<StartGate::Place> place = co_await StartGate::enter(self->m_parts.gate, stop);
    if (!place) {
        co_return fail(place.error());
    }
    const Confinement &confinement = self->m_parts.confinement;
    const Result<void> written = writeSettings(confinement);
    if (!written) {
        co_return fail(written.error());
    }
    const KeeperRequest request{confinement.tools.node, confinement.tools.script,
                                confinement.layout, makeEnvironment(confinement),
                                self->m_parts.runAs};
    Result<std::shared_ptr<Keeper>> keeper = co_await Keeper::start(request, stop);
    co_return keeper;
}

/// From here on calls go to this keeper. The folder of their pipes is made anew: what ran before
/// could write to it.
Result<void> LiveSandbox::adopt(const std::shared_ptr<Keeper> &keeper)
{
    const Result<SafeFolder> folder = SafeFolder::open(layout().writable());
    const Result<void> cleared =
        folder ? folder->remove(QStringLiteral("calls")) : Result<void>(fail(folder.error()));
    const Result<void> made = cleared ? folder->makeFolder(QStringLiteral("calls")) : cleared;
    if (!made) {
        return made;
    }
    m_keeper = keeper;
    m_ownProcesses = treeOf(keeper->mark().pid);
    m_parts.record.keeper = keeper->mark();
    m_parts.record.boot = bootId();
    return writeRecord(layout(), m_parts.record);
}

QCoro::Task<Result<void>> LiveSandbox::startKeeper(std::shared_ptr<LiveSandbox> self,
                                                   std::stop_token stop)
{
    const Result<std::shared_ptr<Keeper>> keeper = co_await launchKeeper(self, stop);
    if (!keeper) {
        co_return fail(keeper.error());
    }
    if (self->m_gone) {
        const int left = co_await Keeper::end(*keeper, *self->m_gone);
        static_cast<void>(left);
        co_return fail(*self->m_gone);
    }
    co_return self->adopt(*keeper);
}

QCoro::Task<bool> LiveSandbox::isIdle(std::shared_ptr<LiveSandbox> self)
{
    const auto until = std::chrono::steady_clock::now() + idlePatience;
    while (self->isAlive() && !self->m_ownProcesses.isEmpty()) {
        const QList<ProcessMark> tree = treeOf(self->keeperPid());
        const bool same = std::all_of(tree.cbegin(), tree.cend(), [&self](const ProcessMark &mark) {
            return self->m_ownProcesses.contains(mark);
        });
        if (same || std::chrono::steady_clock::now() > until) {
            co_return same;
        }
        const Result<void> waited = co_await pause(idleInterval, std::stop_token());
        static_cast<void>(waited); // without a token it can't fail
    }
    co_return false;
}

QCoro::Task<Result<int>> LiveSandbox::renew(std::shared_ptr<LiveSandbox> self)
{
    const std::shared_ptr<Keeper> old = std::exchange(self->m_keeper, nullptr);
    // The new one starts while the old one ends; it is given nothing to do before that has ended.
    // With a token of its own: half of this would leave a sandbox that nobody can talk to.
    const std::stop_token own;
    QCoro::Task<Result<std::shared_ptr<Keeper>>> launching = launchKeeper(self, own);
    int left = 0;
    if (old) {
        left = co_await Keeper::end(old, renewedError());
    }
    const Result<std::shared_ptr<Keeper>> fresh = co_await launching;
    if (fresh && self->m_gone) {
        const int late = co_await Keeper::end(*fresh, *self->m_gone);
        static_cast<void>(late);
    }
    const Result<void> adopted = fresh && !self->m_gone ? self->adopt(*fresh) : Result<void>();
    if (!fresh || !adopted) {
        const Error why = fresh ? adopted.error() : fresh.error();
        self->m_gone = self->m_gone.value_or(notAgainError(why)); // attach() may still find a way
    }
    if (self->m_gone) {
        co_return fail(*self->m_gone);
    }
    co_return left;
}

QCoro::Task<int> LiveSandbox::end(std::shared_ptr<LiveSandbox> self)
{
    if (!self->m_gone) {
        self->m_gone = endedError();
    }
    self->m_lifetime.stop();
    const std::shared_ptr<Keeper> old = std::exchange(self->m_keeper, nullptr);
    int left = 0;
    if (old) {
        left = co_await Keeper::end(old, *self->m_gone);
    }
    self->m_claim.reset();
    co_return left;
}

QCoro::Task<Result<void>> LiveSandbox::replaceNetwork(std::shared_ptr<LiveSandbox> self,
                                                      NetworkPolicy policy, std::stop_token stop)
{
    if (policy.open != self->m_parts.record.network.open) {
        co_return fail(ErrorCode::NotSupported,
                       Tr::tr("A running srt sandbox can't change between an open and a limited "
                              "network."));
    }
    const Result<std::shared_ptr<Keeper>> keeper = self->keeper();
    if (!keeper) {
        co_return fail(keeper.error());
    }
    self->m_proxy->setPolicy(policy); // at once, and for srt as soon as it has read it
    self->m_parts.record.network = policy;
    self->m_parts.confinement.network = policy;
    const Result<void> written = writeSettings(self->m_parts.confinement);
    if (!written) {
        co_return written;
    }
    const Result<void> recorded = writeRecord(self->layout(), self->m_parts.record);
    if (!recorded) {
        co_return recorded;
    }
    const QByteArray line =
        QJsonDocument(makeSettings(self->m_parts.confinement)).toJson(QJsonDocument::Compact);
    const Result<void> replaced = co_await Keeper::replaceSettings(*keeper, line, stop);
    co_return replaced;
}

Result<void> LiveSandbox::setDeadline(const QDateTime &deadline)
{
    if (m_gone) {
        return fail(*m_gone);
    }
    m_parts.record.deadline = deadline;
    armTimer();
    return writeRecord(layout(), m_parts.record);
}

void LiveSandbox::armTimer()
{
    const qint64 left = QDateTime::currentDateTimeUtc().msecsTo(m_parts.record.deadline);
    m_lifetime.start(static_cast<int>(std::clamp<qint64>(left, 0, longestTimer)));
}

void LiveSandbox::checkDeadline()
{
    if (QDateTime::currentDateTimeUtc() < m_parts.record.deadline) {
        armTimer();
        return;
    }
    m_gone =
        Error{ErrorCode::SandboxGone, Tr::tr("The sandbox was ended: its lifetime is over."), {}};
    if (const std::shared_ptr<Keeper> keeper = std::exchange(m_keeper, nullptr)) {
        keeper->endNow(*m_gone);
    }
}

Result<std::shared_ptr<Keeper>> LiveSandbox::keeper() const
{
    if (m_gone) {
        return fail(*m_gone);
    }
    if (!m_keeper) {
        return fail(renewedError());
    }
    return m_keeper;
}

Result<QString> Channel::below(const QString &path) const
{
    const QString root = m_live->layout().writable() + QLatin1Char('/');
    if (!path.startsWith(root)) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("%1 is not in the sandbox's own folder.").arg(path));
    }
    return path.mid(root.size());
}

QCoro::Task<Result<QByteArray>> Channel::call(QByteArray line, std::chrono::seconds limit,
                                              std::stop_token stop)
{
    const Result<std::shared_ptr<Keeper>> keeper = m_live->keeper();
    if (!keeper) {
        co_return fail(keeper.error());
    }
    co_return co_await Keeper::call(*keeper, line, limit, stop);
}

QCoro::Task<Result<void>> Channel::follow(QByteArray line, std::shared_ptr<LineSink> sink,
                                          std::stop_token stop)
{
    const Result<std::shared_ptr<Keeper>> keeper = m_live->keeper();
    if (!keeper) {
        co_return fail(keeper.error());
    }
    const QByteArray turn = line + ' ' + turnSeconds;
    co_return co_await Keeper::follow(*keeper, turn, sink, stop);
}

QCoro::Task<Result<void>> Channel::put(QString path, LocalFile source, std::stop_token stop)
{
    const Result<QString> inside = below(path);
    const Result<SafeFolder> folder = SafeFolder::open(m_live->layout().writable());
    if (!inside || !folder || stop.stop_requested()) {
        co_return fail(!inside ? inside.error() : !folder ? folder.error() : cancelledError());
    }
    const auto copy = [folder = *folder, name = *inside, from = source.path] {
        return folder.copyIn(name, from);
    };
    const Result<void> copied = co_await runInPool(copy);
    co_return copied;
}

QCoro::Task<Result<void>> Channel::get(QString path, LocalFile target, qint64 maximum,
                                       std::stop_token stop)
{
    const Result<QString> inside = below(path);
    const Result<SafeFolder> folder = SafeFolder::open(m_live->layout().writable());
    if (!inside || !folder || stop.stop_requested()) {
        co_return fail(!inside ? inside.error() : !folder ? folder.error() : cancelledError());
    }
    const auto copy = [folder = *folder, name = *inside, to = target.path, maximum] {
        return folder.copyOut(name, to, maximum);
    };
    const Result<void> copied = co_await runInPool(copy);
    co_return copied;
}

QCoro::Task<Result<std::optional<int>>> Channel::endAll(EndScope scope, std::stop_token stop)
{
    const std::shared_ptr<LiveSandbox> live = m_live;
    if (scope == EndScope::Leftovers) {
        const bool idle = co_await LiveSandbox::isIdle(live);
        if (idle) {
            co_return std::optional(0);
        }
    }
    const Result<int> left = co_await LiveSandbox::renew(live);
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    if (!left) {
        co_return fail(left.error());
    }
    co_return std::optional<int>(*left);
}

} // namespace Glovebox::Srt
