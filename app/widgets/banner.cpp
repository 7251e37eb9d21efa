// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/banner.h"

#include "app/widgets/elidedlabel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace Glovebox {

namespace {

int glyphSizeOf(Banner::Size size)
{
    return size == Banner::Size::Outcome ? 32 : 16;
}

} // namespace

Banner::Banner(Size size, QWidget *parent)
    : QWidget(parent)
    , m_size(size)
    , m_strong(new ElidedLabel(
          size == Size::Outcome ? ElidedLabel::Size::Title : ElidedLabel::Size::Strong, this))
    , m_rest(makePlainLabel({}, this))
    , m_row(new QHBoxLayout(this))
    , m_button(new QPushButton(this))
{
    const int left = size == Size::Outcome ? 68 : 40;
    const int pad = size == Size::Outcome ? 14 : 8;
    m_row->setContentsMargins(left, pad, 16, pad);
    m_row->setSpacing(12);
    auto *text = new QBoxLayout(QBoxLayout::TopToBottom);
    text->setSpacing(2);
    text->addWidget(m_strong);
    text->addWidget(m_rest);
    m_row->addLayout(text, 1);
    m_row->addWidget(m_button);
    m_button->hide();
    m_rest->hide();
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_button, &QPushButton::clicked, this, &Banner::buttonClicked);
}

void Banner::setMessage(const Glyph &glyph, const QString &strong, const QString &rest)
{
    m_glyph = glyph;
    m_strong->setText(strong);
    m_rest->setText(rest);
    m_rest->setVisible(!rest.isEmpty());
    setAccessibleName(rest.isEmpty() ? strong : strong + QLatin1Char(' ') + rest);
    update();
}

void Banner::setButton(const QString &text)
{
    m_button->setText(text);
    m_button->setVisible(!text.isEmpty());
}

void Banner::setTrailing(QWidget *widget)
{
    m_row->insertWidget(1, widget, 0, Qt::AlignVCenter);
}

QString Banner::strongText() const
{
    return m_strong->text();
}

QString Banner::restText() const
{
    return m_rest->text();
}

void Banner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &t = Tokens::of(palette());
    painter.setPen(QPen(t[m_glyph.token], 1));
    painter.setBrush(t[softOf(m_glyph.token)]);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const int size = glyphSizeOf(m_size);
    const int left = m_size == Size::Outcome ? 18 : 12;
    paintGlyph(&painter, QRectF(left, (height() - size) / 2.0, size, size), m_glyph, t);
}

} // namespace Glovebox
