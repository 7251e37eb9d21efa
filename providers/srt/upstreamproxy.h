// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/secret.h"

#include <QProcessEnvironment>

#include <optional>

namespace Glovebox::Srt {

/// The proxy that this machine's user must go through, from HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
struct UpstreamProxy
{
    struct Server
    {
        QString host;
        quint16 port = 0;
        Secret authorization; ///< value of Proxy-Authorization, or empty
    };
    std::optional<Server> http;
    std::optional<Server> https; ///< for CONNECT
    QStringList direct;          ///< names, ".suffixes", addresses and blocks that bypass it

    /// NotSupported names a scheme that we can't speak to (https, socks).
    [[nodiscard]] static Result<UpstreamProxy> of(const QProcessEnvironment &environment);
    /// Whether a host is reached without it; loopback always is.
    [[nodiscard]] bool isDirect(const QString &host) const;
};

} // namespace Glovebox::Srt
