// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/icon.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace Glovebox {

namespace {

QByteArray drawing(const QString &name, const QColor &colour)
{
    QFile file(QStringLiteral(":/glovebox/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return file.readAll().replace("currentColor", colour.name().toLatin1());
}

class ThemedIconEngine final : public QIconEngine
{
public:
    ThemedIconEngine(const QString &name, Token token)
        : m_name(name)
        , m_token(token)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const int size = qMin(rect.width(), rect.height());
        paintIcon(painter, rect, m_name, colour(mode), size);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        return iconPixmap(m_name, colour(mode), qMin(size.width(), size.height()), 1.0);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal scale) override
    {
        const int pixels = qMin(size.width(), size.height());
        QPixmap pixmap = iconPixmap(m_name, colour(mode), qRound(pixels / scale), scale);
        return pixmap;
    }

    [[nodiscard]] QIconEngine *clone() const override { return new ThemedIconEngine(*this); }

private:
    [[nodiscard]] QColor colour(QIcon::Mode mode) const
    {
        const Tokens &tokens = Tokens::of(QGuiApplication::palette());
        if (mode == QIcon::Disabled) {
            return tokens[Token::Faint];
        }
        return tokens[m_token];
    }

    QString m_name;
    Token m_token;
};

} // namespace

QPixmap iconPixmap(const QString &name, const QColor &colour, int size, qreal ratio)
{
    const QString key =
        QStringLiteral("glovebox-%1-%2-%3-%4").arg(name, colour.name()).arg(size).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    const int pixels = qRound(size * ratio);
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(drawing(name, colour));
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon themedIcon(const QString &name, Token token)
{
    return QIcon(new ThemedIconEngine(name, token));
}

void paintIcon(QPainter *painter, const QRect &area, const QString &name, const QColor &colour,
               int size)
{
    const QPixmap pixmap = iconPixmap(name, colour, size, painter->device()->devicePixelRatioF());
    const QPoint corner(area.x() + (area.width() - size) / 2,
                        area.y() + (area.height() - size) / 2);
    painter->drawPixmap(corner, pixmap);
}

} // namespace Glovebox
