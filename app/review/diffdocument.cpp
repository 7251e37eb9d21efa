// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/diffdocument.h"

#include "core/base/pool.h"

#include <algorithm>

namespace Glovebox {

namespace {

constexpr int readersAtOnce = 2;
constexpr int cachedKibibytes = 64 * 1024;
constexpr int longestLine = 256 * 1024; // characters of one line that are shown
constexpr int longestQueue = 64;        // files scrolled past long ago are not worth reading

int kibibytesOf(const FileDiff &diff)
{
    qint64 bytes = 0;
    for (const Hunk &hunk : diff.hunks) {
        for (const DiffLine &line : hunk.lines) {
            bytes += line.text.size() + qint64(sizeof(DiffLine));
        }
    }
    // One file alone may be above the limit: it is kept until the next one comes.
    return static_cast<int>(qBound(qint64(1), bytes / 1024, qint64(cachedKibibytes)));
}

QString noticeOf(const FileDiff &diff)
{
    if (diff.file.binary) {
        return DiffDocument::tr("Binary file. Its content isn't compared line by line.");
    }
    if (diff.tooLarge) {
        return DiffDocument::tr("Too large to be compared line by line.");
    }
    if (!diff.hunks.isEmpty()) {
        return {};
    }
    if (diff.file.oldMode != diff.file.newMode) {
        return DiffDocument::tr("Only the mode changed, from %1 to %2.")
            .arg(diff.file.oldMode, 6, 8, QLatin1Char('0'))
            .arg(diff.file.newMode, 6, 8, QLatin1Char('0'));
    }
    return DiffDocument::tr("No line changed.");
}

} // namespace

QString shownText(const DiffLine &line)
{
    QString text = QString::fromUtf8(line.text);
    if (text.size() > longestLine) {
        const qsizetype more = text.size() - longestLine;
        text.truncate(longestLine);
        //: At the end of a line that is too long to be shown whole
        text += DiffDocument::tr(" … %n more character(s)", nullptr, static_cast<int>(more));
    }
    return text;
}

DiffDocument::DiffDocument(Reader reader, QObject *parent)
    : QObject(parent)
    , m_reader(std::move(reader))
    , m_texts(cachedKibibytes)
{
}

int DiffDocument::estimate(const FileChange &file)
{
    // The header, one hunk header, the changed lines and their context.
    return file.binary ? 2 : 2 + file.added + file.removed + 6;
}

void DiffDocument::setChanges(const ChangeSet &changes)
{
    ++m_generation;
    m_changes = changes;
    m_texts.clear();
    m_wanted.clear();
    m_active.clear();
    m_entries.clear();
    m_largestLine = 999;
    QList<qint64> rows;
    rows.reserve(changes.files.size());
    for (const FileChange &file : changes.files) {
        Entry entry;
        entry.rows = estimate(file);
        rows.append(entry.rows);
        m_entries.append(entry);
    }
    m_rows.reset(rows);
    Q_EMIT changesReset();
}

bool DiffDocument::isRead(int file) const
{
    return m_entries.value(file).state != State::NotRead;
}

bool DiffDocument::isFolded(int file) const
{
    return m_entries.value(file).folded;
}

QList<qint64> DiffDocument::stopsOf(int file) const
{
    const Entry entry = m_entries.value(file);
    const qint64 first = m_rows.before(file);
    if (entry.folded || entry.hunkRows.isEmpty()) {
        return {first};
    }
    QList<qint64> rows;
    rows.reserve(entry.hunkRows.size());
    for (const int inside : entry.hunkRows) {
        rows.append(first + inside);
    }
    return rows;
}

DiffRow::Kind DiffDocument::kindOf(qint64 row) const
{
    const int file = m_rows.fileAt(row);
    if (file >= m_entries.size()) {
        return DiffRow::Kind::Pending;
    }
    const int inside = static_cast<int>(row - m_rows.before(file));
    const Entry &entry = m_entries.at(file);
    if (inside == 0) {
        return DiffRow::Kind::FileHeader;
    }
    if (entry.state == State::NotRead) {
        return DiffRow::Kind::Pending;
    }
    if (!entry.notice.isEmpty()) {
        return DiffRow::Kind::Notice;
    }
    return std::binary_search(entry.hunkRows.cbegin(), entry.hunkRows.cend(), inside)
               ? DiffRow::Kind::HunkHeader
               : DiffRow::Kind::Line;
}

DiffRow DiffDocument::row(qint64 number) const
{
    DiffRow row;
    row.file = m_rows.fileAt(number);
    if (row.file >= m_entries.size()) {
        return row;
    }
    row.kind = kindOf(number);
    const Entry &entry = m_entries.at(row.file);
    if (row.kind == DiffRow::Kind::Notice) {
        row.notice = entry.notice;
    }
    if (row.kind != DiffRow::Kind::HunkHeader && row.kind != DiffRow::Kind::Line) {
        return row;
    }
    const FileDiff *diff = m_texts.object(row.file);
    if (diff == nullptr) {
        row.kind = DiffRow::Kind::Pending; // put out of the cache: comes back when wanted
        return row;
    }
    const int inside = static_cast<int>(number - m_rows.before(row.file));
    const auto after = std::upper_bound(entry.hunkRows.cbegin(), entry.hunkRows.cend(), inside);
    const qsizetype hunk = after - entry.hunkRows.cbegin() - 1;
    const Hunk &found = diff->hunks.at(hunk);
    if (row.kind == DiffRow::Kind::Line) {
        row.line = found.lines.at(inside - entry.hunkRows.at(hunk) - 1);
        return row;
    }
    row.hunk = {found.oldStart, found.oldCount, found.newStart, found.newCount, found.header, {}};
    const qint64 above =
        hunk == 0 ? 0 : diff->hunks.at(hunk - 1).newStart + diff->hunks.at(hunk - 1).newCount - 1;
    row.hiddenAbove = qMax<qint64>(0, found.newStart - 1 - above);
    return row;
}

void DiffDocument::toggleFold(int file)
{
    if (file < 0 || file >= m_entries.size()) {
        return;
    }
    Entry &entry = m_entries[file];
    entry.folded = !entry.folded;
    setRows(file, entry.folded ? 1 : entry.rows);
}

void DiffDocument::setRows(int file, qint64 rows)
{
    const qint64 old = m_rows.rowsOf(file);
    const qint64 at = m_rows.before(file) + old;
    m_rows.setRows(file, rows);
    Q_EMIT rowsShifted(at, rows - old);
}

void DiffDocument::want(int file)
{
    if (file < 0 || file >= m_entries.size() || m_active.contains(file)) {
        return;
    }
    const Entry &entry = m_entries.at(file);
    if (entry.state == State::Failed || (entry.state == State::Read && m_texts.contains(file))) {
        return;
    }
    m_wanted.removeOne(file);
    m_wanted.append(file);
    if (m_wanted.size() > longestQueue) {
        m_wanted.removeFirst();
    }
    pump();
}

void DiffDocument::retry(int file)
{
    if (file >= 0 && file < m_entries.size()) {
        m_entries[file].state = State::NotRead;
        m_entries[file].notice.clear();
        want(file);
    }
}

void DiffDocument::pump()
{
    while (m_active.size() < readersAtOnce && !m_wanted.isEmpty()) {
        const int file = m_wanted.takeLast();
        const int generation = m_generation;
        m_active.append(file);
        QCoro::connect(runInPool([reader = m_reader, changes = m_changes, file] {
                           return reader(changes, file);
                       }),
                       this, [this, generation, file](const Result<FileDiff> &diff) {
                           take(generation, file, diff);
                       });
    }
}

DiffDocument::Entry DiffDocument::entryOf(const FileDiff &diff)
{
    Entry entry;
    entry.state = State::Read;
    entry.notice = noticeOf(diff);
    entry.rows = 1;
    if (!entry.notice.isEmpty()) {
        entry.rows = 2;
        return entry;
    }
    for (const Hunk &hunk : diff.hunks) {
        entry.hunkRows.append(entry.rows);
        entry.rows += 1 + static_cast<int>(hunk.lines.size());
    }
    return entry;
}

void DiffDocument::take(int generation, int file, const Result<FileDiff> &diff)
{
    if (generation != m_generation) {
        return;
    }
    m_active.removeOne(file);
    const bool folded = m_entries.at(file).folded;
    if (diff) {
        m_entries[file] = entryOf(*diff);
        m_texts.insert(file, new FileDiff(*diff), kibibytesOf(*diff));
        for (const Hunk &hunk : diff->hunks) {
            m_largestLine = std::max(
                {m_largestLine, hunk.oldStart + hunk.oldCount, hunk.newStart + hunk.newCount});
        }
    } else {
        Entry failed;
        failed.state = State::Failed;
        failed.notice = tr("Couldn't be compared: %1").arg(diff.error().message);
        failed.rows = 2;
        m_entries[file] = failed;
    }
    m_entries[file].folded = folded;
    setRows(file, folded ? 1 : m_entries.at(file).rows);
    Q_EMIT fileRead(file);
    pump();
}

} // namespace Glovebox
