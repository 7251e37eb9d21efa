// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/review/rowindex.h"
#include "core/review/changeset.h"

#include <QCache>
#include <QObject>

#include <functional>

namespace Glovebox {

/// One row of a diff, as a value.
struct DiffRow
{
    enum class Kind { FileHeader, HunkHeader, Line, Notice, Pending };
    Kind kind = Kind::Pending;
    int file = -1;
    DiffLine line;          ///< of a Line
    Hunk hunk;              ///< of a HunkHeader, without its lines
    qint64 hiddenAbove = 0; ///< of a HunkHeader: unchanged lines between it and the one before
    QString notice;         ///< of a Notice
};

/// The text of a line as it is shown: cut at 256 Ki characters, with a word of how much that took.
[[nodiscard]] QString shownText(const DiffLine &line);

/// What the diff view shows: the files of a change set and, of those that have been looked at,
/// their hunks. Files are read in the pool when they come into sight; texts are kept up to 64 MB
/// and read again when they are needed again, the row structure stays. A file that has not been
/// read has an estimated height.
class DiffDocument final : public QObject
{
    Q_OBJECT
public:
    using Reader = std::function<Result<FileDiff>(const ChangeSet &changes, int index)>;

    /// \a reader is called on pool threads.
    explicit DiffDocument(Reader reader, QObject *parent = nullptr);

    /// Shows another set; results of the old one that are still under way are dropped.
    void setChanges(const ChangeSet &changes);
    [[nodiscard]] const ChangeSet &changes() const { return m_changes; }
    [[nodiscard]] const Reader &reader() const { return m_reader; }
    [[nodiscard]] qint64 rowCount() const { return m_rows.total(); }
    [[nodiscard]] DiffRow row(qint64 row) const;
    [[nodiscard]] DiffRow::Kind kindOf(qint64 row) const; ///< cheaper than row()
    [[nodiscard]] int fileOf(qint64 row) const { return m_rows.fileAt(row); }
    [[nodiscard]] qint64 firstRowOf(int file) const { return m_rows.before(file); }
    [[nodiscard]] qint64 rowsOf(int file) const { return m_rows.rowsOf(file); }
    [[nodiscard]] bool isRead(int file) const;
    [[nodiscard]] bool isFolded(int file) const;
    void toggleFold(int file);
    /// Where a reader who walks through the changes stops: at each hunk, or at the header of a file
    /// whose hunks are not there (not read yet, folded, or only a notice). Never empty for a file.
    [[nodiscard]] QList<qint64> stopsOf(int file) const;
    /// Reads a file soon, before those that were asked for earlier. Cheap to call while painting.
    void want(int file);
    /// Tries again a file that could not be read.
    void retry(int file);
    /// The largest line number that has been met, for the width of the gutter.
    [[nodiscard]] int largestLine() const { return m_largestLine; }

Q_SIGNALS:
    void changesReset();
    /// A file's rows changed in number; \a at is the row after its old last one.
    void rowsShifted(qint64 at, qint64 delta);
    void fileRead(int file);

private:
    enum class State { NotRead, Read, Failed };
    struct Entry
    {
        State state = State::NotRead;
        bool folded = false;
        QList<int> hunkRows; ///< first row of each hunk inside the file
        int rows = 0;        ///< unfolded, header included
        QString notice;      ///< instead of hunks
    };
    void pump();
    void take(int generation, int file, const Result<FileDiff> &diff);
    void setRows(int file, qint64 rows);
    [[nodiscard]] static Entry entryOf(const FileDiff &diff);
    [[nodiscard]] static int estimate(const FileChange &file);

    Reader m_reader;
    ChangeSet m_changes;
    RowIndex m_rows;
    QList<Entry> m_entries;
    QCache<int, FileDiff> m_texts;
    QList<int> m_wanted; ///< the last one is read next
    QList<int> m_active;
    int m_generation = 0;
    int m_largestLine = 999;
};

} // namespace Glovebox
