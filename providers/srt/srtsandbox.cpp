// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/srtsandbox.h"

namespace Glovebox::Srt {

SrtSandbox::SrtSandbox(std::shared_ptr<LiveSandbox> live)
    : RunnerSandbox({QStringLiteral("srt"), live->layout().key()}, std::make_shared<Channel>(live),
                    {live->layout().jobs(), live->layout().work()}, keptNames())
    , m_live(std::move(live))
{
}

QCoro::Task<Result<QDateTime>> SrtSandbox::setDeadline(QDateTime deadline, std::stop_token stop)
{
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    const Result<void> set = m_live->setDeadline(deadline.toUTC());
    if (!set) {
        co_return fail(set.error());
    }
    co_return deadline.toUTC();
}

QCoro::Task<Result<void>> SrtSandbox::replace(NetworkPolicy policy, std::stop_token stop)
{
    return LiveSandbox::replaceNetwork(m_live, std::move(policy), std::move(stop));
}

} // namespace Glovebox::Srt
