// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/returnpage.h"

#include "app/runs/recordtable.h"
#include "app/widgets/banner.h"
#include "app/widgets/pane.h"
#include "core/base/terminaltext.h"

#include <QBoxLayout>

namespace Glovebox {

ReturnPage::ReturnPage(QWidget *parent)
    : QWidget(parent)
    , m_banner(new Banner(Banner::Size::Outcome, this))
    , m_imports(
          new RecordTable({tr("Bundle"), tr("Verdict"), tr("Commit"), tr("Became"), tr("Reason")}))
    , m_hazards(new RecordTable({tr("Hazard"), tr("File"), tr("Commit")}))
    , m_outside(new RecordTable({tr("File outside the scope")}))
{
    m_imports->setAccessibleName(tr("Quarantine"));
    m_hazards->setAccessibleName(tr("Hazards"));
    m_outside->setAccessibleName(tr("Scope"));
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(16, 16, 16, 16);
    all->setSpacing(14);
    all->addWidget(m_banner);
    auto *imports = new Pane(tr("Quarantine"));
    imports->setFact(tr("checked apart from your repository, one ref taken"));
    imports->body()->addWidget(m_imports);
    all->addWidget(imports, 1);
    auto *hazards = new Pane(tr("Hazards"));
    hazards->setFact(tr("what to look at before you push"));
    hazards->body()->addWidget(m_hazards);
    all->addWidget(hazards, 1);
    auto *outside = new Pane(tr("Scope"));
    outside->body()->addWidget(m_outside);
    all->addWidget(outside, 1);
    connect(m_banner, &Banner::buttonClicked, this, &ReturnPage::reviewRequested);
}

void ReturnPage::setRun(const RunView &view)
{
    QList<RecordTable::Row> rows;
    for (const ImportRecord &import : view.imports) {
        const bool accepted = import.verdict == QLatin1String("accepted");
        rows.append(
            {{import.file,
              accepted ? doneGlyph() : Glyph{GlyphShape::Disc, GlyphMark::NoEntry, Token::Bad}},
             {accepted ? tr("accepted") : tr("refused")},
             {import.tip.left(7)},
             {displayText(import.reference)},
             {displayText(import.reason)}});
    }
    m_imports->setRows(rows, tr("Nothing was imported."));
    setHazards(view);
    setOutside(view);
    const bool branch = !view.record.branch.isEmpty();
    m_banner->setMessage(branch ? doneGlyph() : glyphOf(stateOf(view.record)),
                         branch ? tr("One branch came back.") : tr("No branch came back."),
                         branch ? displayText(view.record.branch) : view.record.message);
    m_banner->setButton(branch ? tr("Review") : QString());
}

void ReturnPage::setHazards(const RunView &view)
{
    QList<RecordTable::Row> rows;
    for (const HazardRecord &hazard : view.hazards) {
        rows.append({{displayText(hazard.reason), warningGlyph()},
                     {displayText(hazard.path)},
                     {hazard.commit.left(7)}});
    }
    m_hazards->setRows(rows, view.imports.isEmpty() ? tr("Nothing was imported.")
                                                    : tr("None was found in what came back."));
}

void ReturnPage::setOutside(const RunView &view)
{
    QList<RecordTable::Row> rows;
    for (const QByteArray &path : view.outOfScope.value_or(QList<QByteArray>())) {
        rows.append({{displayText(path), Glyph{GlyphShape::Disc, GlyphMark::Fence, Token::Bad}}});
    }
    QString none = tr("Every changed file is inside the task's scope.");
    if (view.record.branch.isEmpty()) {
        none = tr("Nothing was imported.");
    } else if (!view.outOfScope) {
        none = tr("The changes haven't been read. The review says why where they can't be.");
    }
    m_outside->setRows(rows, none);
}

} // namespace Glovebox
