// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/claudetranscript.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <re2/re2.h>

// Seen with Claude Code 2.1.332, cut down to what is read here (tests/data/transcripts has whole
// ones). Several assistant lines share one message id: its usage counts once.
//   {"type":"system","subtype":"init","session_id":"…","model":"…","claude_code_version":"2.1.332"}
//   {"type":"assistant","message":{"id":"msg_1","content":[{"type":"tool_use","id":"toolu_1",
//    "name":"Bash","input":{"command":"git status"}}],"usage":{"input_tokens":1200,…}}}
//   {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1",
//    "content":"Exit code 3\none","is_error":true}]},"tool_use_result":…}
//   {"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":529,…}
//   {"type":"system","subtype":"permission_denied","tool_name":"Write","message":"…"}
//   {"type":"result","subtype":"success","is_error":false,"total_cost_usd":0.0192,"num_turns":4,
//    "modelUsage":{"MODEL":{"inputTokens":3600,"outputTokens":240,…}},"result":"Done: …"}

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Transcript)
};

/// More messages than this would be no run of hours but a flood.
constexpr int mostMessages = 100'000;

QString textOf(const QJsonValue &object, const char *key)
{
    return object.toObject().value(QLatin1String(key)).toString();
}

struct ToolLook
{
    AgentEvent::Kind kind = AgentEvent::Kind::Runs;
    const char *key = ""; // of its input: what the row is about
};

ToolLook lookOf(const QString &tool)
{
    using Kind = AgentEvent::Kind;
    static const QHash<QString, ToolLook> looks = {
        {QStringLiteral("Bash"), {Kind::Runs, "command"}},
        {QStringLiteral("Read"), {Kind::Reads, "file_path"}},
        {QStringLiteral("Edit"), {Kind::Edits, "file_path"}},
        {QStringLiteral("MultiEdit"), {Kind::Edits, "file_path"}},
        {QStringLiteral("Write"), {Kind::Edits, "file_path"}},
        {QStringLiteral("NotebookEdit"), {Kind::Edits, "notebook_path"}},
        {QStringLiteral("Glob"), {Kind::Searches, "pattern"}},
        {QStringLiteral("Grep"), {Kind::Searches, "pattern"}},
        {QStringLiteral("LS"), {Kind::Searches, "path"}},
        {QStringLiteral("WebSearch"), {Kind::Searches, "query"}},
        {QStringLiteral("ToolSearch"), {Kind::Searches, "query"}},
        {QStringLiteral("WebFetch"), {Kind::Reads, "url"}},
        {QStringLiteral("Task"), {Kind::Runs, "description"}},
        {QStringLiteral("Agent"), {Kind::Runs, "description"}},
    };
    return looks.value(tool);
}

/// The text of a tool's answer: a string, or a list of blocks.
QString answerText(const QJsonValue &content)
{
    if (content.isString()) {
        return content.toString();
    }
    QStringList texts;
    for (const QJsonValue block : content.toArray()) {
        if (textOf(block, "type") == QLatin1String("text")) {
            texts += textOf(block, "text");
        }
    }
    return texts.join(QLatin1Char('\n'));
}

/// "+3 −1" from the lines of the patch, or from a new file's own lines.
QString editMeasure(const QJsonObject &details)
{
    qsizetype added = 0;
    qsizetype removed = 0;
    for (const QJsonValue hunk : details.value(QLatin1String("structuredPatch")).toArray()) {
        for (const QJsonValue line : hunk.toObject().value(QLatin1String("lines")).toArray()) {
            added += line.toString().startsWith(QLatin1Char('+')) ? 1 : 0;
            removed += line.toString().startsWith(QLatin1Char('-')) ? 1 : 0;
        }
    }
    if (details.value(QLatin1String("type")) == QLatin1String("create")) {
        const QString content = details.value(QLatin1String("content")).toString();
        added = content.count(QLatin1Char('\n')) +
                (content.isEmpty() || content.endsWith(QLatin1Char('\n')) ? 0 : 1);
    }
    if (added == 0 && removed == 0) {
        return {};
    }
    return QStringLiteral("+%1 \u2212%2").arg(added).arg(removed);
}

QString readMeasure(const QJsonObject &details)
{
    const std::optional<qint64> lines =
        countOf(details.value(QLatin1String("file")).toObject().value(QLatin1String("totalLines")));
    return lines ? Tr::tr("%n lines", nullptr, static_cast<int>(qMin<qint64>(*lines, 1 << 30)))
                 : QString();
}

/// A command that failed answers with its code in the first line, which becomes the measure.
QString takeExitCode(QString *answer)
{
    static const RE2 pattern("^(Exit code ([0-9]{1,3})(?:\n|$))");
    const std::string beginning = answer->left(64).toStdString();
    std::string line;
    int code = 0;
    if (!RE2::PartialMatch(beginning, pattern, &line, &code)) {
        return {};
    }
    answer->remove(0, static_cast<qsizetype>(line.size()));
    return Tr::tr("exit %1").arg(code);
}

/// All that was sent: fresh, read from the cache and written to it.
std::optional<qint64> sumOf(const QJsonObject &usage, std::initializer_list<const char *> keys)
{
    qint64 sum = 0;
    for (const char *key : keys) {
        const QJsonValue value = usage.value(QLatin1String(key));
        if (value.isUndefined() || value.isNull()) {
            continue;
        }
        const std::optional<qint64> count = countOf(value);
        if (!count) {
            return std::nullopt;
        }
        sum += *count;
    }
    return sum;
}

} // namespace

ClaudeTranscript::ClaudeTranscript(const Agent &agent)
    : m_record(agent)
{
}

QList<AgentEvent> ClaudeTranscript::feed(const QByteArray &bytes)
{
    take(m_lines.feed(bytes));
    return m_record.takeEvents();
}

QList<AgentEvent> ClaudeTranscript::finish()
{
    take(m_lines.finish());
    return m_record.takeEvents();
}

void ClaudeTranscript::take(const QList<JsonLine> &lines)
{
    for (const JsonLine &line : lines) {
        if (line.object) {
            takeEvent(*line.object);
        } else {
            m_record.malformed(line.raw);
        }
    }
}

void ClaudeTranscript::takeEvent(const QJsonObject &event)
{
    const QString type = textOf(event, "type");
    if (type == QLatin1String("system")) {
        takeSystem(event);
    } else if (type == QLatin1String("assistant")) {
        takeAssistant(event);
    } else if (type == QLatin1String("user")) {
        takeUser(event);
    } else if (type == QLatin1String("result")) {
        takeResult(event);
    } else if (type == QLatin1String("rate_limit_event")) {
        const QString status = textOf(event.value(QLatin1String("rate_limit_info")), "status");
        if (!status.isEmpty() && status != QLatin1String("allowed")) {
            m_record.notice(Tr::tr("Rate limit: %1").arg(status));
        }
    }
    // Other types come with every release: they are no error and nothing is lost in the log.
}

void ClaudeTranscript::takeSystem(const QJsonObject &event)
{
    const QString subtype = textOf(event, "subtype");
    if (subtype == QLatin1String("init")) {
        m_record.summary().session = cleanLine(textOf(event, "session_id"));
        m_record.notice(Tr::tr("Claude Code %1 with %2")
                            .arg(textOf(event, "claude_code_version"), textOf(event, "model")));
    } else if (subtype == QLatin1String("api_retry")) {
        takeRetry(event);
    } else if (subtype == QLatin1String("permission_denied")) {
        m_record.refused(textOf(event, "tool_name"), textOf(event, "message"));
    }
}

void ClaudeTranscript::takeRetry(const QJsonObject &event)
{
    const std::optional<qint64> status = countOf(event.value(QLatin1String("error_status")));
    const QString attempt = QString::number(event.value(QLatin1String("attempt")).toInt());
    const QString most = QString::number(event.value(QLatin1String("max_retries")).toInt());
    if (!status) {
        m_record.notice(
            Tr::tr("The model's host did not answer. Try %1 of %2 follows.").arg(attempt, most));
        return;
    }
    m_record.notice(Tr::tr("The model answered %1 (%2). Try %3 of %4 follows.")
                        .arg(QString::number(*status), textOf(event, "error"), attempt, most));
}

void ClaudeTranscript::takeAssistant(const QJsonObject &event)
{
    const QJsonObject message = event.value(QLatin1String("message")).toObject();
    countUsage(message);
    const bool isFailure = event.contains(QLatin1String("error"));
    for (const QJsonValue value : message.value(QLatin1String("content")).toArray()) {
        const QJsonObject block = value.toObject();
        const QString type = textOf(block, "type");
        if (type == QLatin1String("text")) {
            const QString text = textOf(block, "text");
            AgentSummary &summary = m_record.summary();
            (isFailure ? summary.failure : summary.lastWords) = cleanText(text);
            m_record.says(isFailure ? AgentEvent::Kind::Notice : AgentEvent::Kind::Says, text);
        } else if (type == QLatin1String("thinking")) {
            m_record.says(AgentEvent::Kind::Thinks, textOf(block, "thinking"));
        } else if (type == QLatin1String("tool_use")) {
            takeToolUse(block);
        }
    }
}

void ClaudeTranscript::takeToolUse(const QJsonObject &block)
{
    const QString tool = textOf(block, "name");
    const QJsonObject input = block.value(QLatin1String("input")).toObject();
    const ToolLook look = lookOf(tool);
    QString object = textOf(input, look.key);
    if (object.isEmpty()) {
        const QByteArray json = QJsonDocument(input).toJson(QJsonDocument::Compact);
        object = input.isEmpty() ? tool : tool + QLatin1Char(' ') + QString::fromUtf8(json);
    }
    m_record.toolStarted(look.kind, object, textOf(block, "id"));
}

void ClaudeTranscript::takeUser(const QJsonObject &event)
{
    const QJsonValue details = event.value(QLatin1String("tool_use_result"));
    const QJsonValue content =
        event.value(QLatin1String("message")).toObject().value(QLatin1String("content"));
    for (const QJsonValue block : content.toArray()) {
        if (textOf(block, "type") == QLatin1String("tool_result")) {
            takeToolResult(block.toObject(), details);
        }
    }
}

void ClaudeTranscript::takeToolResult(const QJsonObject &block, const QJsonValue &details)
{
    const QString id = textOf(block, "tool_use_id");
    TranscriptRecord::ToolEnd end;
    end.failed = block.value(QLatin1String("is_error")).toBool();
    end.output = answerText(block.value(QLatin1String("content")));
    switch (m_record.kindOf(id)) {
    case AgentEvent::Kind::Edits:
        end.measure = editMeasure(details.toObject());
        end.output = end.failed ? end.output : QString();
        break;
    case AgentEvent::Kind::Reads:
        end.measure = readMeasure(details.toObject());
        break;
    case AgentEvent::Kind::Runs:
        end.measure = takeExitCode(&end.output);
        break;
    default:
        break;
    }
    m_record.toolEnded(id, end);
}

void ClaudeTranscript::countUsage(const QJsonObject &message)
{
    const QString id = textOf(message, "id").left(128);
    if (id.isEmpty() || m_countedMessages.contains(id) ||
        m_countedMessages.size() >= mostMessages) {
        return;
    }
    m_countedMessages.insert(id);
    AgentSummary &summary = m_record.summary();
    ++summary.turns;
    const QJsonObject usage = message.value(QLatin1String("usage")).toObject();
    const std::optional<qint64> in =
        sumOf(usage, {"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"});
    const std::optional<qint64> out = sumOf(usage, {"output_tokens"});
    if (!in || !out) {
        m_record.countMalformed();
        return;
    }
    summary.inputTokens = summary.inputTokens.value_or(0) + *in;
    summary.outputTokens = summary.outputTokens.value_or(0) + *out;
}

void ClaudeTranscript::takeResult(const QJsonObject &event)
{
    AgentSummary &summary = m_record.summary();
    summary.end = m_record.endOf(event);
    const std::optional<double> cost = moneyOf(event.value(QLatin1String("total_cost_usd")));
    if (cost) {
        summary.costUsd = cost;
    } else if (event.contains(QLatin1String("total_cost_usd"))) {
        m_record.countMalformed();
    }
    takeFinalTokens(event.value(QLatin1String("modelUsage")).toObject());
    const std::optional<qint64> turns = countOf(event.value(QLatin1String("num_turns")));
    if (turns && *turns <= 1'000'000) {
        summary.turns = static_cast<int>(*turns);
    }
    if (summary.session.isEmpty()) {
        summary.session = cleanLine(textOf(event, "session_id"));
    }
    const QString words = cleanText(textOf(event, "result"));
    QStringList errors;
    for (const QJsonValue error : event.value(QLatin1String("errors")).toArray()) {
        errors += cleanText(error.toString());
    }
    if (!words.isEmpty()) {
        summary.lastWords = words;
    }
    if (summary.end != AgentSummary::End::Done) {
        summary.failure = errors.isEmpty() ? words : errors.join(QLatin1Char('\n'));
    }
    m_record.result(errors.isEmpty() ? words : errors.join(QLatin1Char('\n')), summary.end);
}

/// After a budget stop "usage" lacks the last call; "modelUsage" has it.
void ClaudeTranscript::takeFinalTokens(const QJsonObject &models)
{
    qint64 in = 0;
    qint64 out = 0;
    for (const QJsonValue value : models) {
        const std::optional<qint64> modelIn = sumOf(
            value.toObject(), {"inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"});
        const std::optional<qint64> modelOut = sumOf(value.toObject(), {"outputTokens"});
        if (!modelIn || !modelOut) {
            m_record.countMalformed();
            return;
        }
        in += *modelIn;
        out += *modelOut;
    }
    if (!models.isEmpty()) {
        m_record.summary().inputTokens = in;
        m_record.summary().outputTokens = out;
    }
}

} // namespace Glovebox
