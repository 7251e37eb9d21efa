// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/problem.h"

#include <QList>
#include <QString>

namespace Glovebox {

/// A task file of a repository, as the list shows it.
struct TaskEntry
{
    QString path;     ///< absolute
    QString relative; ///< to the work tree
    QString title;
    int errors = 0;
    int warnings = 0;
};

struct FoundTasks
{
    QList<TaskEntry> tasks;
    int left = 0; ///< files above the cap that are not in the list
};

/// The name a new task gets, so that findTasks() lists it: "fix" and "fix.md" become "fix.task.md".
/// Another suffix ("fix.txt") is the user's own choice and stays.
[[nodiscard]] QString taskFileName(const QString &path);

/// The *.task.md files of a work tree, sorted by path. Hidden folders, folders that tools fill
/// (node_modules, build, target, …) and symbolic links are not entered; at most 500 files, at most
/// 20,000 folders. Blocking: through runInPool.
[[nodiscard]] Result<FoundTasks> findTasks(const QString &workTree);

} // namespace Glovebox
