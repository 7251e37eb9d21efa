// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/tasks/taskfinder.h"

#include <QAbstractTableModel>

namespace Glovebox {

/// The task files of the open repository: title, file, problems.
class TaskListModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { TitleColumn, FileColumn, ProblemsColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setTasks(const QList<TaskEntry> &tasks);
    [[nodiscard]] const TaskEntry &at(int row) const { return m_tasks.at(row); }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    QList<TaskEntry> m_tasks;
};

} // namespace Glovebox
