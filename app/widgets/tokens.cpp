// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/tokens.h"

#include "app/widgets/style.h"

#include <QApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLoggingCategory>
#include <QMetaEnum>

namespace Glovebox {

namespace {

Q_LOGGING_CATEGORY(log, "app.widgets", QtWarningMsg)

constexpr char desktopPalette[] = "gloveboxDesktopPalette"; ///< property of the application

QJsonObject themeObject(const QString &theme)
{
    QFile file(QStringLiteral(":/glovebox/themes/tokens.json"));
    if (!file.open(QIODevice::ReadOnly)) {
        qCWarning(log) << "the theme file is not in this build:" << file.errorString();
        return {};
    }
    return QJsonDocument::fromJson(file.readAll()).object().value(theme).toObject();
}

} // namespace

Tokens::Tokens(const QString &theme)
{
    const QJsonObject object = themeObject(theme);
    const QMetaEnum roles = QMetaEnum::fromType<Role>();
    for (int index = 0; index < roles.keyCount(); ++index) {
        QString name = QString::fromLatin1(roles.key(index));
        name[0] = name[0].toLower();
        const QColor colour(object.value(name).toString());
        if (!colour.isValid()) {
            m_missing.append(name);
        }
        m_colours.at(static_cast<size_t>(roles.value(index))) =
            colour.isValid() ? colour : QColor(Qt::magenta);
    }
}

const Tokens &Tokens::light()
{
    static const Tokens tokens(QStringLiteral("light"));
    return tokens;
}

const Tokens &Tokens::dark()
{
    static const Tokens tokens(QStringLiteral("dark"));
    return tokens;
}

const Tokens &Tokens::of(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() > 127 ? light() : dark();
}

QPalette Tokens::palette() const
{
    const Tokens &t = *this;
    QPalette palette;
    palette.setColor(QPalette::Window, t[Role::Window]);
    palette.setColor(QPalette::Base, t[Role::Base]);
    palette.setColor(QPalette::AlternateBase, t[Role::Alt]);
    palette.setColor(QPalette::WindowText, t[Role::Text]);
    palette.setColor(QPalette::Text, t[Role::Text]);
    palette.setColor(QPalette::ButtonText, t[Role::Text]);
    palette.setColor(QPalette::Button, t[Role::Btn]);
    palette.setColor(QPalette::Highlight, t[Role::Accent]);
    palette.setColor(QPalette::HighlightedText, t[Role::AccentText]);
    palette.setColor(QPalette::Link, t[Role::Accent]);
    palette.setColor(QPalette::LinkVisited, t[Role::Accent]);
    palette.setColor(QPalette::PlaceholderText, t[Role::Faint]);
    palette.setColor(QPalette::ToolTipBase, t[Role::Raised]);
    palette.setColor(QPalette::ToolTipText, t[Role::Text]);
    palette.setColor(QPalette::Light, t[Role::Raised]);
    palette.setColor(QPalette::Midlight, t[Role::Hover]);
    palette.setColor(QPalette::Mid, t[Role::Line]);
    palette.setColor(QPalette::Dark, t[Role::Edge]);
    palette.setColor(QPalette::Shadow, t[Role::Edge]);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, t[Role::Faint]);
    }
    return palette;
}

void applyTheme(Theme theme)
{
    // The desktop's own palette, as it was before ours; the application keeps it.
    if (!qApp->property(desktopPalette).isValid()) {
        qApp->setProperty(desktopPalette, QApplication::palette());
    }
    const auto desktop = qApp->property(desktopPalette).value<QPalette>();
    if (qobject_cast<GloveboxStyle *>(QApplication::style()) == nullptr) {
        QApplication::setStyle(new GloveboxStyle);
    }
    const bool dark = theme == Theme::Dark || (theme == Theme::System &&
                                               desktop.color(QPalette::Window).lightness() <= 127);
    QApplication::setPalette((dark ? Tokens::dark() : Tokens::light()).palette());
}

} // namespace Glovebox
