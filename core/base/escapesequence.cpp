// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/escapesequence.h"

namespace Glovebox {

namespace {

constexpr uchar escape = 0x1b;

bool cancels(uchar byte)
{
    return byte == 0x18 || byte == 0x1a; // CAN, SUB
}

} // namespace

void EscapeSequence::begin(Begin how)
{
    m_state = how == Begin::Escape ? State::Escape : how == Begin::Csi ? State::Csi : State::String;
    m_parameters.clear();
    m_length = 0;
    m_previous = 0;
    m_isSgr = false;
}

EscapeSequence::Verdict EscapeSequence::take(uchar byte)
{
    if (byte == '\n' || ++m_length > longest) {
        return Verdict::NotMine;
    }
    if (cancels(byte)) {
        return Verdict::Last;
    }
    if (byte == escape && m_state != State::String) {
        const int length = m_length;
        begin(Begin::Escape);
        m_length = length;
        return Verdict::Inside;
    }
    switch (m_state) {
    case State::Escape:
    case State::StringEscape:
        return takeEscape(byte);
    case State::Csi:
        return takeCsi(byte);
    case State::String:
        return takeString(byte);
    }
    Q_UNREACHABLE();
}

EscapeSequence::Verdict EscapeSequence::takeEscape(uchar byte)
{
    if (byte == '\\') {
        return Verdict::Last;
    }
    if (byte == '[') {
        m_state = State::Csi;
        return Verdict::Inside;
    }
    if (byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_') {
        m_state = State::String;
        return Verdict::Inside;
    }
    if (byte >= 0x20 && byte <= 0x2f) {
        return Verdict::Inside;
    }
    return byte >= 0x30 && byte <= 0x7e ? Verdict::Last : Verdict::NotMine;
}

EscapeSequence::Verdict EscapeSequence::takeCsi(uchar byte)
{
    if (byte >= 0x20 && byte <= 0x3f) {
        m_parameters += static_cast<char>(byte);
        return Verdict::Inside;
    }
    if (byte < 0x40 || byte > 0x7e) {
        return Verdict::NotMine;
    }
    m_isSgr = byte == 'm';
    for (const char c : m_parameters) {
        m_isSgr = m_isSgr && ((c >= '0' && c <= '9') || c == ';' || c == ':');
    }
    return Verdict::Last;
}

EscapeSequence::Verdict EscapeSequence::takeString(uchar byte)
{
    const uchar previous = std::exchange(m_previous, byte);
    if (byte == escape) {
        m_state = State::StringEscape;
        return Verdict::Inside;
    }
    const bool isEncodedSt = previous == 0xc2 && byte == 0x9c;
    return byte == 0x07 || isEncodedSt ? Verdict::Last : Verdict::Inside;
}

bool opensSequence(uint codePoint, EscapeSequence::Begin *how)
{
    switch (codePoint) {
    case 0x9b:
        *how = EscapeSequence::Begin::Csi;
        return true;
    case 0x90: // DCS
    case 0x98: // SOS
    case 0x9d: // OSC
    case 0x9e: // PM
    case 0x9f: // APC
        *how = EscapeSequence::Begin::String;
        return true;
    default:
        return false;
    }
}

} // namespace Glovebox
