// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QAbstractListModel>
#include <QSet>
#include <QStyledItemDelegate>

namespace Glovebox {

/// What the agent did, one row each. The end of a tool updates the row of its call: whoever has the
/// events has joined them by their ids, rows are told by place.
class EventListModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { EventRole = Qt::UserRole + 1, TimeRole, VerbRole, OpenRole };

    using QAbstractListModel::QAbstractListModel;
    void setEvents(const QList<TimedEvent> &events);
    /// Events of the rows from \a first on: those that are there are updated, the others are new.
    void replaceFrom(int first, const QList<TimedEvent> &events);
    void toggle(const QModelIndex &index);
    [[nodiscard]] const TimedEvent &at(int row) const { return m_events.at(row); }
    [[nodiscard]] bool isOpen(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<TimedEvent> m_events;
    QSet<int> m_toggled; ///< rows that are not as they would be by themselves
};

[[nodiscard]] QString verbOf(AgentEvent::Kind kind);

/// Paints a row: time, icon, verb, object, measure; below it the output where it is open.
class EventDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;

private:
    void paintOutput(QPainter *painter, const QStyleOptionViewItem &option, const QRect &area,
                     const QString &output) const;
};

} // namespace Glovebox
