// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/channel.h"
#include "providers/srt/egressproxy.h"
#include "providers/srt/folders.h"
#include "providers/srt/keeper.h"
#include "providers/srt/settings.h"

#include <QTimer>

namespace Glovebox::Srt {

/// Lets only so many keepers start at once: srt's sockets fail when 60 start on 2 cores.
class StartGate final
{
public:
    explicit StartGate(int places)
        : m_free(places)
    {
    }
    /// A place, held for the length of one start; given back when the last copy goes.
    using Place = std::shared_ptr<void>;
    [[nodiscard]] static QCoro::Task<Result<Place>> enter(std::shared_ptr<StartGate> gate,
                                                          std::stop_token stop);

private:
    int m_free;
};

struct LiveParts
{
    Confinement confinement;
    Record record;
    std::optional<RunAs> runAs;
    std::shared_ptr<StartGate> gate;
};

/// What lives of one sandbox in this process: the claim on its folders, its proxy and its keeper.
/// Shared by the channel and the Sandbox; when the last of them goes, everything inside is ended
/// and the folders stay.
class LiveSandbox final : public QObject
{
    Q_OBJECT

public:
    LiveSandbox(LiveParts parts, Claim claim);
    ~LiveSandbox() override;

    [[nodiscard]] const Layout &layout() const { return m_parts.confinement.layout; }
    [[nodiscard]] const Record &record() const { return m_parts.record; }
    [[nodiscard]] EgressProxy *proxy() const { return m_proxy.get(); }
    [[nodiscard]] qint64 keeperPid() const { return m_keeper ? m_keeper->mark().pid : 0; }

    /// The proxy, then a keeper that answers.
    [[nodiscard]] static QCoro::Task<Result<void>> start(std::shared_ptr<LiveSandbox> self,
                                                         std::stop_token stop);
    /// Whether nothing runs inside but what the keeper itself began with, now or in a moment; false
    /// where this machine does not show it.
    [[nodiscard]] static QCoro::Task<bool> isIdle(std::shared_ptr<LiveSandbox> self);
    /// Ends the keeper with all in it and starts a new one on the same folders; how many processes
    /// were left.
    [[nodiscard]] static QCoro::Task<Result<int>> renew(std::shared_ptr<LiveSandbox> self);
    /// For good; how many processes are left.
    [[nodiscard]] static QCoro::Task<int> end(std::shared_ptr<LiveSandbox> self);
    [[nodiscard]] static QCoro::Task<Result<void>>
    replaceNetwork(std::shared_ptr<LiveSandbox> self, NetworkPolicy policy, std::stop_token stop);
    [[nodiscard]] Result<void> setDeadline(const QDateTime &deadline);

    [[nodiscard]] bool isAlive() const { return !m_gone && m_keeper && m_keeper->isAlive(); }
    /// The keeper to talk to: SandboxGone for good, ConnectionLost while a new one starts.
    [[nodiscard]] Result<std::shared_ptr<Keeper>> keeper() const;

private:
    [[nodiscard]] Result<void> listen();
    [[nodiscard]] static QCoro::Task<Result<std::shared_ptr<Keeper>>>
    launchKeeper(std::shared_ptr<LiveSandbox> self, std::stop_token stop);
    [[nodiscard]] Result<void> adopt(const std::shared_ptr<Keeper> &keeper);
    [[nodiscard]] static QCoro::Task<Result<void>> startKeeper(std::shared_ptr<LiveSandbox> self,
                                                               std::stop_token stop);
    void armTimer();
    void checkDeadline();

    LiveParts m_parts;
    std::optional<Claim> m_claim;
    std::unique_ptr<EgressProxy> m_proxy;
    std::shared_ptr<Keeper> m_keeper;
    QList<ProcessMark> m_ownProcesses; ///< of the keeper, before it was given anything to do
    QTimer m_lifetime;
    std::optional<Error> m_gone;
};

/// The runner's way into a LiveSandbox. Files go straight to its folder, through SafeFolder.
class Channel final : public SandboxChannel
{
public:
    explicit Channel(std::shared_ptr<LiveSandbox> live)
        : m_live(std::move(live))
    {
    }
    [[nodiscard]] QCoro::Task<Result<QByteArray>> call(QByteArray line, std::chrono::seconds limit,
                                                       std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<void>> follow(QByteArray line, std::shared_ptr<LineSink> sink,
                                                   std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<void>> put(QString path, LocalFile source,
                                                std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<void>> get(QString path, LocalFile target, qint64 maximum,
                                                std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<std::optional<int>>> endAll(EndScope scope,
                                                                 std::stop_token stop) override;

private:
    [[nodiscard]] Result<QString> below(const QString &path) const;

    std::shared_ptr<LiveSandbox> m_live;
};

} // namespace Glovebox::Srt
