// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/secret.h"
#include "core/sandbox/networkpolicy.h"
#include "providers/srt/folders.h"
#include "providers/srt/tools.h"

#include <QJsonObject>
#include <QProcessEnvironment>

namespace Glovebox::Srt {

/// All that srt's settings file and environment are made of.
struct Confinement
{
    Layout layout;
    Tools tools;
    QStringList secretPaths;     ///< canonical: homes, our data, sockets, keys: see secretPaths()
    QStringList programFolders;  ///< canonical: the agents' programs, on PATH and readable inside
    QStringList readableFolders; ///< canonical: what these programs are made of, readable inside
    NetworkPolicy network;
    quint16 proxyPort = 0;
    QByteArray proxyCredential; ///< user:password; empty when the policy is open
    QString user;               ///< login name inside
    QString compileCache;       ///< where Node keeps srt's compiled code; empty = nowhere
};

/// What nothing inside may read, as far as it exists on this machine, canonical: homes of all
/// users, our data folder, temporary folders, sockets and runtime folders, and as root what only
/// root reads.
[[nodiscard]] QStringList secretPaths(const QString &dataFolder);

/// The settings file of one sandbox. Pure.
[[nodiscard]] QJsonObject makeSettings(const Confinement &confinement);

/// srt ignores keys that it does not know, paths that are not there and links that lead elsewhere,
/// so that a slip here would be a hole: nothing is started with settings that do not pass this.
[[nodiscard]] Result<void> validateSettings(const QJsonObject &settings,
                                            const Confinement &confinement);

/// Validates, writes, reads back and compares.
[[nodiscard]] Result<void> writeSettings(const Confinement &confinement);

/// The whole environment of srt, from empty: nothing of ours is passed on. No secrets.
[[nodiscard]] QProcessEnvironment makeEnvironment(const Confinement &confinement);

/// The names of it, and of what srt adds, that commands keep.
[[nodiscard]] QStringList keptNames();

} // namespace Glovebox::Srt
