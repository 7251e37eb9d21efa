// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/processes.h"

#include <QDir>
#include <QFile>
#include <QSet>

#include <csignal>
#include <sys/types.h>

namespace Glovebox::Srt {

namespace {

struct Entry
{
    ProcessMark mark;
    qint64 parent = 0;
    qint64 group = 0;
    qint64 session = 0;
};

/// "PID (NAME) STATE PPID PGRP SESSION … field 22: STARTTIME"; a name may hold blanks and brackets.
std::optional<Entry> readEntry(const QString &pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    const QByteArray stat = file.readAll();
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.size() < 20 || fields[0] == "Z" || fields[0] == "X") {
        return std::nullopt;
    }
    return Entry{{pid.toLongLong(), fields[19].toULongLong()},
                 fields[1].toLongLong(),
                 fields[2].toLongLong(),
                 fields[3].toLongLong()};
}

QList<Entry> allEntries()
{
    QList<Entry> entries;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        if (name.at(0).isDigit()) {
            if (const std::optional<Entry> entry = readEntry(name)) {
                entries.append(*entry);
            }
        }
    }
    return entries;
}

} // namespace

QString bootId()
{
    QFile file(QStringLiteral("/proc/sys/kernel/random/boot_id"));
    return file.open(QIODevice::ReadOnly) ? QString::fromLatin1(file.readAll()).trimmed()
                                          : QString();
}

ProcessMark markOf(qint64 pid)
{
    const std::optional<Entry> entry = readEntry(QString::number(pid));
    return entry ? entry->mark : ProcessMark();
}

bool isAlive(const ProcessMark &mark)
{
    return mark.pid > 0 && markOf(mark.pid) == mark;
}

QList<ProcessMark> treeOf(qint64 leader)
{
    if (leader <= 1) {
        return {}; // below these is the whole machine
    }
    const QList<Entry> entries = allEntries();
    QSet<qint64> members;
    QList<ProcessMark> marks;
    for (bool grown = true; grown;) {
        grown = false;
        for (const Entry &entry : entries) {
            const bool belongs = entry.mark.pid == leader || entry.group == leader ||
                                 entry.session == leader || members.contains(entry.parent);
            if (belongs && !members.contains(entry.mark.pid)) {
                members.insert(entry.mark.pid);
                marks.append(entry.mark);
                grown = true;
            }
        }
    }
    return marks;
}

int survivors(const QList<ProcessMark> &processes)
{
    return static_cast<int>(std::count_if(processes.cbegin(), processes.cend(), isAlive));
}

void killTree(qint64 leader, const QList<ProcessMark> &processes)
{
    if (leader > 1) {
        ::kill(static_cast<pid_t>(-leader), SIGKILL);
    }
    for (const ProcessMark &process : processes) {
        if (isAlive(process)) {
            ::kill(static_cast<pid_t>(process.pid), SIGKILL);
        }
    }
}

} // namespace Glovebox::Srt
