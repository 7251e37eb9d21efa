// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QtGlobal>

namespace Glovebox {

#ifdef Q_OS_UNIX
/// Removes what is called name in the folder that parent is a descriptor of (or AT_FDCWD), whatever
/// it is, without following a link and whatever permissions hostile code left on it. Answers 0 or
/// errno; a name that is not there is success. Any thread; blocks.
[[nodiscard]] int removeBelow(int parent, const QByteArray &name);

/// The same for all that is in the folder; the folder itself stays.
[[nodiscard]] int emptyFolder(int root);
#endif

} // namespace Glovebox
