// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/transcript.h"

#include "core/agents/claudetranscript.h"
#include "core/agents/codextranscript.h"
#include "core/agents/plaintranscript.h"

namespace Glovebox {

namespace {

using Maker = std::unique_ptr<TranscriptParser> (*)(const Agent &);

template<typename Parser>
std::unique_ptr<TranscriptParser> make(const Agent &agent)
{
    return std::make_unique<Parser>(agent);
}

struct Format
{
    QLatin1String id;
    Maker maker;
};

constexpr Format formats[] = {
    {QLatin1String("claude-stream-json"), make<ClaudeTranscript>},
    {QLatin1String("codex-jsonl"), make<CodexTranscript>},
    {QLatin1String("plain"), make<PlainTranscript>},
};

} // namespace

QStringList transcriptFormats()
{
    QStringList ids;
    for (const Format &format : formats) {
        ids += format.id;
    }
    return ids;
}

std::unique_ptr<TranscriptParser> makeTranscriptParser(const Agent &agent)
{
    for (const Format &format : formats) {
        if (format.id == agent.transcript) {
            return format.maker(agent);
        }
    }
    return make<PlainTranscript>(agent);
}

} // namespace Glovebox
