// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace Glovebox {

/// Something in a text that has the shape of a secret.
struct SecretFinding
{
    QString kind; ///< whose token it is, as a name for people
    qsizetype begin = 0;
    qsizetype end = 0;
    bool isCertain = true; ///< a vendor's own shape, its checksum right where it has one
};

/// Finds tokens by the shapes that vendors publish, private keys, passwords in addresses, and
/// values that look random behind a name such as API_KEY. Placeholders are left out. Linear in the
/// length of the text; in the order of their places, none within another.
[[nodiscard]] QList<SecretFinding> findSecretShapes(const QByteArray &text);

} // namespace Glovebox
