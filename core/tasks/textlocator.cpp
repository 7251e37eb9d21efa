// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/textlocator.h"

#include <algorithm>

namespace Glovebox {

TextLocator::TextLocator(const QByteArray &text)
    : m_text(text)
    , m_starts{0}
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool crlf = text.at(i) == '\r' && i + 1 < text.size() && text.at(i + 1) == '\n';
        if (!crlf && (text.at(i) == '\n' || text.at(i) == '\r')) {
            m_starts.push_back(i + 1);
        }
    }
}

std::size_t TextLocator::lineOf(qsizetype offset) const
{
    const auto next = std::upper_bound(m_starts.begin(), m_starts.end(), offset);
    return static_cast<std::size_t>(next - m_starts.begin()) - 1;
}

int TextLocator::characters(qsizetype begin, qsizetype end) const
{
    int count = 0;
    for (qsizetype i = begin; i < end; ++i) {
        count += (m_text.at(i) & 0xC0) == 0x80 ? 0 : 1;
    }
    return count;
}

KeyPosition TextLocator::position(qsizetype begin, qsizetype end) const
{
    begin = std::clamp<qsizetype>(begin, 0, m_text.size());
    const std::size_t line = lineOf(begin);
    qsizetype start = m_starts.at(line);
    if (line == 0 && m_text.startsWith("\xEF\xBB\xBF")) {
        start = std::min<qsizetype>(3, begin);
    }
    const qsizetype stop = std::clamp(end, begin, std::max(begin, lineTextEnd(begin)));
    return {static_cast<int>(line) + 1, characters(start, begin) + 1, characters(begin, stop)};
}

qsizetype TextLocator::lineStart(qsizetype offset) const
{
    return m_starts.at(lineOf(offset));
}

qsizetype TextLocator::lineEnd(qsizetype offset) const
{
    const std::size_t line = lineOf(offset);
    return line + 1 < m_starts.size() ? m_starts.at(line + 1) : m_text.size();
}

qsizetype TextLocator::lineTextEnd(qsizetype offset) const
{
    const qsizetype start = lineStart(offset);
    qsizetype end = lineEnd(offset);
    while (end > start && (m_text.at(end - 1) == '\n' || m_text.at(end - 1) == '\r')) {
        --end;
    }
    return end;
}

void placeProblem(Problem *problem, const KeyPosition &position)
{
    problem->line = position.line;
    problem->column = position.column;
    problem->length = position.length;
}

} // namespace Glovebox
