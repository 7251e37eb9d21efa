// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/keptrun.h"

#include "core/git/repository.h"

#include <QDir>
#include <QFile>
#include <QHash>

namespace Glovebox {

namespace {

constexpr int mostEvents = 20'000; ///< as many as a living run keeps
constexpr qint64 mostText = 64LL * 1024 * 1024;
constexpr qint64 pieceBytes = 256LL * 1024;
constexpr qint64 largestBlocked = 1024LL * 1024;
constexpr int shownBlocked = 64 * 1024;

/// Joins the end of a tool to its call, as a living run does.
class Collector final
{
public:
    void add(const QList<AgentEvent> &events)
    {
        for (const AgentEvent &event : events) {
            const auto known = m_rows.constFind(event.id);
            if (!event.id.isEmpty() && known != m_rows.constEnd()) {
                m_text += event.output.size();
                m_kept.events[*known] = event;
            } else if (isFull()) {
                ++m_kept.left;
            } else {
                m_text += event.object.size() + event.output.size();
                if (!event.id.isEmpty()) {
                    m_rows.insert(event.id, static_cast<int>(m_kept.events.size()));
                }
                m_kept.events << event;
            }
        }
    }
    [[nodiscard]] bool isFull() const
    {
        return m_kept.events.size() >= mostEvents || m_text >= mostText;
    }
    [[nodiscard]] KeptRun take() { return std::move(m_kept); }

private:
    KeptRun m_kept;
    QHash<QString, int> m_rows;
    qint64 m_text = 0;
};

/// The agent's standard output, round by round: logs/NN-agent.log, oldest first.
QStringList transcriptsOf(const QString &folder)
{
    const QDir logs(folder + QStringLiteral("/logs"));
    QStringList paths;
    for (const QString &name : logs.entryList({QStringLiteral("*-agent.log")},
                                              QDir::Files | QDir::NoSymLinks, QDir::Name)) {
        paths << logs.filePath(name);
    }
    return paths;
}

void readTranscript(const QString &path, const Agent &agent, Collector *collector)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return;
    }
    const std::unique_ptr<TranscriptParser> parser = makeTranscriptParser(agent);
    while (!file.atEnd() && !collector->isFull()) {
        const QByteArray piece = file.read(pieceBytes);
        if (piece.isEmpty()) {
            break; // it can't be read on
        }
        collector->add(parser->feed(piece));
    }
    collector->add(parser->finish());
}

} // namespace

KeptRun readKeptRun(const KeptPlaces &places)
{
    Collector collector;
    for (const QString &path : transcriptsOf(places.folder)) {
        readTranscript(path, places.agent, &collector);
    }
    KeptRun kept = collector.take();
    if (!places.tip.isEmpty()) {
        const Result<QByteArray> blocked =
            fileOf(places.gitFolder, places.tip, QByteArrayLiteral("BLOCKED.md"), largestBlocked);
        kept.blockedText = QString::fromUtf8(blocked.value_or(QByteArray())).left(shownBlocked);
    }
    return kept;
}

} // namespace Glovebox
