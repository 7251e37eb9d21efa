// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include <functional>
#include <optional>

namespace Glovebox {

/// One way out of a question. The safe one is what Enter and Escape choose.
struct Answer
{
    QString id;
    QString text;
};

struct Question
{
    QString title;
    QString text; ///< plain: what happens, then what to do
    QList<Answer> answers;
    QString safe; ///< id of the answer that changes nothing
};

/// Where every question and every file name comes from: sheets on screen, or what a test said
/// beforehand. One object for the window, handed to its pages; nothing here waits.
class Dialogs
{
public:
    using Answered = std::function<void(const QString &id)>;
    using Chosen = std::function<void(const QString &path)>;

    virtual ~Dialogs() = default;
    /// Calls \a answered once, later, unless \a parent is gone by then.
    virtual void ask(QWidget *parent, const Question &question, Answered answered);
    /// Calls \a chosen with an existing folder, or never when the user thinks better of it.
    virtual void chooseFolder(QWidget *parent, const QString &title, const QString &start,
                              Chosen chosen);
    /// The same for a file that is there; \a filters as QFileDialog has them.
    virtual void chooseFile(QWidget *parent, const QString &title, const QString &start,
                            const QStringList &filters, Chosen chosen);
    /// The same for a file that is to be written; asks before it replaces one. A name without a
    /// suffix gets \a suffix.
    virtual void chooseNewFile(QWidget *parent, const QString &title, const QString &start,
                               const QString &suffix, Chosen chosen);
};

/// Answers without a screen: what was put in, in order. Asking for more than was put in is a test's
/// mistake and is remembered in unanswered().
class PreparedDialogs final : public Dialogs
{
public:
    void setNextAnswer(const QString &id) { m_answers.append(id); }
    /// A folder or a file, whichever is asked for next.
    void setNextPath(const QString &path) { m_paths.append(path); }
    [[nodiscard]] const QList<Question> &asked() const { return m_asked; }
    [[nodiscard]] int unanswered() const { return m_unanswered; }

    void ask(QWidget *parent, const Question &question, Answered answered) override;
    void chooseFolder(QWidget *parent, const QString &title, const QString &start,
                      Chosen chosen) override;
    void chooseFile(QWidget *parent, const QString &title, const QString &start,
                    const QStringList &filters, Chosen chosen) override;
    void chooseNewFile(QWidget *parent, const QString &title, const QString &start,
                       const QString &suffix, Chosen chosen) override;

private:
    QList<QString> m_answers;
    QList<QString> m_paths;
    QList<Question> m_asked;
    int m_unanswered = 0;
};

} // namespace Glovebox
