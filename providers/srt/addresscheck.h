// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/networkpolicy.h"

#include <QHostAddress>

namespace Glovebox::Srt {

/// Whether an allowed \a host may be reached at the address it resolved to (or is). Whoever
/// controls a permitted name's DNS controls its addresses, so this repeats the check that srt
/// leaves to its upstream proxy ("Resolved-address check" in its README): loopback, unspecified,
/// link-local, multicast and metadata addresses and this machine's \a ownAddresses only where the
/// policy lists the address with that port (or "localhost"); private networks also for a name that
/// is listed itself, not by a wildcard. IPv6 forms that carry an IPv4 address are judged by it.
[[nodiscard]] bool mayConnect(const NetworkPolicy &policy, const QString &host, quint16 port,
                              const QHostAddress &address, const QList<QHostAddress> &ownAddresses);

/// Loopback, link-local or a private network: what srt's NO_PROXY makes programs reach directly.
[[nodiscard]] bool isLocalAddress(const QHostAddress &address);

} // namespace Glovebox::Srt
