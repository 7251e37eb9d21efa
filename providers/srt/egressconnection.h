// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "providers/srt/egressproxy.h"
#include "providers/srt/httphead.h"

#include <QTcpSocket>
#include <QTimer>

namespace Glovebox::Srt {

/// One client of an EgressProxy: reads one request, decides, connects, then passes bytes both ways
/// until either side closes. Deletes itself.
/// Qt's sockets know no half-closed connection: when a client ends its sending side, the answer
/// that is still to come is lost. No HTTP, TLS or SSH client does that.
class EgressConnection final : public QObject
{
    Q_OBJECT

public:
    /// Takes the socket; a child of the proxy.
    EgressConnection(QTcpSocket *client, EgressProxy &proxy);

    /// After a change of the policy.
    void endUnlessAllowed();

private:
    enum class State { Head, Connecting, Handshake, Open, Ended };

    void readClient();
    void readHead();
    void decide();
    void connectTo(const QList<QHostAddress> &addresses);
    void tryNextAddress();
    void connectToUpstream(const UpstreamProxy::Server &server);
    void connected();
    void readHandshake();
    void open();
    void sendBody();
    [[nodiscard]] QByteArray answered(const QByteArray &bytes);
    void pump(QTcpSocket &from, QTcpSocket &to);
    void remoteClosed();
    void remoteFailed();
    void refuse(const QByteArray &status, const QByteArray &reason, const QByteArray &text);
    void end();
    [[nodiscard]] const UpstreamProxy::Server *upstream() const;
    [[nodiscard]] bool isAuthorized() const;

    EgressProxy &m_proxy;
    QTcpSocket *m_client;
    QTcpSocket m_remote;
    QTimer m_timer;
    State m_state = State::Head;
    QByteArray m_head;       ///< of the client, later of the user's proxy, then of the answer
    bool m_answered = false; ///< the answer's head is through
    QByteArray m_rest;       ///< what came behind the head
    ProxyRequest m_request;
    BodyMeter m_body;
    QList<QHostAddress> m_addresses;
};

} // namespace Glovebox::Srt
