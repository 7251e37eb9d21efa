// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QObject>
#include <QSet>
#include <QTcpServer>

#include <memory>

namespace Glovebox {

/// The judge of the network canaries: two ports on this machine's loopback, one that the sandbox is
/// allowed to reach while it is proven, one that it is not. What counts is what arrives here, never
/// what a client inside says. Main thread.
class CanaryListener final : public QObject
{
    Q_OBJECT

public:
    [[nodiscard]] static Result<std::unique_ptr<CanaryListener>> open();

    [[nodiscard]] quint16 allowedPort() const { return m_allowed.serverPort(); }
    [[nodiscard]] quint16 forbiddenPort() const { return m_forbidden.serverPort(); }
    [[nodiscard]] bool heardOnAllowed(const QByteArray &nonce) const
    {
        return m_allowedNonces.contains(nonce);
    }
    [[nodiscard]] bool heardOnForbidden(const QByteArray &nonce) const
    {
        return m_forbiddenNonces.contains(nonce);
    }

private:
    CanaryListener() = default;
    void serve(QTcpServer *server, QSet<QByteArray> *nonces);

    QTcpServer m_allowed;
    QTcpServer m_forbidden;
    QSet<QByteArray> m_allowedNonces;
    QSet<QByteArray> m_forbiddenNonces;
};

} // namespace Glovebox
