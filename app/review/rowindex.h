// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

namespace Glovebox {

/// How many rows each of many files has, as prefix sums that can change (a Fenwick tree): a row
/// finds its file, and a file its first row, in logarithmic time. 8 bytes a file.
class RowIndex final
{
public:
    void reset(const QList<qint64> &rows);
    void setRows(int file, qint64 rows);
    [[nodiscard]] qint64 rowsOf(int file) const;
    [[nodiscard]] qint64 total() const { return before(count()); }
    [[nodiscard]] int count() const { return static_cast<int>(m_tree.size()); }
    /// The sum of the rows of all files before \a file.
    [[nodiscard]] qint64 before(int file) const;
    /// The file that holds \a row; count() when there are fewer rows.
    [[nodiscard]] int fileAt(qint64 row) const;

private:
    QList<qint64> m_tree; ///< entry i holds the sum of the stretch that ends at i
};

} // namespace Glovebox
