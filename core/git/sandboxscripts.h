// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/bundle.h"

#include <QByteArray>

#include <optional>

/// What git has to do inside a sandbox, as POSIX sh texts for `sh -c` or a file; they need sh, git
/// 2.20 or newer, and the usual small tools (cp, grep, mkdir, rm, sort, wc). All values are quoted;
/// a path or name that cannot be carried safely is refused before a text is made.
namespace Glovebox {

struct Identity
{
    QString name;
    QString email;
};

/// Makes the repository at \a repository (absolute, inside) from the base bundle that was put at
/// \a bundlePath: no template, the cuts in .git/shallow, the base under refs/glovebox/base, a new
/// \a branch checked out, user.name and user.email set. No hook and no smudge filter runs: LFS
/// files stay pointers. Exit code 0 when the branch is checked out; else git's words are on the
/// error stream and the folder is left as it is. The folder may exist but must hold no .git.
[[nodiscard]] Result<QByteArray> seedScript(const BaseBundle &bundle, const QString &bundlePath,
                                            const QString &repository, const QString &branch,
                                            const Identity &identity);

struct SealRequest
{
    QString repository; ///< absolute, inside
    QString branch;     ///< short name; the bundle carries "refs/heads/" + this
    QString base;       ///< full id
    QStringList shallow;
    QString baseBundle;  ///< inside, for a repository whose .git is gone; empty = no such rescue
    QString target;      ///< the bundle to make, inside; overwritten. Folders beside it are used
    Identity identity;   ///< who commits what was left
    qint64 time = 0;     ///< of that commit, seconds since 1970; the same time gives the same id
    int addSeconds = 60; ///< how long taking in what was left may take
};

/// Fixes what the agent did: commits what it left (git's ignore rules apply), and writes the bundle
/// `BRANCH ^BASE`. It works in a git folder of its own that borrows the agent's objects, so nothing
/// in the agent's repository changes (no ref, no index, no HEAD, no object) and nothing that the
/// agent configured runs (hooks, filters, fsmonitor, includes). What it finds, and what it does:
///
/// | the agent                                  | tip                                     | note |
/// |--------------------------------------------|-----------------------------------------|------|
/// | committed, or left files                   | HEAD, and one commit of what was left   |      |
/// | is on another branch or a detached HEAD    | HEAD, likewise                          |
/// other-head | | … and the branch has commits HEAD lacks    | HEAD, likewise | other-head,
/// left-behind | | went back: HEAD is an ancestor of branch   | the branch; what was left is not
/// taken  | went-back | | rewrote history: HEAD lacks the base       | the work tree, one commit on
/// the branch if that has the base, else on the base | history-rewritten | | left a merge or rebase
/// in progress         | the files as they are, with one parent  | merge-in-progress | | left
/// index.lock, a broken or no index      | the index is read anew from HEAD        | index-rebuilt
/// (not for a lock) | | left files that cannot be read or added    | all others | not-added | |
/// left a repository inside the work tree     | a link to its commit, no content        |
/// embedded-repository | | took longer than addSeconds to take in     | HEAD | add-timed-out | |
/// deleted .git, or made it unusable          | the work tree on the base, from the base bundle |
/// repository-rebuilt |
///
/// Exit code 3: no usable repository and no base bundle. 4: packing failed. The output is read by
/// readSeal(). When there is nothing new the tip is the base and no bundle is written.
[[nodiscard]] Result<QByteArray> sealScript(const SealRequest &request);

/// The same while the agent still works, for a timer: the same rules and the same bundle (so a last
/// checkpoint is imported like a sealed branch), another message. Files that change meanwhile are
/// taken in one of their states.
[[nodiscard]] Result<QByteArray> checkpointScript(const SealRequest &request);

struct SealReport
{
    QString tip;
    int commits = 0;        ///< above the base
    bool leftOvers = false; ///< the newest one was made by the script
    QStringList notes;
};

/// Reads the script's output, which a hostile sandbox may have written: exactly the lines of the
/// protocol, ids of 40 lower-case hexadecimal digits, known notes. UnexpectedReply otherwise.
/// The bundle is checked on its own in quarantine, against this tip.
[[nodiscard]] Result<SealReport> readSeal(const QByteArray &output);

struct CheckoutRequest
{
    QString baseBundle;   ///< inside
    QString resultBundle; ///< inside; empty = the base itself
    QString repository;   ///< a new folder, absolute, inside
    QString branch;
    QString tip; ///< full id
};

/// Makes a fresh checkout of exactly \a tip (detached) from the two bundles, for acceptance; hooks
/// and filters as in seedScript(). Exit code 5 when the bundle's branch is not \a tip.
[[nodiscard]] Result<QByteArray> checkoutScript(const BaseBundle &bundle,
                                                const CheckoutRequest &request);

} // namespace Glovebox
