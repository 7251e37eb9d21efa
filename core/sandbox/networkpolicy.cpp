// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/networkpolicy.h"

#include <QHostAddress>
#include <QUrl>

namespace Glovebox {

namespace {

constexpr int longestName = 253;
constexpr int longestLabel = 63;

bool isAddressShaped(const QString &name)
{
    // "127.1", "0x7f.1" and "2130706433" are addresses to resolvers: a name never ends in a number.
    const QString last = name.section(QLatin1Char('.'), -1);
    if (last.startsWith(QLatin1String("0x"))) {
        return true;
    }
    return !last.isEmpty() && std::all_of(last.cbegin(), last.cend(), [](QChar character) {
        return character >= QLatin1Char('0') && character <= QLatin1Char('9');
    });
}

bool isLabel(const QString &label)
{
    if (label.isEmpty() || label.size() > longestLabel || label.startsWith(QLatin1Char('-')) ||
        label.endsWith(QLatin1Char('-'))) {
        return false;
    }
    return std::all_of(label.cbegin(), label.cend(), [](QChar character) {
        return (character >= QLatin1Char('a') && character <= QLatin1Char('z')) ||
               (character >= QLatin1Char('0') && character <= QLatin1Char('9')) ||
               character == QLatin1Char('-') || character == QLatin1Char('_');
    });
}

std::optional<QString> parseName(const QString &text)
{
    const bool ascii = std::all_of(text.cbegin(), text.cend(),
                                   [](QChar character) { return character.unicode() < 128; });
    const QString name = ascii ? text.toLower() : QString::fromLatin1(QUrl::toAce(text));
    if (name.isEmpty() || name.size() > longestName || isAddressShaped(name)) {
        return std::nullopt;
    }
    const QStringList labels = name.split(QLatin1Char('.'));
    return std::all_of(labels.cbegin(), labels.cend(), isLabel) ? std::optional(name)
                                                                : std::nullopt;
}

std::optional<QString> parseAddress(const QString &text)
{
    QHostAddress address;
    if (text.contains(QLatin1Char('%')) || !address.setAddress(text)) {
        return std::nullopt;
    }
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4); // also of ::ffff:a.b.c.d, and of ::
    if (isV4 && address != QHostAddress(QHostAddress::AnyIPv6)) {
        // Only the four-part decimal form: setAddress() takes "127.1" and octal as well.
        const QString canonical = QHostAddress(v4).toString();
        return text.contains(QLatin1Char(':')) || text == canonical ? std::optional(canonical)
                                                                    : std::nullopt;
    }
    return address.toString().toLower();
}

std::optional<QString> parseBlock(const QString &text)
{
    const QString base = text.section(QLatin1Char('/'), 0, 0);
    const QString bits = text.section(QLatin1Char('/'), 1);
    const std::optional<QString> address = parseAddress(base);
    bool ok = false;
    const int length = bits.toInt(&ok);
    if (!address || !ok || bits != QString::number(length) || length < 0) {
        return std::nullopt;
    }
    const bool isV6 = address->contains(QLatin1Char(':'));
    if (length > (isV6 ? 128 : 32) || isV6 != base.contains(QLatin1Char(':'))) {
        return std::nullopt;
    }
    if (isV6) {
        Q_IPV6ADDR bytes = QHostAddress(*address).toIPv6Address();
        for (int bit = length; bit < 128; ++bit) {
            bytes[bit / 8] = static_cast<quint8>(bytes[bit / 8] & ~(0x80 >> (bit % 8)));
        }
        return QHostAddress(bytes).toString().toLower() + QLatin1Char('/') + bits;
    }
    const quint32 mask = length == 0 ? 0 : ~quint32(0) << (32 - length);
    return QHostAddress(QHostAddress(*address).toIPv4Address() & mask).toString() +
           QLatin1Char('/') + bits;
}

std::optional<QString> parseHost(const QString &text)
{
    if (text.contains(QLatin1Char('/'))) {
        return parseBlock(text);
    }
    if (text.startsWith(QLatin1String("*."))) {
        const std::optional<QString> name = parseName(text.mid(2));
        return name ? std::optional(QStringLiteral("*.") + *name) : std::nullopt;
    }
    const std::optional<QString> address = parseAddress(text);
    return address ? address : parseName(text);
}

std::optional<quint16> parsePort(const QString &text)
{
    bool ok = false;
    const ushort port = text.toUShort(&ok);
    return ok && port > 0 && text == QString::number(port) ? std::optional<quint16>(port)
                                                           : std::nullopt;
}

std::optional<HostRule> parsed(const QString &host, const std::optional<quint16> &port)
{
    const std::optional<QString> canonical = parseHost(host);
    return canonical ? std::optional(HostRule{*canonical, port}) : std::nullopt;
}

} // namespace

QString strengthName(CompiledPolicy::Strength strength)
{
    switch (strength) {
    case CompiledPolicy::Strength::Exact:
        return QStringLiteral("exact");
    case CompiledPolicy::Strength::Wider:
        return QStringLiteral("wider");
    case CompiledPolicy::Strength::Narrower:
        return QStringLiteral("narrower");
    case CompiledPolicy::Strength::NotEnforced:
        return QStringLiteral("not_enforced");
    }
    Q_UNREACHABLE();
}

std::optional<HostRule> parseHostRule(const QString &text)
{
    const QString rule = text.trimmed();
    if (rule.startsWith(QLatin1Char('['))) {
        const qsizetype close = rule.indexOf(QLatin1Char(']'));
        const QString host = rule.mid(1, close - 1);
        if (close < 0 || !host.contains(QLatin1Char(':'))) {
            return std::nullopt;
        }
        const QString rest = rule.mid(close + 1);
        const std::optional<quint16> port = parsePort(rest.mid(1));
        if (rest.isEmpty()) {
            return parsed(host, std::nullopt);
        }
        return rest.startsWith(QLatin1Char(':')) && port ? parsed(host, port) : std::nullopt;
    }
    const qsizetype colon = rule.lastIndexOf(QLatin1Char(':'));
    if (colon < 0 || rule.indexOf(QLatin1Char(':')) != colon) {
        return parsed(rule, std::nullopt); // none, or the colons of an IPv6 address
    }
    const std::optional<quint16> port = parsePort(rule.mid(colon + 1));
    return port ? parsed(rule.left(colon), port) : std::nullopt;
}

QString toText(const HostRule &rule)
{
    const bool bracketed = rule.host.contains(QLatin1Char(':'));
    const QString host = bracketed ? QLatin1Char('[') + rule.host + QLatin1Char(']') : rule.host;
    return rule.port ? host + QLatin1Char(':') + QString::number(*rule.port) : host;
}

bool isAddress(const HostRule &rule)
{
    return parseAddress(rule.host).has_value();
}

bool isBlock(const HostRule &rule)
{
    return rule.host.contains(QLatin1Char('/'));
}

bool matches(const HostRule &rule, const QString &host, quint16 port)
{
    if (rule.port && *rule.port != port) {
        return false;
    }
    if (isBlock(rule)) {
        const std::optional<QString> address = parseAddress(host);
        return address && QHostAddress(*address).isInSubnet(QHostAddress::parseSubnet(rule.host));
    }
    if (rule.host.startsWith(QLatin1String("*."))) {
        return !parseAddress(host) && host.size() > rule.host.size() - 1 &&
               host.endsWith(QStringView(rule.host).mid(1));
    }
    return rule.host == host;
}

bool matchesAny(const QList<HostRule> &rules, const QString &host, quint16 port)
{
    return std::any_of(rules.cbegin(), rules.cend(),
                       [&host, port](const HostRule &rule) { return matches(rule, host, port); });
}

bool allows(const NetworkPolicy &policy, const QString &host, quint16 port)
{
    return !matchesAny(policy.deny, host, port) &&
           (policy.open || matchesAny(policy.allow, host, port));
}

} // namespace Glovebox
