// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/recordtable.h"

#include "app/widgets/fonts.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

namespace Glovebox {

RecordTable::RecordTable(const QStringList &columns, QWidget *parent)
    : QTableWidget(0, static_cast<int>(columns.size()), parent)
{
    setHorizontalHeaderLabels(columns);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setWordWrap(false);
    setTabKeyNavigation(false); // one stop, as every list
    setAccessibleName(columns.constFirst());
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(Glovebox::rowHeight(font(), 30));
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
}

void RecordTable::setRows(const QList<Row> &rows, const QString &emptyText)
{
    m_emptyText = emptyText;
    setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < columnCount(); ++column) {
            const Cell value = rows.at(row).value(column);
            auto *cell = new QTableWidgetItem(value.text);
            cell->setToolTip(value.text.toHtmlEscaped());
            if (value.glyph) {
                cell->setIcon(glyphIcon(*value.glyph));
            }
            setItem(row, column, cell);
        }
    }
    viewport()->update();
}

void RecordTable::keyPressEvent(QKeyEvent *event)
{
    if (!event->matches(QKeySequence::Copy)) {
        QTableWidget::keyPressEvent(event);
        return;
    }
    QStringList lines;
    for (int row = 0; row < rowCount(); ++row) {
        if (item(row, 0) == nullptr || !item(row, 0)->isSelected()) {
            continue;
        }
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column) {
            cells.append(item(row, column)->text());
        }
        lines.append(cells.join(QLatin1Char('\t')));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void RecordTable::paintEvent(QPaintEvent *event)
{
    QTableWidget::paintEvent(event);
    if (rowCount() == 0) {
        QPainter painter(viewport());
        painter.setPen(Tokens::of(palette())[Token::Dim]);
        painter.drawText(viewport()->rect().adjusted(14, 12, -14, 0), Qt::TextWordWrap,
                         m_emptyText);
    }
}

} // namespace Glovebox
