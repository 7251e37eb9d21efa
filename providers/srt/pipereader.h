// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/safefolder.h"

#include <QFuture>
#include <QObject>
#include <QPromise>

#include <memory>

class QSocketNotifier;

namespace Glovebox::Srt {

/// The reading end of a pipe whose writer is inside. It keeps at most \a limit bytes: whoever
/// writes more waits until they were taken. Main thread; owned by the coroutine that reads.
class PipeReader final : public QObject
{
    Q_OBJECT

public:
    PipeReader(FileHandle pipe, qsizetype limit);
    ~PipeReader() override;

    /// Finished at the next bytes, at the end, or at abort(); at once when there is something
    /// already. One at a time.
    [[nodiscard]] QFuture<void> changed();
    [[nodiscard]] QByteArray take();
    /// The writer closed its end and all was taken.
    [[nodiscard]] bool isAtEnd() const { return m_ended && m_bytes.isEmpty(); }
    [[nodiscard]] bool isFull() const { return m_bytes.size() >= m_limit; }
    [[nodiscard]] std::optional<Error> error() const { return m_error; }
    /// Wakes the reader with an error; the first one counts.
    void abort(Error error);

private:
    void read();
    void wake();

    FileHandle m_pipe;
    std::unique_ptr<QSocketNotifier> m_notifier;
    std::optional<QPromise<void>> m_waiting;
    QByteArray m_bytes;
    qsizetype m_limit;
    bool m_ended = false;
    std::optional<Error> m_error;
};

} // namespace Glovebox::Srt
