// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/tasks/taskfinder.h"
#include "core/git/repository.h"

#include <QWidget>

class QTableView;

namespace Glovebox {

class Banner;
class PageHeader;
class TaskListModel;
class ViewStates;

/// The task files of the open repository.
class TasksPage final : public QWidget
{
    Q_OBJECT
public:
    explicit TasksPage(QWidget *parent = nullptr);

    /// Reads the list in the pool; an empty folder means that no repository is open.
    void setWorkTree(const QString &workTree);
    void reload();
    [[nodiscard]] TaskListModel *model() const { return m_model; }

Q_SIGNALS:
    void taskRequested(const QString &path);
    void newTaskRequested();
    void openRepositoryRequested();
    void countChanged(int count);

private:
    void take(const Result<FoundTasks> &found, const Result<RepositoryFacts> &repository);

    PageHeader *m_header;
    Banner *m_banner; ///< says why no task of this folder can be planned
    TaskListModel *m_model;
    QTableView *m_table;
    ViewStates *m_states;
    QString m_workTree;
    int m_generation = 0;
};

} // namespace Glovebox
