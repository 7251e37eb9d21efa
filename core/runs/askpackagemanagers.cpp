// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"
#include "core/runs/packagemanagers.h"

#include <QCoreApplication>
#include <QDir>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(PackageHosts)
};

constexpr std::chrono::seconds askLimit(5);
constexpr qint64 largestAnswer = 1024LL * 1024;

/// What a package manager needs to find its own settings, and nothing else of ours.
QProcessEnvironment packageManagerEnvironment()
{
    static const QStringList names = {
        QStringLiteral("PATH"),
        QStringLiteral("HOME"),
        QStringLiteral("LANG"),
        QStringLiteral("USER"),
        QStringLiteral("LOGNAME"),
        QStringLiteral("TMPDIR"),
        QStringLiteral("USERPROFILE"),
        QStringLiteral("APPDATA"),
        QStringLiteral("LOCALAPPDATA"),
        QStringLiteral("SYSTEMROOT"),
        QStringLiteral("XDG_CONFIG_HOME"),
        QStringLiteral("XDG_CONFIG_DIRS"),
    };
    static const QStringList prefixes = {
        QStringLiteral("NPM_CONFIG_"), QStringLiteral("PNPM_"),   QStringLiteral("YARN_"),
        QStringLiteral("PIP_"),        QStringLiteral("GOPROXY"), QStringLiteral("GOPRIVATE"),
        QStringLiteral("GONOPROXY"),   QStringLiteral("GOSUMDB"), QStringLiteral("GOENV"),
        QStringLiteral("GOROOT"),      QStringLiteral("GOPATH"),  QStringLiteral("PYENV_"),
    };
    const QProcessEnvironment ours = QProcessEnvironment::systemEnvironment();
    QProcessEnvironment clean;
    for (const QString &name : ours.keys()) {
        const QString upper = name.toUpper();
        const bool isKept =
            names.contains(upper) ||
            std::any_of(prefixes.cbegin(), prefixes.cend(),
                        [&upper](const QString &prefix) { return upper.startsWith(prefix); });
        if (isKept) {
            clean.insert(name, ours.value(name));
        }
    }
    // None may ask, fetch itself, or look for a newer one.
    clean.insert(QStringLiteral("COREPACK_ENABLE_NETWORK"), QStringLiteral("0"));
    clean.insert(QStringLiteral("COREPACK_ENABLE_DOWNLOAD_PROMPT"), QStringLiteral("0"));
    clean.insert(QStringLiteral("NPM_CONFIG_UPDATE_NOTIFIER"), QStringLiteral("false"));
    clean.insert(QStringLiteral("PIP_DISABLE_PIP_VERSION_CHECK"), QStringLiteral("1"));
    clean.insert(QStringLiteral("PIP_NO_INPUT"), QStringLiteral("1"));
    clean.insert(QStringLiteral("GOTOOLCHAIN"), QStringLiteral("local"));
    return clean;
}

/// What the program printed; nothing when it is absent, fails or takes too long. The only error is
/// Cancelled.
QCoro::Task<Result<QByteArray>> ask(QString program, QStringList arguments, std::stop_token stop)
{
    ProcessRequest request;
    request.program = program;
    request.arguments = arguments;
    request.environment = packageManagerEnvironment();
    request.limit = askLimit;
    request.outputLimit = largestAnswer;
    const Result<ProcessResult> result = co_await runProcess(request, stop);
    if (!result && result.error().code == ErrorCode::Cancelled) {
        co_return fail(result.error());
    }
    if (!result || result->exitCode != 0) {
        co_return QByteArray();
    }
    co_return result->output;
}

/// One question and how its answer is read.
struct Question
{
    QString program;
    QStringList arguments;
    std::function<bool(const QByteArray &, HostCollector *)> read;
};

Question bareQuestion(const QString &program, const QString &key)
{
    return {program,
            {QStringLiteral("config"), QStringLiteral("get"), key},
            [program](const QByteArray &output, HostCollector *hosts) {
                return readBareAddress(output, program, hosts);
            }};
}

/// In order; the first that is answered settles it.
QList<Question> questionsFor(PackageManager manager)
{
    const Question npm{QStringLiteral("npm"),
                       {QStringLiteral("config"), QStringLiteral("list"), QStringLiteral("--json")},
                       readNpmConfiguration};
    switch (manager) {
    case PackageManager::Npm:
        return {npm};
    case PackageManager::Pnpm:
        // It reads npm's settings, so npm knows as well.
        return {bareQuestion(QStringLiteral("pnpm"), QStringLiteral("registry")), npm};
    case PackageManager::Yarn:
        return {bareQuestion(QStringLiteral("yarn"), QStringLiteral("npmRegistryServer")),
                bareQuestion(QStringLiteral("yarn"), QStringLiteral("registry"))};
    case PackageManager::Pip: {
        QList<Question> questions;
        for (const QString &program : {QStringLiteral("pip"), QStringLiteral("pip3")}) {
            questions += Question{
                program, {QStringLiteral("config"), QStringLiteral("list")}, readPipConfigList};
            questions += Question{
                program, {QStringLiteral("install"), QStringLiteral("--help")}, readPipHelp};
        }
        return questions;
    }
    case PackageManager::Go:
        return {
            Question{QStringLiteral("go"),
                     {QStringLiteral("env"), QStringLiteral("GOPROXY"), QStringLiteral("GOSUMDB"),
                      QStringLiteral("GOPRIVATE"), QStringLiteral("GONOPROXY")},
                     readGoEnvironment}};
    case PackageManager::Cargo:
        return {}; // has no command for it: its folder is read
    }
    Q_UNREACHABLE();
}

QString managerName(PackageManager manager)
{
    switch (manager) {
    case PackageManager::Npm:
        return QStringLiteral("npm");
    case PackageManager::Yarn:
        return QStringLiteral("yarn");
    case PackageManager::Pnpm:
        return QStringLiteral("pnpm");
    case PackageManager::Pip:
        return QStringLiteral("pip");
    case PackageManager::Cargo:
        return QStringLiteral("cargo");
    case PackageManager::Go:
        return QStringLiteral("go");
    }
    Q_UNREACHABLE();
}

/// Cargo's own folder; where it tells nothing, the addresses that stand in the lockfile.
bool askCargo(HostCollector *hosts)
{
    const QString home =
        qEnvironmentVariable("CARGO_HOME", QDir::homePath() + QStringLiteral("/.cargo"));
    if (readCargoHome(home, hosts)) {
        return true;
    }
    bool found = false;
    const QStringList indexes = hosts->result().cargoIndexes;
    for (const QString &index : indexes) {
        found = hosts->add(index, {QStringLiteral("Cargo.lock"), 0}) || found;
    }
    return found;
}

void tellUnanswered(PackageManager manager, HostCollector *hosts)
{
    hosts->problem(Severity::Hint, QStringLiteral("package-host-unknown"),
                   Tr::tr("Neither the repository nor this machine says where %1 fetches packages. "
                          "If the task installs any, add the host to its network list.")
                       .arg(managerName(manager)));
}

} // namespace

QCoro::Task<Result<PackageHosts>> askPackageManagers(PackageHosts known, std::stop_token stop)
{
    HostCollector hosts(&known);
    const QList<PackageManager> managers = std::exchange(known.unanswered, {});
    for (const PackageManager manager : managers) {
        bool answered = manager == PackageManager::Cargo && askCargo(&hosts);
        const QList<Question> questions = questionsFor(manager);
        for (const Question &question : questions) {
            if (answered) {
                break;
            }
            const Result<QByteArray> output =
                co_await ask(question.program, question.arguments, stop);
            if (!output) {
                co_return fail(output.error());
            }
            answered = question.read(*output, &hosts);
        }
        if (!answered) {
            tellUnanswered(manager, &hosts);
        }
    }
    co_return known;
}

} // namespace Glovebox
