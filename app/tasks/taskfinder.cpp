// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/tasks/taskfinder.h"

#include "core/base/files.h"
#include "core/tasks/taskfile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(TaskFinder)
};

const QLatin1String taskSuffix(".task.md");
constexpr int mostTasks = 500;
constexpr int mostFolders = 20'000;
constexpr qint64 largestTask = 1024LL * 1024;

bool isFilledByTools(const QString &name)
{
    static const QSet<QString> names{QStringLiteral("node_modules"), QStringLiteral("build"),
                                     QStringLiteral("target"),       QStringLiteral("dist"),
                                     QStringLiteral("vendor"),       QStringLiteral("venv"),
                                     QStringLiteral("__pycache__")};
    return names.contains(name);
}

QStringList taskPaths(const QString &workTree)
{
    QStringList found;
    QStringList folders{workTree};
    for (int visited = 0; visited < mostFolders && !folders.isEmpty(); ++visited) {
        const QDir folder(folders.takeLast());
        const QFileInfoList entries = folder.entryInfoList(QDir::Dirs | QDir::Files |
                                                           QDir::NoDotAndDotDot | QDir::NoSymLinks);
        for (const QFileInfo &entry : entries) {
            if (entry.isDir()) {
                if (!isFilledByTools(entry.fileName())) {
                    folders.append(entry.filePath());
                }
            } else if (entry.fileName().endsWith(taskSuffix)) {
                found.append(entry.absoluteFilePath());
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

TaskEntry entryOf(const QString &path, const QString &workTree)
{
    TaskEntry entry;
    entry.path = path;
    entry.relative = QDir(workTree).relativeFilePath(path);
    const Result<QByteArray> bytes = readFile(path, largestTask);
    if (!bytes) {
        entry.title = bytes.error().message;
        entry.errors = 1;
        return entry;
    }
    const TaskDocument document = TaskDocument::parse(*bytes);
    entry.title = document.task().title;
    if (entry.title.isEmpty()) {
        entry.title = QFileInfo(path).fileName();
    }
    for (const Problem &problem : document.problems()) {
        entry.errors += problem.severity == Severity::Error ? 1 : 0;
        entry.warnings += problem.severity == Severity::Warning ? 1 : 0;
    }
    return entry;
}

} // namespace

QString taskFileName(const QString &path)
{
    const QFileInfo file(path);
    const QString suffix = file.suffix();
    if (path.endsWith(taskSuffix)) {
        return path;
    }
    if (suffix.isEmpty()) {
        return (path.endsWith(QLatin1Char('.')) ? path.chopped(1) : path) + taskSuffix;
    }
    if (suffix == QLatin1String("md") || suffix == QLatin1String("task")) {
        return path.chopped(suffix.size() + 1) + taskSuffix;
    }
    return path;
}

Result<FoundTasks> findTasks(const QString &workTree)
{
    if (!QFileInfo(workTree).isDir()) {
        return fail(ErrorCode::NotFound,
                    Tr::tr("The folder %1 is not there any more. Open the repository where it is "
                           "now.")
                        .arg(workTree));
    }
    FoundTasks found;
    const QStringList paths = taskPaths(workTree);
    for (const QString &path : paths.mid(0, mostTasks)) {
        found.tasks.append(entryOf(path, workTree));
    }
    found.left = static_cast<int>(qMax<qsizetype>(0, paths.size() - mostTasks));
    return found;
}

} // namespace Glovebox
