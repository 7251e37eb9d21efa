// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

#include <toml++/toml.h>

namespace Glovebox {

/// A hostile TOML file, or nothing when it is none. toml++ throws; nothing goes beyond here, and it
/// nests no deeper than its own limit.
[[nodiscard]] std::optional<toml::table> parseToml(const QByteArray &bytes);

struct TomlText
{
    QString key;
    QString value;
    int line = 0;
};

/// Calls \a take for each text below \a node that has one of \a keys as its key.
void forEachText(const toml::node &node, const QStringList &keys,
                 const std::function<void(const TomlText &)> &take);
/// All texts of a list, and of the lists and tables in it, with an empty key.
void forEachListedText(const toml::node &node, const std::function<void(const TomlText &)> &take);

} // namespace Glovebox
