// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QStringList>

namespace Glovebox {

/// The statements that bring the database from version i to i + 1, for each i. Never edited once a
/// release has them: a change is a new entry.
[[nodiscard]] const QList<QStringList> &schemaSteps();

} // namespace Glovebox
