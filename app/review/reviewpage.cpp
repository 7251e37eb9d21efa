// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/reviewpage.h"

#include "app/review/changeslistmodel.h"
#include "app/review/difffindbar.h"
#include "app/review/diffview.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/icon.h"
#include "app/widgets/pane.h"
#include "app/widgets/viewstates.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QSortFilterProxyModel>
#include <QSplitter>

namespace Glovebox {

ReviewPage::ReviewPage(DiffDocument::Reader reader, QWidget *parent)
    : QWidget(parent)
    , m_document(new DiffDocument(std::move(reader), this))
    , m_diff(new DiffView(m_document))
    , m_find(new DiffFindBar(m_document, m_diff))
    , m_model(new ChangesListModel(this))
    , m_filter(new QSortFilterProxyModel(this))
{
    m_filter->setSourceModel(m_model);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto *split = new QSplitter(Qt::Horizontal);
    split->addWidget(makeFiles());
    auto *right = new QWidget;
    auto *column = new QBoxLayout(QBoxLayout::TopToBottom, right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_find);
    column->addWidget(m_diff, 1);
    split->addWidget(right);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    split->setSizes({288, 900});
    m_diff->setMinimumWidth(360);
    m_states = new ViewStates(split, this);
    m_states->setEmpty(QStringLiteral("branch"), tr("No changes to review"),
                       tr("The branch holds no changed file."), {});
    auto *bar = new Strip(Token::Head, Strip::Edge::Top, 52, this);
    m_state = new ElidedLabel(ElidedLabel::Size::Body, bar);
    bar->row()->addWidget(m_state, 1);
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_states, 1);
    all->addWidget(bar);
    connect(m_states, &ViewStates::retryRequested, this, &ReviewPage::retryRequested);
    connect(m_diff, &DiffView::currentFileChanged, this, &ReviewPage::selectFile);
}

QWidget *ReviewPage::makeFiles()
{
    auto *side = new QWidget;
    auto *column = new QBoxLayout(QBoxLayout::TopToBottom, side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *top = new Strip(Token::Head, Strip::Edge::Bottom, 40, side);
    top->row()->setContentsMargins(8, 0, 8, 0);
    m_filterText = new QLineEdit;
    m_filterText->setPlaceholderText(tr("Filter files"));
    m_filterText->setAccessibleName(tr("Filter files"));
    m_filterText->setClearButtonEnabled(true);
    m_filterText->addAction(themedIcon(QStringLiteral("search"), Token::Dim),
                            QLineEdit::LeadingPosition);
    top->row()->addWidget(m_filterText);
    m_list = new QListView;
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new ChangesDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Changed files"));
    auto *foot = new Strip(Token::Head, Strip::Edge::Top, 34, side);
    foot->row()->setContentsMargins(12, 0, 12, 0);
    m_totals = new ElidedLabel(ElidedLabel::Size::Small);
    foot->row()->addWidget(m_totals, 1);
    column->addWidget(top);
    column->addWidget(m_list, 1);
    column->addWidget(foot);
    side->setMinimumWidth(200);
    connect(m_filterText, &QLineEdit::textChanged, m_filter,
            &QSortFilterProxyModel::setFilterFixedString);
    connect(m_list, &QAbstractItemView::clicked, this, [this](const QModelIndex &index) {
        m_diff->showFile(m_filter->mapToSource(index).row());
    });
    connect(m_list, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        m_diff->showFile(m_filter->mapToSource(index).row());
        m_diff->setFocus();
    });
    return side;
}

void ReviewPage::setBusy()
{
    m_states->clearError();
    m_states->setBusy(tr("Reading the changes…"));
}

void ReviewPage::setChanges(const ChangeSet &changes, const QList<QByteArray> &outOfScope)
{
    m_states->setBusy({});
    m_states->clearError();
    m_model->setChanges(changes, outOfScope);
    m_document->setChanges(changes);
    if (changes.files.isEmpty()) {
        m_states->showEmpty();
    } else {
        m_states->showContent();
    }
    showTotals(changes, outOfScope.size());
}

void ReviewPage::showTotals(const ChangeSet &changes, qsizetype outside)
{
    const QString files = tr("%n file(s)", nullptr, static_cast<int>(changes.files.size()));
    //: Below the file list: "9 files · +238 −32"
    m_totals->setText(tr("%1 · +%2 −%3").arg(files).arg(changes.added()).arg(changes.removed()));
    m_state->setText(
        outside > 0 ? tr("%n path(s) outside the task's scope.", nullptr, static_cast<int>(outside))
                    : tr("%1 on %2, not checked out").arg(files, changes.tip.left(7)));
    m_state->setToken(outside > 0 ? Token::Bad : Token::Dim);
}

void ReviewPage::setError(const Error &error)
{
    m_states->setBusy({});
    m_states->showError(error);
}

void ReviewPage::selectFile(int file)
{
    const QModelIndex index = m_filter->mapFromSource(m_model->index(file));
    if (index.isValid()) {
        m_list->setCurrentIndex(index);
    }
}

} // namespace Glovebox
