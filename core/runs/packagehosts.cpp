// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/packagehosts.h"

#include "core/base/terminaltext.h"
#include "core/runs/hostcollector.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(PackageHosts)
};

constexpr qsizetype largestFile = 64LL * 1024 * 1024;

using FileReader = void (*)(const QString &, const QString &, const QByteArray &, HostCollector *);

bool isRequirements(const QString &name, const QString &folder)
{
    return name.endsWith(QLatin1String(".txt")) && (name.contains(QLatin1String("requirements")) ||
                                                    name.startsWith(QLatin1String("constraints")) ||
                                                    folder == QLatin1String("requirements"));
}

/// By name, and by the folder it lies in. Nothing for all other files.
FileReader readerFor(const QString &name, const QString &folder)
{
    static const QHash<QString, FileReader> readers = {
        {QStringLiteral("package-lock.json"), readNodeFile},
        {QStringLiteral("npm-shrinkwrap.json"), readNodeFile},
        {QStringLiteral("package.json"), readNodeFile},
        {QStringLiteral(".npmrc"), readNodeFile},
        {QStringLiteral("yarn.lock"), readNodeFile},
        {QStringLiteral(".yarnrc"), readNodeFile},
        {QStringLiteral(".yarnrc.yml"), readNodeFile},
        {QStringLiteral("pnpm-lock.yaml"), readNodeFile},
        {QStringLiteral("pip.conf"), readPythonFile},
        {QStringLiteral("pip.ini"), readPythonFile},
        {QStringLiteral("pyproject.toml"), readPythonFile},
        {QStringLiteral("poetry.lock"), readPythonFile},
        {QStringLiteral("uv.lock"), readPythonFile},
        {QStringLiteral("Pipfile"), readPythonFile},
        {QStringLiteral("Pipfile.lock"), readPythonFile},
        {QStringLiteral("Cargo.lock"), readCargoFile},
        {QStringLiteral("Cargo.toml"), readCargoFile},
        {QStringLiteral("go.mod"), readGoFile},
        {QStringLiteral("go.sum"), readGoFile},
    };
    if (isRequirements(name, folder)) {
        return readPythonFile;
    }
    const bool isCargoConfig =
        folder == QLatin1String(".cargo") &&
        (name == QLatin1String("config.toml") || name == QLatin1String("config"));
    return isCargoConfig ? readCargoFile : readers.value(name, nullptr);
}

FileReader readerFor(const QByteArray &path)
{
    const QStringList parts = QString::fromUtf8(path).split(QLatin1Char('/'));
    if (parts.contains(QLatin1String("node_modules")) || parts.contains(QLatin1String("vendor"))) {
        return nullptr;
    }
    return readerFor(parts.last(), parts.value(parts.size() - 2));
}

/// A package.json alone means npm, unless another manager's lockfile says otherwise.
void settleNode(HostCollector *hosts)
{
    if (!hosts->isUsed(PackageManager::Yarn) && !hosts->isUsed(PackageManager::Pnpm)) {
        hosts->use(PackageManager::Npm);
    }
}

} // namespace

bool isPackageFile(const QByteArray &path)
{
    return readerFor(path) != nullptr;
}

PackageHosts readPackageHosts(const QList<PackageFile> &files)
{
    PackageHosts result;
    HostCollector hosts(&result);
    bool hasManifest = false;
    for (const PackageFile &file : files) {
        const FileReader reader = readerFor(file.path);
        if (!reader) {
            continue;
        }
        const QString path = displayText(file.path);
        const QString name = QString::fromUtf8(file.path).section(QLatin1Char('/'), -1);
        if (file.bytes.size() > largestFile) {
            hosts.problem(Severity::Warning, QStringLiteral("package-file-too-large"),
                          Tr::tr("%1 is too large to be read for package hosts.").arg(path));
            continue;
        }
        hasManifest = hasManifest || name == QLatin1String("package.json");
        reader(name, path, file.bytes, &hosts);
    }
    if (hasManifest) {
        settleNode(&hosts);
    }
    result.unanswered = hosts.unanswered();
    return result;
}

} // namespace Glovebox
