// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/terminaltext.h"

#include <QByteArray>
#include <QCache>
#include <QList>
#include <QString>

#include <optional>

namespace Glovebox {

/// Where the text of a log is: a file that may grow, or bytes. A value; reading opens the file
/// anew, so any thread.
struct LogSource
{
    QString path;
    qint64 begin = 0; ///< of the part that is shown, bytes
    qint64 end = -1;  ///< -1 = as far as there is
    QByteArray bytes; ///< instead of a file

    [[nodiscard]] qint64 size() const; ///< of the part, now
    [[nodiscard]] QByteArray read(qint64 offset, qint64 maximum) const;
    friend bool operator==(const LogSource &, const LogSource &) = default;
};

/// A stretch of about 64 KiB of a log: enough to make its lines again at any time, so that a
/// million lines cost a few kilobytes.
struct LogChunk
{
    qint64 offset = 0;
    qint64 firstLine = 0;
    TerminalText before; ///< the terminal's state where it starts
};

/// How far a log has been read. A value that is handed to the pool and back.
class LogScan final
{
public:
    LogScan() = default;
    explicit LogScan(LogSource source);

    /// Reads on, at most \a maximum bytes. Blocking. Answers whether there was more to read.
    bool advance(qint64 maximum);
    [[nodiscard]] const LogSource &source() const { return m_source; }
    [[nodiscard]] qint64 lineCount() const; ///< the unfinished last one counts
    [[nodiscard]] qint64 scannedBytes() const { return m_end; }
    [[nodiscard]] qint64 removedSequences() const { return m_state.removedSequences(); }
    [[nodiscard]] const QList<LogChunk> &chunks() const { return m_chunks; }
    [[nodiscard]] int chunkOf(qint64 line) const;
    /// The lines of one chunk, made again from the source. Blocking, a millisecond.
    [[nodiscard]] QList<TerminalLine> linesOf(int chunk) const;

private:
    void feed(const QByteArray &piece);

    LogSource m_source;
    QList<LogChunk> m_chunks;
    qint64 m_end = 0;   ///< bytes read
    qint64 m_lines = 0; ///< complete lines
    TerminalText m_state;
    qint64 m_unfinished = 0; ///< lines after the last line end
};

/// Lines by number over a scan, the last few chunks kept.
class LogLines final
{
public:
    LogLines()
        : m_cache(12)
    {
    }
    void setScan(const LogScan &scan);
    [[nodiscard]] const LogScan &scan() const { return m_scan; }
    [[nodiscard]] qint64 count() const { return m_scan.lineCount(); }
    [[nodiscard]] TerminalLine line(qint64 number) const;

private:
    LogScan m_scan;
    mutable QCache<int, QList<TerminalLine>> m_cache;
};

enum class FindDirection { Forward, Backward };

/// The next line that holds \a needle (case-insensitively), looked for from \a from, wrapping round
/// once. Blocking: through runInPool.
[[nodiscard]] std::optional<qint64> findInLog(const LogScan &scan, const QString &needle,
                                              qint64 from, FindDirection direction);

} // namespace Glovebox
