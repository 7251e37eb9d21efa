// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/translation.h"

#include <QCoreApplication>
#include <QLocale>
#include <QLoggingCategory>
#include <QTranslator>

namespace Glovebox {

namespace {

Q_LOGGING_CATEGORY(log, "app.translation", QtWarningMsg)

} // namespace

void installTranslation(QCoreApplication *application)
{
    const QString folder = QStringLiteral(":/glovebox/translations");
    auto *translator = new QTranslator(application);
    const bool found =
        translator->load(QLocale(), QStringLiteral("glovebox"), QStringLiteral("_"), folder) ||
        translator->load(QStringLiteral("glovebox_en"), folder);
    if (!found || !QCoreApplication::installTranslator(translator)) {
        qCWarning(log, "The texts could not be loaded; counts will read wrongly.");
    }
}

} // namespace Glovebox
