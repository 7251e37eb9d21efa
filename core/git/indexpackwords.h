// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "core/git/refusal.h"

namespace Glovebox {

/// What a failed `git index-pack --strict` says about the pack, or our own trouble (a full disk).
[[nodiscard]] Result<Refusal> explainIndexPack(const ProcessResult &result);

} // namespace Glovebox
