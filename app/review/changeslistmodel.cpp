// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/changeslistmodel.h"

#include "app/widgets/fonts.h"
#include "app/widgets/stateglyph.h"
#include "core/base/terminaltext.h"

#include <QPainter>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ChangeKind)
};

} // namespace

QString kindLetter(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Added:
        return QStringLiteral("A");
    case ChangeKind::Modified:
    case ChangeKind::ModeChanged:
        return QStringLiteral("M");
    case ChangeKind::Deleted:
        return QStringLiteral("D");
    case ChangeKind::Renamed:
        return QStringLiteral("R");
    case ChangeKind::Copied:
        return QStringLiteral("C");
    case ChangeKind::TypeChanged:
        return QStringLiteral("T");
    }
    Q_UNREACHABLE();
}

QString kindText(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Added:
        return Tr::tr("added");
    case ChangeKind::Modified:
        return Tr::tr("modified");
    case ChangeKind::Deleted:
        return Tr::tr("deleted");
    case ChangeKind::Renamed:
        return Tr::tr("renamed");
    case ChangeKind::Copied:
        return Tr::tr("copied");
    case ChangeKind::TypeChanged:
        return Tr::tr("type changed");
    case ChangeKind::ModeChanged:
        return Tr::tr("mode changed");
    }
    Q_UNREACHABLE();
}

Token kindToken(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Added:
    case ChangeKind::Copied:
        return Token::Ok;
    case ChangeKind::Deleted:
        return Token::Bad;
    case ChangeKind::Modified:
    case ChangeKind::ModeChanged:
    case ChangeKind::TypeChanged:
        return Token::Warn;
    case ChangeKind::Renamed:
        return Token::Mov;
    }
    Q_UNREACHABLE();
}

void ChangesListModel::setChanges(const ChangeSet &changes, const QList<QByteArray> &outOfScope)
{
    beginResetModel();
    m_files = changes.files;
    m_outOfScope = QSet<QByteArray>(outOfScope.cbegin(), outOfScope.cend());
    endResetModel();
}

int ChangesListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_files.size());
}

QVariant ChangesListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const FileChange &file = m_files.at(index.row());
    const bool outside = m_outOfScope.contains(file.path) || m_outOfScope.contains(file.oldPath);
    switch (role) {
    case Qt::DisplayRole:
        return displayText(file.path);
    case Qt::ToolTipRole:
        return displayText(file.path).toHtmlEscaped();
    case Qt::AccessibleTextRole: {
        const QString text = tr("%1, %2, %3 added, %4 removed")
                                 .arg(displayText(file.path), kindText(file.kind))
                                 .arg(file.added)
                                 .arg(file.removed);
        return outside ? tr("%1, out of scope").arg(text) : text;
    }
    case KindRole:
        return static_cast<int>(file.kind);
    case AddedRole:
        return file.added;
    case RemovedRole:
        return file.removed;
    case OutOfScopeRole:
        return outside;
    default:
        return {};
    }
}

QSize ChangesDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {160, rowHeight(option.font, 26)};
}

void ChangesDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    const Tokens &t = Tokens::of(option.palette);
    painter->save();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->fillRect(option.rect, selected ? t[Token::Soft] : t[Token::Base]);
    if (selected) {
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                          t[Token::Accent]);
    }
    const auto kind = static_cast<ChangeKind>(index.data(ChangesListModel::KindRole).toInt());
    QRect rest = option.rect.adjusted(12, 0, -10, 0);
    const QFont strong = strongFont(smallFont(option.font));
    const QFontMetrics metrics(strong);
    painter->setFont(strong);
    const auto count = [&](const QString &sign, int number, Token token) {
        if (number > 0) {
            const QString text = sign + QString::number(number);
            painter->setPen(t[token]);
            painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter, text);
            rest.setRight(rest.right() - metrics.horizontalAdvance(text) - 8);
        }
    };
    count(QStringLiteral("−"), index.data(ChangesListModel::RemovedRole).toInt(), Token::DelS);
    count(QStringLiteral("+"), index.data(ChangesListModel::AddedRole).toInt(), Token::AddS);
    if (index.data(ChangesListModel::OutOfScopeRole).toBool()) {
        paintGlyph(painter, QRectF(rest.right() - 14, rest.center().y() - 6.5, 14, 14),
                   {GlyphShape::Disc, GlyphMark::Fence, Token::Bad}, t);
        rest.setRight(rest.right() - 22);
    }
    painter->setPen(t[kindToken(kind)]);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, kindLetter(kind));
    rest.setLeft(rest.left() + 20);
    painter->setFont(option.font);
    painter->setPen(selected ? t[Token::SoftText] : t[Token::Text]);
    painter->drawText(
        rest, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(option.font).elidedText(index.data().toString(), Qt::ElideLeft, rest.width()));
    painter->restore();
}

} // namespace Glovebox
