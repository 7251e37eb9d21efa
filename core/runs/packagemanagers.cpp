// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/packagemanagers.h"

#include "core/base/files.h"
#include "core/git/globs.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrl>

#include <re2/re2.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(PackageHosts)
};

HostCollector::Place settingsOf(const QString &manager)
{
    return {Tr::tr("settings of %1 on this machine").arg(manager), 0};
}

/// Modules that \a patterns name, in GOPRIVATE's form: globs of the first parts of a path.
QStringList modulesMatching(const QStringList &modules, const QString &patterns)
{
    QStringList matching;
    for (const QString &pattern : patterns.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const GlobSet glob({pattern});
        const qsizetype parts = pattern.count(QLatin1Char('/')) + 1;
        for (const QString &module : modules) {
            const QString beginning =
                module.section(QLatin1Char('/'), 0, static_cast<int>(parts) - 1);
            if (glob.matches(beginning.toUtf8())) {
                matching += module;
            }
        }
    }
    return matching;
}

bool addModuleHosts(const QStringList &modules, HostCollector *hosts)
{
    bool found = false;
    for (const QString &module : modules) {
        const QString host = module.section(QLatin1Char('/'), 0, 0);
        const HostCollector::Place place{Tr::tr("go.mod: %1, which no proxy serves").arg(module),
                                         0};
        found = hosts->add(QStringLiteral("https://") + host, place) || found;
    }
    return found;
}

/// "HOST", "HOST+KEY" or "HOST+KEY https://ADDRESS"; "off" is none.
void addChecksumDatabase(const QString &setting, HostCollector *hosts)
{
    const QString address = setting.section(QLatin1Char(' '), 1, 1);
    const QString name = setting.section(QLatin1Char(' '), 0, 0).section(QLatin1Char('+'), 0, 0);
    if (!address.isEmpty()) {
        hosts->add(address, settingsOf(QStringLiteral("go")));
    } else if (name.contains(QLatin1Char('.'))) {
        hosts->add(QStringLiteral("https://") + name, settingsOf(QStringLiteral("go")));
    }
}

/// Whether a registry that cargo keeps under this host is the one a lockfile calls \a index: the
/// same host, or the registry's name in the address is the end of the host's.
bool isIndexOf(const QString &folderHost, const QString &index)
{
    const QUrl url(index.section(QLatin1Char('+'), 1), QUrl::StrictMode);
    QString name = url.path().section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty);
    name.remove(QLatin1String("-index"));
    const bool isNamed = name.contains(QLatin1Char('.')) && folderHost.endsWith(name);
    return folderHost == url.host() || isNamed;
}

} // namespace

bool readNpmConfiguration(const QByteArray &output, HostCollector *hosts)
{
    const QJsonObject settings = QJsonDocument::fromJson(output).object();
    bool found = false;
    for (auto it = settings.constBegin(); it != settings.constEnd(); ++it) {
        const bool isDefault = it.key() == QLatin1String("registry");
        if (isDefault || it.key().endsWith(QLatin1String(":registry"))) {
            const bool added = hosts->add(it.value().toString(), settingsOf(QStringLiteral("npm")));
            found = found || (added && isDefault);
        }
    }
    return found;
}

bool readBareAddress(const QByteArray &output, const QString &manager, HostCollector *hosts)
{
    return hosts->add(QString::fromUtf8(output.trimmed()), settingsOf(manager));
}

bool readPipConfigList(const QByteArray &output, HostCollector *hosts)
{
    static const RE2 setting("^\\S*\\.(index-url|extra-index-url|find-links)='([^']*)'");
    bool found = false;
    for (const QByteArray &line : output.split('\n')) {
        std::string key;
        std::string value;
        if (!RE2::PartialMatch(line.toStdString(), setting, &key, &value)) {
            continue;
        }
        // Several addresses stand in one value, parted by an escaped line end.
        const QString addresses =
            QString::fromStdString(value).replace(QLatin1String("\\n"), QLatin1String(" "));
        for (const QString &address : addresses.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            const bool added = hosts->add(address, settingsOf(QStringLiteral("pip")));
            found = found || (added && key == "index-url");
        }
    }
    return found;
}

bool readPipHelp(const QByteArray &output, HostCollector *hosts)
{
    static const RE2 index("--index-url <url>[^(]{0,200}\\(default:?\\s+([a-z]+://[^\\s)]+)");
    std::string address;
    if (!RE2::PartialMatch(output.toStdString(), index, &address)) {
        return false;
    }
    return hosts->add(QString::fromStdString(address), settingsOf(QStringLiteral("pip")));
}

bool readGoEnvironment(const QByteArray &output, HostCollector *hosts)
{
    const QStringList lines = QString::fromUtf8(output).split(QLatin1Char('\n'));
    const QStringList modules = hosts->result().goModules;
    bool found = false;
    bool isDirect = false;
    const QString proxies = QString(lines.value(0)).replace(QLatin1Char('|'), QLatin1Char(','));
    for (const QString &proxy : proxies.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        isDirect = isDirect || proxy == QLatin1String("direct");
        found = hosts->add(proxy, settingsOf(QStringLiteral("go"))) || found;
    }
    if (!found && isDirect) {
        found = addModuleHosts(modules, hosts);
    }
    addChecksumDatabase(lines.value(1).trimmed(), hosts);
    // GONOPROXY's default is GOPRIVATE.
    const QString unproxied = lines.value(3).isEmpty() ? lines.value(2) : lines.value(3);
    return addModuleHosts(modulesMatching(modules, unproxied.trimmed()), hosts) || found;
}

bool readCargoHome(const QString &cargoHome, HostCollector *hosts)
{
    constexpr qint64 largestFile = 64LL * 1024;
    const QDir folder(cargoHome + QStringLiteral("/registry/index"));
    const QStringList indexes = hosts->result().cargoIndexes;
    bool found = false;
    for (const QString &name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QString host = name.section(QLatin1Char('-'), 0, -2);
        const bool isWanted =
            std::any_of(indexes.cbegin(), indexes.cend(),
                        [&](const QString &index) { return isIndexOf(host, index); });
        const Result<QByteArray> bytes =
            readFile(folder.filePath(name) + QStringLiteral("/config.json"), largestFile);
        if (!isWanted || !bytes) {
            continue;
        }
        const QJsonObject settings = QJsonDocument::fromJson(*bytes).object();
        // What stands in braces is filled in for each crate.
        const QString downloads =
            settings.value(QLatin1String("dl")).toString().section(QLatin1Char('{'), 0, 0);
        const HostCollector::Place place = settingsOf(QStringLiteral("cargo"));
        found = hosts->add(downloads, place) || found;
        hosts->add(QStringLiteral("https://") + host, place);
    }
    return found;
}

} // namespace Glovebox
