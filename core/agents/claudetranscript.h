// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/jsonlines.h"
#include "core/agents/transcriptrecord.h"

namespace Glovebox {

/// What `claude -p --output-format stream-json --verbose` prints.
class ClaudeTranscript final : public TranscriptParser
{
public:
    explicit ClaudeTranscript(const Agent &agent);
    [[nodiscard]] QList<AgentEvent> feed(const QByteArray &bytes) override;
    [[nodiscard]] QList<AgentEvent> finish() override;
    [[nodiscard]] const AgentSummary &summary() const override { return m_record.summary(); }

private:
    void take(const QList<JsonLine> &lines);
    void takeEvent(const QJsonObject &event);
    void takeSystem(const QJsonObject &event);
    void takeRetry(const QJsonObject &event);
    void takeAssistant(const QJsonObject &event);
    void takeToolUse(const QJsonObject &block);
    void takeUser(const QJsonObject &event);
    void takeToolResult(const QJsonObject &block, const QJsonValue &details);
    void countUsage(const QJsonObject &message);
    void takeResult(const QJsonObject &event);
    void takeFinalTokens(const QJsonObject &models);

    JsonLines m_lines;
    TranscriptRecord m_record;
    QSet<QString> m_countedMessages;
};

} // namespace Glovebox
