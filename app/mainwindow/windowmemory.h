// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/tokens.h"

#include <QSettings>
#include <QStringList>

namespace Glovebox {

/// What the window remembers over a restart: DATA/window.ini, so that two set-ups never share it.
/// The only place that knows its keys. A value that can't be read counts as never set; one that
/// can't be written is said in the log and costs nothing but the memory of it.
class WindowMemory final
{
public:
    /// \a dataFolder as RunStore::dataFolder() has it.
    explicit WindowMemory(const QString &dataFolder);
    ~WindowMemory();

    [[nodiscard]] QStringList recent() const; ///< repositories, the newest first
    void setRecent(const QStringList &repositories);
    [[nodiscard]] Theme theme() const;
    void setTheme(Theme theme);
    /// Place, size and state, as QWidget::saveGeometry() gives it.
    [[nodiscard]] QByteArray geometry() const;
    void setGeometry(const QByteArray &geometry);
    /// Of navigation and page, as QSplitter::saveState() gives it.
    [[nodiscard]] QByteArray splitter() const;
    void setSplitter(const QByteArray &state);

private:
    enum class Key { Recent, Theme, Geometry, Splitter };
    [[nodiscard]] static QString nameOf(Key key);
    [[nodiscard]] QVariant value(Key key) const;
    void set(Key key, const QVariant &value);

    QSettings m_file;
};

} // namespace Glovebox
