// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace Glovebox {

/// Keeps keys in this process's memory from core dumps, its children's too, and from other programs
/// of the same user. First thing in main(). Does nothing where the system has no such switch.
void keepMemoryPrivate();

} // namespace Glovebox
