// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/review/diffdocument.h"

#include <QWidget>

class QLineEdit;
class QListView;
class QSortFilterProxyModel;

namespace Glovebox {

class Banner;
class ChangesListModel;
class DiffFindBar;
class DiffView;
class ElidedLabel;
class ViewStates;

/// The Review door: the changed files at the left, the diff of all of them at the right.
class ReviewPage final : public QWidget
{
    Q_OBJECT
public:
    explicit ReviewPage(DiffDocument::Reader reader, QWidget *parent = nullptr);

    void setBusy();
    void setChanges(const ChangeSet &changes, const QList<QByteArray> &outOfScope);
    void setError(const Error &error);
    [[nodiscard]] DiffView *diff() const { return m_diff; }
    [[nodiscard]] DiffFindBar *findBar() const { return m_find; }
    [[nodiscard]] DiffDocument *document() const { return m_document; }

Q_SIGNALS:
    void retryRequested();

private:
    [[nodiscard]] QWidget *makeFiles();
    void showTotals(const ChangeSet &changes, qsizetype outside);
    void selectFile(int file);

    DiffDocument *m_document;
    DiffView *m_diff;
    DiffFindBar *m_find;
    ChangesListModel *m_model;
    QSortFilterProxyModel *m_filter;
    QListView *m_list = nullptr;
    QLineEdit *m_filterText = nullptr;
    ElidedLabel *m_totals = nullptr;
    ElidedLabel *m_state = nullptr;
    ViewStates *m_states;
};

} // namespace Glovebox
