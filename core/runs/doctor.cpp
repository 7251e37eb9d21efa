// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/doctor.h"

#include "core/base/process.h"
#include "core/git/gitcommand.h"

#include <QRegularExpression>
#include <QVersionNumber>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Doctor)
};

constexpr std::chrono::seconds versionLimit{10};

DoctorItem itemOf(const QString &group, const QString &what, Readiness::State state)
{
    DoctorItem item;
    item.group = group;
    item.readiness.what = what;
    item.readiness.state = state;
    return item;
}

QCoro::Task<DoctorItem> examineGit(std::stop_token stop)
{
    const QString group = Tr::tr("This computer");
    const Result<GitVersion> version = co_await gitVersion(stop);
    DoctorItem item = itemOf(group, QStringLiteral("git"), Readiness::State::Ok);
    if (!version) {
        item.readiness.state = Readiness::State::Missing;
        item.readiness.nextStep = version.error().message;
        item.stopsRuns = true;
        co_return item;
    }
    item.readiness.version = version->text;
    if (version->major < 2 || (version->major == 2 && version->minor < 39)) {
        item.readiness.state = Readiness::State::Failing;
        item.readiness.nextStep = Tr::tr("Git 2.39 or newer is needed.");
        item.stopsRuns = true;
    }
    co_return item;
}

QCoro::Task<QString> versionOf(Agent agent, QString program, QProcessEnvironment environment,
                               std::stop_token stop)
{
    ProcessRequest request;
    request.program = program;
    request.arguments = agent.version.mid(1);
    request.environment = environment;
    request.limit = versionLimit;
    const Result<ProcessResult> result = co_await runProcess(request, stop);
    if (!result || result->exitCode != 0) {
        co_return QString();
    }
    co_return QString::fromUtf8(result->output).section(QLatin1Char('\n'), 0, 0).trimmed();
}

/// PATH, HOME and the like, no keys: a version needs none.
QProcessEnvironment plainEnvironment(const QProcessEnvironment &environment)
{
    QProcessEnvironment plain;
    for (const char *name : {"PATH", "HOME", "LANG", "TMPDIR"}) {
        const QString key = QString::fromLatin1(name);
        if (environment.contains(key)) {
            plain.insert(key, environment.value(key));
        }
    }
    return plain;
}

DoctorItem keyItem(const QString &group, const Agent &agent, const SecretStore &secrets)
{
    QStringList names;
    for (const Agent::Key &key : agent.keys) {
        if (secrets.find(key.name)) {
            return itemOf(group, Tr::tr("%1: key %2").arg(agent.name, key.name),
                          Readiness::State::Ok);
        }
        names << key.name;
    }
    DoctorItem item = itemOf(group, Tr::tr("%1: key").arg(agent.name), Readiness::State::Missing);
    item.readiness.nextStep = Tr::tr("Set %1.").arg(names.join(Tr::tr(" or ")));
    return item;
}

/// The first three numbers with dots in what an agent says of itself.
QVersionNumber numberIn(const QString &text)
{
    static const QRegularExpression number(QStringLiteral("[0-9]+\\.[0-9]+\\.[0-9]+"));
    return QVersionNumber::fromString(number.match(text.left(1000)).captured());
}

void judgeVersion(const Agent &agent, DoctorItem *item)
{
    const QString again = QStringLiteral("npm install -g %1").arg(agent.install.npm);
    const QVersionNumber least = QVersionNumber::fromString(agent.install.minimum);
    const QVersionNumber found = numberIn(item->readiness.version);
    if (item->readiness.version.isEmpty()) {
        item->readiness.state = Readiness::State::Failing;
        item->readiness.nextStep =
            Tr::tr("It does not tell its version. Install it anew with `%1`.").arg(again);
    } else if (!least.isNull() && !found.isNull() && found < least) {
        item->readiness.state = Readiness::State::Failing;
        item->readiness.nextStep =
            Tr::tr("%1 or newer is needed. Update it with `%2`.").arg(agent.install.minimum, again);
    }
}

QCoro::Task<QList<DoctorItem>> examineAgent(DoctorParts parts, Agent agent, std::stop_token stop)
{
    QList<DoctorItem> items;
    if (agent.install.npm.isEmpty()) {
        co_return items;
    }
    const QString group = Tr::tr("Agents");
    const std::optional<QString> program =
        findProgram(agent.install.program, parts.environment.value(QStringLiteral("PATH")));
    DoctorItem item =
        itemOf(group, agent.name, program ? Readiness::State::Ok : Readiness::State::Missing);
    if (program) {
        const QProcessEnvironment plain = plainEnvironment(parts.environment);
        const QString &path = *program;
        item.readiness.version = co_await versionOf(agent, path, plain, stop);
        judgeVersion(agent, &item);
    } else {
        item.readiness.nextStep =
            Tr::tr("Install it with `npm install -g %1`.").arg(agent.install.npm);
    }
    items << item;
    if (program && !agent.keys.isEmpty()) {
        items << keyItem(group, agent, *parts.secrets);
    }
    co_return items;
}

} // namespace

QCoro::Task<QList<DoctorItem>> examine(DoctorParts parts, std::stop_token stop)
{
    QList<DoctorItem> items;
    const DoctorItem git = co_await examineGit(stop);
    items << git;
    for (SandboxProvider *provider : parts.providers) {
        const QString group = Tr::tr("Backend %1").arg(provider->info().name);
        const Result<QList<Readiness>> checks = co_await provider->checkReady(stop);
        if (!checks) {
            DoctorItem item = itemOf(group, provider->info().name, Readiness::State::Unknown);
            item.readiness.nextStep = checks.error().message;
            items << item;
            continue;
        }
        for (const Readiness &check : *checks) {
            DoctorItem item;
            item.group = group;
            item.readiness = check;
            item.stopsRuns = check.state == Readiness::State::Missing ||
                             check.state == Readiness::State::Failing;
            items << item;
        }
    }
    for (const Agent &agent : parts.agents->agents()) {
        const QList<DoctorItem> found = co_await examineAgent(parts, agent, stop);
        items << found;
    }
    co_return items;
}

} // namespace Glovebox
