// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QProcess>
#include <QStringList>

#include <functional>

namespace Glovebox::Testing {

/// The real glovebox-cli of this build.
[[nodiscard]] QString cliProgram();

struct CliResult
{
    int code = -1;
    QByteArray output;
    QByteArray error;
    QJsonObject document; ///< of --json
};

/// Runs it to its end (at most 3 minutes), in the environment of the suite plus \a environment.
/// \a started is called once it runs, with the process.
[[nodiscard]] CliResult runCli(const QStringList &arguments, const QStringList &environment = {},
                               const std::function<void(QProcess &)> &started = {});

/// Sends a signal to a program that still runs; nothing when it has ended.
void killProgram(const QProcess &process, int signal);

/// Everything of a folder as one text: paths, modes, links and contents; equal when nothing
/// changed.
[[nodiscard]] QByteArray snapshot(const QString &folder);

} // namespace Glovebox::Testing
