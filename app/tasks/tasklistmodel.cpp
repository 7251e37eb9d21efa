// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/tasks/tasklistmodel.h"

#include "app/widgets/icon.h"
#include "core/base/terminaltext.h"

namespace Glovebox {

void TaskListModel::setTasks(const QList<TaskEntry> &tasks)
{
    beginResetModel();
    m_tasks = tasks;
    endResetModel();
}

int TaskListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_tasks.size());
}

int TaskListModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant TaskListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const TaskEntry &task = m_tasks.at(index.row());
    if (role == Qt::DecorationRole && index.column() == TitleColumn) {
        return themedIcon(QStringLiteral("document"), Token::Dim);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (index.column()) {
    case TitleColumn:
        return displayText(task.title);
    case FileColumn:
        return displayText(task.relative);
    default:
        break;
    }
    if (task.errors > 0) {
        return tr("%n error(s)", nullptr, task.errors);
    }
    return task.warnings > 0 ? tr("%n warning(s)", nullptr, task.warnings) : tr("none");
}

QVariant TaskListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case TitleColumn:
        return tr("Title");
    case FileColumn:
        return tr("File");
    default:
        return tr("Problems");
    }
}

} // namespace Glovebox
