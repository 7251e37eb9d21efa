// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/gitcommand.h"
#include "core/git/importlimits.h"

namespace Glovebox {

/// The one reference of a quarantine repository: the tip that was checked.
inline constexpr char quarantineReference[] = "refs/heads/in";
/// How the folders of quarantines are named; the rest is random.
inline constexpr char quarantineFolderPrefix[] = "quarantine-";

struct ImportRequest
{
    QString gitFolder;   ///< the user's repository (its common folder)
    QString bundle;      ///< copied into quarantine and hashed once; the original is never changed
    QString base;        ///< commit id that the tip must descend from
    QString reference;   ///< the one ref asked for, "refs/heads/agent/x"; empty = the bundle's only
                         ///< branch
    QString expectedTip; ///< refuse any other; empty = take what the bundle says
    QString agentEmail;  ///< whose commits are expected; another is a hazard
    QString folder;      ///< where the quarantine is made: an existing folder of ours
    ImportLimits limits;
};

/// One thing about a bundle that a reviewer must see (THREATS part A).
struct ImportHazard
{
    QString code;    ///< stable: "extra-refs"
    QString reason;  ///< one translated line
    QByteArray path; ///< raw, where there is one
    QString commit;
};

/// A bundle that passed every check and waits in quarantine, or a refusal.
struct ImportReport
{
    bool refused = false;
    QString stage;  ///< header limits pack objects tip history; review when nothing was refused
    QString code;   ///< of the refusal: "bundle-bad-header", …
    QString reason; ///< translated; never echoes raw bytes
    QList<ImportHazard> hazards;
    QList<QByteArray> droppedReferences;
    QString tip;
    QString reference; ///< the bundle's ref that was taken
    int commits = 0;
    qint64 bundleBytes = 0;
    qint64 objects = 0;
    QByteArray sha256;
    QString quarantine; ///< the bare repository that holds it, until discardQuarantine()
};

/// Stages 1 to 7 of THREATS 0a. A refusal is a report, not an error; errors are our own failures
/// (disk full, cancelled). On refusal and error nothing is left but what the request brought.
[[nodiscard]] QCoro::Task<Result<ImportReport>> checkBundle(ImportRequest request,
                                                            std::stop_token stop);

struct PublishRequest
{
    QString gitFolder;
    QString quarantine;
    QString tip;
    QString branch; ///< wanted short name, "agent/x"; suffixed "-2", "-3" when taken (also by case)
    QString expected; ///< round: the branch's present tip, moved forward; else empty
};

/// Stages 8 and 9: fetches exactly the tip into the user's repository under refs/glovebox/import/…,
/// then creates the branch in one transaction. Answers the short name it got. Never overwrites,
/// never touches index, work tree, HEAD or configuration.
[[nodiscard]] QCoro::Task<Result<QString>> publishBranch(PublishRequest request,
                                                         std::stop_token stop);

/// Deletes the quarantine repository.
[[nodiscard]] Result<void> discardQuarantine(const QString &quarantine);

/// What imports that were cut short left: their quarantines in \a folder, and the references of
/// theirs in the user's repository.
[[nodiscard]] QCoro::Task<Result<void>> discardImports(QString gitFolder, QString folder);

} // namespace Glovebox
