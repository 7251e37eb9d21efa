// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow/navigationmodel.h"

#include "app/widgets/fonts.h"
#include "app/widgets/icon.h"
#include "core/base/terminaltext.h"

#include <QPainter>

namespace Glovebox {

namespace {

constexpr int mostEarlier = 20;

QString iconOf(Place place)
{
    switch (place) {
    case Place::Start:
        return QStringLiteral("home");
    case Place::Tasks:
        return QStringLiteral("document");
    case Place::Runs:
        return QStringLiteral("list");
    }
    Q_UNREACHABLE();
}

QString textOf(Place place)
{
    switch (place) {
    case Place::Start:
        return NavigationModel::tr("Start");
    case Place::Tasks:
        return NavigationModel::tr("Tasks");
    case Place::Runs:
        return NavigationModel::tr("Runs");
    }
    Q_UNREACHABLE();
}

} // namespace

NavigationModel::NavigationModel(QObject *parent)
    : QAbstractListModel(parent)
{
    for (const Place place : {Place::Start, Place::Tasks, Place::Runs}) {
        Item item;
        item.place = place;
        m_items.append(item);
    }
}

void NavigationModel::addGroup(QList<Item> *items, const QString &name,
                               const QList<RunRecord> &runs) const
{
    if (runs.isEmpty()) {
        return;
    }
    Item head;
    head.kind = Kind::Group;
    head.group = name;
    head.count = static_cast<int>(runs.size());
    items->append(head);
    for (const RunRecord &run : runs) {
        Item item;
        item.kind = Kind::Run;
        item.run = run;
        items->append(item);
    }
}

void NavigationModel::setRuns(const QList<RunRecord> &runs)
{
    QList<RunRecord> needs;
    QList<RunRecord> working;
    QList<RunRecord> earlier;
    for (const RunRecord &run : runs) {
        if (!isAtRest(run.phase)) {
            working.append(run);
        } else if (needsReader(run) && needs.size() < mostEarlier) {
            needs.append(run);
        } else if (earlier.size() < mostEarlier) {
            earlier.append(run);
        }
    }
    QList<Item> items = m_items.mid(0, 3);
    items[2].count = static_cast<int>(runs.size());
    addGroup(&items, tr("Needs you"), needs);
    addGroup(&items, tr("Working"), working);
    addGroup(&items, tr("Earlier"), earlier);
    bool same = items.size() == m_items.size();
    for (qsizetype row = 0; same && row < items.size(); ++row) {
        same = items.at(row).kind == m_items.at(row).kind &&
               items.at(row).group == m_items.at(row).group &&
               items.at(row).run.id == m_items.at(row).run.id;
    }
    if (same) {
        m_items = items;
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_items.size()) - 1));
        return;
    }
    beginResetModel();
    m_items = items;
    endResetModel();
}

void NavigationModel::setCount(Place place, int count)
{
    const QModelIndex changed = indexOf(place);
    m_items[changed.row()].count = count;
    Q_EMIT dataChanged(changed, changed);
}

QModelIndex NavigationModel::indexOf(Place place) const
{
    return index(static_cast<int>(place));
}

QModelIndex NavigationModel::indexOf(const QString &run) const
{
    for (int row = 0; row < m_items.size(); ++row) {
        if (m_items.at(row).kind == Kind::Run && m_items.at(row).run.id == run) {
            return index(row);
        }
    }
    return {};
}

int NavigationModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

Qt::ItemFlags NavigationModel::flags(const QModelIndex &index) const
{
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    const bool group = m_items.at(index.row()).kind == Kind::Group;
    return group ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

QVariant NavigationModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Item &item = m_items.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return item.kind == Kind::Place   ? textOf(item.place)
               : item.kind == Kind::Group ? item.group
                                          : displayText(item.run.title);
    case Qt::AccessibleTextRole:
        if (item.kind == Kind::Run) {
            return tr("%1. %2.").arg(displayText(item.run.title),
                                     factText(item.run, QDateTime::currentDateTimeUtc()));
        }
        return item.count < 0
                   ? data(index, Qt::DisplayRole)
                   : tr("%1, %2").arg(data(index, Qt::DisplayRole).toString()).arg(item.count);
    case KindRole:
        return static_cast<int>(item.kind);
    case PlaceRole:
        return static_cast<int>(item.place);
    case CountRole:
        return item.count;
    case RunRole:
        return QVariant::fromValue(item.run);
    default:
        return {};
    }
}

QSize NavigationDelegate::sizeHint(const QStyleOptionViewItem &option,
                                   const QModelIndex &index) const
{
    switch (static_cast<NavigationModel::Kind>(index.data(NavigationModel::KindRole).toInt())) {
    case NavigationModel::Kind::Place:
        return {200, rowHeight(option.font, 29)};
    case NavigationModel::Kind::Group:
        return {200, rowHeight(option.font, 38)};
    case NavigationModel::Kind::Run:
        return {200, rowHeight(option.font, 44, 2)};
    }
    Q_UNREACHABLE();
}

void NavigationDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                               const QModelIndex &index) const
{
    const Tokens &t = Tokens::of(option.palette);
    const auto kind =
        static_cast<NavigationModel::Kind>(index.data(NavigationModel::KindRole).toInt());
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hover = option.state.testFlag(QStyle::State_MouseOver);
    const QRect row = option.rect.adjusted(8, 0, -8, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(option.rect, t[Token::Side]);
    if (kind != NavigationModel::Kind::Group && (selected || hover)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(selected ? t[Token::Soft] : t[Token::Hover]);
        painter->drawRoundedRect(row, 5, 5);
    }
    if (selected) {
        painter->fillRect(QRect(row.left(), row.top() + 4, 3, row.height() - 8), t[Token::Accent]);
    }
    const int count = index.data(NavigationModel::CountRole).toInt();
    if (count >= 0 && kind != NavigationModel::Kind::Run) {
        QRect number = row.adjusted(0, 0, -8, 0);
        if (kind == NavigationModel::Kind::Group) {
            number.setTop(number.top() + 8);
        }
        painter->setFont(smallFont(option.font));
        painter->setPen(t[Token::Dim]);
        painter->drawText(number, Qt::AlignRight | Qt::AlignVCenter, QString::number(count));
    }
    if (kind == NavigationModel::Kind::Run) {
        paintRun(painter, option, row, index);
    } else if (kind == NavigationModel::Kind::Group) {
        painter->setFont(strongFont(smallFont(option.font)));
        painter->setPen(t[Token::Dim]);
        painter->drawText(row.adjusted(8, 8, 0, 0), Qt::AlignVCenter, index.data().toString());
    } else {
        const auto place = static_cast<Place>(index.data(NavigationModel::PlaceRole).toInt());
        const QColor colour = selected ? t[Token::SoftText] : t[Token::Text];
        paintIcon(painter, QRect(row.left() + 8, row.top(), 16, row.height()), iconOf(place),
                  selected ? t[Token::Accent] : t[Token::Dim]);
        painter->setFont(selected ? strongFont(option.font) : option.font);
        painter->setPen(colour);
        painter->drawText(row.adjusted(34, 0, 0, 0), Qt::AlignVCenter, index.data().toString());
    }
    painter->restore();
}

void NavigationDelegate::paintRun(QPainter *painter, const QStyleOptionViewItem &option,
                                  const QRect &row, const QModelIndex &index) const
{
    const Tokens &t = Tokens::of(option.palette);
    const auto run = index.data(NavigationModel::RunRole).value<RunRecord>();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    paintGlyph(painter, QRectF(row.left() + 8, row.top() + 7, 16, 16), glyphOf(stateOf(run)), t);
    const QRect text = row.adjusted(34, 5, -6, -5);
    const QFont title = needsReader(run) ? strongFont(option.font) : option.font;
    painter->setFont(title);
    painter->setPen(selected ? t[Token::SoftText] : t[Token::Text]);
    painter->drawText(
        text, Qt::AlignTop | Qt::AlignLeft,
        QFontMetrics(title).elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    const QFont small = smallFont(option.font);
    painter->setFont(small);
    painter->setPen(selected ? t[Token::SoftText] : t[Token::Dim]);
    painter->drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                      QFontMetrics(small).elidedText(factText(run, QDateTime::currentDateTimeUtc()),
                                                     Qt::ElideRight, text.width()));
}

} // namespace Glovebox
