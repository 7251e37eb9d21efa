// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/tokens.h"

#include <QIcon>
#include <QRectF>
#include <QString>

class QPainter;

namespace Glovebox {

/// Everything that a run can be on screen, each with a shape, a mark, a colour and a word, so that
/// it reads without colour.
enum class RunState {
    Draft,
    Queued,
    Working,
    ReadyForReview,
    Accepted,
    AcceptanceFailed,
    OutOfScope,
    SetupFailed,
    Blocked,
    NothingChanged,
    TimedOut,
    BudgetSpent,
    Cancelled,
    Interrupted,
    NotEnforced,
    SandboxError,
    AgentError,
    ImportRefused,
    Pushed,
    Rejected
};

enum class GlyphShape { Ring, DashedRing, Arc, Disc, Hexagon, Octagon, Shield, Square, Triangle };
enum class GlyphMark {
    None,
    Tick,
    Cross,
    Eye,
    Fence,
    Bar,
    Equals,
    ClockHand,
    Coin,
    Slash,
    TwoBars,
    Exclamation,
    NoEntry,
    ArrowUp,
    Minus,
    Play,
    Letter
};

struct Glyph
{
    GlyphShape shape = GlyphShape::Ring;
    GlyphMark mark = GlyphMark::None;
    Token token = Token::Edge;
};

[[nodiscard]] Glyph glyphOf(RunState state);
/// The translated word that always stands beside the glyph or in the accessible name.
[[nodiscard]] QString wordOf(RunState state);
/// The soft background that belongs to the glyph's colour.
[[nodiscard]] Token softOf(Token token);

/// Paints it into \a area (square). \a turn: where the working arc stands, 0 to 1.
void paintGlyph(QPainter *painter, const QRectF &area, const Glyph &glyph, const Tokens &tokens,
                qreal turn = 0);

/// The same as an icon, for stock item views; drawn anew for each size, ratio and theme.
[[nodiscard]] QIcon glyphIcon(const Glyph &glyph);

[[nodiscard]] inline Glyph doneGlyph()
{
    return {GlyphShape::Disc, GlyphMark::Tick, Token::Ok};
}
[[nodiscard]] inline Glyph warningGlyph()
{
    return {GlyphShape::Triangle, GlyphMark::Exclamation, Token::WarnMark};
}
[[nodiscard]] inline Glyph failedGlyph()
{
    return {GlyphShape::Disc, GlyphMark::Cross, Token::Bad};
}
[[nodiscard]] inline Glyph infoGlyph()
{
    return {GlyphShape::Disc, GlyphMark::Letter, Token::Off};
}

} // namespace Glovebox
