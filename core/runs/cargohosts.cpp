// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/hostcollector.h"
#include "core/runs/tomlwalk.h"

#include <QCoreApplication>

// Cargo.lock:  [[package]]
//              source = "registry+https://HOST/index"     or "sparse+https://…", "git+https://…#…"
// .cargo/config.toml:  [registries.NAME]                 [source.NAME]
//                      index = "sparse+https://HOST/"     registry = "…", replace-with = "OTHER"
//
// "registry+URL" is cargo's name for a registry, not always where it fetches from: its default one
// has moved. So such a source is asked of cargo, unless .cargo/config.toml describes it.

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(PackageHosts)
};

constexpr int mostIndexes = 16;

void readLock(const toml::table &file, const QString &path, HostCollector *hosts)
{
    hosts->use(PackageManager::Cargo);
    bool needsRegistry = false;
    const auto packages = toml::node_view<const toml::node>(file)["package"];
    if (packages) {
        forEachText(*packages.node(), {QStringLiteral("source")}, [&](const TomlText &text) {
            if (!text.value.startsWith(QLatin1String("registry+"))) {
                hosts->add(text.value, {path, text.line});
                return;
            }
            needsRegistry = true;
            QStringList &indexes = hosts->result().cargoIndexes;
            if (!indexes.contains(text.value) && indexes.size() < mostIndexes) {
                indexes += text.value;
            }
        });
    }
    if (!needsRegistry) {
        hosts->answer(PackageManager::Cargo);
    }
}

void readConfiguration(const toml::table &file, const QString &path, HostCollector *hosts)
{
    const toml::node_view<const toml::node> root(file);
    const auto addBelow = [&](const char *part, const QStringList &keys) {
        bool found = false;
        if (root[part]) {
            forEachText(*root[part].node(), keys, [&](const TomlText &text) {
                found = hosts->add(text.value, {path, text.line}) || found;
            });
        }
        return found;
    };
    addBelow("registries", {QStringLiteral("index")});
    addBelow("source", {QStringLiteral("registry"), QStringLiteral("git")});
    // What is replaced, by another address or a folder, is not fetched from where it was.
    const toml::table *sources = root["source"].as_table();
    bool replaces = false;
    for (const auto &[name, source] : sources ? *sources : toml::table()) {
        replaces = replaces || toml::node_view<const toml::node>(source)["replace-with"];
    }
    if (replaces) {
        hosts->answer(PackageManager::Cargo);
    }
}

void readManifest(const toml::table &file, const QString &path, HostCollector *hosts)
{
    hosts->use(PackageManager::Cargo);
    for (const auto &[key, part] : file) {
        // Not [package], whose "repository" and its kind are for readers.
        if (key.str() != "package") {
            forEachText(part, {QStringLiteral("git"), QStringLiteral("registry-index")},
                        [&](const TomlText &text) {
                            hosts->add(text.value, {path, text.line});
                        });
        }
    }
}

} // namespace

void readCargoFile(const QString &name, const QString &path, const QByteArray &bytes,
                   HostCollector *hosts)
{
    const std::optional<toml::table> file = parseToml(bytes);
    if (!file) {
        hosts->problem(
            Severity::Warning, QStringLiteral("package-file-unreadable"),
            Tr::tr("%1 is no valid TOML, so its package hosts are not known.").arg(path));
        return;
    }
    if (name == QLatin1String("Cargo.lock")) {
        readLock(*file, path, hosts);
    } else if (name == QLatin1String("Cargo.toml")) {
        readManifest(*file, path, hosts);
    } else {
        readConfiguration(*file, path, hosts);
    }
}

} // namespace Glovebox
