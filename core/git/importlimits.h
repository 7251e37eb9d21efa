// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace Glovebox {

/// How much of everything a returned bundle may hold; adjustable upwards by the user.
struct ImportLimits
{
    qint64 bundleBytes = 256LL << 20;
    qint64 headerBytes = 64 << 10;
    int references = 64;
    int prerequisites = 64;
    qint64 objects = 1'000'000;
    qint64 objectBytes = 64LL << 20;
    qint64 inflatedBytes = 1LL << 30;
    int newPaths = 200'000; ///< paths that are not in the base
    int depth = 256;
    int deltaChain = 1000;
};

} // namespace Glovebox
