// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/redactor.h"
#include "core/git/gitcommand.h"

namespace Glovebox {

struct OwnSecretsRequest
{
    QString gitFolder; ///< the quarantine, or whatever else holds both commits
    QString base;
    QString tip;
    std::shared_ptr<const SecretForms> secrets;
    /// How much of the objects is looked at, and held in memory, at a time; a larger object is
    /// looked at alone. Bytes.
    qint64 batch = 16LL << 20;
};

/// Names of the secrets that any object holds which is in the tip but not in the base: contents,
/// file names and commit texts (THREATS E4). Names only, never a value.
[[nodiscard]] QCoro::Task<Result<QStringList>> ownSecretsIn(OwnSecretsRequest request,
                                                            std::stop_token stop);

} // namespace Glovebox
