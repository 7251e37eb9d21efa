// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"

#include "core/base/terminaltext.h"
#include "core/runs/planner.h"
#include "core/runs/receipt.h"

#include <QFile>
#include <QPromise>

#include <qcorofuture.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

QString durationLine(qint64 milliseconds)
{
    return milliseconds < 10'000
               ? Tr::tr("%1 s").arg(static_cast<double>(milliseconds) / 1000, 0, 'f', 1)
               : durationText(std::chrono::seconds(milliseconds / 1000));
}

/// Shows a run on standard error while it goes on.
class RunProgress final : public QObject
{
public:
    RunProgress(Console &console, std::shared_ptr<Run> run, bool quiet)
        : m_console(console)
        , m_run(std::move(run))
        , m_log(m_run->logFile())
    {
        if (quiet) {
            connect(m_run.get(), &Run::phaseChanged, this,
                    [this](RunPhase phase) { m_console.progress(phaseText(phase)); });
        } else {
            connect(m_run.get(), &Run::logGrew, this, [this] { showLog(); });
        }
    }
    void finish() { showLog(); }

private:
    void showLog()
    {
        if (!m_log.isOpen() && !m_log.open(QIODevice::ReadOnly)) {
            return;
        }
        // Whole lines only, so that what is shown can be made harmless line by line.
        m_pending += m_log.readAll();
        const qsizetype end = m_pending.lastIndexOf('\n') + 1;
        if (end > 0) {
            m_console.log(m_pending.left(end));
            m_pending.remove(0, end);
        }
    }

    Console &m_console;
    std::shared_ptr<Run> m_run;
    QFile m_log;
    QByteArray m_pending;
};

void showEvidence(Console &console, const RunReport &report)
{
    for (const Evidence &evidence : report.evidence) {
        console.result(Tr::tr("  %1 on %2: exit %3, %4")
                           .arg(evidence.line, subjectText(evidence.subject))
                           .arg(evidence.result.exitCode)
                           .arg(durationLine(evidence.result.duration.count())));
    }
}

void showResult(Console &console, const RunReport &report, const QString &folder)
{
    const RunRecord &run = report.run;
    console.result(QStringLiteral("%1. %2").arg(outcomeText(*run.outcome), run.message));
    showEvidence(console, report);
    if (!run.branch.isEmpty()) {
        console.result(Tr::tr("  branch %1 at %2, on base %3")
                           .arg(run.branch, run.tip.left(7), run.base.left(7)));
    }
    for (const QString &path : report.outOfScope) {
        console.result(Tr::tr("  outside the scope: %1").arg(path));
    }
    for (const HazardRecord &hazard : report.hazards) {
        console.result(
            Tr::tr("  hazard %1: %2 %3").arg(hazard.kind, hazard.reason, displayText(hazard.path)));
    }
    for (const QString &warning : report.warnings) {
        console.result(Tr::tr("  note: %1").arg(warning));
    }
    if (*run.outcome != Outcome::Accepted && !run.lastWords.isEmpty()) {
        console.result(Tr::tr("  The agent's last words, not evidence:"));
        for (const QString &line : run.lastWords.right(1000).split(QLatin1Char('\n'))) {
            console.result(QStringLiteral("  > ") + displayText(line));
        }
    }
    console.result(Tr::tr("Next: %1").arg(nextStepText(*run.outcome)));
    console.result(Tr::tr("Everything about it: %1").arg(folder));
}

QCoro::Task<void> waitForEnd(RunQueue &queue, QString run)
{
    QPromise<void> over;
    over.start();
    QObject context;
    QObject::connect(&queue, &RunQueue::runOver, &context, [&over, run](const QString &ended) {
        if (ended == run) {
            over.finish();
        }
    });
    const QFuture<void> future = over.future();
    co_await future;
}

int report(Cli &cli, const std::shared_ptr<Run> &run)
{
    const Result<RunReport> report = readReport(cli.services.store(), *run);
    if (!report) {
        return cli.console.error(report.error());
    }
    if (!report->run.outcome) {
        return cli.console.error(
            {ErrorCode::FileError, Tr::tr("The end of the run could not be recorded."), {}});
    }
    cli.console.document(reportJson(*report));
    showResult(cli.console, *report, run->folder());
    return exitCodeOf(*report->run.outcome);
}

} // namespace

QCoro::Task<int> runVerb(Cli &cli)
{
    const Result<int> recovered = co_await cli.services.queue().recover(cli.stop);
    if (!recovered) {
        co_return cli.console.error(recovered.error());
    }
    if (*recovered > 0) {
        cli.console.progress(
            Tr::tr("%n interrupted runs of an earlier start were ended.", nullptr, *recovered));
    }
    const PlanRequest request = planRequestOf(cli);
    const Result<PlannedRun> planned =
        co_await makePlan(plannerPartsOf(cli.services), request, cli.stop);
    if (!planned) {
        co_return cli.console.error(planned.error());
    }
    for (const Problem &problem : planned->problems) {
        cli.console.progress(problemLine(request.taskFile, problem));
    }
    if (!planned->prepared) {
        co_return cli.console.error({ErrorCode::InvalidRequest,
                                     Tr::tr("The run was not started. Mend the errors above."),
                                     {}});
    }
    const Result<std::shared_ptr<Run>> run = cli.services.queue().submit(*planned->prepared);
    if (!run) {
        co_return cli.console.error(run.error());
    }
    RunProgress progress(cli.console, *run, cli.options.has(QStringLiteral("quiet")));
    cli.interrupt.onInterrupt([&cli, id = (*run)->id()](int times) {
        cli.console.progress(times == 1
                                 ? Tr::tr("Stopping; what was done is kept. Once more discards it.")
                                 : Tr::tr("Stopping; what was done is discarded."));
        cli.services.queue().cancel(id, times == 1 ? StopMode::KeepWork : StopMode::Discard);
    });
    co_await waitForEnd(cli.services.queue(), (*run)->id());
    progress.finish();
    co_return report(cli, *run);
}

} // namespace Glovebox
