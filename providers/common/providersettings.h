// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace Glovebox {

/// What every backend may need from the installation.
struct ProviderSettings
{
    QString dataFolder;         ///< private folder of this set-up; backends keep theirs below it
    QString installation;       ///< [a-z0-9], the same for the life of the data folder
    QString toolsFolder;        ///< Node and srt from npm; empty = looked for
    QStringList programFolders; ///< where the agents' programs are; come first on the PATH inside
    std::optional<quint32> sandboxUser; ///< as root: the uid that local sandboxes run as
};

} // namespace Glovebox
