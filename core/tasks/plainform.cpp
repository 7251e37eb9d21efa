// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/plainform.h"

#include "core/tasks/textlocator.h"

#include <QList>

namespace Glovebox {

namespace {

constexpr qsizetype longestTitle = 120;
constexpr qsizetype searchedForCommand = 64LL * 1024; ///< bytes of the acceptance part

struct Part
{
    QByteArray word;         ///< "task", "acceptance", "constraints"
    qsizetype begin = 0;     ///< of the word
    qsizetype textBegin = 0; ///< behind the colon
    qsizetype end = 0;
};

QList<Part> findParts(const QByteArray &bytes)
{
    static const QByteArrayList words{"task:", "acceptance:", "constraints:"};
    const TextLocator locator(bytes);
    QList<Part> parts;
    qsizetype line = bytes.startsWith("\xEF\xBB\xBF") ? 3 : 0;
    while (line < bytes.size()) {
        const QByteArray head = bytes.mid(line, 16).toLower();
        for (const QByteArray &word : words) {
            if (head.startsWith(word)) {
                if (!parts.isEmpty()) {
                    parts.last().end = line;
                }
                parts << Part{word.chopped(1), line, line + word.size(), bytes.size()};
            }
        }
        line = locator.lineEnd(line);
    }
    return parts;
}

/// The sentence ends with the first full stop before a blank or the end; a dot within a name
/// (charge.ts) is none, nor is one of "e.g." and the like.
QString firstSentence(const QByteArray &bytes)
{
    const QString text = QString::fromUtf8(bytes).simplified();
    qsizetype end = 0;
    for (; end < text.size(); ++end) {
        const QChar c = text.at(end);
        if (c == QChar(0x3002)) { // the full stop of Chinese and Japanese
            break;
        }
        const bool mark = c == QLatin1Char('.') || c == QLatin1Char('!') || c == QLatin1Char('?');
        const bool last = end + 1 == text.size() || text.at(end + 1) == QLatin1Char(' ');
        const bool abbreviation = end > 1 && text.at(end - 2) == QLatin1Char('.');
        if (mark && last && !abbreviation) {
            break;
        }
    }
    QString sentence = text.left(end);
    if (sentence.size() > longestTitle) {
        const qsizetype blank = sentence.lastIndexOf(QLatin1Char(' '), longestTitle - 1);
        sentence =
            sentence.left(blank > longestTitle / 2 ? blank : longestTitle - 1) + QChar(0x2026);
    }
    if (!sentence.isEmpty()) {
        sentence[0] = sentence.at(0).toUpper();
    }
    return sentence;
}

/// What a code span or fenced block says as a command: a fence's info word goes, the line breaks of
/// a span are blanks.
QString commandOf(const QByteArray &content, qsizetype ticks)
{
    QString text = QString::fromUtf8(content);
    if (ticks >= 3 && text.contains(QLatin1Char('\n'))) {
        text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
        return text.mid(text.indexOf(QLatin1Char('\n')) + 1).trimmed();
    }
    return text.simplified();
}

void findCommand(const QByteArray &bytes, const Part &part, PlainForm *form)
{
    const qsizetype partEnd = std::min(part.end, part.textBegin + searchedForCommand);
    const auto runAt = [&](qsizetype at) {
        qsizetype end = at;
        while (end < partEnd && bytes.at(end) == '`') {
            ++end;
        }
        return end - at;
    };
    qsizetype at = part.textBegin;
    while (at < partEnd) {
        const qsizetype ticks = runAt(at);
        if (ticks == 0) {
            ++at;
            continue;
        }
        qsizetype close = at + ticks;
        while (close < partEnd && runAt(close) != ticks) {
            close += std::max<qsizetype>(1, runAt(close));
        }
        if (close >= partEnd) {
            at += ticks;
            continue;
        }
        const QByteArray content = bytes.mid(at + ticks, close - at - ticks);
        const QString command = commandOf(content, ticks);
        if (!command.isEmpty()) {
            form->command = command;
            form->acceptance = PlainForm::Span{at + ticks, close};
            return;
        }
        at = close + ticks;
    }
}

} // namespace

std::optional<PlainForm> readPlainForm(const QByteArray &bytes)
{
    const QList<Part> parts = findParts(bytes);
    if (parts.isEmpty()) {
        return std::nullopt;
    }
    PlainForm form;
    for (const Part &part : parts) {
        const PlainForm::Span word{part.begin, part.textBegin};
        if (part.word == "task" && form.title.isEmpty()) {
            form.title = firstSentence(bytes.mid(part.textBegin, part.end - part.textBegin));
            form.task = word;
        } else if (part.word == "acceptance" && form.command.isEmpty()) {
            form.acceptance = form.acceptance ? form.acceptance : word;
            findCommand(bytes, part, &form);
        } else if (part.word == "constraints" && !form.constraints) {
            form.constraints = word;
        }
    }
    return form;
}

} // namespace Glovebox
