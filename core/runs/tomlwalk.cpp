// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/tomlwalk.h"

namespace Glovebox {

namespace {

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::optional<TomlText> textOf(QString key, const toml::node &node)
{
    const toml::value<std::string> *text = node.as_string();
    if (!text) {
        return std::nullopt;
    }
    return TomlText{std::move(key), toQString(text->get()),
                    static_cast<int>(node.source().begin.line)};
}

} // namespace

std::optional<toml::table> parseToml(const QByteArray &bytes)
{
    try {
        return toml::parse(std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
    } catch (const std::exception &) {
        return std::nullopt;
    }
}

void forEachText(const toml::node &node, const QStringList &keys,
                 const std::function<void(const TomlText &)> &take)
{
    if (const toml::array *list = node.as_array()) {
        for (const toml::node &entry : *list) {
            forEachText(entry, keys, take);
        }
    }
    const toml::table *table = node.as_table();
    if (!table) {
        return;
    }
    for (const auto &[key, value] : *table) {
        const QString name = toQString(key.str());
        const std::optional<TomlText> text =
            keys.contains(name) ? textOf(name, value) : std::nullopt;
        if (text) {
            take(*text);
        } else if (value.is_array() && keys.contains(name)) {
            forEachListedText(value, take);
            forEachText(value, keys, take);
        } else {
            forEachText(value, keys, take);
        }
    }
}

void forEachListedText(const toml::node &node, const std::function<void(const TomlText &)> &take)
{
    if (const std::optional<TomlText> text = textOf({}, node)) {
        take(*text);
    } else if (const toml::array *list = node.as_array()) {
        for (const toml::node &entry : *list) {
            forEachListedText(entry, take);
        }
    } else if (const toml::table *table = node.as_table()) {
        for (const auto &[key, value] : *table) {
            if (value.is_array()) {
                forEachListedText(value, take);
            }
        }
    }
}

} // namespace Glovebox
