// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/gitcommand.h"

#include <QStringList>

namespace Glovebox {

/// The base as one file that goes into a sandbox.
struct BaseBundle
{
    QString file;
    QString base;      ///< commit id
    QString reference; ///< the one ref it carries, "refs/heads/glovebox-base"
    bool withHistory = false;
    QStringList shallow; ///< commits whose parents it lacks: the lines that .git/shallow needs
                         ///< before the bundle is fetched (without history: the base)
    qint64 bytes = 0;
    qint64 objects = 0;
    QByteArray sha256; ///< hexadecimal
};

struct BaseBundleRequest
{
    QString gitFolder;
    QString base; ///< commit id
    bool withHistory = false;
    QString target; ///< a new file; AlreadyExists when there is one
};

/// The name of the ref that every base bundle carries.
inline constexpr char baseBundleReference[] = "refs/heads/glovebox-base";

/// Makes the bundle: history-free (a v2 header and the pack of `pack-objects --revs --shallow`, ids
/// unchanged) or with the whole history of the base. Works from shallow clones, linked work trees,
/// detached HEAD, bare repositories; objects the repository itself lacks (a partial clone) are an
/// error that says so, as are SHA-256 repositories and those without a commit. Links to submodules
/// and LFS pointers go in as they are. Streams from file to file; twice the bundle's size is needed
/// beside the target while it is made. On error and cancel nothing is left.
[[nodiscard]] QCoro::Task<Result<BaseBundle>> makeBaseBundle(BaseBundleRequest request,
                                                             std::stop_token stop);

/// Resolves \a revision to a full commit id and reads the commit, its trees and its files once with
/// the git program, which reports what is damaged where libgit2 would loop for ever (a loose object
/// cut short). Call before anything of this library opens objects of a repository that was not seen
/// before. Costs one read of all files of the base (some 300 MB/s). NotFound: no commit yet, no
/// such revision, objects missing in a partial clone. FileError: damaged.
[[nodiscard]] QCoro::Task<Result<QString>> readBaseOnce(QString gitFolder, QString revision,
                                                        std::stop_token stop);

/// Resolves \a revision to a full commit id as readBaseOnce() does, and reads nothing that it
/// holds: for who has to know whether the base is still the one that was read.
[[nodiscard]] QCoro::Task<Result<QString>> resolveBase(QString gitFolder, QString revision,
                                                       std::stop_token stop);

} // namespace Glovebox
