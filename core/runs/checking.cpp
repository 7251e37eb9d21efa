// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/base/pool.h"
#include "core/git/globs.h"
#include "core/git/repository.h"
#include "core/runs/insidegit.h"

#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Checking)
};

/// A fresh checkout to run the checks in.
struct Checkout
{
    RunSandbox sandbox;
    Subject subject = Subject::Branch;
    QString folder;
    QString commit;
};

QString folderOf(const RunSandbox &sandbox, Subject subject)
{
    return sandbox.sandbox->workFolder() + QStringLiteral("/check-") + subjectName(subject);
}

QCoro::Task<Step> checkOut(SharedContext context, Checkout checkout, std::stop_token stop)
{
    const RunPlan &plan = context->run->plan();
    const QString work = checkout.sandbox.sandbox->workFolder();
    CheckoutRequest request;
    request.baseBundle = work + baseBundleName();
    request.resultBundle =
        checkout.subject == Subject::Base ? QString() : work + resultBundleName();
    request.repository = checkout.folder;
    request.branch = plan.branch;
    request.tip = checkout.commit;
    const Result<QByteArray> script = checkoutScript(plan.bundle, request);
    const QString purpose = QStringLiteral("checkout");
    co_return co_await runGitScript(context, checkout.sandbox, script, purpose, stop);
}

/// The base's files that match the globs, for the branch to be judged by them.
/// Of paths that end with NUL, those that the globs name.
QByteArray pathsIn(const QList<QByteArray> &paths, const QStringList &globs)
{
    const GlobSet wanted(globs);
    QByteArray list;
    for (const QByteArray &path : paths) {
        if (!path.isEmpty() && wanted.matches(path)) {
            list += path + '\0';
        }
    }
    return list;
}

Result<QByteArray> pathsToRestore(const QString &gitFolder, const QString &base,
                                  const QStringList &globs)
{
    const Result<QList<QByteArray>> paths = pathsOf(gitFolder, base);
    if (!paths) {
        return fail(paths.error());
    }
    return pathsIn(*paths, globs);
}

/// git on a list of paths in the checkout.
QCoro::Task<Step> withPaths(SharedContext context, Checkout checkout, QString arguments,
                            QByteArray paths, std::stop_token stop)
{
    if (paths.isEmpty()) {
        co_return Step();
    }
    InsideRequest request;
    request.sandbox = checkout.sandbox;
    request.purpose = QStringLiteral("checkout");
    const QString line = QStringLiteral("git --literal-pathspecs -c core.hooksPath=/dev/null %1 "
                                        "--pathspec-from-file=- --pathspec-file-nul")
                             .arg(arguments);
    request.command = shellCommand(line, checkout.folder, context->limits.seed);
    request.command.standardInput = paths;
    const Result<FinishedCommand> finished = co_await runInside(context, request, stop);
    if (!finished) {
        co_return endWith(Outcome::SandboxError, finished.error());
    }
    if (!finished->succeeded()) {
        co_return endWith(Outcome::SandboxError, ErrorCode::CommandFailed,
                          Tr::tr("The base's tests could not be put back."),
                          tailOf(finished->outputFile));
    }
    co_return Step();
}

/// What the branch added beside the base's tests may change how they run: it goes.
QCoro::Task<Step> removeAddedTests(SharedContext context, Checkout checkout, std::stop_token stop)
{
    const RunPlan &plan = context->run->plan();
    const QString line =
        QStringLiteral("cd %1 && git -c core.hooksPath=/dev/null diff --no-ext-diff "
                       "--no-renames --name-only --diff-filter=A -z %2 HEAD")
            .arg(checkout.folder, plan.base());
    const Result<QByteArray> script = line.toUtf8();
    const QString purpose = QStringLiteral("checkout");
    const std::chrono::seconds limit = context->limits.seed;
    const Result<QByteArray> added =
        co_await gitScriptOutput(context, checkout.sandbox, script, purpose, limit, stop);
    if (!added) {
        co_return endWith(Outcome::SandboxError, added.error());
    }
    const QByteArray paths = pathsIn(added->split('\0'), plan.task.verify.baseTests);
    co_return co_await withPaths(context, checkout, QStringLiteral("rm -q -f"), paths, stop);
}

QCoro::Task<Step> restoreBaseTests(SharedContext context, Checkout checkout, std::stop_token stop)
{
    const RunPlan &plan = context->run->plan();
    const auto find = [git = plan.gitFolder, base = plan.base(),
                       globs = plan.task.verify.baseTests] {
        return pathsToRestore(git, base, globs);
    };
    const Result<QByteArray> paths = co_await runInPool(find);
    if (!paths) {
        co_return endWith(Outcome::SandboxError, paths.error());
    }
    if (paths->isEmpty()) {
        context->run->addWarning(Tr::tr("base_tests matches no file of the base."));
    }
    Step step = co_await removeAddedTests(context, checkout, stop);
    if (step) {
        const QString checkoutBase = QStringLiteral("checkout -q ") + plan.base();
        const QByteArray list = *paths;
        step = co_await withPaths(context, checkout, checkoutBase, list, stop);
    }
    co_return step;
}

Evidence evidenceOf(const SharedContext &context, const Checkout &checkout,
                    const AcceptanceCommand &check, const FinishedCommand &finished,
                    const QByteArray &digest)
{
    Evidence evidence;
    evidence.id = newId();
    evidence.command = finished.record.id;
    evidence.check = check.name.isEmpty() ? check.run : check.name;
    evidence.line = check.run;
    evidence.subject = checkout.subject;
    evidence.commit = checkout.commit;
    evidence.role = checkout.sandbox.role;
    evidence.policyDigest = QString::fromLatin1(context->run->plan().policy.digest);
    evidence.result = finished.result;
    evidence.log = finished.record.log;
    evidence.outputSha256 = digest;
    evidence.outputBytes = QFileInfo(finished.outputFile).size();
    evidence.at = context->clock.now();
    return evidence;
}

QCoro::Task<Step> runChecks(SharedContext context, Checkout checkout, std::stop_token stop)
{
    const QList<AcceptanceCommand> checks = context->run->plan().task.acceptance;
    for (const AcceptanceCommand &check : checks) {
        InsideRequest request;
        request.sandbox = checkout.sandbox;
        request.purpose = QStringLiteral("check");
        request.shown = QStringLiteral("%1 [%2]").arg(check.run, subjectText(checkout.subject));
        request.command = shellCommand(check.run, checkout.folder, check.timeout);
        request.command.environment = temporaryFolder(checkout.sandbox);
        const Result<FinishedCommand> finished = co_await runInside(context, request, stop);
        if (!finished) {
            co_return endWith(Outcome::SandboxError, finished.error());
        }
        const auto hash = [file = finished->outputFile] {
            return sha256OfFile(file);
        };
        const Result<QByteArray> digest = co_await runInPool(hash);
        if (!digest) {
            co_return endWith(Outcome::SandboxError, digest.error());
        }
        const Evidence evidence = evidenceOf(context, checkout, check, *finished, *digest);
        const Result<void> stored = context->store.insertEvidence(context->run->id(), evidence);
        if (!stored) {
            co_return endWith(Outcome::SandboxError, stored.error());
        }
        context->run->addEvidence(evidence);
        if (evidence.unknown()) {
            co_return endWith(Outcome::SandboxError, ErrorCode::SandboxGone,
                              Tr::tr("Nobody can tell how \"%1\" ended.").arg(check.run),
                              tailOf(finished->outputFile));
        }
    }
    co_return Step();
}

QCoro::Task<Step> checkSubject(SharedContext context, Checkout checkout, std::stop_token stop)
{
    Step step = co_await checkOut(context, checkout, stop);
    if (step && checkout.subject == Subject::BranchWithBaseTests) {
        step = co_await restoreBaseTests(context, checkout, stop);
    }
    if (!step) {
        co_return step;
    }
    const QString folder = checkout.folder;
    step = co_await runSetup(context, checkout.sandbox, folder, stop);
    if (!step && step.error().outcome == Outcome::SetupFailed) {
        if (checkout.subject != Subject::Branch) {
            context->run->addWarning(step.error().error.message);
            co_return Step(); // an option that cannot be answered; the verdict is the branch's
        }
        step.error().outcome = Outcome::AcceptanceFailed; // it passed before the agent's work
    }
    if (step) {
        step = co_await runChecks(context, checkout, stop);
    }
    co_return step;
}

/// Both bundles from our disk, also into the agent's sandbox: what lay there it could have changed.
QCoro::Task<Step> putResultBundle(SharedContext context, RunSandbox sandbox, std::stop_token stop)
{
    const Upload upload{sandbox.sandbox->workFolder() + resultBundleName(),
                        LocalFile{context->saved->file}, false};
    const Result<void> put = co_await sandbox.sandbox->upload(upload, stop);
    if (!put) {
        co_return endWith(Outcome::SandboxError, put.error());
    }
    co_return Step();
}

/// The branch's own code has run: what it left, and could change of the runner, must not have a say
/// in what follows.
QCoro::Task<Step> endChecks(RunSandbox sandbox, std::stop_token stop)
{
    const Result<int> left = co_await sandbox.sandbox->endAll(EndScope::Everything, stop);
    if (!left) {
        co_return endWith(Outcome::SandboxError, left.error());
    }
    if (*left > 0) {
        co_return endWith(Outcome::SandboxError, ErrorCode::Busy,
                          Tr::tr("%n processes of the checks could not be ended, so nothing that "
                                 "follows could be trusted.",
                                 nullptr, *left));
    }
    co_return Step();
}

QList<Subject> subjectsOf(const TaskFile &task)
{
    QList<Subject> subjects{Subject::Branch};
    if (task.verify.onBase) {
        subjects << Subject::Base;
    }
    if (!task.verify.baseTests.isEmpty()) {
        subjects << Subject::BranchWithBaseTests;
    }
    return subjects;
}

/// What the options found is said, but does not change the verdict.
void explain(const SharedContext &context)
{
    // Nothing is said of what was not run.
    const auto verdict = [&context](Subject subject) {
        std::optional<bool> passed;
        for (const Evidence &evidence : context->run->evidence()) {
            if (evidence.subject == subject) {
                passed = passed.value_or(true) && evidence.passed();
            }
        }
        return passed;
    };
    if (verdict(Subject::Branch) != true) {
        return; // it failed: why is in its output
    }
    if (verdict(Subject::Base) == true) {
        context->run->addWarning(
            Tr::tr("Passed on the base as well: the check doesn't show the change."));
    }
    if (verdict(Subject::BranchWithBaseTests) == false) {
        context->run->addWarning(Tr::tr("Passes only with the changed tests."));
    }
}

} // namespace

QCoro::Task<Step> checking(SharedContext context, std::stop_token stop)
{
    Step step = enter(context, RunPhase::Checking);
    if (!step) {
        co_return step;
    }
    RunSandbox sandbox = context->work;
    if (context->run->plan().verifyIn == VerifyIn::Clean) {
        const tl::expected<RunSandbox, RunEnd> made = co_await takeVerifySandbox(context, stop);
        if (!made) {
            co_return tl::unexpected<RunEnd>(made.error());
        }
        sandbox = *made;
        // The agent's work is on our disk and verified: its sandbox goes while the checks run.
        context->ending.push_back(releaseSandbox(context, context->work));
        context->work.sandbox.reset();
    } else {
        step = co_await putBaseBundle(context, sandbox, stop); // the agent could write to the first
    }
    if (step) {
        step = co_await putResultBundle(context, sandbox, stop);
    }
    for (const Subject subject : subjectsOf(context->run->plan().task)) {
        if (step && subject != Subject::Branch) {
            step = co_await endChecks(sandbox, stop);
        }
        if (!step) {
            break;
        }
        const QString commit =
            subject == Subject::Base ? context->run->plan().base() : context->saved->tip;
        const Checkout checkout{sandbox, subject, folderOf(sandbox, subject), commit};
        step = co_await checkSubject(context, checkout, stop);
    }
    explain(context);
    if (context->verify) {
        context->ending.push_back(releaseSandbox(context, *context->verify));
        context->verify.reset();
    }
    co_return step;
}

} // namespace Glovebox
