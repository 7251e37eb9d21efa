// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/retry.h"

namespace Glovebox {

RetryPlan RetryPlan::whileRunning()
{
    constexpr std::chrono::milliseconds longest = std::chrono::seconds(30);
    constexpr std::chrono::milliseconds inAll = std::chrono::minutes(10);
    RetryPlan plan;
    std::chrono::milliseconds sum{0};
    for (std::chrono::milliseconds wait{1000}; sum < inAll; wait = qMin(2 * wait, longest)) {
        plan.waits.append(wait);
        sum += wait;
    }
    return plan;
}

RetryPlan RetryPlan::atCreation()
{
    return {{std::chrono::seconds(1), std::chrono::seconds(2)}};
}

RetryPlan RetryPlan::atOnce(int tries)
{
    return {QList<std::chrono::milliseconds>(tries, std::chrono::milliseconds(0))};
}

qsizetype furtherTries(const Error &error, const RetryPlan &plan)
{
    switch (error.code) {
    case ErrorCode::Busy:
    case ErrorCode::Unreachable:
    case ErrorCode::ConnectionLost:
        return plan.waits.size();
    case ErrorCode::DamagedInTransit:
        return qMin(qsizetype(1), plan.waits.size());
    default:
        return 0;
    }
}

} // namespace Glovebox
