// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/pipereader.h"

#include <QSocketNotifier>

#include <cerrno>
#include <unistd.h>

namespace Glovebox::Srt {

PipeReader::PipeReader(FileHandle pipe, qsizetype limit)
    : m_pipe(std::move(pipe))
    , m_notifier(std::make_unique<QSocketNotifier>(m_pipe.descriptor(), QSocketNotifier::Read))
    , m_limit(limit)
{
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &PipeReader::read);
}

PipeReader::~PipeReader()
{
    m_notifier.reset(); // before the descriptor that it watches is closed
}

QFuture<void> PipeReader::changed()
{
    m_waiting.emplace();
    m_waiting->start();
    QFuture<void> future = m_waiting->future();
    if (!m_bytes.isEmpty() || m_ended || m_error) {
        wake();
    }
    return future;
}

QByteArray PipeReader::take()
{
    m_notifier->setEnabled(!m_ended);
    return std::exchange(m_bytes, QByteArray());
}

void PipeReader::abort(Error error)
{
    if (!m_error) {
        m_error = std::move(error);
        m_notifier->setEnabled(false);
        wake();
    }
}

void PipeReader::read()
{
    char piece[65536];
    const ssize_t got =
        ::read(m_pipe.descriptor(), piece,
               static_cast<size_t>(qMin<qsizetype>(sizeof piece, m_limit - m_bytes.size())));
    if (got > 0) {
        m_bytes.append(piece, got);
        m_notifier->setEnabled(!isFull());
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        m_ended = true;
        m_notifier->setEnabled(false);
    }
    if (!m_bytes.isEmpty() || m_ended) {
        wake();
    }
}

void PipeReader::wake()
{
    if (m_waiting) {
        QPromise<void> waiting = std::move(*m_waiting);
        m_waiting.reset();
        waiting.finish(); // may destroy us
    }
}

} // namespace Glovebox::Srt
