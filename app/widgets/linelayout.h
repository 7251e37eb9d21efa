// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/visibletext.h"

#include <QFont>
#include <QTextLayout>

#include <memory>
#include <vector>

class QPainter;

namespace Glovebox {

class Tokens;

/// One line laid out for painting, in tiles of 2,000 characters, of which only those that come into
/// sight are ever laid out: a line of any length costs what is visible of it.
class LineLayout final
{
public:
    /// \a formats: columns of the stored text. \a tab: the distance of tab stops in pixels.
    LineLayout(const QString &stored, const QFont &font,
               const QList<QTextLayout::FormatRange> &formats, qreal tab);

    [[nodiscard]] const VisibleText &text() const { return m_text; }
    [[nodiscard]] qreal width();
    /// Columns are those of the stored text.
    [[nodiscard]] qreal xOf(int column);
    [[nodiscard]] int columnAt(qreal x);
    /// Draws what lies between \a left and \a right (pixels from the line's start), boxes included.
    void draw(QPainter *painter, const QPointF &origin, qreal left, qreal right,
              const Tokens &tokens);

private:
    struct Tile
    {
        int start = 0;
        int length = 0;
        qreal x = 0;
        qreal width = -1;                    ///< -1 = not known yet
        std::unique_ptr<QTextLayout> layout; ///< made when it comes into sight
    };
    [[nodiscard]] size_t tileOf(int shownColumn) const;
    QTextLayout &layoutOf(Tile &tile);
    void measureUpTo(size_t tile);
    qreal measured(Tile &tile);
    void drawBoxes(QPainter *painter, const QPointF &origin, const Tile &tile,
                   const Tokens &tokens);

    VisibleText m_text;
    QFont m_font;
    QList<QTextLayout::FormatRange> m_formats; ///< columns of the shown text
    qreal m_tab;
    qreal m_advance;
    std::vector<Tile> m_tiles;
};

} // namespace Glovebox
