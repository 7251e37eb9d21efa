// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/settings.h"

#include "core/base/files.h"
#include "providers/srt/policy.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <unistd.h>

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtSettings)
};

constexpr qint64 largestSettings = 4LL * 1024 * 1024;

/// A path that is never read as a glob, whatever characters it has.
QJsonObject literal(const QString &path)
{
    return {{QStringLiteral("path"), path}, {QStringLiteral("literal"), true}};
}

QJsonArray literals(const QStringList &paths)
{
    QJsonArray array;
    for (const QString &path : paths) {
        array.append(literal(path));
    }
    return array;
}

bool isBelow(const QString &path, const QString &folder)
{
    return path == folder || path.startsWith(folder + QLatin1Char('/'));
}

QStringList readablePaths(const Confinement &confinement)
{
    QStringList paths{confinement.layout.readable()};
    for (const QString &path :
         QStringList{confinement.tools.folder, QFileInfo(confinement.tools.node).absolutePath()} +
             confinement.programFolders + confinement.readableFolders) {
        const bool hidden =
            std::any_of(confinement.secretPaths.cbegin(), confinement.secretPaths.cend(),
                        [&path](const QString &secret) { return isBelow(path, secret); });
        if (hidden && !paths.contains(path)) {
            paths.append(path);
        }
    }
    return paths;
}

tl::unexpected<Error> invalid(const QString &what)
{
    return fail(ErrorCode::InvalidRequest,
                Tr::tr("The sandbox was not started: its settings are not sound (%1).").arg(what));
}

Result<void> checkKeys(const QJsonObject &object, const QStringList &known, const QString &where)
{
    for (const QString &key : object.keys()) {
        if (!known.contains(key)) {
            return invalid(Tr::tr("unknown key %1 in %2").arg(key, where));
        }
    }
    return {};
}

Result<QStringList> checkPaths(const QJsonObject &filesystem, const QString &key)
{
    QStringList paths;
    for (const QJsonValue value : filesystem.value(key).toArray()) {
        const QString path = value.toObject().value(QStringLiteral("path")).toString();
        if (value.toObject() != literal(path) || !QFileInfo(path).isAbsolute() ||
            QFileInfo(path).canonicalFilePath() != path) {
            return invalid(
                Tr::tr("%1 holds %2, which is not there or leads elsewhere").arg(key, path));
        }
        paths.append(path);
    }
    return paths;
}

Result<void> checkFilesystem(const QJsonObject &filesystem, const Confinement &confinement)
{
    const QString write = QStringLiteral("allowWrite");
    const QString deny = QStringLiteral("denyRead");
    const QString read = QStringLiteral("allowRead");
    const Result<QStringList> writable = checkPaths(filesystem, write);
    const Result<QStringList> denied = checkPaths(filesystem, deny);
    const Result<QStringList> allowed = checkPaths(filesystem, read);
    for (const Result<QStringList> *result : {&writable, &denied, &allowed}) {
        if (!result->has_value()) {
            return fail(result->error());
        }
    }
    if (*writable != QStringList{confinement.layout.writable()}) {
        return invalid(Tr::tr("more than one folder would be writable"));
    }
    for (const QString &secret : confinement.secretPaths) {
        if (!denied->contains(secret)) {
            return invalid(Tr::tr("%1 would be readable").arg(secret));
        }
        for (const QString &path : *allowed) {
            if (isBelow(secret, path) && path != confinement.layout.readable()) {
                return invalid(Tr::tr("%1 would open %2").arg(path, secret));
            }
        }
    }
    if (isBelow(confinement.layout.workingFolder(), confinement.layout.writable()) ||
        isBelow(confinement.layout.settingsFile(), confinement.layout.writable()) ||
        isBelow(confinement.tools.script, confinement.layout.writable())) {
        return invalid(Tr::tr("the sandbox could change its own settings or srt"));
    }
    return {};
}

} // namespace

QStringList secretPaths(const QString &dataFolder)
{
    QStringList candidates{QStringLiteral("/home"),
                           QStringLiteral("/root"),
                           QStringLiteral("/var/root"),
                           QDir::homePath(),
                           qEnvironmentVariable("HOME"),
                           dataFolder,
                           QStringLiteral("/tmp"),
                           QStringLiteral("/var/tmp"),
                           QDir::tempPath(),
                           qEnvironmentVariable("XDG_RUNTIME_DIR"),
                           QStringLiteral("/run/user"),
                           QStringLiteral("/run/secrets"),
                           QStringLiteral("/run/dbus"),
                           QStringLiteral("/run/docker.sock"),
                           QStringLiteral("/run/podman"),
                           QStringLiteral("/run/containerd"),
                           QStringLiteral("/var/lib/docker"),
                           QStringLiteral("/var/lib/containers"),
                           QStringLiteral("/var/spool/mail"),
                           QStringLiteral("/etc/ssh"),
                           QStringLiteral("/etc/shadow"),
                           QStringLiteral("/etc/gshadow"),
                           QStringLiteral("/etc/sudoers"),
                           QStringLiteral("/etc/sudoers.d")};
    for (const char *name :
         {"GNUPGHOME", "DOCKER_CONFIG", "KUBECONFIG", "CLAUDE_CONFIG_DIR", "CODEX_HOME",
          "XDG_CONFIG_HOME", "XDG_DATA_HOME", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE",
          "GOOGLE_APPLICATION_CREDENTIALS", "NETRC", "NPM_CONFIG_USERCONFIG"}) {
        candidates.append(qEnvironmentVariable(name));
    }
    QStringList paths;
    for (const QString &candidate : candidates) {
        const QString path = candidate.isEmpty() || QFileInfo(candidate).isRelative()
                                 ? QString()
                                 : QFileInfo(candidate).canonicalFilePath();
        if (!path.isEmpty() && path != QLatin1String("/") && !paths.contains(path)) {
            paths.append(path);
        }
    }
    return paths;
}

QJsonObject makeSettings(const Confinement &confinement)
{
    QJsonObject network = networkSettings(confinement.network);
    if (confinement.network.open) {
        network.insert(QStringLiteral("httpProxyPort"), confinement.proxyPort);
    } else {
        const QString url = QStringLiteral("http://%1@127.0.0.1:%2")
                                .arg(QString::fromLatin1(confinement.proxyCredential))
                                .arg(confinement.proxyPort);
        network.insert(QStringLiteral("parentProxy"),
                       QJsonObject{{QStringLiteral("http"), url},
                                   {QStringLiteral("https"), url},
                                   {QStringLiteral("noProxy"), QString()}});
    }
    const QJsonObject filesystem{
        {QStringLiteral("denyRead"), literals(confinement.secretPaths)},
        {QStringLiteral("allowRead"), literals(readablePaths(confinement))},
        {QStringLiteral("allowWrite"), literals({confinement.layout.writable()})},
        {QStringLiteral("denyWrite"), QJsonArray()}};
    return {{QStringLiteral("network"), network}, {QStringLiteral("filesystem"), filesystem}};
}

Result<void> validateSettings(const QJsonObject &settings, const Confinement &confinement)
{
    const QString networkKey = QStringLiteral("network");
    const QString filesystemKey = QStringLiteral("filesystem");
    const QJsonObject network = settings.value(networkKey).toObject();
    const QJsonObject filesystem = settings.value(filesystemKey).toObject();
    const QList<Result<void>> checks{
        checkKeys(settings, {networkKey, filesystemKey}, QStringLiteral("the settings")),
        checkKeys(network,
                  {QStringLiteral("allowedDomains"), QStringLiteral("deniedDomains"),
                   QStringLiteral("deniedResolvedAddresses"), QStringLiteral("parentProxy"),
                   QStringLiteral("httpProxyPort")},
                  networkKey),
        checkKeys(filesystem,
                  {QStringLiteral("denyRead"), QStringLiteral("allowRead"),
                   QStringLiteral("allowWrite"), QStringLiteral("denyWrite")},
                  filesystemKey),
        checkFilesystem(filesystem, confinement)};
    for (const Result<void> &check : checks) {
        if (!check) {
            return check;
        }
    }
    const bool viaUs = network.contains(QStringLiteral("parentProxy")) !=
                       network.contains(QStringLiteral("httpProxyPort"));
    if (!viaUs || confinement.proxyPort == 0) {
        return invalid(Tr::tr("its network would not pass our proxy"));
    }
    return {};
}

Result<void> writeSettings(const Confinement &confinement)
{
    const QJsonObject settings = makeSettings(confinement);
    const QString path = confinement.layout.settingsFile();
    if (const Result<void> valid = validateSettings(settings, confinement); !valid) {
        return valid;
    }
    const QByteArray bytes = QJsonDocument(settings).toJson(QJsonDocument::Indented);
    if (const Result<void> written = writeFile(path, bytes); !written) {
        return written;
    }
    const Result<QByteArray> back = readFile(path, largestSettings);
    if (!back) {
        return fail(back.error());
    }
    if (QJsonDocument::fromJson(*back).object() != settings) {
        return invalid(Tr::tr("they were not read back as they were written"));
    }
    return {};
}

QProcessEnvironment makeEnvironment(const Confinement &confinement)
{
    QProcessEnvironment environment;
    const auto set = [&environment](const char *name, const QString &value) {
        environment.insert(QLatin1String(name), value);
    };
    set("PATH", pathInside(confinement.tools, confinement.programFolders));
    set("HOME", confinement.layout.home());
    set("USER", confinement.user);
    set("LOGNAME", confinement.user);
    set("SHELL", QStringLiteral("/bin/sh"));
    set("LANG", QStringLiteral("C.UTF-8"));
    set("TERM", QStringLiteral("dumb"));
    set("TMPDIR", confinement.layout.ownTemporary()); // srt's sockets; inside it is another
    set("CLAUDE_CODE_TMPDIR", confinement.layout.temporaryInside());
    set("NODE_USE_ENV_PROXY", QStringLiteral("1"));
    if (!confinement.compileCache.isEmpty()) {
        set("NODE_COMPILE_CACHE", confinement.compileCache);
    }
    set("GIT_CONFIG_GLOBAL", QStringLiteral("/dev/null"));
    set("GIT_CONFIG_NOSYSTEM", QStringLiteral("1"));
    set("GIT_TERMINAL_PROMPT", QStringLiteral("0"));
    return environment;
}

QStringList keptNames()
{
    QStringList names;
    for (const char *name : {"LANG",
                             "TERM",
                             "TMPDIR",
                             "CLAUDE_CODE_TMPDIR",
                             "NODE_USE_ENV_PROXY",
                             "GIT_CONFIG_GLOBAL",
                             "GIT_CONFIG_NOSYSTEM",
                             "GIT_TERMINAL_PROMPT",
                             "SANDBOX_RUNTIME",
                             "HTTP_PROXY",
                             "HTTPS_PROXY",
                             "ALL_PROXY",
                             "FTP_PROXY",
                             "GRPC_PROXY",
                             "NO_PROXY",
                             "http_proxy",
                             "https_proxy",
                             "all_proxy",
                             "ftp_proxy",
                             "grpc_proxy",
                             "no_proxy",
                             "RSYNC_PROXY",
                             "DOCKER_HTTP_PROXY",
                             "DOCKER_HTTPS_PROXY",
                             "CLOUDSDK_PROXY_TYPE",
                             "CLOUDSDK_PROXY_ADDRESS",
                             "CLOUDSDK_PROXY_PORT",
                             "CLOUDSDK_PROXY_USERNAME",
                             "CLOUDSDK_PROXY_PASSWORD",
                             "GIT_CONFIG_PARAMETERS",
                             "GIT_SSH_COMMAND",
                             "JAVA_TOOL_OPTIONS",
                             "CLAUDE_CODE_HOST_HTTP_PROXY_PORT",
                             "CLAUDE_CODE_HOST_SOCKS_PROXY_PORT"}) {
        names.append(QLatin1String(name));
    }
    return names;
}

} // namespace Glovebox::Srt
