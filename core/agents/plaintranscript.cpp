// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/plaintranscript.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Transcript)
};

constexpr int lastLinesKept = 20;
constexpr int longestLastLine = 2000;

} // namespace

PlainTranscript::PlainTranscript(const Agent &agent)
    : m_record(agent)
{
}

QList<AgentEvent> PlainTranscript::feed(const QByteArray &bytes)
{
    take(m_terminal.feed(bytes));
    return m_record.takeEvents();
}

QList<AgentEvent> PlainTranscript::finish()
{
    take(m_terminal.finish());
    return m_record.takeEvents();
}

void PlainTranscript::take(const QList<TerminalLine> &lines)
{
    for (const TerminalLine &line : lines) {
        if (line.text.trimmed().isEmpty()) {
            continue;
        }
        m_lastLines += line.text.left(longestLastLine);
        if (m_lastLines.size() > lastLinesKept) {
            m_lastLines.removeFirst();
        }
        if (++m_events < mostEvents) {
            m_record.says(AgentEvent::Kind::Says, line.text);
        } else if (m_events == mostEvents) {
            m_record.notice(Tr::tr("There is more: see the log."));
        }
    }
    m_record.summary().lastWords = m_lastLines.join(QLatin1Char('\n'));
}

} // namespace Glovebox
