// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace Glovebox {

/// The one style of the program, over Fusion on every system: flat fills, radius 5, a focus ring of
/// two pixels, check boxes of 16. A primary button is one with setDefault(true); a flat one shows
/// no frame until it is hovered.
class GloveboxStyle final : public QProxyStyle
{
    Q_OBJECT
public:
    GloveboxStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                            QPainter *painter, const QWidget *widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption *option,
                                  const QWidget *widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                                QStyleHintReturn *data) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption *option,
                                         const QSize &size, const QWidget *widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption *option,
                                       const QWidget *widget) const override;
    using QProxyStyle::polish;
    void polish(QWidget *widget) override;

private:
    void drawButton(const QStyleOption *option, QPainter *painter) const;
    void drawButtonLabel(const QStyleOption *option, QPainter *painter) const;
    void drawCheck(const QStyleOption *option, QPainter *painter) const;
    void drawRadio(const QStyleOption *option, QPainter *painter) const;
    void drawField(const QStyleOption *option, QPainter *painter) const;
    void drawTab(const QStyleOption *option, QPainter *painter) const;
    void drawScrollBar(const QStyleOptionComplex *option, QPainter *painter,
                       const QWidget *widget) const;
};

/// The two-pixel ring around a control that has the keyboard.
void paintFocusRing(QPainter *painter, const QRectF &around, const QPalette &palette,
                    qreal radius = 6);

} // namespace Glovebox
