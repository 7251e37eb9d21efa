// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/agent.h"

#include <QDateTime>
#include <QString>

#include <memory>

namespace Glovebox {

/// One thing an agent did or said, for the event list. All texts are hostile: plain text only.
/// Control sequences are already removed; "object" is one line but for Says, Thinks and Runs.
struct AgentEvent
{
    enum class Kind { Says, Thinks, Reads, Searches, Edits, Runs, Refused, Notice, Result };
    Kind kind = Kind::Notice;
    QString object;  ///< path, command, sentence
    QString measure; ///< "exit 1", "+3 −1", "412 lines"
    QString output;  ///< what belongs below it, cut at 64 KiB
    bool failed = false;
    QString id; ///< joins the result of a tool to its call: same id = the same row, updated
};

/// What is known of a run from the transcript alone. Explains an end, never judges it. Counts of
/// a resumed session include the earlier run's.
struct AgentSummary
{
    enum class End { Unknown, Done, Failed, Budget, Turns };
    End end = End::Unknown;
    std::optional<double> costUsd;
    std::optional<qint64> inputTokens; ///< all that was sent, what came from a cache included
    std::optional<qint64> outputTokens;
    int turns = 0;
    QString session;
    QString lastWords; ///< cut at 64 KiB
    QString failure;   ///< its own words about why it failed
    int malformed = 0; ///< lines that were not understood
};

/// Reads an agent's structured output as it comes, in pieces of any size. Lines over 1 MiB, deep or
/// broken JSON are counted and skipped; numbers are range-checked.
class TranscriptParser
{
public:
    virtual ~TranscriptParser() = default;
    [[nodiscard]] virtual QList<AgentEvent> feed(const QByteArray &bytes) = 0;
    [[nodiscard]] virtual QList<AgentEvent> finish() = 0; ///< the rest without a line end
    [[nodiscard]] virtual const AgentSummary &summary() const = 0;
};

/// The parser ids there are.
[[nodiscard]] QStringList transcriptFormats();

/// By Agent::transcript; "plain" for unknown ids.
[[nodiscard]] std::unique_ptr<TranscriptParser> makeTranscriptParser(const Agent &agent);

} // namespace Glovebox
