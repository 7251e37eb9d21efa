// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPromise>
#include <QThreadPool>

#include <qcorofuture.h>
#include <qcorotask.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace Glovebox {

// Qt orders what its threads pass to each other, but a Qt built without ThreadSanitizer does so
// where the sanitizer cannot look. These two tell it, and do nothing in any other build.
#ifdef __SANITIZE_THREAD__
inline void handOver(void *place)
{
    __tsan_release(place);
}
inline void takeOver(void *place)
{
    __tsan_acquire(place);
}
#else
inline void handOver(void *) {}
inline void takeOver(void *) {}
#endif

/// Computes \a work on a pool thread and returns its value on the calling thread. Values in, values
/// out: \a work owns copies of all it touches. It polls its own stop token where it takes long.
template<typename Work>
[[nodiscard]] auto runInPool(Work work) -> QCoro::Task<std::invoke_result_t<Work>>
{
    using Value = std::invoke_result_t<Work>;
    struct Shared
    {
        QPromise<void> promise;
        std::optional<Value> value;
    };
    const auto shared = std::make_shared<Shared>();
    shared->promise.start();
    std::function<void()> job = [shared, work = std::move(work)]() mutable {
        takeOver(QThreadPool::globalInstance());
        shared->value.emplace(work());
        handOver(shared.get());
        shared->promise.finish();
    };
    handOver(QThreadPool::globalInstance());
    QThreadPool::globalInstance()->start(std::move(job));
    const QFuture<void> future = shared->promise.future();
    co_await future;
    takeOver(shared.get());
    co_return std::move(*shared->value);
}

} // namespace Glovebox
