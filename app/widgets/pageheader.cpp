// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/pageheader.h"

#include "app/widgets/elidedlabel.h"
#include "app/widgets/fonts.h"

#include <QBoxLayout>
#include <QEvent>
#include <QPainter>

namespace Glovebox {

PageHeader::PageHeader(QWidget *parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(ElidedLabel::Size::Title, this))
    , m_facts(new ElidedLabel(ElidedLabel::Size::Small, this))
    , m_row(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    setMinimumHeight(rowHeight(font(), 64, 2));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_title->setElide(Qt::ElideMiddle);
    m_facts->setElide(Qt::ElideMiddle);
    auto *text = new QBoxLayout(QBoxLayout::TopToBottom);
    text->setSpacing(2);
    text->addStretch();
    text->addWidget(m_title);
    text->addWidget(m_facts);
    text->addStretch();
    m_row->setContentsMargins(20, 0, 12, 0);
    m_row->setSpacing(8);
    m_row->addLayout(text, 1);
}

void PageHeader::setTitle(const QString &title)
{
    m_title->setText(title);
}

void PageHeader::setFacts(const QString &facts)
{
    m_facts->setText(facts);
    m_facts->setVisible(!facts.isEmpty());
}

QString PageHeader::title() const
{
    return m_title->text();
}

StageStepper *PageHeader::stepper()
{
    if (m_stepper == nullptr) {
        m_stepper = new StageStepper(this);
        m_row->addWidget(m_stepper, 0);
    }
    return m_stepper;
}

void PageHeader::fitStepper()
{
    if (m_stepper == nullptr) {
        return;
    }
    constexpr int titleRoom = 260; // the title stays readable: the stepper folds first
    const int room = width() - titleRoom;
    const int full = m_stepper->sizeHint().width();
    const int wanted = full <= room ? full : m_stepper->minimumSizeHint().width();
    if (m_stepper->minimumWidth() != wanted) {
        m_stepper->setFixedWidth(wanted);
        m_row->activate(); // now: until the next turn its end would stand outside
    }
}

bool PageHeader::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest) {
        fitStepper();
    }
    return QWidget::event(event);
}

void PageHeader::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitStepper();
}

void PageHeader::addButton(QWidget *button)
{
    m_row->addWidget(button);
}

void PageHeader::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = Tokens::of(palette());
    painter.fillRect(rect(), t[Token::Head]);
    painter.fillRect(QRect(0, height() - 1, width(), 1), t[Token::Line]);
}

} // namespace Glovebox
