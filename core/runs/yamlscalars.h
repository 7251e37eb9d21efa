// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace Glovebox {

struct YamlScalar
{
    QString key;
    QString value;
    int line = 0;  ///< from 1
    int depth = 0; ///< 1 = at the top of the document
};

/// The values of these keys, wherever they stand in a hostile YAML file, in order. Nothing when it
/// is none, or nests deeper than 64. Aliases are not followed.
[[nodiscard]] std::optional<QList<YamlScalar>> yamlScalars(const QByteArray &bytes,
                                                           const QStringList &keys);

} // namespace Glovebox
