// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/phase.h"

namespace Glovebox::Testing {

/// The phases of a run that nothing ends before its time.
inline const QList<RunPhase> wholeWay{RunPhase::Packing,  RunPhase::Creating,  RunPhase::Proving,
                                      RunPhase::Seeding,  RunPhase::Working,   RunPhase::Sealing,
                                      RunPhase::Checking, RunPhase::Importing, RunPhase::Releasing};

inline QList<RunPhase> until(RunPhase last, const QList<RunPhase> &more)
{
    return wholeWay.mid(0, wholeWay.indexOf(last) + 1) + more;
}

} // namespace Glovebox::Testing
