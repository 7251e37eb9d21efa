// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/review/diffsearch.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QTimer;

namespace Glovebox {

class DiffView;
class ElidedLabel;

/// Find in all changes of a branch. Enter and Shift+Enter walk, round the ends; Escape closes and
/// gives the keyboard back to the diff.
class DiffFindBar final : public QWidget
{
    Q_OBJECT
public:
    /// Both are not owned and must outlive the bar.
    DiffFindBar(DiffDocument *document, DiffView *view, QWidget *parent = nullptr);

    /// Shows the bar with the keyboard in it; what is selected in one line is looked for.
    void open();
    void dismiss();
    void walk(int step); ///< +1 or -1: to the next match in that direction
    [[nodiscard]] QString countText() const;
    [[nodiscard]] QLineEdit *field() const { return m_field; }

protected:
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void look();
    void takeMatches();
    void reveal(const DiffMatch &match);
    void select();
    [[nodiscard]] DiffMatch place() const; ///< where the reader is
    void updateCount();

    DiffDocument *m_document;
    DiffView *m_view;
    DiffSearch *m_search;
    QLineEdit *m_field;
    ElidedLabel *m_count;
    QPushButton *m_previous = nullptr;
    QPushButton *m_next = nullptr;
    QTimer *m_delay;
    DiffMatch m_shown;       ///< file -1 = none
    DiffMatch m_origin;      ///< where the search began
    bool m_awaiting = false; ///< m_shown's file has not been read yet
    int m_wanted = 0;        ///< a step that waits for more matches
    int m_roundTheEnd = 0;   ///< the last step went round: +1 from the end, -1 from the start
};

} // namespace Glovebox
