// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/commitscan.h"
#include "core/git/quarantine.h"
#include "core/git/treewalk.h"

#include <QHash>

#include <memory>

namespace Glovebox {

/// What the stages of an import found out; all that the rules for hazards look at.
struct ImportFacts
{
    QByteArray tip;
    QByteArray agentEmail; ///< empty = whoever
    qint64 baseTime = 0;   ///< seconds since 1970, of the base's committer
    qint64 now = 0;
    QList<QByteArray> droppedReferences;
    QList<ScannedCommit> commits;                ///< base..tip, newest first
    TreeDifference net;                          ///< base to tip
    std::shared_ptr<const TreeWalk> trees;       ///< holds the trees that net names
    QHash<QByteArray, QByteArray> links;         ///< blob id to target, of new and changed links
    QHash<QByteArray, QByteArray> historyOnly;   ///< path to a commit that touches it
    QHash<QByteArray, QList<QByteArray>> merges; ///< merge to paths that no parent has like that
    qint64 stowaways = 0;                        ///< objects that nothing in the branch reaches
    qint64 baseFiles = 0;                        ///< counted only when files are deleted
};

/// The things about a branch that a reviewer must see before its diff. One function a rule, listed
/// in one table: a new rule is a row and a function. Each code is named at most 100 times.
[[nodiscard]] QList<ImportHazard> importHazards(const ImportFacts &facts);

} // namespace Glovebox
