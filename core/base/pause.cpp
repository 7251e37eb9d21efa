// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/pause.h"

#include <QPromise>
#include <QTimer>

#include <qcorofuture.h>

namespace Glovebox {

QCoro::Task<Result<void>> pause(std::chrono::milliseconds duration, std::stop_token stop)
{
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    QPromise<void> promise;
    promise.start();
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &timer, [&promise] { promise.finish(); });
    timer.start(duration);
    const std::stop_callback onStop(stop, [&promise, &timer] {
        timer.stop();
        promise.finish();
    });
    const QFuture<void> future = promise.future();
    co_await future;
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    co_return Result<void>();
}

} // namespace Glovebox
