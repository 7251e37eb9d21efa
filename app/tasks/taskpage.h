// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/syntax/syntax.h"
#include "core/base/error.h"
#include "core/base/problem.h"

#include <QWidget>

#include <functional>

class QListWidget;
class QPushButton;
class QTimer;

namespace Glovebox {

class Banner;
class ElidedLabel;
class PageHeader;
class TaskEditor;

/// A task file as text with its problems, and the way to its plan.
class TaskPage final : public QWidget
{
    Q_OBJECT
public:
    /// What is wrong with a text of a repository; called on pool threads.
    using Linter = std::function<QList<Problem>(const QByteArray &text, const QString &workTree)>;

    explicit TaskPage(Linter linter, QWidget *parent = nullptr);

    void open(const QString &path, const QString &workTree);
    /// A new task that has no file yet.
    void openNew(const QByteArray &text, const QString &workTree);
    [[nodiscard]] QString path() const { return m_path; }
    /// Takes the task away; what wasn't saved is lost.
    void clear();
    [[nodiscard]] bool isModified() const;
    /// Something was typed that is in no file: not merely a template that nobody has touched.
    [[nodiscard]] bool hasUnsavedText() const;
    /// Writes the file; without a path it asks for one by saveAsRequested.
    void save();
    void saveAs(const QString &path);
    [[nodiscard]] const QList<Problem> &problems() const { return m_problems; }
    [[nodiscard]] bool canPlan() const;
    /// Asks for a plan of what is on screen: saved first, and only without errors.
    void plan();
    void nextProblem(int step);
    [[nodiscard]] TaskEditor *editor() const { return m_editor; }

Q_SIGNALS:
    void planRequested(const QString &path);
    void saveAsRequested();
    void saved(const QString &path);
    void stateChanged();

protected:
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] QWidget *makeToolbar();
    void setText(const QByteArray &bytes);
    [[nodiscard]] QByteArray bytes() const;
    void lint();
    void showProblems(const QList<Problem> &problems);
    void updateState();

    Linter m_linter;
    Syntax m_syntax;
    PageHeader *m_header;
    Banner *m_banner;
    TaskEditor *m_editor;
    QListWidget *m_list;
    ElidedLabel *m_listFact;
    ElidedLabel *m_state = nullptr;
    QPushButton *m_save = nullptr;
    QPushButton *m_plan = nullptr;
    QTimer *m_delay;
    QString m_path;
    QString m_workTree;
    QByteArray m_given;             ///< the text as it was read or written last, or the template
    bool m_carriageReturns = false; ///< the file's line ends are CR LF
    bool m_planAfterLint = false;
    QList<Problem> m_problems;
    int m_generation = 0;
};

} // namespace Glovebox
