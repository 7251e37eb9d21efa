// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/tasks/tasktext.h"

#include <QMap>
#include <QStringDecoder>

#include <vector>

namespace Glovebox {

namespace {

constexpr char mark[] = "\xEF\xBB\xBF";
constexpr qsizetype markSize = 3;
/// Above this many pairs of lines, edited lines are not compared one by one.
constexpr qsizetype mostPairs = 4'000'000;

/// How many characters the line end at \a at takes; 0 = there is none. What a text document takes
/// for the end of a paragraph.
qsizetype endAt(const QString &text, qsizetype at)
{
    const QChar c = text.at(at);
    if (c == QLatin1Char('\r') && at + 1 < text.size() && text.at(at + 1) == QLatin1Char('\n')) {
        return 2;
    }
    return c == QLatin1Char('\n') || c == QLatin1Char('\r') || c == QChar::ParagraphSeparator ? 1
                                                                                              : 0;
}

QString decoded(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless |
                                                     QStringDecoder::Flag::ConvertInitialBom);
    return decoder(bytes);
}

} // namespace

std::optional<BadByte> firstBadByte(const QByteArray &bytes)
{
    QStringDecoder whole(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = whole(bytes);
    Q_UNUSED(text); // only whether it can be read counts
    if (!whole.hasError()) {
        return std::nullopt;
    }
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::ConvertInitialBom);
    qsizetype begin = 0; // of the character that is being read
    for (qsizetype at = 0; at < bytes.size(); ++at) {
        const QString read = decoder(QByteArrayView(bytes).sliced(at, 1));
        if (decoder.hasError()) {
            break;
        }
        begin = read.isEmpty() ? begin : at + 1;
    }
    begin = qMin(begin, bytes.size() - 1);
    const auto line = bytes.first(begin).count('\n') + 1;
    return BadByte{begin, static_cast<int>(line), static_cast<unsigned char>(bytes.at(begin))};
}

TaskText::TaskText(const QByteArray &bytes)
    : m_mark(bytes.startsWith(mark))
{
    const QString text = decoded(m_mark ? bytes.mid(markSize) : bytes);
    m_lines.clear();
    qsizetype begin = 0;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype length = endAt(text, at);
        if (length > 0) {
            m_lines.append({text.mid(begin, at - begin), text.mid(at, length).toUtf8()});
            begin = at + length;
        }
        at += qMax<qsizetype>(1, length);
    }
    m_lines.append({text.mid(begin), {}});
}

QString TaskText::shown() const
{
    QStringList lines;
    lines.reserve(m_lines.size());
    for (const Line &line : m_lines) {
        lines.append(line.text);
    }
    return lines.join(QLatin1Char('\n'));
}

QByteArray TaskText::commonEnd() const
{
    QMap<QByteArray, int> counts;
    QByteArray most = "\n";
    for (const Line &line : m_lines) {
        const int count = line.end.isEmpty() ? 0 : ++counts[line.end];
        if (count > counts.value(most)) {
            most = line.end;
        }
    }
    return most;
}

/// The ends of the lines between what begins and what ends both texts: those of a longest common
/// run of lines.
void TaskText::matchMiddle(const QStringList &now, qsizetype from, qsizetype before,
                           QList<QByteArray> *ends) const
{
    const qsizetype olds = m_lines.size() - from - before;
    const qsizetype news = now.size() - from - before;
    if (olds <= 0 || news <= 0 || olds > mostPairs / news) {
        return;
    }
    const auto width = static_cast<std::size_t>(news) + 1;
    std::vector<int> longest((static_cast<std::size_t>(olds) + 1) * width, 0);
    const auto cell = [&longest, width](qsizetype o, qsizetype n) -> int & {
        return longest[static_cast<std::size_t>(o) * width + static_cast<std::size_t>(n)];
    };
    const auto same = [this, &now, from](qsizetype o, qsizetype n) {
        return m_lines.at(from + o).text == now.at(from + n);
    };
    for (qsizetype o = olds - 1; o >= 0; --o) {
        for (qsizetype n = news - 1; n >= 0; --n) {
            cell(o, n) = same(o, n) ? cell(o + 1, n + 1) + 1 : qMax(cell(o + 1, n), cell(o, n + 1));
        }
    }
    for (qsizetype o = 0, n = 0; o < olds && n < news;) {
        if (same(o, n)) {
            (*ends)[from + n++] = m_lines.at(from + o++).end;
        } else if (cell(o + 1, n) >= cell(o, n + 1)) {
            ++o;
        } else {
            ++n;
        }
    }
}

QList<QByteArray> TaskText::endsFor(const QStringList &now) const
{
    QList<QByteArray> ends(now.size());
    const qsizetype shorter = qMin(now.size(), m_lines.size());
    qsizetype from = 0;
    while (from < shorter && m_lines.at(from).text == now.at(from)) {
        ends[from] = m_lines.at(from).end;
        ++from;
    }
    qsizetype before = 0;
    while (before < shorter - from &&
           m_lines.at(m_lines.size() - 1 - before).text == now.at(now.size() - 1 - before)) {
        ends[now.size() - 1 - before] = m_lines.at(m_lines.size() - 1 - before).end;
        ++before;
    }
    matchMiddle(now, from, before, &ends);
    return ends;
}

QByteArray TaskText::written(const QString &rawText) const
{
    const QStringList now = rawText.split(QChar::ParagraphSeparator);
    const QList<QByteArray> ends = endsFor(now);
    const QByteArray common = commonEnd();
    QByteArray bytes = m_mark ? QByteArray(mark) : QByteArray();
    for (qsizetype i = 0; i < now.size(); ++i) {
        bytes += now.at(i).toUtf8();
        if (i + 1 < now.size()) {
            bytes += ends.at(i).isEmpty() ? common : ends.at(i);
        }
    }
    return bytes;
}

} // namespace Glovebox
