// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"

#include "core/base/pool.h"
#include "core/base/terminaltext.h"
#include "core/review/changeset.h"
#include "core/runs/receipt.h"

#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

QString stateText(const RunRecord &run)
{
    return run.outcome ? outcomeText(*run.outcome) : phaseText(run.phase);
}

int listRuns(Cli &cli)
{
    const Result<QList<RunRecord>> runs = cli.services.store().runs(1000);
    if (!runs) {
        return cli.console.error(runs.error());
    }
    QJsonArray rows;
    for (const RunRecord &run : *runs) {
        rows << reportJson(RunReport{run, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
        cli.console.result(
            QStringLiteral("%1  %2  %3  %4  %5")
                .arg(run.id.left(8),
                     run.created.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")))
                .arg(stateText(run), -20)
                .arg(run.branch.isEmpty() ? run.wantedBranch : run.branch, run.title));
    }
    if (runs->isEmpty()) {
        cli.console.result(Tr::tr("No runs yet. `glovebox-cli run TASK` starts one."));
    }
    cli.console.document({{QStringLiteral("runs"), rows}});
    return ExitDone;
}

int showRun(Cli &cli, const QString &id)
{
    const Result<RunReport> report = readReport(cli.services.store(), id);
    if (!report) {
        return cli.console.error(report.error());
    }
    cli.console.document(reportJson(*report));
    const RunRecord &run = report->run;
    cli.console.result(QStringLiteral("%1  %2").arg(run.id, run.title));
    cli.console.result(QStringLiteral("%1. %2").arg(stateText(run), run.message));
    for (const PhaseEvent &event : report->phases) {
        cli.console.result(QStringLiteral("  %1  %2 %3")
                               .arg(event.at.toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz")))
                               .arg(phaseText(event.to), -18)
                               .arg(event.message));
    }
    for (const Evidence &evidence : report->evidence) {
        cli.console.result(
            Tr::tr("  %1 on %2 (%3): exit %4")
                .arg(evidence.line, subjectText(evidence.subject), evidence.commit.left(7))
                .arg(evidence.result.exitCode));
    }
    cli.console.result(Tr::tr("Folder: %1").arg(cli.services.store().runFolder(id)));
    return ExitDone;
}

QString kindLetter(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Added:
        return QStringLiteral("A");
    case ChangeKind::Modified:
        return QStringLiteral("M");
    case ChangeKind::Deleted:
        return QStringLiteral("D");
    case ChangeKind::Renamed:
        return QStringLiteral("R");
    case ChangeKind::Copied:
        return QStringLiteral("C");
    case ChangeKind::TypeChanged:
        return QStringLiteral("T");
    case ChangeKind::ModeChanged:
        return QStringLiteral("X");
    }
    Q_UNREACHABLE();
}

/// What is reviewed: a run's branch with its task's scope, or a plain range.
struct ReviewSubject
{
    QString gitFolder;
    QString base;
    QString tip;
    QStringList scope;
    QStringList forbid;
    QList<HazardRecord> hazards;
};

Result<ReviewSubject> subjectOfRun(Cli &cli, const QString &name)
{
    const Result<QString> id = cli.services.store().findRun(name);
    if (!id) {
        return fail(id.error());
    }
    const Result<RunReport> report = readReport(cli.services.store(), *id);
    if (!report) {
        return fail(report.error());
    }
    if (report->run.tip.isEmpty()) {
        return fail(ErrorCode::NotFound,
                    Tr::tr("This run brought no branch back: %1").arg(stateText(report->run)));
    }
    const QJsonObject plan = QJsonDocument::fromJson(report->run.plan).object();
    const auto list = [&plan](const char *key) {
        QStringList texts;
        for (const QJsonValue value : plan[QLatin1String("task")][QLatin1String(key)].toArray()) {
            texts << value.toString();
        }
        return texts;
    };
    return ReviewSubject{report->run.gitFolder, report->run.base, report->run.tip,
                         list("scope"),         list("forbid"),   report->hazards};
}

Result<ReviewSubject> subjectOfRange(Cli &cli, const QString &range)
{
    const QString repo = cli.options.value(QStringLiteral("repo"));
    const Result<RepositoryFacts> facts =
        inspectRepository(repo.isEmpty() ? QDir::currentPath() : repo);
    if (!facts) {
        return fail(facts.error());
    }
    const Result<QString> base =
        resolveCommit(facts->gitFolder, range.section(QStringLiteral(".."), 0, 0));
    const Result<QString> tip =
        resolveCommit(facts->gitFolder, range.section(QStringLiteral(".."), 1));
    if (!base || !tip) {
        return fail(base ? tip.error() : base.error());
    }
    return ReviewSubject{facts->commonFolder, *base, *tip, {}, {}, {}};
}

QJsonObject changeJson(const FileChange &file)
{
    return {{QStringLiteral("kind"), kindLetter(file.kind)},
            {QStringLiteral("path"), displayText(file.path)},
            {QStringLiteral("old_path"), displayText(file.oldPath)},
            {QStringLiteral("added"), file.added},
            {QStringLiteral("removed"), file.removed},
            {QStringLiteral("binary"), file.binary},
            {QStringLiteral("old_mode"), QString::number(file.oldMode, 8)},
            {QStringLiteral("new_mode"), QString::number(file.newMode, 8)}};
}

void showChanges(Cli &cli, const ReviewSubject &subject, const ChangeSet &changes)
{
    QJsonArray files;
    for (const FileChange &file : changes.files) {
        files << changeJson(file);
        const QString from = file.oldPath == file.path
                                 ? QString()
                                 : Tr::tr(" (from %1)").arg(displayText(file.oldPath));
        cli.console.result(QStringLiteral("%1 %2 %3 %4%5")
                               .arg(kindLetter(file.kind))
                               .arg(QStringLiteral("+%1").arg(file.added), 6)
                               .arg(QStringLiteral("-%1").arg(file.removed), 6)
                               .arg(displayText(file.path), from));
    }
    QStringList outside;
    for (const QByteArray &path : outOfScope(changes, subject.scope, subject.forbid)) {
        outside << displayText(path);
        cli.console.result(Tr::tr("outside the scope: %1").arg(displayText(path)));
    }
    QJsonArray hazards;
    for (const HazardRecord &hazard : subject.hazards) {
        hazards << QJsonObject{{QStringLiteral("kind"), hazard.kind},
                               {QStringLiteral("reason"), hazard.reason},
                               {QStringLiteral("path"), displayText(hazard.path)},
                               {QStringLiteral("commit"), hazard.commit}};
        cli.console.result(
            Tr::tr("hazard %1: %2 %3").arg(hazard.kind, hazard.reason, displayText(hazard.path)));
    }
    cli.console.result(
        Tr::tr("%n files, +%1 -%2, %3..%4", nullptr, static_cast<int>(changes.files.size()))
            .arg(changes.added())
            .arg(changes.removed())
            .arg(changes.base.left(7), changes.tip.left(7)));
    cli.console.document({{QStringLiteral("base"), changes.base},
                          {QStringLiteral("tip"), changes.tip},
                          {QStringLiteral("files"), files},
                          {QStringLiteral("added"), changes.added()},
                          {QStringLiteral("removed"), changes.removed()},
                          {QStringLiteral("out_of_scope"), QJsonArray::fromStringList(outside)},
                          {QStringLiteral("hazards"), hazards}});
}

} // namespace

QCoro::Task<int> runsVerb(Cli &cli)
{
    const Result<int> recovered = co_await cli.services.queue().recover(cli.stop);
    if (!recovered) {
        cli.console.progress(recovered.error().message); // the list is still worth showing
    }
    const QStringList words = cli.options.arguments;
    const QString &what = words.at(0);
    if (what == QLatin1String("list") && words.size() == 1) {
        co_return listRuns(cli);
    }
    const bool exporting = what == QLatin1String("export") && words.size() == 3;
    if (!exporting && !(what == QLatin1String("show") && words.size() == 2)) {
        co_return cli.console.error(
            {ErrorCode::InvalidRequest,
             Tr::tr("Usage: glovebox-cli runs list | show RUN | export RUN DIR"),
             {}});
    }
    const Result<QString> id = cli.services.store().findRun(words.at(1));
    if (!id) {
        co_return cli.console.error(id.error());
    }
    if (!exporting) {
        co_return showRun(cli, *id);
    }
    const QString target = QFileInfo(words.at(2)).absoluteFilePath();
    const Result<void> done = exportDossier(cli.services.store(), *id, target);
    if (!done) {
        co_return cli.console.error(done.error());
    }
    cli.console.document({{QStringLiteral("run"), *id}, {QStringLiteral("folder"), target}});
    cli.console.result(Tr::tr("The run is in %1.").arg(target));
    co_return ExitDone;
}

QCoro::Task<int> reviewVerb(Cli &cli)
{
    const QString what = cli.options.arguments.at(0);
    const Result<ReviewSubject> subject =
        what.contains(QLatin1String("..")) ? subjectOfRange(cli, what) : subjectOfRun(cli, what);
    if (!subject) {
        co_return cli.console.error(subject.error());
    }
    const auto read = [git = subject->gitFolder, base = subject->base, tip = subject->tip] {
        return readChangeSet(git, base, tip);
    };
    const Result<ChangeSet> changes = co_await runInPool(read);
    if (!changes) {
        co_return cli.console.error(changes.error());
    }
    showChanges(cli, *subject, *changes);
    co_return ExitDone;
}

} // namespace Glovebox
