// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/finishedpage.h"

#include "app/runs/logview.h"
#include "app/runs/recordtable.h"
#include "app/widgets/badge.h"
#include "app/widgets/banner.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/glyphlabel.h"
#include "app/widgets/icon.h"
#include "app/widgets/nextsteprow.h"
#include "app/widgets/pane.h"
#include "app/widgets/visibletext.h"
#include "core/base/terminaltext.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>

namespace Glovebox {

namespace {

// So that they leave room for the output in the smallest window.
constexpr int mostWarnings = 4;
constexpr int longestWarning = 240;

const QList<Subject> &subjects()
{
    static const QList<Subject> all{Subject::Base, Subject::Branch, Subject::BranchWithBaseTests};
    return all;
}

void clear(QBoxLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

/// Whether another text of the task is what mends it; else it is the machine, the backend or us.
bool isForTheTask(std::optional<Outcome> outcome)
{
    if (!outcome) {
        return false;
    }
    switch (*outcome) {
    case Outcome::SandboxError:
    case Outcome::AgentError:
    case Outcome::ImportRefused:
    case Outcome::Interrupted:
    case Outcome::Cancelled:
    case Outcome::Accepted:
        return false;
    default:
        return true;
    }
}

QString bannerStart(const RunRecord &record)
{
    if (!record.outcome) {
        return FinishedPage::tr("This run hasn't ended.");
    }
    return outcomeText(*record.outcome) + QLatin1Char('.');
}

} // namespace

FinishedPage::FinishedPage(QWidget *parent)
    : QWidget(parent)
    , m_banner(new Banner(Banner::Size::Outcome, this))
    , m_badge(new Badge(Badge::Look::Outlined))
{
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(16, 16, 16, 16);
    all->setSpacing(14);
    m_banner->setTrailing(m_badge);
    all->addWidget(m_banner);
    auto *columns = new QBoxLayout(QBoxLayout::LeftToRight);
    columns->setSpacing(14);
    columns->addWidget(makeLeft(), 67);
    columns->addWidget(makeRight(), 33);
    all->addLayout(columns, 1);
}

QWidget *FinishedPage::makeLeft()
{
    auto *left = new QWidget;
    auto *column = new QBoxLayout(QBoxLayout::TopToBottom, left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(14);
    auto *evidence = new Pane(tr("Evidence"));
    evidence->setFact(tr("measured by the harness, not by the agent"));
    QStringList heads{tr("Command")};
    for (const Subject subject : subjects()) {
        heads.append(subjectText(subject));
    }
    m_evidence = new RecordTable(heads);
    m_evidence->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_evidence->setSelectionMode(QAbstractItemView::SingleSelection);
    m_evidence->setAccessibleName(tr("Evidence"));
    evidence->body()->addWidget(m_evidence);
    column->addWidget(evidence, 0);
    m_warningsPane = new Pane(tr("Warnings"));
    m_warnings = new QBoxLayout(QBoxLayout::TopToBottom);
    m_warnings->setContentsMargins(12, 10, 12, 12);
    m_warnings->setSpacing(8);
    m_warningsPane->body()->addLayout(m_warnings);
    column->addWidget(m_warningsPane, 0);
    m_outputPane = new Pane(tr("Output"));
    m_output = new LogView;
    m_outputPane->body()->addWidget(m_output);
    column->addWidget(m_outputPane, 1);
    connect(m_evidence, &QTableWidget::currentCellChanged, this,
            [this](int row, int cell, int, int) { showOutput(row, cell); });
    return left;
}

QWidget *FinishedPage::makeRight()
{
    auto *right = new QWidget;
    auto *column = new QBoxLayout(QBoxLayout::TopToBottom, right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(14);
    auto *next = new Pane(tr("What to do next"));
    m_steps = new QBoxLayout(QBoxLayout::TopToBottom);
    m_steps->setSpacing(0);
    next->body()->addLayout(m_steps);
    column->addWidget(next);
    auto *words = new Pane(tr("The agent's last words"));
    words->setFact(tr("not evidence"));
    auto *body = new QBoxLayout(QBoxLayout::TopToBottom);
    body->setContentsMargins(12, 12, 12, 12);
    body->setSpacing(8);
    m_words = makePlainLabel({}, words);
    m_facts = new QBoxLayout(QBoxLayout::TopToBottom);
    m_facts->setSpacing(4);
    body->addWidget(m_words);
    body->addLayout(m_facts);
    body->addStretch();
    words->body()->addLayout(body);
    column->addWidget(words, 1);
    right->setMinimumWidth(280);
    return right;
}

void FinishedPage::setRun(const RunView &view)
{
    m_view = view;
    updateBanner(view);
    updateWarnings(view);
    updateEvidence(view);
    updateNext(view);
    updateWords(view);
}

void FinishedPage::updateBanner(const RunView &view)
{
    const RunState state = stateOf(view.record);
    Glyph glyph = glyphOf(state == RunState::ReadyForReview ? RunState::Accepted : state);
    m_banner->setMessage(glyph, bannerStart(view.record), visibleLines(view.record.message));
    m_badge->setVisible(!view.evidence.isEmpty());
    for (const Evidence &evidence : view.evidence) {
        if (evidence.subject != Subject::Branch) {
            continue;
        }
        const bool stale = !view.record.tip.isEmpty() && evidence.commit != view.record.tip;
        const QString commit = evidence.commit.left(7);
        const QString text =
            stale ? tr("For %1; branch is now %2").arg(commit, view.record.tip.left(7))
                  : tr("%1 · %2 · %3")
                        .arg(evidence.passed() ? tr("Passed") : tr("Failed"),
                             endText(evidence.result), commit);
        m_badge->show(glyphOf(evidence), text,
                      stale ? Badge::Validity::Stale : Badge::Validity::Current);
        if (!evidence.passed()) {
            break; // the worst one speaks for all
        }
    }
}

void FinishedPage::updateWarnings(const RunView &view)
{
    clear(m_warnings);
    for (const QString &warning : view.warnings.mid(0, mostWarnings)) {
        const QString cut = warning.size() > longestWarning
                                ? warning.left(longestWarning) + QChar(0x2026)
                                : warning;
        auto *line = new GlyphLabel(warningGlyph(), visibleLines(cut));
        line->setToolTip(visibleLines(warning).toHtmlEscaped());
        m_warnings->addWidget(line);
    }
    const auto left = view.warnings.size() - mostWarnings;
    if (left > 0) {
        m_warnings->addWidget(new GlyphLabel(
            infoGlyph(), tr("%n more warning(s) in report.json in the folder of the run.", nullptr,
                            static_cast<int>(left))));
    }
    if (!view.hazards.isEmpty()) {
        m_warnings->addWidget(new GlyphLabel(
            warningGlyph(), tr("What came back holds %n hazard(s). Return lists them.", nullptr,
                               static_cast<int>(view.hazards.size()))));
    }
    m_warningsPane->setVisible(m_warnings->count() > 0);
}

void FinishedPage::updateEvidence(const RunView &view)
{
    QStringList checks;
    for (const Evidence &evidence : view.evidence) {
        if (!checks.contains(evidence.check)) {
            checks.append(evidence.check);
        }
    }
    QList<RecordTable::Row> rows;
    m_cells.clear();
    for (const QString &check : checks) {
        RecordTable::Row row{{displayText(check)}};
        QList<int> indexes;
        for (const Subject subject : subjects()) {
            int found = -1;
            for (int index = 0; index < view.evidence.size(); ++index) {
                const Evidence &evidence = view.evidence.at(index);
                found = evidence.check == check && evidence.subject == subject ? index : found;
            }
            indexes.append(found);
            if (found < 0) {
                row.append({tr("not run"), Glyph{GlyphShape::Ring, GlyphMark::None, Token::Edge}});
                continue;
            }
            const Evidence &evidence = view.evidence.at(found);
            row.append({tr("%1 · %2").arg(endText(evidence.result),
                                          spanText(evidence.result.duration.count())),
                        glyphOf(evidence)});
        }
        rows.append(row);
        m_cells.append(indexes);
    }
    m_evidence->setRows(rows, tr("No check was run."));
    const int wanted =
        m_evidence->horizontalHeader()->height() + 4 +
        qMax(1, static_cast<int>(rows.size())) * m_evidence->verticalHeader()->defaultSectionSize();
    m_evidence->setFixedHeight(qMin(wanted, 260));
    if (rows.isEmpty()) {
        showOutput(-1, -1);
    } else {
        m_evidence->setCurrentCell(0, 2);
    }
}

void FinishedPage::showOutput(int row, int column)
{
    const int index = m_cells.value(row).value(column - 1, -1);
    if (!m_view.blockedText.isEmpty() && index < 0) {
        m_outputPane->setFact(QStringLiteral("BLOCKED.md"));
        m_output->setSource({{}, 0, -1, m_view.blockedText.toUtf8()});
        return;
    }
    if (index < 0) {
        m_outputPane->setFact(tr("of the agent"));
        m_output->setSource({m_view.agentLog, 0, -1, {}});
        return;
    }
    const Evidence &evidence = m_view.evidence.at(index);
    //: Head of the output pane: the command and the commit it ran on
    m_outputPane->setFact(tr("%1 on %2").arg(displayText(evidence.line), evidence.commit.left(7)));
    m_output->setSource({m_view.folder + QLatin1Char('/') + evidence.log, 0, -1, {}});
}

void FinishedPage::addStep(NextStep step, const QString &icon, const QString &what,
                           const QString &effect, const QString &button)
{
    auto *row = new NextStepRow(icon, what, effect, button);
    row->setPrimary(m_offered.isEmpty());
    m_steps->addWidget(row);
    m_offered.append(step);
    connect(row, &NextStepRow::clicked, this, [this, step] { Q_EMIT stepRequested(step); });
}

void FinishedPage::updateNext(const RunView &view)
{
    clear(m_steps);
    m_offered.clear();
    if (view.record.outcome) {
        auto *said = makePlainLabel(nextStepText(*view.record.outcome), nullptr);
        said->setContentsMargins(12, 10, 12, 10);
        m_steps->addWidget(said);
    }
    const RunActions actions = actionsFor(view);
    if (actions.review) {
        addStep(NextStep::Review, QStringLiteral("eye"), tr("Review what came back"),
                tr("%n file(s)", nullptr, static_cast<int>(view.changes.files.size())),
                tr("Review"));
    }
    const bool accepted = view.record.outcome == Outcome::Accepted;
    const bool taskIsToBlame = isForTheTask(view.record.outcome);
    if (!accepted && taskIsToBlame) {
        addEdit(tr("Say what was missing"));
    }
    if (actions.runAgain) {
        addStep(NextStep::RunAgain, QStringLiteral("refresh"), tr("Run it again"),
                tr("A new branch from the base"), tr("Run again…"));
    }
    addStep(NextStep::ShowLog, QStringLiteral("terminal"), tr("Read the whole log"),
            tr("What the agent printed"), tr("Show log"));
    if (!accepted && !taskIsToBlame) {
        addEdit(tr("To ask for something else"));
    }
}

void FinishedPage::addEdit(const QString &why)
{
    addStep(NextStep::EditTask, QStringLiteral("pencil"), tr("Edit the task"), why,
            tr("Edit task"));
}

void FinishedPage::addFact(const QString &name, const QString &value)
{
    auto *line = new QWidget;
    auto *row = new QBoxLayout(QBoxLayout::LeftToRight, line);
    row->setContentsMargins(0, 0, 0, 0);
    auto *what = new ElidedLabel(ElidedLabel::Size::Small);
    what->setText(name);
    what->setFixedWidth(84);
    auto *said = new ElidedLabel(ElidedLabel::Size::Body);
    said->setText(value);
    row->addWidget(what);
    row->addWidget(said, 1);
    m_facts->addWidget(line);
}

void FinishedPage::updateWords(const RunView &view)
{
    const QString words =
        view.summary.lastWords.isEmpty() ? view.summary.failure : view.summary.lastWords;
    m_words->setText(words.isEmpty() ? tr("It said nothing.")
                                     : QStringLiteral("“%1”").arg(visibleLines(words.left(1500))));
    clear(m_facts);
    addFact(tr("Spent"), view.record.costUsd ? moneyText(*view.record.costUsd) : tr("not said"));
    addFact(tr("Tokens"), tr("%1 in, %2 out")
                              .arg(QLocale().toString(view.record.inputTokens.value_or(0)),
                                   QLocale().toString(view.record.outputTokens.value_or(0))));
    qint64 refused = 0;
    for (const EgressRecord &entry : view.egress) {
        refused += entry.allowed ? 0 : 1;
    }
    addFact(tr("Network"), tr("%1, %2 refused")
                               .arg(tr("%n host(s) reached", nullptr,
                                       static_cast<int>(view.egress.size() - refused)))
                               .arg(refused));
    addFact(tr("Sandbox"), view.sandboxes.isEmpty() ? tr("deleted and checked")
                                                    : tr("%n still listed", nullptr,
                                                         static_cast<int>(view.sandboxes.size())));
}

} // namespace Glovebox
