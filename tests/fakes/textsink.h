// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/pause.h"
#include "core/sandbox/sandbox.h"

#include <functional>

namespace Glovebox::Testing {

/// Keeps what a command wrote, and where bytes were not kept.
class TextSink final : public OutputSink
{
public:
    struct Gap
    {
        Stream stream;
        qint64 from = 0;
        qint64 until = 0;
    };

    [[nodiscard]] qint64 received(Stream stream) const override
    {
        return stream == Stream::Output ? m_output : m_error;
    }

    QCoro::Task<Result<void>> write(OutputChunk chunk, std::stop_token stop) override
    {
        qint64 &place = chunk.stream == Stream::Output ? m_output : m_error;
        if (chunk.offset < place) {
            co_return fail(ErrorCode::UnexpectedReply, QStringLiteral("bytes came twice"));
        }
        if (chunk.offset > place) {
            gaps.append({chunk.stream, place, chunk.offset});
        }
        (chunk.stream == Stream::Output ? output : error) += chunk.bytes;
        place = chunk.offset + chunk.bytes.size();
        if (onWrite) {
            onWrite();
        }
        if (delay.count() > 0) {
            Result<void> paused = co_await pause(delay, stop);
            co_return paused;
        }
        co_return Result<void>();
    }

    /// As a log that was stored by an earlier process: \a bytes were there already.
    void resume(const QByteArray &stored)
    {
        output = stored;
        m_output = stored.size();
    }

    QByteArray output;
    QByteArray error;
    QList<Gap> gaps;
    std::chrono::milliseconds delay{0}; ///< how slow the sink is
    std::function<void()> onWrite;

private:
    qint64 m_output = 0;
    qint64 m_error = 0;
};

} // namespace Glovebox::Testing
