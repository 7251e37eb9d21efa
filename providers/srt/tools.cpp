// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/tools.h"

#include "core/base/files.h"
#include "core/base/process.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtTools)
};

constexpr qint64 largestManifest = 1024LL * 1024;
const QString package = QStringLiteral("node_modules/@anthropic-ai/sandbox-runtime");

QString versionOf(const QString &packageFolder)
{
    const Result<QByteArray> manifest =
        readFile(packageFolder + QStringLiteral("/package.json"), largestManifest);
    return manifest ? QJsonDocument::fromJson(*manifest)
                          .object()
                          .value(QStringLiteral("version"))
                          .toString()
                    : QString();
}

/// The package that holds a cli.js, and the folder that holds node_modules.
std::optional<Tools> toolsAround(const QString &script, const QString &node)
{
    const QFileInfo file(script);
    const QString packageFolder = QDir::cleanPath(file.absolutePath() + QStringLiteral("/.."));
    const QString version = versionOf(packageFolder);
    if (!file.isFile() || version.isEmpty() || node.isEmpty()) {
        return std::nullopt;
    }
    return Tools{node, file.canonicalFilePath(),
                 QDir::cleanPath(packageFolder + QStringLiteral("/../../..")), version};
}

std::optional<Tools> toolsIn(const QString &folder)
{
    const QString root = QFileInfo(folder).canonicalFilePath();
    if (root.isEmpty()) {
        return std::nullopt;
    }
    QString node =
        QFileInfo(root + QStringLiteral("/node_modules/node/bin/node")).canonicalFilePath();
    if (node.isEmpty()) {
        node = findProgram(QStringLiteral("node")).value_or(QString());
    }
    return toolsAround(root + QLatin1Char('/') + package + QStringLiteral("/dist/cli.js"), node);
}

std::optional<Tools> toolsOnPath()
{
    const std::optional<QString> srt = findProgram(QStringLiteral("srt"));
    const std::optional<QString> node = findProgram(QStringLiteral("node"));
    return srt && node ? toolsAround(QFileInfo(*srt).canonicalFilePath(), *node) : std::nullopt;
}

Error blockedNamespaces(const QByteArray &standardError)
{
    return {
        ErrorCode::NotSupported,
        Tr::tr("This system does not let programs make the namespaces a sandbox is built of. On "
               "Ubuntu 24.04 and newer, give bwrap an AppArmor profile with “userns” (package "
               "apparmor-profiles, profile bwrap-userns-restrict); elsewhere allow user "
               "namespaces (sysctl kernel.unprivileged_userns_clone=1), or in a container run "
               "it with them allowed."),
        QString::fromUtf8(standardError.left(2000))};
}

Readiness present(const QString &what, const std::optional<QString> &found, const QString &hint)
{
    if (found) {
        return {what, Readiness::State::Ok, *found, {}};
    }
    return {what, Readiness::State::Missing, {}, hint};
}

Readiness checkSrt(const Result<Tools> &tools)
{
    const QString what = QStringLiteral("srt");
    if (!tools) {
        return {what, Readiness::State::Missing, {}, tools.error().message};
    }
    if (tools->version != expectedVersion()) {
        return {
            what, Readiness::State::Failing, tools->version,
            Tr::tr("srt %1 is installed, but Glovebox is made for %2: run installers/bootstrap, "
                   "or npm install @anthropic-ai/sandbox-runtime@%2.")
                .arg(tools->version, expectedVersion())};
    }
    return {what, Readiness::State::Ok, tools->version, {}};
}

} // namespace

QString expectedVersion()
{
    return QStringLiteral("0.0.83");
}

Result<Tools> findTools(const QString &folder)
{
    QStringList folders{folder};
    if (folder.isEmpty()) {
        folders = {qEnvironmentVariable("GLOVEBOX_TOOLS_DIR"),
                   QCoreApplication::applicationDirPath() +
                       QStringLiteral("/../libexec/glovebox/tools")};
    }
    for (const QString &candidate : folders) {
        if (const std::optional<Tools> tools = toolsIn(candidate)) {
            return *tools;
        }
    }
    if (folder.isEmpty()) {
        if (const std::optional<Tools> tools = toolsOnPath()) {
            return *tools;
        }
    }
    return fail(ErrorCode::NotInstalled,
                Tr::tr("The Claude Code sandbox runtime (srt %1) is not installed: run "
                       "installers/bootstrap, or npm install @anthropic-ai/sandbox-runtime@%1 and "
                       "put its srt on the PATH.")
                    .arg(expectedVersion()));
}

QString pathInside(const Tools &tools, const QStringList &programFolders)
{
    QStringList folders{QFileInfo(tools.node).absolutePath()};
    folders += programFolders;
    for (const char *system : {"/usr/local/bin", "/usr/bin", "/bin"}) {
        folders.append(QLatin1String(system));
    }
    for (const char *helper : {"bwrap", "socat", "rg", "bash", "git"}) {
        if (const std::optional<QString> found = findProgram(QLatin1String(helper))) {
            folders.append(QFileInfo(*found).absolutePath());
        }
    }
    folders.removeDuplicates();
    return folders.join(QLatin1Char(':'));
}

Error explainFailure(const QByteArray &standardError)
{
    const QString detail = QString::fromUtf8(standardError.left(2000));
    if (standardError.contains("Sandbox dependencies not available") ||
        standardError.contains("not found in PATH")) {
        return {
            ErrorCode::NotInstalled,
            Tr::tr("srt misses a program it needs (bubblewrap, socat, ripgrep or bash): install "
                   "it with the system's package manager."),
            detail};
    }
    if (standardError.contains("setting up uid map") ||
        standardError.contains("Failed RTM_NEWADDR") ||
        standardError.contains("Creating new namespace failed") ||
        standardError.contains("No permissions to create new namespace")) {
        return blockedNamespaces(standardError);
    }
    if (standardError.contains("does not hold a valid config") ||
        standardError.contains("is not valid JSON")) {
        return {ErrorCode::UnexpectedReply,
                Tr::tr("srt refused the settings that Glovebox wrote. Is it version %1?")
                    .arg(expectedVersion()),
                detail};
    }
    if (standardError.contains("Failed to create bridge sockets")) {
        return {ErrorCode::Busy,
                Tr::tr("srt could not open its sockets. Too many sandboxes start "
                       "at once; it is tried again."),
                detail};
    }
    return {ErrorCode::SandboxGone, Tr::tr("The sandbox could not be started."), detail};
}

QList<Readiness> checkPrograms(const Result<Tools> &tools)
{
    QList<Readiness> items;
    items.append(present(QStringLiteral("node"),
                         tools ? std::optional(tools->node) : findProgram(QStringLiteral("node")),
                         Tr::tr("Run installers/bootstrap: it installs Node 22 beside srt.")));
    items.append(checkSrt(tools));
    const auto helper = [&items](const char *name, const QString &hint) {
        items.append(present(QLatin1String(name), findProgram(QLatin1String(name)), hint));
    };
    helper("bwrap", Tr::tr("Install bubblewrap (apt-get install bubblewrap)."));
    helper("socat", Tr::tr("Install socat (apt-get install socat)."));
    helper("rg", Tr::tr("Install ripgrep (apt-get install ripgrep)."));
    helper("bash", Tr::tr("Install bash (apt-get install bash)."));
    return items;
}

} // namespace Glovebox::Srt
