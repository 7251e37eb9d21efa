// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/files.h"
#include "core/base/pool.h"

#include <QStorageInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Packing)
};

constexpr qint64 leastRoom = 64LL << 20;

} // namespace

QCoro::Task<Step> packing(SharedContext context, std::stop_token stop)
{
    const Step entered = enter(context, RunPhase::Packing);
    if (!entered) {
        co_return entered;
    }
    const BaseBundle bundle = context->run->plan().bundle;
    const auto hash = [file = bundle.file] {
        return sha256OfFile(file);
    };
    const Result<QByteArray> digest = co_await runInPool(hash);
    if (stop.stop_requested()) {
        co_return endWith(Outcome::Cancelled, cancelledError());
    }
    if (!digest) {
        co_return endWith(Outcome::SandboxError, digest.error());
    }
    if (*digest != bundle.sha256) {
        co_return endWith(
            Outcome::SandboxError, ErrorCode::DamagedInTransit,
            Tr::tr("The bundle changed since the plan was made. Plan the run again."));
    }
    const QStorageInfo storage(context->run->folder());
    const qint64 needed = leastRoom + 2 * bundle.bytes;
    if (storage.isValid() && storage.bytesAvailable() < needed) {
        co_return endWith(Outcome::SandboxError, ErrorCode::DiskFull,
                          Tr::tr("The disk has only %1 left; this run needs at least %2. Free some "
                                 "room and run the task again.")
                              .arg(sizeText(storage.bytesAvailable()), sizeText(needed)));
    }
    co_return Step();
}

} // namespace Glovebox
