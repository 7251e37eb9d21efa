// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/tokens.h"

#include <QIcon>
#include <QPixmap>

class QPainter;

namespace Glovebox {

/// One of our own drawings (resources/icons/NAME.svg) in one colour. \a size in device-independent
/// pixels; the pixmap carries \a ratio.
[[nodiscard]] QPixmap iconPixmap(const QString &name, const QColor &colour, int size, qreal ratio);

/// The same as an icon that is drawn anew for each size, ratio and theme.
[[nodiscard]] QIcon themedIcon(const QString &name, Token token = Token::Text);

/// Paints it centred in \a area at the painter's own ratio.
void paintIcon(QPainter *painter, const QRect &area, const QString &name, const QColor &colour,
               int size = 16);

} // namespace Glovebox
