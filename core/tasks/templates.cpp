// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/templates.h"

#include <QCoreApplication>
#include <QFile>
#include <QLoggingCategory>

namespace Glovebox {

static Q_LOGGING_CATEGORY(log, "app.tasks", QtWarningMsg)

    namespace
{

    struct Tr
    {
        Q_DECLARE_TR_FUNCTIONS(Templates)
    };

    QByteArray textOf(const QString &id)
    {
        QFile file(QStringLiteral(":/glovebox/templates/%1.task.md").arg(id));
        if (!file.open(QIODevice::ReadOnly)) {
            qCWarning(log) << "the program was built without the template" << id;
            return {};
        }
        return file.readAll();
    }

    TaskTemplate makeTemplate(const QString &id, const QString &title, const QString &about)
    {
        return {id, title, about, textOf(id)};
    }

} // namespace

QList<TaskTemplate> taskTemplates()
{
    return {
        makeTemplate(QStringLiteral("change"), Tr::tr("Change with an acceptance test"),
                     Tr::tr("New behaviour, proven by a new test and by those that are there.")),
        makeTemplate(QStringLiteral("bugfix"), Tr::tr("Bug fix, failing test first"),
                     Tr::tr("A test that shows the bug on the base, then the fix that turns it "
                            "green.")),
        makeTemplate(QStringLiteral("upgrade"), Tr::tr("Dependency upgrade"),
                     Tr::tr("One dependency to a new version, with whatever the code needs for "
                            "it.")),
        makeTemplate(QStringLiteral("audit"), Tr::tr("Audit of a sandbox boundary"),
                     Tr::tr("What a sandbox set-up lets through, as a table, with a command to "
                            "prove each line.")),
        makeTemplate(QStringLiteral("harness"), Tr::tr("Harness script for this repository"),
                     Tr::tr("One script that installs, builds and tests, so that later tasks have "
                            "a check.")),
    };
}

} // namespace Glovebox
