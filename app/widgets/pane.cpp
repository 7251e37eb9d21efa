// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/pane.h"

#include "app/widgets/elidedlabel.h"
#include "app/widgets/fonts.h"

#include <QBoxLayout>
#include <QPainter>
#include <QPainterPath>

namespace Glovebox {

Pane::Pane(const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_fact(new ElidedLabel(ElidedLabel::Size::Small))
    , m_head(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_body(new QBoxLayout(QBoxLayout::TopToBottom))
    , m_headWidget(new QWidget(this))
{
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(1, 1, 1, 1);
    all->setSpacing(0);
    auto *name = new ElidedLabel(ElidedLabel::Size::Strong);
    name->setText(title);
    m_headWidget->setLayout(m_head);
    m_headWidget->setFixedHeight(rowHeight(font(), 36));
    m_head->setContentsMargins(12, 0, 12, 0);
    m_head->setSpacing(8);
    m_head->addWidget(name);
    m_head->addWidget(m_fact, 1);
    all->addWidget(m_headWidget);
    m_body->setContentsMargins(0, 1, 0, 4); // the frame and its corners stay free
    m_body->setSpacing(0);
    all->addLayout(m_body, 1);
    setAccessibleName(title);
}

void Pane::setFact(const QString &fact)
{
    m_fact->setText(fact);
}

void Pane::addToHead(QWidget *widget)
{
    m_head->addWidget(widget);
}

void Pane::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &t = Tokens::of(palette());
    QPainterPath frame;
    frame.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.fillPath(frame, t[Token::Base]);
    painter.save();
    painter.setClipPath(frame);
    const int head = m_headWidget->geometry().bottom() + 1;
    painter.fillRect(QRect(0, 0, width(), head), t[Token::Head]);
    painter.fillRect(QRect(0, head, width(), 1), t[Token::Line]);
    painter.restore();
    painter.strokePath(frame, QPen(t[Token::Line], 1));
}

Strip::Strip(Token surface, Edge edge, int height, QWidget *parent)
    : QWidget(parent)
    , m_surface(surface)
    , m_edge(edge)
    , m_row(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    m_row->setContentsMargins(20, 0, 16, 0);
    m_row->setSpacing(8);
    setMinimumHeight(rowHeight(font(), height));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Strip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = Tokens::of(palette());
    painter.fillRect(rect(), t[m_surface]);
    if (m_edge == Edge::Top) {
        painter.fillRect(QRect(0, 0, width(), 1), t[Token::Line]);
    } else if (m_edge == Edge::Bottom) {
        painter.fillRect(QRect(0, height() - 1, width(), 1), t[Token::Line]);
    }
}

} // namespace Glovebox
