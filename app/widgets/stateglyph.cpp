// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/stateglyph.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <numbers>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunState)
};

QPolygonF regular(const QPointF &centre, qreal radius, int corners, qreal startDegrees)
{
    QPolygonF polygon;
    for (int index = 0; index < corners; ++index) {
        const qreal angle = (startDegrees + 360.0 * index / corners) * std::numbers::pi / 180.0;
        polygon.append(centre + QPointF(std::cos(angle), std::sin(angle)) * radius);
    }
    return polygon;
}

QPainterPath shieldPath(const QRectF &area)
{
    const qreal u = area.width() / 16;
    const QPointF o = area.topLeft();
    QPainterPath path;
    path.moveTo(o + QPointF(8, 0.8) * u);
    path.lineTo(o + QPointF(14, 2.9) * u);
    path.lineTo(o + QPointF(14, 7.6) * u);
    path.cubicTo(o + QPointF(14, 11.4) * u, o + QPointF(11.6, 14) * u, o + QPointF(8, 15.4) * u);
    path.cubicTo(o + QPointF(4.4, 14) * u, o + QPointF(2, 11.4) * u, o + QPointF(2, 7.6) * u);
    path.lineTo(o + QPointF(2, 2.9) * u);
    path.closeSubpath();
    return path;
}

void paintRing(QPainter *painter, const QRectF &area, const Glyph &glyph, const QColor &colour)
{
    const qreal width = area.width() / 10;
    QPen pen(colour, width);
    if (glyph.shape == GlyphShape::DashedRing) {
        pen.setDashPattern({1.6, 1.4});
    }
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawEllipse(area.adjusted(width, width, -width, -width));
}

void paintArc(QPainter *painter, const QRectF &area, const Tokens &tokens, const QColor &colour,
              qreal turn)
{
    const qreal width = area.width() / 7.5;
    const QRectF circle = area.adjusted(width, width, -width, -width);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(tokens[Token::BtnEdge], width));
    painter->drawEllipse(circle);
    painter->setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    painter->drawArc(circle, qRound((90 - turn * 360) * 16), -150 * 16);
}

void paintShape(QPainter *painter, const QRectF &area, GlyphShape shape)
{
    const QPointF centre = area.center();
    const qreal r = area.width() / 2;
    switch (shape) {
    case GlyphShape::Hexagon:
        painter->drawPolygon(regular(centre, r * 0.98, 6, -90));
        return;
    case GlyphShape::Octagon:
        painter->drawPolygon(regular(centre, r * 0.98, 8, 22.5));
        return;
    case GlyphShape::Shield:
        painter->drawPath(shieldPath(area));
        return;
    case GlyphShape::Square:
        painter->drawRoundedRect(area.adjusted(r * 0.1, r * 0.1, -r * 0.1, -r * 0.1), r / 5, r / 5);
        return;
    case GlyphShape::Triangle: {
        const qreal u = area.width() / 16;
        painter->drawPolygon(QPolygonF({area.topLeft() + QPointF(8, 1.2) * u,
                                        area.topLeft() + QPointF(15.4, 14.4) * u,
                                        area.topLeft() + QPointF(0.6, 14.4) * u}));
        return;
    }
    case GlyphShape::Disc:
    case GlyphShape::Ring:
    case GlyphShape::DashedRing:
    case GlyphShape::Arc:
        painter->drawEllipse(centre, r * 0.92, r * 0.92);
        return;
    }
}

using Lines = QList<QList<QPointF>>;

Lines linesOf(GlyphMark mark)
{
    switch (mark) {
    case GlyphMark::Tick:
        return {{{4.7, 8.3}, {7.1, 10.7}, {11.4, 5.8}}};
    case GlyphMark::Cross:
        return {{{5.4, 5.4}, {10.6, 10.6}}, {{10.6, 5.4}, {5.4, 10.6}}};
    case GlyphMark::Fence:
        return {{{5.4, 4.8}, {5.4, 11.2}},
                {{8, 4.8}, {8, 11.2}},
                {{10.6, 4.8}, {10.6, 11.2}},
                {{4.4, 8}, {11.6, 8}}};
    case GlyphMark::Bar:
    case GlyphMark::NoEntry:
    case GlyphMark::Minus:
        return {{{4.8, 8}, {11.2, 8}}};
    case GlyphMark::Equals:
        return {{{5, 6.5}, {11, 6.5}}, {{5, 9.5}, {11, 9.5}}};
    case GlyphMark::ClockHand:
        return {{{8, 4.6}, {8, 8.2}, {10.6, 9.8}}};
    case GlyphMark::Slash:
        return {{{5, 11}, {11, 5}}};
    case GlyphMark::TwoBars:
        return {{{6.3, 5.2}, {6.3, 10.8}}, {{9.7, 5.2}, {9.7, 10.8}}};
    case GlyphMark::Exclamation:
        return {{{8, 5}, {8, 9.2}}, {{8, 11.6}, {8, 11.7}}};
    case GlyphMark::Letter:
        return {{{8, 7.6}, {8, 11.4}}, {{8, 4.9}, {8, 5}}};
    case GlyphMark::ArrowUp:
        return {{{8, 11.6}, {8, 4.8}}, {{5.2, 7.4}, {8, 4.6}, {10.8, 7.4}}};
    case GlyphMark::None:
    case GlyphMark::Eye:
    case GlyphMark::Coin:
    case GlyphMark::Play:
        return {};
    }
    Q_UNREACHABLE();
}

void paintMark(QPainter *painter, const QRectF &area, GlyphMark mark, const QColor &colour)
{
    const qreal u = area.width() / 16;
    const QPointF o = area.topLeft();
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(colour, 1.7 * u, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (QPolygonF line : linesOf(mark)) {
        for (QPointF &point : line) {
            point = o + point * u;
        }
        painter->drawPolyline(line);
    }
    if (mark == GlyphMark::Eye) {
        painter->setPen(QPen(colour, 1.3 * u));
        QPainterPath lid;
        lid.moveTo(o + QPointF(3.8, 8) * u);
        lid.quadTo(o + QPointF(8, 3.4) * u, o + QPointF(12.2, 8) * u);
        lid.quadTo(o + QPointF(8, 12.6) * u, o + QPointF(3.8, 8) * u);
        painter->drawPath(lid);
        painter->setBrush(colour);
        painter->setPen(Qt::NoPen);
        painter->drawEllipse(o + QPointF(8, 8) * u, 1.4 * u, 1.4 * u);
    } else if (mark == GlyphMark::Coin) {
        painter->drawEllipse(o + QPointF(8, 8) * u, 3.2 * u, 3.2 * u);
    } else if (mark == GlyphMark::Play) {
        painter->setBrush(colour);
        painter->setPen(Qt::NoPen);
        painter->drawPolygon(QPolygonF(
            {o + QPointF(6.2, 4.8) * u, o + QPointF(11.6, 8) * u, o + QPointF(6.2, 11.2) * u}));
    }
}

class GlyphIconEngine final : public QIconEngine
{
public:
    explicit GlyphIconEngine(const Glyph &glyph)
        : m_glyph(glyph)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode, QIcon::State) override
    {
        const int size = qMin(rect.width(), rect.height());
        QRect area(0, 0, size, size);
        area.moveCenter(rect.center());
        paintGlyph(painter, area, m_glyph, Tokens::of(QGuiApplication::palette()));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine *clone() const override { return new GlyphIconEngine(*this); }

private:
    Glyph m_glyph;
};

} // namespace

Glyph glyphOf(RunState state)
{
    using S = GlyphShape;
    using M = GlyphMark;
    switch (state) {
    case RunState::Draft:
        return {S::Ring, M::None, Token::Edge};
    case RunState::Queued:
        return {S::DashedRing, M::None, Token::Edge};
    case RunState::Working:
        return {S::Arc, M::None, Token::Accent};
    case RunState::ReadyForReview:
        return {S::Disc, M::Eye, Token::Accent};
    case RunState::Accepted:
        return {S::Disc, M::Tick, Token::Ok};
    case RunState::AcceptanceFailed:
        return {S::Disc, M::Cross, Token::Bad};
    case RunState::OutOfScope:
        return {S::Disc, M::Fence, Token::Bad};
    case RunState::SetupFailed:
        return {S::Hexagon, M::Cross, Token::Bad};
    case RunState::Blocked:
        return {S::Octagon, M::Bar, Token::WarnMark};
    case RunState::NothingChanged:
        return {S::Disc, M::Equals, Token::WarnMark};
    case RunState::TimedOut:
        return {S::Disc, M::ClockHand, Token::WarnMark};
    case RunState::BudgetSpent:
        return {S::Disc, M::Coin, Token::WarnMark};
    case RunState::Cancelled:
        return {S::Disc, M::Slash, Token::Off};
    case RunState::Interrupted:
        return {S::Disc, M::TwoBars, Token::WarnMark};
    case RunState::NotEnforced:
        return {S::Shield, M::Cross, Token::Bad};
    case RunState::SandboxError:
        return {S::Hexagon, M::Exclamation, Token::Bad};
    case RunState::AgentError:
        return {S::Square, M::Exclamation, Token::Bad};
    case RunState::ImportRefused:
        return {S::Disc, M::NoEntry, Token::Bad};
    case RunState::Pushed:
        return {S::Disc, M::ArrowUp, Token::Ok};
    case RunState::Rejected:
        return {S::Disc, M::Minus, Token::Off};
    }
    Q_UNREACHABLE();
}

QString wordOf(RunState state)
{
    switch (state) {
    case RunState::Draft:
        return Tr::tr("Draft");
    case RunState::Queued:
        return Tr::tr("Queued");
    case RunState::Working:
        return Tr::tr("Working");
    case RunState::ReadyForReview:
        return Tr::tr("Ready for review");
    case RunState::Accepted:
        return Tr::tr("Accepted");
    case RunState::AcceptanceFailed:
        return Tr::tr("Acceptance failed");
    case RunState::OutOfScope:
        return Tr::tr("Out of scope");
    case RunState::SetupFailed:
        return Tr::tr("Setup failed");
    case RunState::Blocked:
        return Tr::tr("Blocked");
    case RunState::NothingChanged:
        return Tr::tr("Nothing changed");
    case RunState::TimedOut:
        return Tr::tr("Timed out");
    case RunState::BudgetSpent:
        return Tr::tr("Budget spent");
    case RunState::Cancelled:
        return Tr::tr("Cancelled");
    case RunState::Interrupted:
        return Tr::tr("Interrupted");
    case RunState::NotEnforced:
        return Tr::tr("Not enforced");
    case RunState::SandboxError:
        return Tr::tr("Sandbox error");
    case RunState::AgentError:
        return Tr::tr("Agent error");
    case RunState::ImportRefused:
        return Tr::tr("Refused");
    case RunState::Pushed:
        return Tr::tr("Pushed");
    case RunState::Rejected:
        return Tr::tr("Rejected");
    }
    Q_UNREACHABLE();
}

Token softOf(Token token)
{
    switch (token) {
    case Token::Ok:
        return Token::OkSoft;
    case Token::Bad:
        return Token::BadSoft;
    case Token::Warn:
    case Token::WarnMark:
        return Token::WarnSoft;
    case Token::Accent:
        return Token::Soft;
    default:
        return Token::OffSoft;
    }
}

void paintGlyph(QPainter *painter, const QRectF &area, const Glyph &glyph, const Tokens &tokens,
                qreal turn)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor colour = tokens[glyph.token];
    if (glyph.shape == GlyphShape::Ring || glyph.shape == GlyphShape::DashedRing) {
        paintRing(painter, area, glyph, colour);
    } else if (glyph.shape == GlyphShape::Arc) {
        paintArc(painter, area, tokens, colour, turn);
    } else {
        painter->setPen(Qt::NoPen);
        painter->setBrush(colour);
        paintShape(painter, area, glyph.shape);
        paintMark(painter, area, glyph.mark, tokens[Token::Base]);
    }
    painter->restore();
}

QIcon glyphIcon(const Glyph &glyph)
{
    return QIcon(new GlyphIconEngine(glyph));
}

} // namespace Glovebox
