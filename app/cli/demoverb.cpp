// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"

#include "app/demo.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

} // namespace

QCoro::Task<int> demoVerb(Cli &cli)
{
    const QString folder = QDir(cli.options.arguments.at(0)).absolutePath();
    const Result<void> made = co_await makeDemo(folder, cli.stop);
    if (!made) {
        co_return cli.console.error(made.error());
    }
    QJsonArray tasks;
    for (const QString &file : QDir(folder).entryList({QStringLiteral("*.task.md")}, QDir::Files)) {
        tasks << QDir(folder).filePath(file);
    }
    cli.console.document({{QStringLiteral("folder"), folder}, {QStringLiteral("tasks"), tasks}});
    cli.console.result(Tr::tr("The demo repository is in %1.").arg(folder));
    cli.console.result(Tr::tr("Try: glovebox-cli run %1/demo.task.md").arg(folder));
    co_return ExitDone;
}

} // namespace Glovebox
