// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/stagestepper.h"

#include "app/widgets/fonts.h"
#include "app/widgets/style.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <QVariantAnimation>

namespace Glovebox {

namespace {

constexpr int cellHeight = 48;
constexpr int gap = 14;
constexpr int glyphSize = 20;
constexpr int pad = 10;

Glyph glyphFor(StageState state)
{
    switch (state) {
    case StageState::ToCome:
        return {GlyphShape::Ring, GlyphMark::None, Token::Edge};
    case StageState::Working:
        return {GlyphShape::Arc, GlyphMark::None, Token::Accent};
    case StageState::Waiting:
        return {GlyphShape::Disc, GlyphMark::Play, Token::Accent};
    case StageState::ToReview:
        return {GlyphShape::Disc, GlyphMark::Eye, Token::Accent};
    case StageState::Done:
        return doneGlyph();
    case StageState::Failed:
        return failedGlyph();
    case StageState::NotRun:
        return {GlyphShape::Disc, GlyphMark::Minus, Token::Off};
    }
    Q_UNREACHABLE();
}

size_t at(Stage stage)
{
    return static_cast<size_t>(stage);
}

} // namespace

StageStepper::StageStepper(QWidget *parent)
    : QWidget(parent)
    , m_motion(new QVariantAnimation(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Stages of this task"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_motion->setStartValue(0.0);
    m_motion->setEndValue(1.0);
    m_motion->setDuration(1200);
    m_motion->setLoopCount(-1);
    connect(m_motion, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) {
        // 30 frames a second are enough for one small arc.
        if (qAbs(value.toReal() - m_turn) * 1200 >= 33 || value.toReal() < m_turn) {
            m_turn = value.toReal();
            update();
        }
    });
}

void StageStepper::setStages(const Stages &stages)
{
    m_stages = stages;
    updateGeometry();
    updateMotion();
    update();
}

void StageStepper::setShown(Stage stage)
{
    m_shown = stage;
    m_focused = stage;
    updateGeometry();
    update();
}

bool StageStepper::canOpen(Stage stage) const
{
    return m_stages.at(at(stage)).state != StageState::ToCome;
}

void StageStepper::open(Stage stage)
{
    m_focused = stage;
    update();
    if (canOpen(stage)) {
        Q_EMIT stageRequested(stage);
    }
}

int StageStepper::cellWidth(int index, bool folded) const
{
    if (folded && index != static_cast<int>(m_shown)) {
        return glyphSize + 2 * pad;
    }
    const QString name = stageText(static_cast<Stage>(index));
    const int text = qMax(QFontMetrics(strongFont(font())).horizontalAdvance(name),
                          QFontMetrics(smallFont(font()))
                              .horizontalAdvance(m_stages.at(static_cast<size_t>(index)).fact));
    return pad + glyphSize + 8 + qMin(text + 2, 170) + pad;
}

bool StageStepper::isFolded() const
{
    int full = (stageCount - 1) * gap;
    for (int index = 0; index < stageCount; ++index) {
        full += cellWidth(index, false);
    }
    return full > width();
}

QSize StageStepper::sizeHint() const
{
    int width = (stageCount - 1) * gap;
    for (int index = 0; index < stageCount; ++index) {
        width += cellWidth(index, false);
    }
    return {width, qMax(cellHeight, rowHeight(font(), cellHeight, 2))};
}

QSize StageStepper::minimumSizeHint() const
{
    int width = (stageCount - 1) * gap;
    for (int index = 0; index < stageCount; ++index) {
        width += cellWidth(index, true);
    }
    return {width, sizeHint().height()};
}

QRect StageStepper::cellRect(Stage stage) const
{
    const bool folded = isFolded();
    int total = (stageCount - 1) * gap;
    for (int index = 0; index < stageCount; ++index) {
        total += cellWidth(index, folded);
    }
    int left = qMax(0, width() - total);
    for (int index = 0; index < static_cast<int>(stage); ++index) {
        left += cellWidth(index, folded) + gap;
    }
    const int cell = cellWidth(static_cast<int>(stage), folded);
    const QRect rect(left, (height() - sizeHint().height()) / 2, cell, sizeHint().height());
    return QStyle::visualRect(layoutDirection(), this->rect(), rect);
}

QString StageStepper::describe(Stage stage) const
{
    const StageView &view = m_stages.at(at(stage));
    QString state;
    switch (view.state) {
    case StageState::ToCome:
        state = tr("to come");
        break;
    case StageState::Working:
        state = tr("working");
        break;
    case StageState::Waiting:
        state = tr("waiting for you");
        break;
    case StageState::ToReview:
        state = tr("ready for review");
        break;
    case StageState::Done:
        state = tr("done");
        break;
    case StageState::Failed:
        state = tr("failed");
        break;
    case StageState::NotRun:
        //: A stage that the run didn't get to
        state = tr("skipped");
        break;
    }
    //: "Verify, stage 3 of 5, done"
    const QString head = tr("%1, stage %2 of %3, %4")
                             .arg(stageText(stage))
                             .arg(static_cast<int>(stage) + 1)
                             .arg(stageCount)
                             .arg(state);
    //: A stage and its fact: "Verify, stage 3 of 5, done: accepted, exit 0"
    return view.fact.isEmpty() ? head : tr("%1: %2").arg(head, view.fact);
}

void StageStepper::paintCell(QPainter *painter, int index, bool folded) const
{
    const auto stage = static_cast<Stage>(index);
    const StageView &view = m_stages.at(static_cast<size_t>(index));
    const Tokens &t = Tokens::of(palette());
    const QRect cell = cellRect(stage);
    const bool shown = stage == m_shown;
    if (shown || (index == m_hovered && canOpen(stage))) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(shown ? t[Token::Soft] : t[Token::Hover]);
        painter->drawRoundedRect(cell, 6, 6);
    }
    if (shown) {
        painter->fillRect(QRect(cell.left() + 10, cell.bottom() - 2, cell.width() - 20, 3),
                          t[Token::Accent]);
    }
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const int glyphLeft = mirrored ? cell.right() - pad - glyphSize : cell.left() + pad;
    const QRectF glyph(glyphLeft, cell.center().y() - glyphSize / 2.0 + 0.5, glyphSize, glyphSize);
    paintGlyph(painter, glyph, glyphFor(view.state), t, m_turn);
    if (!folded || shown) {
        const QRect text = mirrored ? cell.adjusted(pad, 5, -pad - glyphSize - 8, -6)
                                    : cell.adjusted(pad + glyphSize + 8, 5, -pad, -6);
        const QFont strong = strongFont(font());
        painter->setFont(strong);
        painter->setPen(view.state == StageState::ToCome ? t[Token::Dim]
                        : shown                          ? t[Token::SoftText]
                                                         : t[Token::Text]);
        painter->drawText(text, Qt::AlignTop | Qt::AlignLeading, stageText(stage));
        const QFont small = smallFont(font());
        painter->setFont(small);
        painter->setPen(view.state == StageState::Failed ? t[Token::Bad]
                        : shown                          ? t[Token::SoftText]
                                                         : t[Token::Dim]);
        painter->drawText(text, Qt::AlignBottom | Qt::AlignLeading,
                          QFontMetrics(small).elidedText(view.fact, Qt::ElideRight, text.width()));
    }
    if (hasFocus() && stage == m_focused) {
        paintFocusRing(painter, cell, palette());
    }
}

void StageStepper::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &t = Tokens::of(palette());
    const bool folded = isFolded();
    for (int index = 0; index < stageCount; ++index) {
        paintCell(&painter, index, folded);
        if (index + 1 == stageCount) {
            break;
        }
        const QRect cell = cellRect(static_cast<Stage>(index));
        const QRect next = cellRect(static_cast<Stage>(index + 1));
        const auto following = static_cast<Stage>(index + 1);
        const bool reached =
            canOpen(following) && m_stages.at(at(following)).state != StageState::NotRun;
        const int left = qMin(cell.right(), next.right()) + 1;
        painter.fillRect(QRect(left, cell.center().y(), gap, 2),
                         reached ? t[Token::Ok] : t[Token::Line]);
    }
}

void StageStepper::moveFocus(int step)
{
    const int mirrored = layoutDirection() == Qt::RightToLeft ? -step : step;
    const int next = qBound(0, static_cast<int>(m_focused) + mirrored, stageCount - 1);
    m_focused = static_cast<Stage>(next);
    update();
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(next);
    QAccessible::updateAccessibility(&event);
}

void StageStepper::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        moveFocus(-1);
        return;
    case Qt::Key_Right:
        moveFocus(1);
        return;
    case Qt::Key_Home:
        moveFocus(layoutDirection() == Qt::RightToLeft ? stageCount : -stageCount);
        return;
    case Qt::Key_End:
        moveFocus(layoutDirection() == Qt::RightToLeft ? -stageCount : stageCount);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier) {
            open(m_focused);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void StageStepper::mousePressEvent(QMouseEvent *event)
{
    for (int index = 0; index < stageCount; ++index) {
        if (event->button() == Qt::LeftButton &&
            cellRect(static_cast<Stage>(index)).contains(event->pos())) {
            open(static_cast<Stage>(index));
        }
    }
}

void StageStepper::mouseMoveEvent(QMouseEvent *event)
{
    int hovered = -1;
    for (int index = 0; index < stageCount; ++index) {
        if (cellRect(static_cast<Stage>(index)).contains(event->pos())) {
            hovered = index;
        }
    }
    if (hovered != m_hovered) {
        m_hovered = hovered;
        update();
    }
}

void StageStepper::leaveEvent(QEvent *)
{
    m_hovered = -1;
    update();
}

bool StageStepper::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        for (int index = 0; index < stageCount; ++index) {
            const StageView &view = m_stages.at(static_cast<size_t>(index));
            if (cellRect(static_cast<Stage>(index)).contains(help->pos())) {
                const QString text = view.state == StageState::ToCome ? view.waitFor : view.fact;
                QToolTip::showText(help->globalPos(), text.toHtmlEscaped(), this);
            }
        }
        return true;
    }
    return QWidget::event(event);
}

void StageStepper::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
    QWidget::changeEvent(event);
}

void StageStepper::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    updateMotion();
}

void StageStepper::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    updateMotion();
}

void StageStepper::updateMotion()
{
    bool working = false;
    for (const StageView &view : m_stages) {
        working = working || view.state == StageState::Working;
    }
    if (working && isVisible()) {
        if (m_motion->state() != QAbstractAnimation::Running) {
            m_motion->start();
        }
        return;
    }
    m_motion->stop();
}

} // namespace Glovebox
