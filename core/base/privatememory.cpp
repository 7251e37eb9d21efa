// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/privatememory.h"

#include <QtGlobal>

#ifdef Q_OS_UNIX
#include <sys/resource.h>
#endif
#ifdef Q_OS_LINUX
#include <sys/prctl.h>
#endif

namespace Glovebox {

void keepMemoryPrivate()
{
#ifdef Q_OS_UNIX
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
#endif
// A leak checker has to attach to the process.
#if defined(Q_OS_LINUX) && !defined(__SANITIZE_ADDRESS__)
    ::prctl(PR_SET_DUMPABLE, 0);
#endif
}

} // namespace Glovebox
