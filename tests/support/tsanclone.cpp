// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// Only in ThreadSanitizer's build. QProcess starts children with clone(CLONE_VM), and what the
// sanitizer switches off in such a child it switches off in the parent as well, whose memory it is:
// after its first child process a suite would be watched no more. Here the child gets a copy.
#include <sched.h>

#include <cstdarg>

extern "C" int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);

extern "C" int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) noexcept
{
    va_list rest;
    va_start(rest, argument);
    auto *const parent = va_arg(rest, void *);
    auto *const storage = va_arg(rest, void *);
    auto *const child = va_arg(rest, void *);
    va_end(rest);
    return __clone(function, stack, flags & ~CLONE_VM, argument, parent, storage, child);
}
