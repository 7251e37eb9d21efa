// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/eventlist.h"

#include "app/widgets/fonts.h"
#include "app/widgets/icon.h"
#include "app/widgets/visibletext.h"
#include "core/base/terminaltext.h"

#include <QPainter>

namespace Glovebox {

namespace {

constexpr int openLines = 12; ///< of the output below a row
constexpr int textColumn = 190;

QString iconOf(AgentEvent::Kind kind)
{
    switch (kind) {
    case AgentEvent::Kind::Says:
    case AgentEvent::Kind::Thinks:
        return QStringLiteral("message");
    case AgentEvent::Kind::Reads:
        return QStringLiteral("document");
    case AgentEvent::Kind::Searches:
        return QStringLiteral("search");
    case AgentEvent::Kind::Edits:
        return QStringLiteral("pencil");
    case AgentEvent::Kind::Runs:
        return QStringLiteral("terminal");
    case AgentEvent::Kind::Refused:
        return QStringLiteral("forbidden");
    case AgentEvent::Kind::Notice:
        return QStringLiteral("info");
    case AgentEvent::Kind::Result:
        return QStringLiteral("branch");
    }
    Q_UNREACHABLE();
}

bool isCode(AgentEvent::Kind kind)
{
    return kind == AgentEvent::Kind::Reads || kind == AgentEvent::Kind::Edits ||
           kind == AgentEvent::Kind::Runs || kind == AgentEvent::Kind::Searches ||
           kind == AgentEvent::Kind::Refused;
}

QStringList outputLines(const QString &output)
{
    QStringList lines = output.left(64LL * 1024).split(QLatin1Char('\n'));
    while (!lines.isEmpty() && lines.constLast().trimmed().isEmpty()) {
        lines.removeLast();
    }
    const qsizetype all = lines.size();
    if (all > openLines) {
        lines = lines.mid(0, openLines);
        lines.append(EventListModel::tr("%n more line(s) in the log", nullptr,
                                        static_cast<int>(all - openLines)));
    }
    return lines;
}

QString oneLine(const QString &text)
{
    return displayText(text.left(2000).simplified());
}

} // namespace

QString verbOf(AgentEvent::Kind kind)
{
    switch (kind) {
    case AgentEvent::Kind::Says:
        return EventListModel::tr("Says");
    case AgentEvent::Kind::Thinks:
        return EventListModel::tr("Thinks");
    case AgentEvent::Kind::Reads:
        return EventListModel::tr("Reads");
    case AgentEvent::Kind::Searches:
        return EventListModel::tr("Searches");
    case AgentEvent::Kind::Edits:
        return EventListModel::tr("Edits");
    case AgentEvent::Kind::Runs:
        return EventListModel::tr("Runs");
    case AgentEvent::Kind::Refused:
        return EventListModel::tr("Refused");
    case AgentEvent::Kind::Notice:
        return EventListModel::tr("Notes");
    case AgentEvent::Kind::Result:
        return EventListModel::tr("Ends");
    }
    Q_UNREACHABLE();
}

void EventListModel::setEvents(const QList<TimedEvent> &events)
{
    beginResetModel();
    m_events = events;
    m_toggled.clear();
    endResetModel();
}

void EventListModel::replaceFrom(int first, const QList<TimedEvent> &events)
{
    const int known = static_cast<int>(m_events.size());
    if (first > known) {
        return; // the rows above come with the whole list
    }
    const int updated = std::min(known - first, static_cast<int>(events.size()));
    for (int index = 0; index < updated; ++index) {
        m_events[first + index] = events.at(index);
    }
    if (updated > 0) {
        Q_EMIT dataChanged(index(first), index(first + updated - 1));
    }
    const QList<TimedEvent> fresh = events.mid(updated);
    if (fresh.isEmpty()) {
        return;
    }
    beginInsertRows({}, known, known + static_cast<int>(fresh.size()) - 1);
    m_events += fresh;
    endInsertRows();
}

bool EventListModel::isOpen(int row) const
{
    const AgentEvent &event = m_events.at(row).event;
    if (event.output.trimmed().isEmpty()) {
        return false;
    }
    return event.failed != m_toggled.contains(row); // failures open by themselves
}

void EventListModel::toggle(const QModelIndex &index)
{
    if (!index.isValid()) {
        return;
    }
    if (!m_toggled.remove(index.row())) {
        m_toggled.insert(index.row());
    }
    Q_EMIT dataChanged(index, index, {OpenRole, Qt::SizeHintRole});
}

int EventListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

QVariant EventListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const TimedEvent &event = m_events.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return oneLine(event.event.object);
    case Qt::AccessibleTextRole: {
        //: An event read aloud: verb, object, measure
        const QString text = tr("%1 %2, %3")
                                 .arg(verbOf(event.event.kind), oneLine(event.event.object),
                                      displayText(event.event.measure));
        return event.event.failed ? tr("%1, failed").arg(text) : text;
    }
    case TimeRole:
        return event.at.isValid() ? event.at.toLocalTime().toString(QStringLiteral("hh:mm:ss"))
                                  : QString();
    case VerbRole:
        return verbOf(event.event.kind);
    case OpenRole:
        return isOpen(index.row());
    default:
        return {};
    }
}

QSize EventDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    int height = rowHeight(option.font, 30);
    if (index.data(EventListModel::OpenRole).toBool()) {
        const auto *model = qobject_cast<const EventListModel *>(index.model());
        const auto lines = outputLines(model->at(index.row()).event.output).size();
        height += static_cast<int>(lines) * QFontMetrics(codeFont(option.font)).lineSpacing() + 24;
    }
    return {300, height};
}

void EventDelegate::paintOutput(QPainter *painter, const QStyleOptionViewItem &option,
                                const QRect &area, const QString &output) const
{
    const Tokens &t = Tokens::of(option.palette);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(t[Token::Line], 1));
    painter->setBrush(t[Token::Alt]);
    painter->drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    const QFont code = codeFont(option.font);
    painter->setFont(code);
    painter->setPen(t[Token::Text]);
    const int spacing = QFontMetrics(code).lineSpacing();
    QRect line = area.adjusted(10, 6, -10, 0);
    line.setHeight(spacing);
    for (const QString &text : outputLines(output)) {
        painter->drawText(line, Qt::AlignVCenter | Qt::TextSingleLine,
                          QFontMetrics(code).elidedText(VisibleText::of(text.left(2000)).shown(),
                                                        Qt::ElideRight, line.width()));
        line.translate(0, spacing);
    }
}

void EventDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    const auto *model = qobject_cast<const EventListModel *>(index.model());
    const AgentEvent &event = model->at(index.row()).event;
    const Tokens &t = Tokens::of(option.palette);
    const bool refused = event.kind == AgentEvent::Kind::Refused;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    QRect row = option.rect;
    row.setHeight(rowHeight(option.font, 30));
    painter->fillRect(option.rect, t[Token::Base]);
    painter->fillRect(row, selected  ? t[Token::Soft]
                           : refused ? t[Token::BadSoft]
                                     : t[Token::Base]);
    const QFont code = codeFont(option.font);
    painter->setFont(code);
    painter->setPen(t[Token::Dim]);
    painter->drawText(row.adjusted(14, 0, 0, 0), Qt::AlignVCenter,
                      index.data(EventListModel::TimeRole).toString());
    const QRect mark(row.left() + 84, row.top() + (row.height() - 14) / 2, 14, 14);
    if (event.failed) {
        paintGlyph(painter, mark, failedGlyph(), t);
    } else {
        paintIcon(painter, mark, iconOf(event.kind), refused ? t[Token::Bad] : t[Token::Dim], 14);
    }
    painter->setFont(option.font);
    painter->setPen(refused ? t[Token::Bad] : t[Token::Dim]);
    painter->drawText(row.adjusted(108, 0, 0, 0), Qt::AlignVCenter, verbOf(event.kind));
    QRect text = row.adjusted(textColumn, 0, -14, 0);
    const QFont small = smallFont(option.font);
    const QString measure = Glovebox::displayText(event.measure.left(200));
    painter->setFont(small);
    painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, measure);
    text.setRight(text.right() - QFontMetrics(small).horizontalAdvance(measure) - 12);
    const QFont object = isCode(event.kind) ? code : option.font;
    painter->setFont(object);
    painter->setPen(selected ? t[Token::SoftText] : t[Token::Text]);
    painter->drawText(
        text, Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetrics(object).elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    if (model->isOpen(index.row())) {
        paintOutput(painter, option,
                    option.rect.adjusted(textColumn - 12, row.height() + 2, -14, -8), event.output);
    }
    painter->restore();
}

} // namespace Glovebox
