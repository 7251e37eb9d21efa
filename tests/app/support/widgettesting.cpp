// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/support/widgettesting.h"

#include "app/translation.h"
#include "app/widgets/stagestepper.h"

#include <QApplication>
#include <QDir>
#include <QPainter>

namespace Glovebox::Testing {

void prepareApplication(Theme theme)
{
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(13);
    QApplication::setFont(font);
    applyTheme(theme);
    installTranslation(qApp);
    installAccessibility();
}

QImage picture(QWidget *widget, qreal ratio)
{
    QImage image(widget->size() * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    widget->render(&image);
    return image;
}

QString savePicture(const QImage &image, const QString &name)
{
    const QString folder = qEnvironmentVariable("GLOVEBOX_BUILD_DIR") + QStringLiteral("/pictures");
    QDir().mkpath(folder);
    const QString path = folder + QLatin1Char('/') + name + QStringLiteral(".png");
    if (!image.save(path)) {
        QTest::qFail(qPrintable(QStringLiteral("cannot save %1").arg(path)), __FILE__, __LINE__);
    }
    return path;
}

} // namespace Glovebox::Testing
