// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/runplan.h"

#include <QAbstractScrollArea>

namespace Glovebox {

/// The audit of a run: what goes in, what it may reach, what runs, what comes back. Every row,
/// nothing folded; a row that weakens safety carries a chip in words. Ctrl+C copies it all.
class PlanTable final : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit PlanTable(QWidget *parent = nullptr);
    void setRows(const QList<PlanRow> &rows);
    [[nodiscard]] const QList<PlanRow> &rows() const { return m_rows; }
    [[nodiscard]] QString asMarkdown() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] int contentHeight() const;
    [[nodiscard]] int rowHeightOf(const PlanRow &row) const;
    void paintGroup(QPainter *painter, const QRect &area, PlanRow::Group group) const;
    void paintRow(QPainter *painter, const QRect &area, const PlanRow &row) const;
    void updateScrollBar();

    QList<PlanRow> m_rows;
};

} // namespace Glovebox
