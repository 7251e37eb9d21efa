// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/sandbox.h"
#include "providers/srt/upstreamproxy.h"

#include <QHostAddress>
#include <QTcpServer>

namespace Glovebox::Srt {

/// Asks for a host's addresses; the answer comes later on the same thread, or never once the
/// context object is gone. An empty list = it has none.
using Resolver = std::function<void(const QString &host, QObject *context,
                                    std::function<void(QList<QHostAddress>)> answer)>;
[[nodiscard]] Resolver systemResolver();

/// How a sandbox's traffic is limited by its proxy.
struct EgressLimits
{
    int connections = 512;
    qsizetype headBytes = 64LL * 1024;
    qint64 bufferBytes = 256LL * 1024; ///< of each direction of a connection
    std::chrono::milliseconds head{std::chrono::seconds(30)};
    std::chrono::milliseconds connect{std::chrono::seconds(30)};
    std::chrono::milliseconds idle{std::chrono::minutes(30)};
};

struct EgressOptions
{
    NetworkPolicy policy;
    UpstreamProxy upstream;
    /// user:password that clients must show. Empty where srt hands our port to the sandbox and can
    /// hand no password along: then only processes of \a clientUser are served.
    QByteArray credential;
    std::optional<quint32> clientUser;
    EgressLimits limits;
    Resolver resolve;
};

/// srt's upstream proxy (its own proxy when the policy is open), in our process: HTTP and CONNECT
/// on a random loopback port. It applies the policy a second time, repeats the check of resolved
/// addresses, goes through the user's own proxy where there is one, and counts who was reached and
/// refused. Never blocks. Main thread.
class EgressProxy final : public QObject, public EgressLog
{
    Q_OBJECT

public:
    [[nodiscard]] static Result<std::unique_ptr<EgressProxy>> listen(EgressOptions options);
    ~EgressProxy() override;

    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }
    [[nodiscard]] const EgressOptions &options() const { return m_options; }
    /// For the connections from now on; those that it no longer allows are ended.
    void setPolicy(const NetworkPolicy &policy);
    [[nodiscard]] QList<EgressEntry> entries() const override;

    void note(const QString &host, quint16 port, bool allowed);

private:
    explicit EgressProxy(EgressOptions options);
    void accept();

    EgressOptions m_options;
    QTcpServer m_server;
    QMap<QString, EgressEntry> m_entries;
    int m_open = 0;
};

} // namespace Glovebox::Srt
