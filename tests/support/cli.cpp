// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cli.h"

#include <QCryptographicHash>
#include <QDirIterator>
#include <QJsonDocument>

#include <csignal>

namespace Glovebox::Testing {

QString cliProgram()
{
    return qEnvironmentVariable("GLOVEBOX_BUILD_DIR") + QStringLiteral("/bin/glovebox-cli");
}

CliResult runCli(const QStringList &arguments, const QStringList &environment,
                 const std::function<void(QProcess &)> &started)
{
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const QString &variable : environment) {
        variables.insert(variable.section(QLatin1Char('='), 0, 0),
                         variable.section(QLatin1Char('='), 1));
    }
    process.setProcessEnvironment(variables);
    process.start(cliProgram(), arguments);
    process.waitForStarted();
    if (started) {
        started(process);
    }
    process.waitForFinished(180'000);
    CliResult result;
    result.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    result.output = process.readAllStandardOutput();
    result.error = process.readAllStandardError();
    result.document = QJsonDocument::fromJson(result.output).object();
    return result;
}

void killProgram(const QProcess &process, int signal)
{
    // Number 0 would be the whole group of the suite itself.
    const auto pid = static_cast<pid_t>(process.processId());
    if (process.state() == QProcess::Running && pid > 1) {
        ::kill(pid, signal);
    }
}

QByteArray snapshot(const QString &folder)
{
    QStringList lines;
    QDirIterator entries(folder,
                         QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        entries.next();
        const QFileInfo info = entries.fileInfo();
        QByteArray content;
        if (info.isSymLink()) {
            content = info.symLinkTarget().toUtf8();
        } else if (info.isFile()) {
            QFile file(info.filePath());
            if (file.open(QIODevice::ReadOnly)) {
                content =
                    QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex();
            }
        }
        lines << QStringLiteral("%1 %2 %3")
                     .arg(info.filePath())
                     .arg(int(info.permissions()), 0, 16)
                     .arg(QString::fromUtf8(content));
    }
    lines.sort();
    return lines.join(QLatin1Char('\n')).toUtf8();
}

} // namespace Glovebox::Testing
