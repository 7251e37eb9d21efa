// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/packwalk.h"

#include "core/git/deltareader.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QtEndian>

#include <array>
#include <optional>

// Header-only use of zlib's own types; its macros cast the old way.
#include <zlib.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(PackWalk)
};

constexpr int trailerSize = 20;
constexpr int idSize = 20;
enum Type { Commit = 1, Tree = 2, Blob = 3, Tag = 4, OffsetDelta = 6, ReferenceDelta = 7 };

Refusal corrupt()
{
    return refusal(
        "pack", "pack-corrupt",
        Tr::tr("The bundle's pack is damaged. The download may have gone wrong: fetch it "
               "again."));
}

/// One walk. Keeps 128 KiB of buffers, whatever the pack holds.
class Walker final
{
public:
    Walker(QIODevice &pack, const PackBudget &budget, std::stop_token stop)
        : m_pack(pack)
        , m_budget(budget)
        , m_stop(std::move(stop))
        , m_deadline(budget.time)
    {
    }

    [[nodiscard]] Result<Checked<PackFacts>> walk();

private:
    [[nodiscard]] bool readHeader(quint32 &count);
    [[nodiscard]] bool readObject();
    [[nodiscard]] bool readObjectHeader(int &type, quint64 &size);
    [[nodiscard]] bool skipDeltaBase(int type);
    [[nodiscard]] bool inflateObject(quint64 size, DeltaReader *delta);
    [[nodiscard]] bool inflateInto(z_stream &stream, quint64 size, DeltaReader *delta);
    [[nodiscard]] bool countDelta(const DeltaReader &delta);
    [[nodiscard]] bool addInflated(quint64 bytes);
    [[nodiscard]] bool mayGoOn();

    [[nodiscard]] bool fill();
    [[nodiscard]] bool takeByte(unsigned char &byte);
    [[nodiscard]] bool atEndAfterTrailer();
    bool stopWith(Refusal reason);
    bool stopWith(Error error);

    QIODevice &m_pack;
    const PackBudget &m_budget;
    const std::stop_token m_stop;
    const QDeadlineTimer m_deadline;
    std::array<unsigned char, 65'536> m_input{};
    std::array<unsigned char, 65'536> m_output{};
    qint64 m_position = 0;
    qint64 m_filled = 0;
    PackFacts m_facts;
    std::optional<Refusal> m_refusal;
    std::optional<Error> m_error;
};

bool Walker::stopWith(Refusal reason)
{
    if (!m_refusal && !m_error) {
        m_refusal = std::move(reason);
    }
    return false;
}

bool Walker::stopWith(Error error)
{
    if (!m_refusal && !m_error) {
        m_error = std::move(error);
    }
    return false;
}

Result<Checked<PackFacts>> Walker::walk()
{
    quint32 count = 0;
    bool sound = readHeader(count);
    for (quint32 i = 0; sound && i < count; ++i) {
        sound = readObject();
    }
    sound = sound && atEndAfterTrailer();
    if (m_error) {
        return fail(*m_error);
    }
    if (!sound) {
        return Checked<PackFacts>(tl::unexpected<Refusal>(m_refusal.value_or(corrupt())));
    }
    return Checked<PackFacts>(m_facts);
}

/// "PACK", version and number of objects, both 32 bits, big-endian.
bool Walker::readHeader(quint32 &count)
{
    std::array<unsigned char, 12> head{};
    for (unsigned char &byte : head) {
        if (!takeByte(byte)) {
            return false;
        }
    }
    const auto version = qFromBigEndian<quint32>(head.data() + 4);
    if (memcmp(head.data(), "PACK", 4) != 0 || (version != 2 && version != 3)) {
        return stopWith(corrupt());
    }
    count = qFromBigEndian<quint32>(head.data() + 8);
    if (count > m_budget.limits.objects) {
        return stopWith(refusal("limits", "pack-too-many-objects",
                                Tr::tr("The bundle says that it holds %1 objects; the limit is %2.")
                                    .arg(count)
                                    .arg(m_budget.limits.objects)));
    }
    return true;
}

bool Walker::readObject()
{
    int type = 0;
    quint64 size = 0;
    if (!mayGoOn() || !readObjectHeader(type, size)) {
        return false;
    }
    const bool isDelta = type == OffsetDelta || type == ReferenceDelta;
    const bool isPlain = type == Commit || type == Tree || type == Blob || type == Tag;
    if (!isDelta && !isPlain) {
        return stopWith(corrupt());
    }
    if (size > static_cast<quint64>(m_budget.limits.objectBytes)) {
        return stopWith(refusal("limits", "object-too-big",
                                Tr::tr("The bundle holds an object of %1 MiB; the limit is %2 MiB.")
                                    .arg(size >> 20)
                                    .arg(m_budget.limits.objectBytes >> 20)));
    }
    ++m_facts.objects;
    if (isPlain) {
        return addInflated(size) && inflateObject(size, nullptr);
    }
    ++m_facts.deltas;
    DeltaReader delta;
    return skipDeltaBase(type) && inflateObject(size, &delta) && countDelta(delta);
}

/// Type in bits 4 to 6 of the first byte, size from its low 4 bits on, then 7 bits a byte.
bool Walker::readObjectHeader(int &type, quint64 &size)
{
    unsigned char byte = 0;
    if (!takeByte(byte)) {
        return false;
    }
    type = (byte >> 4) & 7;
    size = byte & 15;
    for (int shift = 4; (byte & 0x80) != 0; shift += 7) {
        if (shift > 56 || !takeByte(byte)) {
            return stopWith(corrupt());
        }
        size |= static_cast<quint64>(byte & 0x7f) << shift;
    }
    return true;
}

bool Walker::skipDeltaBase(int type)
{
    unsigned char byte = 0;
    if (type == ReferenceDelta) {
        for (int i = 0; i < idSize; ++i) {
            if (!takeByte(byte)) {
                return false;
            }
        }
        return true;
    }
    for (int length = 0; length < 10; ++length) {
        if (!takeByte(byte)) {
            return false;
        }
        if ((byte & 0x80) == 0) {
            return true;
        }
    }
    return stopWith(corrupt());
}

bool Walker::inflateObject(quint64 size, DeltaReader *delta)
{
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) {
        return stopWith(Error{ErrorCode::LimitReached,
                              Tr::tr("There is not enough memory to check the bundle."),
                              {}});
    }
    const bool sound = inflateInto(stream, size, delta);
    inflateEnd(&stream);
    return sound;
}

bool Walker::inflateInto(z_stream &stream, quint64 size, DeltaReader *delta)
{
    quint64 made = 0;
    int state = Z_OK;
    while (state != Z_STREAM_END) {
        if (m_position == m_filled && !fill()) {
            return stopWith(corrupt());
        }
        stream.next_in = m_input.data() + m_position;
        stream.avail_in = static_cast<uInt>(m_filled - m_position);
        stream.next_out = m_output.data();
        stream.avail_out = static_cast<uInt>(m_output.size());
        state = inflate(&stream, Z_NO_FLUSH);
        m_position = m_filled - static_cast<qint64>(stream.avail_in);
        const qint64 got =
            static_cast<qint64>(m_output.size()) - static_cast<qint64>(stream.avail_out);
        made += static_cast<quint64>(got);
        const bool progresses = state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR;
        const bool stuck = state == Z_BUF_ERROR && stream.avail_in > 0;
        if (!progresses || stuck || made > size ||
            (delta != nullptr && !delta->feed(m_output.data(), got))) {
            return stopWith(corrupt());
        }
        if (!mayGoOn()) {
            return false;
        }
    }
    return made == size || stopWith(corrupt());
}

bool Walker::countDelta(const DeltaReader &delta)
{
    if (!delta.isComplete()) {
        return stopWith(corrupt());
    }
    if (delta.resultSize() > static_cast<quint64>(m_budget.limits.objectBytes)) {
        return stopWith(
            refusal("limits", "object-too-big",
                    Tr::tr("The bundle holds a delta that grows to %1 MiB; the limit is %2 MiB.")
                        .arg(delta.resultSize() >> 20)
                        .arg(m_budget.limits.objectBytes >> 20)));
    }
    return addInflated(delta.resultSize());
}

bool Walker::addInflated(quint64 bytes)
{
    m_facts.inflatedBytes += static_cast<qint64>(bytes);
    if (m_facts.inflatedBytes <= m_budget.limits.inflatedBytes) {
        return true;
    }
    return stopWith(refusal("limits", "bundle-too-big",
                            Tr::tr("The bundle's objects grow to more than %1 MiB.")
                                .arg(m_budget.limits.inflatedBytes >> 20)));
}

bool Walker::mayGoOn()
{
    if (m_stop.stop_requested()) {
        return stopWith(cancelledError());
    }
    if (m_deadline.hasExpired()) {
        return stopWith(refusal("limits", "bundle-too-slow",
                                Tr::tr("Checking the bundle's pack took longer than %1 seconds.")
                                    .arg(m_budget.time.count() / 1000)));
    }
    return true;
}

bool Walker::fill()
{
    m_position = 0;
    m_filled = 0;
    const qint64 got =
        m_pack.read(reinterpret_cast<char *>(m_input.data()), qint64(m_input.size()));
    if (got < 0) {
        return stopWith(
            Error{ErrorCode::FileError,
                  Tr::tr("The copy of the bundle could not be read: %1").arg(m_pack.errorString()),
                  {}});
    }
    m_filled = got;
    return got > 0;
}

bool Walker::takeByte(unsigned char &byte)
{
    if (m_position == m_filled && !fill()) {
        return stopWith(corrupt());
    }
    byte = m_input.at(static_cast<size_t>(m_position++));
    return true;
}

bool Walker::atEndAfterTrailer()
{
    unsigned char byte = 0;
    for (int i = 0; i < trailerSize; ++i) {
        if (!takeByte(byte)) {
            return false;
        }
    }
    return (m_position == m_filled && !fill() && !m_error) || stopWith(corrupt());
}

} // namespace

Result<Checked<PackFacts>> walkPack(QIODevice &pack, const PackBudget &budget, std::stop_token stop)
{
    const auto walker = std::make_unique<Walker>(pack, budget, std::move(stop));
    return walker->walk();
}

} // namespace Glovebox
