// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// libFuzzer: the pack walk takes any bytes, ends in bounded time and memory, and counts no more
// than its limits allow.
#include "core/git/packwalk.h"

#include <QBuffer>

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    using namespace Glovebox;
    QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    PackBudget budget;
    budget.limits.objects = 1000;
    budget.limits.objectBytes = 1 << 20;
    budget.limits.inflatedBytes = 8 << 20;
    budget.time = std::chrono::seconds(5);
    const auto result = walkPack(buffer, budget, {});
    if (result && *result && (*result)->inflatedBytes > budget.limits.inflatedBytes) {
        std::abort();
    }
    return 0;
}
