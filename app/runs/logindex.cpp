// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/logindex.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <memory>

namespace Glovebox {

namespace {

constexpr qint64 chunkBytes = 64LL * 1024;
constexpr qint64 chunkLimit = 2 * chunkBytes; ///< a chunk without a line end is cut here

} // namespace

qint64 LogSource::size() const
{
    if (path.isEmpty()) {
        return bytes.size();
    }
    const qint64 whole = QFileInfo(path).size();
    const qint64 last = end < 0 ? whole : qMin(end, whole);
    return qMax<qint64>(0, last - begin);
}

QByteArray LogSource::read(qint64 offset, qint64 maximum) const
{
    const qint64 wanted = qMin(maximum, size() - offset);
    if (wanted <= 0) {
        return {};
    }
    if (path.isEmpty()) {
        return bytes.mid(offset, wanted);
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(begin + offset)) {
        return {};
    }
    return file.read(wanted);
}

LogScan::LogScan(LogSource source)
    : m_source(std::move(source))
{
}

void LogScan::feed(const QByteArray &piece)
{
    if (m_chunks.isEmpty()) {
        m_chunks.append(LogChunk{0, 0, TerminalText{}});
    }
    m_lines += m_state.feed(piece).size();
    m_end += piece.size();
}

bool LogScan::advance(qint64 maximum)
{
    if (m_source.size() < m_end) {
        *this = LogScan(m_source); // the file was cut: begin again
    }
    const QByteArray bytes = m_source.read(m_end, maximum);
    qint64 position = 0;
    while (position < bytes.size()) {
        const qint64 start = m_chunks.isEmpty() ? 0 : m_chunks.constLast().offset;
        const qint64 inChunk = m_end - start;
        const qint64 from = position + qMax<qint64>(0, chunkBytes - inChunk);
        const qint64 limit = position + chunkLimit - inChunk;
        const qint64 lineEnd = bytes.indexOf('\n', from);
        const qint64 cut = lineEnd >= 0 && lineEnd < limit ? lineEnd + 1 : limit;
        feed(bytes.mid(position, qMin(cut, bytes.size()) - position));
        position = qMin<qint64>(cut, bytes.size());
        if (cut <= bytes.size()) {
            m_chunks.append(LogChunk{m_end, m_lines, m_state});
        }
    }
    TerminalText rest = m_state;
    m_unfinished = rest.finish().size();
    return !bytes.isEmpty();
}

qint64 LogScan::lineCount() const
{
    return m_lines + m_unfinished;
}

int LogScan::chunkOf(qint64 line) const
{
    const auto after = std::upper_bound(
        m_chunks.cbegin(), m_chunks.cend(), line,
        [](qint64 wanted, const LogChunk &chunk) { return wanted < chunk.firstLine; });
    return qMax(0, static_cast<int>(after - m_chunks.cbegin()) - 1);
}

QList<TerminalLine> LogScan::linesOf(int chunk) const
{
    if (chunk < 0 || chunk >= m_chunks.size()) {
        return {};
    }
    const bool last = chunk + 1 == m_chunks.size();
    const qint64 begin = m_chunks.at(chunk).offset;
    const qint64 end = last ? m_end : m_chunks.at(chunk + 1).offset;
    TerminalText state = m_chunks.at(chunk).before;
    QList<TerminalLine> lines = state.feed(m_source.read(begin, end - begin));
    if (last) {
        lines += state.finish();
    }
    return lines;
}

void LogLines::setScan(const LogScan &scan)
{
    const bool same = scan.source() == m_scan.source() &&
                      scan.scannedBytes() >= m_scan.scannedBytes() && !m_scan.chunks().isEmpty();
    if (same) {
        m_cache.remove(static_cast<int>(m_scan.chunks().size()) - 1); // the one that grew
    } else {
        m_cache.clear();
    }
    m_scan = scan;
}

TerminalLine LogLines::line(qint64 number) const
{
    if (number < 0 || number >= count()) {
        return {};
    }
    const int chunk = m_scan.chunkOf(number);
    const qsizetype index = number - m_scan.chunks().at(chunk).firstLine;
    if (const QList<TerminalLine> *known = m_cache.object(chunk)) {
        return known->value(index);
    }
    auto lines = std::make_unique<QList<TerminalLine>>(m_scan.linesOf(chunk));
    TerminalLine found = lines->value(index);
    m_cache.insert(chunk, lines.release()); // which may let go of it at once
    return found;
}

std::optional<qint64> findInLog(const LogScan &scan, const QString &needle, qint64 from,
                                FindDirection direction)
{
    const int chunks = static_cast<int>(scan.chunks().size());
    if (needle.isEmpty() || chunks == 0) {
        return std::nullopt;
    }
    const int start = scan.chunkOf(from);
    const int step = direction == FindDirection::Forward ? 1 : -1;
    for (int turn = 0; turn <= chunks; ++turn) {
        const int chunk = ((start + step * turn) % chunks + chunks) % chunks;
        const QList<TerminalLine> lines = scan.linesOf(chunk);
        const qint64 first = scan.chunks().at(chunk).firstLine;
        for (qsizetype index = 0; index < lines.size(); ++index) {
            const qsizetype at = step > 0 ? index : lines.size() - 1 - index;
            const qint64 number = first + at;
            // In the first chunk only what lies ahead; what lies behind has its turn at the end.
            const bool ahead = step > 0 ? number >= from : number <= from;
            if ((turn == 0 && !ahead) || (turn == chunks && ahead)) {
                continue;
            }
            if (lines.at(at).text.contains(needle, Qt::CaseInsensitive)) {
                return number;
            }
        }
    }
    return std::nullopt;
}

} // namespace Glovebox
