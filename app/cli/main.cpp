// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"
#include "app/translation.h"
#include "core/base/privatememory.h"

#include <QCoreApplication>
#include <QTextStream>

#include <cstdio>

using namespace Glovebox;

namespace {

using Verb = QCoro::Task<int> (*)(Cli &);

Verb verbOf(const QString &name)
{
    static const QHash<QString, Verb> verbs{
        {QStringLiteral("run"), runVerb},           {QStringLiteral("plan"), planVerb},
        {QStringLiteral("lint"), lintVerb},         {QStringLiteral("doctor"), doctorVerb},
        {QStringLiteral("backends"), backendsVerb}, {QStringLiteral("runs"), runsVerb},
        {QStringLiteral("review"), reviewVerb},     {QStringLiteral("import"), importVerb},
        {QStringLiteral("demo"), demoVerb},
    };
    return verbs.value(name);
}

int print(const QString &text)
{
    QTextStream(stdout) << text << '\n';
    return ExitDone;
}

} // namespace

int main(int argc, char **argv)
{
    keepMemoryPrivate();
    QCoreApplication application(argc, argv);
    application.setApplicationName(QStringLiteral("glovebox"));
    application.setApplicationVersion(QStringLiteral(GLOVEBOX_VERSION));
    installTranslation(&application);
    const QStringList words = application.arguments().mid(1);
    Result<CliOptions> options = parseCommandLine(words);
    if (!options) {
        return Console(words.contains(QStringLiteral("--json"))).error(options.error());
    }
    if (options->has(QStringLiteral("version"))) {
        return print(QStringLiteral("glovebox-cli " GLOVEBOX_VERSION));
    }
    if (options->has(QStringLiteral("help"))) {
        return print(helpText(options->verb));
    }
    Services::Options parts;
    parts.dataFolder = options->value(QStringLiteral("data-dir"));
    parts.environment = QProcessEnvironment::systemEnvironment();
    Console console(options->has(QStringLiteral("json")));
    const Result<std::unique_ptr<Services>> services = Services::create(std::move(parts));
    if (!services) {
        return console.error(services.error());
    }
    Interrupt interrupt;
    Cli cli{*options, Console(console.isJson()), **services, interrupt, interrupt.token()};
    const Verb verb = verbOf(options->verb);
    QCoro::Task<int> task = verb(cli);
    std::optional<int> code;
    QCoro::Task<void> done = task.then([&code](int value) {
        code = value;
        QCoreApplication::exit(value);
    });
    if (!code) {
        application.exec();
    }
    return code.value_or(ExitFailed);
}
