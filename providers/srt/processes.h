// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace Glovebox::Srt {

/// A process that can't be mistaken for a later one with the same number.
struct ProcessMark
{
    qint64 pid = 0;
    quint64 started = 0; ///< clock ticks after boot, from /proc/PID/stat; 0 = not known
    friend bool operator==(const ProcessMark &, const ProcessMark &) = default;
};

/// This start of the machine: numbers and times of processes mean nothing after another one.
[[nodiscard]] QString bootId();

/// The living process of this number (a zombie is dead), or a mark with pid 0.
[[nodiscard]] ProcessMark markOf(qint64 pid);
[[nodiscard]] bool isAlive(const ProcessMark &mark);

/// A keeper's whole tree as this machine sees it, into all its pid namespaces: the session and the
/// group that it leads, and everybody below them. Empty where there is no /proc.
[[nodiscard]] QList<ProcessMark> treeOf(qint64 leader);

/// How many of these are still alive.
[[nodiscard]] int survivors(const QList<ProcessMark> &processes);

/// SIGKILL to the group that \a leader leads, and to each of these that is still itself.
void killTree(qint64 leader, const QList<ProcessMark> &processes);

} // namespace Glovebox::Srt
