// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QWidget>

namespace Glovebox {

/// The phases of the pipeline in one line, each with its time; what doesn't fit is left out at the
/// end that is to come.
class PhaseLine final : public QWidget
{
    Q_OBJECT
public:
    explicit PhaseLine(QWidget *parent = nullptr);
    void setSteps(const QList<PhaseStep> &steps);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] int widthOf(const PhaseStep &step) const;
    [[nodiscard]] int firstShown() const;

    QList<PhaseStep> m_steps;
};

} // namespace Glovebox
