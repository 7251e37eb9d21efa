// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/runlog.h"

#include <QFileInfo>
#include <QStorageInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunLog)
};

constexpr std::chrono::milliseconds storePause{500};

Result<void> writeTo(QFile &file, const QByteArray &bytes)
{
    if (file.write(bytes) == bytes.size() && file.flush()) {
        return {};
    }
    const QStorageInfo storage(QFileInfo(file.fileName()).absolutePath());
    const bool full = file.error() == QFileDevice::ResourceError ||
                      storage.bytesAvailable() < bytes.size() + 4096;
    return fail(full ? ErrorCode::DiskFull : ErrorCode::FileError,
                full ? Tr::tr("The disk is full: the log of this run cannot be kept. Free some "
                              "room and run the task again.")
                     : Tr::tr("The log %1 could not be written: %2")
                           .arg(file.fileName(), file.errorString()));
}

Result<void> openForAppending(QFile &file)
{
    if (file.open(QIODevice::ReadWrite | QIODevice::Append)) {
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        return {};
    }
    return fail(
        ErrorCode::FileError,
        Tr::tr("The log %1 could not be opened: %2").arg(file.fileName(), file.errorString()));
}

QString verbOf(AgentEvent::Kind kind)
{
    switch (kind) {
    case AgentEvent::Kind::Says:
        return Tr::tr("Says");
    case AgentEvent::Kind::Thinks:
        return Tr::tr("Thinks");
    case AgentEvent::Kind::Reads:
        return Tr::tr("Reads");
    case AgentEvent::Kind::Searches:
        return Tr::tr("Searches");
    case AgentEvent::Kind::Edits:
        return Tr::tr("Edits");
    case AgentEvent::Kind::Runs:
        return Tr::tr("Runs");
    case AgentEvent::Kind::Refused:
        return Tr::tr("Refused");
    case AgentEvent::Kind::Notice:
        return Tr::tr("Notice");
    case AgentEvent::Kind::Result:
        return Tr::tr("Result");
    }
    Q_UNREACHABLE();
}

} // namespace

RunLog::RunLog(std::shared_ptr<Run> run, std::shared_ptr<const SecretForms> forms)
    : m_run(std::move(run))
    , m_forms(std::move(forms))
    , m_file(m_run->logFile())
{
}

Result<void> RunLog::open()
{
    if (m_file.isOpen()) {
        return {}; // a run that went back to the queue
    }
    Result<void> opened = openForAppending(m_file);
    if (opened) {
        m_run->setLogSize(m_file.size());
    }
    return opened;
}

Result<void> RunLog::line(const QString &text)
{
    return append(m_forms->redact(text.toUtf8()) + '\n');
}

Result<void> RunLog::append(const QByteArray &bytes)
{
    Result<void> written = writeTo(m_file, bytes);
    if (written) {
        m_run->setLogSize(m_file.size());
    }
    return written;
}

CommandLog::CommandLog(Parts parts, CommandRecord record)
    : m_parts(std::move(parts))
    , m_record(std::move(record))
    , m_out(m_parts.forms)
    , m_err(m_parts.forms)
    , m_lastSign(std::chrono::steady_clock::now())
{
    const QString stem = m_parts.run->folder() + QLatin1Char('/') + m_record.log;
    m_out.file.setFileName(stem);
    m_err.file.setFileName(stem + QStringLiteral(".err"));
}

Result<void> CommandLog::open()
{
    m_out.offset = m_record.outOffset;
    m_err.offset = m_record.errOffset;
    for (Side *side : {&m_out, &m_err}) {
        const Result<void> opened = openForAppending(side->file);
        if (!opened) {
            return opened;
        }
    }
    // After a restart the files may be ahead of what was recorded: the rest is sent again.
    m_out.file.resize(m_record.outLength);
    m_err.file.resize(m_record.errLength);
    return {};
}

qint64 CommandLog::received(Stream stream) const
{
    return stream == Stream::Output ? m_out.offset : m_err.offset;
}

QCoro::Task<Result<void>> CommandLog::write(OutputChunk chunk, std::stop_token)
{
    Side *side = chunk.stream == Stream::Output ? &m_out : &m_err;
    const auto now = std::chrono::steady_clock::now();
    if (chunk.offset > side->offset) {
        // What is held back may be the beginning of a secret whose end is missing.
        const QByteArray gap =
            side->redactor.finish() +
            Tr::tr("\n[… %1 bytes were not kept …]\n").arg(chunk.offset - side->offset).toUtf8();
        const Result<void> noted = keep(side, gap);
        if (!noted) {
            co_return noted;
        }
    }
    side->offset = chunk.offset + chunk.bytes.size();
    Result<void> taken = take(side, chunk.bytes);
    if (taken && now - m_lastStored > storePause) {
        taken = storeOffsets();
    }
    co_return taken;
}

Result<void> CommandLog::take(Side *side, const QByteArray &bytes)
{
    return keep(side, side->redactor.feed(bytes));
}

Result<void> CommandLog::keep(Side *side, const QByteArray &clean)
{
    if (clean.isEmpty()) {
        return {};
    }
    const Result<void> written = writeTo(side->file, clean);
    if (!written) {
        return written;
    }
    if (side == &m_out && m_parts.transcript) {
        const QList<AgentEvent> events = m_parts.transcript->feed(clean);
        noteSign(events);
        return show(events);
    }
    m_lastSign = std::chrono::steady_clock::now();
    return m_parts.shown ? m_parts.log->append(clean) : Result<void>();
}

/// Bytes without an event are part of a line, or an event of a kind that nobody shows: both are
/// signs.
void CommandLog::noteSign(const QList<AgentEvent> &events)
{
    const bool onlyNotices =
        !events.isEmpty() &&
        std::all_of(events.cbegin(), events.cend(),
                    [](const AgentEvent &event) { return event.kind == AgentEvent::Kind::Notice; });
    if (!onlyNotices) {
        m_lastSign = std::chrono::steady_clock::now();
    }
}

Result<void> CommandLog::show(const QList<AgentEvent> &events)
{
    if (events.isEmpty()) {
        return {};
    }
    m_parts.run->addEvents(events);
    m_parts.run->setSummary(m_parts.transcript->summary());
    for (const AgentEvent &event : events) {
        const Result<void> written = m_parts.log->line(eventLine(event));
        if (!written) {
            return written;
        }
    }
    return {};
}

Result<void> CommandLog::storeOffsets()
{
    m_lastStored = std::chrono::steady_clock::now();
    // What the redactor holds back is not in the file yet: a re-join asks for it again.
    m_record.outOffset = m_out.offset - m_out.redactor.held();
    m_record.outLength = m_out.file.size();
    m_record.errOffset = m_err.offset - m_err.redactor.held();
    m_record.errLength = m_err.file.size();
    return m_parts.store->setCommandOffsets(m_record);
}

Result<void> CommandLog::finish()
{
    for (Side *side : {&m_out, &m_err}) {
        const Result<void> written = keep(side, side->redactor.finish());
        if (!written) {
            return written;
        }
    }
    if (m_parts.transcript) {
        const Result<void> shown = show(m_parts.transcript->finish());
        if (!shown) {
            return shown;
        }
        m_parts.run->setSummary(m_parts.transcript->summary());
    }
    if (m_err.file.size() == 0) {
        m_err.file.remove();
    }
    return storeOffsets();
}

QString eventLine(const AgentEvent &event)
{
    constexpr int longest = 400;
    QString line = verbOf(event.kind) + QStringLiteral(": ") +
                   event.object.left(longest).replace(QLatin1Char('\n'), QLatin1Char(' '));
    if (!event.measure.isEmpty()) {
        line += QStringLiteral(" (%1)").arg(event.measure);
    }
    return line;
}

} // namespace Glovebox
