// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/review/diffdocument.h"
#include "app/widgets/rowview.h"

namespace Glovebox {

/// A whole change set as one unified diff in one painted widget: file headers, hunk headers, lines.
/// Lays out and reads only what is visible; hidden characters are boxes, nothing is reordered.
class DiffView final : public RowView
{
    Q_OBJECT
public:
    /// \a document is not owned and must outlive the view.
    explicit DiffView(DiffDocument *document, QWidget *parent = nullptr);

    void showFile(int file);
    [[nodiscard]] int currentFile() const;
    /// +1 or -1: the next hunk header in that direction, or the header of a file that shows no
    /// hunk. At one that is not read yet it waits, and goes on by itself when it is.
    void nextChange(int step);
    void nextFile(int step);

    [[nodiscard]] qint64 rowCount() const override;
    [[nodiscard]] QString rowText(qint64 row) const override;
    [[nodiscard]] QString describeRow(qint64 row) const override;

Q_SIGNALS:
    void currentFileChanged(int file);

protected:
    [[nodiscard]] int heightOf(qint64 row) const override;
    [[nodiscard]] int textLeft() const override;
    void paintRow(QPainter *painter, qint64 row, const QRect &area) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    [[nodiscard]] int numberWidth() const;
    void paintHeader(QPainter *painter, const DiffRow &row, const QRect &area) const;
    void paintCounts(QPainter *painter, const FileChange &file, QRect *rest) const;
    void paintHunk(QPainter *painter, const DiffRow &row, const QRect &area) const;
    void paintNotice(QPainter *painter, const DiffRow &row, const QRect &area) const;
    void paintLine(QPainter *painter, qint64 number, const DiffRow &row, const QRect &area);
    void paintGutter(QPainter *painter, const DiffRow &row, const QRect &area) const;
    void tellFile();
    void stopIn(int file, int step, qint64 row);
    void goOn(int file);

    DiffDocument *m_document;
    int m_told = -1; ///< the file that currentFileChanged last said
    struct Awaited
    {
        int file = -1; ///< stopped at its header until it is read; -1 = none
        int step = 0;
    };
    Awaited m_awaited;
};

} // namespace Glovebox
