// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/gitcommand.h"

#include "core/base/files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(GitCommand)
};

using Pairs = QList<std::pair<QString, QString>>;

/// Where git may come from. Fixed, so that no project and no shell profile decides which program
/// runs; the last resort below is the user's own PATH.
QString fixedPath()
{
#if defined(Q_OS_WIN)
    const QString programs =
        qEnvironmentVariable("ProgramFiles", QStringLiteral("C:\\Program Files"));
    return programs + QStringLiteral("\\Git\\cmd;") + programs + QStringLiteral("\\Git\\bin");
#elif defined(Q_OS_MACOS)
    return QStringLiteral("/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin");
#else
    return QStringLiteral("/usr/local/bin:/usr/bin:/bin");
#endif
}

/// A folder that lies in a work tree, or that others may write, could hold somebody else's "git".
bool isTrustedFolder(const QString &folder)
{
    const QFileInfo info(folder);
    if (!info.isAbsolute() || !info.isDir() || info.permission(QFileDevice::WriteOther)) {
        return false;
    }
    QDir up(info.canonicalFilePath());
    do {
        if (up.exists(QStringLiteral(".git"))) {
            return false;
        }
    } while (up.cdUp());
    return true;
}

/// The set of THREATS D3. What it leaves open (diff drivers, textconv, the filters of work-tree
/// commands) is closed by never running such a command in a repository that is not our own.
Pairs safeConfig()
{
    const QString null = QProcess::nullDevice();
    const QString no = QStringLiteral("false");
    const QString yes = QStringLiteral("true");
    const QString never = QStringLiteral("never");
    const QString always = QStringLiteral("always");
    return {
        {QStringLiteral("core.hooksPath"), null},
        {QStringLiteral("core.fsmonitor"), no},
        {QStringLiteral("core.pager"), QStringLiteral("cat")},
        {QStringLiteral("core.attributesFile"), null},
        {QStringLiteral("core.symlinks"), no},
        {QStringLiteral("core.protectHFS"), yes},
        {QStringLiteral("core.protectNTFS"), yes},
        {QStringLiteral("core.sshCommand"), no},
        // Run by fetch in a repository with alternates; there is no value that means "none".
        {QStringLiteral("core.alternateRefsCommand"), yes},
        {QStringLiteral("safe.bareRepository"), QStringLiteral("explicit")},
        {QStringLiteral("submodule.recurse"), no},
        {QStringLiteral("fetch.recurseSubmodules"), no},
        {QStringLiteral("protocol.allow"), never},
        {QStringLiteral("protocol.file.allow"), always},
        {QStringLiteral("protocol.ext.allow"), never},
        {QStringLiteral("credential.helper"), QString()},
        {QStringLiteral("gc.auto"), QStringLiteral("0")},
        {QStringLiteral("maintenance.auto"), no},
        {QStringLiteral("diff.algorithm"), QStringLiteral("myers")},
        {QStringLiteral("diff.renameLimit"), QStringLiteral("1000")},
        {QStringLiteral("log.showSignature"), no},
        {QStringLiteral("commit.gpgSign"), no},
        {QStringLiteral("tag.gpgSign"), no},
        {QStringLiteral("transfer.bundleURI"), no},
        {QStringLiteral("transfer.fsckObjects"), yes},
        {QStringLiteral("advice.graftFileDeprecated"), no},
    };
}

void insertConfig(QProcessEnvironment &environment, const Pairs &pairs)
{
    environment.insert(QStringLiteral("GIT_CONFIG_COUNT"), QString::number(pairs.size()));
    for (qsizetype i = 0; i < pairs.size(); ++i) {
        environment.insert(QStringLiteral("GIT_CONFIG_KEY_%1").arg(i), pairs.at(i).first);
        environment.insert(QStringLiteral("GIT_CONFIG_VALUE_%1").arg(i), pairs.at(i).second);
    }
}

/// \a home is an empty folder of ours: git finds no configuration there, and, as it is also where
/// git starts, no repository either.
Pairs safeVariables(const QString &git, const QString &home)
{
    const QString null = QProcess::nullDevice();
    const QString one = QStringLiteral("1");
    const QString zero = QStringLiteral("0");
    const QString nobody = QStringLiteral("true"); // asks nobody, answers an empty line
    return {
        {QStringLiteral("PATH"),
         fixedPath() + QDir::listSeparator() + QFileInfo(git).absolutePath()},
        {QStringLiteral("HOME"), home},
        {QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8")},
        {QStringLiteral("GIT_CEILING_DIRECTORIES"), QFileInfo(home).absolutePath()},
        {QStringLiteral("GIT_CONFIG_NOSYSTEM"), one},
        {QStringLiteral("GIT_CONFIG_GLOBAL"), null},
        {QStringLiteral("GIT_ATTR_NOSYSTEM"), one},
        {QStringLiteral("GIT_NO_REPLACE_OBJECTS"), one},
        {QStringLiteral("GIT_GRAFT_FILE"), null},
        {QStringLiteral("GIT_NO_LAZY_FETCH"), one},
        {QStringLiteral("GIT_TERMINAL_PROMPT"), zero},
        {QStringLiteral("GIT_ASKPASS"), nobody},
        {QStringLiteral("SSH_ASKPASS"), nobody},
        {QStringLiteral("GIT_OPTIONAL_LOCKS"), zero},
        {QStringLiteral("GIT_PAGER"), QStringLiteral("cat")},
        {QStringLiteral("GIT_EDITOR"), QStringLiteral("false")},
        {QStringLiteral("GIT_PROTOCOL_FROM_USER"), zero},
        {QStringLiteral("GIT_LFS_SKIP_SMUDGE"), one},
#ifdef Q_OS_WIN
        {QStringLiteral("SystemRoot"), qEnvironmentVariable("SystemRoot")},
#endif
    };
}

/// Only what moves objects between repositories may use a transport. All else must not: in a
/// partial clone it would fetch missing objects, by a program that the repository names
/// (GIT_NO_LAZY_FETCH is obeyed from git 2.45 on).
QString allowedProtocols(const QString &verb)
{
    static const QStringList transports = {QStringLiteral("fetch"), QStringLiteral("push"),
                                           QStringLiteral("clone"), QStringLiteral("ls-remote")};
    return transports.contains(verb) ? QStringLiteral("file") : QStringLiteral("none");
}

QProcessEnvironment environmentFor(const GitRequest &request, const QString &git,
                                   const QString &home)
{
    QProcessEnvironment environment;
    for (const auto &[name, value] : safeVariables(git, home)) {
        environment.insert(name, value);
    }
    environment.insert(QStringLiteral("GIT_ALLOW_PROTOCOL"),
                       allowedProtocols(request.arguments.value(0)));
    if (!request.gitFolder.isEmpty()) {
        environment.insert(QStringLiteral("GIT_DIR"), request.gitFolder);
    }
    insertConfig(environment, safeConfig() + request.config);
    for (const auto &[name, value] : request.environment) {
        if (value.isNull()) {
            environment.remove(name);
        } else {
            environment.insert(name, value);
        }
    }
    return environment;
}

Result<QString> emptyHome()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation) +
                           QStringLiteral("/git-home");
    const Result<void> made = makePrivateFolder(folder);
    if (!made) {
        return fail(made.error());
    }
    return QFileInfo(folder).canonicalFilePath();
}

Result<ProcessRequest> prepare(const GitRequest &request)
{
    if (!request.gitFolder.isEmpty() && !QFileInfo(request.gitFolder).isAbsolute()) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("%1 is not an absolute path to a repository.").arg(request.gitFolder));
    }
    const std::optional<QString> git = findGit(qEnvironmentVariable("PATH"));
    if (!git) {
        return fail(ErrorCode::NotInstalled,
                    Tr::tr("The git program is not installed. Install git 2.39 or newer."));
    }
    const Result<QString> home = emptyHome();
    if (!home) {
        return fail(home.error());
    }
    ProcessRequest process;
    process.program = *git;
    process.arguments = request.arguments;
    process.environment = environmentFor(request, *git, *home);
    process.directory = *home;
    process.standardInput = request.input;
    process.standardInputFile = request.inputFile;
    process.standardOutputFile = request.outputFile;
    process.limit = request.limit;
    process.outputLimit = request.outputLimit;
    process.resources = request.resources;
    return process;
}

} // namespace

std::optional<QString> findGit(const QString &path)
{
    if (const std::optional<QString> found = findProgram(QStringLiteral("git"), fixedPath())) {
        return found;
    }
    QStringList trusted = path.split(QDir::listSeparator(), Qt::SkipEmptyParts);
    trusted.removeIf([](const QString &folder) { return !isTrustedFolder(folder); });
    return findProgram(QStringLiteral("git"), trusted.join(QDir::listSeparator()));
}

QString gitWords(const ProcessResult &result)
{
    QString words = QString::fromUtf8(result.error.left(4096)).trimmed();
    // A remote's address may carry a password: scheme://user:password@host.
    qsizetype from = 0;
    while ((from = words.indexOf(QStringLiteral("://"), from)) >= 0) {
        from += 3;
        qsizetype end = from;
        while (end < words.size() && !words.at(end).isSpace() &&
               words.at(end) != QLatin1Char('/')) {
            ++end;
        }
        const qsizetype at = words.lastIndexOf(QLatin1Char('@'), end - words.size() - 1);
        if (at > from) {
            words.replace(from, at - from, QStringLiteral("***"));
        }
    }
    return words;
}

QCoro::Task<Result<ProcessResult>> runGit(GitRequest request, std::stop_token stop)
{
    Result<ProcessRequest> process = prepare(request);
    if (!process) {
        co_return fail(process.error());
    }
    QCoro::Task<Result<ProcessResult>> running = runProcess(*process, stop);
    Result<ProcessResult> result = co_await running;
    co_return result;
}

QCoro::Task<Result<QByteArray>> gitOutput(GitRequest request, std::stop_token stop)
{
    const QString verb = request.arguments.value(0);
    QCoro::Task<Result<ProcessResult>> running = runGit(request, stop);
    Result<ProcessResult> result = co_await running;
    if (!result) {
        co_return fail(result.error());
    }
    if (result->exitCode != 0) {
        co_return fail(ErrorCode::CommandFailed,
                       Tr::tr("\"git %1\" ended with code %2.").arg(verb).arg(result->exitCode),
                       gitWords(*result));
    }
    co_return std::move(result->output);
}

std::optional<GitVersion> parseGitVersion(const QByteArray &line)
{
    const QString text = QString::fromLatin1(line).trimmed();
    const QString prefix = QStringLiteral("git version ");
    if (!text.startsWith(prefix)) {
        return std::nullopt;
    }
    GitVersion version;
    version.text = text.mid(prefix.size());
    const QStringList parts = version.text.section(QLatin1Char(' '), 0, 0).split(QLatin1Char('.'));
    bool majorOk = false;
    bool minorOk = false;
    version.major = parts.value(0).toInt(&majorOk);
    version.minor = parts.value(1).toInt(&minorOk);
    version.patch = parts.value(2).toInt(); // "rc1" and "windows" count as 0
    return majorOk && minorOk ? std::optional(version) : std::nullopt;
}

QCoro::Task<Result<GitVersion>> gitVersion(std::stop_token stop)
{
    GitRequest request;
    request.arguments = QStringList{QStringLiteral("--version")};
    QCoro::Task<Result<QByteArray>> running = gitOutput(request, stop);
    const Result<QByteArray> output = co_await running;
    if (!output) {
        co_return fail(output.error());
    }
    const std::optional<GitVersion> version = parseGitVersion(*output);
    if (!version) {
        co_return fail(ErrorCode::UnexpectedReply,
                       Tr::tr("The git program does not say which version it is."),
                       QString::fromUtf8(output->left(200)));
    }
    if (std::pair(version->major, version->minor) < std::pair(2, 39)) {
        co_return fail(ErrorCode::NotSupported,
                       Tr::tr("git %1 is too old. Install git 2.39 or newer.").arg(version->text));
    }
    co_return *version;
}

} // namespace Glovebox
