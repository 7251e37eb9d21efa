// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/review/diffdocument.h"
#include "app/runs/finishedpage.h"
#include "app/runs/runsource.h"

#include <QWidget>

class QPlainTextEdit;
class QStackedWidget;
class QTimer;

namespace Glovebox {

class LivePage;
class PageHeader;
class ReturnPage;
class ReviewPage;

/// One run with its five doors. Reads the run from the source when it changes; the branch's changes
/// are read in the pool, once for each tip.
class RunPage final : public QWidget
{
    Q_OBJECT
public:
    /// Reads a run's change set; called on pool threads.
    using ChangesReader = std::function<Result<ChangeSet>(const QString &git, const QString &base,
                                                          const QString &tip)>;

    /// \a source is not owned and must outlive the page.
    RunPage(RunSource *source, ChangesReader readChanges, DiffDocument::Reader readFile,
            QWidget *parent = nullptr);

    void showRun(const QString &id);
    void openStage(Stage stage);
    /// Reads the run anew, with what it left on disk.
    void refresh();
    [[nodiscard]] QString runId() const { return m_view.record.id; }
    [[nodiscard]] const RunRecord &record() const { return m_view.record; }
    [[nodiscard]] RunActions actions() const { return actionsFor(m_view); }
    [[nodiscard]] Stage shownStage() const;
    [[nodiscard]] LivePage *live() const { return m_live; }
    [[nodiscard]] FinishedPage *finished() const { return m_finished; }
    [[nodiscard]] ReviewPage *review() const { return m_review; }

Q_SIGNALS:
    void recordChanged(); ///< what actions depend on may be another
    void stopRequested(const QString &id);
    void editTaskRequested(const QString &taskPath, const QString &repository);
    void runAgainRequested(const QString &taskPath, const QString &repository);

private:
    void connectSource();
    void reload();
    void present();
    void readChangeSet();
    void takeChangeSet(const ChangeSet &changes, const QList<QByteArray> &outOfScope);
    void readKept();
    void takeStep(NextStep step);

    RunSource *m_source;
    ChangesReader m_readChanges;
    PageHeader *m_header;
    QStackedWidget *m_doors;
    QPlainTextEdit *m_task;
    LivePage *m_live;
    FinishedPage *m_finished;
    ReturnPage *m_return;
    ReviewPage *m_review;
    QTimer *m_clock; ///< times on the page, once a second while the run works
    RunView m_view;
    ChangeSet m_changes;
    std::optional<QList<QByteArray>> m_outOfScope; ///< of m_changes
    QString m_keptOf;      ///< the run whose kept events have been asked for
    QString m_blockedText; ///< as far as it was kept
    QString m_readTip;     ///< what m_changes is of, or what is being read
    bool m_wasAtRest = true;
};

} // namespace Glovebox
