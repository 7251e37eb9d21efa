// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/nextsteprow.h"

#include "app/widgets/elidedlabel.h"
#include "app/widgets/fonts.h"
#include "app/widgets/icon.h"

#include <QBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace Glovebox {

NextStepRow::NextStepRow(const QString &icon, const QString &what, const QString &effect,
                         const QString &button, QWidget *parent)
    : QWidget(parent)
    , m_icon(icon)
    , m_what(new ElidedLabel(ElidedLabel::Size::Body, this))
    , m_effect(new ElidedLabel(ElidedLabel::Size::Small, this))
    , m_button(new QPushButton(this))
{
    auto *row = new QBoxLayout(QBoxLayout::LeftToRight, this);
    row->setContentsMargins(42, 8, 12, 8);
    auto *text = new QBoxLayout(QBoxLayout::TopToBottom);
    text->setSpacing(1);
    text->addWidget(m_what);
    text->addWidget(m_effect);
    setTexts(what, effect, button);
    row->addLayout(text, 1);
    row->addWidget(m_button);
    setMinimumHeight(rowHeight(font(), 54, 2));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_button, &QPushButton::clicked, this, &NextStepRow::clicked);
}

void NextStepRow::setTexts(const QString &what, const QString &effect, const QString &button)
{
    m_what->setText(what);
    m_effect->setText(effect);
    m_button->setText(button);
    //: A button read aloud, by itself: what it says and what it is about ("Review: Retry on 429")
    m_button->setAccessibleName(tr("%1: %2").arg(button, what));
}

void NextStepRow::setGlyph(const Glyph &glyph)
{
    m_glyph = glyph;
    update();
}

void NextStepRow::setPrimary(bool primary)
{
    m_button->setDefault(primary);
}

void NextStepRow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = Tokens::of(palette());
    if (m_glyph) {
        paintGlyph(&painter, QRectF(12, (height() - 20) / 2.0, 20, 20), *m_glyph, t);
    } else {
        paintIcon(&painter, QRect(12, 0, 18, height()), m_icon, t[Token::Accent]);
    }
    painter.fillRect(QRect(1, height() - 1, width() - 2, 1), t[Token::Line]);
}

} // namespace Glovebox
