// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/terminaltext.h"

#include <cstdint>
#include <cstdlib>

using namespace Glovebox;

/// The first byte is where the rest is cut in two: the lines must not depend on it, and no control
/// but a tab is left in them. Also shows the bytes as a name.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const QByteArray bytes(reinterpret_cast<const char *>(data + 1), qsizetype(size - 1));
    const qsizetype cut = bytes.isEmpty() ? 0 : data[0] % (bytes.size() + 1);
    TerminalText whole;
    TerminalText pieces;
    QList<TerminalLine> lines = whole.feed(bytes);
    lines += whole.finish();
    QList<TerminalLine> others = pieces.feed(bytes.first(cut));
    others += pieces.feed(bytes.sliced(cut));
    others += pieces.finish();
    bool isHarmless = lines == others;
    for (const TerminalLine &line : lines) {
        for (const QChar c : line.text) {
            isHarmless = isHarmless && (c.unicode() >= 0x20 || c == QLatin1Char('\t'));
        }
    }
    for (const QChar c : displayText(bytes)) {
        isHarmless = isHarmless && c.unicode() >= 0x20;
    }
    if (!isHarmless) {
        std::abort();
    }
    return 0;
}
