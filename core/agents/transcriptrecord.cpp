// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/transcriptrecord.h"

#include "core/base/terminaltext.h"

#include <QCoreApplication>

#include <re2/re2.h>

#include <cmath>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Transcript)
};

constexpr int mostOpenTools = 1000;
constexpr int mostBadLinesShown = 50;
constexpr int mostRefusedHosts = 200;
constexpr int longestObject = 2000;
constexpr qsizetype searchedOutput = 16LL * 1024;

bool matches(const QJsonObject &pattern, const QJsonObject &event)
{
    if (pattern.isEmpty()) {
        return false;
    }
    for (auto it = pattern.constBegin(); it != pattern.constEnd(); ++it) {
        if (event.value(it.key()) != it.value()) {
            return false;
        }
    }
    return true;
}

void addMatches(const RE2 &pattern, re2::StringPiece text, QStringList *hosts)
{
    std::string host;
    while (hosts->size() < 8 && RE2::FindAndConsume(&text, pattern, &host)) {
        const QString name = QString::fromStdString(host).toLower();
        if (!hosts->contains(name)) {
            hosts->append(name);
        }
    }
}

} // namespace

QString cleanText(const QString &text, int maximum)
{
    const QString plain = plainText(text.left(maximum));
    return plain.left(maximum);
}

QString cleanLine(const QString &text)
{
    return displayText(plainText(text.left(longestObject)).simplified());
}

std::optional<qint64> countOf(const QJsonValue &value)
{
    const double number = value.toDouble(-1);
    if (!std::isfinite(number) || number < 0 || number > 1e13 || number != std::floor(number)) {
        return std::nullopt;
    }
    return static_cast<qint64>(number);
}

std::optional<double> moneyOf(const QJsonValue &value)
{
    const double number = value.toDouble(-1);
    if (!std::isfinite(number) || number < 0 || number > 1e6) {
        return std::nullopt;
    }
    return number;
}

QStringList refusedHosts(const QString &command, const QString &output)
{
    static const RE2 named("(?i)(?:could not resolve host(?:name)?:? ?|couldn't resolve host "
                           "|getaddrinfo (?:enotfound|eai_again) |failed to lookup address .*for "
                           "|connection to |failed to resolve ')"
                           "([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9-]+)+)"
                           "(?:'|\"|\\)|;|,|:| blocked|\\s|$)");
    static const RE2 unnamed("(?i)connect tunnel failed, response 403|blocked by network allowlist"
                             "|blocked-by-allowlist|tunnel connection failed: 403"
                             "|proxy connect aborted|http code 403 from proxy");
    static const RE2 address("[a-z][a-z0-9+.-]*://(?:[^/\\s@'\"]*@)?([A-Za-z0-9.-]+)");
    QStringList hosts;
    const std::string words = output.left(searchedOutput).toStdString();
    addMatches(named, words, &hosts);
    if (hosts.isEmpty() && RE2::PartialMatch(words, unnamed)) {
        addMatches(address, words, &hosts);
        const std::string line = command.left(searchedOutput).toStdString();
        if (hosts.isEmpty()) {
            addMatches(address, line, &hosts);
        }
    }
    return hosts;
}

TranscriptRecord::TranscriptRecord(const Agent &agent)
    : m_done(agent.endDone)
    , m_failed(agent.endFailed)
    , m_budget(agent.endBudget)
    , m_turns(agent.endTurns)
{
}

void TranscriptRecord::says(AgentEvent::Kind kind, const QString &text)
{
    AgentEvent event;
    event.kind = kind;
    event.object = cleanText(text);
    if (!event.object.trimmed().isEmpty()) {
        m_events += event;
    }
}

void TranscriptRecord::notice(const QString &text)
{
    says(AgentEvent::Kind::Notice, text);
}

void TranscriptRecord::refused(const QString &what, const QString &why)
{
    AgentEvent event;
    event.kind = AgentEvent::Kind::Refused;
    event.object = cleanLine(what);
    event.output = cleanText(why);
    event.failed = true;
    m_events += event;
}

void TranscriptRecord::result(const QString &text, AgentSummary::End end)
{
    AgentEvent event;
    event.kind = AgentEvent::Kind::Result;
    event.object = cleanText(text);
    event.failed = end != AgentSummary::End::Done;
    m_events += event;
}

void TranscriptRecord::toolStarted(AgentEvent::Kind kind, const QString &object, const QString &id)
{
    AgentEvent event;
    event.kind = kind;
    event.object =
        kind == AgentEvent::Kind::Runs ? cleanText(object, longestObject) : cleanLine(object);
    event.id = id.left(128);
    m_events += event;
    if (!event.id.isEmpty() && m_open.size() < mostOpenTools) {
        m_open.insert(event.id, event);
    }
}

AgentEvent::Kind TranscriptRecord::kindOf(const QString &id) const
{
    return m_open.value(id.left(128)).kind;
}

void TranscriptRecord::toolEnded(const QString &id, const ToolEnd &end)
{
    const auto open = m_open.find(id.left(128));
    if (open == m_open.end()) {
        return;
    }
    AgentEvent event = *open;
    m_open.erase(open);
    event.measure = cleanLine(end.measure);
    event.output = cleanText(end.output);
    event.failed = end.failed;
    m_events += event;
    if (end.failed) {
        noteRefusedHosts(event, event.output);
    }
}

void TranscriptRecord::noteRefusedHosts(const AgentEvent &call, const QString &output)
{
    for (const QString &host : refusedHosts(call.object, output)) {
        if (m_refusedHosts.contains(host) || m_refusedHosts.size() >= mostRefusedHosts) {
            continue;
        }
        m_refusedHosts.insert(host);
        refused(host, QString());
    }
}

void TranscriptRecord::malformed(const QByteArray &raw)
{
    if (++m_summary.malformed <= mostBadLinesShown) {
        notice(Tr::tr("Not understood: %1").arg(cleanLine(QString::fromUtf8(raw))));
    }
}

AgentSummary::End TranscriptRecord::endOf(const QJsonObject &event) const
{
    if (matches(m_budget, event)) {
        return AgentSummary::End::Budget;
    }
    if (matches(m_turns, event)) {
        return AgentSummary::End::Turns;
    }
    if (matches(m_failed, event)) {
        return AgentSummary::End::Failed;
    }
    return matches(m_done, event) ? AgentSummary::End::Done : AgentSummary::End::Unknown;
}

} // namespace Glovebox
