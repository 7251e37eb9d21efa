// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/visibletext.h"

#include <QChar>

#include <algorithm>

namespace Glovebox {

bool isHidden(char32_t codePoint)
{
    if (codePoint == U'\t' || (codePoint >= 0x20 && codePoint < 0x7f)) {
        return false;
    }
    switch (codePoint) {
    case 0x00a0: // no-break space
    case 0x034f: // grapheme joiner
    case 0x115f: // Hangul fillers
    case 0x1160:
    case 0x2800: // blank Braille pattern
    case 0x3164:
    case 0xffa0:
        return true;
    default:
        break;
    }
    if ((codePoint >= 0xfe00 && codePoint <= 0xfe0f) ||
        (codePoint >= 0xe0100 && codePoint <= 0xe01ef)) {
        return true; // variation selectors carry hidden data
    }
    switch (QChar::category(codePoint)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    case QChar::Separator_Space:
        return codePoint != U' ';
    default:
        return false;
    }
}

QString hiddenName(char32_t codePoint)
{
    if (codePoint == U'\r') {
        return QStringLiteral("CR");
    }
    if (codePoint == 0x00a0) {
        return QStringLiteral("NBSP");
    }
    return QStringLiteral("U+%1")
        .arg(static_cast<uint>(codePoint), 4, 16, QLatin1Char('0'))
        .toUpper();
}

void VisibleText::appendBox(char32_t codePoint, int stored, int storedLength)
{
    // A blank on each side gives the box its padding and keeps it off its neighbours.
    const QString name = QLatin1Char(' ') + hiddenName(codePoint) + QLatin1Char(' ');
    const int start = static_cast<int>(m_shown.size());
    const int length = static_cast<int>(name.size());
    m_boxes.append({start, length, codePoint});
    m_steps.append({start, stored, length, storedLength});
    m_shown += name;
}

VisibleText VisibleText::of(const QString &stored)
{
    VisibleText text;
    const auto plain = [](QChar c) {
        return c == QLatin1Char('\t') || (c >= QLatin1Char(' ') && c < QChar(0x7f));
    };
    if (std::all_of(stored.cbegin(), stored.cend(), plain)) {
        text.m_shown = stored;
        return text;
    }
    text.m_shown.reserve(stored.size());
    for (int index = 0; index < stored.size();) {
        const QChar first = stored.at(index);
        const bool pair = first.isHighSurrogate() && index + 1 < stored.size() &&
                          stored.at(index + 1).isLowSurrogate();
        const char32_t codePoint =
            pair ? QChar::surrogateToUcs4(first, stored.at(index + 1)) : char32_t(first.unicode());
        const int length = pair ? 2 : 1;
        if (isHidden(codePoint)) {
            text.appendBox(codePoint, index, length);
        } else {
            text.m_shown += QStringView(stored).mid(index, length);
        }
        index += length;
    }
    return text;
}

int VisibleText::toShown(int storedColumn) const
{
    int shift = 0;
    for (const Step &step : m_steps) {
        if (storedColumn <= step.stored) {
            break;
        }
        shift = step.shown + step.shownLength - step.stored - step.storedLength;
    }
    return storedColumn + shift;
}

int VisibleText::toStored(int shownColumn) const
{
    int shift = 0;
    for (const Step &step : m_steps) {
        if (shownColumn <= step.shown) {
            break;
        }
        if (shownColumn < step.shown + step.shownLength) {
            // Inside a box: the nearer side of the one character it stands for.
            return shownColumn - step.shown > step.shownLength / 2 ? step.stored + step.storedLength
                                                                   : step.stored;
        }
        shift = step.stored + step.storedLength - step.shown - step.shownLength;
    }
    return shownColumn + shift;
}

QString visibleLines(const QString &text)
{
    QStringList lines = text.split(QLatin1Char('\n'));
    for (QString &line : lines) {
        line = VisibleText::of(line).shown();
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace Glovebox
