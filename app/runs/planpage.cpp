// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/planpage.h"

#include "app/runs/plantable.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/fonts.h"
#include "app/widgets/glyphlabel.h"
#include "app/widgets/icon.h"
#include "app/widgets/pageheader.h"
#include "app/widgets/pane.h"
#include "app/widgets/viewstates.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace Glovebox {

namespace {

/// What a tick answers; empty for problems that no tick can settle.
QString tickText(const Problem &problem, const QStringList &variables)
{
    if (problem.code == QLatin1String("unenforced-network") ||
        problem.code == QLatin1String("network-not-enforced")) {
        return PlanPage::tr("Start although the network can't be enforced (recorded)");
    }
    if (problem.code == QLatin1String("open-network")) {
        return PlanPage::tr("Start with an open network (recorded)");
    }
    if (problem.code == QLatin1String("unconfirmed-env")) {
        return PlanPage::tr("Give the agent these variables: %1 (recorded)")
            .arg(variables.join(QStringLiteral(", ")));
    }
    return {};
}

Stages planStages(const RunPlan &plan)
{
    Stages stages;
    stages[0] = {StageState::Done, PlanPage::tr("no errors"), {}};
    stages[1] = {StageState::Waiting, PlanPage::tr("waiting for you"), {}};
    stages[2] = {
        StageState::ToCome,
        PlanPage::tr("%n command(s)", nullptr, static_cast<int>(plan.task.acceptance.size())),
        PlanPage::tr("Waits until the agent has ended.")};
    stages[3] = {StageState::ToCome, PlanPage::tr("one branch"),
                 PlanPage::tr("Waits for the checks.")};
    stages[4] = {StageState::ToCome, PlanPage::tr("you"), PlanPage::tr("Waits for the branch.")};
    return stages;
}

void clear(QBoxLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

PlanPage::PlanPage(QWidget *parent)
    : QWidget(parent)
    , m_header(new PageHeader(this))
    , m_tickColumn(new QBoxLayout(QBoxLayout::TopToBottom))
    , m_table(new PlanTable)
{
    auto *content = new QWidget;
    auto *columns = new QBoxLayout(QBoxLayout::LeftToRight, content);
    columns->setContentsMargins(16, 16, 16, 16);
    columns->setSpacing(16);
    auto *audit = new Pane(tr("Everything that goes in, once"));
    audit->setFact(tr("kept with the run"));
    audit->body()->addWidget(m_table);
    columns->addWidget(audit, 7);
    columns->addWidget(makeSide(), 3);
    m_states = new ViewStates(content, this);
    m_states->setEmpty(QStringLiteral("play"), tr("Making the plan"),
                       tr("The base is packed, nothing is created yet."), {});
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_header);
    m_tickColumn->setContentsMargins(20, 6, 20, 6);
    all->addWidget(m_states, 1);
    all->addLayout(m_tickColumn);
    all->addWidget(makeDecisionBar());
    m_header->stepper()->setShown(Stage::Build);
    connect(m_states, &ViewStates::retryRequested, this,
            [this] { Q_EMIT planAgainRequested(ticks()); });
    updateStart();
}

QWidget *PlanPage::makeSide()
{
    auto *side = new QWidget;
    auto *column = new QBoxLayout(QBoxLayout::TopToBottom, side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    const auto pane = [&](const QString &title, QBoxLayout **body) {
        auto *made = new Pane(title);
        *body = new QBoxLayout(QBoxLayout::TopToBottom);
        (*body)->setContentsMargins(12, 10, 12, 12);
        (*body)->setSpacing(8);
        made->body()->addLayout(*body);
        column->addWidget(made);
    };
    pane(tr("Before the agent starts"), &m_canaries);
    pane(tr("Limits"), &m_limits);
    auto *rules = new Pane(tr("Compiled rules"));
    m_rules = new QPlainTextEdit;
    m_rules->setReadOnly(true);
    m_rules->setFrameShape(QFrame::NoFrame);
    m_rules->setFont(codeFont(font()));
    m_rules->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_rules->setAccessibleName(tr("Compiled rules"));
    rules->body()->addWidget(m_rules);
    column->addWidget(rules, 1);
    side->setMinimumWidth(280);
    return side;
}

QWidget *PlanPage::makeDecisionBar()
{
    auto *bar = new Strip(Token::Head, Strip::Edge::Top, 52, this);
    m_state = new ElidedLabel(ElidedLabel::Size::Body, bar);
    m_state->setToken(Token::Dim);
    auto *back = new QPushButton(tr("Back to task"), bar);
    back->setFlat(true);
    m_copy = new QPushButton(themedIcon(QStringLiteral("copy")), tr("Copy as Markdown"), bar);
    m_start = new QPushButton(themedIcon(QStringLiteral("play"), Token::AccentText),
                              tr("Start run"), bar);
    m_start->setDefault(true);
    bar->row()->addWidget(m_state, 1);
    bar->row()->addWidget(back);
    bar->row()->addWidget(m_copy);
    bar->row()->addWidget(m_start);
    connect(back, &QPushButton::clicked, this, &PlanPage::backRequested);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_table->asMarkdown()); });
    connect(m_start, &QPushButton::clicked, this, &PlanPage::start);
    return bar;
}

void PlanPage::setPlanning(const QString &taskName, const PlanTicks &given)
{
    m_plan.reset();
    m_given = given;
    m_header->setTitle(tr("Plan: %1").arg(taskName));
    m_header->setFacts(tr("Nothing has been created yet."));
    m_states->clearError();
    m_states->setBusy(tr("Packing the base…"));
    m_states->showEmpty();
    offerTicks({}, {});
    updateStart();
}

void PlanPage::setPlan(const RunPlan &plan)
{
    m_plan = plan;
    m_states->setBusy({});
    m_states->clearError();
    m_states->showContent();
    m_header->setTitle(tr("Plan: %1").arg(plan.task.title));
    //: Below the title of a plan: repository and base
    m_header->setFacts(tr("%1 at %2 → %3").arg(plan.repository, plan.base().left(7), plan.branch));
    m_header->stepper()->setStages(planStages(plan));
    m_table->setRows(planRows(plan));
    fillSide(plan);
    offerTicks({}, {});
    updateStart();
}

void PlanPage::setRefused(const Error &error, const QList<Problem> &problems,
                          const QStringList &variables)
{
    m_plan.reset();
    m_states->setBusy({});
    Error shown = error;
    for (const Problem &problem : problems) {
        if (problem.severity == Severity::Error) {
            shown.detail += shown.detail.isEmpty() ? QString() : QStringLiteral("\n");
            shown.detail += problem.line > 0
                                ? tr("Line %1: %2").arg(problem.line).arg(problem.message)
                                : problem.message;
        }
    }
    m_states->setEmpty(QStringLiteral("forbidden"), tr("No plan"), tr("Nothing has been created."),
                       {});
    m_states->showError(shown);
    offerTicks(problems, variables);
    updateStart();
}

void PlanPage::offerTicks(const QList<Problem> &problems, const QStringList &variables)
{
    clear(m_tickColumn);
    m_ticks.clear();
    m_variables = variables;
    m_onlyTicksMissing = hasErrors(problems);
    for (const Problem &problem : problems) {
        const QString text = tickText(problem, variables);
        if (text.isEmpty()) {
            m_onlyTicksMissing = m_onlyTicksMissing && problem.severity != Severity::Error;
            continue;
        }
        auto *tick = new QCheckBox(text, this);
        tick->setObjectName(problem.code);
        connect(tick, &QCheckBox::toggled, this, &PlanPage::updateStart);
        m_tickColumn->addWidget(tick);
        m_ticks.append(tick);
    }
}

bool PlanPage::allTicked() const
{
    for (const QCheckBox *tick : m_ticks) {
        if (!tick->isChecked()) {
            return false;
        }
    }
    return true;
}

void PlanPage::fillSide(const RunPlan &plan)
{
    clear(m_canaries);
    clear(m_limits);
    const Glyph ring{GlyphShape::Ring, GlyphMark::None, Token::Edge};
    for (const QString &canary :
         {tr("A forbidden host must fail."), tr("An allowed host must connect."),
          tr("No secret but the named ones inside.")}) {
        m_canaries->addWidget(new GlyphLabel(ring, canary));
    }
    auto *note = makePlainLabel(tr("If one of these fails, the agent isn't started."), nullptr);
    note->setForegroundRole(QPalette::PlaceholderText);
    m_canaries->addWidget(note);
    for (const QString &limit : plan.policy.limits + plan.cannot) {
        m_limits->addWidget(new GlyphLabel(infoGlyph(), limit));
    }
    for (const QString &said : plan.notes) {
        m_limits->addWidget(new GlyphLabel(warningGlyph(), said));
    }
    if (m_limits->count() == 0) {
        m_limits->addWidget(new GlyphLabel(doneGlyph(), tr("None that this plan meets.")));
    }
    m_rules->setPlainText(plan.policy.rules.join(QLatin1Char('\n')));
}

PlanTicks PlanPage::ticks() const
{
    PlanTicks ticks = m_given;
    for (const QCheckBox *tick : m_ticks) {
        if (!tick->isChecked()) {
            continue;
        }
        if (tick->objectName() == QLatin1String("open-network")) {
            ticks.open = true;
        } else if (tick->objectName() == QLatin1String("unconfirmed-env")) {
            ticks.confirmedVariables = m_variables;
        } else {
            ticks.unenforced = true;
        }
    }
    return ticks;
}

QString PlanPage::reason() const
{
    if (m_plan) {
        return {};
    }
    if (m_states->isBusy()) {
        return tr("The plan isn't ready yet.");
    }
    if (m_onlyTicksMissing) {
        return allTicked() ? tr("Plan again with what you accepted.")
                           : tr("Tick what you accept, or change the task.");
    }
    return tr("There is no plan.");
}

bool PlanPage::canStart() const
{
    return m_plan.has_value();
}

void PlanPage::updateStart()
{
    const bool again = !m_plan && m_onlyTicksMissing;
    m_start->setText(again ? tr("Plan again") : tr("Start run"));
    m_start->setEnabled(canStart() || (again && allTicked()));
    m_copy->setEnabled(m_plan.has_value());
    m_state->setText(canStart() ? tr("Nothing has been created yet.") : reason());
}

void PlanPage::start()
{
    if (canStart()) {
        m_start->setEnabled(false); // one click starts one run
        Q_EMIT startRequested(*m_plan);
    } else if (m_onlyTicksMissing && allTicked()) {
        Q_EMIT planAgainRequested(ticks());
    }
}

} // namespace Glovebox
