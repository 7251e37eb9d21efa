// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/gitcommand.h"

namespace Glovebox {

/// The base as one file that goes into a sandbox.
struct BaseBundle
{
    QString file;
    QString base;      ///< commit id
    QString reference; ///< the one ref it carries, "refs/heads/glovebox-base"
    bool withHistory = false;
    qint64 bytes = 0;
    qint64 objects = 0;
    QByteArray sha256; ///< hexadecimal
};

struct BaseBundleRequest
{
    QString gitFolder;
    QString base; ///< commit id
    bool withHistory = false;
    QString target; ///< a new file
};

/// The name of the ref that every base bundle carries.
inline constexpr char baseBundleReference[] = "refs/heads/glovebox-base";

/// Makes the bundle: history-free (a v2 header and the pack of `pack-objects --revs --shallow`, ids
/// unchanged) or with the whole history of the base. Works from shallow clones, linked work trees,
/// detached HEAD; objects the repository itself lacks (a partial clone) are an error that says so.
[[nodiscard]] QCoro::Task<Result<BaseBundle>> makeBaseBundle(BaseBundleRequest request,
                                                             std::stop_token stop);

} // namespace Glovebox
