// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/fonts.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetrics>

namespace Glovebox {

namespace {

QFont scaled(const QFont &base, double factor)
{
    QFont font = base;
    const int pixels = qMax(11, qRound(QFontInfo(base).pixelSize() * factor));
    font.setPixelSize(pixels);
    return font;
}

QFont scaledBold(const QFont &base, double factor)
{
    QFont font = scaled(base, factor);
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

QFont titleFont(const QFont &base)
{
    return scaledBold(base, 1.23);
}

QFont figureFont(const QFont &base)
{
    return scaledBold(base, 1.38);
}

QFont strongFont(const QFont &base)
{
    QFont font = base;
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont smallFont(const QFont &base)
{
    return scaled(base, 0.92);
}

QFont codeFont(const QFont &base)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    font.setPixelSize(qMax(11, qRound(QFontInfo(base).pixelSize() * 0.96)));
    return font;
}

int rowHeight(const QFont &font, int wanted, int lines)
{
    return qMax(wanted, QFontMetrics(font).lineSpacing() * lines + 10);
}

} // namespace Glovebox
