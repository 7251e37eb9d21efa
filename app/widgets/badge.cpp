// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/badge.h"

#include "app/widgets/fonts.h"

#include <QPainter>

namespace Glovebox {

namespace {

constexpr int glyphSize = 12;

Token textTokenOf(Token token)
{
    return token == Token::WarnMark ? Token::Warn : token;
}

} // namespace

int chipWidth(const QString &text, const QFont &font)
{
    return 8 + glyphSize + 5 + QFontMetrics(font).horizontalAdvance(text) + 9;
}

int paintChip(QPainter *painter, const QPoint &corner, const Glyph &glyph, const QString &text,
              const QFont &font, const Tokens &tokens)
{
    const int width = chipWidth(text, font);
    const int height = qMax(20, QFontMetrics(font).height() + 4);
    const QRect area(corner, QSize(width, height));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(tokens[softOf(glyph.token)]);
    painter->drawRoundedRect(area, height / 2.0, height / 2.0);
    paintGlyph(
        painter,
        QRectF(area.left() + 8, area.top() + (height - glyphSize) / 2.0, glyphSize, glyphSize),
        glyph, tokens);
    painter->setFont(font);
    painter->setPen(tokens[textTokenOf(glyph.token)]);
    painter->drawText(area.adjusted(8 + glyphSize + 5, 0, -4, 0), Qt::AlignVCenter, text);
    painter->restore();
    return width;
}

Badge::Badge(Look look, QWidget *parent)
    : QWidget(parent)
    , m_look(look)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::show(const Glyph &glyph, const QString &text, Validity validity)
{
    m_glyph = glyph;
    m_text = text;
    m_validity = validity;
    setAccessibleName(validity == Validity::Stale ? tr("%1, out of date").arg(text) : text);
    updateGeometry();
    update();
}

QSize Badge::sizeHint() const
{
    const QFont text = m_look == Look::Chip ? smallFont(font()) : strongFont(smallFont(font()));
    const int height = m_look == Look::Chip ? 20 : 24;
    return {chipWidth(m_text, text) + 2, qMax(height, QFontMetrics(text).height() + 6)};
}

void Badge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &t = Tokens::of(palette());
    if (m_look == Look::Chip) {
        paintChip(&painter, {0, 0}, m_glyph, m_text, smallFont(font()), t);
        return;
    }
    const bool stale = m_validity == Validity::Stale;
    const Token token = stale ? Token::Off : textTokenOf(m_glyph.token);
    QPen pen(t[token], 1);
    if (stale) {
        pen.setStyle(Qt::DashLine);
    }
    painter.setPen(pen);
    painter.setBrush(stale ? QBrush(Qt::NoBrush) : QBrush(t[softOf(m_glyph.token)]));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    Glyph glyph = m_glyph;
    if (stale) {
        glyph.token = Token::Off;
    }
    paintGlyph(&painter, QRectF(8, (height() - glyphSize) / 2.0, glyphSize, glyphSize), glyph, t);
    painter.setFont(strongFont(smallFont(font())));
    painter.setPen(t[token]);
    painter.drawText(rect().adjusted(8 + glyphSize + 5, 0, -4, 0), Qt::AlignVCenter, m_text);
}

Meter::Meter(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Meter::setShare(double share, const QString &description)
{
    m_share = qBound(0.0, share, 1.0);
    setAccessibleName(description);
    update();
}

void Meter::setToken(Token token)
{
    m_token = token;
    update();
}

void Meter::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &t = Tokens::of(palette());
    painter.setPen(Qt::NoPen);
    painter.setBrush(t[Token::Line]);
    painter.drawRoundedRect(rect(), 3, 3);
    if (m_share > 0) {
        painter.setBrush(t[m_token]);
        QRect used = rect();
        used.setWidth(qMax(6, qRound(width() * m_share)));
        painter.drawRoundedRect(used, 3, 3);
    }
}

} // namespace Glovebox
