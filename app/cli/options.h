// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QHash>
#include <QStringList>

namespace Glovebox {

/// A parsed command line: options stand before or after the verb.
struct CliOptions
{
    QString verb;
    QStringList arguments;              ///< what follows the verb, without options
    QHash<QString, QStringList> values; ///< option name to its values; flags have an empty list

    [[nodiscard]] bool has(const QString &name) const { return values.contains(name); }
    [[nodiscard]] QString value(const QString &name) const { return values.value(name).value(0); }
};

/// Reads the command line. InvalidRequest says which word is off and what was expected.
[[nodiscard]] Result<CliOptions> parseCommandLine(const QStringList &words);

/// The help, of one verb or of all.
[[nodiscard]] QString helpText(const QString &verb = {});

} // namespace Glovebox
