// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace Glovebox {

/// The one of \a known that \a name was probably meant to be: by edit distance, a swap of
/// neighbours being one step, case and - or _ being none. Empty when none is near.
[[nodiscard]] QString nearestName(const QString &name, const QStringList &known);

/// A sentence for what stands after agent/ and would not make a branch name that git takes (the
/// rules of git check-ref-format for refs/heads/agent/NAME), else an empty string.
[[nodiscard]] QString explainBadBranch(const QString &name);

/// A name that is like \a name and that git takes; empty when nothing usable is left.
[[nodiscard]] QString mendedBranch(const QString &name);

/// The first of \a branch, branch-2, branch-3 … that no branch of \a taken has, also by case.
[[nodiscard]] QString freeBranch(const QString &branch, const QStringList &taken);

} // namespace Glovebox
