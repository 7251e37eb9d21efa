// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/git/bundleheader.h"

#include <stop_token>

namespace Glovebox {

/// A bundle as it was read, once, from first byte to last.
struct ReceivedBundle
{
    BundleHeader header;
    qint64 bytes = 0;
    QByteArray sha256; ///< hexadecimal, of exactly what was read
};

/// Copies a returned bundle out of a folder that its sender may still write to: through a handle
/// that follows no link and opens only plain files, in one pass that hashes what it reads, parses
/// the header and writes the rest, the pack, to the new file \a packFile. From then on only that
/// copy is used. Errors: NotFound, DiskFull, FileError, Cancelled. Blocking, any thread.
[[nodiscard]] Result<Checked<ReceivedBundle>> receiveBundle(const QString &bundle,
                                                            const QString &packFile,
                                                            const ImportLimits &limits,
                                                            std::stop_token stop);

} // namespace Glovebox
