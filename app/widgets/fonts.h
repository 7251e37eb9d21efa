// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>

namespace Glovebox {

/// The few text sizes there are, from the system font \a base; never below 11 pixels.
[[nodiscard]] QFont titleFont(const QFont &base);
[[nodiscard]] QFont figureFont(const QFont &base);
[[nodiscard]] QFont strongFont(const QFont &base);
[[nodiscard]] QFont smallFont(const QFont &base);
/// The system's fixed font, a little smaller than the text around it.
[[nodiscard]] QFont codeFont(const QFont &base);

/// A row's height: what is asked for, or more where a bigger font needs it. Pixels.
[[nodiscard]] int rowHeight(const QFont &font, int wanted, int lines = 1);

} // namespace Glovebox
