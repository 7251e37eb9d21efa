// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/pool.h"
#include "core/git/repository.h"
#include "core/review/changeset.h"
#include "core/runs/insidegit.h"

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

QList<HazardRecord> hazardsOf(const ImportReport &report)
{
    QList<HazardRecord> records;
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

/// Own keys in what comes back: never let in, and not kept either.
QCoro::Task<Result<QStringList>> secretsIn(SharedContext context, ImportReport report,
                                           std::stop_token stop)
{
    if (context->secrets->isEmpty()) {
        co_return QStringList();
    }
    GitRequest list;
    list.gitFolder = report.quarantine;
    list.arguments = QStringList{QStringLiteral("rev-list"), QStringLiteral("--objects"),
                                 QStringLiteral("--no-object-names"), report.tip,
                                 QStringLiteral("^") + context->run->plan().base()};
    const Result<QByteArray> objects = co_await gitOutput(list, stop);
    if (!objects) {
        co_return fail(objects.error());
    }
    GitRequest read;
    read.gitFolder = report.quarantine;
    read.arguments = QStringList{QStringLiteral("cat-file"), QStringLiteral("--batch"),
                                 QStringLiteral("--buffer")};
    read.input = *objects;
    read.outputLimit = 1LL << 30;
    const Result<QByteArray> contents = co_await gitOutput(read, stop);
    if (!contents) {
        co_return fail(contents.error());
    }
    const auto find = [forms = context->secrets, bytes = *contents] {
        return forms->find(bytes);
    };
    const QStringList names = co_await runInPool(find);
    co_return names;
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
    const ImportRequest request = requestOf(context);
    const Result<ImportReport> report = co_await checkBundle(request, stop);
    if (!report) {
        co_return endWith(Outcome::ImportRefused, report.error());
    }
    ImportReport checked = *report;
    if (!checked.refused) {
        const Result<QStringList> secrets = co_await secretsIn(context, checked, stop);
        if (!secrets) {
            co_return endWith(Outcome::ImportRefused, secrets.error());
        }
        if (!secrets->isEmpty()) {
            checked.refused = true;
            checked.code = QStringLiteral("own-secret-in-result");
            checked.reason = Tr::tr("The returned commits hold the value of %1. The bundle was "
                                    "deleted. Revoke that key.")
                                 .arg(secrets->join(QStringLiteral(", ")));
            deleteBundles(context);
        }
    }
    const QList<HazardRecord> hazards = hazardsOf(checked);
    Result<void> stored =
        context->store.insertImport(context->run->id(), recordOf(context, checked));
    if (stored) {
        stored = context->store.insertHazards(context->run->id(), hazards);
    }
    if (!stored) {
        co_return endWith(Outcome::SandboxError, stored.error());
    }
    context->run->setHazards(hazards);
    Step step;
    if (checked.refused) {
        step = refuse(context, checked.reason, checked.code);
    } else {
        step = co_await publish(context, checked, stop);
    }
    if (!checked.quarantine.isEmpty()) {
        const Result<void> gone = discardQuarantine(checked.quarantine);
        if (!gone) {
            context->run->addWarning(gone.error().message);
        }
    }
    co_return step;
}

} // namespace Glovebox
