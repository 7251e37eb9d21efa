// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/tokens.h"
#include "core/review/changeset.h"

#include <QAbstractListModel>
#include <QSet>
#include <QStyledItemDelegate>

namespace Glovebox {

[[nodiscard]] QString kindLetter(ChangeKind kind); ///< A M D R C T
[[nodiscard]] QString kindText(ChangeKind kind);
[[nodiscard]] Token kindToken(ChangeKind kind);

/// The changed files of a branch, one row each, in the order of the change set.
class ChangesListModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { KindRole = Qt::UserRole + 1, AddedRole, RemovedRole, OutOfScopeRole };

    using QAbstractListModel::QAbstractListModel;
    void setChanges(const ChangeSet &changes, const QList<QByteArray> &outOfScope);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<FileChange> m_files;
    QSet<QByteArray> m_outOfScope;
};

/// Paints a row of it: letter, path (cut at its left), scope mark, counts.
class ChangesDelegate final : public QStyledItemDelegate
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
