// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QDebug>

#include <memory>

namespace Glovebox {

/// A value that must never be shown, logged or stored: an API key, a token. It has no conversion to
/// text, prints as ***, and its bytes are overwritten when the last copy goes. Copies share the
/// bytes.
class Secret final
{
public:
    Secret() = default;
    explicit Secret(QByteArray value);

    [[nodiscard]] bool isEmpty() const { return !m_bytes || m_bytes->isEmpty(); }
    /// The bytes themselves, for the one place that hands them to a process or a request.
    [[nodiscard]] QByteArray reveal() const { return m_bytes ? *m_bytes : QByteArray(); }

private:
    std::shared_ptr<const QByteArray> m_bytes;
};

inline QDebug operator<<(QDebug debug, const Secret &)
{
    return debug << "***";
}

} // namespace Glovebox
