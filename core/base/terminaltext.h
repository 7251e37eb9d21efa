// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/escapesequence.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace Glovebox {

/// A run of text with one look, where it is not the default look. Colours are the eight names of
/// the terminal, mapped to tokens by whoever paints.
struct TextSpan
{
    int start = 0; ///< QChar index in the line
    int length = 0;
    int colour = -1; ///< 0..7, -1 = the default
    bool bold = false;
    friend bool operator==(const TextSpan &, const TextSpan &) = default;
};

struct TerminalLine
{
    QString text;
    QList<TextSpan> spans; ///< in order; what lies between has the default look
    friend bool operator==(const TerminalLine &, const TerminalLine &) = default;
};

/// Makes a hostile terminal stream harmless. SGR colours become spans (256 and RGB colours the
/// nearest of the eight); every other control sequence (OSC, DCS, queries, cursor, alternate
/// screen) and every other control is dropped and counted. Nothing is overwritten or hidden: CR
/// without LF ends the line, BS is shown as U+2408, concealed text as any other. Bidi controls and
/// the line separators of Unicode are shown as <U+202E>. Invalid UTF-8, raw 8-bit controls among
/// it, becomes U+FFFD. Works on pieces: the lines do not depend on where the stream was cut.
class TerminalText final
{
public:
    /// The complete lines of \a bytes together with what was left of the last piece. Lines are cut
    /// at 64 Ki characters: the rest goes on in the next one.
    [[nodiscard]] QList<TerminalLine> feed(const QByteArray &bytes);
    [[nodiscard]] QList<TerminalLine> finish();
    [[nodiscard]] qint64 removedSequences() const { return m_removed; }

    static constexpr int longestLine = 64 * 1024;

private:
    enum class Rest { MayGoOn, IsOver };
    void take(Rest rest);
    qsizetype takeText(qsizetype at, Rest rest);
    void takeControl(uint codePoint);
    [[nodiscard]] bool takeSequence(uchar byte);
    void applySgr();
    int applyExtendedColour(const QList<int> &numbers, int at);
    [[nodiscard]] qsizetype takePlainRun(qsizetype at);
    void append(uint codePoint);
    void appendText(const QString &text);
    void endLine();

    QByteArray m_pending; ///< undecoded: at most the beginning of one character between calls
    TerminalLine m_line;
    QList<TerminalLine> m_lines;
    EscapeSequence m_sequence;
    bool m_inSequence = false;
    bool m_afterReturn = false;
    int m_colour = -1;
    bool m_bold = false;
    qint64 m_removed = 0;
};

/// A text from a hostile source with its lines kept and all else of a terminal removed: what
/// TerminalText shows, without the colours.
[[nodiscard]] QString plainText(const QString &text);

/// One line of text from anywhere (a path, a message, an error of a service) as plain text:
/// controls, line breaks, bidi and invisible characters, blanks other than U+0020 or at an end as
/// <U+202E>; bytes that are not UTF-8 as \xFF. Emoji sequences and joiners inside the scripts that
/// need them stay as they are.
[[nodiscard]] QString displayText(const QByteArray &bytes);
[[nodiscard]] QString displayText(const QString &text);

} // namespace Glovebox
