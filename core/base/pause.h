// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <qcorotask.h>

#include <chrono>
#include <stop_token>

namespace Glovebox {

/// Waits. Cancelled when the token stops; nothing else can go wrong. Main thread only.
[[nodiscard]] QCoro::Task<Result<void>> pause(std::chrono::milliseconds duration,
                                              std::stop_token stop);

} // namespace Glovebox
