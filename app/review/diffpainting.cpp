// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// How the rows of the diff view look. Backgrounds first, then the text of the row in one draw.
#include "app/review/changeslistmodel.h"
#include "app/review/diffview.h"
#include "app/widgets/fonts.h"
#include "app/widgets/icon.h"
#include "app/widgets/stateglyph.h"
#include "core/base/terminaltext.h"

#include <QPainter>

namespace Glovebox {

namespace {

constexpr int signWidth = 20;
constexpr int foldWidth = 34;

Token backgroundOf(DiffLine::Kind kind)
{
    switch (kind) {
    case DiffLine::Kind::Added:
        return Token::AddBg;
    case DiffLine::Kind::Removed:
        return Token::DelBg;
    case DiffLine::Kind::Context:
    case DiffLine::Kind::NoNewline:
        return Token::Ctx;
    }
    Q_UNREACHABLE();
}

Token gutterOf(DiffLine::Kind kind)
{
    switch (kind) {
    case DiffLine::Kind::Added:
        return Token::AddG;
    case DiffLine::Kind::Removed:
        return Token::DelG;
    case DiffLine::Kind::Context:
    case DiffLine::Kind::NoNewline:
        return Token::Gut;
    }
    Q_UNREACHABLE();
}

QString rangeText(const Hunk &hunk)
{
    return QStringLiteral("@@ %1–%2 → %3–%4 @@")
        .arg(hunk.oldStart)
        .arg(hunk.oldStart + qMax(0, hunk.oldCount - 1))
        .arg(hunk.newStart)
        .arg(hunk.newStart + qMax(0, hunk.newCount - 1));
}

} // namespace

int DiffView::numberWidth() const
{
    const auto digits = QString::number(m_document->largestLine()).size();
    return qMax(44, static_cast<int>(digits) * columnWidth() + 14);
}

int DiffView::textLeft() const
{
    return 2 * numberWidth() + signWidth;
}

void DiffView::paintRow(QPainter *painter, qint64 number, const QRect &area)
{
    const DiffRow row = m_document->row(number);
    switch (row.kind) {
    case DiffRow::Kind::FileHeader:
        paintHeader(painter, row, area);
        break;
    case DiffRow::Kind::HunkHeader:
        paintHunk(painter, row, area);
        break;
    case DiffRow::Kind::Notice:
        paintNotice(painter, row, area);
        break;
    case DiffRow::Kind::Line:
        paintLine(painter, number, row, area);
        break;
    case DiffRow::Kind::Pending:
        painter->fillRect(area, Tokens::of(palette())[Token::Ctx]);
        m_document->want(row.file);
        break;
    }
    if (hasFocus() && number == currentRow()) {
        painter->fillRect(QRect(area.left(), area.top(), 3, area.height()),
                          Tokens::of(palette())[Token::Accent]);
    }
}

void DiffView::paintCounts(QPainter *painter, const FileChange &file, QRect *rest) const
{
    if (file.binary) {
        return;
    }
    const Tokens &t = Tokens::of(palette());
    const auto count = [&](const QString &text, Token token) {
        painter->setPen(t[token]);
        painter->drawText(*rest, Qt::AlignRight | Qt::AlignVCenter, text);
        rest->setRight(rest->right() - painter->fontMetrics().horizontalAdvance(text) - 8);
    };
    count(QStringLiteral("−%1").arg(file.removed), Token::DelS);
    count(QStringLiteral("+%1").arg(file.added), Token::AddS);
    rest->setRight(rest->right() - 8);
}

void DiffView::paintHeader(QPainter *painter, const DiffRow &row, const QRect &area) const
{
    const Tokens &t = Tokens::of(palette());
    const FileChange &file = m_document->changes().files.at(row.file);
    painter->fillRect(area, t[Token::Head]);
    painter->fillRect(QRect(area.left(), area.top(), area.width(), 1), t[Token::Line]);
    painter->fillRect(QRect(area.left(), area.bottom(), area.width(), 1), t[Token::Line]);
    paintIcon(painter, QRect(area.left() + 10, area.top(), 16, area.height()),
              m_document->isFolded(row.file) ? QStringLiteral("chevron-right")
                                             : QStringLiteral("chevron-down"),
              t[Token::Dim]);
    QRect rest = area.adjusted(foldWidth, 0, -16, 0);
    const QFont strong = strongFont(textFont());
    const QFontMetrics metrics(strong);
    painter->setFont(strong);
    paintCounts(painter, file, &rest);
    painter->setPen(t[kindToken(file.kind)]);
    const QString letter = kindLetter(file.kind);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, letter);
    rest.setLeft(rest.left() + metrics.horizontalAdvance(letter) + 10);
    QString path = displayText(file.path);
    if (file.oldPath != file.path && !file.oldPath.isEmpty()) {
        //: A renamed file: "new (was old)"
        path = tr("%1 (was %2)").arg(path, displayText(file.oldPath));
    }
    painter->setPen(t[Token::Text]);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(path, Qt::ElideMiddle, rest.width()));
}

void DiffView::paintHunk(QPainter *painter, const DiffRow &row, const QRect &area) const
{
    const Tokens &t = Tokens::of(palette());
    painter->fillRect(area, t[Token::Hunk]);
    painter->setPen(t[Token::Dim]);
    QString text = rangeText(row.hunk);
    if (!row.hunk.header.isEmpty()) {
        text += QStringLiteral("  ") + displayText(row.hunk.header.left(400));
    }
    QString hidden;
    if (row.hiddenAbove > 0) {
        hidden = tr("%n line(s) hidden", nullptr, static_cast<int>(row.hiddenAbove));
    }
    const QRect line = area.adjusted(textLeft(), 0, -12, 0);
    const QFont small = smallFont(font());
    const int room = line.width() - QFontMetrics(small).horizontalAdvance(hidden) - 16;
    painter->setFont(textFont());
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(textFont()).elidedText(text, Qt::ElideRight, room));
    painter->setFont(small);
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, hidden);
}

void DiffView::paintNotice(QPainter *painter, const DiffRow &row, const QRect &area) const
{
    const Tokens &t = Tokens::of(palette());
    painter->fillRect(area, t[Token::Ctx]);
    paintGlyph(painter, QRectF(area.left() + 14, area.top() + (area.height() - 14) / 2.0, 14, 14),
               infoGlyph(), t);
    painter->setFont(font());
    painter->setPen(t[Token::Dim]);
    const QRect text = area.adjusted(38, 0, -16, 0);
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(font()).elidedText(row.notice, Qt::ElideRight, text.width()));
}

void DiffView::paintGutter(QPainter *painter, const DiffRow &row, const QRect &area) const
{
    const Tokens &t = Tokens::of(palette());
    const DiffLine &line = row.line;
    const int width = numberWidth();
    painter->fillRect(QRect(area.left(), area.top(), 2 * width, area.height()),
                      t[gutterOf(line.kind)]);
    painter->setFont(textFont());
    const auto number = [&](int left, int value, bool own, Token sign) {
        if (value > 0) {
            painter->setPen(own ? t[sign] : t[Token::Faint]);
            painter->drawText(QRect(left, area.top(), width - 8, area.height()),
                              Qt::AlignRight | Qt::AlignVCenter, QString::number(value));
        }
    };
    number(area.left(), line.oldLine, line.kind == DiffLine::Kind::Removed, Token::DelS);
    number(area.left() + width, line.newLine, line.kind == DiffLine::Kind::Added, Token::AddS);
    if (line.kind != DiffLine::Kind::Added && line.kind != DiffLine::Kind::Removed) {
        return;
    }
    const bool added = line.kind == DiffLine::Kind::Added;
    painter->setPen(t[added ? Token::AddS : Token::DelS]);
    painter->drawText(QRect(area.left() + 2 * width, area.top(), signWidth - 4, area.height()),
                      Qt::AlignCenter, added ? QStringLiteral("+") : QStringLiteral("−"));
}

void DiffView::paintLine(QPainter *painter, qint64 number, const DiffRow &row, const QRect &area)
{
    const Tokens &t = Tokens::of(palette());
    painter->fillRect(area, t[backgroundOf(row.line.kind)]);
    painter->setPen(t[Token::Text]);
    if (row.line.kind == DiffLine::Kind::NoNewline) {
        painter->setFont(smallFont(font()));
        painter->setPen(t[Token::Hid]);
        painter->setBrush(t[Token::HidSoft]);
        const QString text = tr("no newline");
        const int width = painter->fontMetrics().horizontalAdvance(text) + 12;
        const QRect box(area.left() + textLeft(), area.top() + 2, width, area.height() - 4);
        painter->drawRoundedRect(box, 3, 3);
        painter->drawText(box, Qt::AlignCenter, text);
        painter->setBrush(Qt::NoBrush);
    } else {
        paintText(painter, number, area);
    }
    paintGutter(painter, row, area);
}

} // namespace Glovebox
