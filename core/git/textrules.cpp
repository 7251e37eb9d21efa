// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/textrules.h"

#include <QList>
#include <QString>
#include <QStringDecoder>

#include <algorithm>

namespace Glovebox::TextRules {

namespace {

constexpr qsizetype longestName = 255;

/// Characters that change the order of what is drawn (Unicode bidi controls).
bool isReordering(char16_t c)
{
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e ||
           c == 0x200f || c == 0x061c;
}

/// Characters of no width that make two names look the same.
bool isInvisible(char16_t c)
{
    return c == 0x200b || c == 0x2060 || c == 0xfeff || c == 0x00ad || c == 0x3164 || c == 0xffa0 ||
           c == 0x115f || c == 0x1160;
}

bool isControl(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

bool isReservedOnWindows(const QByteArray &name)
{
    static const QList<QByteArray> plain = {"con", "prn", "aux", "nul"};
    const QByteArray word = name.split('.').constFirst().toLower().trimmed();
    const bool numbered = word.size() == 4 && (word.startsWith("com") || word.startsWith("lpt")) &&
                          word.at(3) >= '0' && word.at(3) <= '9';
    return plain.contains(word) || numbered;
}

} // namespace

bool hasControls(const QByteArray &text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text.at(i);
        const bool isLineEnd = c == '\r' && i + 1 < text.size() && text.at(i + 1) == '\n';
        if (isControl(c) && c != '\n' && c != '\t' && !isLineEnd) {
            return true;
        }
    }
    const QString decoded = QString::fromUtf8(text);
    return std::any_of(decoded.begin(), decoded.end(),
                       [](QChar c) { return isReordering(c.unicode()); });
}

bool isUtf8(const QByteArray &text, int cutBytes)
{
    const auto isValid = [](QByteArrayView part) {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        const QString decoded = decoder(part);
        return !decoder.hasError() && decoded.size() >= 0;
    };
    for (int cut = 0; cut <= qMin<qsizetype>(cutBytes, text.size()); ++cut) {
        if (isValid(QByteArrayView(text).chopped(cut))) {
            return true;
        }
    }
    return false;
}

bool isOddName(const QByteArray &name)
{
    const bool oddByte = std::any_of(name.begin(), name.end(), [](char c) {
        return isControl(c) || c == '"' || c == '<' || c == '>';
    });
    if (oddByte || name.startsWith('-') || name.startsWith(' ') || name.endsWith(' ') ||
        !isUtf8(name)) {
        return true;
    }
    const QString decoded = QString::fromUtf8(name);
    return std::any_of(decoded.begin(), decoded.end(), [](QChar c) {
        return isReordering(c.unicode()) || isInvisible(c.unicode());
    });
}

bool isUnportableName(const QByteArray &name)
{
    const bool oddByte = std::any_of(name.begin(), name.end(), [](char c) {
        return isControl(c) || QByteArrayView("\\:*?\"<>|").contains(c);
    });
    return oddByte || name.size() > longestName || name.endsWith('.') || name.endsWith(' ') ||
           isReservedOnWindows(name);
}

QString foldedName(const QByteArray &name)
{
    return QString::fromUtf8(name)
        .normalized(QString::NormalizationForm_C)
        .toCaseFolded()
        .normalized(QString::NormalizationForm_C);
}

} // namespace Glovebox::TextRules
