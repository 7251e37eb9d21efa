// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/git/importlimits.h"
#include "core/git/refusal.h"

#include <QIODevice>

#include <chrono>
#include <stop_token>

namespace Glovebox {

struct PackFacts
{
    qint64 objects = 0;
    qint64 deltas = 0;
    qint64 inflatedBytes = 0; ///< of all objects, deltas counted with what they expand to
};

/// How long and how far a walk may go, whatever the pack says.
struct PackBudget
{
    ImportLimits limits;
    std::chrono::milliseconds time{std::chrono::seconds(60)};
};

/// Walks a pack from the start of \a pack to its end with nothing but zlib, in constant memory:
/// number of objects, true size = declared size of each, the instructions of each delta (their
/// result, too, counts against the limits), sum of sizes, nothing after the trailer. Resolves
/// nothing and hashes nothing: that is index-pack's work, which sees the file only afterwards.
/// Errors are ours (unreadable file, stopped); blocking, any thread.
[[nodiscard]] Result<Checked<PackFacts>> walkPack(QIODevice &pack, const PackBudget &budget,
                                                  std::stop_token stop);

} // namespace Glovebox
