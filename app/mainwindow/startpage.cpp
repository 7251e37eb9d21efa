// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow/startpage.h"

#include "app/widgets/elidedlabel.h"
#include "app/widgets/icon.h"
#include "app/widgets/nextsteprow.h"
#include "app/widgets/pageheader.h"
#include "app/widgets/pane.h"
#include "core/base/terminaltext.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace Glovebox {

namespace {

constexpr int mostRows = 8;

void clear(QBoxLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QString buttonFor(const RunRecord &run)
{
    switch (stateOf(run)) {
    case RunState::ReadyForReview:
        return StartPage::tr("Review");
    case RunState::Blocked:
        return StartPage::tr("Read");
    case RunState::Working:
    case RunState::Queued:
        return StartPage::tr("Watch");
    default:
        return needsReader(run) ? StartPage::tr("See why") : StartPage::tr("Show");
    }
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent)
    , m_header(new PageHeader(this))
    , m_demo(new QPushButton(themedIcon(QStringLiteral("play")), tr("Run the demo task"), this))
{
    m_header->setTitle(tr("Start"));
    auto *open =
        new QPushButton(themedIcon(QStringLiteral("folder")), tr("Open repository…"), this);
    m_header->addButton(m_demo);
    m_header->addButton(open);
    auto *content = new QWidget;
    auto *columns = new QBoxLayout(QBoxLayout::LeftToRight, content);
    columns->setContentsMargins(20, 16, 20, 16);
    columns->setSpacing(20);
    auto *left = new QBoxLayout(QBoxLayout::TopToBottom);
    left->setSpacing(16);
    m_welcome = makeWelcome();
    left->addWidget(m_welcome);
    m_needs = addSection(left, tr("Needs you"));
    m_working = addSection(left, tr("Working"));
    m_lately = addSection(left, tr("Lately"));
    left->addStretch();
    auto *right = new QBoxLayout(QBoxLayout::TopToBottom);
    m_repositories = addSection(right, tr("Repositories"));
    right->addStretch();
    columns->addLayout(left, 7);
    columns->addLayout(right, 3);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // it follows the rows' buttons
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_header);
    all->addWidget(scroll, 1);
    connect(open, &QPushButton::clicked, this, &StartPage::openRepositoryRequested);
    connect(m_demo, &QPushButton::clicked, this, &StartPage::demoRequested);
    setRuns({});
    setRepositories({}, {});
}

QWidget *StartPage::makeWelcome()
{
    auto *pane = new Pane(tr("Run a coding agent unattended, get back one checked branch"));
    auto *body = new QBoxLayout(QBoxLayout::TopToBottom);
    body->setContentsMargins(12, 12, 12, 14);
    body->setSpacing(12);
    body->addWidget(makePlainLabel(
        tr("A task file says what to do and how to tell that it was done. Glovebox packs the base "
           "commit, runs the agent in a sandbox that can be thrown away, proves the boundary "
           "first, checks the result itself, and imports one branch for you to review."),
        pane));
    auto *start = new NextStepRow(QStringLiteral("play"), tr("Try it on the demo repository"),
                                  tr("A scripted agent in a real sandbox; no key, no account"),
                                  tr("Run the demo task"));
    start->setPrimary(true);
    auto *open = new NextStepRow(QStringLiteral("folder"), tr("Open a repository of yours"),
                                 tr("Nothing in it is changed but for the branch that comes back"),
                                 tr("Open repository…"));
    body->addWidget(start);
    body->addWidget(open);
    pane->body()->addLayout(body);
    connect(start, &NextStepRow::clicked, this, &StartPage::demoRequested);
    connect(open, &NextStepRow::clicked, this, &StartPage::openRepositoryRequested);
    return pane;
}

StartPage::Section StartPage::addSection(QBoxLayout *column, const QString &title)
{
    Section section;
    section.pane = new Pane(title);
    section.pane->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    section.rows = new QBoxLayout(QBoxLayout::TopToBottom);
    section.rows->setSpacing(0);
    section.pane->body()->addLayout(section.rows);
    column->addWidget(section.pane);
    return section;
}

NextStepRow *StartPage::rowFor(Section *section, const QString &run)
{
    NextStepRow *&row = section->byRun[run];
    if (row == nullptr) {
        row = new NextStepRow({}, {}, {}, {});
        connect(row, &NextStepRow::clicked, this, [this, run] { Q_EMIT runRequested(run); });
    }
    return row;
}

void StartPage::fill(Section *section, const QList<RunRecord> &runs)
{
    const QList<RunRecord> shown = runs.mid(0, mostRows);
    const QStringList before = section->byRun.keys();
    for (const QString &id : before) {
        if (std::none_of(shown.cbegin(), shown.cend(),
                         [&id](const RunRecord &run) { return run.id == id; })) {
            delete section->byRun.take(id);
        }
    }
    section->pane->setVisible(!runs.isEmpty());
    section->pane->setFact(tr("%n run(s)", nullptr, static_cast<int>(runs.size())));
    const QDateTime now = QDateTime::currentDateTimeUtc();
    int place = 0;
    for (const RunRecord &run : shown) {
        NextStepRow *row = rowFor(section, run.id);
        const QString branch = run.branch.isEmpty() ? run.wantedBranch : run.branch;
        row->setTexts(displayText(run.title),
                      factText(run, now) + QStringLiteral(" · ") + displayText(branch),
                      buttonFor(run));
        row->setGlyph(glyphOf(stateOf(run)));
        row->setPrimary(section->pane == m_needs.pane && place == 0);
        if (section->rows->indexOf(row) != place) {
            section->rows->removeWidget(row);
            section->rows->insertWidget(place, row);
        }
        ++place;
    }
}

void StartPage::setRuns(const QList<RunRecord> &runs)
{
    QList<RunRecord> needs;
    QList<RunRecord> working;
    QList<RunRecord> lately;
    for (const RunRecord &run : runs) {
        (!isAtRest(run.phase) ? working : needsReader(run) ? needs : lately).append(run);
    }
    m_welcome->setVisible(runs.isEmpty());
    fill(&m_needs, needs);
    fill(&m_working, working);
    fill(&m_lately, lately);
    m_header->setFacts(runs.isEmpty()
                           ? tr("No run yet")
                           : tr("%1, %2 working")
                                 .arg(tr("%n need(s) you", nullptr, static_cast<int>(needs.size())))
                                 .arg(working.size()));
}

void StartPage::setRepositories(const QStringList &recent, const QString &open)
{
    clear(m_repositories.rows);
    if (recent.isEmpty()) {
        auto *none = makePlainLabel(tr("None opened yet."), nullptr);
        none->setContentsMargins(12, 10, 12, 10);
        m_repositories.rows->addWidget(none);
    }
    for (const QString &path : recent.mid(0, mostRows)) {
        auto *row = new NextStepRow(QStringLiteral("repository"), QFileInfo(path).fileName(),
                                    path == open ? tr("open now") : path, tr("Open"));
        m_repositories.rows->addWidget(row);
        connect(row, &NextStepRow::clicked, this,
                [this, path] { Q_EMIT repositoryRequested(path); });
    }
}

void StartPage::setDemo(Demo state)
{
    m_demo->setEnabled(state == Demo::Ready);
    m_demo->setText(state == Demo::Ready ? tr("Run the demo task") : tr("Making the demo…"));
}

} // namespace Glovebox
