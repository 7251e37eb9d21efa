// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/hostcollector.h"
#include "core/runs/yamlscalars.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <re2/re2.h>

// package-lock.json, versions 1 ("dependencies" within "dependencies") and 2, 3 ("packages"):
//   {"packages": {"node_modules/a": {"version": "1.0.0", "resolved": "https://HOST/a-1.0.0.tgz"}}}
// yarn.lock, version 1:                       later versions:
//   a@^1.0.0:                                 "a@npm:^1.0.0":
//     resolved "https://HOST/a.tgz#…"           resolution: "a@https://HOST/a.tgz"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(PackageHosts)
};

/// All packages of a lockfile, whatever its version nests.
class LockReader final
{
public:
    LockReader(const QString &path, const QByteArray &bytes, HostCollector *hosts)
        : m_path(path)
        , m_bytes(bytes)
        , m_hosts(hosts)
    {
    }

    void read(const QJsonObject &lock)
    {
        const QJsonObject packages = lock.value(QLatin1String("packages")).toObject();
        for (auto it = packages.constBegin(); it != packages.constEnd(); ++it) {
            if (!it.key().isEmpty()) {
                readPackage(it.value().toObject());
            }
        }
        if (packages.isEmpty()) {
            readDependencies(lock.value(QLatin1String("dependencies")).toObject());
        }
    }

    /// Whether a package has no address of its own.
    [[nodiscard]] bool needsRegistry() const { return m_needsRegistry; }

private:
    void readDependencies(const QJsonObject &dependencies)
    {
        // QJsonDocument refuses more than 1024 levels, so this ends.
        for (const QJsonValue value : dependencies) {
            const QJsonObject dependency = value.toObject();
            readPackage(dependency);
            readDependencies(dependency.value(QLatin1String("dependencies")).toObject());
        }
    }

    void readPackage(const QJsonObject &package)
    {
        const QString address = package.value(QLatin1String("resolved")).toString();
        const bool isLocal =
            package.value(QLatin1String("link")).toBool() ||
            package.value(QLatin1String("inBundle")).toBool() ||
            package.value(QLatin1String("bundled")).toBool() ||
            !package.contains(QLatin1String("version")) ||
            package.value(QLatin1String("version")).toString().startsWith(QLatin1String("file:"));
        if (address.isEmpty()) {
            m_needsRegistry = m_needsRegistry || !isLocal;
            return;
        }
        m_hosts->addAt(address, m_path, m_bytes);
    }

    QString m_path;
    const QByteArray &m_bytes;
    HostCollector *m_hosts;
    bool m_needsRegistry = false;
};

void readPackageLock(const QString &path, const QByteArray &bytes, HostCollector *hosts)
{
    const QJsonDocument document = QJsonDocument::fromJson(bytes);
    hosts->use(PackageManager::Npm);
    if (!document.isObject()) {
        hosts->problem(
            Severity::Warning, QStringLiteral("package-file-unreadable"),
            Tr::tr("%1 is no valid JSON, so its package hosts are not known.").arg(path));
        return;
    }
    LockReader reader(path, bytes, hosts);
    reader.read(document.object());
    if (!reader.needsRegistry()) {
        hosts->answer(PackageManager::Npm);
    }
}

/// "registry=URL", "@scope:registry = URL"; the same without "=" in .yarnrc.
void readIniRegistries(const QString &path, const QByteArray &bytes,
                       const QList<PackageManager> &readers, HostCollector *hosts)
{
    static const RE2 pattern("^\\s*\"?(@[^:\\s]+:)?registry\"?\\s*(?:=|\\s)\\s*[\"']?([^\"'\\s]+)");
    int line = 0;
    for (const QByteArray &text : bytes.split('\n')) {
        ++line;
        std::string scope;
        std::string address;
        if (!RE2::PartialMatch(text.toStdString(), pattern, &scope, &address)) {
            continue;
        }
        if (hosts->add(QString::fromStdString(address), {path, line}) && scope.empty()) {
            for (const PackageManager reader : readers) {
                hosts->answer(reader);
            }
        }
    }
}

void readYarnLock(const QString &path, const QByteArray &bytes, HostCollector *hosts)
{
    static const RE2 resolved("^\\s+\"?resolved\"?:?\\s+\"?([^\"\\s]+)");
    static const RE2 resolution(
        "^\\s+resolution:\\s+\"?[^\"\\s]*?@((?:git\\+)?https?://[^\"\\s]+)");
    hosts->use(PackageManager::Yarn);
    int line = 0;
    bool isFirstVersion = false;
    for (const QByteArray &text : bytes.split('\n')) {
        ++line;
        std::string address;
        if (RE2::PartialMatch(text.toStdString(), resolved, &address)) {
            isFirstVersion =
                hosts->add(QString::fromStdString(address), {path, line}) || isFirstVersion;
        } else if (RE2::PartialMatch(text.toStdString(), resolution, &address)) {
            // Later versions write no address for what comes from the registry.
            hosts->add(QString::fromStdString(address), {path, line});
        }
    }
    if (isFirstVersion) {
        hosts->answer(PackageManager::Yarn);
    }
}

void readYamlAddresses(const QString &path, const QByteArray &bytes, const QStringList &keys,
                       const std::function<void(const YamlScalar &)> &take, HostCollector *hosts)
{
    const std::optional<QList<YamlScalar>> scalars = yamlScalars(bytes, keys);
    if (!scalars) {
        hosts->problem(
            Severity::Warning, QStringLiteral("package-file-unreadable"),
            Tr::tr("%1 is no valid YAML, so its package hosts are not known.").arg(path));
        return;
    }
    for (const YamlScalar &scalar : *scalars) {
        take(scalar);
    }
}

void readPnpmLock(const QString &path, const QByteArray &bytes, HostCollector *hosts)
{
    hosts->use(PackageManager::Pnpm);
    readYamlAddresses(
        path, bytes,
        {QStringLiteral("tarball"), QStringLiteral("registry"), QStringLiteral("repo")},
        [&](const YamlScalar &scalar) {
            const bool isHost = hosts->add(scalar.value, {path, scalar.line});
            if (isHost && scalar.key == QLatin1String("registry")) {
                hosts->answer(PackageManager::Pnpm);
            }
        },
        hosts);
}

void readYarnConfiguration(const QString &path, const QByteArray &bytes, HostCollector *hosts)
{
    readYamlAddresses(
        path, bytes, {QStringLiteral("npmRegistryServer")},
        [&](const YamlScalar &scalar) {
            // One of a scope stands deeper; the default stands at the top.
            if (hosts->add(scalar.value, {path, scalar.line}) && scalar.depth == 1) {
                hosts->answer(PackageManager::Yarn);
            }
        },
        hosts);
}

} // namespace

void readNodeFile(const QString &name, const QString &path, const QByteArray &bytes,
                  HostCollector *hosts)
{
    if (name == QLatin1String("yarn.lock")) {
        readYarnLock(path, bytes, hosts);
    } else if (name == QLatin1String("pnpm-lock.yaml")) {
        readPnpmLock(path, bytes, hosts);
    } else if (name == QLatin1String(".yarnrc.yml")) {
        readYarnConfiguration(path, bytes, hosts);
    } else if (name == QLatin1String(".yarnrc")) {
        readIniRegistries(path, bytes, {PackageManager::Yarn}, hosts);
    } else if (name == QLatin1String(".npmrc")) {
        readIniRegistries(path, bytes,
                          {PackageManager::Npm, PackageManager::Pnpm, PackageManager::Yarn}, hosts);
    } else if (name != QLatin1String("package.json")) {
        readPackageLock(path, bytes, hosts);
    }
}

} // namespace Glovebox
