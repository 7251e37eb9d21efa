// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/escapesequence.h"

#include <array>
#include <optional>

namespace Glovebox {

/// What a reader would see of a stream: JSON string escapes undone, terminal control sequences and
/// all controls (line breaks too) left out. For searching only. Works byte by byte; each byte of
/// the view says where it comes from.
class PlainView final
{
public:
    struct Byte
    {
        uchar value = 0;
        qint64 begin = 0; ///< offsets in the stream, end exclusive
        qint64 end = 0;
    };

    /// A few bytes without a heap: more than eight never become known at once.
    class Bytes final
    {
    public:
        void operator+=(const Byte &byte) { m_bytes[m_size++] = byte; }
        void clear() { m_size = 0; }
        [[nodiscard]] size_t size() const { return m_size; }
        [[nodiscard]] bool isEmpty() const { return m_size == 0; }
        [[nodiscard]] const Byte &at(size_t index) const { return m_bytes[index]; }
        [[nodiscard]] const Byte *begin() const { return m_bytes.data(); }
        [[nodiscard]] const Byte *end() const { return m_bytes.data() + m_size; }

    private:
        std::array<Byte, 12> m_bytes;
        size_t m_size = 0;
    };

    /// Bytes that make the view differ from the stream, or could.
    [[nodiscard]] static bool isSpecial(uchar byte)
    {
        return byte < 0x20 || byte == 0x7f || byte == '\\' || byte == 0xc2;
    }

    /// The bytes of the view that became known, valid until the next call.
    [[nodiscard]] const Bytes &take(uchar byte, qint64 offset);
    /// The stream is over: what was thought to begin an escape did not.
    [[nodiscard]] const Bytes &finish();
    void reset();
    /// Nothing is undecided and no sequence is open.
    [[nodiscard]] bool isIdle() const
    {
        return m_escaped.isEmpty() && !m_inSequence && !m_leadByte;
    }
    /// Where the oldest undecided byte stands, or \a otherwise.
    [[nodiscard]] qint64 undecidedFrom(qint64 otherwise) const;

private:
    void unescape(const Byte &byte);
    [[nodiscard]] bool takeUnicodeDigit(const Byte &byte);
    void giveUpEscape();
    void filter(const Byte &byte);
    [[nodiscard]] bool isInsideSequence(uchar byte);

    Bytes m_out;
    Bytes m_escaped;                ///< "\", or "\u" and digits
    std::optional<Byte> m_leadByte; ///< 0xC2, which may begin a C1 control
    EscapeSequence m_sequence;
    bool m_inSequence = false;
    bool m_afterEscape = false; ///< the last byte was ESC itself: a backslash ends a sequence
};

} // namespace Glovebox
