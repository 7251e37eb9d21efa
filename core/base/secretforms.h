// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

namespace Glovebox {

/// Every text in which \a value (at least 8 bytes) may stand in a stream, each once: see
/// SecretForms. The answer is as secret as the value: keep it no longer than needed.
[[nodiscard]] QList<QByteArray> formsOf(const QByteArray &value);

} // namespace Glovebox
