// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

namespace Glovebox {

/// Runs, newest first. Keeps the rows of those that stay when the list is read anew.
class RunListModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole + 1, StateRole, FactRole, RecordRole };

    using QAbstractListModel::QAbstractListModel;
    void setRuns(const QList<RunRecord> &runs);
    [[nodiscard]] const QList<RunRecord> &runs() const { return m_runs; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<RunRecord> m_runs;
};

/// Paints a run in a list: glyph, title, facts, and at the right what it cost and where it ran.
class RunRowDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;
};

} // namespace Glovebox
