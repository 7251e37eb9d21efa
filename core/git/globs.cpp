// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/globs.h"

#include <QCoreApplication>

#include <algorithm>

#include <re2/re2.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Globs)
};

constexpr qsizetype longestPattern = 1024;
constexpr int deepestBraces = 8;
constexpr qsizetype patternsAtOnce = 50; ///< keeps one expression far below RE2's own limit
/// A byte that is no UTF-8 becomes this code point plus its value: a plane for private use, where
/// no real path can be confused with it by accident.
constexpr char32_t strayByte = 0x10FE00;

bool isAt(const QList<uint> &text, qsizetype at, uint c)
{
    return at < text.size() && text.at(at) == c;
}

QByteArray oneOf(uint c)
{
    return "\\x{" + QByteArray::number(c, 16) + "}";
}

/// Turns one glob into a regular expression. Reading stops at the first thing that makes no sense;
/// error() then says what.
class GlobReader final
{
public:
    explicit GlobReader(const QString &pattern)
        : m_text(pattern.toUcs4())
    {
    }

    QByteArray read();
    [[nodiscard]] QString error() const { return m_error; }

private:
    struct Brace
    {
        bool isChoice = false;  ///< {a,b}; else the brace is itself
        bool nameStart = false; ///< a name starts right in front of it
    };

    void checkShape();
    void readNext();
    void readStars();
    void readClass();
    void readClassItem();
    void addRange(uint from, uint to);
    void readBrace();
    void readEscape();
    void literal(uint c);
    [[nodiscard]] bool hasComma(qsizetype brace) const;
    void complain(const QString &sentence);

    QList<uint> m_text;
    qsizetype m_at = 0;
    QByteArray m_out;
    QString m_error;
    QList<Brace> m_braces; ///< the open ones
    bool m_nameStart = true;
};

void GlobReader::complain(const QString &sentence)
{
    if (m_error.isEmpty()) {
        m_error = sentence;
    }
}

void GlobReader::checkShape()
{
    QString text =
        QString::fromUcs4(reinterpret_cast<const char32_t *>(m_text.constData()), m_text.size());
    if (text.startsWith(QLatin1String("./"))) {
        text.remove(0, 2);
        m_at = 2;
    } else if (text.startsWith(QLatin1Char('/'))) {
        text.remove(0, 1);
        m_at = 1;
    }
    if (text.isEmpty()) {
        complain(Tr::tr("A path pattern cannot be empty; \"**\" stands for every file."));
    }
    if (text.size() > longestPattern) {
        complain(Tr::tr("A path pattern can have at most %1 characters.").arg(longestPattern));
    }
    if (text.contains(QChar(0))) {
        complain(Tr::tr("A path pattern cannot hold a NUL character."));
    }
    const QStringList names = text.split(QLatin1Char('/'));
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (names.at(i) == QLatin1String("..") || names.at(i) == QLatin1String(".")) {
            complain(
                Tr::tr("Write paths from the top of the repository, without \".\" or \"..\"."));
        }
        if (names.at(i).isEmpty() && i + 1 < names.size()) {
            complain(Tr::tr("Two slashes in a row match no path; write one."));
        }
    }
}

QByteArray GlobReader::read()
{
    checkShape();
    while (m_at < m_text.size() && m_error.isEmpty()) {
        readNext();
    }
    if (!m_braces.isEmpty()) {
        complain(Tr::tr("A \"{\" is never closed; write \"\\{\" for the character itself."));
    }
    if (m_nameStart && m_braces.isEmpty()) {
        m_out += "(?s:.*)"; // ended in "/": everything below
    }
    return m_out;
}

void GlobReader::readNext()
{
    const uint c = m_text.at(m_at);
    switch (c) {
    case '*':
        readStars();
        return;
    case '?':
        m_out += "[^/]";
        ++m_at;
        m_nameStart = false;
        return;
    case '[':
        readClass();
        return;
    case '\\':
        readEscape();
        return;
    case '{':
    case '}':
    case ',':
        readBrace();
        return;
    default:
        literal(c);
    }
}

void GlobReader::literal(uint c)
{
    m_out += oneOf(c);
    m_nameStart = c == '/';
    ++m_at;
}

void GlobReader::readStars()
{
    qsizetype stars = 0;
    while (isAt(m_text, m_at, '*')) {
        ++stars;
        ++m_at;
    }
    if (stars == 1) {
        m_out += "[^/]*";
        m_nameStart = false;
    } else if (m_nameStart && isAt(m_text, m_at, '/')) {
        m_out += "(?s:.*/)?"; // "**/": any number of folders, none too
        ++m_at;
    } else {
        m_out += "(?s:.*)";
        m_nameStart = false;
    }
}

void GlobReader::readClass()
{
    ++m_at;
    const bool negated = isAt(m_text, m_at, '!') || isAt(m_text, m_at, '^');
    m_out += negated ? "[^/" : "[";
    m_at += negated ? 1 : 0;
    const qsizetype first = m_at;
    while (m_at < m_text.size() && (m_text.at(m_at) != ']' || m_at == first)) {
        readClassItem();
        if (!m_error.isEmpty()) {
            return;
        }
    }
    if (m_at >= m_text.size()) {
        complain(Tr::tr("A \"[\" is never closed; write \"\\[\" for the character itself."));
        return;
    }
    ++m_at;
    m_out += ']';
    m_nameStart = false;
}

void GlobReader::readClassItem()
{
    if (isAt(m_text, m_at, '[') && isAt(m_text, m_at + 1, ':')) {
        complain(Tr::tr("Named classes such as [:alpha:] are not known here; write [a-z]."));
        return;
    }
    if (isAt(m_text, m_at, '\\') && m_at + 1 < m_text.size()) {
        ++m_at;
    }
    const uint from = m_text.at(m_at);
    ++m_at;
    const bool range =
        isAt(m_text, m_at, '-') && m_at + 1 < m_text.size() && m_text.at(m_at + 1) != ']';
    if (!range) {
        addRange(from, from);
        return;
    }
    const uint to = m_text.at(m_at + 1);
    m_at += 2;
    if (to < from) {
        complain(Tr::tr("A range in \"[…]\" runs from the lower to the higher character."));
        return;
    }
    addRange(from, to);
}

/// A class never matches a slash, so one inside a range is cut out.
void GlobReader::addRange(uint from, uint to)
{
    if (from <= '/' && to >= '/') {
        if (from == to) {
            complain(Tr::tr("A \"/\" cannot stand in \"[…]\"."));
            return;
        }
        m_out += oneOf(from == '/' ? '/' + 1 : from) + '-' + oneOf(from == '/' ? to : '/' - 1);
        if (from == '/' || to == '/') {
            return;
        }
        from = '/' + 1;
    }
    m_out += oneOf(from) + '-' + oneOf(to);
}

/// Whether the brace at \a brace has a comma of its own level: without one it is a literal, as in a
/// file called {id}.
bool GlobReader::hasComma(qsizetype brace) const
{
    int depth = 0;
    bool comma = false;
    for (qsizetype i = brace; i < m_text.size(); ++i) {
        const uint c = m_text.at(i);
        if (c == '\\') {
            ++i;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return comma;
        } else if (c == ',' && depth == 1) {
            comma = true;
        }
    }
    return true; // never closed: read() says so
}

void GlobReader::readBrace()
{
    const uint c = m_text.at(m_at);
    const bool inChoice = !m_braces.isEmpty() && m_braces.last().isChoice;
    if (c == '{') {
        m_braces.append({hasComma(m_at), m_nameStart});
        if (m_braces.size() > deepestBraces) {
            complain(Tr::tr("Braces can be at most %1 deep.").arg(deepestBraces));
        }
    }
    if (c == '{' && m_braces.last().isChoice) {
        m_out += "(?:";
        ++m_at;
    } else if (c == ',' && inChoice) {
        m_out += '|';
        m_nameStart = m_braces.last().nameStart;
        ++m_at;
    } else if (c == '}' && inChoice) {
        m_out += ')';
        m_nameStart = false;
        ++m_at;
    } else {
        literal(c);
    }
    if (c == '}' && !m_braces.isEmpty()) {
        m_braces.removeLast();
    }
}

void GlobReader::readEscape()
{
    ++m_at;
    if (m_at >= m_text.size()) {
        complain(Tr::tr("A \"\\\" at the end stands before nothing."));
        return;
    }
    const uint c = m_text.at(m_at);
    if (QChar::isLetterOrNumber(c)) {
        complain(Tr::tr("Write \"/\" between folder names, not \"\\\"."));
        return;
    }
    literal(c);
    m_nameStart = false;
}

/// A path as UTF-8 that RE2 takes, with nothing lost: bytes that are no UTF-8 become characters.
std::string readable(const QByteArray &path)
{
    if (QUtf8StringView(path).isValidUtf8()) {
        return path.toStdString();
    }
    std::string text;
    qsizetype at = 0;
    while (at < path.size()) {
        qsizetype length = 1;
        while (length < 4 && at + length < path.size() && (path.at(at + length) & 0xC0) == 0x80) {
            ++length;
        }
        while (length > 0 && !QUtf8StringView(path.constData() + at, length).isValidUtf8()) {
            --length;
        }
        if (length > 0) {
            text.append(path.constData() + at, static_cast<std::size_t>(length));
            at += length;
            continue;
        }
        const char32_t code = strayByte + static_cast<unsigned char>(path.at(at));
        text += QString::fromUcs4(&code, 1).toStdString();
        ++at;
    }
    return text;
}

} // namespace

GlobSet::GlobSet(const QStringList &patterns)
{
    QByteArrayList parts;
    for (const QString &pattern : patterns) {
        GlobReader reader(pattern);
        const QByteArray part = reader.read();
        parts << (reader.error().isEmpty()
                      ? part
                      : QByteArray::fromStdString(re2::RE2::QuoteMeta(pattern.toStdString())));
    }
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(64LL * 1024 * 1024);
    for (qsizetype i = 0; i < parts.size(); i += patternsAtOnce) {
        const std::string text = parts.mid(i, patternsAtOnce).join('|').toStdString();
        m_expressions << std::make_shared<const re2::RE2>(text, options);
        Q_ASSERT(m_expressions.last()->ok());
    }
}

bool GlobSet::matches(const QByteArray &path) const
{
    const std::string text = readable(path);
    return std::any_of(m_expressions.begin(), m_expressions.end(), [&text](const auto &expression) {
        return re2::RE2::FullMatch(text, *expression);
    });
}

QString GlobSet::explainInvalid(const QString &pattern)
{
    GlobReader reader(pattern);
    static_cast<void>(reader.read());
    return reader.error();
}

} // namespace Glovebox
