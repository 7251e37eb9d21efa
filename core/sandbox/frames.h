// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/sandbox/command.h"

#include <array>
#include <optional>

namespace Glovebox {

/// Reads what the runner's `follow` says about one command, line by line. The lines come out of a
/// sandbox: sizes, offsets and encodings are believed only as far as they fit together.
///
///     o 0 aGVsbG8K                  bytes of standard output from offset 0 on, base64
///     e 49152 :6f6f70730a           of standard error; hex where there is no base64
///     g o 8388608 99934475          the bytes between were not kept
///     h                             still there
///     s running | s lost | s unknown
///     s exit 7 closed 120 6 0 0     kind, code, pipes, milliseconds, bytes of both, not kept
///
/// Lines that are no frames (words of a tool on the way) are skipped. What was meant to be a frame
/// and is damaged is an error: the caller asks again from the offsets it has.
class FrameReader final
{
public:
    enum class State {
        Open,    ///< no last line yet: when the answer ends here, it was cut
        Running, ///< ask again
        Lost,
        Unknown, ///< this command was never started
        Ended,   ///< result() is there
    };

    /// \a output and \a error: the offsets that the caller asked from.
    FrameReader(qint64 output, qint64 error);

    /// The new bytes of one line, if it has any. A chunk whose offset is beyond the last one's end
    /// passes on a gap; an empty one does only that.
    [[nodiscard]] Result<QList<OutputChunk>> take(const QByteArray &line);
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const CommandResult &result() const { return m_result; }
    /// The first line that was no frame, cleaned and cut, for an error's detail.
    [[nodiscard]] QString noise() const { return m_noise; }
    [[nodiscard]] bool sawFrames() const { return m_sawFrames; }

private:
    struct Position
    {
        qint64 expected = 0; ///< of the next byte
        qint64 passedOn = 0; ///< end of the last chunk that was handed out
    };

    [[nodiscard]] Result<QList<OutputChunk>> takeBytes(const QList<QByteArray> &words);
    [[nodiscard]] Result<QList<OutputChunk>> takeGap(const QList<QByteArray> &words);
    [[nodiscard]] Result<QList<OutputChunk>> takeState(const QList<QByteArray> &words);
    [[nodiscard]] bool readEnd(const QList<QByteArray> &words);
    [[nodiscard]] Position &position(Stream stream) { return m_positions[stream == Stream::Error]; }

    std::array<Position, 2> m_positions;
    State m_state = State::Open;
    CommandResult m_result;
    QString m_noise;
    bool m_sawFrames = false;
};

/// At most 200 printable characters of a reply, for an error's detail.
[[nodiscard]] QString cleanedReply(const QByteArray &reply);

} // namespace Glovebox
