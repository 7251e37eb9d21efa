// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <qcorotask.h>

#include <stop_token>

namespace Glovebox {

/// Makes the demo repository in a new or empty folder: a small program, its test, a scripted agent
/// and the task files demo, liar, idle, blocked and egress, in one commit. AlreadyExists when the
/// folder holds anything else; a demo that is there already is left as it is.
[[nodiscard]] QCoro::Task<Result<void>> makeDemo(QString folder, std::stop_token stop);

} // namespace Glovebox
