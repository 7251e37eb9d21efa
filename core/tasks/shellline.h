// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace Glovebox {

/// What can be said of a shell command without running it.
struct ShellVerdict
{
    bool hasCommand = true;   ///< false: nothing but blanks and comments
    bool canFail = true;      ///< false: its exit code is 0 whatever happens
    bool hidesInPipe = false; ///< "test | tee log": the exit code is that of the last one
    QStringList programs;     ///< that it calls by plain name, as far as could be read
};

/// Reads \a line as `sh -c` would, far enough for lint: lists, pipelines, groups, quotes and
/// redirections. What it doesn't know (loops, functions, here documents) counts as able to fail.
[[nodiscard]] ShellVerdict judgeShellLine(const QString &line);

} // namespace Glovebox
