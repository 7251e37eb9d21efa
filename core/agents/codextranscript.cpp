// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/codextranscript.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

// Seen with Codex 0.171.0 (tests/data/transcripts has whole runs). "error" events are mostly
// notices of a retry; only turn.failed, or the exit code, is final.
//   {"type":"thread.started","thread_id":"01a2…"}
//   {"type":"item.started","item":{"id":"item_1","type":"command_execution",
//    "command":"/usr/bin/bash -lc 'git status'","aggregated_output":"","exit_code":null,…}}
//   {"type":"item.completed","item":{"id":"item_1",…,"exit_code":0,"status":"completed"}}
//   {"type":"item.completed","item":{"id":"item_3","type":"file_change",
//    "changes":[{"path":"/repo/a.txt","kind":"add"}],"status":"completed"}}
//   {"type":"error","message":"Reconnecting... 1/5 (unexpected status 401 Unauthorized: …)"}
//   {"type":"turn.completed","usage":{"input_tokens":3600,"cached_input_tokens":0,
//    "output_tokens":240,…}}
//   {"type":"turn.failed","error":{"message":"…"}}

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Transcript)
};

QString textOf(const QJsonObject &object, const char *key)
{
    return object.value(QLatin1String(key)).toString();
}

/// What stands in `/usr/bin/bash -lc '…'`, for a reader; the whole where it has another form.
QString shownCommand(const QString &command)
{
    const qsizetype at = command.indexOf(QLatin1String(" -lc "));
    if (at <= 0 || at > 64 || command.left(at).contains(QLatin1Char(' '))) {
        return command;
    }
    const QString quoted = command.mid(at + 5);
    const bool isQuoted = quoted.size() >= 2 && quoted.front() == quoted.back();
    if (isQuoted && quoted.front() == QLatin1Char('\'')) {
        return quoted.sliced(1, quoted.size() - 2)
            .replace(QLatin1String("'\\''"), QLatin1String("'"));
    }
    if (isQuoted && quoted.front() == QLatin1Char('"')) {
        QString plain;
        for (qsizetype i = 1; i + 1 < quoted.size(); ++i) {
            const bool escapes = quoted.at(i) == QLatin1Char('\\') && i + 2 < quoted.size() &&
                                 QStringLiteral("\"\\$`").contains(quoted.at(i + 1));
            i += escapes ? 1 : 0;
            plain += quoted.at(i);
        }
        return plain;
    }
    return quoted;
}

/// What the service said, where the message is the service's own JSON answer.
QString readableMessage(const QString &message)
{
    const QByteArray json = message.left(TranscriptRecord::longestText).toUtf8();
    if (!json.startsWith('{') || !isFlatEnough(json, JsonLines::deepest)) {
        return message;
    }
    const QJsonObject answer = QJsonDocument::fromJson(json).object();
    const QString inner = textOf(answer.value(QLatin1String("error")).toObject(), "message");
    return inner.isEmpty() ? message : inner;
}

QStringList changedPaths(const QJsonObject &item)
{
    QStringList paths;
    for (const QJsonValue change : item.value(QLatin1String("changes")).toArray()) {
        paths += textOf(change.toObject(), "path");
    }
    return paths;
}

struct ToolLook
{
    AgentEvent::Kind kind = AgentEvent::Kind::Notice;
    QString object;
};

/// How an item that takes a while is shown; nothing for those that are only said.
std::optional<ToolLook> lookOf(const QJsonObject &item)
{
    const QString type = textOf(item, "type");
    if (type == QLatin1String("command_execution")) {
        return ToolLook{AgentEvent::Kind::Runs, shownCommand(textOf(item, "command"))};
    }
    if (type == QLatin1String("file_change")) {
        return ToolLook{AgentEvent::Kind::Edits, changedPaths(item).join(QLatin1String(", "))};
    }
    if (type == QLatin1String("web_search")) {
        return ToolLook{AgentEvent::Kind::Searches, textOf(item, "query")};
    }
    if (type == QLatin1String("mcp_tool_call")) {
        return ToolLook{AgentEvent::Kind::Runs,
                        textOf(item, "server") + QLatin1Char('.') + textOf(item, "tool")};
    }
    return std::nullopt;
}

} // namespace

CodexTranscript::CodexTranscript(const Agent &agent)
    : m_record(agent)
{
}

QList<AgentEvent> CodexTranscript::feed(const QByteArray &bytes)
{
    take(m_lines.feed(bytes));
    return m_record.takeEvents();
}

QList<AgentEvent> CodexTranscript::finish()
{
    take(m_lines.finish());
    return m_record.takeEvents();
}

void CodexTranscript::take(const QList<JsonLine> &lines)
{
    for (const JsonLine &line : lines) {
        if (line.object) {
            takeEvent(*line.object);
        } else {
            m_record.malformed(line.raw);
        }
    }
}

void CodexTranscript::takeEvent(const QJsonObject &event)
{
    const QString type = textOf(event, "type");
    const QJsonObject item = event.value(QLatin1String("item")).toObject();
    if (type == QLatin1String("thread.started")) {
        m_record.summary().session = cleanLine(textOf(event, "thread_id"));
    } else if (type == QLatin1String("item.started")) {
        takeItemStarted(item);
    } else if (type == QLatin1String("item.completed")) {
        takeItemCompleted(item);
    } else if (type == QLatin1String("error")) {
        m_record.notice(readableMessage(textOf(event, "message")));
    } else if (m_record.endOf(event) != AgentSummary::End::Unknown) {
        takeTurnEnd(event);
    }
    // Other types come with every release: they are no error and nothing is lost in the log.
}

void CodexTranscript::takeItemStarted(const QJsonObject &item)
{
    const std::optional<ToolLook> look = lookOf(item);
    if (look) {
        m_record.toolStarted(look->kind, look->object, textOf(item, "id"));
    }
}

void CodexTranscript::takeItemCompleted(const QJsonObject &item)
{
    const std::optional<ToolLook> look = lookOf(item);
    if (!look) {
        takeMessage(item, textOf(item, "type"));
        return;
    }
    const QString id = textOf(item, "id");
    if (!m_record.isOpen(id)) {
        m_record.toolStarted(look->kind, look->object, id);
    }
    TranscriptRecord::ToolEnd end;
    const QJsonValue code = item.value(QLatin1String("exit_code"));
    const QString status = textOf(item, "status");
    end.failed = status == QLatin1String("failed") || status == QLatin1String("declined") ||
                 (code.isDouble() && code.toInt() != 0);
    if (code.isDouble() && code.toInt() != 0) {
        end.measure = Tr::tr("exit %1").arg(code.toInt());
    }
    const qsizetype files = changedPaths(item).size();
    if (files > 1) {
        end.measure = Tr::tr("%n files", nullptr, static_cast<int>(files));
    }
    end.output = textOf(item, "aggregated_output");
    m_record.toolEnded(id, end);
}

void CodexTranscript::takeMessage(const QJsonObject &item, const QString &type)
{
    if (type == QLatin1String("agent_message")) {
        m_record.summary().lastWords = cleanText(textOf(item, "text"));
        m_record.says(AgentEvent::Kind::Says, textOf(item, "text"));
    } else if (type == QLatin1String("reasoning")) {
        m_record.says(AgentEvent::Kind::Thinks, textOf(item, "text"));
    } else if (type == QLatin1String("error")) {
        m_record.notice(textOf(item, "message"));
    }
}

void CodexTranscript::takeTurnEnd(const QJsonObject &event)
{
    AgentSummary &summary = m_record.summary();
    summary.end = m_record.endOf(event);
    ++summary.turns;
    if (event.contains(QLatin1String("usage"))) {
        takeUsage(event.value(QLatin1String("usage")).toObject());
    }
    if (summary.end == AgentSummary::End::Done) {
        m_record.result(summary.lastWords, summary.end);
        return;
    }
    const QJsonObject error = event.value(QLatin1String("error")).toObject();
    summary.failure = cleanText(readableMessage(textOf(error, "message")));
    m_record.result(summary.failure, summary.end);
}

/// "input_tokens" includes those from the cache.
void CodexTranscript::takeUsage(const QJsonObject &usage)
{
    const std::optional<qint64> in = countOf(usage.value(QLatin1String("input_tokens")));
    const std::optional<qint64> out = countOf(usage.value(QLatin1String("output_tokens")));
    if (!in || !out) {
        m_record.countMalformed();
        return;
    }
    AgentSummary &summary = m_record.summary();
    summary.inputTokens = summary.inputTokens.value_or(0) + *in;
    summary.outputTokens = summary.outputTokens.value_or(0) + *out;
}

} // namespace Glovebox
