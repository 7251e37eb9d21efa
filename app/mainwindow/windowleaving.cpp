// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// What the window asks before something goes: a text that isn't saved, runs that work.
#include "app/mainwindow/mainwindow.h"
#include "app/mainwindow/startpage.h"
#include "app/mainwindow/windowmemory.h"
#include "app/tasks/taskfinder.h"
#include "app/widgets/dialogs.h"
#include "core/base/terminaltext.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QSplitter>

#include <algorithm>
#include <memory>

namespace Glovebox {

namespace {

constexpr int mostNamed = 8; ///< runs that the question lists

QString runLines(const QList<RunRecord> &runs)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QStringList lines;
    for (const RunRecord &run : runs.mid(0, mostNamed)) {
        //: A run that works, in a list: title, "Build · Working"
        lines << MainWindow::tr("• %1 (%2)").arg(displayText(run.title), factText(run, now));
    }
    if (runs.size() > mostNamed) {
        lines << MainWindow::tr("and %n more", nullptr, static_cast<int>(runs.size()) - mostNamed);
    }
    return lines.join(QLatin1Char('\n'));
}

bool anyWaits(const QList<RunRecord> &runs)
{
    return std::any_of(runs.cbegin(), runs.cend(),
                       [](const RunRecord &run) { return run.phase == RunPhase::Queued; });
}

} // namespace

void MainWindow::ask(const Question &question, std::function<void(const QString &)> answered)
{
    if (m_asking) {
        return; // the question that is open stands; what came after it can be done again
    }
    m_asking = true;
    m_parts.dialogs->ask(this, question,
                         [this, answered = std::move(answered)](const QString &answer) {
                             m_asking = false;
                             answered(answer);
                         });
}

void MainWindow::leaveTask(const Then &then)
{
    if (!m_task->hasUnsavedText()) {
        then();
        return;
    }
    Question question;
    question.title =
        m_task->path().isEmpty()
            ? tr("Save the new task?")
            : tr("Save the changes to %1?").arg(displayText(QFileInfo(m_task->path()).fileName()));
    question.text = tr("What you typed since it was last saved is lost if you don't save it.");
    question.answers = {{QStringLiteral("save"), tr("Save")},
                        {QStringLiteral("discard"), tr("Discard changes")},
                        {QStringLiteral("cancel"), tr("Cancel")}};
    question.safe = QStringLiteral("cancel");
    ask(question, [this, then](const QString &answer) {
        if (answer == QLatin1String("save")) {
            saveTask(then);
        } else if (answer == QLatin1String("discard")) {
            m_task->clear();
            then();
        }
    });
}

void MainWindow::saveTask(const Then &then)
{
    const auto explain = [this] {
        showPage(m_task, {Visit::Kind::Task, Place::Tasks, m_task->path(),
                          m_taskRepository}); // it says why
    };
    if (!m_task->path().isEmpty()) {
        const auto saved = std::make_shared<bool>(false);
        m_task->save([then, saved] {
            *saved = true;
            if (then) {
                then();
            }
        });
        if (!*saved) {
            explain();
        }
        return;
    }
    saveTaskAs([this, then, explain] {
        if (m_task->isModified()) {
            explain();
        } else if (then) {
            then();
        }
    });
}

void MainWindow::saveTaskAs(const Then &then)
{
    const QString folder = m_repository.isEmpty() ? QDir::homePath() : m_repository;
    const QString start =
        m_task->path().isEmpty() ? folder + QStringLiteral("/new.task.md") : m_task->path();
    m_parts.dialogs->chooseNewFile(this, tr("Save the task"), start, QStringLiteral("task.md"),
                                   [this, then](const QString &chosen) {
                                       const QString path = taskFileName(chosen);
                                       const Then save = [this, path, then] {
                                           m_task->saveAs(path);
                                           then();
                                       };
                                       if (path != chosen && QFileInfo::exists(path)) {
                                           askReplace(path, save);
                                       } else {
                                           save();
                                       }
                                   });
}

void MainWindow::askReplace(const QString &path, const Then &then)
{
    Question question;
    question.title = tr("Replace %1?").arg(displayText(QFileInfo(path).fileName()));
    question.text = tr("A task of that name is there already. Replacing it loses what it says.");
    question.answers = {{QStringLiteral("replace"), tr("Replace")},
                        {QStringLiteral("cancel"), tr("Cancel")}};
    question.safe = QStringLiteral("cancel");
    ask(question, [then](const QString &answer) {
        if (answer == QLatin1String("replace")) {
            then();
        }
    });
}

void MainWindow::askWhichText(const Then &then)
{
    Question question;
    question.title =
        tr("%1 changed on disk").arg(displayText(QFileInfo(m_task->path()).fileName()));
    question.text = tr("Another program wrote it since it was read here. Keep yours to write over "
                       "that, or reload to throw away what you typed.");
    question.answers = {{QStringLiteral("keep"), tr("Keep mine")},
                        {QStringLiteral("reload"), tr("Reload")},
                        {QStringLiteral("cancel"), tr("Cancel")}};
    question.safe = QStringLiteral("cancel");
    ask(question, [this, then](const QString &answer) {
        if (answer == QLatin1String("keep")) {
            m_task->overwrite(then);
        } else if (answer == QLatin1String("reload")) {
            m_task->reload();
        }
    });
}

void MainWindow::leaveRuns(const Then &then)
{
    const QList<RunRecord> runs = m_parts.source->working();
    if (runs.isEmpty()) {
        then();
        return;
    }
    Question question;
    question.title =
        tr("%n run(s) still working. Close the window?", nullptr, static_cast<int>(runs.size()));
    question.text =
        runLines(runs) + QStringLiteral("\n\n") +
        tr("Closing stops what works here. What the agents have done so far is committed, checked "
           "and returned as a branch, then the sandboxes are deleted. Glovebox ends when that is "
           "done; should it be ended before, it goes on with that at the next start.");
    if (anyWaits(runs)) {
        question.text += QLatin1Char(' ') + tr("Runs that are queued are cancelled.");
    }
    question.answers = {{QStringLiteral("stop"), tr("Stop and keep work")},
                        {QStringLiteral("stay"), tr("Don't close")}};
    question.safe = QStringLiteral("stay");
    ask(question, [then](const QString &answer) {
        if (answer == QLatin1String("stop")) {
            then();
        }
    });
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    const bool asks = m_task->hasUnsavedText() || !m_parts.source->working().isEmpty();
    if (asks && !m_mayClose) {
        event->ignore();
        // Nothing is stopped or thrown away before both questions are answered.
        leaveRuns([this] {
            leaveTask([this] {
                m_mayClose = true;
                close();
            });
        });
        return;
    }
    m_parts.memory->setGeometry(saveGeometry());
    m_parts.memory->setSplitter(m_split->saveState());
    QMainWindow::closeEvent(event);
}

void MainWindow::recall()
{
    m_recent = m_parts.memory->recent();
    m_start->setRepositories(m_recent, m_repository);
    restoreGeometry(m_parts.memory->geometry()); // keeps the default where there is none
    m_split->restoreState(m_parts.memory->splitter());
}

} // namespace Glovebox
