// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QWidget>

class QLineEdit;
class QListView;
class QSortFilterProxyModel;

namespace Glovebox {

class PageHeader;
class RunListModel;
class ViewStates;

/// All runs, newest first, with a filter.
class RunsPage final : public QWidget
{
    Q_OBJECT
public:
    explicit RunsPage(RunListModel *model, QWidget *parent = nullptr);
    void setError(const Error &error);
    void clearError();
    void focusFilter();

Q_SIGNALS:
    void runRequested(const QString &id);
    void tasksRequested();
    void retryRequested(); ///< after an error

private:
    void updateState();

    RunListModel *m_model;
    PageHeader *m_header;
    QSortFilterProxyModel *m_filter;
    QLineEdit *m_filterText;
    QListView *m_list;
    ViewStates *m_states;
};

} // namespace Glovebox
