// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace Glovebox {

/// Whether a full reference name (refs/…) keeps git's rules for names and ours on top: at most 255
/// bytes, no part that begins with a dash (naive commands would take it for an option).
[[nodiscard]] bool isSafeReference(const QByteArray &name);

/// Whether \a id is a full lower-case hexadecimal SHA-1 name.
[[nodiscard]] bool isObjectId(const QByteArray &id);

} // namespace Glovebox
