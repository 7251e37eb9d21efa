// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"

#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

QString severityName(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return QStringLiteral("error");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Hint:
        return QStringLiteral("hint");
    }
    Q_UNREACHABLE();
}

QJsonArray problemsJson(const QList<Problem> &problems)
{
    QJsonArray array;
    for (const Problem &problem : problems) {
        array << problemJson(problem);
    }
    return array;
}

void showPlan(Console &console, const RunPlan &plan)
{
    PlanRow::Group group = PlanRow::Group::ComesBack;
    for (const PlanRow &row : planRows(plan)) {
        if (row.group != group || row.group == PlanRow::Group::GoesIn) {
            if (row.group != group) {
                console.result(groupText(row.group));
            }
            group = row.group;
        }
        console.result(
            QStringLiteral("  %1 %2  %3").arg(row.what, -18).arg(row.value, row.measure));
        if (!row.warning.isEmpty()) {
            console.result(QStringLiteral("  %1 ! %2").arg(QString(), -18).arg(row.warning));
        }
    }
}

} // namespace

PlannerParts plannerPartsOf(Services &services)
{
    return {&services.agents(), services.providers(), &services.secrets(), &services.store(),
            services.environment()};
}

PlanRequest planRequestOf(const Cli &cli)
{
    PlanRequest request;
    request.taskFile = cli.options.arguments.value(0);
    request.repository = cli.options.value(QStringLiteral("repo"));
    request.ticks.unenforced = cli.options.has(QStringLiteral("accept-unenforced"));
    request.ticks.open = cli.options.has(QStringLiteral("accept-open"));
    request.ticks.confirmedVariables = cli.options.values.value(QStringLiteral("confirm-env"));
    request.withHistory = cli.options.has(QStringLiteral("history"));
    return request;
}

QString problemLine(const QString &file, const Problem &problem)
{
    const QString place =
        problem.line > 0
            ? QStringLiteral("%1:%2:%3").arg(file).arg(problem.line).arg(problem.column)
            : file;
    QString line = QStringLiteral("%1: %2: %3 [%4]")
                       .arg(place, severityName(problem.severity), problem.message, problem.code);
    for (const Fix &fix : problem.fixes) {
        line += Tr::tr("\n    fix: %1").arg(fix.title);
    }
    return line;
}

QJsonObject problemJson(const Problem &problem)
{
    QJsonArray fixes;
    for (const Fix &fix : problem.fixes) {
        fixes << fix.title;
    }
    return {{QStringLiteral("severity"), severityName(problem.severity)},
            {QStringLiteral("code"), problem.code},
            {QStringLiteral("message"), problem.message},
            {QStringLiteral("line"), problem.line},
            {QStringLiteral("column"), problem.column},
            {QStringLiteral("fixes"), fixes}};
}

QCoro::Task<int> lintVerb(Cli &cli)
{
    QJsonArray files;
    bool found = false;
    bool errors = false;
    for (const QString &file : cli.options.arguments) {
        PlanRequest request = planRequestOf(cli);
        request.taskFile = file;
        const Result<LintedTask> task =
            co_await lintTaskFile(plannerPartsOf(cli.services), request, cli.stop);
        if (!task) {
            co_return cli.console.error(task.error());
        }
        for (const Problem &problem : task->problems) {
            cli.console.result(problemLine(file, problem));
            found = found || problem.severity != Severity::Hint;
        }
        errors = errors || hasErrors(task->problems);
        files << QJsonObject{{QStringLiteral("file"), file},
                             {QStringLiteral("problems"), problemsJson(task->problems)}};
    }
    cli.console.document({{QStringLiteral("files"), files}, {QStringLiteral("errors"), errors}});
    if (!found) {
        cli.console.result(Tr::tr("No problems found."));
    }
    co_return found ? ExitProblems : ExitDone;
}

QCoro::Task<int> planVerb(Cli &cli)
{
    const PlanRequest request = planRequestOf(cli);
    const PlannerParts parts = plannerPartsOf(cli.services);
    const Result<PlannedRun> planned = co_await makePlan(parts, request, cli.stop);
    if (!planned) {
        co_return cli.console.error(planned.error());
    }
    for (const Problem &problem : planned->problems) {
        cli.console.progress(problemLine(request.taskFile, problem));
    }
    QJsonObject document{{QStringLiteral("problems"), problemsJson(planned->problems)},
                         {QStringLiteral("plan"), QJsonValue()},
                         {QStringLiteral("digest"), QJsonValue()}};
    if (planned->prepared) {
        document.insert(QStringLiteral("plan"), toJson(planned->prepared->plan));
        document.insert(QStringLiteral("digest"),
                        QString::fromLatin1(planDigest(planned->prepared->plan)));
        showPlan(cli.console, planned->prepared->plan);
        discardPlan(*planned->prepared, cli.services.store());
    }
    cli.console.document(document);
    co_return planned->prepared ? ExitDone : ExitUsage;
}

} // namespace Glovebox
