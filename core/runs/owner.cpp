// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/runstore.h"

#include "core/base/files.h"

#ifdef Q_OS_UNIX
#include <csignal>
#endif

namespace Glovebox {

namespace {

/// Linux: the moment a process started, in clock ticks since boot; elsewhere always 0.
QByteArray startOf(qint64 pid)
{
    const Result<QByteArray> stat = readFile(QStringLiteral("/proc/%1/stat").arg(pid), 4096);
    if (!stat) {
        return "0";
    }
    // The name in brackets may hold blanks: count the fields behind the last bracket.
    const QList<QByteArray> fields = stat->mid(stat->lastIndexOf(')') + 2).split(' ');
    return fields.size() > 19 ? fields.at(19) : QByteArray("0");
}

QByteArray bootId()
{
    return readFile(QStringLiteral("/proc/sys/kernel/random/boot_id"), 4096)
        .value_or(QByteArray("unknown"))
        .trimmed();
}

} // namespace

QString ownerOfThisProcess()
{
    const qint64 pid = QCoreApplication::applicationPid();
    return QStringLiteral("%1:%2:%3")
        .arg(QString::fromLatin1(bootId()))
        .arg(pid)
        .arg(QString::fromLatin1(startOf(pid)));
}

bool isOwnerAlive(const QString &owner)
{
    const QStringList parts = owner.split(QLatin1Char(':'));
    if (parts.size() != 3 || parts.at(0) != QString::fromLatin1(bootId())) {
        return false;
    }
    const qint64 pid = parts.at(1).toLongLong();
#ifdef Q_OS_UNIX
    if (pid <= 1 || (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)) {
        return false;
    }
#endif
    return QString::fromLatin1(startOf(pid)) == parts.at(2);
}

} // namespace Glovebox
