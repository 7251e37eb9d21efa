// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/terminaltext.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

namespace Glovebox {

namespace {

constexpr UChar32 zeroWidthNonJoiner = 0x200c;
constexpr UChar32 zeroWidthJoiner = 0x200d;

bool isEmoji(UChar32 c)
{
    return u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) ||
           u_hasBinaryProperty(c, UCHAR_EMOJI_MODIFIER) || c == 0xfe0f;
}

/// Scripts whose words need joiners: the same two letters read differently with and without.
bool needsJoiners(UChar32 c)
{
    UErrorCode status = U_ZERO_ERROR;
    switch (uscript_getScript(c, &status)) {
    case USCRIPT_ARABIC:
    case USCRIPT_BENGALI:
    case USCRIPT_DEVANAGARI:
    case USCRIPT_GUJARATI:
    case USCRIPT_GURMUKHI:
    case USCRIPT_KANNADA:
    case USCRIPT_MALAYALAM:
    case USCRIPT_MONGOLIAN:
    case USCRIPT_ORIYA:
    case USCRIPT_SINHALA:
    case USCRIPT_SYRIAC:
    case USCRIPT_TAMIL:
    case USCRIPT_TELUGU:
        return true;
    default:
        return false;
    }
}

/// An invisible character that changes how its neighbours look, and is in its place there.
bool belongsBetween(UChar32 before, UChar32 c, UChar32 after)
{
    switch (c) {
    case zeroWidthNonJoiner:
        return needsJoiners(before) && needsJoiners(after);
    case zeroWidthJoiner:
        return (isEmoji(before) && isEmoji(after)) || (needsJoiners(before) && needsJoiners(after));
    case 0xfe0e:
    case 0xfe0f:
        return u_hasBinaryProperty(before, UCHAR_EMOJI);
    default:
        return false;
    }
}

bool isVisible(UChar32 c)
{
    if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) {
        return false;
    }
    switch (u_charType(c)) {
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
    case U_SURROGATE:
    case U_PRIVATE_USE_CHAR:
    case U_UNASSIGNED:
        return false;
    case U_SPACE_SEPARATOR:
        return c == ' ';
    default:
        return c != 0x2800; // the empty Braille pattern
    }
}

/// Code points of the text; what is none of UTF-8 as minus the byte, minus one.
QList<UChar32> codePointsOf(const QByteArray &bytes)
{
    QList<UChar32> codePoints;
    const auto *data = reinterpret_cast<const uint8_t *>(bytes.constData());
    int64_t at = 0;
    while (at < bytes.size()) {
        const int64_t begin = at;
        UChar32 c = 0;
        U8_NEXT(data, at, bytes.size(), c);
        if (c >= 0) {
            codePoints += c;
            continue;
        }
        for (int64_t i = begin; i < at; ++i) {
            codePoints += -1 - static_cast<UChar32>(data[i]);
        }
    }
    return codePoints;
}

QString shown(const QList<UChar32> &codePoints)
{
    QString text;
    for (qsizetype i = 0; i < codePoints.size(); ++i) {
        const UChar32 c = codePoints.at(i);
        if (c < 0) {
            text += QStringLiteral("\\x%1").arg(-1 - c, 2, 16, QLatin1Char('0'));
            continue;
        }
        const UChar32 before = i > 0 ? codePoints.at(i - 1) : 0;
        const UChar32 after = i + 1 < codePoints.size() ? codePoints.at(i + 1) : 0;
        const bool isOuterBlank = c == ' ' && (i == 0 || i + 1 == codePoints.size());
        if (!isOuterBlank && (isVisible(c) || belongsBetween(before, c, after))) {
            const auto character = static_cast<char32_t>(c);
            text += QString::fromUcs4(&character, 1);
        } else {
            text += QStringLiteral("<U+%1>").arg(
                QString::number(c, 16).toUpper().rightJustified(4, QLatin1Char('0')));
        }
    }
    return text;
}

} // namespace

QString displayText(const QByteArray &bytes)
{
    return shown(codePointsOf(bytes));
}

QString displayText(const QString &text)
{
    QList<UChar32> codePoints;
    for (const char32_t c : text.toUcs4()) {
        codePoints += static_cast<UChar32>(c);
    }
    return shown(codePoints);
}

} // namespace Glovebox
