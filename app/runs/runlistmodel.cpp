// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/runlistmodel.h"

#include "app/widgets/fonts.h"
#include "core/base/terminaltext.h"

#include <QPainter>

namespace Glovebox {

void RunListModel::setRuns(const QList<RunRecord> &runs)
{
    bool same = runs.size() == m_runs.size();
    for (qsizetype row = 0; same && row < runs.size(); ++row) {
        same = runs.at(row).id == m_runs.at(row).id;
    }
    if (same) {
        m_runs = runs;
        if (!runs.isEmpty()) {
            Q_EMIT dataChanged(index(0), index(static_cast<int>(runs.size()) - 1));
        }
        return;
    }
    beginResetModel();
    m_runs = runs;
    endResetModel();
}

int RunListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

QVariant RunListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const RunRecord &run = m_runs.at(index.row());
    const QDateTime now = QDateTime::currentDateTimeUtc();
    switch (role) {
    case Qt::DisplayRole:
        return displayText(run.title);
    case Qt::AccessibleTextRole: {
        //: A run read aloud: "Invoice rounding. Acceptance failed · 1 h ago. Needs you."
        const QString text = tr("%1. %2.").arg(displayText(run.title), factText(run, now));
        return needsReader(run) ? tr("%1 Needs you.").arg(text) : text;
    }
    case IdRole:
        return run.id;
    case StateRole:
        return static_cast<int>(stateOf(run));
    case FactRole:
        return factText(run, now);
    case RecordRole:
        return QVariant::fromValue(run);
    default:
        return {};
    }
}

QSize RunRowDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {320, rowHeight(option.font, 56, 2)};
}

void RunRowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                           const QModelIndex &index) const
{
    const Tokens &t = Tokens::of(option.palette);
    const auto run = index.data(RunListModel::RecordRole).value<RunRecord>();
    const QRect row = option.rect;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->fillRect(row, selected ? t[Token::Soft] : t[Token::Base]);
    painter->fillRect(QRect(row.left(), row.bottom(), row.width(), 1), t[Token::Line]);
    const RunState state = stateOf(run);
    paintGlyph(painter, QRectF(row.left() + 14, row.center().y() - 9.5, 20, 20), glyphOf(state), t);
    QRect text = row.adjusted(48, 8, -14, -9);
    const QFont small = smallFont(option.font);
    //: Backend and agent of a run, "srt · claude"
    QString facts = tr("%1 · %2").arg(run.provider, run.agent);
    if (run.costUsd) {
        facts += QStringLiteral(" · ") + moneyText(*run.costUsd);
    }
    painter->setFont(small);
    painter->setPen(selected ? t[Token::SoftText] : t[Token::Dim]);
    painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, facts);
    text.setRight(text.right() - QFontMetrics(small).horizontalAdvance(facts) - 16);
    const QString branch = run.branch.isEmpty() ? run.wantedBranch : run.branch;
    painter->drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                      QFontMetrics(small).elidedText(index.data(RunListModel::FactRole).toString() +
                                                         QStringLiteral(" · ") +
                                                         Glovebox::displayText(branch),
                                                     Qt::ElideMiddle, text.width()));
    const QFont strong = strongFont(option.font);
    painter->setFont(strong);
    painter->setPen(selected ? t[Token::SoftText] : t[Token::Text]);
    painter->drawText(
        text, Qt::AlignTop | Qt::AlignLeft,
        QFontMetrics(strong).elidedText(index.data().toString(), Qt::ElideMiddle, text.width()));
    painter->restore();
}

} // namespace Glovebox
