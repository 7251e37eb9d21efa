// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/runplan.h"

namespace Glovebox {

/// The audit of a run that is over, row by row as it was shown before its start: from the plan's
/// JSON in the database (keys as toJson() writes them) and the task text in the run's folder.
/// Nothing where the plan can't be read.
[[nodiscard]] QList<PlanRow> recordedPlanRows(const QByteArray &planJson,
                                              const QByteArray &taskText);

} // namespace Glovebox
