// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/sandbox/command.h"

namespace Glovebox {

/// One word of a POSIX shell, whatever bytes it is made of (but NUL).
[[nodiscard]] QByteArray shellQuoted(const QByteArray &bytes);

/// A path as the runner takes it: three octal digits for each byte of its UTF-8.
[[nodiscard]] QByteArray octalPath(const QString &path);

/// Whether \a text may stand in a runner line: [A-Za-z0-9/_.-]+, so that no transport can break it.
[[nodiscard]] bool isRunnerWord(const QString &text);

/// Whether \a id can be the name of a job folder: 26 of [0-9a-z].
[[nodiscard]] bool isCommandId(const CommandId &id);

/// InvalidRequest when the runner could not do exactly what \a command says.
[[nodiscard]] Result<void> checkCommand(const Command &command);

/// job.sh: the folder, the environment and the arguments of a checked command. Holds its secrets.
[[nodiscard]] QByteArray jobScript(const Command &command);

} // namespace Glovebox
