// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/redactor.h"

#include <cstdint>
#include <cstdlib>

using namespace Glovebox;

/// The first byte is where the rest is cut in two: whole and in pieces have to come out the same,
/// and nothing that comes out holds a secret.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const auto forms = std::make_shared<const SecretForms>(QList<NamedSecret>{
        {QStringLiteral("A"), Secret("CANARY-0123456789abcdef")},
        {QStringLiteral("B"), Secret("CANARY-01")},
        {QStringLiteral("C"), Secret("a\"b\\c/d+e=f g")},
    });
    if (size == 0) {
        return 0;
    }
    const QByteArray bytes(reinterpret_cast<const char *>(data + 1), qsizetype(size - 1));
    const qsizetype cut = bytes.isEmpty() ? 0 : data[0] % (bytes.size() + 1);
    Redactor redactor(forms);
    QByteArray joined = redactor.feed(bytes.first(cut));
    joined += redactor.feed(bytes.sliced(cut));
    joined += redactor.finish();
    const bool isClean = !joined.contains("CANARY-0123456789abcdef");
    if (joined != forms->redact(bytes) || !isClean) {
        std::abort();
    }
    return 0;
}
