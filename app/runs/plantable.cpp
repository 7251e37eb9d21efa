// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/plantable.h"

#include "app/widgets/badge.h"
#include "app/widgets/fonts.h"
#include "app/widgets/tokens.h"
#include "core/base/terminaltext.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

namespace Glovebox {

namespace {

constexpr int groupHeight = 28;
constexpr int whatWidth = 148;
constexpr int margin = 12;

QString noRowsText()
{
    return PlanTable::tr("No plan was kept that can be read.");
}

} // namespace

PlanTable::PlanTable(QWidget *parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Plan"));
    viewport()->setBackgroundRole(QPalette::Base);
    verticalScrollBar()->setSingleStep(20);
}

void PlanTable::setRows(const QList<PlanRow> &rows)
{
    m_rows = rows;
    setAccessibleDescription(rows.isEmpty() ? noRowsText() : asMarkdown());
    updateScrollBar();
    viewport()->update();
}

int PlanTable::rowHeightOf(const PlanRow &row) const
{
    const int plain = rowHeight(font(), 33);
    if (row.warning.isEmpty()) {
        return plain;
    }
    return plain + qMax(20, QFontMetrics(smallFont(font())).height() + 4) + 6;
}

int PlanTable::contentHeight() const
{
    int height = 0;
    std::optional<PlanRow::Group> group;
    for (const PlanRow &row : m_rows) {
        if (group != row.group) {
            group = row.group;
            height += groupHeight;
        }
        height += rowHeightOf(row);
    }
    return height;
}

void PlanTable::updateScrollBar()
{
    verticalScrollBar()->setRange(0, qMax(0, contentHeight() - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
}

void PlanTable::resizeEvent(QResizeEvent *)
{
    updateScrollBar();
}

void PlanTable::paintGroup(QPainter *painter, const QRect &area, PlanRow::Group group) const
{
    const Tokens &t = Tokens::of(palette());
    painter->fillRect(area, t[Token::Head]);
    painter->fillRect(QRect(area.left(), area.bottom(), area.width(), 1), t[Token::Line]);
    painter->setFont(strongFont(font()));
    painter->setPen(t[Token::Text]);
    painter->drawText(area.adjusted(margin, 0, -margin, 0), Qt::AlignVCenter, groupText(group));
}

void PlanTable::paintRow(QPainter *painter, const QRect &area, const PlanRow &row) const
{
    const Tokens &t = Tokens::of(palette());
    painter->fillRect(area, t[Token::Base]);
    painter->fillRect(QRect(area.left(), area.bottom(), area.width(), 1), t[Token::Line]);
    QRect line = area;
    line.setHeight(rowHeight(font(), 33));
    painter->setFont(font());
    painter->setPen(t[Token::Dim]);
    const QFontMetrics metrics(font());
    painter->drawText(line.adjusted(margin, 0, 0, 0), Qt::AlignVCenter,
                      metrics.elidedText(row.what, Qt::ElideRight, whatWidth - 16));
    QRect rest = line.adjusted(margin + whatWidth, 0, -margin, 0);
    const QFont small = smallFont(font());
    const QString measure = displayText(row.measure);
    const int measureWidth = qMin(QFontMetrics(small).horizontalAdvance(measure), rest.width() / 2);
    painter->setFont(small);
    painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                      QFontMetrics(small).elidedText(measure, Qt::ElideRight, measureWidth + 1));
    rest.setRight(rest.right() - measureWidth - 16);
    const QFont code = codeFont(font());
    painter->setFont(code);
    painter->setPen(t[Token::Text]);
    painter->drawText(
        rest, Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(code).elidedText(displayText(row.value), Qt::ElideMiddle, rest.width()));
    if (!row.warning.isEmpty()) {
        const int room = area.width() - margin - whatWidth - margin - 40;
        paintChip(painter, {rest.left(), line.bottom() - 1}, warningGlyph(),
                  QFontMetrics(small).elidedText(row.warning, Qt::ElideRight, room), small, t);
    }
}

void PlanTable::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), Tokens::of(palette())[Token::Base]);
    if (m_rows.isEmpty()) {
        painter.setPen(Tokens::of(palette())[Token::Dim]);
        painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
                         Qt::AlignTop | Qt::AlignLeading | Qt::TextWordWrap, noRowsText());
    }
    int y = -verticalScrollBar()->value();
    std::optional<PlanRow::Group> group;
    for (const PlanRow &row : m_rows) {
        if (group != row.group) {
            group = row.group;
            paintGroup(&painter, {0, y, viewport()->width(), groupHeight}, row.group);
            y += groupHeight;
        }
        const int height = rowHeightOf(row);
        if (y + height > 0 && y < viewport()->height()) {
            paintRow(&painter, {0, y, viewport()->width(), height}, row);
        }
        y += height;
    }
}

QString PlanTable::asMarkdown() const
{
    QString text;
    std::optional<PlanRow::Group> group;
    const auto cell = [](QString value) {
        return displayText(value).replace(QLatin1Char('|'), QStringLiteral("\\|"));
    };
    for (const PlanRow &row : m_rows) {
        if (group != row.group) {
            group = row.group;
            text += QStringLiteral("\n## %1\n\n| | | |\n|---|---|---|\n").arg(groupText(row.group));
        }
        const QString warning =
            row.warning.isEmpty() ? QString() : QStringLiteral(" **%1**").arg(cell(row.warning));
        text += QStringLiteral("| %1 | %2%3 | %4 |\n")
                    .arg(cell(row.what), cell(row.value), warning, cell(row.measure));
    }
    return text.trimmed() + QLatin1Char('\n');
}

void PlanTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(asMarkdown());
        return;
    }
    QScrollBar *bar = verticalScrollBar();
    switch (event->key()) {
    case Qt::Key_Down:
        bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        return;
    case Qt::Key_Up:
        bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
        return;
    case Qt::Key_PageDown:
        bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
        return;
    case Qt::Key_PageUp:
        bar->triggerAction(QAbstractSlider::SliderPageStepSub);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace Glovebox
