// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/transcript.h"

#include <QHash>
#include <QJsonValue>
#include <QSet>

namespace Glovebox {

/// What all parsers share: the summary, the events that were collected, and the tools that are
/// still running. Makes every text that comes in plain and short.
class TranscriptRecord final
{
public:
    explicit TranscriptRecord(const Agent &agent);

    [[nodiscard]] QList<AgentEvent> takeEvents() { return std::exchange(m_events, {}); }
    [[nodiscard]] const AgentSummary &summary() const { return m_summary; }
    [[nodiscard]] AgentSummary &summary() { return m_summary; }

    void says(AgentEvent::Kind kind, const QString &text);
    void notice(const QString &text);
    void refused(const QString &what, const QString &why);
    void result(const QString &text, AgentSummary::End end);
    /// A tool was called. Its row stays open under \a id until toolEnded().
    void toolStarted(AgentEvent::Kind kind, const QString &object, const QString &id);

    struct ToolEnd
    {
        QString measure;
        QString output;
        bool failed = false;
    };
    /// What nobody started is left out: an answer belongs to a call.
    void toolEnded(const QString &id, const ToolEnd &end);
    [[nodiscard]] bool isOpen(const QString &id) const { return m_open.contains(id); }
    /// The open row's kind, or Notice.
    [[nodiscard]] AgentEvent::Kind kindOf(const QString &id) const;

    /// A line that was not understood: counted, and shown raw while there are few.
    void malformed(const QByteArray &raw);
    void countMalformed() { ++m_summary.malformed; }

    /// Which end \a event is by the agent file's matches; Unknown when it is none.
    [[nodiscard]] AgentSummary::End endOf(const QJsonObject &event) const;

    static constexpr int longestText = 64 * 1024; ///< characters

private:
    void noteRefusedHosts(const AgentEvent &call, const QString &output);

    QJsonObject m_done;
    QJsonObject m_failed;
    QJsonObject m_budget;
    QJsonObject m_turns;
    AgentSummary m_summary;
    QList<AgentEvent> m_events;
    QHash<QString, AgentEvent> m_open;
    QSet<QString> m_refusedHosts;
};

/// A text of the agent: cut, without control sequences.
[[nodiscard]] QString cleanText(const QString &text, int maximum = TranscriptRecord::longestText);
/// The same on one line, for what stands in a row.
[[nodiscard]] QString cleanLine(const QString &text);

/// Whole, not negative, at most 10^13.
[[nodiscard]] std::optional<qint64> countOf(const QJsonValue &value);
/// Not negative, finite, at most a million.
[[nodiscard]] std::optional<double> moneyOf(const QJsonValue &value);

/// Hosts that the output of a command says could not be reached because the network is closed, as
/// far as curl, git, npm, pip and cargo tell. \a command helps where the output names no host.
/// A hint for the reader: the words may be forged.
[[nodiscard]] QStringList refusedHosts(const QString &command, const QString &output);

} // namespace Glovebox
