// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/pause.h"

#include <QList>

#include <qcorotask.h>

#include <chrono>
#include <functional>
#include <stop_token>

namespace Glovebox {

/// How long to wait before each further try of what may be tried again. As many tries as waits, and
/// the first. Tests set all waits to zero.
struct RetryPlan
{
    QList<std::chrono::milliseconds> waits;

    [[nodiscard]] static RetryPlan whileRunning(); ///< 1, 2, 4 … 30 s, ten minutes in all
    [[nodiscard]] static RetryPlan atCreation();   ///< three tries in all
    [[nodiscard]] static RetryPlan atOnce(int tries);
};

/// How many further tries an error is worth: those of the plan for Busy, Unreachable and
/// ConnectionLost, one for DamagedInTransit, none for all others.
[[nodiscard]] qsizetype furtherTries(const Error &error, const RetryPlan &plan);

/// Does \a attempt until it succeeds or fails for good. \a attempt is a plain function that starts
/// a coroutine; it owns what it captures.
template<typename T>
[[nodiscard]] QCoro::Task<Result<T>> retried(std::function<QCoro::Task<Result<T>>()> attempt,
                                             RetryPlan plan, std::stop_token stop)
{
    for (qsizetype tries = 0;; ++tries) {
        QCoro::Task<Result<T>> task = attempt();
        Result<T> result = co_await task;
        if (result || tries >= furtherTries(result.error(), plan)) {
            co_return result;
        }
        const std::chrono::milliseconds wait = plan.waits.at(tries);
        const Result<void> paused = co_await pause(wait, stop);
        if (!paused) {
            co_return fail(paused.error());
        }
    }
}

} // namespace Glovebox
