// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace Glovebox {

/// A run of text with one look. Colours are the eight names of the terminal, mapped to tokens by
/// whoever paints.
struct TextSpan
{
    int start = 0; ///< QChar index in the line
    int length = 0;
    int colour = -1; ///< 0..7, -1 = the default
    bool bold = false;
};

struct TerminalLine
{
    QString text;
    QList<TextSpan> spans;
};

/// Makes a hostile terminal stream harmless: SGR colours become spans, CR overwrites nothing, BS
/// and TAB are plain, every other control sequence (OSC, DCS, queries, cursor, alternate screen,
/// C1) is dropped and counted. Works on pieces; invalid UTF-8 becomes U+FFFD; concealed text is
/// shown.
class TerminalText final
{
public:
    /// The complete lines of \a bytes together with what was left of the last piece. Lines are cut
    /// at 64 Ki characters: the rest goes on in the next one.
    [[nodiscard]] QList<TerminalLine> feed(const QByteArray &bytes);
    [[nodiscard]] QList<TerminalLine> finish();
    [[nodiscard]] qint64 removedSequences() const { return m_removed; }

private:
    QByteArray m_pending;
    int m_colour = -1;
    bool m_bold = false;
    qint64 m_removed = 0;
};

/// One line of text from anywhere (a path, a message, an error of a service) as plain text:
/// controls, bidi and invisible characters as <U+202E>, C-style escapes for bytes that are not
/// UTF-8.
[[nodiscard]] QString displayText(const QByteArray &bytes);
[[nodiscard]] QString displayText(const QString &text);

} // namespace Glovebox
