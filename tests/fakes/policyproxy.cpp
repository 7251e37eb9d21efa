// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/policyproxy.h"

#include <QHostAddress>
#include <QTcpSocket>
#include <QUrl>

namespace Glovebox::Testing {

namespace {

void say(QTcpSocket *client, const QByteArray &status, const QByteArray &header = {})
{
    client->write("HTTP/1.1 " + status + "\r\n" + header +
                  "Content-Length: 0\r\nConnection: close\r\n\r\n");
    client->disconnectFromHost();
}

} // namespace

PolicyProxy::PolicyProxy(NetworkPolicy policy, Mode mode)
    : m_policy(std::move(policy))
    , m_mode(mode)
{
    if (!m_server.listen(QHostAddress::LocalHost)) {
        qFatal("no port for the proxy");
    }
    connect(&m_server, &QTcpServer::newConnection, this, &PolicyProxy::serve);
}

QString PolicyProxy::url() const
{
    return QStringLiteral("http://127.0.0.1:%1").arg(m_server.serverPort());
}

void PolicyProxy::serve()
{
    while (QTcpSocket *client = m_server.nextPendingConnection()) {
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        connect(client, &QTcpSocket::readyRead, this, [this, client] {
            if (client->peek(8192).contains("\r\n\r\n")) {
                answer(client, client->readAll());
            }
        });
    }
}

bool PolicyProxy::letsThrough(const QString &host, quint16 port) const
{
    return m_mode == Mode::Leaks || (m_mode == Mode::Honest && allows(m_policy, host, port));
}

void PolicyProxy::answer(QTcpSocket *client, const QByteArray &request)
{
    const QList<QByteArray> words = request.left(request.indexOf('\r')).split(' ');
    const bool tunnel = words.value(0) == "CONNECT";
    const QString target = QString::fromLatin1(words.value(1));
    const QUrl url(tunnel ? QStringLiteral("https://") + target : target);
    const auto port = static_cast<quint16>(url.port(tunnel ? 443 : 80));
    if (!letsThrough(url.host(), port)) {
        say(client, "403 Forbidden", "X-Proxy-Error: blocked-by-allowlist\r\n");
    } else if (tunnel) {
        say(client, m_mode == Mode::Leaks ? "200 Connection established" : "502 Bad Gateway");
    } else {
        forward(client, url.host(), port, url.path().toLatin1());
    }
}

void PolicyProxy::forward(QTcpSocket *client, const QString &host, quint16 port,
                          const QByteArray &path)
{
    auto *server = new QTcpSocket(client);
    connect(server, &QTcpSocket::connected, client, [server, path] {
        server->write("GET " + path + " HTTP/1.1\r\nHost: forwarded\r\nConnection: close\r\n\r\n");
    });
    connect(server, &QTcpSocket::readyRead, client,
            [server, client] { client->write(server->readAll()); });
    connect(server, &QTcpSocket::disconnected, client, [client] { client->disconnectFromHost(); });
    connect(server, &QTcpSocket::errorOccurred, client,
            [client](QAbstractSocket::SocketError error) {
                if (error != QAbstractSocket::RemoteHostClosedError) {
                    say(client, "502 Bad Gateway");
                }
            });
    const bool local = host == QLatin1String("localhost") || !QHostAddress(host).isNull();
    server->connectToHost(local ? QStringLiteral("127.0.0.1") : QStringLiteral("0.0.0.0"),
                          local ? port : 1);
}

} // namespace Glovebox::Testing
