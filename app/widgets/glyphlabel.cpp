// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/glyphlabel.h"

#include "app/widgets/elidedlabel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>

namespace Glovebox {

GlyphLabel::GlyphLabel(const Glyph &glyph, const QString &text, QWidget *parent)
    : QWidget(parent)
    , m_glyph(glyph)
    , m_text(makePlainLabel(text, this))
{
    auto *row = new QBoxLayout(QBoxLayout::LeftToRight, this);
    row->setContentsMargins(24, 0, 0, 0);
    row->addWidget(m_text);
    setMinimumHeight(18); // the glyph and what smooth edges need
}

void GlyphLabel::set(const Glyph &glyph, const QString &text)
{
    m_glyph = glyph;
    m_text->setText(text);
    update();
}

void GlyphLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int top = qMax(0, (m_text->fontMetrics().height() - 16) / 2 + m_text->y());
    paintGlyph(&painter, QRectF(0, top, 16, 16), m_glyph, Tokens::of(palette()));
}

} // namespace Glovebox
