// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>
#include <utility>

namespace Glovebox::Srt {

/// The head of a request to a proxy:
///
///     CONNECT host.example.com:443 HTTP/1.1      or      GET http://host.example.com/path HTTP/1.1
///     Host: host.example.com
struct ProxyRequest
{
    QByteArray method;
    QByteArray path; ///< origin form, "/path?query"; empty for CONNECT
    QString host;    ///< canonical, as parseHostRule() gives it
    quint16 port = 0;
    QList<std::pair<QByteArray, QByteArray>> headers; ///< in order, names as they came
    bool isConnect = false;

    [[nodiscard]] QByteArray header(const QByteArray &name) const;
};

/// Reads a head without its final empty line; nothing when it is not exactly one request that a
/// proxy may forward (ambiguous framing, odd bytes in names, folded lines, other schemes).
[[nodiscard]] std::optional<ProxyRequest> parseProxyRequest(const QByteArray &head);

/// "host:port", IPv6 in brackets.
[[nodiscard]] QByteArray authority(const QString &host, quint16 port);

/// The head to send on: without what is between client and proxy alone, one request per connection.
/// \a toProxy = absolute form with this Proxy-Authorization (or none when it is empty).
[[nodiscard]] QByteArray forwardedHead(const ProxyRequest &request);
[[nodiscard]] QByteArray forwardedHeadToProxy(const ProxyRequest &request,
                                              const QByteArray &authorization);

/// The head of an answer as it goes to the client, who must not send a second request behind this
/// one: without the server's own wish for the connection, "Connection: close" instead.
[[nodiscard]] QByteArray closingHead(const QByteArray &head);

/// Counts where a request's body ends, so that nothing behind it is forwarded: a second request on
/// the same connection would not have been checked.
class BodyMeter final
{
public:
    /// Nothing where length and transfer encoding contradict each other or are not understood.
    [[nodiscard]] static std::optional<BodyMeter> of(const ProxyRequest &request);
    /// How many of these bytes belong to the body; -1 = not a legal body.
    [[nodiscard]] qsizetype take(const QByteArray &bytes);
    [[nodiscard]] bool isComplete() const { return m_state == State::Done; }

private:
    enum class State { Counted, SizeLine, Data, DataEnd, Trailer, Done, Broken };
    void endLine();

    State m_state = State::Done;
    qint64 m_left = 0;
    QByteArray m_line;
};

} // namespace Glovebox::Srt
