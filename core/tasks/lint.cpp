// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lint.h"

#include "core/tasks/yamleditor.h"

namespace Glovebox {

QByteArray applyFix(const QByteArray &text, const Fix &fix)
{
    return applyEdits(text, fix.edits).value_or(text);
}

} // namespace Glovebox
