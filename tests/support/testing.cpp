// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testing.h"

#include <QDir>
#include <QFile>
#include <QProcess>

#include <algorithm>

namespace Glovebox::Testing {

QString errorText(const Error &error)
{
    return QStringLiteral("%1: %2 [%3]")
        .arg(errorCodeName(error.code), error.message, error.detail);
}

qint64 atMost(qint64 milliseconds)
{
    return milliseconds * std::max(1, qEnvironmentVariableIntValue("GLOVEBOX_PATIENCE"));
}

QByteArray run(const QString &program, const QStringList &arguments, const QString &folder)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    process.waitForFinished(300'000);
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        QTest::qFail(qPrintable(QStringLiteral("%1 %2 ended with %3: %4")
                                    .arg(program, arguments.join(QLatin1Char(' ')))
                                    .arg(process.exitCode())
                                    .arg(QString::fromUtf8(process.readAllStandardError()))),
                     __FILE__, __LINE__);
    }
    return process.readAllStandardOutput();
}

TestRepository::TestRepository(const QString &folder)
    : m_folder(folder)
{
    QDir().mkpath(folder);
    git({QStringLiteral("init"), QStringLiteral("-q"), QStringLiteral("-b"),
         QStringLiteral("main")});
    write(QStringLiteral("README.md"), "# sample\n");
    commitAll(QStringLiteral("First"));
}

QByteArray TestRepository::git(const QStringList &arguments) const
{
    return run(QStringLiteral("git"), arguments, m_folder);
}

void TestRepository::write(const QString &path, const QByteArray &bytes) const
{
    const QString absolute = m_folder + QLatin1Char('/') + path;
    QDir().mkpath(QFileInfo(absolute).absolutePath());
    QFile file(absolute);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        QTest::qFail(qPrintable(QStringLiteral("cannot write %1").arg(absolute)), __FILE__,
                     __LINE__);
    }
}

QString TestRepository::commitAll(const QString &message) const
{
    git({QStringLiteral("add"), QStringLiteral("-A")});
    git({QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("--allow-empty"),
         QStringLiteral("-m"), message});
    return QString::fromLatin1(git({QStringLiteral("rev-parse"), QStringLiteral("HEAD")}))
        .trimmed();
}

} // namespace Glovebox::Testing
