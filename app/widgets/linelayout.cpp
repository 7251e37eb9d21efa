// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/linelayout.h"

#include "app/widgets/tokens.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextOption>

#include <algorithm>

namespace Glovebox {

namespace {

constexpr int tileLength = 2000;

bool isPlain(QStringView text)
{
    return std::all_of(text.begin(), text.end(),
                       [](QChar c) { return c >= QLatin1Char(' ') && c < QChar(0x7f); });
}

} // namespace

LineLayout::LineLayout(const QString &stored, const QFont &font,
                       const QList<QTextLayout::FormatRange> &formats, qreal tab)
    : m_text(VisibleText::of(stored))
    , m_font(font)
    , m_tab(tab)
    , m_advance(QFontMetricsF(font).horizontalAdvance(QLatin1Char('0')))
{
    for (QTextLayout::FormatRange range : formats) {
        const int end = m_text.toShown(range.start + range.length);
        range.start = m_text.toShown(range.start);
        range.length = end - range.start;
        m_formats.append(range);
    }
    const int size = static_cast<int>(m_text.shown().size());
    for (int start = 0; start < qMax(1, size); start += tileLength) {
        Tile tile;
        tile.start = start;
        tile.length = qMin(tileLength, size - start);
        m_tiles.push_back(std::move(tile));
    }
}

QTextLayout &LineLayout::layoutOf(Tile &tile)
{
    if (tile.layout) {
        return *tile.layout;
    }
    tile.layout =
        std::make_unique<QTextLayout>(m_text.shown().mid(tile.start, tile.length), m_font);
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    option.setTextDirection(Qt::LeftToRight);
    option.setTabStopDistance(m_tab);
    tile.layout->setTextOption(option);
    tile.layout->setCacheEnabled(true);
    QList<QTextLayout::FormatRange> formats;
    for (QTextLayout::FormatRange range : m_formats) {
        const int from = qMax(range.start, tile.start);
        const int to = qMin(range.start + range.length, tile.start + tile.length);
        if (from < to) {
            range.start = from - tile.start;
            range.length = to - from;
            formats.append(range);
        }
    }
    tile.layout->setFormats(formats);
    tile.layout->beginLayout();
    QTextLine line = tile.layout->createLine();
    if (line.isValid()) {
        line.setLineWidth(1e7);
        line.setPosition({0, 0});
    }
    tile.layout->endLayout();
    return *tile.layout;
}

qreal LineLayout::measured(Tile &tile)
{
    if (tile.width >= 0) {
        return tile.width;
    }
    const QStringView piece = QStringView(m_text.shown()).mid(tile.start, tile.length);
    if (m_tiles.size() > 1 && isPlain(piece)) {
        tile.width = m_advance * tile.length;
    } else {
        QTextLayout &layout = layoutOf(tile);
        tile.width = layout.lineCount() > 0 ? layout.lineAt(0).naturalTextWidth() : 0;
        // Trailing blanks and tabs are no part of the natural width but of the next tile's place.
        if (layout.lineCount() > 0) {
            tile.width = qMax(tile.width, layout.lineAt(0).cursorToX(tile.length));
        }
    }
    return tile.width;
}

void LineLayout::measureUpTo(size_t last)
{
    qreal x = 0;
    for (size_t index = 0; index <= last && index < m_tiles.size(); ++index) {
        m_tiles[index].x = x;
        if (index < last) {
            x += measured(m_tiles[index]);
        }
    }
}

qreal LineLayout::width()
{
    measureUpTo(m_tiles.size() - 1);
    return m_tiles.back().x + measured(m_tiles.back());
}

size_t LineLayout::tileOf(int shownColumn) const
{
    return qMin(static_cast<size_t>(qMax(0, shownColumn) / tileLength), m_tiles.size() - 1);
}

qreal LineLayout::xOf(int column)
{
    const int shown = qBound(0, m_text.toShown(column), static_cast<int>(m_text.shown().size()));
    const size_t index = tileOf(shown);
    measureUpTo(index);
    Tile &tile = m_tiles[index];
    QTextLayout &layout = layoutOf(tile);
    return tile.x + (layout.lineCount() > 0 ? layout.lineAt(0).cursorToX(shown - tile.start) : 0);
}

int LineLayout::columnAt(qreal x)
{
    for (size_t index = 0; index < m_tiles.size(); ++index) {
        measureUpTo(index);
        Tile &tile = m_tiles[index];
        if (index + 1 < m_tiles.size() && x >= tile.x + measured(tile)) {
            continue;
        }
        QTextLayout &layout = layoutOf(tile);
        const int inside = layout.lineCount() > 0 ? layout.lineAt(0).xToCursor(x - tile.x) : 0;
        return m_text.toStored(tile.start + inside);
    }
    return 0;
}

void LineLayout::drawBoxes(QPainter *painter, const QPointF &origin, const Tile &tile,
                           const Tokens &tokens)
{
    const QTextLine line = tile.layout->lineCount() > 0 ? tile.layout->lineAt(0) : QTextLine();
    if (!line.isValid()) {
        return;
    }
    for (const HiddenBox &box : m_text.boxes()) {
        if (box.start + box.length <= tile.start || box.start >= tile.start + tile.length) {
            continue;
        }
        const qreal from = line.cursorToX(qMax(0, box.start - tile.start));
        const qreal to = line.cursorToX(qMin(tile.length, box.start + box.length - tile.start));
        const QRectF area(origin.x() + tile.x + from + 1.5, origin.y() + 0.5, to - from - 3,
                          line.height() - 1);
        painter->setPen(QPen(tokens[Token::Hid], 1));
        painter->setBrush(tokens[Token::HidSoft]);
        painter->drawRoundedRect(area, 3, 3);
    }
}

void LineLayout::draw(QPainter *painter, const QPointF &origin, qreal left, qreal right,
                      const Tokens &tokens)
{
    for (size_t index = 0; index < m_tiles.size(); ++index) {
        measureUpTo(index);
        Tile &tile = m_tiles[index];
        if (tile.x > right) {
            return;
        }
        if (m_tiles.size() > 1 && tile.x + measured(tile) < left) {
            continue;
        }
        QTextLayout &layout = layoutOf(tile);
        const QPen pen = painter->pen();
        drawBoxes(painter, origin, tile, tokens);
        painter->setPen(pen);
        painter->setBrush(Qt::NoBrush);
        layout.draw(painter, origin + QPointF(tile.x, 0));
    }
}

} // namespace Glovebox
