// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace Glovebox {

/// One line of an allow or deny list. host is a name, *.name (any depth, not the name itself), an
/// address or a CIDR block, in lower case. No port = every port.
struct HostRule
{
    QString host;
    std::optional<quint16> port;
    friend bool operator==(const HostRule &, const HostRule &) = default;
};

/// What a run may reach. Deny wins. Not open = all else is refused.
struct NetworkPolicy
{
    bool open = false;
    QList<HostRule> allow;
    QList<HostRule> deny;
    friend bool operator==(const NetworkPolicy &, const NetworkPolicy &) = default;
};

/// A policy in a backend's own words: a pure function of policy and capabilities, shown before the
/// run and kept in the receipt.
struct CompiledPolicy
{
    enum class Strength {
        Exact,
        Wider,       ///< lets more through than was asked
        Narrower,    ///< lets less through
        NotEnforced, ///< the backend cannot hold it: refused without an explicit tick
    };
    Strength strength = Strength::NotEnforced;
    QStringList rules;  ///< the backend's own rules as text
    QStringList limits; ///< translated sentences: names only, DNS stays open, …
    QByteArray native;  ///< what is sent
    QByteArray digest;  ///< SHA-256 of native, hexadecimal
};

[[nodiscard]] QString strengthName(CompiledPolicy::Strength strength);

/// Reads "host", "*.host", "1.2.3.4", "10.0.0.0/8", "[::1]:80", "host:443". Nothing when it is none
/// of these (URLs and a bare "*" are not).
[[nodiscard]] std::optional<HostRule> parseHostRule(const QString &text);
/// The same rule as text again; IPv6 in brackets.
[[nodiscard]] QString toText(const HostRule &rule);

/// Whether the rule names one literal address, or a CIDR block.
[[nodiscard]] bool isAddress(const HostRule &rule);
[[nodiscard]] bool isBlock(const HostRule &rule);

/// Whether a connection to \a host falls under a rule. The host is a name or an address in the form
/// that parseHostRule() gives: a literal address never matches a wildcard, a name never a block.
[[nodiscard]] bool matches(const HostRule &rule, const QString &host, quint16 port);
[[nodiscard]] bool matchesAny(const QList<HostRule> &rules, const QString &host, quint16 port);
/// Deny wins; without an allowing rule only an open policy lets it through.
[[nodiscard]] bool allows(const NetworkPolicy &policy, const QString &host, quint16 port);

} // namespace Glovebox
