// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/elidedlabel.h"

#include "app/widgets/fonts.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>

namespace Glovebox {

ElidedLabel::ElidedLabel(Size size, QWidget *parent)
    : QWidget(parent)
    , m_size(size)
{
    if (size == Size::Small) {
        m_token = Token::Dim;
    }
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QFont ElidedLabel::textFont() const
{
    switch (m_size) {
    case Size::Body:
        return font();
    case Size::Strong:
        return strongFont(font());
    case Size::Small:
        return smallFont(font());
    case Size::Title:
        return titleFont(font());
    case Size::Figure:
        return figureFont(font());
    case Size::Code:
        return codeFont(font());
    }
    Q_UNREACHABLE();
}

void ElidedLabel::setText(const QString &text)
{
    QString line = text;
    line.replace(QLatin1Char('\n'), QLatin1Char(' '));
    if (line == m_text) {
        return;
    }
    m_text = line;
    setAccessibleName(m_text);
    updateGeometry();
    updateToolTip();
    update();
}

void ElidedLabel::setToken(Token token)
{
    m_token = token;
    update();
}

void ElidedLabel::setElide(Qt::TextElideMode mode)
{
    m_elide = mode;
    update();
}

bool ElidedLabel::isElided() const
{
    return QFontMetrics(textFont()).horizontalAdvance(m_text) > width();
}

QSize ElidedLabel::sizeHint() const
{
    const QFontMetrics metrics(textFont());
    return {metrics.horizontalAdvance(m_text) + 1, metrics.height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    const QFontMetrics metrics(textFont());
    return {qMin(sizeHint().width(), metrics.averageCharWidth() * 6), metrics.height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QFont wanted = textFont();
    painter.setFont(wanted);
    const Token token = isEnabled() ? m_token : Token::Faint;
    painter.setPen(Tokens::of(palette())[token]);
    painter.drawText(rect(), Qt::AlignLeading | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(wanted).elidedText(m_text, m_elide, width()));
}

void ElidedLabel::resizeEvent(QResizeEvent *)
{
    updateToolTip();
}

void ElidedLabel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
    QWidget::changeEvent(event);
}

void ElidedLabel::updateToolTip()
{
    // Escaped: Qt takes a tooltip that looks like rich text for rich text.
    setToolTip(isElided() ? m_text.toHtmlEscaped() : QString());
}

QLabel *makePlainLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::NoFocus);
    return label;
}

} // namespace Glovebox
