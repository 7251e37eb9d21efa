// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/liveside.h"

#include "app/widgets/badge.h"
#include "app/widgets/elidedlabel.h"

#include <QBoxLayout>
#include <QFrame>
#include <QLocale>
#include <QPainter>

namespace Glovebox {

LiveSide::LiveSide(QWidget *parent)
    : QWidget(parent)
    , m_boundary(new Badge(Badge::Look::Outlined, this))
{
    auto *column = new QBoxLayout(QBoxLayout::TopToBottom, this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(6);
    m_time = addSection(column, tr("Time left"), WithMeter::Yes);
    m_spent = addSection(column, tr("Spent"), WithMeter::Yes);
    m_network = addSection(column, tr("Network"), WithMeter::No);
    column->addWidget(m_boundary, 0, Qt::AlignLeft);
    column->addSpacing(8);
    m_checkpoints = addSection(column, tr("Checkpoints"), WithMeter::No);
    m_changed = addSection(column, tr("Changed so far"), WithMeter::No);
    column->addStretch();
    setMinimumWidth(240);
}

LiveSide::Section LiveSide::addSection(QBoxLayout *column, const QString &title, WithMeter meter)
{
    Section section;
    auto *head = new QBoxLayout(QBoxLayout::LeftToRight);
    auto *name = new ElidedLabel(ElidedLabel::Size::Body, this);
    name->setText(title);
    section.value = new ElidedLabel(ElidedLabel::Size::Strong, this);
    head->addWidget(name, 1);
    head->addWidget(section.value);
    column->addLayout(head);
    if (meter == WithMeter::Yes) {
        section.meter = new Meter(this);
        column->addWidget(section.meter);
    }
    section.fact = new ElidedLabel(ElidedLabel::Size::Small, this);
    column->addWidget(section.fact);
    column->addSpacing(12);
    return section;
}

void LiveSide::updateTime(const RunView &view, const QDateTime &now)
{
    const QDateTime since = workingSince(view);
    const qint64 all = std::chrono::milliseconds(view.timeout).count();
    m_time.fact->setText(isAtRest(view.record.phase)
                             ? tr("of %1").arg(spanText(all))
                             : tr("of %1, then it stops and keeps its work").arg(spanText(all)));
    if (!since.isValid() || view.record.phase != RunPhase::Working || all == 0) {
        m_time.value->setText(view.record.phase < RunPhase::Working ? spanText(all)
                                                                    : QStringLiteral("—"));
        m_time.meter->setShare(0, tr("Time left"));
        return;
    }
    const qint64 left = qMax<qint64>(0, all - since.msecsTo(now));
    m_time.value->setText(spanText(left));
    m_time.meter->setToken(left < 5LL * 60 * 1000 ? Token::WarnMark : Token::Accent);
    m_time.meter->setShare(1.0 - double(left) / double(all),
                           tr("Time left, %1 of %2").arg(spanText(left), spanText(all)));
}

void LiveSide::updateMoney(const RunView &view)
{
    const std::optional<double> cost =
        view.record.costUsd ? view.record.costUsd : view.summary.costUsd;
    const auto tokens = [](std::optional<qint64> record, std::optional<qint64> live) {
        return QLocale().toString(record.value_or(live.value_or(0)));
    };
    //: Not known, because the agent doesn't say
    m_spent.value->setText(cost ? moneyText(*cost) : tr("not said"));
    const QString used = tr("%1 tokens in, %2 out")
                             .arg(tokens(view.record.inputTokens, view.summary.inputTokens),
                                  tokens(view.record.outputTokens, view.summary.outputTokens));
    m_spent.fact->setText(view.budgetUsd ? tr("of %1 · %2").arg(moneyText(*view.budgetUsd), used)
                                         : used);
    const double share =
        cost && view.budgetUsd && *view.budgetUsd > 0 ? *cost / *view.budgetUsd : 0;
    m_spent.meter->setToken(share > 0.9 ? Token::WarnMark : Token::Accent);
    m_spent.meter->setShare(share, tr("Spent, %1").arg(m_spent.value->text()));
}

void LiveSide::updateNetwork(const RunView &view)
{
    qint64 reached = 0;
    qint64 refused = 0;
    for (const EgressRecord &entry : view.egress) {
        (entry.allowed ? reached : refused) += 1;
    }
    m_network.value->setText(refused > 0 ? tr("%1 + %2 refused").arg(reached).arg(refused)
                                         : QString::number(reached));
    m_network.value->setToken(refused > 0 ? Token::Bad : Token::Text);
    m_network.fact->setText(tr("hosts reached or refused"));
    bool failed = false;
    for (const ProofRecord &proof : view.proofs) {
        failed = failed || (proof.tried && !proof.passed);
    }
    if (view.proofs.isEmpty()) {
        m_boundary->show({GlyphShape::Ring, GlyphMark::None, Token::Off}, tr("Not proved yet"));
    } else if (failed) {
        m_boundary->show({GlyphShape::Shield, GlyphMark::Cross, Token::Bad}, tr("Not enforced"));
    } else {
        m_boundary->show({GlyphShape::Shield, GlyphMark::Tick, Token::Ok}, tr("Enforced"));
    }
}

void LiveSide::setRun(const RunView &view, const QDateTime &now)
{
    updateTime(view, now);
    updateMoney(view);
    updateNetwork(view);
    m_checkpoints.value->setText(QString::number(view.checkpoints.size()));
    m_checkpoints.fact->setText(
        view.checkpoints.isEmpty()
            ? tr("None yet.")
            : tr("Last one %1.").arg(whenText(view.checkpoints.constLast().at, now)));
    m_changed.value->setText(
        QStringLiteral("+%1 −%2").arg(view.changes.added()).arg(view.changes.removed()));
    m_changed.fact->setText(tr("%n file(s)", nullptr, static_cast<int>(view.changes.files.size())));
}

void LiveSide::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Tokens::of(palette())[Token::Head]);
}

} // namespace Glovebox
