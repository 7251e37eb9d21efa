// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// libFuzzer: the header parser takes any bytes, and what it accepts keeps its promises.
#include "core/git/bundleheader.h"
#include "core/git/referencename.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    using namespace Glovebox;
    const ImportLimits limits;
    const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto header = parseBundleHeader(bytes.left(limits.headerBytes + 1), limits);
    if (!header) {
        return 0;
    }
    for (const BundleHeader::Reference &reference : header->references) {
        if (!isObjectId(reference.id) ||
            (reference.name != "HEAD" && !isSafeReference(reference.name))) {
            std::abort();
        }
    }
    if (header->size > bytes.size() || header->references.size() > limits.references) {
        std::abort();
    }
    [[maybe_unused]] const auto chosen = chooseReference(*header, "refs/heads/agent/task-1");
    return 0;
}
