// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QHash>
#include <QStringList>

namespace Glovebox {

/// One address that is tried from inside.
struct CanaryTarget
{
    QString name; ///< [a-z0-9-], comes back in the answer
    QString url;
};

/// What a client inside saw of one target.
enum class CanaryAnswer {
    Answered,    ///< the host itself answered
    Refused,     ///< the policy did: a proxy that says so, or no way at all
    Unreachable, ///< let through, but nobody was there
    NoClient,    ///< there is no program inside that could have tried
};

/// A shell script that tries each target through the sandbox's own proxy settings (curl, else node)
/// and prints one line for each. It reports; the listener judges.
[[nodiscard]] QString canaryScript(const QList<CanaryTarget> &targets);
/// Reads what that script printed; a target without a line is NoClient.
[[nodiscard]] QHash<QString, CanaryAnswer> readCanaryAnswers(const QByteArray &output);

/// A shell script that prints the names of all variables inside, never a value.
[[nodiscard]] QString variableNamesScript();
/// Names that look like secrets and are not in \a expected. Names the script could not have printed
/// (with other characters than [A-Za-z0-9_]) are ignored.
[[nodiscard]] QStringList unexpectedSecrets(const QByteArray &names, const QStringList &expected);

} // namespace Glovebox
