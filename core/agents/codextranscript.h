// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/jsonlines.h"
#include "core/agents/transcriptrecord.h"

namespace Glovebox {

/// What `codex exec --json` prints. It tells no price, so the cost stays unknown.
class CodexTranscript final : public TranscriptParser
{
public:
    explicit CodexTranscript(const Agent &agent);
    [[nodiscard]] QList<AgentEvent> feed(const QByteArray &bytes) override;
    [[nodiscard]] QList<AgentEvent> finish() override;
    [[nodiscard]] const AgentSummary &summary() const override { return m_record.summary(); }

private:
    void take(const QList<JsonLine> &lines);
    void takeEvent(const QJsonObject &event);
    void takeItemStarted(const QJsonObject &item);
    void takeItemCompleted(const QJsonObject &item);
    void takeMessage(const QJsonObject &item, const QString &type);
    void takeUsage(const QJsonObject &usage);
    void takeTurnEnd(const QJsonObject &event);

    JsonLines m_lines;
    TranscriptRecord m_record;
};

} // namespace Glovebox
