// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/command.h"

namespace Glovebox {

QString endName(CommandResult::End end)
{
    switch (end) {
    case CommandResult::End::Exited:
        return QStringLiteral("exited");
    case CommandResult::End::TimedOut:
        return QStringLiteral("timed_out");
    case CommandResult::End::Killed:
        return QStringLiteral("killed");
    case CommandResult::End::NotStarted:
        return QStringLiteral("not_started");
    case CommandResult::End::Lost:
        return QStringLiteral("lost");
    }
    Q_UNREACHABLE();
}

} // namespace Glovebox
