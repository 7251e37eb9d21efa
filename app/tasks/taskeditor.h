// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/problem.h"

#include <QPlainTextEdit>

namespace Glovebox {

/// A task file as text: line numbers, a mark for each line with a problem, wavy underlines.
class TaskEditor final : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit TaskEditor(QWidget *parent = nullptr);

    void setProblems(const QList<Problem> &problems);
    void goTo(int line, int column); ///< both from 1
    [[nodiscard]] int gutterWidth() const;
    void paintGutter(QPaintEvent *event);
    /// Ctrl+M changes what Tab does, so that the keyboard is not caught in the text.
    [[nodiscard]] QString tabText() const;

Q_SIGNALS:
    void tabChanged();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void updateMargin();
    void updateUnderlines();

    QWidget *m_gutter;
    QList<Problem> m_problems;
};

} // namespace Glovebox
