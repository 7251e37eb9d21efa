// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/ordinaryuser.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>

#include <pwd.h>
#include <unistd.h>

namespace Glovebox::Testing {

std::optional<OrdinaryUser> OrdinaryUser::find()
{
    OrdinaryUser user;
    user.m_user = ::geteuid();
    user.m_group = ::getegid();
    if (user.m_user != 0) {
        return user;
    }
    const passwd *nobody = ::getpwnam("nobody");
    if (nobody == nullptr || nobody->pw_uid == 0) {
        return std::nullopt;
    }
    user.m_user = nobody->pw_uid;
    user.m_group = nobody->pw_gid;
    user.m_changes = true;
    return user;
}

bool OrdinaryUser::give(const QString &folder) const
{
    if (!m_changes) {
        return true;
    }
    return QProcess::execute(QStringLiteral("chown"),
                             {QStringLiteral("-Rh"),
                              QStringLiteral("%1:%2").arg(m_user).arg(m_group), folder}) == 0;
}

OrdinaryUser::Ran OrdinaryUser::run(const QString &program, const QStringList &arguments,
                                    const QString &folder,
                                    const std::function<void()> &meanwhile) const
{
    QProcess process;
    process.setProcessEnvironment(m_environment);
    QStringList line{program};
    if (m_changes) {
        line = QStringList{QStringLiteral("setpriv"), QStringLiteral("--reuid=%1").arg(m_user),
                           QStringLiteral("--regid=%1").arg(m_group),
                           QStringLiteral("--clear-groups"), QStringLiteral("--")} +
               line;
    }
    line += arguments;
    process.setWorkingDirectory(folder);
    process.start(line.takeFirst(), line);
    process.waitForStarted();
    QElapsedTimer time;
    time.start();
    while (process.state() != QProcess::NotRunning && time.elapsed() < 180'000) {
        process.waitForFinished(20);
        if (meanwhile) {
            meanwhile();
        }
    }
    Ran ran;
    ran.code =
        process.state() == QProcess::NotRunning && process.exitStatus() == QProcess::NormalExit
            ? process.exitCode()
            : -1;
    ran.output = process.readAllStandardOutput();
    ran.error = process.readAllStandardError();
    return ran;
}

QSet<QByteArray> commandLines()
{
    QSet<QByteArray> all;
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString &entry : entries) {
        if (!entry.front().isDigit()) {
            continue;
        }
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(entry));
        if (file.open(QIODevice::ReadOnly)) {
            all.insert(file.readAll().replace('\0', ' '));
        }
    }
    return all;
}

} // namespace Glovebox::Testing
