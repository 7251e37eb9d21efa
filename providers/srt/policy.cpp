// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/policy.h"

#include "core/base/files.h"
#include "providers/srt/addresscheck.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QJsonArray>
#include <QJsonDocument>

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtPolicy)
};

const QString loopbackName = QStringLiteral("localhost");

/// What srt's own schema takes in a list: a name needs a dot, a wildcard two labels after it.
bool srtTakes(const HostRule &rule)
{
    if (isBlock(rule)) {
        return false;
    }
    if (isAddress(rule) || rule.host == loopbackName) {
        return true;
    }
    const bool wildcard = rule.host.startsWith(QLatin1String("*."));
    return rule.host.mid(wildcard ? 2 : 0).contains(QLatin1Char('.'));
}

bool holdsLoopback(const HostRule &block)
{
    const QPair<QHostAddress, int> subnet = QHostAddress::parseSubnet(block.host);
    return QHostAddress(QHostAddress::LocalHost).isInSubnet(subnet) ||
           QHostAddress(QHostAddress::LocalHostIPv6).isInSubnet(subnet);
}

/// srt dials loopback itself, past our proxy: so a denied block is spelled out for each allowed
/// address in it.
QStringList deniedLiterals(const NetworkPolicy &policy, const HostRule &block)
{
    QStringList literals;
    for (const HostRule &allowed : policy.allow) {
        const quint16 port = block.port.value_or(allowed.port.value_or(1));
        if (isAddress(allowed) && matches(block, allowed.host, port)) {
            literals.append(toText({allowed.host, block.port}));
        }
        if (allowed.host == loopbackName && holdsLoopback(block)) {
            literals.append(toText({loopbackName, block.port}));
        }
    }
    return literals;
}

QString limitOf(const HostRule &rule)
{
    if (isBlock(rule)) {
        return Tr::tr(
                   "srt takes no address blocks: a name on the list may resolve into %1, but its "
                   "bare addresses stay refused. List the addresses themselves.")
            .arg(toText(rule));
    }
    return Tr::tr("srt takes no names without a dot and no wildcard over a whole top-level domain: "
                  "%1 stays refused.")
        .arg(toText(rule));
}

bool isPrivate(const HostRule &rule)
{
    return isAddress(rule) && isLocalAddress(QHostAddress(rule.host));
}

QStringList closedLimits(const NetworkPolicy &policy)
{
    QStringList limits;
    bool local = false;
    for (const HostRule &rule : policy.allow) {
        if (!srtTakes(rule)) {
            limits.append(limitOf(rule));
        }
        if (rule.host == loopbackName) {
            limits.append(Tr::tr("“localhost” opens the loopback ports of this machine to the "
                                 "sandbox; connections to them are not in the egress log."));
        }
        local = local || rule.host == loopbackName || isPrivate(rule);
    }
    if (local) {
        limits.append(Tr::tr("srt tells programs to reach loopback and private addresses without "
                             "a proxy, where there is no network: only programs that are told to "
                             "use the proxy for them get there."));
    }
    return limits;
}

QStringList texts(const QList<HostRule> &rules)
{
    QStringList result;
    for (const HostRule &rule : rules) {
        result.append(toText(rule));
    }
    return result;
}

QStringList ruleTexts(const NetworkPolicy &policy)
{
    QStringList rules;
    for (const QString &rule : texts(policy.deny)) {
        rules.append(QStringLiteral("deny ") + rule);
    }
    if (policy.open) {
        return rules << QStringLiteral("allow every host, through Glovebox's own proxy");
    }
    for (const QString &rule : texts(policy.allow)) {
        rules.append(QStringLiteral("allow ") + rule);
    }
    return rules << QStringLiteral("deny all else");
}

} // namespace

QJsonObject networkSettings(const NetworkPolicy &policy)
{
    QStringList allowed;
    QStringList denied;
    QStringList addresses;
    for (const HostRule &rule : policy.allow) {
        if (!policy.open && srtTakes(rule)) {
            allowed.append(toText(rule));
        }
    }
    for (const HostRule &rule : policy.deny) {
        if (isBlock(rule)) {
            denied += deniedLiterals(policy, rule);
            if (!rule.port) {
                addresses.append(rule.host);
            }
        } else if (srtTakes(rule)) {
            denied.append(toText(rule));
        }
    }
    denied.removeDuplicates();
    QJsonObject network{{QStringLiteral("allowedDomains"), QJsonArray::fromStringList(allowed)},
                        {QStringLiteral("deniedDomains"), QJsonArray::fromStringList(denied)}};
    if (!addresses.isEmpty()) {
        network.insert(QStringLiteral("deniedResolvedAddresses"),
                       QJsonArray::fromStringList(addresses));
    }
    return network;
}

CompiledPolicy compilePolicy(const NetworkPolicy &policy)
{
    CompiledPolicy compiled;
    compiled.rules = ruleTexts(policy);
    compiled.limits = policy.open ? QStringList() : closedLimits(policy);
    const bool all = std::all_of(policy.allow.cbegin(), policy.allow.cend(), srtTakes);
    compiled.strength =
        policy.open || !all ? CompiledPolicy::Strength::Narrower : CompiledPolicy::Strength::Exact;
    if (policy.open) {
        compiled.limits.append(
            Tr::tr("Every host is open through Glovebox's own HTTP proxy (CONNECT for any port); "
                   "this machine's loopback, link-local addresses and the private networks around "
                   "it stay shut unless their addresses are listed. SOCKS stays shut."));
    }
    compiled.limits.append(Tr::tr("Programs that ignore the proxy variables have no network."));
    const QJsonObject proxy{
        {QStringLiteral("open"), policy.open},
        {QStringLiteral("allow"), QJsonArray::fromStringList(texts(policy.allow))},
        {QStringLiteral("deny"), QJsonArray::fromStringList(texts(policy.deny))}};
    const QJsonObject native{{QStringLiteral("network"), networkSettings(policy)},
                             {QStringLiteral("proxy"), proxy}};
    compiled.native = QJsonDocument(native).toJson(QJsonDocument::Compact);
    compiled.digest = sha256(compiled.native);
    return compiled;
}

} // namespace Glovebox::Srt
