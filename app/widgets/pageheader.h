// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/stagestepper.h"

#include <QWidget>

class QBoxLayout;

namespace Glovebox {

class ElidedLabel;

/// The head of every page: title and one line of facts at the left; the stage stepper or the page's
/// own buttons at the right.
class PageHeader final : public QWidget
{
    Q_OBJECT
public:
    explicit PageHeader(QWidget *parent = nullptr);

    void setTitle(const QString &title);
    void setFacts(const QString &facts);
    [[nodiscard]] QString title() const;
    /// Made at the first call; pages that don't belong to a task have none.
    StageStepper *stepper();
    void addButton(QWidget *button);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void fitStepper();

    ElidedLabel *m_title;
    ElidedLabel *m_facts;
    StageStepper *m_stepper = nullptr;
    QBoxLayout *m_row;
};

} // namespace Glovebox
