// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QCryptographicHash>
#include <QList>
#include <QtEndian>

/// Packs made by hand, so that a test can make broken ones.
namespace Glovebox::Testing::Packs {

inline QByteArray objectHeader(int type, quint64 size)
{
    QByteArray bytes;
    auto byte = static_cast<unsigned char>((type << 4) | static_cast<int>(size & 15));
    for (size >>= 4; size != 0; size >>= 7) {
        bytes.append(static_cast<char>(byte | 0x80));
        byte = static_cast<unsigned char>(size & 0x7f);
    }
    bytes.append(static_cast<char>(byte));
    return bytes;
}

inline QByteArray deltaSize(quint64 size)
{
    QByteArray bytes;
    for (; size >= 0x80; size >>= 7) {
        bytes.append(static_cast<char>((size & 0x7f) | 0x80));
    }
    bytes.append(static_cast<char>(size));
    return bytes;
}

inline QByteArray deflated(const QByteArray &bytes)
{
    if (bytes.isEmpty()) {
        return QByteArray("\x78\x9c\x03\x00\x00\x00\x00\x01", 8); // Qt answers nothing here
    }
    return qCompress(bytes).mid(4); // Qt puts the length in front
}

inline QByteArray object(int type, const QByteArray &bytes)
{
    return objectHeader(type, static_cast<quint64>(bytes.size())) + deflated(bytes);
}

inline QByteArray referenceDelta(const QByteArray &delta)
{
    return objectHeader(7, static_cast<quint64>(delta.size())) + QByteArray(20, '\x11') +
           deflated(delta);
}

inline QByteArray pack(const QList<QByteArray> &objects, qint64 count = -1, quint32 version = 2)
{
    QByteArray bytes("PACK");
    QByteArray number(4, '\0');
    qToBigEndian(version, number.data());
    bytes += number;
    qToBigEndian(static_cast<quint32>(count < 0 ? objects.size() : count), number.data());
    bytes += number + objects.join();
    return bytes + QCryptographicHash::hash(bytes, QCryptographicHash::Sha1);
}

} // namespace Glovebox::Testing::Packs
