// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/frames.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(FrameReader)
};

// 48 KiB of bytes make 96 KiB of hex; a longer line is none of ours.
constexpr qsizetype longestLine = 128LL * 1024;
constexpr qsizetype largestPiece = 48LL * 1024;
constexpr qint64 largestOffset = qint64(1) << 53;

std::optional<qint64> readNumber(const QByteArray &text)
{
    if (text.isEmpty() || text.size() > 16) {
        return std::nullopt;
    }
    qint64 number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        number = number * 10 + (c - '0');
    }
    return number <= largestOffset ? std::optional(number) : std::nullopt;
}

std::optional<Stream> readStream(const QByteArray &letter)
{
    if (letter == "o") {
        return Stream::Output;
    }
    return letter == "e" ? std::optional(Stream::Error) : std::nullopt;
}

std::optional<QByteArray> readHex(const QByteArray &text)
{
    for (const char c : text) {
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
            return std::nullopt;
        }
    }
    return text.size() % 2 == 0 ? std::optional(QByteArray::fromHex(text)) : std::nullopt;
}

std::optional<QByteArray> readPiece(const QByteArray &text)
{
    std::optional<QByteArray> bytes;
    if (text.startsWith(':')) {
        bytes = readHex(text.mid(1));
    } else if (text.size() % 4 == 0) {
        const auto decoded =
            QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
        bytes = decoded ? std::optional(*decoded) : std::nullopt;
    }
    if (!bytes || bytes->isEmpty() || bytes->size() > largestPiece) {
        return std::nullopt;
    }
    return bytes;
}

std::optional<CommandResult::End> readKind(const QByteArray &word)
{
    if (word == "exit") {
        return CommandResult::End::Exited;
    }
    if (word == "timeout") {
        return CommandResult::End::TimedOut;
    }
    if (word == "killed") {
        return CommandResult::End::Killed;
    }
    return word == "nostart" ? std::optional(CommandResult::End::NotStarted) : std::nullopt;
}

tl::unexpected<Error> damaged(const QString &detail)
{
    return fail(ErrorCode::DamagedInTransit,
                Tr::tr("What the sandbox said about a command arrived damaged."), detail);
}

} // namespace

QString cleanedReply(const QByteArray &reply)
{
    QString clean;
    for (const char c : reply.left(200)) {
        clean += c >= ' ' && c <= '~' ? QLatin1Char(c) : QLatin1Char('?');
    }
    return clean;
}

FrameReader::FrameReader(qint64 output, qint64 error)
    : m_positions{{{output, output}, {error, error}}}
{
}

Result<QList<OutputChunk>> FrameReader::take(const QByteArray &line)
{
    const QByteArray text = line.endsWith('\r') ? line.chopped(1) : line;
    const char letter = text.isEmpty() ? '\0' : text.front();
    const bool isFrame =
        (text.size() > 1 && text.at(1) == ' ' && strchr("oegs", letter)) || text == "h";
    if (!isFrame) {
        if (m_noise.isEmpty()) {
            m_noise = cleanedReply(text);
        }
        return {};
    }
    if (text.size() > longestLine || m_state != State::Open) {
        return damaged(cleanedReply(text));
    }
    m_sawFrames = true;
    const QList<QByteArray> words = text.split(' ');
    switch (letter) {
    case 'o':
    case 'e':
        return takeBytes(words);
    case 'g':
        return takeGap(words);
    case 's':
        return takeState(words);
    default:
        return {};
    }
}

Result<QList<OutputChunk>> FrameReader::takeBytes(const QList<QByteArray> &words)
{
    const std::optional<qint64> offset = words.size() == 3 ? readNumber(words.at(1)) : std::nullopt;
    const std::optional<QByteArray> bytes = offset ? readPiece(words.at(2)) : std::nullopt;
    if (!bytes) {
        return damaged(QStringLiteral("piece"));
    }
    const Stream stream = *readStream(words.at(0));
    Position &place = position(stream);
    if (*offset > place.expected) {
        return damaged(QStringLiteral("offset %1, expected %2").arg(*offset).arg(place.expected));
    }
    const qint64 known = place.expected - *offset;
    if (known >= bytes->size()) {
        return {}; // all of it came before
    }
    const OutputChunk chunk{stream, place.expected, bytes->mid(known)};
    place.expected += chunk.bytes.size();
    place.passedOn = place.expected;
    return QList{chunk};
}

Result<QList<OutputChunk>> FrameReader::takeGap(const QList<QByteArray> &words)
{
    const std::optional<Stream> stream = words.size() == 4 ? readStream(words.at(1)) : std::nullopt;
    const std::optional<qint64> from = stream ? readNumber(words.at(2)) : std::nullopt;
    const std::optional<qint64> until = from ? readNumber(words.at(3)) : std::nullopt;
    if (!until || *from > position(*stream).expected) {
        return damaged(QStringLiteral("gap"));
    }
    position(*stream).expected = qMax(position(*stream).expected, *until);
    return {};
}

Result<QList<OutputChunk>> FrameReader::takeState(const QList<QByteArray> &words)
{
    if (words.size() == 2) {
        const QByteArray &word = words.at(1);
        m_state = word == "running"   ? State::Running
                  : word == "lost"    ? State::Lost
                  : word == "unknown" ? State::Unknown
                                      : State::Open;
        if (m_state != State::Open) {
            return {};
        }
    }
    if (!readEnd(words)) {
        return damaged(QStringLiteral("end"));
    }
    m_state = State::Ended;
    QList<OutputChunk> gaps; // that no bytes follow: a full disk
    for (const Stream stream : {Stream::Output, Stream::Error}) {
        if (position(stream).expected > position(stream).passedOn) {
            gaps.append({stream, position(stream).expected, {}});
        }
    }
    return gaps;
}

bool FrameReader::readEnd(const QList<QByteArray> &words)
{
    if (words.size() != 8 || (words.at(3) != "open" && words.at(3) != "closed")) {
        return false;
    }
    const std::optional<CommandResult::End> kind = readKind(words.at(1));
    const std::optional<qint64> code = readNumber(words.at(2));
    const std::optional<qint64> duration = readNumber(words.at(4));
    const std::optional<qint64> output = readNumber(words.at(5));
    const std::optional<qint64> error = readNumber(words.at(6));
    const std::optional<qint64> notKept = readNumber(words.at(7));
    if (!kind || !code || *code > 255 || !duration || !output || !error || !notKept) {
        return false;
    }
    // The end is said after the last byte; other totals mean that a line was lost on the way.
    if (*output != position(Stream::Output).expected ||
        *error != position(Stream::Error).expected) {
        return false;
    }
    m_result.end = *kind;
    m_result.exitCode = static_cast<int>(*code);
    m_result.outputBytes = *output;
    m_result.errorBytes = *error;
    m_result.notKept = *notKept;
    m_result.outputOpen = words.at(3) == "open";
    m_result.duration = std::chrono::milliseconds(*duration);
    return true;
}

} // namespace Glovebox
