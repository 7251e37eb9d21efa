// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/networkpolicy.h"

#include <QTcpServer>

namespace Glovebox::Testing {

/// The network of a sandbox that has none of its own: an HTTP proxy on the loopback that lets
/// through what a policy allows, and nothing else. It stands in for the proxies of real backends,
/// so that a run over a plain folder can be proven, and can be made to fail its proofs. Names are
/// never resolved: an allowed public name is "not reachable" (502).
class PolicyProxy final : public QObject
{
    Q_OBJECT

public:
    enum class Mode {
        Honest,
        Leaks, ///< lets everything through
        Deaf,  ///< refuses everything
    };

    explicit PolicyProxy(NetworkPolicy policy, Mode mode = Mode::Honest);

    /// "http://127.0.0.1:PORT"
    [[nodiscard]] QString url() const;
    [[nodiscard]] const NetworkPolicy &policy() const { return m_policy; }
    void setPolicy(const NetworkPolicy &policy) { m_policy = policy; }

private:
    void serve();
    void answer(QTcpSocket *client, const QByteArray &request);
    void forward(QTcpSocket *client, const QString &host, quint16 port, const QByteArray &path);
    [[nodiscard]] bool letsThrough(const QString &host, quint16 port) const;

    QTcpServer m_server;
    NetworkPolicy m_policy;
    Mode m_mode;
};

} // namespace Glovebox::Testing
