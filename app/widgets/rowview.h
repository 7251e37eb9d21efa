// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/linelayout.h"

#include <QAbstractScrollArea>
#include <QBasicTimer>
#include <QCache>

#include <memory>

namespace Glovebox {

/// A place in the text of a row view; column in characters of the row's stored text.
struct RowPosition
{
    qint64 row = 0;
    int column = 0;
    friend auto operator<=>(const RowPosition &, const RowPosition &) = default;
};

/// What the log and the diff have in common: any number of rows, of which only the visible ones are
/// ever laid out. Scrolls in whole rows, keeps a current row, selects and copies stored text.
/// A subclass says how many rows there are, what is in them and how one is painted.
class RowView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit RowView(QWidget *parent = nullptr);
    ~RowView() override;

    [[nodiscard]] virtual qint64 rowCount() const = 0;
    /// The stored text of a row, without gutter; empty for a row that has none.
    [[nodiscard]] virtual QString rowText(qint64 row) const = 0;
    /// What a screen reader says about it; hidden characters by code point.
    [[nodiscard]] virtual QString describeRow(qint64 row) const;

    [[nodiscard]] qint64 firstRow() const;
    [[nodiscard]] qint64 lastVisibleRow() const; ///< wholly visible
    [[nodiscard]] bool isAtEnd() const;
    [[nodiscard]] qint64 currentRow() const { return m_cursor.row; }
    /// Moves the current row and scrolls as little as needed; takes the selection back.
    void setCurrentRow(qint64 row);
    void scrollToRow(qint64 row); ///< makes it the first visible one, where there is room
    void select(RowPosition anchor, RowPosition cursor);
    /// Scrolls sideways as little as needed.
    void showColumns(qint64 row, int from, int to);
    [[nodiscard]] bool hasSelection() const { return m_anchor != m_cursor; }
    /// At most 16 Mi characters, rows joined by line feeds.
    [[nodiscard]] QString selectedText() const;
    [[nodiscard]] QRect
    rowRect(qint64 row) const; ///< in viewport coordinates; empty when not visible
    [[nodiscard]] int lineHeight() const { return m_lineHeight; }

public Q_SLOTS:
    void copy() const;
    void selectAll();

Q_SIGNALS:
    void currentRowChanged(qint64 row);
    void scrolledByReader();

protected:
    [[nodiscard]] virtual int heightOf(qint64 row) const;
    /// Where the text of a row starts when nothing is scrolled sideways; the gutter is left of it.
    [[nodiscard]] virtual int textLeft() const = 0;
    virtual void paintRow(QPainter *painter, qint64 row, const QRect &area) = 0;
    [[nodiscard]] virtual QList<QTextLayout::FormatRange> rowFormats(qint64 row) const;

    /// Paints selection, boxes and text of a row; the subclass has painted the background.
    void paintText(QPainter *painter, qint64 row, const QRect &area);
    [[nodiscard]] std::shared_ptr<LineLayout> layoutOf(qint64 row);
    [[nodiscard]] qint64 rowAt(int y) const; ///< -1 below the last one
    [[nodiscard]] const QFont &textFont() const { return m_textFont; }
    [[nodiscard]] int columnWidth() const { return m_columnWidth; }
    [[nodiscard]] int sideways() const; ///< pixels
    void rowsReset();                   ///< everything may be another
    void rowsAppended();                ///< more at the end, the old ones as they were
    /// Rows came in or went before row \a at: what stood from there on stands \a delta further
    /// down. What the reader sees stays where it is.
    void rowsShifted(qint64 at, qint64 delta);

    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void timerEvent(QTimerEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void readFonts();
    [[nodiscard]] RowPosition positionAt(const QPoint &point);
    [[nodiscard]] qint64 maximumFirstRow() const;
    [[nodiscard]] int visibleRows() const;
    void updateScrollBars();
    void moveTo(qint64 row, bool extend);
    void makeVisible(qint64 row);
    void scrollStrip(int delta);
    void announceRow();

    QFont m_textFont;
    int m_lineHeight = 20;
    int m_columnWidth = 8;
    int m_painted = 0; ///< the first row that the pixels of the viewport show
    RowPosition m_anchor;
    RowPosition m_cursor;
    bool m_dragging = false;
    QPoint m_lastPoint;
    QBasicTimer m_autoScroll;
    QCache<qint64, std::shared_ptr<LineLayout>> m_layouts;
    qreal m_widest = 0; ///< of all rows laid out so far
};

} // namespace Glovebox
