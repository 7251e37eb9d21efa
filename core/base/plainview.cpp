// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plainview.h"

namespace Glovebox {

namespace {

int hexDigit(uchar byte)
{
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    const uchar lower = byte | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// What "\x" stands for in a JSON string, or nothing.
std::optional<uchar> shortEscape(uchar byte)
{
    switch (byte) {
    case '"':
    case '\\':
    case '/':
        return byte;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return std::nullopt;
    }
}

} // namespace

const PlainView::Bytes &PlainView::take(uchar byte, qint64 offset)
{
    m_out.clear();
    unescape({byte, offset, offset + 1});
    return m_out;
}

const PlainView::Bytes &PlainView::finish()
{
    m_out.clear();
    giveUpEscape();
    if (m_leadByte) {
        m_out += *m_leadByte;
    }
    const Bytes last = std::exchange(m_out, {});
    reset();
    m_out = last;
    return m_out;
}

void PlainView::reset()
{
    m_out.clear();
    m_escaped.clear();
    m_leadByte.reset();
    m_inSequence = false;
    m_afterEscape = false;
}

qint64 PlainView::undecidedFrom(qint64 otherwise) const
{
    if (m_leadByte) {
        return m_leadByte->begin;
    }
    return m_escaped.isEmpty() ? otherwise : m_escaped.at(0).begin;
}

void PlainView::unescape(const Byte &byte)
{
    if (m_escaped.size() > 1) {
        if (!takeUnicodeDigit(byte)) {
            giveUpEscape();
            unescape(byte);
        }
        return;
    }
    if (m_escaped.isEmpty()) {
        const bool afterEscape = std::exchange(m_afterEscape, byte.value == 0x1b);
        if (byte.value == '\\' && !afterEscape) {
            m_escaped += byte;
        } else {
            filter(byte);
        }
        return;
    }
    if (byte.value == 'u') {
        m_escaped += byte;
        return;
    }
    const std::optional<uchar> meant = shortEscape(byte.value);
    if (!meant) {
        giveUpEscape();
        unescape(byte);
        return;
    }
    const qint64 begin = m_escaped.at(0).begin;
    m_escaped.clear();
    filter({*meant, begin, byte.end});
}

bool PlainView::takeUnicodeDigit(const Byte &byte)
{
    if (hexDigit(byte.value) < 0) {
        return false;
    }
    m_escaped += byte;
    if (m_escaped.size() < 6) {
        return true;
    }
    uint unit = 0;
    for (size_t i = 2; i < 6; ++i) {
        unit = unit * 16 + static_cast<uint>(hexDigit(m_escaped.at(i).value));
    }
    const qint64 begin = m_escaped.at(0).begin;
    m_escaped.clear();
    // Halves of surrogate pairs come out as three bytes each, which match nothing.
    const auto emitByte = [this, begin, &byte](uint value) {
        filter({static_cast<uchar>(value), begin, byte.end});
    };
    if (unit < 0x80) {
        emitByte(unit);
    } else if (unit < 0x800) {
        emitByte(0xc0 | (unit >> 6));
        emitByte(0x80 | (unit & 0x3f));
    } else {
        emitByte(0xe0 | (unit >> 12));
        emitByte(0x80 | ((unit >> 6) & 0x3f));
        emitByte(0x80 | (unit & 0x3f));
    }
    return true;
}

void PlainView::giveUpEscape()
{
    const Bytes plain = std::exchange(m_escaped, {});
    for (const Byte &byte : plain) {
        filter(byte);
    }
}

bool PlainView::isInsideSequence(uchar byte)
{
    if (!m_inSequence) {
        return false;
    }
    const EscapeSequence::Verdict verdict = m_sequence.take(byte);
    m_inSequence = verdict == EscapeSequence::Verdict::Inside;
    return verdict != EscapeSequence::Verdict::NotMine;
}

void PlainView::filter(const Byte &byte)
{
    if (isInsideSequence(byte.value)) {
        return;
    }
    if (m_leadByte) {
        const Byte lead = *std::exchange(m_leadByte, std::nullopt);
        if (byte.value >= 0x80 && byte.value <= 0x9f) {
            EscapeSequence::Begin how;
            m_inSequence = opensSequence(byte.value, &how);
            if (m_inSequence) {
                m_sequence.begin(how);
            }
            return;
        }
        m_out += lead;
    }
    if (byte.value == 0x1b) {
        m_sequence.begin(EscapeSequence::Begin::Escape);
        m_inSequence = true;
    } else if (byte.value == 0xc2) {
        m_leadByte = byte;
    } else if (byte.value >= 0x20 && byte.value != 0x7f) {
        m_out += byte;
    }
}

} // namespace Glovebox
