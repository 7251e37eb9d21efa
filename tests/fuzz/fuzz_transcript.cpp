// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/transcript.h"

#include <cstdint>
#include <cstdlib>

using namespace Glovebox;

namespace {

Agent agentFor(const QString &format)
{
    Agent agent;
    agent.transcript = format;
    agent.endDone = {{QStringLiteral("type"), QStringLiteral("result")}};
    agent.endFailed = {{QStringLiteral("type"), QStringLiteral("turn.failed")}};
    return agent;
}

} // namespace

/// The first byte chooses the format and where the rest is cut; the numbers of the summary stay in
/// their range.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const QStringList formats = transcriptFormats();
    if (size == 0) {
        return 0;
    }
    const QByteArray bytes(reinterpret_cast<const char *>(data + 1), qsizetype(size - 1));
    const qsizetype cut = bytes.isEmpty() ? 0 : data[0] % (bytes.size() + 1);
    const auto parser = makeTranscriptParser(agentFor(formats.at(data[0] % formats.size())));
    QList<AgentEvent> events = parser->feed(bytes.first(cut));
    events += parser->feed(bytes.sliced(cut));
    events += parser->finish();
    const AgentSummary &summary = parser->summary();
    const bool isSound = summary.costUsd.value_or(0) >= 0 && summary.inputTokens.value_or(0) >= 0 &&
                         summary.outputTokens.value_or(0) >= 0 && summary.turns >= 0;
    if (!isSound) {
        std::abort();
    }
    return 0;
}
