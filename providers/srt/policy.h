// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/problem.h"
#include "core/sandbox/networkpolicy.h"

#include <QJsonObject>

namespace Glovebox::Srt {

/// A policy as srt and our own upstream proxy enforce it together. srt matches names, literal
/// addresses and ports; what it has no form for (address blocks, *.com, names without a dot) is
/// refused by our proxy, through which everything but loopback passes. Pure.
[[nodiscard]] CompiledPolicy compilePolicy(const NetworkPolicy &policy);

/// The `network` part of srt's settings file for a closed policy: allowedDomains, deniedDomains,
/// deniedResolvedAddresses. An open policy allows nothing here: srt is then told to use our proxy
/// in place of its own, because its allow-list takes no "*".
[[nodiscard]] QJsonObject networkSettings(const NetworkPolicy &policy);

} // namespace Glovebox::Srt
