// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace Glovebox {

/// Where a terminal control sequence (ECMA-48) ends, byte by byte, for a stream that may lie: a
/// string sequence (OSC, DCS, PM, APC, SOS) that nobody ends is over at the next line feed or after
/// 4 KiB, so that it can hide no more than that. Understands nothing but SGR.
class EscapeSequence final
{
public:
    enum class Begin { Escape, Csi, String };
    enum class Verdict {
        Inside,
        Last,
        NotMine, ///< the sequence is over and this byte does not belong to it
    };

    void begin(Begin how);
    [[nodiscard]] Verdict take(uchar byte);
    /// After Last: whether it was a colour setting, "ESC [ numbers m".
    [[nodiscard]] bool isSgr() const { return m_isSgr; }
    /// Its numbers and separators.
    [[nodiscard]] const QByteArray &parameters() const { return m_parameters; }

    static constexpr int longest = 4096;

private:
    enum class State { Escape, Csi, String, StringEscape };
    [[nodiscard]] Verdict takeEscape(uchar byte);
    [[nodiscard]] Verdict takeCsi(uchar byte);
    [[nodiscard]] Verdict takeString(uchar byte);

    State m_state = State::Escape;
    QByteArray m_parameters;
    int m_length = 0;
    uchar m_previous = 0;
    bool m_isSgr = false;
};

/// Whether the code point, as a control of its own, opens a sequence (U+009B and its kind).
[[nodiscard]] bool opensSequence(uint codePoint, EscapeSequence::Begin *how);

} // namespace Glovebox
