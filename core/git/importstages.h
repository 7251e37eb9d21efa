// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/bundlereceive.h"
#include "core/git/importhazards.h"

#include <memory>

namespace Glovebox {

/// What one import knows so far. Owned by the stages that run one after another; a pool job that a
/// stage awaits is the only one to touch it meanwhile.
struct ImportState
{
    ImportRequest request;
    ImportReport report;
    QString folder; ///< the quarantine: a bare repository in a private folder of its own
    ReceivedBundle bundle;
    ChosenReference chosen;
    QList<QByteArray> packed; ///< ids of all objects in the quarantine's pack
    QByteArray baseTree;      ///< hexadecimal
    QByteArray tipTree;
    QHash<QByteArray, QByteArray> treeOfCommit; ///< of the range and of its parents, hexadecimal
    std::shared_ptr<TreeWalk> history;          ///< each commit against its parents
    ImportFacts facts;
    int scratchFiles = 0;

    [[nodiscard]] QString packFile() const { return folder + QStringLiteral("/in.pack"); }
    /// The name of a new scratch file in the quarantine.
    [[nodiscard]] QString newScratchFile()
    {
        return folder + QStringLiteral("/scratch-%1").arg(++scratchFiles);
    }
};

using ImportStatePtr = std::shared_ptr<ImportState>;
using ImportStage = QCoro::Task<Result<Verdict>> (*)(ImportStatePtr state, std::stop_token stop);

/// The stages in their order. Each answers nothing, or the refusal that ends the import.
namespace ImportStages {

// importstages.cpp: until the pack lies in the quarantine
QCoro::Task<Result<Verdict>> receive(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> checkPrerequisites(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> checkPack(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> makeRepository(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> indexPack(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> checkDeltas(ImportStatePtr state, std::stop_token stop);

// importhistory.cpp: what the branch is
QCoro::Task<Result<Verdict>> checkTip(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> checkHistory(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> scanCommits(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> walkTrees(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> checkClosure(ImportStatePtr state, std::stop_token stop);

// importreview.cpp: what a reviewer must see
QCoro::Task<Result<Verdict>> compareTrees(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> checkMerges(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> readLinks(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> countBaseFiles(ImportStatePtr state, std::stop_token stop);
QCoro::Task<Result<Verdict>> nameHazards(ImportStatePtr state, std::stop_token stop);

} // namespace ImportStages

} // namespace Glovebox
