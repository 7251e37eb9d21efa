// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>

#include <chrono>

namespace Glovebox {

/// Where time comes from, so that tests can run at their own pace. Used on the main thread.
class Clock
{
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual QDateTime now() const = 0;                       ///< UTC
    [[nodiscard]] virtual std::chrono::milliseconds monotonic() const = 0; ///< never goes back
};

class SystemClock final : public Clock
{
public:
    [[nodiscard]] QDateTime now() const override { return QDateTime::currentDateTimeUtc(); }
    [[nodiscard]] std::chrono::milliseconds monotonic() const override
    {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now().time_since_epoch());
    }
};

} // namespace Glovebox
