// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/stateglyph.h"

#include <QTableWidget>

#include <optional>

namespace Glovebox {

/// A plain table of facts with an optional glyph in each cell: hosts, files, quarantine checks.
/// Read only, values selectable and copyable, rows of 30. Small lists only.
class RecordTable final : public QTableWidget
{
    Q_OBJECT
public:
    struct Cell
    {
        QString text;
        std::optional<Glyph> glyph = std::nullopt;
    };
    using Row = QList<Cell>;
    explicit RecordTable(const QStringList &columns, QWidget *parent = nullptr);
    void setRows(const QList<Row> &rows, const QString &emptyText);
    [[nodiscard]] const QString &emptyText() const { return m_emptyText; }

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_emptyText;
};

} // namespace Glovebox
