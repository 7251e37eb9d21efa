// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/rowview.h"

#include "app/widgets/fonts.h"
#include "app/widgets/style.h"
#include "app/widgets/tokens.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <limits>

namespace Glovebox {

namespace {

constexpr int cachedLayouts = 220; // three screens of rows
constexpr qint64 copyLimit = 16LL * 1024 * 1024;

} // namespace

RowView::RowView(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_layouts(cachedLayouts)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setCursor(Qt::IBeamCursor);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    readFonts();
}

RowView::~RowView() = default;

void RowView::readFonts()
{
    m_textFont = codeFont(font());
    const QFontMetrics metrics(m_textFont);
    m_lineHeight = metrics.lineSpacing() + 3;
    m_columnWidth = qMax(1, metrics.horizontalAdvance(QLatin1Char('0')));
}

int RowView::heightOf(qint64) const
{
    return m_lineHeight;
}

QList<QTextLayout::FormatRange> RowView::rowFormats(qint64) const
{
    return {};
}

QString RowView::describeRow(qint64 row) const
{
    if (row < 0 || row >= rowCount()) {
        return {};
    }
    return VisibleText::of(rowText(row)).shown();
}

qint64 RowView::firstRow() const
{
    return verticalScrollBar()->value();
}

int RowView::sideways() const
{
    return horizontalScrollBar()->value();
}

qint64 RowView::maximumFirstRow() const
{
    qint64 row = rowCount();
    int left = viewport()->height();
    while (row > 0) {
        left -= heightOf(row - 1);
        if (left < 0) {
            break;
        }
        --row;
    }
    return row;
}

int RowView::visibleRows() const
{
    int rows = 0;
    int y = 0;
    for (qint64 row = firstRow(); row < rowCount(); ++row, ++rows) {
        y += heightOf(row);
        if (y > viewport()->height()) {
            break;
        }
    }
    return qMax(1, rows);
}

qint64 RowView::lastVisibleRow() const
{
    return qMin(rowCount() - 1, firstRow() + visibleRows() - 1);
}

bool RowView::isAtEnd() const
{
    return verticalScrollBar()->value() >= verticalScrollBar()->maximum();
}

qint64 RowView::rowAt(int y) const
{
    int top = 0;
    for (qint64 row = firstRow(); row < rowCount(); ++row) {
        top += heightOf(row);
        if (y < top) {
            return row;
        }
        if (top > viewport()->height()) {
            break;
        }
    }
    return -1;
}

QRect RowView::rowRect(qint64 wanted) const
{
    int top = 0;
    for (qint64 row = firstRow(); row < rowCount() && top < viewport()->height(); ++row) {
        const int height = heightOf(row);
        if (row == wanted) {
            return {0, top, viewport()->width(), height};
        }
        top += height;
    }
    return {};
}

void RowView::updateScrollBars()
{
    const qint64 maximum = qMin<qint64>(maximumFirstRow(), std::numeric_limits<int>::max());
    verticalScrollBar()->setRange(0, static_cast<int>(maximum));
    verticalScrollBar()->setPageStep(visibleRows());
    verticalScrollBar()->setSingleStep(1);
    const int room = viewport()->width() - textLeft();
    horizontalScrollBar()->setRange(0, qMax(0, qRound(m_widest) + 2 * m_columnWidth - room));
    horizontalScrollBar()->setPageStep(qMax(1, room));
    horizontalScrollBar()->setSingleStep(4 * m_columnWidth);
}

void RowView::rowsReset()
{
    m_layouts.clear();
    m_widest = 0;
    const qint64 last = qMax<qint64>(0, rowCount() - 1);
    m_cursor.row = qMin(m_cursor.row, last);
    m_anchor.row = qMin(m_anchor.row, last);
    updateScrollBars();
    m_painted = verticalScrollBar()->value();
    viewport()->update();
}

void RowView::rowsAppended()
{
    updateScrollBars();
    viewport()->update();
}

void RowView::rowsShifted(qint64 at, qint64 delta)
{
    const auto shifted = [at, delta, last = qMax<qint64>(0, rowCount() - 1)](qint64 row) {
        return qBound<qint64>(0, row >= at ? row + delta : row, last);
    };
    const qint64 first = shifted(firstRow());
    m_anchor.row = shifted(m_anchor.row);
    m_cursor.row = shifted(m_cursor.row);
    m_layouts.clear();
    updateScrollBars();
    scrollToRow(first);
    m_painted = verticalScrollBar()->value();
    viewport()->update();
}

std::shared_ptr<LineLayout> RowView::layoutOf(qint64 row)
{
    if (const std::shared_ptr<LineLayout> *known = m_layouts.object(row)) {
        return *known;
    }
    auto layout = std::make_shared<LineLayout>(rowText(row), m_textFont, rowFormats(row),
                                               4.0 * m_columnWidth);
    m_layouts.insert(row, new std::shared_ptr<LineLayout>(layout));
    return layout;
}

void RowView::paintText(QPainter *painter, qint64 row, const QRect &area)
{
    const std::shared_ptr<LineLayout> layout = layoutOf(row);
    const Tokens &t = Tokens::of(palette());
    const int left = area.left() + textLeft();
    painter->save();
    painter->setClipRect(QRect(left, area.top(), area.right() - left + 1, area.height()),
                         Qt::IntersectClip);
    const qreal start = left - sideways();
    const RowPosition from = qMin(m_anchor, m_cursor);
    const RowPosition to = qMax(m_anchor, m_cursor);
    if (hasSelection() && row >= from.row && row <= to.row) {
        const qreal x1 = row == from.row ? layout->xOf(from.column) : 0;
        const qreal x2 =
            row == to.row ? layout->xOf(to.column) : qMax(layout->width(), 0.0) + m_columnWidth;
        painter->fillRect(QRectF(start + x1, area.top(), x2 - x1, area.height()), t[Token::Soft]);
        if (from.row == to.row) { // a match that was found: plain on every ground
            painter->fillRect(QRectF(start + x1, area.bottom() - 1, x2 - x1, 2), t[Token::Accent]);
        }
    }
    const qreal top = area.top() + (area.height() - QFontMetricsF(m_textFont).height()) / 2;
    painter->setFont(m_textFont);
    layout->draw(painter, {start, top}, sideways(), sideways() + area.width(), t);
    painter->restore();
    const qreal width = layout->width();
    if (width > m_widest) {
        m_widest = width;
        // Not while painting: the range of the scroll bar is a matter of the next turn.
        QMetaObject::invokeMethod(
            this, [this] { updateScrollBars(); }, Qt::QueuedConnection);
    }
}

void RowView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    const Tokens &t = Tokens::of(palette());
    int top = 0;
    m_painted = verticalScrollBar()->value();
    for (qint64 row = firstRow(); row < rowCount() && top < viewport()->height(); ++row) {
        const QRect area(0, top, viewport()->width(), heightOf(row));
        if (event->region().intersects(area)) {
            paintRow(&painter, row, area);
        }
        top += area.height();
    }
    if (top < viewport()->height()) {
        painter.fillRect(QRect(0, top, viewport()->width(), viewport()->height() - top),
                         t[Token::Base]);
    }
}

void RowView::resizeEvent(QResizeEvent *)
{
    updateScrollBars();
}

void RowView::scrollStrip(int delta)
{
    if (delta == 0) {
        return;
    }
    if (qAbs(delta) >= viewport()->height()) {
        viewport()->update();
        return;
    }
    // The form with a rectangle leaves child widgets where they are.
    viewport()->scroll(0, delta, viewport()->rect());
}

void RowView::scrollContentsBy(int dx, int dy)
{
    if (dx != 0) {
        viewport()->update();
    }
    if (dy == 0) {
        return;
    }
    const int now = verticalScrollBar()->value();
    const int then = now + dy;
    if (then != m_painted || qAbs(dy) > 200) {
        viewport()->update();
        m_painted = now;
        return;
    }
    int pixels = 0;
    for (qint64 row = qMin(now, then); row < qMax(now, then); ++row) {
        pixels += heightOf(row);
    }
    m_painted = now;
    scrollStrip(now > then ? -pixels : pixels);
}

void RowView::makeVisible(qint64 row)
{
    if (row < firstRow()) {
        verticalScrollBar()->setValue(static_cast<int>(row));
        return;
    }
    while (row > lastVisibleRow() && !isAtEnd()) {
        const qint64 missing = row - lastVisibleRow();
        verticalScrollBar()->setValue(static_cast<int>(firstRow() + missing));
    }
}

void RowView::scrollToRow(qint64 row)
{
    verticalScrollBar()->setValue(
        static_cast<int>(qBound(qint64(0), row, qint64(std::numeric_limits<int>::max()))));
}

void RowView::announceRow()
{
    Q_EMIT currentRowChanged(m_cursor.row);
    if (QAccessible::isActive()) {
        QAccessibleValueChangeEvent event(this, describeRow(m_cursor.row));
        QAccessible::updateAccessibility(&event);
    }
}

void RowView::moveTo(qint64 row, bool extend)
{
    if (rowCount() == 0) {
        return;
    }
    const qint64 target = qBound<qint64>(0, row, rowCount() - 1);
    m_cursor = {target, 0};
    if (extend) {
        m_cursor.column = static_cast<int>(target >= m_anchor.row ? rowText(target).size() : 0);
    } else {
        m_anchor = m_cursor;
    }
    makeVisible(target);
    viewport()->update();
    announceRow();
}

void RowView::setCurrentRow(qint64 row)
{
    moveTo(row, false);
}

void RowView::select(RowPosition anchor, RowPosition cursor)
{
    m_anchor = anchor;
    m_cursor = cursor;
    makeVisible(cursor.row);
    viewport()->update();
    announceRow();
}

void RowView::showColumns(qint64 row, int from, int to)
{
    const std::shared_ptr<LineLayout> layout = layoutOf(row);
    const int left = qRound(layout->xOf(from));
    const int right = qRound(layout->xOf(to));
    if (right > m_widest) {
        m_widest = right;
        updateScrollBars();
    }
    const int room = viewport()->width() - textLeft();
    const int margin = 2 * m_columnWidth;
    if (left < sideways() || right - left > room) {
        horizontalScrollBar()->setValue(left < room - margin ? 0 : left - margin);
    } else if (right > sideways() + room) {
        horizontalScrollBar()->setValue(right - room + margin);
    }
}

void RowView::selectAll()
{
    if (rowCount() == 0) {
        return;
    }
    const qint64 last = rowCount() - 1;
    m_anchor = {0, 0};
    m_cursor = {last, static_cast<int>(rowText(last).size())};
    viewport()->update();
}

QString RowView::selectedText() const
{
    const RowPosition from = qMin(m_anchor, m_cursor);
    const RowPosition to = qMax(m_anchor, m_cursor);
    QString text;
    for (qint64 row = from.row; hasSelection() && row <= to.row && row < rowCount(); ++row) {
        const QString line = rowText(row);
        const int begin = row == from.row ? from.column : 0;
        const int end = row == to.row ? to.column : static_cast<int>(line.size());
        text += QStringView(line).mid(begin, qMax(0, end - begin));
        if (row != to.row) {
            text += QLatin1Char('\n');
        }
        if (text.size() > copyLimit) {
            break;
        }
    }
    return text;
}

void RowView::copy() const
{
    if (hasSelection()) {
        QGuiApplication::clipboard()->setText(selectedText());
    }
}

} // namespace Glovebox
