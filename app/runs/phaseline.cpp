// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/phaseline.h"

#include "app/widgets/fonts.h"

#include <QPainter>

namespace Glovebox {

namespace {

constexpr int glyphSize = 14;
constexpr int margin = 20;
constexpr int join = 34; ///< between two steps, with the line in it

Glyph glyphFor(PhaseStep::State state)
{
    switch (state) {
    case PhaseStep::State::Done:
        return doneGlyph();
    case PhaseStep::State::Current:
        return {GlyphShape::Arc, GlyphMark::None, Token::Accent};
    case PhaseStep::State::ToCome:
        return {GlyphShape::Ring, GlyphMark::None, Token::Edge};
    case PhaseStep::State::Failed:
        return failedGlyph();
    }
    Q_UNREACHABLE();
}

} // namespace

PhaseLine::PhaseLine(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PhaseLine::setSteps(const QList<PhaseStep> &steps)
{
    m_steps = steps;
    QString name = tr("Phases");
    for (const PhaseStep &step : steps) {
        if (step.state == PhaseStep::State::Current) {
            name = tr("Phase: %1, %2").arg(phaseText(step.phase), step.measure);
        }
    }
    setAccessibleName(name);
    update();
}

QSize PhaseLine::sizeHint() const
{
    return {600, rowHeight(font(), 36)};
}

QSize PhaseLine::minimumSizeHint() const
{
    return {100, sizeHint().height()};
}

int PhaseLine::widthOf(const PhaseStep &step) const
{
    const QFont name = step.state == PhaseStep::State::Current ? strongFont(font()) : font();
    int width = glyphSize + 6 + QFontMetrics(name).horizontalAdvance(phaseText(step.phase));
    if (!step.measure.isEmpty()) {
        width += 6 + QFontMetrics(smallFont(font())).horizontalAdvance(step.measure);
    }
    return width;
}

int PhaseLine::firstShown() const
{
    // The current phase has to be in sight: what is done longest gives way.
    int last = static_cast<int>(m_steps.size()) - 1;
    while (last > 0 && m_steps.at(last).state == PhaseStep::State::ToCome) {
        --last;
    }
    int used = margin;
    int first = last + 1;
    while (first > 0 && used + widthOf(m_steps.at(first - 1)) + join < width()) {
        used += widthOf(m_steps.at(first - 1)) + join;
        --first;
    }
    return first;
}

void PhaseLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = Tokens::of(palette());
    painter.fillRect(rect(), t[Token::Head]);
    painter.fillRect(QRect(0, height() - 1, width(), 1), t[Token::Line]);
    int x = margin;
    const int middle = height() / 2;
    for (int index = firstShown(); index < m_steps.size(); ++index) {
        const PhaseStep &step = m_steps.at(index);
        if (x + widthOf(step) > width() - 8) {
            break;
        }
        paintGlyph(&painter, QRectF(x, middle - glyphSize / 2.0, glyphSize, glyphSize),
                   glyphFor(step.state), t);
        x += glyphSize + 6;
        const bool current = step.state == PhaseStep::State::Current;
        const QFont name = current ? strongFont(font()) : font();
        painter.setFont(name);
        painter.setPen(step.state == PhaseStep::State::ToCome ? t[Token::Dim] : t[Token::Text]);
        const QString text = phaseText(step.phase);
        const int nameWidth = QFontMetrics(name).horizontalAdvance(text);
        painter.drawText(QRect(x, 0, nameWidth + 2, height()), Qt::AlignVCenter, text);
        x += nameWidth;
        if (!step.measure.isEmpty()) {
            const QFont small = smallFont(font());
            const int width = QFontMetrics(small).horizontalAdvance(step.measure);
            painter.setFont(small);
            painter.setPen(t[Token::Dim]);
            painter.drawText(QRect(x + 6, 0, width + 2, height()), Qt::AlignVCenter, step.measure);
            x += 6 + width;
        }
        if (index + 1 < m_steps.size()) {
            painter.fillRect(QRect(x + 8, middle, join - 16, 1), t[Token::Edge]);
        }
        x += join;
    }
}

} // namespace Glovebox
