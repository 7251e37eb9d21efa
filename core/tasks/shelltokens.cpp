// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/shelltokens.h"

#include <algorithm>

namespace Glovebox {

namespace {

class Splitter final
{
public:
    explicit Splitter(const QString &line)
        : m_line(line)
    {
    }

    std::optional<QList<ShellToken>> split();

private:
    void readNext();
    void readOperator();
    void readRedirection();
    void readWord();
    void readSingleQuoted(ShellToken *word);
    void readDoubleQuoted(ShellToken *word);
    void readDollar(ShellToken *word);
    void skipBackQuoted(ShellToken *word);
    void skipNested(QChar open, QChar close);
    void finishWord(const ShellToken &word);
    [[nodiscard]] QChar peek(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_line.size() ? m_line.at(m_at + ahead) : QChar();
    }
    [[nodiscard]] bool isAtEnd() const { return m_at >= m_line.size(); }

    const QString m_line;
    qsizetype m_at = 0;
    QList<ShellToken> m_tokens;
    bool m_skipsWord = false; ///< the next word is a redirection's target
    bool m_failed = false;
};

std::optional<QList<ShellToken>> Splitter::split()
{
    while (!isAtEnd() && !m_failed) {
        readNext();
    }
    return m_failed ? std::nullopt : std::optional(m_tokens);
}

void Splitter::readNext()
{
    const QChar c = peek();
    if (c == QLatin1Char('\\') && peek(1) == QLatin1Char('\n')) {
        m_at += 2;
    } else if (c == QLatin1Char(' ') || c == QLatin1Char('\t') || c == QLatin1Char('\r')) {
        ++m_at;
    } else if (c == QLatin1Char('#')) {
        const qsizetype end = m_line.indexOf(QLatin1Char('\n'), m_at);
        m_at = end < 0 ? m_line.size() : end;
    } else if (c == QLatin1Char('<') || c == QLatin1Char('>') ||
               (c == QLatin1Char('&') && peek(1) == QLatin1Char('>'))) {
        readRedirection();
    } else if (QStringLiteral("&|;()\n").contains(c)) {
        readOperator();
    } else {
        readWord();
    }
}

void Splitter::readOperator()
{
    static const QStringList two{QStringLiteral("&&"), QStringLiteral("||"), QStringLiteral(";;"),
                                 QStringLiteral("|&")};
    QString text = m_line.mid(m_at, 2);
    if (!two.contains(text)) {
        text = m_line.mid(m_at, 1);
    }
    m_at += text.size();
    m_tokens << ShellToken{ShellToken::Kind::Operator,
                           text == QLatin1String("\n") ? QStringLiteral(";") : text};
}

void Splitter::readRedirection()
{
    const qsizetype start = m_at;
    while (QStringLiteral("<>&|").contains(peek()) && !isAtEnd()) {
        ++m_at;
    }
    const QString text = m_line.mid(start, m_at - start);
    m_failed = text == QLatin1String("<<") || peek() == QLatin1Char('(') ||
               (text == QLatin1String("<<") && peek() == QLatin1Char('-'));
    m_skipsWord = true;
}

void Splitter::readWord()
{
    ShellToken word;
    while (!isAtEnd() && !m_failed && !QStringLiteral(" \t\r\n&|;()<>").contains(peek())) {
        const QChar c = peek();
        if (c == QLatin1Char('\'')) {
            readSingleQuoted(&word);
        } else if (c == QLatin1Char('"')) {
            readDoubleQuoted(&word);
        } else if (c == QLatin1Char('$')) {
            readDollar(&word);
        } else if (c == QLatin1Char('`')) {
            skipBackQuoted(&word);
        } else if (c == QLatin1Char('\\')) {
            word.text += peek(1) == QLatin1Char('\n') ? QString() : m_line.mid(m_at + 1, 1);
            m_at += 2;
        } else {
            word.text += c;
            ++m_at;
        }
    }
    finishWord(word);
}

void Splitter::finishWord(const ShellToken &word)
{
    const bool redirects = peek() == QLatin1Char('<') || peek() == QLatin1Char('>');
    const bool isNumber = !word.text.isEmpty() && std::all_of(word.text.begin(), word.text.end(),
                                                              [](QChar c) { return c.isDigit(); });
    if (redirects && isNumber && !word.isQuoted) {
        return; // the descriptor of "2>"
    }
    if (!m_skipsWord) {
        m_tokens << word;
    }
    m_skipsWord = false;
}

/// An assignment's name may not be quoted, its value may.
void beginQuotes(ShellToken *word)
{
    word->plainLength = word->isQuoted ? word->plainLength : word->text.size();
    word->isQuoted = true;
}

void Splitter::readSingleQuoted(ShellToken *word)
{
    const qsizetype end = m_line.indexOf(QLatin1Char('\''), m_at + 1);
    m_failed = end < 0;
    if (!m_failed) {
        beginQuotes(word);
        word->text += m_line.mid(m_at + 1, end - m_at - 1);
        m_at = end + 1;
    }
}

void Splitter::readDoubleQuoted(ShellToken *word)
{
    beginQuotes(word);
    ++m_at;
    while (!isAtEnd() && !m_failed && peek() != QLatin1Char('"')) {
        if (peek() == QLatin1Char('$')) {
            readDollar(word);
        } else if (peek() == QLatin1Char('`')) {
            skipBackQuoted(word);
        } else {
            m_at += peek() == QLatin1Char('\\') ? 1 : 0;
            word->text += peek();
            ++m_at;
        }
    }
    m_failed = m_failed || isAtEnd();
    ++m_at;
}

void Splitter::readDollar(ShellToken *word)
{
    word->isLiteral = false;
    ++m_at;
    if (peek() == QLatin1Char('(')) {
        skipNested(QLatin1Char('('), QLatin1Char(')'));
    } else if (peek() == QLatin1Char('{')) {
        skipNested(QLatin1Char('{'), QLatin1Char('}'));
    } else {
        word->text += QLatin1Char('$');
    }
}

void Splitter::skipBackQuoted(ShellToken *word)
{
    const qsizetype end = m_line.indexOf(QLatin1Char('`'), m_at + 1);
    m_failed = m_failed || end < 0;
    word->isLiteral = false;
    m_at = end < 0 ? m_line.size() : end + 1;
}

void Splitter::skipNested(QChar open, QChar close)
{
    int depth = 0;
    ShellToken ignored;
    while (!isAtEnd() && !m_failed) {
        const QChar c = peek();
        if (c == QLatin1Char('\'')) {
            readSingleQuoted(&ignored);
            continue;
        }
        ++m_at;
        depth += c == open ? 1 : 0;
        depth -= c == close ? 1 : 0;
        if (depth == 0) {
            return;
        }
        m_at += c == QLatin1Char('\\') ? 1 : 0;
    }
    m_failed = true;
}

} // namespace

std::optional<QList<ShellToken>> splitShellLine(const QString &line)
{
    return Splitter(line).split();
}

} // namespace Glovebox
