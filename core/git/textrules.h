// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

/// Rules on raw bytes of names and messages that a reviewer would otherwise not see.
namespace Glovebox::TextRules {

/// Control characters but TAB, LF and the CR of a CRLF, and characters that reorder text.
[[nodiscard]] bool hasControls(const QByteArray &text);

/// Whether \a text is valid UTF-8; up to \a cutBytes at its end may belong to a cut character.
[[nodiscard]] bool isUtf8(const QByteArray &text, int cutBytes = 0);

/// A name that misleads the eye or a naive command: control bytes, quotes, angle brackets, a
/// leading dash, blanks at an end, invalid UTF-8, invisible or reordering characters.
[[nodiscard]] bool isOddName(const QByteArray &name);

/// A name that Windows, or a common file system, cannot hold or reads differently.
[[nodiscard]] bool isUnportableName(const QByteArray &name);

/// What two names have in common that are one file where case and accents' forms are folded.
[[nodiscard]] QString foldedName(const QByteArray &name);

} // namespace Glovebox::TextRules
