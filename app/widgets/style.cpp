// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/style.h"

#include "app/widgets/icon.h"
#include "app/widgets/tokens.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>

namespace Glovebox {

namespace {

constexpr qreal radius = 5;

bool has(const QStyleOption *option, QStyle::StateFlag flag)
{
    return option->state.testFlag(flag);
}

bool isPrimary(const QStyleOption *option)
{
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    return button != nullptr && button->features.testFlag(QStyleOptionButton::DefaultButton) &&
           has(option, QStyle::State_Enabled);
}

bool isFlat(const QStyleOption *option)
{
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    return button != nullptr && button->features.testFlag(QStyleOptionButton::Flat);
}

void fill(QPainter *painter, const QRectF &area, const QColor &inside, const QColor &edge,
          qreal corner)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(inside.isValid() ? QBrush(inside) : QBrush(Qt::NoBrush));
    painter->setPen(edge.isValid() ? QPen(edge, 1) : QPen(Qt::NoPen));
    painter->drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), corner, corner);
    painter->restore();
}

void drawTick(QPainter *painter, const QRectF &area, const QColor &colour)
{
    const qreal unit = area.width() / 16;
    const QPointF corner = area.topLeft();
    painter->setPen(QPen(colour, 1.8 * unit, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(
        QPolygonF({corner + QPointF(4.2, 8.2) * unit, corner + QPointF(7, 11) * unit,
                   corner + QPointF(11.8, 5.4) * unit}));
}

} // namespace

void paintFocusRing(QPainter *painter, const QRectF &around, const QPalette &palette, qreal corner)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(Tokens::of(palette)[Token::Focus], 2));
    painter->drawRoundedRect(around.adjusted(1, 1, -1, -1), corner, corner);
    painter->restore();
}

GloveboxStyle::GloveboxStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

void GloveboxStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QPushButton *>(widget) != nullptr ||
        qobject_cast<QComboBox *>(widget) != nullptr ||
        qobject_cast<QScrollBar *>(widget) != nullptr) {
        widget->setAttribute(Qt::WA_Hover);
    }
}

void GloveboxStyle::drawButton(const QStyleOption *option, QPainter *painter) const
{
    const Tokens &t = Tokens::of(option->palette);
    const QRectF area = QRectF(option->rect).adjusted(2, 2, -2, -2);
    const bool down = has(option, State_Sunken) || has(option, State_On);
    const bool hover = has(option, State_MouseOver) && has(option, State_Enabled);
    if (isPrimary(option)) {
        const QColor accent = t[Token::Accent];
        fill(painter, area,
             down    ? accent.darker(115)
             : hover ? accent.lighter(110)
                     : accent,
             {}, radius);
    } else if (isFlat(option)) {
        if (hover || down) {
            fill(painter, area, t[Token::Hover], {}, radius);
        }
    } else {
        const QColor inside = down ? t[Token::Soft] : hover ? t[Token::Hover] : t[Token::Btn];
        fill(painter, area, inside, t[Token::BtnEdge], radius);
    }
    if (has(option, State_HasFocus) && has(option, State_KeyboardFocusChange)) {
        paintFocusRing(painter, option->rect, option->palette, radius + 1);
    }
}

void GloveboxStyle::drawButtonLabel(const QStyleOption *option, QPainter *painter) const
{
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    const Tokens &t = Tokens::of(option->palette);
    constexpr int iconSize = 16;
    constexpr int iconGap = 7;
    const bool enabled = has(option, State_Enabled);
    const QFontMetrics metrics = option->fontMetrics;
    const QString text = metrics.elidedText(
        button->text, Qt::ElideRight, option->rect.width() - 12 - (button->icon.isNull() ? 0 : 23),
        Qt::TextShowMnemonic);
    int width = metrics.size(Qt::TextShowMnemonic, text).width();
    QRect label = option->rect;
    if (!button->icon.isNull()) {
        width += iconSize + (text.isEmpty() ? 0 : iconGap);
        const QRect area(label.center().x() - width / 2 + 1, label.center().y() - iconSize / 2 + 1,
                         iconSize, iconSize);
        button->icon.paint(painter, visualRect(option->direction, label, area), Qt::AlignCenter,
                           enabled ? QIcon::Normal : QIcon::Disabled);
        label.setLeft(area.right() + iconGap);
        label.setRight(area.left() + width);
        label = visualRect(option->direction, option->rect, label);
    }
    painter->setPen(isPrimary(option) ? t[Token::AccentText]
                    : enabled         ? t[Token::Text]
                                      : t[Token::Faint]);
    painter->drawText(label,
                      Qt::AlignVCenter | Qt::TextShowMnemonic |
                          (button->icon.isNull() ? Qt::AlignHCenter : Qt::AlignLeading),
                      text);
}

void GloveboxStyle::drawCheck(const QStyleOption *option, QPainter *painter) const
{
    const Tokens &t = Tokens::of(option->palette);
    const QRectF area = option->rect;
    const bool on = has(option, State_On) || has(option, State_NoChange);
    const bool enabled = has(option, State_Enabled);
    fill(painter, area, on ? (enabled ? t[Token::Accent] : t[Token::Faint]) : t[Token::Base],
         on ? QColor() : t[Token::Edge], 3);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (has(option, State_On)) {
        drawTick(painter, area, t[Token::AccentText]);
    } else if (has(option, State_NoChange)) {
        painter->fillRect(area.adjusted(4, area.height() / 2 - 1, -4, 1 - area.height() / 2),
                          t[Token::AccentText]);
    }
    painter->restore();
}

void GloveboxStyle::drawRadio(const QStyleOption *option, QPainter *painter) const
{
    const Tokens &t = Tokens::of(option->palette);
    const QRectF area = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool on = has(option, State_On);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(on ? t[Token::Accent] : t[Token::Edge], 1));
    painter->setBrush(on ? t[Token::Accent] : t[Token::Base]);
    painter->drawEllipse(area);
    if (on) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(t[Token::AccentText]);
        painter->drawEllipse(area.center(), 3, 3);
    }
    painter->restore();
}

void GloveboxStyle::drawField(const QStyleOption *option, QPainter *painter) const
{
    const Tokens &t = Tokens::of(option->palette);
    const bool focus = has(option, State_HasFocus);
    fill(painter, option->rect, t[Token::Base], focus ? t[Token::Focus] : t[Token::Edge], radius);
    if (focus) {
        paintFocusRing(painter, option->rect, option->palette, radius);
    }
}

void GloveboxStyle::drawTab(const QStyleOption *option, QPainter *painter) const
{
    const Tokens &t = Tokens::of(option->palette);
    if (has(option, State_MouseOver) && !has(option, State_Selected)) {
        painter->fillRect(option->rect, t[Token::Hover]);
    }
    if (has(option, State_Selected)) {
        QRect bar = option->rect;
        bar.setTop(bar.bottom() - 2);
        painter->fillRect(bar.adjusted(8, 0, -8, 0), t[Token::Accent]);
    }
    if (has(option, State_HasFocus) && has(option, State_KeyboardFocusChange)) {
        paintFocusRing(painter, option->rect, option->palette, radius);
    }
}

void GloveboxStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option,
                                  QPainter *painter, const QWidget *widget) const
{
    switch (element) {
    case PE_PanelButtonCommand:
    case PE_PanelButtonTool:
        if (element == PE_PanelButtonTool && !has(option, State_MouseOver) &&
            !has(option, State_Sunken) && !has(option, State_On)) {
            return;
        }
        drawButton(option, painter);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawCheck(option, painter);
        return;
    case PE_IndicatorRadioButton:
        drawRadio(option, painter);
        return;
    case PE_PanelLineEdit:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
            frame != nullptr && frame->lineWidth > 0) {
            drawField(option, painter);
        } else {
            painter->fillRect(option->rect, option->palette.color(QPalette::Base));
        }
        return;
    case PE_FrameFocusRect:
        paintFocusRing(painter, option->rect, option->palette, 3);
        return;
    case PE_FrameTabBarBase:
        painter->fillRect(
            QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
            Tokens::of(option->palette)[Token::Line]);
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void GloveboxStyle::drawControl(ControlElement element, const QStyleOption *option,
                                QPainter *painter, const QWidget *widget) const
{
    const Tokens &t = Tokens::of(option->palette);
    if (element == CE_TabBarTabShape) {
        drawTab(option, painter);
        return;
    }
    if (element == CE_PushButtonLabel) {
        drawButtonLabel(option, painter);
        return;
    }
    if (element == CE_ItemViewItem) {
        QStyleOptionViewItem item = *qstyleoption_cast<const QStyleOptionViewItem *>(option);
        item.palette.setColor(QPalette::Highlight, t[Token::Soft]);
        item.palette.setColor(QPalette::HighlightedText, t[Token::SoftText]);
        QProxyStyle::drawControl(element, &item, painter, widget);
        return;
    }
    if (element == CE_TabBarTabLabel) {
        QStyleOptionTab tab = *qstyleoption_cast<const QStyleOptionTab *>(option);
        tab.state &= ~State_HasFocus;
        if (!has(option, State_Selected)) {
            tab.palette.setColor(QPalette::WindowText, t[Token::Dim]);
        }
        QProxyStyle::drawControl(element, &tab, painter, widget);
        return;
    }
    if (element == CE_Splitter) {
        const QPoint middle = option->rect.center();
        const bool horizontal = has(option, State_Horizontal);
        painter->fillRect(horizontal
                              ? QRect(middle.x(), option->rect.top(), 1, option->rect.height())
                              : QRect(option->rect.left(), middle.y(), option->rect.width(), 1),
                          t[Token::Line]);
        return;
    }
    if (element == CE_MenuBarEmptyArea) {
        painter->fillRect(option->rect, t[Token::Window]);
        return;
    }
    if (element == CE_HeaderEmptyArea || element == CE_HeaderSection) {
        painter->fillRect(option->rect, t[Token::Head]);
        painter->fillRect(
            QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
            t[Token::Line]);
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void GloveboxStyle::drawScrollBar(const QStyleOptionComplex *option, QPainter *painter,
                                  const QWidget *widget) const
{
    const Tokens &t = Tokens::of(option->palette);
    painter->fillRect(option->rect, t[Token::Alt]);
    const QRect slider = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (bar == nullptr || bar->maximum <= bar->minimum) {
        return;
    }
    const bool strong = has(option, State_MouseOver) || has(option, State_Sunken);
    const QRectF handle = bar->orientation == Qt::Vertical ? slider.adjusted(3, 1, -3, -1)
                                                           : slider.adjusted(1, 3, -1, -3);
    fill(painter, handle, strong ? t[Token::Edge] : t[Token::BtnEdge], {}, 3);
}

void GloveboxStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                                       QPainter *painter, const QWidget *widget) const
{
    const Tokens &t = Tokens::of(option->palette);
    if (control == CC_ScrollBar) {
        drawScrollBar(option, painter, widget);
        return;
    }
    if (control == CC_ComboBox) {
        const auto *box = qstyleoption_cast<const QStyleOptionComboBox *>(option);
        const bool focus = has(option, State_HasFocus);
        fill(painter, option->rect, box->editable ? t[Token::Base] : t[Token::Btn],
             focus ? t[Token::Focus] : t[Token::BtnEdge], radius);
        const QRect arrow = subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
        paintIcon(painter, arrow, QStringLiteral("chevron-down"), t[Token::Dim], 14);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

int GloveboxStyle::pixelMetric(PixelMetric metric, const QStyleOption *option,
                               const QWidget *widget) const
{
    switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
        return 16;
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollBarSliderMin:
        return 28;
    case PM_SplitterWidth:
        return 1; // the splitter makes the part that can be taken wider by itself
    case PM_HeaderMargin:
        return 10;
    case PM_FocusFrameHMargin:
        return 8;
    case PM_TabBarTabHSpace:
        return 24;
    case PM_TabBarTabVSpace:
        return 16;
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int GloveboxStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                             QStyleHintReturn *data) const
{
    switch (hint) {
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_TabBar_ElideMode:
        return Qt::ElideNone;
    case SH_ScrollView_FrameOnlyAroundContents:
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize GloveboxStyle::sizeFromContents(ContentsType type, const QStyleOption *option,
                                      const QSize &size, const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_PushButton) {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        const int icon = button != nullptr && !button->icon.isNull() ? 20 : 0;
        result.setWidth(option->fontMetrics.horizontalAdvance(button->text) + icon + 32);
        result.setHeight(qMax(32, option->fontMetrics.height() + 14));
    } else if (type == CT_LineEdit || type == CT_ComboBox) {
        result.setHeight(qMax(28, option->fontMetrics.height() + 10));
    }
    return result;
}

QRect GloveboxStyle::subElementRect(SubElement element, const QStyleOption *option,
                                    const QWidget *widget) const
{
    if (element == SE_LineEditContents) {
        return QProxyStyle::subElementRect(element, option, widget).adjusted(4, 0, -4, 0);
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

} // namespace Glovebox
