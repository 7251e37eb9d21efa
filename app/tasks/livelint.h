// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/tasks/taskpage.h"
#include "core/runs/planner.h"

namespace Glovebox {

/// What `lint` says of a text that is being edited: the same rules with the same facts. Where the
/// repository or its base cannot be read, the text's own problems and the reason, as an error.
/// \a parts as the planner has them; what they point to outlives every lint.
[[nodiscard]] TaskPage::Linter liveLinter(PlannerParts parts);

} // namespace Glovebox
