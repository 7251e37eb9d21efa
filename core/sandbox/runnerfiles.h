// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/runnerverbs.h"

namespace Glovebox {

/// A name in the runner's folder that nobody else uses.
[[nodiscard]] QString freshSidePath(const QString &base);

/// Sandbox::upload() by the runner: put beside, compared, moved. \a base is the runner's folder.
[[nodiscard]] QCoro::Task<Result<void>> uploadFile(RunnerVerbs verbs, QString base, Upload upload,
                                                   std::stop_token stop);

/// Sandbox::download() by the runner: copied aside inside, fetched, compared.
[[nodiscard]] QCoro::Task<Result<QByteArray>> downloadFile(RunnerVerbs verbs, QString base,
                                                           QString path, LocalFile target,
                                                           qint64 maximum, std::stop_token stop);

} // namespace Glovebox
