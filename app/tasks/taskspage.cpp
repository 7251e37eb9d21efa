// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/tasks/taskspage.h"

#include "app/tasks/tasklistmodel.h"
#include "app/widgets/banner.h"
#include "app/widgets/fonts.h"
#include "app/widgets/icon.h"
#include "app/widgets/pageheader.h"
#include "app/widgets/viewstates.h"
#include "core/base/pool.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

namespace Glovebox {

TasksPage::TasksPage(QWidget *parent)
    : QWidget(parent)
    , m_header(new PageHeader(this))
    , m_banner(new Banner(Banner::Size::Line, this))
    , m_model(new TaskListModel(this))
    , m_table(new QTableView)
    , m_states(new ViewStates(m_table, this))
{
    m_header->setTitle(tr("Tasks"));
    auto *add = new QPushButton(themedIcon(QStringLiteral("plus"), Token::AccentText),
                                tr("New task…"), this);
    add->setDefault(true);
    m_header->addButton(add);
    m_table->setModel(m_model);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setAccessibleName(tr("Tasks"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(font(), 34));
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(TaskListModel::ProblemsColumn,
                                                      QHeaderView::ResizeToContents);
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_header);
    all->addWidget(m_banner);
    all->addWidget(m_states, 1);
    m_banner->setButton(tr("Open repository…"));
    m_banner->hide();
    connect(m_banner, &Banner::buttonClicked, this, &TasksPage::openRepositoryRequested);
    connect(add, &QPushButton::clicked, this, &TasksPage::newTaskRequested);
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        Q_EMIT taskRequested(m_model->at(index.row()).path);
    });
    connect(m_states, &ViewStates::retryRequested, this, &TasksPage::reload);
    connect(m_states, &ViewStates::emptyButtonClicked, this, [this] {
        if (m_workTree.isEmpty()) {
            Q_EMIT openRepositoryRequested();
        } else {
            Q_EMIT newTaskRequested();
        }
    });
    setWorkTree({});
}

void TasksPage::setWorkTree(const QString &workTree)
{
    m_workTree = workTree;
    m_model->setTasks({});
    m_banner->hide();
    m_header->setFacts(workTree);
    if (workTree.isEmpty()) {
        m_states->setEmpty(QStringLiteral("repository"), tr("No repository is open"),
                           tr("Task files belong to a git repository."), tr("Open repository…"));
    } else {
        m_states->setEmpty(QStringLiteral("document"), tr("No task files in this repository"),
                           tr("A task file says what to do and how to tell that it was done."),
                           tr("New task…"));
    }
    m_states->showEmpty();
    reload();
}

void TasksPage::reload()
{
    const int generation = ++m_generation;
    m_states->clearError();
    if (m_workTree.isEmpty()) {
        m_states->setBusy({});
        Q_EMIT countChanged(0);
        return;
    }
    m_states->setBusy(tr("Looking for task files…"));
    const auto look = [folder = m_workTree] {
        return std::pair(findTasks(folder), inspectRepository(folder));
    };
    QCoro::connect(
        runInPool(look), this,
        [this, generation](const std::pair<Result<FoundTasks>, Result<RepositoryFacts>> &seen) {
            if (generation == m_generation) {
                take(seen.first, seen.second);
            }
        });
}

void TasksPage::take(const Result<FoundTasks> &found, const Result<RepositoryFacts> &repository)
{
    m_states->setBusy({});
    m_banner->setVisible(found && !repository);
    if (!found) {
        m_states->showError(found.error());
        return;
    }
    if (!repository) {
        m_banner->setMessage(warningGlyph(), tr("No run can start from this folder."),
                             repository.error().message);
    }
    m_model->setTasks(found->tasks);
    if (found->left > 0) {
        m_header->setFacts(
            tr("%1 · %n more file(s) are not listed", nullptr, found->left).arg(m_workTree));
    }
    if (found->tasks.isEmpty()) {
        m_states->showEmpty();
    } else {
        m_states->showContent();
    }
    Q_EMIT countChanged(static_cast<int>(found->tasks.size()));
}

} // namespace Glovebox
