// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/tasks/taskpage.h"

#include "app/tasks/taskeditor.h"
#include "app/widgets/banner.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/icon.h"
#include "app/widgets/pageheader.h"
#include "app/widgets/pane.h"
#include "core/base/files.h"
#include "core/base/pool.h"
#include "core/tasks/taskfile.h"

#include <QBoxLayout>
#include <QDir>
#include <QFileInfo>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>

namespace Glovebox {

namespace {

constexpr qint64 largestTask = 1024LL * 1024;

QString countText(const QList<Problem> &problems)
{
    int errors = 0;
    for (const Problem &problem : problems) {
        errors += problem.severity == Severity::Error ? 1 : 0;
    }
    const int others = static_cast<int>(problems.size()) - errors;
    if (problems.isEmpty()) {
        return TaskPage::tr("no problems");
    }
    if (errors == 0) {
        return TaskPage::tr("%n warning(s)", nullptr, others);
    }
    const QString first = TaskPage::tr("%n error(s)", nullptr, errors);
    return others == 0
               ? first
               : first + QStringLiteral(", ") + TaskPage::tr("%n warning(s)", nullptr, others);
}

Stages taskStages(const QList<Problem> &problems, int commands)
{
    Stages stages;
    stages[0] = {
        hasErrors(problems) ? StageState::Failed : StageState::Done, countText(problems), {}};
    stages[1] = {StageState::ToCome, TaskPage::tr("not planned"),
                 TaskPage::tr("Waits for the plan of a run.")};
    stages[2] = {StageState::ToCome, TaskPage::tr("%n command(s)", nullptr, commands),
                 TaskPage::tr("Waits until the agent has ended.")};
    stages[3] = {StageState::ToCome, TaskPage::tr("one branch"),
                 TaskPage::tr("Waits for the checks.")};
    stages[4] = {StageState::ToCome, TaskPage::tr("you"), TaskPage::tr("Waits for the branch.")};
    return stages;
}

} // namespace

TaskPage::TaskPage(Linter linter, QWidget *parent)
    : QWidget(parent)
    , m_linter(std::move(linter))
    , m_header(new PageHeader(this))
    , m_banner(new Banner(Banner::Size::Line, this))
    , m_editor(new TaskEditor)
    , m_list(new QListWidget)
    , m_listFact(new ElidedLabel(ElidedLabel::Size::Small))
    , m_delay(new QTimer(this))
{
    auto *problems = new QWidget;
    auto *below = new QBoxLayout(QBoxLayout::TopToBottom, problems);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    auto *head = new Strip(Token::Head, Strip::Edge::Bottom, 34, problems);
    auto *name = new ElidedLabel(ElidedLabel::Size::Strong);
    name->setText(tr("Problems"));
    head->row()->addWidget(name);
    head->row()->addWidget(m_listFact, 1);
    auto *tabFact = new ElidedLabel(ElidedLabel::Size::Small);
    tabFact->setToken(Token::Dim);
    tabFact->setText(m_editor->tabText());
    head->row()->addWidget(tabFact);
    connect(m_editor, &TaskEditor::tabChanged, tabFact,
            [this, tabFact] { tabFact->setText(m_editor->tabText()); });
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Problems"));
    m_list->setWordWrap(true);
    below->addWidget(head);
    below->addWidget(m_list, 1);
    auto *split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_editor);
    split->addWidget(problems);
    split->setStretchFactor(0, 1);
    split->setSizes({600, 150});
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_header);
    all->addWidget(makeToolbar());
    all->addWidget(m_banner);
    all->addWidget(split, 1);
    m_banner->hide();
    m_header->stepper()->setShown(Stage::Specify);
    m_delay->setSingleShot(true);
    m_delay->setInterval(250);
    connect(m_delay, &QTimer::timeout, this, &TaskPage::lint);
    connect(m_editor->document(), &QTextDocument::contentsChanged, this, [this] {
        m_delay->start();
        updateState();
    });
    connect(m_list, &QListWidget::itemActivated, this, [this](const QListWidgetItem *item) {
        const Problem &problem = m_problems.at(m_list->row(item));
        m_editor->goTo(problem.line, problem.column);
    });
    connect(m_banner, &Banner::buttonClicked, this, [this] { open(m_path, m_workTree); });
}

QWidget *TaskPage::makeToolbar()
{
    auto *bar = new Strip(Token::Head, Strip::Edge::Bottom, 44, this);
    m_state = new ElidedLabel(ElidedLabel::Size::Small, bar);
    m_save = new QPushButton(themedIcon(QStringLiteral("save")), tr("Save"), bar);
    m_plan = new QPushButton(tr("Plan run…"), bar);
    m_plan->setDefault(true);
    bar->row()->addWidget(m_state, 1);
    bar->row()->addWidget(m_save);
    bar->row()->addWidget(m_plan);
    connect(m_save, &QPushButton::clicked, this, &TaskPage::save);
    connect(m_plan, &QPushButton::clicked, this, &TaskPage::plan);
    return bar;
}

void TaskPage::setText(const QByteArray &content)
{
    m_carriageReturns = content.contains("\r\n");
    m_editor->setPlainText(QString::fromUtf8(content));
    m_editor->document()->setModified(false);
    m_given = bytes();
    m_syntax.attach(m_editor->document(), QStringLiteral("task.md"), Tokens::of(palette()));
    lint();
    updateState();
}

QByteArray TaskPage::bytes() const
{
    QByteArray content = m_editor->toPlainText().toUtf8();
    if (m_carriageReturns) {
        content.replace("\n", "\r\n");
    }
    return content;
}

void TaskPage::open(const QString &path, const QString &workTree)
{
    m_path = path;
    m_workTree = workTree;
    m_banner->hide();
    const Result<QByteArray> content = readFile(path, largestTask);
    m_editor->setReadOnly(!content.has_value());
    if (!content) {
        m_banner->setMessage(failedGlyph(), content.error().message, content.error().detail);
        m_banner->setButton(tr("Try again"));
        m_banner->show();
    }
    setText(content.value_or(QByteArray()));
}

void TaskPage::openNew(const QByteArray &text, const QString &workTree)
{
    m_path.clear();
    m_workTree = workTree;
    m_banner->hide();
    m_editor->setReadOnly(false);
    setText(text);
    m_editor->document()->setModified(true);
    updateState();
}

void TaskPage::clear()
{
    m_path.clear();
    m_banner->hide();
    m_editor->setReadOnly(true);
    setText({});
}

bool TaskPage::isModified() const
{
    return m_editor->document()->isModified();
}

bool TaskPage::hasUnsavedText() const
{
    return isModified() && bytes() != m_given;
}

void TaskPage::save()
{
    if (m_path.isEmpty()) {
        Q_EMIT saveAsRequested();
        return;
    }
    saveAs(m_path);
}

void TaskPage::saveAs(const QString &path)
{
    const Result<void> written = writeFile(path, bytes());
    if (!written) {
        m_banner->setMessage(failedGlyph(), written.error().message, written.error().detail);
        m_banner->setButton({});
        m_banner->show();
        return;
    }
    m_path = path;
    m_given = bytes();
    m_banner->hide();
    m_editor->document()->setModified(false);
    updateState();
    Q_EMIT saved(path);
}

void TaskPage::lint()
{
    m_delay->stop();
    const int generation = ++m_generation;
    QCoro::connect(runInPool([linter = m_linter, text = bytes(), folder = m_workTree] {
                       return linter(text, folder);
                   }),
                   this, [this, generation](const QList<Problem> &problems) {
                       if (generation == m_generation) {
                           showProblems(problems);
                       }
                   });
}

void TaskPage::showProblems(const QList<Problem> &problems)
{
    m_problems = problems;
    m_editor->setProblems(problems);
    m_list->clear();
    for (const Problem &problem : problems) {
        const QString where = problem.line > 0 ? tr("Line %1: ").arg(problem.line) : QString();
        auto *item = new QListWidgetItem(
            glyphIcon(problem.severity == Severity::Error ? failedGlyph() : warningGlyph()),
            where + problem.message, m_list);
        item->setToolTip(problem.message.toHtmlEscaped());
    }
    m_listFact->setText(countText(problems));
    const TaskFile task = TaskDocument::parse(bytes()).task();
    m_header->setTitle(task.title.isEmpty() ? QFileInfo(m_path).fileName() : task.title);
    m_header->stepper()->setStages(taskStages(problems, static_cast<int>(task.acceptance.size())));
    updateState();
    if (m_planAfterLint) {
        m_planAfterLint = false;
        plan();
    }
}

bool TaskPage::canPlan() const
{
    return !m_path.isEmpty() && !hasErrors(m_problems) && !m_editor->isReadOnly();
}

void TaskPage::updateState()
{
    m_header->setFacts(m_path.isEmpty() ? tr("Not saved yet")
                                        : QDir(m_workTree).relativeFilePath(m_path));
    m_save->setEnabled(isModified() && !m_editor->isReadOnly());
    m_plan->setEnabled(canPlan());
    if (hasErrors(m_problems)) {
        m_state->setText(tr("Fix the errors before you plan the run."));
    } else if (m_path.isEmpty()) {
        m_state->setText(tr("Save the task before you plan the run."));
    } else {
        m_state->setText(isModified() ? tr("Changed since it was saved") : tr("Saved"));
    }
    Q_EMIT stateChanged();
}

void TaskPage::plan()
{
    if (!canPlan()) {
        return;
    }
    if (m_delay->isActive()) {
        m_planAfterLint = true; // what was typed last has not been looked at yet
        lint();
        return;
    }
    if (isModified()) {
        save();
    }
    if (!isModified()) {
        Q_EMIT planRequested(m_path);
    }
}

void TaskPage::nextProblem(int step)
{
    if (m_problems.isEmpty()) {
        return;
    }
    const int count = static_cast<int>(m_problems.size());
    const int row = (m_list->currentRow() + step + count) % count;
    m_list->setCurrentRow(row);
    m_editor->goTo(m_problems.at(row).line, m_problems.at(row).column);
}

void TaskPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_editor->toPlainText().isEmpty()) {
        m_syntax.attach(m_editor->document(), QStringLiteral("task.md"), Tokens::of(palette()));
    }
}

} // namespace Glovebox
