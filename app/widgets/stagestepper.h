// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/stateglyph.h"
#include "core/runs/phase.h"

#include <QAccessible>
#include <QWidget>

#include <array>

class QVariantAnimation;

namespace Glovebox {

inline constexpr int stageCount = 5;

/// How far a stage is; decides glyph, word and whether it can be opened.
/// NotRun: the run ended before it; nothing is known of it, neither good nor bad.
enum class StageState { ToCome, Working, Waiting, ToReview, Done, Failed, NotRun };

struct StageView
{
    StageState state = StageState::ToCome;
    QString fact;    ///< what was decided or measured there: "accepted, exit 0"; plain text
    QString waitFor; ///< of a stage to come: what it waits for, shown as its tooltip
};
using Stages = std::array<StageView, stageCount>;

/// The only progress display there is: Specify, Build, Verify, Return, Review. To the keyboard and
/// to screen readers it is a tab bar: one Tab stop, Left and Right, Enter. Shows what it is given
/// and asks for a stage; it never decides.
class StageStepper final : public QWidget
{
    Q_OBJECT
public:
    explicit StageStepper(QWidget *parent = nullptr);

    void setStages(const Stages &stages);
    [[nodiscard]] const Stages &stages() const { return m_stages; }
    /// The stage that the page shows.
    void setShown(Stage stage);
    [[nodiscard]] Stage shown() const { return m_shown; }
    /// The cell that the keyboard is on.
    [[nodiscard]] Stage focused() const { return m_focused; }
    [[nodiscard]] QRect cellRect(Stage stage) const;
    [[nodiscard]] QString describe(Stage stage) const; ///< what a screen reader says
    [[nodiscard]] bool canOpen(Stage stage) const;
    void open(Stage stage); ///< as a click does

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stageRequested(Stage stage);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    [[nodiscard]] int cellWidth(int index, bool folded) const;
    [[nodiscard]] bool isFolded() const; ///< too narrow: glyphs alone but for the shown stage
    void paintCell(QPainter *painter, int index, bool folded) const;
    void moveFocus(int step);
    void updateMotion();

    Stages m_stages;
    Stage m_shown = Stage::Specify;
    Stage m_focused = Stage::Specify;
    int m_hovered = -1;
    qreal m_turn = 0;
    QVariantAnimation *m_motion;
};

/// Teaches Qt's accessibility about our own widgets. Called once at start, before any is shown.
void installAccessibility();

} // namespace Glovebox
