// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace Glovebox {

/// A fresh identifier: 26 characters of [0-9a-z], random from the system's generator. Used for runs
/// and commands, stored before the thing it names exists.
[[nodiscard]] QString newId();

/// A name of [a-z0-9-], at most \a maximum long, from a title in any script (ICU transliteration).
/// Empty when nothing usable is left.
[[nodiscard]] QString slugOf(const QString &title, int maximum = 64);

} // namespace Glovebox
