// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/transcriptrecord.h"
#include "core/base/terminaltext.h"

namespace Glovebox {

/// The output of a command that has no structure: each line is something said. How it ended is not
/// known, whatever it says.
class PlainTranscript final : public TranscriptParser
{
public:
    explicit PlainTranscript(const Agent &agent);
    [[nodiscard]] QList<AgentEvent> feed(const QByteArray &bytes) override;
    [[nodiscard]] QList<AgentEvent> finish() override;
    [[nodiscard]] const AgentSummary &summary() const override { return m_record.summary(); }

    static constexpr int mostEvents = 2000; ///< the log has the rest

private:
    void take(const QList<TerminalLine> &lines);

    TranscriptRecord m_record;
    TerminalText m_terminal;
    QStringList m_lastLines;
    int m_events = 0;
};

} // namespace Glovebox
