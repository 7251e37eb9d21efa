// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/files.h"
#include "core/git/gitcommand.h"
#include "core/runs/insidegit.h"

#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Sealing)
};

SealRequest sealRequest(const SharedContext &context, std::chrono::seconds limit)
{
    const RunPlan &plan = context->run->plan();
    const QString work = context->work.sandbox->workFolder();
    SealRequest request;
    request.repository = context->work.repository;
    request.branch = plan.branch;
    request.base = plan.base();
    request.shallow = plan.bundle.shallow;
    request.baseBundle = work + baseBundleName();
    request.target = work + resultBundleName();
    request.identity = agentIdentity();
    request.time = context->clock.now().toSecsSinceEpoch();
    // So that there is time left for what else is to do: the commits come home in any case.
    request.addSeconds = std::max(1, static_cast<int>(limit.count() / 3));
    return request;
}

/// Brings the bundle here, has git verify it, and writes it down: file first, then row.
QCoro::Task<Result<void>> bringHome(SharedContext context, SealReport report, QString name,
                                    std::stop_token stop)
{
    const QString file = context->run->folder() + QLatin1Char('/') + name;
    // Beside it, so that what was saved before is there until this is whole.
    const QString part = file + QStringLiteral(".part");
    QFile::remove(part);
    const QString inside = context->work.sandbox->workFolder() + resultBundleName();
    const qint64 most = context->limits.bundleBytes;
    const LocalFile target{part};
    const Result<QByteArray> digest =
        co_await context->work.sandbox->download(inside, target, most, stop);
    if (!digest) {
        QFile::remove(part);
        co_return fail(digest.error());
    }
    GitRequest verify;
    verify.gitFolder = context->run->plan().gitFolder;
    verify.arguments =
        QStringList{QStringLiteral("bundle"), QStringLiteral("verify"), QStringLiteral("-q"), part};
    const Result<QByteArray> verified = co_await gitOutput(verify, stop);
    if (!verified) {
        QFile::remove(part);
        co_return fail(verified.error());
    }
    const Result<void> replaced = replaceFile(part, file);
    if (!replaced) {
        co_return fail(replaced.error());
    }
    CheckpointRecord record;
    record.tip = report.tip;
    record.file = name;
    record.sha256 = QString::fromLatin1(*digest);
    record.bytes = QFileInfo(file).size();
    record.sealed = context->run->phase() == RunPhase::Sealing;
    record.at = context->clock.now();
    Result<void> stored = context->store.insertCheckpoint(context->run->id(), record);
    if (stored) {
        stored = context->store.setSavedTip(context->work.key, report.tip);
    }
    if (stored) {
        const QString before = context->saved ? QFileInfo(context->saved->file).fileName() : name;
        context->run->addCheckpoint(record);
        removeCheckpoints(context, {before, name}); // one more, should the newest be damaged
        context->saved = SavedWork{report.tip, file, report.commits};
        context->sealed = record.sealed;
    }
    co_return stored;
}

QString noteText(const QString &note)
{
    static const QHash<QString, const char *> texts{
        {QStringLiteral("other-head"),
         QT_TRANSLATE_NOOP("Sealing",
                           "The agent left another branch checked out; that is what was taken.")},
        {QStringLiteral("left-behind"),
         QT_TRANSLATE_NOOP("Sealing", "The task's own branch has commits that were not taken.")},
        {QStringLiteral("went-back"),
         QT_TRANSLATE_NOOP("Sealing",
                           "The agent went back to an older commit; the branch was taken.")},
        {QStringLiteral("history-rewritten"),
         QT_TRANSLATE_NOOP("Sealing",
                           "The agent rewrote history; its files were taken as one commit.")},
        {QStringLiteral("merge-in-progress"),
         QT_TRANSLATE_NOOP(
             "Sealing",
             "A merge or rebase was left unfinished; the files were taken as they are.")},
        {QStringLiteral("index-rebuilt"),
         QT_TRANSLATE_NOOP("Sealing", "The agent's index was unusable and was read anew.")},
        {QStringLiteral("not-added"),
         QT_TRANSLATE_NOOP("Sealing", "Some files could not be read and were not taken.")},
        {QStringLiteral("embedded-repository"),
         QT_TRANSLATE_NOOP(
             "Sealing", "A repository inside the work tree came back as a link without content.")},
        {QStringLiteral("add-timed-out"),
         QT_TRANSLATE_NOOP("Sealing",
                           "Taking in uncommitted files took too long; only commits were taken.")},
        {QStringLiteral("repository-rebuilt"),
         QT_TRANSLATE_NOOP(
             "Sealing",
             "The agent made its repository unusable; its files were taken on the base.")},
    };
    return texts.contains(note) ? Tr::tr(texts.value(note)) : note;
}

RunEnd nothingNew(const SharedContext &context)
{
    if (context->agentEnd) {
        return *context->agentEnd;
    }
    return RunEnd{Outcome::NothingChanged,
                  Error{ErrorCode::NotFound, Tr::tr("The agent ended without a commit."),
                        context->run->summary().lastWords}};
}

} // namespace

void removeCheckpoints(const SharedContext &context, const QStringList &kept)
{
    for (const CheckpointRecord &checkpoint : context->run->checkpoints()) {
        const QString file = context->run->folder() + QLatin1Char('/') + checkpoint.file;
        if (!kept.contains(checkpoint.file) && QFile::exists(file) && !QFile::remove(file)) {
            context->run->addWarning(Tr::tr("%1 could not be deleted.").arg(file));
        }
    }
}

void keepOnlyWhatCameBack(const SharedContext &context)
{
    QStringList kept;
    if (context->saved && context->stopMode == StopMode::KeepWork) {
        kept << QFileInfo(context->saved->file).fileName();
    }
    removeCheckpoints(context, kept);
}

QCoro::Task<Result<void>> takeCheckpoint(SharedContext context, std::chrono::seconds limit,
                                         std::stop_token stop)
{
    const Result<QByteArray> script = checkpointScript(sealRequest(context, limit));
    const QString purpose = QStringLiteral("checkpoint");
    const Result<QByteArray> output =
        co_await gitScriptOutput(context, context->work, script, purpose, limit, stop);
    if (!output) {
        co_return fail(output.error());
    }
    const Result<SealReport> report = readSeal(*output);
    if (!report) {
        co_return fail(report.error());
    }
    if (report->commits == 0 || (context->saved && context->saved->tip == report->tip)) {
        co_return Result<void>(); // nothing new to save
    }
    const QString name =
        QStringLiteral("checkpoint-%1.bundle").arg(context->run->checkpoints().size() + 1);
    co_return co_await bringHome(context, *report, name, stop);
}

QCoro::Task<Step> sealing(SharedContext context, std::stop_token stop)
{
    const Step entered = enter(context, RunPhase::Sealing);
    if (!entered) {
        co_return entered;
    }
    // Where the checks run in here too, even what the backend itself runs must be new.
    const EndScope scope = context->run->plan().verifyIn == VerifyIn::Same ? EndScope::Everything
                                                                           : EndScope::Leftovers;
    const Result<int> survivors = co_await context->work.sandbox->endAll(scope, stop);
    if (!survivors) {
        co_return endWith(Outcome::SandboxError, survivors.error());
    }
    if (*survivors > 0 && context->run->plan().verifyIn == VerifyIn::Same) {
        co_return endWith(Outcome::SandboxError, ErrorCode::Busy,
                          Tr::tr("%n processes of the agent could not be ended, so nothing there "
                                 "can be trusted. Use verify: clean.",
                                 nullptr, *survivors));
    }
    const std::chrono::seconds limit = context->limits.seal;
    const Result<QByteArray> script = sealScript(sealRequest(context, limit));
    const QString purpose = QStringLiteral("seal");
    const Result<QByteArray> output =
        co_await gitScriptOutput(context, context->work, script, purpose, limit, stop);
    if (!output) {
        co_return endWith(Outcome::SandboxError, output.error());
    }
    const Result<SealReport> report = readSeal(*output);
    if (!report) {
        co_return endWith(Outcome::SandboxError, report.error());
    }
    for (const QString &note : report->notes) {
        context->run->addWarning(noteText(note));
    }
    if (report->commits == 0) {
        co_return tl::unexpected<RunEnd>(nothingNew(context));
    }
    const QString name = QStringLiteral("result.bundle");
    const Result<void> home = co_await bringHome(context, *report, name, stop);
    if (!home) {
        co_return endWith(Outcome::SandboxError, home.error());
    }
    if (context->agentEnd && context->agentEnd->outcome == Outcome::AgentError) {
        context->run->addWarning(context->agentEnd->error.message);
    }
    co_return Step();
}

} // namespace Glovebox
