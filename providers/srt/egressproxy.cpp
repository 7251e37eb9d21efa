// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/egressproxy.h"

#include "providers/srt/egressconnection.h"

#include <QCoreApplication>
#include <QFile>
#include <QHostInfo>
#include <QTcpSocket>

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtEgressProxy)
};

constexpr int mostEntries = 5000; // a hostile program can invent hosts for ever

/// The user who owns the other end of a loopback connection; nothing where the system does not say.
/// /proc/net/tcp: "sl local_address rem_address st … uid", addresses as hexadecimal ADDRESS:PORT.
std::optional<quint32> userOf(quint16 theirPort, quint16 ourPort)
{
    QFile table(QStringLiteral("/proc/net/tcp"));
    if (!table.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    const auto ending = [](quint16 port) {
        return ':' + QByteArray::number(port, 16).rightJustified(4, '0').toUpper();
    };
    const QByteArray theirs = ending(theirPort);
    const QByteArray ours = ending(ourPort);
    for (const QByteArray &line : table.readAll().split('\n')) {
        const QList<QByteArray> fields = line.simplified().split(' ');
        if (fields.size() > 7 && fields[1].endsWith(theirs) && fields[2].endsWith(ours)) {
            return fields[7].toUInt();
        }
    }
    return std::nullopt;
}

} // namespace

Resolver systemResolver()
{
    return [](const QString &host, QObject *context,
              std::function<void(QList<QHostAddress>)> answer) {
        QHostInfo::lookupHost(host, context, [answer = std::move(answer)](const QHostInfo &info) {
            answer(info.addresses());
        });
    };
}

EgressProxy::EgressProxy(EgressOptions options)
    : m_options(std::move(options))
{
    if (!m_options.resolve) {
        m_options.resolve = systemResolver();
    }
    connect(&m_server, &QTcpServer::newConnection, this, &EgressProxy::accept);
}

EgressProxy::~EgressProxy() = default;

Result<std::unique_ptr<EgressProxy>> EgressProxy::listen(EgressOptions options)
{
    std::unique_ptr<EgressProxy> proxy(new EgressProxy(std::move(options)));
    if (!proxy->m_server.listen(QHostAddress::LocalHost)) {
        return fail(ErrorCode::FileError,
                    Tr::tr("The sandbox's proxy could not listen on a loopback port: %1")
                        .arg(proxy->m_server.errorString()));
    }
    return proxy;
}

void EgressProxy::setPolicy(const NetworkPolicy &policy)
{
    m_options.policy = policy;
    for (EgressConnection *connection : findChildren<EgressConnection *>()) {
        connection->endUnlessAllowed();
    }
}

QList<EgressEntry> EgressProxy::entries() const
{
    return m_entries.values();
}

void EgressProxy::note(const QString &host, quint16 port, bool allowed)
{
    QString key = QStringLiteral("%1 %2 %3").arg(host).arg(port).arg(allowed ? 1 : 0);
    const bool full = m_entries.size() >= mostEntries && !m_entries.contains(key);
    if (full) {
        key = QStringLiteral("* %1").arg(allowed ? 1 : 0);
    }
    EgressEntry &entry = m_entries[key];
    const QDateTime now = QDateTime::currentDateTimeUtc();
    if (entry.count == 0) {
        entry.host = full ? QStringLiteral("*") : host;
        entry.port = full ? quint16(0) : port;
        entry.allowed = allowed;
        entry.first = now;
    }
    entry.last = now;
    ++entry.count;
}

void EgressProxy::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        const bool stranger = m_options.clientUser &&
                              userOf(socket->peerPort(), port()).value_or(*m_options.clientUser) !=
                                  *m_options.clientUser;
        if (stranger || m_open >= m_options.limits.connections) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        ++m_open;
        auto *connection = new EgressConnection(socket, *this);
        connect(connection, &QObject::destroyed, this, [this] { --m_open; });
    }
}

} // namespace Glovebox::Srt
