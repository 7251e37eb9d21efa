// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

namespace Glovebox {

/// The places of the window that are no run.
enum class Place { Start, Tasks, Runs };

/// The list at the left: places with counts, then runs in groups (Needs you, Working, Earlier).
class NavigationModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum class Kind { Place, Group, Run };
    enum Role { KindRole = Qt::UserRole + 1, PlaceRole, CountRole, RunRole };

    explicit NavigationModel(QObject *parent = nullptr);

    void setRuns(const QList<RunRecord> &runs);
    void setCount(Place place, int count);
    [[nodiscard]] QModelIndex indexOf(Place place) const;
    [[nodiscard]] QModelIndex indexOf(const QString &run) const; ///< invalid when it isn't listed

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Item
    {
        Kind kind = Kind::Place;
        Place place = Place::Start;
        QString group;
        int count = -1;
        RunRecord run;
    };
    void addGroup(QList<Item> *items, const QString &name, const QList<RunRecord> &runs) const;

    QList<Item> m_items;
};

class NavigationDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;

private:
    void paintRun(QPainter *painter, const QStyleOptionViewItem &option, const QRect &row,
                  const QModelIndex &index) const;
};

} // namespace Glovebox
