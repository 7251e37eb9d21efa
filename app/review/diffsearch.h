// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/review/diffdocument.h"

#include <stop_token>

namespace Glovebox {

/// A place in a diff that holds what was looked for. Rows count from the file's header, which is
/// row 0, so they stay right while other files are read or folded.
struct DiffMatch
{
    int file = -1;
    int row = 0;
    int column = 0; ///< UTF-16 units of the row's text
    int length = 0;
    friend auto operator<=>(const DiffMatch &, const DiffMatch &) = default;
};

/// What one file holds of it.
struct FileMatches
{
    QList<DiffMatch> matches;
    bool searched = true; ///< false: its lines can't be compared, so only its path was looked at
};

/// Looks for \a needle, without regard to case, in a file's path and in its lines.
[[nodiscard]] FileMatches findInFile(const Result<FileDiff> &diff, const FileChange &change,
                                     int file, const QString &needle);

/// Finds in all files of a change set, also those that nobody has looked at yet: reads them one
/// after the other in the pool, beginning where the reader is. At most 10,000 matches.
class DiffSearch final : public QObject
{
    Q_OBJECT
public:
    /// \a document is not owned and must outlive this.
    explicit DiffSearch(DiffDocument *document, QObject *parent = nullptr);
    ~DiffSearch() override;

    /// Forgets the last search and begins another; an empty needle only forgets.
    void start(const QString &needle, int firstFile);
    [[nodiscard]] bool isRunning() const { return m_left > 0; }
    [[nodiscard]] const QString &needle() const { return m_needle; }
    /// In the order of the diff.
    [[nodiscard]] const QList<DiffMatch> &matches() const { return m_matches; }
    [[nodiscard]] bool isCapped() const { return m_capped; } ///< there are more
    [[nodiscard]] int unsearched() const { return m_unsearched; }

Q_SIGNALS:
    /// More was found, or it is over.
    void changed();

private:
    void readOn();
    void take(const QList<FileMatches> &found);

    DiffDocument *m_document;
    QString m_needle;
    QList<DiffMatch> m_matches;
    std::stop_source m_stop;
    int m_generation = 0;
    int m_next = 0; ///< file to be read next
    int m_left = 0; ///< files that have not been read
    int m_unsearched = 0;
    bool m_capped = false;
};

} // namespace Glovebox
