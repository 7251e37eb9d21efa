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
#include "core/tasks/taskfile.h"

#include <QBoxLayout>
#include <QDir>
#include <QFileInfo>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace Glovebox {

namespace {

constexpr qint64 largestTask = 1024LL * 1024;

QString countText(const QList<Problem> &problems)
{
    int errors = 0;
    int others = 0;
    for (const Problem &problem : problems) {
        errors += problem.severity == Severity::Error ? 1 : 0;
        others += problem.severity == Severity::Warning ? 1 : 0;
    }
    if (errors == 0 && others == 0) {
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

Glyph glyphFor(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return failedGlyph();
    case Severity::Warning:
        return warningGlyph();
    case Severity::Hint:
        return infoGlyph();
    }
    Q_UNREACHABLE();
}

/// Errors that the plan's page can settle, by a tick of the user, are no reason not to go there.
bool forbidsPlan(const QList<Problem> &problems)
{
    return std::any_of(problems.cbegin(), problems.cend(), [](const Problem &problem) {
        return problem.severity == Severity::Error && problem.code != QLatin1String("open-network");
    });
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
    auto *split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_editor);
    split->addWidget(makeProblemPane());
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
    connect(m_delay, &QTimer::timeout, this, &TaskPage::lintIfNew);
    connect(m_editor->document(), &QTextDocument::contentsChanged, this, [this] {
        m_delay->start();
        updateState();
    });
    connect(m_list, &QListWidget::itemActivated, this, [this](const QListWidgetItem *item) {
        const Problem &problem = m_problems.at(m_list->row(item));
        m_editor->goTo(problem.line, problem.column);
    });
    connect(m_banner, &Banner::buttonClicked, this, &TaskPage::answerBanner);
}

TaskPage::~TaskPage()
{
    m_stopLint.request_stop();
}

QWidget *TaskPage::makeProblemPane()
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
    m_list->setIconSize({14, 14});
    below->addWidget(head);
    below->addWidget(m_list, 1);
    return problems;
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
    connect(m_save, &QPushButton::clicked, this, [this] { save(); });
    connect(m_plan, &QPushButton::clicked, this, &TaskPage::plan);
    return bar;
}

void TaskPage::setText(const QByteArray &content)
{
    m_given = content;
    m_text = TaskText(content);
    m_linted = false;
    m_planAfterLint = false;
    m_problems.clear();
    m_list->clear();
    m_editor->setProblems({});
    m_listFact->setText(tr("being looked at…"));
    m_editor->setPlainText(m_text.shown());
    m_editor->document()->setModified(false);
    m_syntax.attach(m_editor->document(), QStringLiteral("task.md"), Tokens::of(palette()));
}

QByteArray TaskPage::bytes() const
{
    return m_editor->isReadOnly() ? m_given : m_text.written(m_editor->document()->toRawText());
}

void TaskPage::say(const Glyph &glyph, const QString &what, const QString &rest,
                   BannerButton button)
{
    m_bannerButton = button;
    m_banner->setMessage(glyph, what, rest);
    m_banner->setButton(button == BannerButton::TryAgain ? tr("Try again")
                        : button == BannerButton::Choose ? tr("Choose…")
                                                         : QString());
    m_banner->show();
}

void TaskPage::answerBanner()
{
    if (m_bannerButton == BannerButton::Choose) {
        Q_EMIT changedOnDisk({});
    } else {
        reload();
    }
}

void TaskPage::open(const QString &path, const QString &workTree)
{
    m_path = path;
    m_workTree = workTree;
    m_banner->hide();
    const Result<QByteArray> content = readFile(path, largestTask);
    const QByteArray text = content.value_or(QByteArray());
    const std::optional<BadByte> bad = firstBadByte(text);
    m_editor->setReadOnly(!content || bad);
    setText(text);
    if (!content) {
        say(failedGlyph(), content.error().message, content.error().detail, BannerButton::TryAgain);
    } else if (bad) {
        say(failedGlyph(), tr("This file isn't UTF-8 text, so it can't be edited here."),
            tr("Byte %1 (0x%2, in line %3) can't be read. Save the file as UTF-8 with the program "
               "that wrote it.")
                .arg(bad->offset + 1)
                .arg(bad->value, 2, 16, QLatin1Char('0'))
                .arg(bad->line),
            BannerButton::None);
    } else if (bytes() != text) {
        m_editor->setReadOnly(true);
        say(failedGlyph(), tr("This file can't be edited here."),
            tr("It holds characters that a text field can't keep as they are."),
            BannerButton::None);
    }
    lint();
    updateState();
}

void TaskPage::openNew(const QByteArray &text, const QString &workTree)
{
    m_path.clear();
    m_workTree = workTree;
    m_banner->hide();
    m_editor->setReadOnly(false);
    setText(text);
    m_editor->document()->setModified(true);
    lint();
    updateState();
}

void TaskPage::clear()
{
    m_path.clear();
    m_banner->hide();
    m_editor->setReadOnly(true);
    setText({});
    m_delay->stop(); // there is nothing to look at
    if (m_linting) {
        lint(); // and what is found now is of no task any more
    }
    updateState();
}

void TaskPage::reload()
{
    const int position = m_editor->textCursor().position();
    const int scrolled = m_editor->verticalScrollBar()->value();
    open(m_path, m_workTree);
    QTextCursor cursor = m_editor->textCursor();
    cursor.setPosition(qMin(position, m_editor->document()->characterCount() - 1));
    m_editor->setTextCursor(cursor);
    m_editor->verticalScrollBar()->setValue(scrolled);
}

bool TaskPage::differsOnDisk() const
{
    const Result<QByteArray> now = readFile(m_path, largestTask);
    if (!now) {
        return now.error().code == ErrorCode::TooLarge; // a file that is gone is written anew
    }
    return *now != m_given && *now != bytes();
}

void TaskPage::lookAtDisk()
{
    if (m_path.isEmpty() || !differsOnDisk()) {
        return;
    }
    if (hasUnsavedText()) {
        say(warningGlyph(), tr("The file changed on disk."),
            tr("What you typed here is still here, and not what the file says now."),
            BannerButton::Choose);
    } else {
        reload();
    }
}

bool TaskPage::isModified() const
{
    return m_editor->document()->isModified();
}

bool TaskPage::hasUnsavedText() const
{
    return isModified() && bytes() != m_given;
}

void TaskPage::save(const Then &then)
{
    if (m_path.isEmpty()) {
        Q_EMIT saveAsRequested();
        return;
    }
    saveAs(m_path, then);
}

void TaskPage::saveAs(const QString &path, const Then &then)
{
    if (m_editor->isReadOnly()) {
        return;
    }
    if (path == m_path && differsOnDisk()) {
        Q_EMIT changedOnDisk(then);
        return;
    }
    write(path, then);
}

void TaskPage::overwrite(const Then &then)
{
    if (!m_path.isEmpty() && !m_editor->isReadOnly()) {
        write(m_path, then);
    }
}

void TaskPage::write(const QString &path, const Then &then)
{
    const QByteArray content = bytes();
    const Result<void> written = writeFile(path, content);
    if (!written) {
        say(failedGlyph(), written.error().message, written.error().detail, BannerButton::None);
        return;
    }
    m_path = path;
    m_given = content;
    m_text = TaskText(content);
    m_banner->hide();
    m_editor->document()->setModified(false);
    if (m_workTree.isEmpty()) {
        m_workTree = QFileInfo(path).absolutePath();
        lint();
    }
    updateState();
    Q_EMIT saved(path);
    if (then) {
        then();
    }
}

void TaskPage::lintIfNew()
{
    // Colours are contents to a document as well, but nothing new to look at.
    if (bytes() != m_lookedAt) {
        lint();
    }
}

void TaskPage::lint()
{
    m_delay->stop();
    if (m_linting) {
        m_lintAgain = true;
        m_stopLint.request_stop();
        return;
    }
    m_linting = true;
    m_stopLint = std::stop_source();
    m_lookedAt = bytes();
    QCoro::connect(m_linter({m_lookedAt, m_path, m_workTree}, m_stopLint.get_token()), this,
                   [this](const QList<Problem> &problems) { takeProblems(problems); });
}

void TaskPage::takeProblems(const QList<Problem> &problems)
{
    m_linting = false;
    if (std::exchange(m_lintAgain, false)) {
        lint();
        return;
    }
    m_linted = true;
    showProblems(problems);
}

void TaskPage::showProblems(const QList<Problem> &problems)
{
    m_problems = problems;
    m_editor->setProblems(problems);
    m_list->clear();
    for (const Problem &problem : problems) {
        const QString where = problem.line > 0 ? tr("Line %1: ").arg(problem.line) : QString();
        auto *item = new QListWidgetItem(glyphIcon(glyphFor(problem.severity)),
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
    return m_linted && !m_path.isEmpty() && !forbidsPlan(m_problems) && !m_editor->isReadOnly();
}

void TaskPage::updateState()
{
    m_header->setFacts(m_path.isEmpty() ? tr("Not saved yet")
                                        : QDir(m_workTree).relativeFilePath(m_path));
    m_save->setEnabled(isModified() && !m_editor->isReadOnly());
    m_plan->setEnabled(canPlan());
    if (!m_linted) {
        m_state->setText({});
    } else if (forbidsPlan(m_problems)) {
        m_state->setText(tr("Fix the errors before you plan the run."));
    } else if (m_path.isEmpty()) {
        m_state->setText(tr("Save the task before you plan the run."));
    } else if (hasErrors(m_problems)) {
        m_state->setText(tr("The plan asks you to accept what is marked."));
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
    lintIfNew(); // what was typed last may not have been looked at yet
    if (m_linting) {
        m_planAfterLint = true;
        return;
    }
    if (isModified()) {
        save([this] { Q_EMIT planRequested(m_path); });
        return;
    }
    if (differsOnDisk()) {
        reload();
        say(warningGlyph(), tr("The file changed on disk."),
            tr("This is what it says now. Look at it, then plan the run."), BannerButton::None);
        return;
    }
    Q_EMIT planRequested(m_path);
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

bool TaskPage::event(QEvent *event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::WindowActivate) {
        lookAtDisk(); // whoever comes back may have written it elsewhere
    }
    return done;
}

void TaskPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_editor->toPlainText().isEmpty()) {
        m_syntax.attach(m_editor->document(), QStringLiteral("task.md"), Tokens::of(palette()));
    }
}

void TaskPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    lookAtDisk();
}

} // namespace Glovebox
