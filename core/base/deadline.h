// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QPromise>
#include <QTimer>

#include <qcorofuture.h>
#include <qcorotask.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace Glovebox {

/// A stop token that also stops by itself, after a time. Lives in the coroutine that awaits under
/// it; what it was given to may outlive it. Main thread only.
class Deadline final
{
public:
    Deadline(std::chrono::milliseconds limit, const std::stop_token &stop);
    ~Deadline() = default;
    Q_DISABLE_COPY_MOVE(Deadline)

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    /// It was the time that stopped the token, not who asked for it.
    [[nodiscard]] bool isOver() const { return m_over; }
    /// The same answer, but TimedOut with \a message where it is Cancelled by the time.
    template<typename T>
    [[nodiscard]] Result<T> judge(Result<T> result, const QString &message) const
    {
        if (result || result.error().code != ErrorCode::Cancelled || !m_over) {
            return result;
        }
        return fail(ErrorCode::TimedOut, message, result.error().detail);
    }

private:
    std::stop_source m_source;
    QTimer m_timer;
    bool m_over = false;
    std::stop_callback<std::function<void()>> m_onStop;
};

struct TimeLimit
{
    std::chrono::milliseconds time;
    QString message; ///< of the error TimedOut
    /// How long a call that was stopped may take to return, before it is left behind.
    std::chrono::milliseconds patience = std::chrono::seconds(10);
};

/// A plain function that starts a coroutine; the coroutine owns what it touches.
template<typename T>
using LimitedCall = std::function<QCoro::Task<Result<T>>(std::stop_token)>;

template<typename T>
struct LimitedAnswer
{
    QPromise<void> promise;
    std::optional<Result<T>> result;
};

template<typename T>
[[nodiscard]] QCoro::Task<void>
answerLimited(LimitedCall<T> call, std::shared_ptr<LimitedAnswer<T>> answer, std::stop_token stop)
{
    QCoro::Task<Result<T>> task = call(stop);
    Result<T> result = co_await task;
    answer->result = std::move(result);
    answer->promise.finish();
}

/// Awaits \a call, but not for ever: it is stopped after the time of the limit (TimedOut) or when
/// \a stop stops (Cancelled). One that does not heed its token is left behind after the patience:
/// it goes on by itself and nobody hears its answer, so it must see to what it still brings about.
template<typename T>
[[nodiscard]] QCoro::Task<Result<T>> withinLimit(LimitedCall<T> call, TimeLimit limit,
                                                 std::stop_token stop)
{
    const Deadline deadline(limit.time, stop);
    const auto answer = std::make_shared<LimitedAnswer<T>>();
    answer->promise.start();
    QTimer patience;
    patience.setSingleShot(true);
    QObject::connect(&patience, &QTimer::timeout, &patience,
                     [&answer] { answer->promise.finish(); });
    const std::stop_callback onStop(deadline.token(),
                                    [&patience, &limit] { patience.start(limit.patience); });
    const QCoro::Task<void> running = answerLimited<T>(std::move(call), answer, deadline.token());
    const QFuture<void> future = answer->promise.future();
    co_await future;
    Result<T> result = fail(cancelledError());
    if (answer->result) {
        result = std::move(*answer->result);
    }
    co_return deadline.judge(std::move(result), limit.message);
}

} // namespace Glovebox
