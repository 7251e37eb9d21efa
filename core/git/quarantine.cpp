// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/quarantine.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/base/pool.h"
#include "core/base/safefolder.h"
#include "core/git/importstages.h"
#include "core/git/referencename.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <array>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Quarantine)
};

/// In the order of THREATS 0a; hazards of parts B and C join as stages or rules of their own.
constexpr std::array<ImportStage, 16> stages = {
    ImportStages::receive,        ImportStages::checkPrerequisites, ImportStages::checkPack,
    ImportStages::makeRepository, ImportStages::indexPack,          ImportStages::checkDeltas,
    ImportStages::checkTip,       ImportStages::checkHistory,       ImportStages::scanCommits,
    ImportStages::walkTrees,      ImportStages::checkClosure,       ImportStages::compareTrees,
    ImportStages::checkMerges,    ImportStages::readLinks,          ImportStages::countBaseFiles,
    ImportStages::nameHazards,
};

Result<void> checkRequest(const ImportRequest &request)
{
    const QByteArray reference = request.reference.toUtf8();
    const bool named = reference.isEmpty() || isSafeReference(reference);
    if (!isObjectId(request.base.toLatin1()) || !named || !QFileInfo(request.folder).isDir()) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("The import needs a full base commit, a proper reference name and a "
                           "folder to work in."));
    }
    return {};
}

/// Gives the tip the name under which publishBranch() fetches it.
QCoro::Task<Result<Verdict>> keepTip(ImportStatePtr state, std::stop_token stop)
{
    GitRequest git;
    git.gitFolder = state->folder;
    git.arguments = {QStringLiteral("update-ref"), QString::fromLatin1(quarantineReference),
                     state->report.tip};
    const Result<QByteArray> output = co_await gitOutput(git, stop);
    if (!output) {
        co_return fail(output.error());
    }
    co_return Verdict();
}

QCoro::Task<Result<Verdict>> runStages(ImportStatePtr state, std::stop_token stop)
{
    for (const ImportStage stage : stages) {
        const Result<Verdict> verdict = co_await stage(state, stop);
        if (!verdict || *verdict) {
            co_return verdict;
        }
    }
    Result<Verdict> kept = co_await keepTip(state, stop);
    co_return kept;
}

} // namespace

QCoro::Task<Result<ImportReport>> checkBundle(ImportRequest request, std::stop_token stop)
{
    const Result<void> sound = checkRequest(request);
    if (!sound) {
        co_return fail(sound.error());
    }
    const auto state = std::make_shared<ImportState>();
    state->request = request;
    state->folder = QDir(request.folder)
                        .absoluteFilePath(QString::fromLatin1(quarantineFolderPrefix) + newId());
    const Result<void> made = makePrivateFolder(state->folder);
    if (!made) {
        co_return fail(made.error());
    }
    const Result<Verdict> verdict = co_await runStages(state, stop);
    if (!verdict || *verdict) {
        const auto work = [folder = state->folder] {
            return discardQuarantine(folder);
        };
        const Result<void> discarded = co_await runInPool(work);
        if (!verdict) {
            co_return fail(verdict.error());
        }
        if (!discarded) {
            co_return fail(discarded.error());
        }
        state->report.refused = true;
        state->report.stage = (*verdict)->stage;
        state->report.code = (*verdict)->code;
        state->report.reason = (*verdict)->reason;
        co_return state->report;
    }
    state->report.stage = QStringLiteral("review");
    state->report.quarantine = state->folder;
    co_return state->report;
}

Result<void> discardQuarantine(const QString &quarantine)
{
    // Only what checkBundle() made is ever deleted, whatever a damaged record names.
    if (!QFileInfo(quarantine).fileName().startsWith(QString::fromLatin1(quarantineFolderPrefix))) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("%1 is not a quarantine and was not deleted.").arg(quarantine));
    }
    return SafeFolder::removeFolder(quarantine);
}

} // namespace Glovebox
