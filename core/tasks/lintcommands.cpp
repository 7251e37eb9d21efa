// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lintrun.h"
#include "core/tasks/shellline.h"

#include <QCoreApplication>

#include <re2/re2.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Lint)
};

const QString acceptanceKey = QStringLiteral("acceptance");
const QString setupKey = QStringLiteral("setup");

/// \a line without the ending that makes it succeed always, if what is left can fail.
QString withoutExcuse(const QString &line)
{
    static const re2::RE2 ending("(?s)^(.*?\\S)\\s*(?:\\|\\|\\s*(?:true|:|exit 0|echo [^|;&]*)|"
                                 "[;\\n]\\s*(?:true|:|exit 0|echo [^|;&]*))\\s*;?\\s*$");
    std::string rest = line.toStdString();
    std::string shorter;
    while (re2::RE2::FullMatch(rest, ending, &shorter)) {
        rest = shorter;
        const QString candidate = QString::fromStdString(rest);
        if (judgeShellLine(candidate).canFail) {
            return candidate;
        }
    }
    return {};
}

void offerWithoutExcuse(LintRun *run, Problem *problem, qsizetype item)
{
    const QString mended = withoutExcuse(run->task.acceptance.at(item).run);
    if (mended.isEmpty()) {
        return;
    }
    TaskFile changed = run->task;
    AcceptanceCommand &command = changed.acceptance[item];
    if (command.name == command.run) {
        command.name = mended;
    }
    command.run = mended;
    run->offer(problem, Tr::tr("Use \"%1\"").arg(mended.section(QLatin1Char('\n'), 0, 0)),
               acceptanceKey, changed);
}

void lintPrograms(LintRun *run, const QStringList &programs, const QString &key, qsizetype item)
{
    if (!run->facts.backend || run->facts.backend->programs.isEmpty()) {
        return;
    }
    for (const QString &program : programs) {
        if (!run->facts.backend->programs.contains(program)) {
            run->add(Severity::Warning, "program-missing",
                     Tr::tr("\"%1\" is not there in this backend's sandbox; install it under "
                            "setup or choose a template that has it.")
                         .arg(program),
                     key, item);
        }
    }
}

/// A package of that name on the registry is another program.
void lintTraps(LintRun *run, const QString &line, const QString &key, qsizetype item)
{
    static const re2::RE2 containerUse("(?:^|[\\s;&|(])(?:npx|npm (?:exec|install|i)|pnpm dlx|bunx)"
                                       "(?:\\s+-\\S+)*\\s+container-use\\b");
    if (re2::RE2::PartialMatch(line.toStdString(), containerUse)) {
        run->add(Severity::Error, "trap-container-use",
                 Tr::tr("The npm package container-use is not the container-use program; install "
                        "the program itself."),
                 key, item);
    }
}

void lintAcceptance(LintRun *run, qsizetype item)
{
    const QString &line = run->task.acceptance.at(item).run;
    const ShellVerdict verdict = judgeShellLine(line);
    if (!verdict.hasCommand) {
        run->add(Severity::Error, "acceptance-cannot-fail",
                 Tr::tr("Only a comment stands here; write the command that checks the work."),
                 acceptanceKey, item);
        return;
    }
    if (!verdict.canFail) {
        Problem &problem = run->add(
            Severity::Error, "acceptance-cannot-fail",
            Tr::tr("This command succeeds whatever the agent did, so it proves nothing; let it "
                   "end with the check's own exit code."),
            acceptanceKey, item);
        offerWithoutExcuse(run, &problem, item);
    } else if (verdict.hidesInPipe) {
        run->add(Severity::Warning, "acceptance-pipe",
                 Tr::tr("The last program of the pipe decides here, not the check in front of it; "
                        "leave the pipe out."),
                 acceptanceKey, item);
    }
    lintTraps(run, line, acceptanceKey, item);
    lintPrograms(run, verdict.programs, acceptanceKey, item);
}

} // namespace

void lintCommands(LintRun *run)
{
    if (run->task.acceptance.isEmpty()) {
        run->add(Severity::Error, "no-acceptance",
                 run->document.isPlainForm()
                     ? Tr::tr("There is no runnable acceptance command: put one in back-quotes "
                              "behind \"Acceptance:\".")
                     : Tr::tr("There is no runnable acceptance command: name one under "
                              "\"acceptance\" that exits with 0 only when the work is done."),
                 acceptanceKey);
    }
    for (qsizetype i = 0; i < run->task.acceptance.size(); ++i) {
        lintAcceptance(run, i);
    }
    for (qsizetype i = 0; i < run->task.setup.size(); ++i) {
        lintTraps(run, run->task.setup.at(i), setupKey, i);
        lintPrograms(run, judgeShellLine(run->task.setup.at(i)).programs, setupKey, i);
    }
    if (!run->task.agent.command.isEmpty()) {
        lintTraps(run, run->task.agent.command, QStringLiteral("agent"), -1);
    }
}

} // namespace Glovebox
