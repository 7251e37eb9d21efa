// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/transcript.h"

namespace Glovebox {

/// What a run left behind besides its rows in the database.
struct KeptRun
{
    QList<AgentEvent> events; ///< in the order of the agent's output, one for each row
    int left = 0;             ///< events above the cap; the log has them
    QString blockedText;      ///< BLOCKED.md of the branch, cut at 64 KiB
};

/// Where it is to be read from.
struct KeptPlaces
{
    QString folder; ///< of the run
    Agent agent;    ///< who wrote the transcript; without an id its output is read as plain text
    QString gitFolder;
    QString tip; ///< empty = nothing came back
};

/// Reads it: the transcript as it was redacted when it was written, through the same parser as
/// while the run worked; at most 20,000 events and 64 Mi characters. What is missing is left out:
/// a run may have ended before it wrote anything. Blocking: through runInPool.
[[nodiscard]] KeptRun readKeptRun(const KeptPlaces &places);

} // namespace Glovebox
