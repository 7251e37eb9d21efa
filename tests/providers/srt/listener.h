// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTcpServer>
#include <QTcpSocket>

namespace Glovebox::Testing {

/// Answers every request with 200 and "reached", and keeps what was asked. As the user's own proxy
/// it stands for the whole internet: no name is ever looked up.
class Listener final : public QTcpServer
{
public:
    Listener()
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this] {
            QTcpSocket *socket = nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { answer(socket); });
        });
    }
    [[nodiscard]] QString address() const
    {
        return QStringLiteral("127.0.0.1:%1").arg(serverPort());
    }
    [[nodiscard]] QByteArray url() const { return "http://" + address().toLatin1(); }

    QByteArray asked;

private:
    void answer(QTcpSocket *socket)
    {
        const QByteArray request = socket->readAll();
        asked += request;
        if (request.startsWith("CONNECT")) {
            socket->write("HTTP/1.1 200 Connection Established\r\n\r\n");
            return;
        }
        socket->write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nreached\n");
        socket->disconnectFromHost();
    }
};

} // namespace Glovebox::Testing
