// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/addresscheck.h"

#include <QtEndian>

namespace Glovebox::Srt {

namespace {

/// The address that a packet would really go to.
QHostAddress carried(const QHostAddress &address)
{
    bool isV4 = false;
    const quint32 direct = address.toIPv4Address(&isV4); // also ::ffff:a.b.c.d
    if (isV4) {
        return QHostAddress(direct);
    }
    const Q_IPV6ADDR bytes = address.toIPv6Address();
    const auto zero = [&bytes](int from, int to) {
        return std::all_of(&bytes.c[from], &bytes.c[to], [](quint8 byte) { return byte == 0; });
    };
    if (bytes[0] == 0x20 && bytes[1] == 0x02) { // 6to4
        return QHostAddress(qFromBigEndian<quint32>(&bytes.c[2]));
    }
    const bool nat64 =
        bytes[0] == 0 && bytes[1] == 0x64 && bytes[2] == 0xff && bytes[3] == 0x9b && zero(4, 12);
    const bool translated = zero(0, 8) && bytes[8] == 0xff && bytes[9] == 0xff && zero(10, 12);
    const bool compatible = zero(0, 12) && !zero(12, 15);
    if (nat64 || translated || compatible) {
        return QHostAddress(qFromBigEndian<quint32>(&bytes.c[12]));
    }
    return QHostAddress(bytes);
}

bool inAny(const QHostAddress &address, std::initializer_list<const char *> blocks)
{
    return std::any_of(blocks.begin(), blocks.end(), [&address](const char *block) {
        return address.isInSubnet(QHostAddress::parseSubnet(QLatin1String(block)));
    });
}

bool isNeverMeant(const QHostAddress &address)
{
    return inAny(address,
                 {"127.0.0.0/8", "::1/128", "0.0.0.0/8", "::/128", "169.254.0.0/16", "fe80::/10",
                  "224.0.0.0/4", "ff00::/8", "255.255.255.255/32",
                  // instance metadata outside link-local
                  "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::/32",
                  "fd20:ce::254/128", "fd00:c1::a9fe:a9fe/128", "fd00:42::42/128"});
}

bool isPrivateNetwork(const QHostAddress &address)
{
    return inAny(address, {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10",
                           "fc00::/7", "fec0::/10"});
}

/// Rules that name addresses, asked about an address.
bool listed(const QList<HostRule> &rules, const QString &address, quint16 port)
{
    return std::any_of(rules.cbegin(), rules.cend(), [&address, port](const HostRule &rule) {
        return (isAddress(rule) || isBlock(rule)) && matches(rule, address, port);
    });
}

} // namespace

bool isLocalAddress(const QHostAddress &address)
{
    return address.isLoopback() || address.isLinkLocal() || isPrivateNetwork(address);
}

bool mayConnect(const NetworkPolicy &policy, const QString &host, quint16 port,
                const QHostAddress &address, const QList<QHostAddress> &ownAddresses)
{
    const QHostAddress real = carried(address);
    const QString text = real.toString().toLower();
    if (listed(policy.deny, text, port)) {
        return false;
    }
    if (listed(policy.allow, text, port)) {
        return true;
    }
    const bool byName = std::any_of(policy.allow.cbegin(), policy.allow.cend(),
                                    [&host, port](const HostRule &rule) {
                                        return rule.host == host && matches(rule, host, port);
                                    });
    if (host == QLatin1String("localhost") && byName) {
        return real.isLoopback();
    }
    if (isNeverMeant(real) || ownAddresses.contains(real)) {
        return false;
    }
    return byName || !isPrivateNetwork(real);
}

} // namespace Glovebox::Srt
