// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/viewstates.h"

#include "app/widgets/banner.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/icon.h"

#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

namespace Glovebox {

ViewStates::ViewStates(QWidget *content, QWidget *parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout)
    , m_bar(new QProgressBar(this))
    , m_error(new Banner(Banner::Size::Line, this))
    , m_delay(new QTimer(this))
{
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(2);
    m_bar->hide();
    m_error->hide();
    all->addWidget(m_bar);
    all->addWidget(m_error);
    all->addLayout(m_stack, 1);
    m_stack->addWidget(makeEmpty());
    m_stack->addWidget(content);
    m_delay->setSingleShot(true);
    m_delay->setInterval(300);
    connect(m_delay, &QTimer::timeout, m_bar, &QWidget::show);
    connect(m_error, &Banner::buttonClicked, this, &ViewStates::retryRequested);
}

QWidget *ViewStates::makeEmpty()
{
    auto *page = new QWidget(this);
    auto *column = new QVBoxLayout(page);
    column->setSpacing(8);
    m_emptyIcon = new QLabel(page);
    m_emptyIcon->setAlignment(Qt::AlignCenter);
    m_emptyTitle = new ElidedLabel(ElidedLabel::Size::Title, page);
    m_emptySentence = makePlainLabel({}, page);
    m_emptySentence->setAlignment(Qt::AlignCenter);
    m_emptyButton = new QPushButton(page);
    column->addStretch(2);
    column->addWidget(m_emptyIcon);
    column->addWidget(m_emptyTitle, 0, Qt::AlignCenter);
    column->addWidget(m_emptySentence);
    column->addSpacing(4);
    column->addWidget(m_emptyButton, 0, Qt::AlignCenter);
    column->addStretch(3);
    connect(m_emptyButton, &QPushButton::clicked, this, &ViewStates::emptyButtonClicked);
    return page;
}

void ViewStates::setEmpty(const QString &icon, const QString &title, const QString &sentence,
                          const QString &button)
{
    m_icon = icon;
    drawIcon();
    m_emptyTitle->setText(title);
    m_emptySentence->setText(sentence);
    m_emptyButton->setText(button);
    m_emptyButton->setVisible(!button.isEmpty());
}

void ViewStates::drawIcon()
{
    if (!m_icon.isEmpty()) {
        const QIcon icon = themedIcon(m_icon, Token::Dim);
        m_emptyIcon->setPixmap(icon.pixmap(QSize(32, 32), devicePixelRatioF()));
    }
}

void ViewStates::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        drawIcon(); // a pixmap has the colours of the theme that it was made in
    }
}

void ViewStates::showEmpty()
{
    m_state = State::Empty;
    m_stack->setCurrentIndex(0);
}

void ViewStates::showContent()
{
    m_state = State::Content;
    m_stack->setCurrentIndex(1);
}

void ViewStates::setBusy(const QString &what)
{
    m_busy = !what.isEmpty();
    m_bar->setAccessibleName(what);
    m_bar->setToolTip(what.toHtmlEscaped());
    if (m_busy) {
        m_delay->start();
        return;
    }
    m_delay->stop();
    m_bar->hide();
}

void ViewStates::showError(const Error &error)
{
    if (error.code == ErrorCode::Cancelled) {
        return; // what the user asked for is no failure
    }
    m_error->setMessage(failedGlyph(), error.message, error.detail.left(2000));
    m_error->setButton(tr("Try again"));
    m_error->show();
}

void ViewStates::clearError()
{
    m_error->hide();
}

QString ViewStates::errorText() const
{
    return m_error->isHidden() ? QString() : m_error->strongText();
}

} // namespace Glovebox
