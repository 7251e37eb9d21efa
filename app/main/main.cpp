// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/demo.h"
#include "app/mainwindow/mainwindow.h"
#include "app/mainwindow/windowmemory.h"
#include "app/runs/enginesource.h"
#include "app/tasks/livelint.h"
#include "app/translation.h"
#include "app/widgets/dialogs.h"
#include "core/base/privatememory.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QMessageBox>
#include <QTimer>

using namespace Glovebox;

namespace {

PlannerParts plannerPartsOf(Services *services)
{
    return {&services->agents(), services->providers(), &services->secrets(), &services->store(),
            services->environment()};
}

WindowParts partsOf(RunSource *source, Dialogs *dialogs, WindowMemory *memory, Services *services)
{
    WindowParts parts;
    parts.source = source;
    parts.dialogs = dialogs;
    parts.memory = memory;
    parts.linter = liveLinter(plannerPartsOf(services));
    parts.readChanges = readChangeSet;
    parts.readFile = [](const ChangeSet &changes, int index) {
        return readFileDiff(changes, index);
    };
    parts.makeDemo = [](const QString &folder,
                        const std::function<void(const Result<void> &)> &answer) {
        QCoro::connect(makeDemo(folder, {}), qApp, answer);
    };
    parts.demoFolder = services->store().dataFolder() + QStringLiteral("/demo");
    return parts;
}

/// Runs to the end of the last run before the program leaves: nothing of ours lives on.
void quitWhenIdle(Services *services)
{
    QCoro::connect(services->queue().shutDown(), qApp, [] { QApplication::quit(); });
}

int showFailure(const Error &error)
{
    QMessageBox box(QMessageBox::Critical, QStringLiteral("Glovebox"), error.message);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(error.detail);
    QObject::connect(&box, &QMessageBox::finished, qApp, [] { QApplication::exit(4); });
    box.open();
    return QApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    keepMemoryPrivate();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("glovebox"));
    QApplication::setApplicationVersion(QStringLiteral(GLOVEBOX_VERSION));
    installTranslation(&application);
    QCommandLineParser options;
    options.addHelpOption();
    options.addVersionOption();
    options.addOption({QStringLiteral("data-dir"), QStringLiteral("Database, runs and settings"),
                       QStringLiteral("DIR")});
    options.addOption({QStringLiteral("demo"), QStringLiteral("Open on the demo task")});
    options.addPositionalArgument(QStringLiteral("repository"), QStringLiteral("Folder to open"));
    options.process(application);
    applyTheme(Theme::System);
    installAccessibility();

    Services::Options parts;
    parts.dataFolder = options.value(QStringLiteral("data-dir"));
    parts.environment = QProcessEnvironment::systemEnvironment();
    const Result<std::unique_ptr<Services>> services = Services::create(std::move(parts));
    if (!services) {
        return showFailure(services.error());
    }
    WindowMemory memory((*services)->store().dataFolder());
    applyTheme(memory.theme());
    EngineSource source(services->get());
    Dialogs dialogs;
    MainWindow window(partsOf(&source, &dialogs, &memory, services->get()));
    QCoro::connect((*services)->queue().recover({}), &source,
                   [&source](const Result<int> &) { Q_EMIT source.runsChanged(); });
    const QStringList folders = options.positionalArguments();
    if (!folders.isEmpty()) {
        window.openRepository(folders.constFirst());
        window.openPlace(Place::Tasks);
    }
    if (options.isSet(QStringLiteral("demo"))) {
        window.startDemo();
    }
    QApplication::setQuitOnLastWindowClosed(false);
    QObject::connect(&application, &QGuiApplication::lastWindowClosed, &application,
                     [&services] { quitWhenIdle(services->get()); });
    window.show();
    return QApplication::exec();
}
