// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/egressconnection.h"

#include "providers/srt/addresscheck.h"

#include <QNetworkInterface>
#include <QNetworkProxy>

namespace Glovebox::Srt {

namespace {

constexpr qint64 pieceSize = 64LL * 1024;

/// Compares without telling by its time how much was right.
bool equal(const QByteArray &one, const QByteArray &other)
{
    if (one.size() != other.size()) {
        return false;
    }
    int difference = 0;
    for (qsizetype i = 0; i < one.size(); ++i) {
        difference |= one[i] ^ other[i];
    }
    return difference == 0;
}

/// The end of a head in \a bytes: behind its empty line, or -1.
qsizetype headEnd(const QByteArray &bytes)
{
    const qsizetype end = bytes.indexOf("\r\n\r\n");
    return end < 0 ? -1 : end + 4;
}

/// The same for an answer: some servers end lines with a line feed alone.
qsizetype answerEnd(const QByteArray &bytes)
{
    const qsizetype end = headEnd(bytes);
    const qsizetype plain = bytes.indexOf("\n\n");
    return plain < 0 ? end : end < 0 ? plain + 2 : std::min(end, plain + 2);
}

/// "100 Continue" and the like: the real answer follows.
bool isInterim(const QByteArray &answer)
{
    const QByteArray status = answer.left(answer.indexOf('\n')).split(' ').value(1);
    return status.startsWith('1') && status.trimmed() != "101";
}

} // namespace

EgressConnection::EgressConnection(QTcpSocket *client, EgressProxy &proxy)
    : QObject(&proxy)
    , m_proxy(proxy)
    , m_client(client)
{
    const EgressLimits &limits = proxy.options().limits;
    client->setParent(this);
    client->setReadBufferSize(limits.bufferBytes);
    m_remote.setReadBufferSize(limits.bufferBytes);
    m_remote.setProxy(QNetworkProxy::NoProxy);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &EgressConnection::end);
    connect(client, &QTcpSocket::readyRead, this, &EgressConnection::readClient);
    connect(client, &QTcpSocket::disconnected, this, &EgressConnection::end);
    connect(client, &QTcpSocket::bytesWritten, this, [this] { pump(m_remote, *m_client); });
    connect(&m_remote, &QTcpSocket::bytesWritten, this, [this] { readClient(); });
    connect(&m_remote, &QTcpSocket::connected, this, &EgressConnection::connected);
    connect(&m_remote, &QTcpSocket::disconnected, this, &EgressConnection::remoteClosed);
    connect(&m_remote, &QTcpSocket::errorOccurred, this, &EgressConnection::remoteFailed,
            Qt::QueuedConnection); // it connects anew
    connect(&m_remote, &QTcpSocket::readyRead, this, [this] {
        if (m_state == State::Handshake) {
            readHandshake();
        } else {
            pump(m_remote, *m_client);
        }
    });
    m_timer.start(limits.head);
    readClient();
}

void EgressConnection::readClient()
{
    if (m_state == State::Head) {
        readHead();
    } else if (m_state == State::Open && m_request.isConnect) {
        pump(*m_client, m_remote);
    } else if (m_state == State::Open) {
        sendBody();
    }
}

void EgressConnection::readHead()
{
    const qsizetype most = m_proxy.options().limits.headBytes;
    m_head += m_client->read(most + 1 - m_head.size());
    const qsizetype end = headEnd(m_head);
    if (end < 0) {
        if (m_head.size() > most) {
            refuse("431 Request Header Fields Too Large", "head-too-large", "");
        }
        return;
    }
    m_rest = m_head.mid(end);
    const std::optional<ProxyRequest> request = parseProxyRequest(m_head.left(end - 4));
    const std::optional<BodyMeter> body = request ? BodyMeter::of(*request) : std::nullopt;
    m_head.clear();
    if (!request || !body) {
        refuse("400 Bad Request", "bad-request", "");
        return;
    }
    m_request = *request;
    m_body = *body;
    if (!isAuthorized()) {
        refuse("407 Proxy Authentication Required", "no-credential", "");
        return;
    }
    decide();
}

bool EgressConnection::isAuthorized() const
{
    const QByteArray &credential = m_proxy.options().credential;
    return credential.isEmpty() ||
           equal(m_request.header("Proxy-Authorization"), "Basic " + credential.toBase64());
}

const UpstreamProxy::Server *EgressConnection::upstream() const
{
    const UpstreamProxy &proxy = m_proxy.options().upstream;
    const std::optional<UpstreamProxy::Server> &server =
        m_request.isConnect ? proxy.https : proxy.http;
    return server && !proxy.isDirect(m_request.host) ? &*server : nullptr;
}

void EgressConnection::decide()
{
    if (!allows(m_proxy.options().policy, m_request.host, m_request.port)) {
        m_proxy.note(m_request.host, m_request.port, false);
        refuse("403 Forbidden", "blocked-by-allowlist", "Connection blocked by network allowlist");
        return;
    }
    m_state = State::Connecting;
    m_timer.start(m_proxy.options().limits.connect);
    const QHostAddress literal(m_request.host);
    if (!literal.isNull()) {
        connectTo({literal});
    } else if (const UpstreamProxy::Server *server = upstream()) {
        connectToUpstream(*server);
    } else {
        m_proxy.options().resolve(m_request.host, this,
                                  [this](const QList<QHostAddress> &found) { connectTo(found); });
    }
}

void EgressConnection::connectTo(const QList<QHostAddress> &addresses)
{
    if (m_state != State::Connecting) {
        return;
    }
    const QList<QHostAddress> own = QNetworkInterface::allAddresses();
    for (const QHostAddress &address : addresses) {
        if (mayConnect(m_proxy.options().policy, m_request.host, m_request.port, address, own)) {
            m_addresses.append(address);
        }
    }
    if (m_addresses.isEmpty() && !addresses.isEmpty()) {
        m_proxy.note(m_request.host, m_request.port, false);
        refuse("403 Forbidden", "blocked-address",
               "Connection blocked: resolved to an address that is not open");
        return;
    }
    const UpstreamProxy::Server *server = upstream();
    if (server != nullptr && !m_addresses.isEmpty()) {
        connectToUpstream(*server); // a literal address, checked, through the user's proxy
        return;
    }
    tryNextAddress();
}

void EgressConnection::tryNextAddress()
{
    if (m_addresses.isEmpty()) {
        m_proxy.note(m_request.host, m_request.port, true);
        refuse("502 Bad Gateway", "unreachable", "The host could not be reached");
        return;
    }
    m_remote.abort();
    m_remote.connectToHost(m_addresses.takeFirst(), m_request.port);
}

void EgressConnection::connectToUpstream(const UpstreamProxy::Server &server)
{
    m_addresses.clear();
    m_remote.connectToHost(server.host, server.port);
}

void EgressConnection::connected()
{
    m_proxy.note(m_request.host, m_request.port, true);
    const UpstreamProxy::Server *server = upstream();
    if (!m_request.isConnect) {
        m_remote.write(server != nullptr
                           ? forwardedHeadToProxy(m_request, server->authorization.reveal())
                           : forwardedHead(m_request));
        open();
        return;
    }
    if (server == nullptr) {
        m_client->write("HTTP/1.1 200 Connection Established\r\n\r\n");
        open();
        return;
    }
    const QByteArray target = authority(m_request.host, m_request.port);
    QByteArray head = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n";
    if (!server->authorization.isEmpty()) {
        head += "Proxy-Authorization: " + server->authorization.reveal() + "\r\n";
    }
    m_state = State::Handshake;
    m_remote.write(head + "\r\n");
}

void EgressConnection::readHandshake()
{
    const qsizetype most = m_proxy.options().limits.headBytes;
    m_head += m_remote.read(most + 1 - m_head.size());
    const qsizetype end = headEnd(m_head);
    const bool good = m_head.startsWith("HTTP/1.1 2") || m_head.startsWith("HTTP/1.0 2");
    if (end < 0 && m_head.size() <= most) {
        return;
    }
    if (end < 0 || !good) {
        refuse("502 Bad Gateway", "upstream-refused", "The proxy of this machine refused");
        return;
    }
    m_client->write("HTTP/1.1 200 Connection Established\r\n\r\n");
    m_client->write(m_head.mid(end));
    m_head.clear();
    open();
}

void EgressConnection::open()
{
    m_state = State::Open;
    m_timer.start(m_proxy.options().limits.idle);
    if (m_request.isConnect) {
        m_remote.write(m_rest);
        m_rest.clear();
    }
    readClient();
    pump(m_remote, *m_client);
}

void EgressConnection::sendBody()
{
    while (!m_body.isComplete() && m_remote.bytesToWrite() < m_proxy.options().limits.bufferBytes) {
        const QByteArray bytes =
            m_rest.isEmpty() ? m_client->read(pieceSize) : std::exchange(m_rest, QByteArray());
        if (bytes.isEmpty()) {
            return;
        }
        const qsizetype used = m_body.take(bytes);
        if (used < 0) {
            end();
            return;
        }
        m_remote.write(bytes.left(used));
        m_timer.start(m_proxy.options().limits.idle);
    }
}

/// What the client gets of these bytes of the answer. A server may keep the connection open, but a
/// client that took it for one that goes on would wait there for a second answer.
QByteArray EgressConnection::answered(const QByteArray &bytes)
{
    if (m_request.isConnect || m_answered) {
        return bytes;
    }
    m_head += bytes;
    QByteArray ready;
    qsizetype end = answerEnd(m_head);
    while (end > 0 && isInterim(m_head)) {
        ready += m_head.left(end);
        m_head.remove(0, end);
        end = answerEnd(m_head);
    }
    const bool isHttp = m_head.startsWith(QByteArray("HTTP/").left(m_head.size()));
    if (end < 0 && isHttp && m_head.size() <= m_proxy.options().limits.headBytes) {
        return ready; // the rest of it is still to come
    }
    m_answered = true;
    const QByteArray rest = std::exchange(m_head, QByteArray());
    return end < 0 ? ready + rest : ready + closingHead(rest.left(end)) + rest.mid(end);
}

void EgressConnection::pump(QTcpSocket &from, QTcpSocket &to)
{
    if (m_state != State::Open) {
        return;
    }
    while (from.bytesAvailable() > 0 && to.bytesToWrite() < m_proxy.options().limits.bufferBytes) {
        const QByteArray bytes = from.read(pieceSize);
        if (bytes.isEmpty()) {
            break;
        }
        to.write(&from == &m_remote ? answered(bytes) : bytes);
        m_timer.start(m_proxy.options().limits.idle);
    }
    if (m_remote.state() == QAbstractSocket::UnconnectedState && m_remote.bytesAvailable() == 0) {
        m_state = State::Ended;
        m_client->write(std::exchange(m_head, QByteArray())); // a head that was cut short
        m_client->disconnectFromHost();                       // after what is still to be written
    }
}

void EgressConnection::remoteClosed()
{
    if (m_state == State::Handshake) {
        refuse("502 Bad Gateway", "unreachable", "The proxy of this machine closed the connection");
    } else {
        pump(m_remote, *m_client);
    }
}

void EgressConnection::remoteFailed()
{
    if (m_state == State::Connecting) {
        tryNextAddress();
    }
}

void EgressConnection::refuse(const QByteArray &status, const QByteArray &reason,
                              const QByteArray &text)
{
    QByteArray answer = "HTTP/1.1 " + status + "\r\nX-Proxy-Error: " + reason +
                        "\r\nContent-Type: text/plain\r\nConnection: close\r\n";
    if (status.startsWith("407")) {
        answer += "Proxy-Authenticate: Basic realm=\"sandbox\"\r\n";
    }
    m_state = State::Ended;
    m_timer.start(m_proxy.options().limits.head);
    m_client->write(answer + "Content-Length: " + QByteArray::number(text.size()) + "\r\n\r\n" +
                    text);
    m_client->disconnectFromHost();
}

void EgressConnection::endUnlessAllowed()
{
    const bool decided = m_state != State::Head && m_state != State::Ended;
    if (decided && !allows(m_proxy.options().policy, m_request.host, m_request.port)) {
        end();
    }
}

void EgressConnection::end()
{
    m_state = State::Ended;
    m_client->disconnect(this);
    m_remote.disconnect(this);
    m_client->abort();
    m_remote.abort();
    deleteLater();
}

} // namespace Glovebox::Srt
