// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/upstreamproxy.h"

#include "core/sandbox/networkpolicy.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QUrl>

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtUpstreamProxy)
};

QString value(const QProcessEnvironment &environment, const QString &name)
{
    return environment.value(name, environment.value(name.toLower()));
}

Result<std::optional<UpstreamProxy::Server>> parseServer(const QString &name, const QString &text)
{
    if (text.isEmpty()) {
        return std::optional<UpstreamProxy::Server>();
    }
    const QUrl url(text.contains(QLatin1String("://")) ? text : QStringLiteral("http://") + text);
    if (url.scheme() != QLatin1String("http") || url.host().isEmpty()) {
        return fail(
            ErrorCode::NotSupported,
            Tr::tr("The proxy in %1 can't be used: Glovebox speaks to http:// proxies only. "
                   "Change the variable or unset it.")
                .arg(name));
    }
    UpstreamProxy::Server server{url.host(), static_cast<quint16>(url.port(80)), {}};
    if (!url.userName().isEmpty()) {
        const QByteArray pair = url.userName(QUrl::FullyDecoded).toUtf8() + ':' +
                                url.password(QUrl::FullyDecoded).toUtf8();
        server.authorization = Secret("Basic " + pair.toBase64());
    }
    return std::optional(server);
}

bool matchesEntry(const QString &entry, const QString &host)
{
    if (entry == QLatin1String("*")) {
        return true;
    }
    const std::optional<HostRule> rule =
        parseHostRule(entry.startsWith(QLatin1Char('.')) ? entry.mid(1) : entry);
    if (!rule) {
        return false;
    }
    if (isBlock(*rule) || isAddress(*rule)) {
        return matches({rule->host, std::nullopt}, host, 1);
    }
    // As in most programs: example.com also means what is below it.
    const QString name =
        rule->host.startsWith(QLatin1String("*.")) ? rule->host.mid(2) : rule->host;
    return host == name || host.endsWith(QLatin1Char('.') + name);
}

} // namespace

Result<UpstreamProxy> UpstreamProxy::of(const QProcessEnvironment &environment)
{
    const QString httpName = QStringLiteral("HTTP_PROXY");
    const QString httpsName = QStringLiteral("HTTPS_PROXY");
    const Result<std::optional<Server>> http = parseServer(httpName, value(environment, httpName));
    const Result<std::optional<Server>> https =
        parseServer(httpsName, value(environment, httpsName));
    if (!http || !https) {
        return fail(http ? https.error() : http.error());
    }
    UpstreamProxy proxy{*http, *https ? *https : *http, {}};
    const QString direct = value(environment, QStringLiteral("NO_PROXY"));
    for (const QString &entry : direct.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        proxy.direct.append(entry.trimmed());
    }
    return proxy;
}

bool UpstreamProxy::isDirect(const QString &host) const
{
    if (host == QLatin1String("localhost") || QHostAddress(host).isLoopback()) {
        return true;
    }
    return std::any_of(direct.cbegin(), direct.cend(),
                       [&host](const QString &entry) { return matchesEntry(entry, host); });
}

} // namespace Glovebox::Srt
