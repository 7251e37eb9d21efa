// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/deltareader.h"

#include <algorithm>

namespace Glovebox {

namespace {

constexpr quint64 sizeOfZero = 0x10000; // a copy whose size bytes are all absent or zero
constexpr int sizeArgument = 4;
constexpr int lastArgument = 7;

} // namespace

bool DeltaReader::feed(const unsigned char *bytes, qint64 size)
{
    qint64 position = 0;
    while (position < size) {
        if (m_state == State::Insert) {
            const quint64 step = std::min(m_toInsert, static_cast<quint64>(size - position));
            m_toInsert -= step;
            position += static_cast<qint64>(step);
            m_state = m_toInsert == 0 ? State::Instruction : State::Insert;
            continue;
        }
        if (!take(bytes[position])) {
            return false;
        }
        ++position;
    }
    return true;
}

bool DeltaReader::isComplete() const
{
    return m_state == State::Instruction && m_made == m_resultSize;
}

bool DeltaReader::take(unsigned char byte)
{
    switch (m_state) {
    case State::BaseSize:
        return takeSize(byte, m_baseSize, State::ResultSize);
    case State::ResultSize:
        return takeSize(byte, m_resultSize, State::Instruction);
    case State::Instruction:
        return takeInstruction(byte);
    case State::CopyArgument:
        return takeCopyArgument(byte);
    case State::Insert:
        break; // handled by feed()
    }
    return false;
}

bool DeltaReader::takeSize(unsigned char byte, quint64 &size, State next)
{
    if (m_shift > 56) {
        return false;
    }
    size |= static_cast<quint64>(byte & 0x7f) << m_shift;
    m_shift += 7;
    if ((byte & 0x80) == 0) {
        m_shift = 0;
        m_state = next;
    }
    return true;
}

bool DeltaReader::takeInstruction(unsigned char byte)
{
    if (byte == 0) {
        return false; // reserved
    }
    if ((byte & 0x80) == 0) {
        m_toInsert = byte;
        m_made += byte;
        m_state = State::Insert;
        return m_made <= m_resultSize;
    }
    m_flags = byte & 0x7f;
    m_argument = 0;
    m_copyOffset = 0;
    m_copySize = 0;
    if (m_flags == 0) {
        return finishCopy();
    }
    m_state = State::CopyArgument;
    return true;
}

bool DeltaReader::takeCopyArgument(unsigned char byte)
{
    while (((m_flags >> m_argument) & 1) == 0) {
        ++m_argument;
    }
    if (m_argument < sizeArgument) {
        m_copyOffset |= static_cast<quint64>(byte) << (8 * m_argument);
    } else {
        m_copySize |= static_cast<quint64>(byte) << (8 * (m_argument - sizeArgument));
    }
    ++m_argument;
    const bool moreFollows = m_argument < lastArgument && (m_flags >> m_argument) != 0;
    return moreFollows || finishCopy();
}

bool DeltaReader::finishCopy()
{
    m_state = State::Instruction;
    const quint64 size = m_copySize == 0 ? sizeOfZero : m_copySize;
    m_made += size;
    return m_copyOffset + size <= m_baseSize && m_made <= m_resultSize;
}

} // namespace Glovebox
