// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/deadline.h"
#include "core/base/pool.h"
#include "core/git/repository.h"
#include "core/review/changeset.h"
#include "core/runs/insidegit.h"
#include "core/runs/ownsecrets.h"

#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Importing)
};

constexpr qint64 longestBlocked = 64LL * 1024;
const QByteArray blockedPath = QByteArrayLiteral("BLOCKED.md");

ImportRequest requestOf(const SharedContext &context)
{
    const RunPlan &plan = context->run->plan();
    ImportRequest request;
    request.gitFolder = plan.gitFolder;
    request.bundle = context->saved->file;
    request.base = plan.base();
    request.expectedTip = context->saved->tip;
    request.agentEmail = agentIdentity().email;
    request.folder = context->run->folder();
    request.limits.bundleBytes = context->limits.bundleBytes;
    return request;
}

ImportRecord recordOf(const SharedContext &context, const ImportReport &report)
{
    ImportRecord record;
    record.file = QFileInfo(context->saved->file).fileName();
    record.sha256 = QString::fromLatin1(report.sha256);
    record.tip = report.tip;
    record.verdict = report.refused ? QStringLiteral("refused") : QStringLiteral("accepted");
    record.code = report.code;
    record.reason = report.reason;
    return record;
}

/// Those of the bundle, and what could not be looked for.
QList<HazardRecord> hazardsOf(const SharedContext &context, const ImportReport &report)
{
    QList<HazardRecord> records;
    if (!context->unknownSecrets.isEmpty()) {
        records << HazardRecord{
            report.tip, QByteArray(), QStringLiteral("own-secret-unchecked"),
            Tr::tr("Whether the commits hold the value of %1 was not checked: the value is not "
                   "known any more. Look for it before you push.")
                .arg(context->unknownSecrets.join(QStringLiteral(", ")))};
    }
    for (const ImportHazard &hazard : report.hazards) {
        records << HazardRecord{hazard.commit, hazard.path, hazard.code, hazard.reason};
    }
    return records;
}

/// Everything about the branch that the outcome needs; libgit2, on a pool thread.
Result<ReturnedBranch> readReturned(const QString &gitFolder, const QString &base,
                                    const QString &tip, const TaskFile &task)
{
    const Result<ChangeSet> changes = readChangeSet(gitFolder, base, tip);
    if (!changes) {
        return fail(changes.error());
    }
    ReturnedBranch returned;
    returned.tip = tip;
    returned.files = static_cast<int>(changes->files.size());
    returned.added = changes->added();
    returned.removed = changes->removed();
    returned.outOfScope = outOfScope(*changes, task.scope, task.forbid);
    for (const FileChange &file : changes->files) {
        if (file.path == blockedPath && file.kind != ChangeKind::Deleted) {
            returned.blocked = QString::fromUtf8(
                fileOf(gitFolder, tip, blockedPath).value_or(QByteArray()).left(longestBlocked));
            if (returned.blocked.isEmpty()) {
                returned.blocked = Tr::tr("(BLOCKED.md is empty.)");
            }
        }
    }
    return returned;
}

/// The checkpoints too: any of them may hold the key.
void deleteBundles(const SharedContext &context)
{
    QStringList kept{QFileInfo(context->saved->file).fileName()};
    for (const CheckpointRecord &checkpoint : context->run->checkpoints()) {
        kept << checkpoint.file;
    }
    for (const QString &name : kept) {
        const QString file = context->run->folder() + QLatin1Char('/') + name;
        if (QFile::exists(file) && !QFile::remove(file)) {
            context->run->addWarning(
                Tr::tr("%1 holds a key and could not be deleted. Delete it.").arg(file));
        }
    }
}

Step refuse(const SharedContext &context, const QString &reason, const QString &code)
{
    const Result<void> said = context->log->line(Tr::tr("Refused: %1").arg(reason));
    Q_UNUSED(said); // the outcome says it as well
    return endWith(Outcome::ImportRefused, ErrorCode::Forbidden, reason, code);
}

QCoro::Task<Step> publish(SharedContext context, ImportReport report, std::stop_token stop)
{
    const RunPlan &plan = context->run->plan();
    PublishRequest request;
    request.gitFolder = plan.gitFolder;
    request.quarantine = report.quarantine;
    request.tip = report.tip;
    request.branch = plan.branch;
    const Result<QString> branch = co_await publishBranch(request, stop);
    if (!branch) {
        co_return endWith(Outcome::ImportRefused, branch.error());
    }
    const auto read = [git = plan.gitFolder, base = plan.base(), tip = report.tip,
                       task = plan.task] {
        return readReturned(git, base, tip, task);
    };
    const Result<ReturnedBranch> returned = co_await runInPool(read);
    Result<void> stored = context->store.setBranch(context->run->id(), *branch);
    if (stored) {
        stored = context->store.setTip(context->run->id(), report.tip);
    }
    if (!stored || !returned) {
        co_return endWith(Outcome::ImportRefused, stored ? returned.error() : stored.error());
    }
    ReturnedBranch result = *returned;
    result.branch = *branch;
    result.commits = report.commits;
    context->run->setReturned(result);
    stored = context->log->line(Tr::tr("Branch %1 is at %2.").arg(*branch, report.tip.left(7)));
    if (!stored) {
        co_return endWith(Outcome::SandboxError, stored.error());
    }
    co_return Step();
}

/// Own keys in what comes back: never let in, and not kept either.
QCoro::Task<Result<void>>
refuseOwnSecrets(SharedContext context, std::shared_ptr<ImportReport> checked, std::stop_token stop)
{
    OwnSecretsRequest request;
    request.gitFolder = checked->quarantine;
    request.base = context->run->plan().base();
    request.tip = checked->tip;
    request.secrets = context->secrets;
    const Result<QStringList> names = co_await ownSecretsIn(request, stop);
    if (!names) {
        co_return fail(names.error());
    }
    if (!names->isEmpty()) {
        checked->refused = true;
        checked->code = QStringLiteral("own-secret-in-result");
        checked->reason = Tr::tr("The returned commits hold the value of %1. The bundle was "
                                 "deleted. Revoke that key.")
                              .arg(names->join(QStringLiteral(", ")));
        deleteBundles(context);
    }
    co_return Result<void>();
}

Result<void> storeReport(const SharedContext &context, const ImportReport &checked)
{
    const QList<HazardRecord> hazards = hazardsOf(context, checked);
    Result<void> stored =
        context->store.insertImport(context->run->id(), recordOf(context, checked));
    if (stored) {
        stored = context->store.insertHazards(context->run->id(), hazards);
    }
    if (stored) {
        context->run->setHazards(hazards);
    }
    return stored;
}

/// What passed the quarantine, or was refused by it.
QCoro::Task<Step> takeIn(SharedContext context, std::shared_ptr<ImportReport> checked,
                         std::stop_token stop)
{
    if (!checked->refused) {
        const Result<void> looked = co_await refuseOwnSecrets(context, checked, stop);
        if (!looked) {
            co_return endWith(Outcome::ImportRefused, looked.error());
        }
    }
    const Result<void> stored = storeReport(context, *checked);
    if (!stored) {
        co_return endWith(Outcome::SandboxError, stored.error());
    }
    if (checked->refused) {
        co_return refuse(context, checked->reason, checked->code);
    }
    const ImportReport report = *checked;
    co_return co_await publish(context, report, stop);
}

QCoro::Task<Step> importNow(SharedContext context, std::stop_token stop)
{
    const ImportRequest request = requestOf(context);
    const Result<ImportReport> report = co_await checkBundle(request, stop);
    if (!report) {
        co_return endWith(Outcome::ImportRefused, report.error());
    }
    const auto checked = std::make_shared<ImportReport>(*report);
    const Step step = co_await takeIn(context, checked, stop);
    if (!checked->quarantine.isEmpty()) {
        const Result<void> gone = discardQuarantine(checked->quarantine);
        if (!gone) {
            context->run->addWarning(gone.error().message);
        }
    }
    co_return step;
}

QString quoted(QString text)
{
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QLatin1String("'\\''")) +
           QLatin1Char('\'');
}

/// Our own failure loses nothing: the bundle is there, and can be imported by hand.
void sayHowToTryAgain(const SharedContext &context, const Error &error)
{
    const bool again = error.code != ErrorCode::Forbidden && error.code != ErrorCode::Cancelled;
    if (again && QFile::exists(context->saved->file)) {
        const RunPlan &plan = context->run->plan();
        context->run->addWarning(
            Tr::tr("What came back is kept. To import it later: %1")
                .arg(QStringLiteral("glovebox-cli import %1 --repo %2 --base %3")
                         .arg(quoted(context->saved->file), quoted(plan.repository), plan.base())));
    }
}

} // namespace

QCoro::Task<Step> importing(SharedContext context, std::stop_token stop)
{
    const Step entered = enter(context, RunPhase::Importing);
    if (!entered) {
        co_return entered;
    }
    co_return co_await importSavedWork(context, stop);
}

QCoro::Task<Step> importSavedWork(SharedContext context, std::stop_token stop)
{
    const std::chrono::milliseconds most = context->limits.import;
    const Deadline deadline(most, stop);
    Step step = co_await importNow(context, deadline.token());
    if (!step && step.error().error.code == ErrorCode::Cancelled && deadline.isOver()) {
        step = endWith(Outcome::ImportRefused, ErrorCode::TimedOut,
                       Tr::tr("The import did not end within %1.").arg(limitText(most)));
    }
    if (!step) {
        sayHowToTryAgain(context, step.error().error);
    }
    co_return step;
}

} // namespace Glovebox
