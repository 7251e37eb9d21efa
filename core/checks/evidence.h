// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/command.h"

#include <QDateTime>

namespace Glovebox {

/// What a check was run on.
enum class Subject { Branch, Base, BranchWithBaseTests };

[[nodiscard]] QString subjectName(Subject subject); ///< "branch", "base", "branch_with_base_tests"
[[nodiscard]] QString subjectText(Subject subject); ///< translated

/// What the harness saw when it ran one acceptance command: bound to a commit, valid for it alone.
struct Evidence
{
    QString id;
    QString command; ///< CommandId of the run of it
    QString check;   ///< its name
    QString line;    ///< the shell line
    Subject subject = Subject::Branch;
    QString commit;
    QString role;         ///< of the sandbox: "work" or "verify"
    QString policyDigest; ///< of the network it ran under
    CommandResult result;
    QString log;             ///< file below the run's folder
    QByteArray outputSha256; ///< of that file
    qint64 outputBytes = 0;
    QDateTime at;

    [[nodiscard]] bool passed() const
    {
        return result.end == CommandResult::End::Exited && result.exitCode == 0;
    }
    /// Nobody can know how it ended: a sandbox error, never "failed".
    [[nodiscard]] bool unknown() const
    {
        return result.end == CommandResult::End::Lost ||
               result.end == CommandResult::End::NotStarted;
    }
};

} // namespace Glovebox
