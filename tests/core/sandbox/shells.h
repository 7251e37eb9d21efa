// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/process.h"
#include "tests/support/testing.h"

#include <QDir>
#include <QTemporaryDir>

namespace Glovebox::Testing {

/// Folders to put first on PATH, so that the runner meets another shell, or busybox with all its
/// tools. A shell that is not installed has no folder.
class Shells final
{
public:
    Shells()
    {
        link(QStringLiteral("dash"), QStringLiteral("dash"));
        link(QStringLiteral("bash"), QStringLiteral("bash")); // called sh it is POSIX
        if (const auto busybox = findProgram(QStringLiteral("busybox"))) {
            const QString folder = make(QStringLiteral("busybox"));
            const QByteArray list = run(*busybox, {QStringLiteral("--list")});
            for (const QByteArray &tool : list.split('\n')) {
                QFile::link(*busybox, folder + u'/' + QString::fromLatin1(tool));
            }
        }
    }

    /// One row for each shell that is installed, column "tools".
    void addRows() const
    {
        QTest::addColumn<QString>("tools");
        for (const QString &name :
             QDir(m_root.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            QTest::newRow(qPrintable(name)) << m_root.filePath(name);
        }
    }

private:
    QString make(const QString &name) const
    {
        QDir(m_root.path()).mkdir(name);
        return m_root.filePath(name);
    }

    void link(const QString &name, const QString &program) const
    {
        if (const auto path = findProgram(program)) {
            QFile::link(*path, make(name) + QStringLiteral("/sh"));
        }
    }

    QTemporaryDir m_root;
};

} // namespace Glovebox::Testing
