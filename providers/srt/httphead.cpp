// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/httphead.h"

#include "core/sandbox/networkpolicy.h"

namespace Glovebox::Srt {

namespace {

constexpr qsizetype longestLine = 16LL * 1024;

bool isToken(const QByteArray &text)
{
    static const QByteArray marks("!#$%&'*+-.^_`|~");
    return !text.isEmpty() && std::all_of(text.cbegin(), text.cend(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || marks.contains(letter);
    });
}

bool isPrintable(const QByteArray &text)
{
    return std::all_of(text.cbegin(), text.cend(), [](char letter) {
        return static_cast<quint8>(letter) > 0x20 && static_cast<quint8>(letter) != 0x7f;
    });
}

bool isValue(const QByteArray &text)
{
    return std::all_of(text.cbegin(), text.cend(), [](char letter) {
        return letter == '\t' ||
               (static_cast<quint8>(letter) >= 0x20 && static_cast<quint8>(letter) != 0x7f);
    });
}

bool splitAuthority(const QByteArray &text, quint16 defaultPort, ProxyRequest &request)
{
    QString host = QString::fromLatin1(text);
    std::optional<HostRule> rule = parseHostRule(host);
    if (!rule) { // "example.com." and "example.com.:443" are legal spellings of a name
        const qsizetype dot = host.lastIndexOf(QLatin1Char('.'));
        if (dot > 0 && (dot + 1 == host.size() || host.at(dot + 1) == QLatin1Char(':'))) {
            host.remove(dot, 1);
            rule = parseHostRule(host);
        }
    }
    if (!rule || isBlock(*rule) || rule->host.startsWith(QLatin1Char('*'))) {
        return false;
    }
    request.host = rule->host;
    request.port = rule->port.value_or(defaultPort);
    return request.port != 0;
}

bool parseTarget(const QByteArray &target, ProxyRequest &request)
{
    if (request.isConnect) {
        return splitAuthority(target, 0, request);
    }
    static const QByteArray scheme("http://");
    if (target.left(scheme.size()).toLower() != scheme || target.contains('#')) {
        return false;
    }
    qsizetype end = scheme.size();
    while (end < target.size() && target[end] != '/' && target[end] != '?') {
        ++end;
    }
    const QByteArray path = target.mid(end);
    request.path = path.startsWith('/') ? path : '/' + path;
    return splitAuthority(target.mid(scheme.size(), end - scheme.size()), 80, request);
}

bool parseHeaders(const QList<QByteArray> &lines, ProxyRequest &request)
{
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const qsizetype colon = lines[i].indexOf(':');
        const QByteArray name = lines[i].left(colon);
        const QByteArray value = lines[i].mid(colon + 1).trimmed();
        if (colon < 1 || !isToken(name) || !isValue(value)) {
            return false;
        }
        request.headers.append({name, value});
    }
    return true;
}

bool isOnlyForProxies(const QByteArray &name)
{
    static const QList<QByteArray> names{"connection",          "keep-alive", "proxy-connection",
                                         "proxy-authorization", "upgrade",    "te",
                                         "proxy-authenticate",  "host"};
    return names.contains(name.toLower());
}

QByteArray headWith(const ProxyRequest &request, const QByteArray &target,
                    const QByteArray &authorization)
{
    QByteArray head = request.method + ' ' + target + " HTTP/1.1\r\nHost: " +
                      (request.port == 80 ? authority(request.host, 80).chopped(3)
                                          : authority(request.host, request.port)) +
                      "\r\n";
    for (const auto &[name, value] : request.headers) {
        if (!isOnlyForProxies(name)) {
            head += name + ": " + value + "\r\n";
        }
    }
    if (!authorization.isEmpty()) {
        head += "Proxy-Authorization: " + authorization + "\r\n";
    }
    return head + "Connection: close\r\n\r\n";
}

} // namespace

QByteArray ProxyRequest::header(const QByteArray &name) const
{
    for (const auto &[key, value] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0) {
            return value;
        }
    }
    return {};
}

QByteArray authority(const QString &host, quint16 port)
{
    return toText({host, port}).toLatin1();
}

std::optional<ProxyRequest> parseProxyRequest(const QByteArray &head)
{
    QList<QByteArray> lines = head.split('\n');
    for (QByteArray &line : lines) {
        if (line.endsWith('\r')) {
            line.chop(1);
        }
    }
    const QList<QByteArray> words = lines.first().split(' ');
    if (words.size() != 3 || !isToken(words[0]) || !isPrintable(words[1]) ||
        (words[2] != "HTTP/1.1" && words[2] != "HTTP/1.0")) {
        return std::nullopt;
    }
    ProxyRequest request;
    request.method = words[0];
    request.isConnect = words[0] == "CONNECT";
    if (!parseTarget(words[1], request) || !parseHeaders(lines, request)) {
        return std::nullopt;
    }
    return request;
}

QByteArray forwardedHead(const ProxyRequest &request)
{
    return headWith(request, request.path, {});
}

QByteArray forwardedHeadToProxy(const ProxyRequest &request, const QByteArray &authorization)
{
    const QByteArray target = "http://" + authority(request.host, request.port) + request.path;
    return headWith(request, target, authorization);
}

QByteArray closingHead(const QByteArray &head)
{
    static const QList<QByteArray> own{"connection", "keep-alive", "proxy-connection"};
    QList<QByteArray> lines = head.trimmed().split('\n');
    lines.removeIf([](const QByteArray &line) {
        return own.contains(line.left(line.indexOf(':')).trimmed().toLower());
    });
    QByteArray closing;
    for (const QByteArray &line : lines) {
        closing += (line.endsWith('\r') ? line.chopped(1) : line) + "\r\n";
    }
    return closing + "Connection: close\r\n\r\n";
}

std::optional<BodyMeter> BodyMeter::of(const ProxyRequest &request)
{
    BodyMeter meter;
    int lengths = 0;
    int encodings = 0;
    for (const auto &[name, value] : request.headers) {
        if (name.compare("content-length", Qt::CaseInsensitive) == 0) {
            bool ok = false;
            meter.m_left = value.toLongLong(&ok);
            const bool digits = std::all_of(value.cbegin(), value.cend(), [](char letter) {
                return letter >= '0' && letter <= '9';
            });
            if (!ok || !digits) {
                return std::nullopt;
            }
            ++lengths;
        } else if (name.compare("transfer-encoding", Qt::CaseInsensitive) == 0) {
            if (value.compare("chunked", Qt::CaseInsensitive) != 0) {
                return std::nullopt;
            }
            ++encodings;
        }
    }
    if (lengths + encodings > 1) {
        return std::nullopt;
    }
    if (encodings == 1) {
        meter.m_state = State::SizeLine;
    } else if (meter.m_left > 0) {
        meter.m_state = State::Counted;
    }
    return meter;
}

void BodyMeter::endLine()
{
    const QByteArray line = m_line.trimmed();
    m_line.clear();
    if (m_state == State::DataEnd) {
        m_state = line.isEmpty() ? State::SizeLine : State::Broken;
    } else if (m_state == State::Trailer) {
        m_state = line.isEmpty() ? State::Done : State::Trailer;
    } else {
        bool ok = false;
        const QByteArray digits = line.split(';').first().trimmed();
        m_left = digits.toLongLong(&ok, 16);
        const bool plain = !digits.isEmpty() && std::isxdigit(static_cast<uchar>(digits[0])) != 0 &&
                           !digits.contains('x') && !digits.contains('X');
        m_state = !ok || !plain ? State::Broken : m_left == 0 ? State::Trailer : State::Data;
    }
}

qsizetype BodyMeter::take(const QByteArray &bytes)
{
    qsizetype used = 0;
    while (used < bytes.size() && m_state != State::Done) {
        if (m_state == State::Broken) {
            return -1;
        }
        if (m_state == State::Counted || m_state == State::Data) {
            const qint64 step = qMin<qint64>(m_left, bytes.size() - used);
            m_left -= step;
            used += step;
            if (m_left == 0) {
                m_state = m_state == State::Counted ? State::Done : State::DataEnd;
            }
            continue;
        }
        const char letter = bytes[used++];
        if (letter == '\n') {
            endLine();
        } else if (m_line.size() < longestLine) {
            m_line += letter;
        } else {
            m_state = State::Broken;
        }
    }
    return m_state == State::Broken ? -1 : used;
}

} // namespace Glovebox::Srt
