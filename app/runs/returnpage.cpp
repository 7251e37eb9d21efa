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
    , m_outside(new RecordTable({tr("File outside the scope")}))
{
    m_imports->setAccessibleName(tr("Quarantine"));
    m_outside->setAccessibleName(tr("Scope"));
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(16, 16, 16, 16);
    all->setSpacing(14);
    all->addWidget(m_banner);
    auto *imports = new Pane(tr("Quarantine"));
    imports->setFact(tr("checked apart from your repository, one ref taken"));
    imports->body()->addWidget(m_imports);
    all->addWidget(imports, 1);
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
    QList<RecordTable::Row> outside;
    for (const QByteArray &path : view.outOfScope) {
        outside.append(
            {{displayText(path), Glyph{GlyphShape::Disc, GlyphMark::Fence, Token::Bad}}});
    }
    m_outside->setRows(outside, tr("Every changed file is inside the task's scope."));
    const bool branch = !view.record.branch.isEmpty();
    m_banner->setMessage(branch ? doneGlyph() : glyphOf(stateOf(view.record)),
                         branch ? tr("One branch came back.") : tr("No branch came back."),
                         branch ? displayText(view.record.branch) : view.record.message);
    m_banner->setButton(branch ? tr("Review") : QString());
}

} // namespace Glovebox
