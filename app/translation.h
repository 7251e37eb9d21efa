// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

class QCoreApplication;

namespace Glovebox {

/// Gives the program its texts: those of the user's language where there are any, else English,
/// which needs a translation too, for its plurals ("1 file", "2 files"). Called once, before the
/// first text is made; \a application owns what is installed.
void installTranslation(QCoreApplication *application);

} // namespace Glovebox
