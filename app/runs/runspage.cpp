// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/runspage.h"

#include "app/runs/runlistmodel.h"
#include "app/widgets/icon.h"
#include "app/widgets/pageheader.h"
#include "app/widgets/viewstates.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QSortFilterProxyModel>

namespace Glovebox {

RunsPage::RunsPage(RunListModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_header(new PageHeader(this))
    , m_filter(new QSortFilterProxyModel(this))
    , m_filterText(new QLineEdit(this))
    , m_list(new QListView)
{
    m_header->setTitle(tr("Runs"));
    m_filter->setSourceModel(model);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filterText->setPlaceholderText(tr("Filter runs"));
    m_filterText->setAccessibleName(tr("Filter runs"));
    m_filterText->setClearButtonEnabled(true);
    m_filterText->addAction(themedIcon(QStringLiteral("search"), Token::Dim),
                            QLineEdit::LeadingPosition);
    m_filterText->setMaximumWidth(260);
    m_header->addButton(m_filterText);
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new RunRowDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Runs"));
    m_states = new ViewStates(m_list, this);
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_header);
    all->addWidget(m_states, 1);
    connect(m_filterText, &QLineEdit::textChanged, m_filter,
            &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filterText, &QLineEdit::textChanged, this, &RunsPage::updateState);
    connect(m_model, &QAbstractItemModel::modelReset, this, &RunsPage::updateState);
    connect(m_states, &ViewStates::retryRequested, this, &RunsPage::retryRequested);
    connect(m_states, &ViewStates::emptyButtonClicked, this, [this] {
        if (m_filterText->text().isEmpty()) {
            Q_EMIT tasksRequested();
        } else {
            m_filterText->clear();
        }
    });
    const auto open = [this](const QModelIndex &index) {
        Q_EMIT runRequested(index.data(RunListModel::IdRole).toString());
    };
    connect(m_list, &QAbstractItemView::activated, this, open);
    updateState();
}

void RunsPage::updateState()
{
    const int all = m_model->rowCount();
    m_header->setFacts(tr("%n run(s) on this computer", nullptr, all));
    if (m_filter->rowCount() > 0) {
        m_states->showContent();
        return;
    }
    if (all > 0) {
        m_states->setEmpty(QStringLiteral("search"), tr("No run matches"),
                           tr("The filter holds back %n run(s).", nullptr, all),
                           tr("Clear filter"));
    } else {
        m_states->setEmpty(QStringLiteral("list"), tr("No runs yet"),
                           tr("A task becomes a run when you plan and start it."), tr("Tasks"));
    }
    m_states->showEmpty();
}

void RunsPage::focusFilter()
{
    m_filterText->setFocus(Qt::ShortcutFocusReason);
    m_filterText->selectAll();
}

void RunsPage::setError(const Error &error)
{
    m_states->showError(error);
}

void RunsPage::clearError()
{
    m_states->clearError();
}

} // namespace Glovebox
