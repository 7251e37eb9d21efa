// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/deadline.h"

namespace Glovebox {

Deadline::Deadline(std::chrono::milliseconds limit, const std::stop_token &stop)
    : m_onStop(stop, [this] { m_source.request_stop(); })
{
    m_timer.setSingleShot(true);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
        m_over = !m_source.stop_requested();
        m_source.request_stop();
    });
    if (!m_source.stop_requested()) {
        m_timer.start(limit);
    }
}

} // namespace Glovebox
