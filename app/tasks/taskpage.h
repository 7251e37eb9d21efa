// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/syntax/syntax.h"
#include "app/tasks/tasktext.h"
#include "core/base/error.h"
#include "core/base/problem.h"

#include <QWidget>

#include <qcorotask.h>

#include <functional>
#include <stop_token>

class QListWidget;
class QPushButton;
class QTimer;

namespace Glovebox {

class Banner;
class ElidedLabel;
class PageHeader;
class TaskEditor;
struct Glyph;

/// A text that is to be looked at.
struct LintRequest
{
    QByteArray text;
    QString path;     ///< empty = in no file yet
    QString workTree; ///< the repository that is open
};

/// A task file as text with its problems, and the way to its plan. A file that this page cannot
/// write back as it was is shown, and cannot be edited.
class TaskPage final : public QWidget
{
    Q_OBJECT
public:
    /// What is wrong with a text. Called on the main thread, where it must not take long; one at a
    /// time, and asked to stop when its text is not the newest any more.
    using Linter =
        std::function<QCoro::Task<QList<Problem>>(const LintRequest &wanted, std::stop_token stop)>;
    using Then = std::function<void()>;

    explicit TaskPage(Linter linter, QWidget *parent = nullptr);
    ~TaskPage() override;

    void open(const QString &path, const QString &workTree);
    /// A new task that has no file yet.
    void openNew(const QByteArray &text, const QString &workTree);
    [[nodiscard]] QString path() const { return m_path; }
    /// Takes the task away; what wasn't saved is lost.
    void clear();
    [[nodiscard]] bool isModified() const;
    /// Something was typed that is in no file: not merely a template that nobody has touched.
    [[nodiscard]] bool hasUnsavedText() const;
    /// Writes the file and goes on with \a then. Without a path it asks for one by saveAsRequested;
    /// where the file is not what was read or written last, by changedOnDisk.
    void save(const Then &then = {});
    void saveAs(const QString &path, const Then &then = {});
    /// Writes over what another program wrote.
    void overwrite(const Then &then);
    /// Takes the file's text, whatever was typed here.
    void reload();
    [[nodiscard]] const QList<Problem> &problems() const { return m_problems; }
    [[nodiscard]] bool canPlan() const;
    /// Asks for a plan of what is on screen: saved first, and only without errors.
    void plan();
    void nextProblem(int step);
    [[nodiscard]] TaskEditor *editor() const { return m_editor; }

Q_SIGNALS:
    void planRequested(const QString &path);
    void saveAsRequested();
    /// The file has another text than the one that was edited here. The answer is overwrite(), with
    /// what was wanted after that, or reload(), or nothing.
    void changedOnDisk(const TaskPage::Then &then);
    void saved(const QString &path);
    void stateChanged();

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    enum class BannerButton { None, TryAgain, Choose };
    [[nodiscard]] QWidget *makeToolbar();
    [[nodiscard]] QWidget *makeProblemPane();
    void setText(const QByteArray &bytes);
    void say(const Glyph &glyph, const QString &what, const QString &rest, BannerButton button);
    void answerBanner();
    void write(const QString &path, const Then &then);
    [[nodiscard]] QByteArray bytes() const;
    [[nodiscard]] bool differsOnDisk() const;
    void lookAtDisk();
    void lint();
    void lintIfNew();
    void takeProblems(const QList<Problem> &problems);
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
    QByteArray m_given; ///< as it was read or written last, or the template
    TaskText m_text;    ///< the same, in lines
    BannerButton m_bannerButton = BannerButton::None;
    QByteArray m_lookedAt; ///< the text that was linted last, or is just now
    bool m_planAfterLint = false;
    bool m_linted = false; ///< this task's problems are known
    bool m_linting = false;
    bool m_lintAgain = false; ///< the text changed since the lint that is under way began
    std::stop_source m_stopLint;
    QList<Problem> m_problems;
};

} // namespace Glovebox
