// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPromise>
#include <QThreadPool>

#include <qcorofuture.h>
#include <qcorotask.h>

#include <memory>
#include <optional>

namespace Glovebox {

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
    QThreadPool::globalInstance()->start([shared, work = std::move(work)]() mutable {
        shared->value.emplace(work());
        shared->promise.finish();
    });
    const QFuture<void> future = shared->promise.future();
    co_await future;
    co_return std::move(*shared->value);
}

} // namespace Glovebox
