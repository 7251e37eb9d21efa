// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/terminaltext.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace Glovebox {

namespace {

constexpr uint replacement = 0xfffd;

QString chip(uint codePoint)
{
    return QStringLiteral("<U+%1>").arg(
        QString::number(codePoint, 16).toUpper().rightJustified(4, QLatin1Char('0')));
}

/// Changes the order in which other text is read.
bool isBidiControl(uint codePoint)
{
    return u_hasBinaryProperty(static_cast<UChar32>(codePoint), UCHAR_BIDI_CONTROL);
}

bool isLineSeparator(uint codePoint)
{
    return codePoint == 0x2028 || codePoint == 0x2029;
}

int nearestOfEight(int red, int green, int blue)
{
    return (red >= 128 ? 1 : 0) | (green >= 128 ? 2 : 0) | (blue >= 128 ? 4 : 0);
}

/// xterm's table: 16 named, a cube of 6 × 6 × 6, 24 greys.
int colourOfTable(int index)
{
    if (index < 16) {
        return index % 8;
    }
    if (index >= 232) {
        return index >= 244 ? 7 : 0;
    }
    const int cube = index - 16;
    const auto level = [](int step) {
        return step == 0 ? 0 : 55 + 40 * step;
    };
    return nearestOfEight(level(cube / 36), level(cube / 6 % 6), level(cube % 6));
}

/// How many bytes the character that begins with \a lead has, 1 for what begins none.
int lengthByLead(uchar lead)
{
    return lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
}

/// Whether \a bytes ends within a character that may still become valid.
bool endsWithin(QByteArrayView bytes)
{
    const auto lead = static_cast<uchar>(bytes.first());
    if (lead > 0xf4 || bytes.size() >= lengthByLead(lead)) {
        return false;
    }
    for (const char c : bytes.sliced(1)) {
        if ((static_cast<uchar>(c) & 0xc0) != 0x80) {
            return false;
        }
    }
    return true;
}

/// The character at \a at, which it moves behind it; nothing for bytes that are none.
std::optional<uint> decode(QByteArrayView bytes, qsizetype *at)
{
    const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
    int64_t index = *at;
    UChar32 codePoint = 0;
    U8_NEXT(data, index, bytes.size(), codePoint);
    *at = index;
    return codePoint < 0 ? std::nullopt : std::optional(static_cast<uint>(codePoint));
}

} // namespace

QList<TerminalLine> TerminalText::feed(const QByteArray &bytes)
{
    m_pending += bytes;
    take(Rest::MayGoOn);
    return std::exchange(m_lines, {});
}

QList<TerminalLine> TerminalText::finish()
{
    take(Rest::IsOver);
    m_inSequence = false;
    if (!m_line.text.isEmpty() || m_afterReturn) {
        endLine();
    }
    m_colour = -1;
    m_bold = false;
    return std::exchange(m_lines, {});
}

void TerminalText::take(Rest rest)
{
    qsizetype at = 0;
    while (at < m_pending.size()) {
        const auto byte = static_cast<uchar>(m_pending.at(at));
        if (m_inSequence && takeSequence(byte)) {
            ++at;
            continue;
        }
        const qsizetype plain = takePlainRun(at);
        const qsizetype next = plain > at ? plain : takeText(at, rest);
        if (next == at) {
            break;
        }
        at = next;
    }
    m_pending.remove(0, at);
}

bool TerminalText::takeSequence(uchar byte)
{
    const EscapeSequence::Verdict verdict = m_sequence.take(byte);
    m_inSequence = verdict == EscapeSequence::Verdict::Inside;
    if (m_inSequence) {
        return true;
    }
    if (verdict == EscapeSequence::Verdict::Last && m_sequence.isSgr()) {
        applySgr();
    } else {
        ++m_removed;
    }
    return verdict == EscapeSequence::Verdict::Last;
}

/// Most of any log: printable ASCII, as much of it as fits the line.
qsizetype TerminalText::takePlainRun(qsizetype at)
{
    if (m_afterReturn) {
        return at;
    }
    const qsizetype room = longestLine - m_line.text.size();
    const qsizetype until = qMin(m_pending.size(), at + room);
    qsizetype end = at;
    while (end < until && m_pending.at(end) >= 0x20 && m_pending.at(end) < 0x7f) {
        ++end;
    }
    if (end > at) {
        appendText(QString::fromLatin1(QByteArrayView(m_pending).sliced(at, end - at)));
    }
    return end;
}

qsizetype TerminalText::takeText(qsizetype at, Rest rest)
{
    const QByteArrayView left = QByteArrayView(m_pending).sliced(at);
    if (rest == Rest::MayGoOn && endsWithin(left)) {
        return at;
    }
    const std::optional<uint> codePoint = decode(m_pending, &at);
    const bool isBreak = codePoint && (*codePoint == '\n' || *codePoint == '\r');
    if (m_afterReturn && !isBreak) {
        endLine();
    }
    if (!codePoint) {
        append(replacement);
    } else if (*codePoint < 0x20 || (*codePoint >= 0x7f && *codePoint <= 0x9f)) {
        takeControl(*codePoint);
    } else {
        append(*codePoint);
    }
    return at;
}

void TerminalText::takeControl(uint codePoint)
{
    EscapeSequence::Begin how = EscapeSequence::Begin::Escape;
    if (codePoint == 0x1b || opensSequence(codePoint, &how)) {
        m_sequence.begin(how);
        m_inSequence = true;
    } else if (codePoint == '\n') {
        endLine();
    } else if (codePoint == '\r') {
        m_afterReturn = true;
    } else if (codePoint == '\t') {
        append(codePoint);
    } else if (codePoint == '\b') {
        append(0x2408);
    } else {
        ++m_removed;
    }
}

void TerminalText::append(uint codePoint)
{
    if (isBidiControl(codePoint) || isLineSeparator(codePoint)) {
        appendText(chip(codePoint));
        return;
    }
    const char32_t character = codePoint;
    appendText(QString::fromUcs4(&character, 1));
}

void TerminalText::appendText(const QString &text)
{
    if (m_line.text.size() + text.size() > longestLine) {
        endLine();
    }
    const int start = static_cast<int>(m_line.text.size());
    const int length = static_cast<int>(text.size());
    m_line.text += text;
    if (m_colour < 0 && !m_bold) {
        return;
    }
    if (!m_line.spans.isEmpty()) {
        TextSpan &last = m_line.spans.last();
        if (last.start + last.length == start && last.colour == m_colour && last.bold == m_bold) {
            last.length += length;
            return;
        }
    }
    m_line.spans += TextSpan{start, length, m_colour, m_bold};
}

void TerminalText::endLine()
{
    m_lines += std::exchange(m_line, {});
    m_afterReturn = false;
}

void TerminalText::applySgr()
{
    QList<int> numbers;
    const QByteArray parameters = QByteArray(m_sequence.parameters()).replace(':', ';');
    for (const QByteArray &number : parameters.split(';')) {
        // Empty is 0, and so is what no int can hold.
        numbers += number.toInt();
    }
    for (int i = 0; i < numbers.size(); ++i) {
        const int number = numbers.at(i);
        if (number == 0) {
            m_colour = -1;
            m_bold = false;
        } else if (number == 1 || number == 22) {
            m_bold = number == 1;
        } else if (number == 8) {
            ++m_removed; // concealed: shown, and told
        } else if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) {
            m_colour = number % 10;
        } else if (number == 39) {
            m_colour = -1;
        } else if (number == 38 || number == 48 || number == 58) {
            i = applyExtendedColour(numbers, i);
        }
    }
}

/// "38;5;INDEX" or "38;2;RED;GREEN;BLUE"; answers where its last number stands.
int TerminalText::applyExtendedColour(const QList<int> &numbers, int at)
{
    const int kind = numbers.value(at + 1, -1);
    const int last = kind == 5 ? at + 2 : kind == 2 ? at + 4 : at + 1;
    const bool isForeground = numbers.at(at) == 38;
    if (isForeground && kind == 5) {
        m_colour = colourOfTable(qBound(0, numbers.value(at + 2), 255));
    } else if (isForeground && kind == 2) {
        m_colour =
            nearestOfEight(numbers.value(at + 2), numbers.value(at + 3), numbers.value(at + 4));
    }
    return last;
}

QString plainText(const QString &text)
{
    TerminalText terminal;
    QList<TerminalLine> lines = terminal.feed(text.toUtf8());
    lines += terminal.finish();
    QStringList texts;
    for (const TerminalLine &line : lines) {
        texts += line.text;
    }
    return texts.join(QLatin1Char('\n'));
}

} // namespace Glovebox
