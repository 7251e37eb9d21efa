// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// Keyboard and mouse of the row view.
#include "app/widgets/rowview.h"

#include <QKeyEvent>
#include <QScrollBar>
#include <QWheelEvent>

namespace Glovebox {

namespace {

bool isWordPart(QChar c)
{
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

} // namespace

void RowView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
        return;
    }
    const bool extend = event->modifiers().testFlag(Qt::ShiftModifier);
    const qint64 row = m_cursor.row;
    const int page = qMax(1, visibleRows() - 1);
    switch (event->key()) {
    case Qt::Key_Up:
        moveTo(row - 1, extend);
        break;
    case Qt::Key_Down:
        moveTo(row + 1, extend);
        break;
    case Qt::Key_PageUp:
        moveTo(row - page, extend);
        break;
    case Qt::Key_PageDown:
        moveTo(row + page, extend);
        break;
    case Qt::Key_Home:
        moveTo(0, extend);
        break;
    case Qt::Key_End:
        moveTo(rowCount() - 1, extend);
        break;
    case Qt::Key_Left:
        horizontalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepSub);
        return;
    case Qt::Key_Right:
        horizontalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    Q_EMIT scrolledByReader();
}

RowPosition RowView::positionAt(const QPoint &point)
{
    const qint64 last = rowCount() - 1;
    if (last < 0) {
        return {};
    }
    const qint64 row = point.y() < 0 ? qMax<qint64>(0, firstRow() - 1) : rowAt(point.y());
    if (row < 0) {
        return {last, static_cast<int>(rowText(last).size())};
    }
    const int x = point.x() - textLeft() + sideways();
    return {row, x <= 0 ? 0 : layoutOf(row)->columnAt(x)};
}

void RowView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    const RowPosition position = positionAt(event->pos());
    m_cursor = position;
    if (!event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_anchor = position;
    }
    m_dragging = true;
    viewport()->update();
    announceRow();
    Q_EMIT scrolledByReader();
}

void RowView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_dragging) {
        return;
    }
    m_lastPoint = event->pos();
    m_cursor = positionAt(m_lastPoint);
    const bool outside = m_lastPoint.y() < 0 || m_lastPoint.y() > viewport()->height();
    if (outside && !m_autoScroll.isActive()) {
        m_autoScroll.start(40, this);
    } else if (!outside) {
        m_autoScroll.stop();
    }
    viewport()->update();
}

void RowView::mouseReleaseEvent(QMouseEvent *)
{
    m_dragging = false;
    m_autoScroll.stop();
}

void RowView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const RowPosition position = positionAt(event->pos());
    const QString text = rowText(position.row);
    int from = qMin(position.column, static_cast<int>(text.size()));
    int to = from;
    while (from > 0 && isWordPart(text.at(from - 1))) {
        --from;
    }
    while (to < text.size() && isWordPart(text.at(to))) {
        ++to;
    }
    select({position.row, from}, {position.row, to});
}

void RowView::wheelEvent(QWheelEvent *event)
{
    QAbstractScrollArea::wheelEvent(event);
    Q_EMIT scrolledByReader();
}

void RowView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_autoScroll.timerId()) {
        QAbstractScrollArea::timerEvent(event);
        return;
    }
    verticalScrollBar()->setValue(verticalScrollBar()->value() + (m_lastPoint.y() < 0 ? -1 : 1));
    m_cursor = positionAt({m_lastPoint.x(), qBound(0, m_lastPoint.y(), viewport()->height() - 1)});
    viewport()->update();
}

void RowView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange) {
        readFonts();
        rowsReset();
    } else if (event->type() == QEvent::PaletteChange) {
        rowsReset();
    }
    QAbstractScrollArea::changeEvent(event);
}

void RowView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void RowView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace Glovebox
