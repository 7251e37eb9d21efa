// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow/windowmemory.h"

#include <QLoggingCategory>

#include <array>
#include <utility>

namespace Glovebox {

namespace {

Q_LOGGING_CATEGORY(log, "app.window", QtWarningMsg)

const std::array<std::pair<Theme, QString>, 3> &themeNames()
{
    static const std::array<std::pair<Theme, QString>, 3> names{
        {{Theme::System, QStringLiteral("system")},
         {Theme::Light, QStringLiteral("light")},
         {Theme::Dark, QStringLiteral("dark")}}};
    return names;
}

} // namespace

WindowMemory::WindowMemory(const QString &dataFolder)
    : m_file(dataFolder + QStringLiteral("/window.ini"), QSettings::IniFormat)
{
}

WindowMemory::~WindowMemory()
{
    m_file.sync();
    if (m_file.status() != QSettings::NoError) {
        qCWarning(log, "The window's settings could not be written.");
    }
}

QString WindowMemory::nameOf(Key key)
{
    switch (key) {
    case Key::Recent:
        return QStringLiteral("recent");
    case Key::Theme:
        return QStringLiteral("theme");
    case Key::Geometry:
        return QStringLiteral("geometry");
    case Key::Splitter:
        return QStringLiteral("splitter");
    }
    Q_UNREACHABLE();
}

QVariant WindowMemory::value(Key key) const
{
    return m_file.value(nameOf(key));
}

void WindowMemory::set(Key key, const QVariant &value)
{
    m_file.setValue(nameOf(key), value);
}

QStringList WindowMemory::recent() const
{
    return value(Key::Recent).toStringList();
}

void WindowMemory::setRecent(const QStringList &repositories)
{
    set(Key::Recent, repositories);
}

Theme WindowMemory::theme() const
{
    const QString name = value(Key::Theme).toString();
    for (const auto &[theme, known] : themeNames()) {
        if (known == name) {
            return theme;
        }
    }
    return Theme::System;
}

void WindowMemory::setTheme(Theme theme)
{
    for (const auto &[known, name] : themeNames()) {
        if (known == theme) {
            set(Key::Theme, name);
        }
    }
}

QByteArray WindowMemory::geometry() const
{
    return value(Key::Geometry).toByteArray();
}

void WindowMemory::setGeometry(const QByteArray &geometry)
{
    set(Key::Geometry, geometry);
}

QByteArray WindowMemory::splitter() const
{
    return value(Key::Splitter).toByteArray();
}

void WindowMemory::setSplitter(const QByteArray &state)
{
    set(Key::Splitter, state);
}

} // namespace Glovebox
