// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/referencename.h"

#include <QList>

#include <algorithm>

namespace Glovebox {

namespace {

constexpr qsizetype longestName = 255;

bool isForbiddenByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f || QByteArrayView(" ~^:?*[\\").contains(c);
}

bool isSafePart(const QByteArray &part)
{
    return !part.isEmpty() && !part.startsWith('.') && !part.startsWith('-') &&
           !part.endsWith('.') && !part.endsWith(".lock");
}

} // namespace

bool isSafeReference(const QByteArray &name)
{
    if (!name.startsWith("refs/") || name.size() > longestName || name.contains("..") ||
        name.contains("@{") || std::any_of(name.begin(), name.end(), isForbiddenByte)) {
        return false;
    }
    const QList<QByteArray> parts = name.split('/');
    return std::all_of(parts.begin(), parts.end(), isSafePart);
}

bool isObjectId(const QByteArray &id)
{
    return id.size() == 40 && std::all_of(id.begin(), id.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

} // namespace Glovebox
