// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/logindex.h"
#include "app/widgets/rowview.h"
#include "app/widgets/tokens.h"

class QPushButton;
class QTimer;

namespace Glovebox {

/// A log of any length: only visible lines are made and laid out; the text stays in its file.
/// Follows the end until the reader scrolls up, then a button counts what came meanwhile. Reading
/// and searching happen in the pool; output is taken up at most every 50 ms.
class LogView final : public RowView
{
    Q_OBJECT
public:
    enum class Gutter { None, LineNumbers };

    explicit LogView(QWidget *parent = nullptr);

    /// Shows another log from its start, or its end where it is followed.
    void setSource(const LogSource &source);
    void setGutter(Gutter gutter);
    /// The file may have grown.
    void refresh();
    void setFollowing(bool follow);
    [[nodiscard]] bool isFollowing() const { return m_following; }
    [[nodiscard]] bool isReading() const { return m_reading; }
    [[nodiscard]] qint64 newLines() const { return m_newLines; }
    [[nodiscard]] qint64 removedSequences() const { return m_lines.scan().removedSequences(); }

    /// Selects the next match and shows it; findFinished says whether there was one.
    void find(const QString &needle, FindDirection direction);

    [[nodiscard]] qint64 rowCount() const override;
    [[nodiscard]] QString rowText(qint64 row) const override;

Q_SIGNALS:
    void followingChanged(bool following);
    void linesChanged(qint64 count);
    void findFinished(bool found);

protected:
    [[nodiscard]] int textLeft() const override;
    void paintRow(QPainter *painter, qint64 row, const QRect &area) override;
    [[nodiscard]] QList<QTextLayout::FormatRange> rowFormats(qint64 row) const override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void scan();
    void takeScan(int generation, const LogScan &scan, bool more);
    void updateButton();
    void toEnd();

    LogLines m_lines;
    Gutter m_gutter = Gutter::None;
    QTimer *m_coalesce;
    QPushButton *m_newLinesButton;
    int m_generation = 0;
    bool m_reading = false;
    bool m_again = false;
    bool m_following = true;
    qint64 m_newLines = 0;
    QString m_needle;
};

/// The eight colours of a terminal as tokens.
[[nodiscard]] Token terminalToken(int colour);

} // namespace Glovebox
