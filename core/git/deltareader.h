// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace Glovebox {

/// Reads the instructions of one delta as its bytes come in, without its base: what would come out,
/// and whether every copy stays inside the base. Sample (git's pack format):
///   <base size> <result size>      little-endian groups of 7 bits, high bit = more follows
///   1ooooooo / 1sss oooo …         copy: offset and size bytes that the flags announce
///   0nnnnnnn <n bytes>             insert
class DeltaReader final
{
public:
    /// False as soon as the bytes cannot be a delta.
    [[nodiscard]] bool feed(const unsigned char *bytes, qint64 size);
    /// Whether the delta ended between two instructions and makes what it announced.
    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] quint64 resultSize() const { return m_resultSize; }
    [[nodiscard]] bool knowsResultSize() const { return m_state > State::ResultSize; }

private:
    enum class State { BaseSize, ResultSize, Instruction, CopyArgument, Insert };

    [[nodiscard]] bool take(unsigned char byte);
    [[nodiscard]] bool takeSize(unsigned char byte, quint64 &size, State next);
    [[nodiscard]] bool takeInstruction(unsigned char byte);
    [[nodiscard]] bool takeCopyArgument(unsigned char byte);
    [[nodiscard]] bool finishCopy();

    State m_state = State::BaseSize;
    quint64 m_baseSize = 0;
    quint64 m_resultSize = 0;
    quint64 m_made = 0;
    int m_shift = 0;
    unsigned m_flags = 0; ///< argument bytes of a copy that are still to come
    int m_argument = 0;   ///< 0 to 3 offset, 4 to 6 size
    quint64 m_copyOffset = 0;
    quint64 m_copySize = 0;
    quint64 m_toInsert = 0;
};

} // namespace Glovebox
