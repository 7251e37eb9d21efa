// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/rowindex.h"

namespace Glovebox {

void RowIndex::reset(const QList<qint64> &rows)
{
    m_tree = rows;
    const int size = count();
    for (int index = 1; index <= size; ++index) {
        const int parent = index + (index & -index);
        if (parent <= size) {
            m_tree[parent - 1] += m_tree.at(index - 1);
        }
    }
}

void RowIndex::setRows(int file, qint64 rows)
{
    const qint64 delta = rows - rowsOf(file);
    for (int index = file + 1; index <= count(); index += index & -index) {
        m_tree[index - 1] += delta;
    }
}

qint64 RowIndex::before(int file) const
{
    qint64 sum = 0;
    for (int index = file; index > 0; index -= index & -index) {
        sum += m_tree.at(index - 1);
    }
    return sum;
}

qint64 RowIndex::rowsOf(int file) const
{
    return before(file + 1) - before(file);
}

int RowIndex::fileAt(qint64 row) const
{
    int step = 1;
    while (step * 2 <= count()) {
        step *= 2;
    }
    int position = 0;
    qint64 left = row;
    for (; step > 0; step /= 2) {
        if (position + step <= count() && m_tree.at(position + step - 1) <= left) {
            position += step;
            left -= m_tree.at(position - 1);
        }
    }
    return position;
}

} // namespace Glovebox
