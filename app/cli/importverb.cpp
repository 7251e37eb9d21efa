// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"

#include "core/base/ids.h"
#include "core/base/pool.h"
#include "core/base/terminaltext.h"
#include "core/runs/insidegit.h"
#include "core/runs/ownsecrets.h"

#include <QFileInfo>
#include <QTemporaryDir>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

/// refs/heads/agent/x or agent/x or x
QString fullReference(const QString &reference)
{
    if (reference.isEmpty() || reference.startsWith(QLatin1String("refs/"))) {
        return reference;
    }
    return QStringLiteral("refs/heads/") + reference;
}

QString branchFor(const QString &reference)
{
    const QString slug = slugOf(reference.section(QLatin1Char('/'), -1));
    return QStringLiteral("agent/") +
           (slug.isEmpty() ? QStringLiteral("import-") + newId().left(8) : slug);
}

QJsonObject reportJson(const ImportReport &report, const QString &branch)
{
    QJsonArray hazards;
    for (const ImportHazard &hazard : report.hazards) {
        hazards << QJsonObject{{QStringLiteral("kind"), hazard.code},
                               {QStringLiteral("reason"), hazard.reason},
                               {QStringLiteral("path"), displayText(hazard.path)},
                               {QStringLiteral("commit"), hazard.commit}};
    }
    return {
        {QStringLiteral("imported"), !report.refused},
        {QStringLiteral("branch"), branch.isEmpty() ? QJsonValue() : QJsonValue(branch)},
        {QStringLiteral("commit"), report.tip.isEmpty() ? QJsonValue() : QJsonValue(report.tip)},
        {QStringLiteral("stage"), report.stage},
        {QStringLiteral("code"), report.code},
        {QStringLiteral("reason"), report.reason},
        {QStringLiteral("commits"), report.commits},
        {QStringLiteral("sha256"), QString::fromLatin1(report.sha256)},
        {QStringLiteral("hazards"), hazards}};
}

Result<ImportRequest> requestOf(const Cli &cli, const QString &folder)
{
    const QString repo = cli.options.value(QStringLiteral("repo"));
    const Result<RepositoryFacts> facts =
        inspectRepository(repo.isEmpty() ? QDir::currentPath() : repo);
    if (!facts) {
        return fail(facts.error());
    }
    const QString wanted = cli.options.value(QStringLiteral("base"));
    const Result<QString> base =
        resolveCommit(facts->gitFolder, wanted.isEmpty() ? QStringLiteral("HEAD") : wanted);
    if (!base) {
        return fail(base.error());
    }
    ImportRequest request;
    request.gitFolder = facts->commonFolder;
    request.bundle = QFileInfo(cli.options.arguments.at(0)).absoluteFilePath();
    request.base = *base;
    request.reference = fullReference(cli.options.value(QStringLiteral("ref")));
    request.agentEmail = cli.options.has(QStringLiteral("agent-email"))
                             ? cli.options.value(QStringLiteral("agent-email"))
                             : agentIdentity().email;
    request.folder = folder;
    return request;
}

void show(Console &console, const ImportReport &report, const QString &branch)
{
    for (const ImportHazard &hazard : report.hazards) {
        console.result(
            Tr::tr("hazard %1: %2 %3").arg(hazard.code, hazard.reason, displayText(hazard.path)));
    }
    console.result(report.refused
                       ? Tr::tr("Refused (%1): %2").arg(report.code, report.reason)
                       : Tr::tr("Imported %n commits as %1 at %2.", nullptr, report.commits)
                             .arg(branch, report.tip.left(7)));
}

/// The keys of agents that are set here. What a task once let in besides is not known.
std::shared_ptr<const SecretForms> knownKeys(Services &services)
{
    QList<NamedSecret> keys;
    for (const Agent &agent : services.agents().agents()) {
        for (const Agent::Key &key : agent.keys) {
            const std::optional<Secret> value = services.secrets().find(key.name);
            if (value) {
                keys << NamedSecret{key.name, *value};
            }
        }
    }
    return std::make_shared<const SecretForms>(keys);
}

/// As at the end of a run: a bundle that holds a key stays out.
QCoro::Task<Result<void>> refuseOwnKeys(Cli &cli, QString base,
                                        std::shared_ptr<ImportReport> report)
{
    OwnSecretsRequest request;
    request.gitFolder = report->quarantine;
    request.base = base;
    request.tip = report->tip;
    request.secrets = knownKeys(cli.services);
    const Result<QStringList> names = co_await ownSecretsIn(request, cli.stop);
    if (!names) {
        co_return fail(names.error());
    }
    if (!names->isEmpty()) {
        report->refused = true;
        report->code = QStringLiteral("own-secret-in-result");
        report->reason = Tr::tr("The commits hold the value of %1. Revoke that key.")
                             .arg(names->join(QStringLiteral(", ")));
    }
    co_return Result<void>();
}

QCoro::Task<Result<QString>> publishReport(Cli &cli, QString gitFolder, ImportReport report)
{
    PublishRequest publish;
    publish.gitFolder = gitFolder;
    publish.quarantine = report.quarantine;
    publish.tip = report.tip;
    publish.branch = branchFor(report.reference);
    co_return co_await publishBranch(publish, cli.stop);
}

} // namespace

QCoro::Task<int> importVerb(Cli &cli)
{
    const QTemporaryDir folder(cli.services.store().dataFolder() +
                               QStringLiteral("/import-XXXXXX"));
    const Result<ImportRequest> request = requestOf(cli, folder.path());
    if (!request) {
        co_return cli.console.error(request.error());
    }
    const Result<ImportReport> checked = co_await checkBundle(*request, cli.stop);
    if (!checked) {
        co_return cli.console.error(checked.error());
    }
    const auto report = std::make_shared<ImportReport>(*checked);
    if (!report->refused) {
        const Result<void> looked = co_await refuseOwnKeys(cli, request->base, report);
        if (!looked) {
            co_return cli.console.error(looked.error());
        }
    }
    QString branch;
    if (!report->refused) {
        const Result<QString> published = co_await publishReport(cli, request->gitFolder, *report);
        if (!published) {
            co_return cli.console.error(published.error());
        }
        branch = *published;
    }
    cli.console.document(reportJson(*report, branch));
    show(cli.console, *report, branch);
    co_return report->refused ? ExitProblems : ExitDone;
}

} // namespace Glovebox
