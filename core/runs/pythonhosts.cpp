// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/hostcollector.h"
#include "core/runs/tomlwalk.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <re2/re2.h>

// requirements.txt:  --index-url https://HOST/simple      pip.conf:  [global]
//                    name @ https://HOST/a.whl                       index-url =
//                    https://HOST/simple
// poetry.lock:  [[package]]                               uv.lock:   [[package]]
//               [package.source]                                     source = { registry = "…" }
//               url = "https://HOST/simple"                          sdist = { url = "https://…" }

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(PackageHosts)
};

void tellUnreadable(const QString &path, HostCollector *hosts)
{
    hosts->problem(Severity::Warning, QStringLiteral("package-file-unreadable"),
                   Tr::tr("%1 could not be read, so its package hosts are not known.").arg(path));
}

void readRequirements(const QString &path, const QByteArray &bytes, HostCollector *hosts)
{
    static const RE2 index("^\\s*(?:-i|--index-url)(?:\\s+|\\s*=\\s*)[\"']?([^\"'\\s]+)");
    static const RE2 more(
        "^\\s*(?:--extra-index-url|-f|--find-links)(?:\\s+|\\s*=\\s*)[\"']?([^\"'\\s]+)");
    static const RE2 address(
        "^\\s*(?:(?:-e|--editable)[\\s=]+)?(?:[A-Za-z0-9._\\[\\],-]+\\s*@\\s*)?"
        "((?:(?:git|hg|svn|bzr)\\+)?[a-z]+://[^\\s;]+)");
    hosts->use(PackageManager::Pip);
    int line = 0;
    for (const QByteArray &raw : bytes.split('\n')) {
        ++line;
        const std::string text = raw.toStdString();
        std::string found;
        if (RE2::PartialMatch(text, index, &found)) {
            if (hosts->add(QString::fromStdString(found), {path, line})) {
                hosts->answer(PackageManager::Pip);
            }
        } else if (RE2::PartialMatch(text, more, &found) ||
                   RE2::PartialMatch(text, address, &found)) {
            hosts->add(QString::fromStdString(found), {path, line});
        }
    }
}

/// An INI file; a value may go on in lines that begin with a blank.
void readPipConfiguration(const QString &path, const QByteArray &bytes, HostCollector *hosts)
{
    static const RE2 setting("^([A-Za-z][A-Za-z_-]*)\\s*[=:]\\s*(.*)$");
    std::string key;
    int line = 0;
    for (const QByteArray &raw : bytes.split('\n')) {
        ++line;
        std::string value = raw.trimmed().toStdString();
        const bool goesOn = !raw.isEmpty() && (raw.front() == ' ' || raw.front() == '\t');
        if (!goesOn) {
            key.clear();
            RE2::FullMatch(raw.trimmed().toStdString(), setting, &key, &value);
        }
        const QString name =
            QString::fromStdString(key).replace(QLatin1Char('_'), QLatin1Char('-'));
        const bool isIndex = name == QLatin1String("index-url");
        if (!isIndex && name != QLatin1String("extra-index-url") &&
            name != QLatin1String("find-links")) {
            continue;
        }
        for (const QString &address :
             QString::fromStdString(value).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            if (hosts->add(address, {path, line}) && isIndex) {
                hosts->answer(PackageManager::Pip);
            }
        }
    }
}

void readPipfileLock(const QString &path, const QByteArray &bytes, HostCollector *hosts)
{
    const QJsonDocument document = QJsonDocument::fromJson(bytes);
    hosts->use(PackageManager::Pip);
    if (!document.isObject()) {
        tellUnreadable(path, hosts);
        return;
    }
    const QJsonObject meta = document.object().value(QLatin1String("_meta")).toObject();
    for (const QJsonValue source : meta.value(QLatin1String("sources")).toArray()) {
        const QString address = source.toObject().value(QLatin1String("url")).toString();
        if (hosts->addAt(address, path, bytes)) {
            hosts->answer(PackageManager::Pip);
        }
    }
    for (const QString &group : {QStringLiteral("default"), QStringLiteral("develop")}) {
        for (const QJsonValue package : document.object().value(group).toObject()) {
            for (const char *key : {"file", "git"}) {
                const QString address = package.toObject().value(QLatin1String(key)).toString();
                hosts->addAt(address, path, bytes);
            }
        }
    }
}

/// The texts of \a keys below a part of the file, each an address.
void addBelow(const toml::node_view<const toml::node> &part, const QStringList &keys,
              const QString &path, HostCollector *hosts)
{
    if (!part) {
        return;
    }
    forEachText(*part.node(), keys, [&](const TomlText &text) {
        const bool isIndex =
            text.key == QLatin1String("registry") || text.key == QLatin1String("index-url");
        if (hosts->add(text.value, {path, text.line}) && isIndex) {
            hosts->answer(PackageManager::Pip);
        }
    });
}

/// [[tool.poetry.source]], [[tool.uv.index]], [[source]]: tables with a name and a url. A further
/// one that is only supplemental does not replace the usual index.
void addSources(const toml::node_view<const toml::node> &sources, const QString &path,
                HostCollector *hosts)
{
    const toml::array *list = sources.as_array();
    if (!list) {
        return;
    }
    for (const toml::node &entry : *list) {
        const toml::table *source = entry.as_table();
        const toml::node *url = source ? source->get("url") : nullptr;
        if (!url || !url->is_string()) {
            continue;
        }
        const QString address = QString::fromStdString(url->as_string()->get());
        const bool isExtra = (*source)["priority"].value_or(std::string()) == "supplemental" ||
                             (*source)["priority"].value_or(std::string()) == "explicit" ||
                             (*source)["explicit"].value_or(false);
        const int line = static_cast<int>(url->source().begin.line);
        if (hosts->add(address, {path, line}) && !isExtra) {
            hosts->answer(PackageManager::Pip);
        }
    }
}

void readPyproject(const toml::table &file, const QString &path, HostCollector *hosts)
{
    const toml::node_view<const toml::node> root(file);
    const auto tool = root["tool"];
    const bool isPython =
        root["project"] || root["build-system"] || tool["poetry"] || tool["uv"] || tool["pdm"];
    if (!isPython) {
        return; // settings of a linter, perhaps
    }
    hosts->use(PackageManager::Pip);
    addSources(tool["poetry"]["source"], path, hosts);
    addSources(tool["uv"]["index"], path, hosts);
    addSources(tool["pdm"]["source"], path, hosts);
    addBelow(tool["uv"],
             {QStringLiteral("index-url"), QStringLiteral("extra-index-url"),
              QStringLiteral("find-links"), QStringLiteral("git")},
             path, hosts);
    addBelow(tool["uv"]["sources"], {QStringLiteral("url")}, path, hosts);
    for (const char *part : {"dependencies", "dev-dependencies", "group"}) {
        addBelow(tool["poetry"][part], {QStringLiteral("git"), QStringLiteral("url")}, path, hosts);
    }
    static const RE2 direct("@\\s*([a-z+]+://[^\\s;]+)");
    const auto addDirect = [&](const TomlText &text) {
        std::string address;
        if (RE2::PartialMatch(text.value.toStdString(), direct, &address)) {
            hosts->add(QString::fromStdString(address), {path, text.line});
        }
    };
    for (const auto &list :
         {root["project"]["dependencies"], root["project"]["optional-dependencies"],
          root["dependency-groups"], root["build-system"]["requires"]}) {
        if (list) {
            forEachListedText(*list.node(), addDirect);
        }
    }
}

void readPythonToml(const QString &name, const QString &path, const QByteArray &bytes,
                    HostCollector *hosts)
{
    const std::optional<toml::table> file = parseToml(bytes);
    if (!file) {
        hosts->use(PackageManager::Pip);
        tellUnreadable(path, hosts);
        return;
    }
    const toml::node_view<const toml::node> root(*file);
    if (name == QLatin1String("pyproject.toml")) {
        readPyproject(*file, path, hosts);
        return;
    }
    hosts->use(PackageManager::Pip);
    if (name == QLatin1String("Pipfile")) {
        addSources(root["source"], path, hosts);
        addBelow(root["packages"], {QStringLiteral("git"), QStringLiteral("file")}, path, hosts);
        return;
    }
    addBelow(root["package"],
             {QStringLiteral("registry"), QStringLiteral("url"), QStringLiteral("git")}, path,
             hosts);
}

} // namespace

void readPythonFile(const QString &name, const QString &path, const QByteArray &bytes,
                    HostCollector *hosts)
{
    if (name == QLatin1String("pip.conf") || name == QLatin1String("pip.ini")) {
        readPipConfiguration(path, bytes, hosts);
    } else if (name == QLatin1String("Pipfile.lock")) {
        readPipfileLock(path, bytes, hosts);
    } else if (name.endsWith(QLatin1String(".txt"))) {
        readRequirements(path, bytes, hosts);
    } else {
        readPythonToml(name, path, bytes, hosts);
    }
}

} // namespace Glovebox
