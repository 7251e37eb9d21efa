// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/checks/canarylistener.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QTcpSocket>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Canaries)
};

constexpr qint64 longestRequest = 8192;
constexpr qsizetype mostNonces = 1000;

/// "GET /NONCE HTTP/1.1" or the absolute form that proxies send.
QByteArray nonceOf(const QByteArray &request)
{
    const QByteArray target = request.left(request.indexOf('\r')).split(' ').value(1);
    return target.mid(target.lastIndexOf('/') + 1);
}

} // namespace

Result<std::unique_ptr<CanaryListener>> CanaryListener::open()
{
    std::unique_ptr<CanaryListener> listener(new CanaryListener);
    for (QTcpServer *server : {&listener->m_allowed, &listener->m_forbidden}) {
        if (!server->listen(QHostAddress::LocalHost)) {
            return fail(ErrorCode::FileError,
                        Tr::tr("No port could be opened for the boundary check."),
                        server->errorString());
        }
    }
    listener->serve(&listener->m_allowed, &listener->m_allowedNonces);
    listener->serve(&listener->m_forbidden, &listener->m_forbiddenNonces);
    return listener;
}

void CanaryListener::serve(QTcpServer *server, QSet<QByteArray> *nonces)
{
    connect(server, &QTcpServer::newConnection, this, [this, server, nonces] {
        while (QTcpSocket *socket = server->nextPendingConnection()) {
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QTcpSocket::readyRead, this, [socket, nonces] {
                const QByteArray seen = socket->peek(longestRequest);
                if (!seen.contains("\r\n") && seen.size() < longestRequest) {
                    return;
                }
                if (nonces->size() < mostNonces) {
                    nonces->insert(nonceOf(seen));
                }
                socket->readAll();
                socket->write(
                    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n");
                socket->disconnectFromHost();
            });
        }
    });
}

} // namespace Glovebox
