// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/shellline.h"

#include "core/tasks/shelltokens.h"

#include <algorithm>

#include <re2/re2.h>

namespace Glovebox {

namespace {

constexpr int deepestShell = 4; ///< sh -c "sh -c …"

const QStringList alwaysFine{QStringLiteral("true"),  QStringLiteral(":"),
                             QStringLiteral("echo"),  QStringLiteral("printf"),
                             QStringLiteral("sleep"), QStringLiteral("pwd"),
                             QStringLiteral("date")};
const QStringList passingOn{
    QStringLiteral("cat"),    QStringLiteral("tee"),  QStringLiteral("head"),
    QStringLiteral("tail"),   QStringLiteral("sort"), QStringLiteral("wc"),
    QStringLiteral("sed"),    QStringLiteral("awk"),  QStringLiteral("tr"),
    QStringLiteral("less"),   QStringLiteral("more"), QStringLiteral("nl"),
    QStringLiteral("column"), QStringLiteral("ts")};
const QStringList reserved{
    QStringLiteral("if"),     QStringLiteral("for"),  QStringLiteral("while"),
    QStringLiteral("until"),  QStringLiteral("case"), QStringLiteral("function"),
    QStringLiteral("select"), QStringLiteral("[["),   QStringLiteral("then"),
    QStringLiteral("do"),     QStringLiteral("eval"), QStringLiteral("trap")};
const QStringList builtins{
    QStringLiteral("."),      QStringLiteral(":"),      QStringLiteral("["),
    QStringLiteral("alias"),  QStringLiteral("cd"),     QStringLiteral("echo"),
    QStringLiteral("exit"),   QStringLiteral("export"), QStringLiteral("false"),
    QStringLiteral("hash"),   QStringLiteral("kill"),   QStringLiteral("printf"),
    QStringLiteral("pwd"),    QStringLiteral("read"),   QStringLiteral("return"),
    QStringLiteral("set"),    QStringLiteral("shift"),  QStringLiteral("source"),
    QStringLiteral("test"),   QStringLiteral("true"),   QStringLiteral("type"),
    QStringLiteral("ulimit"), QStringLiteral("umask"),  QStringLiteral("unset"),
    QStringLiteral("wait")};
const QStringList wrappers{QStringLiteral("env"),     QStringLiteral("exec"),
                           QStringLiteral("command"), QStringLiteral("time"),
                           QStringLiteral("nohup"),   QStringLiteral("nice")};
const QStringList shells{QStringLiteral("sh"), QStringLiteral("bash"), QStringLiteral("dash"),
                         QStringLiteral("zsh"), QStringLiteral("ksh")};

QString baseName(const QString &program)
{
    return program.mid(program.lastIndexOf(QLatin1Char('/')) + 1);
}

bool isAssignment(const ShellToken &word)
{
    static const re2::RE2 shape("(?s)[A-Za-z_][A-Za-z0-9_]*=.*");
    const bool plainName = !word.isQuoted || word.text.indexOf(QLatin1Char('=')) < word.plainLength;
    return plainName && re2::RE2::FullMatch(word.text.toStdString(), shape);
}

/// A small recursive reader; each function answers whether what it read can end with an error.
class Judge final
{
public:
    Judge(QList<ShellToken> tokens, int depth)
        : m_tokens(std::move(tokens))
        , m_depth(depth)
    {
    }

    ShellVerdict judge();

private:
    [[nodiscard]] bool list(const char *closing);
    [[nodiscard]] bool andOr();
    [[nodiscard]] bool pipeline();
    [[nodiscard]] bool command();
    [[nodiscard]] bool simple(QList<ShellToken> words);
    [[nodiscard]] bool exitCommand(const QList<ShellToken> &words);
    [[nodiscard]] bool nestedShell(const QList<ShellToken> &words);
    void setCommand(const QList<ShellToken> &words);
    void readOptions(const QString &letters, const QString &next);
    [[nodiscard]] bool isAtEnd() const { return m_at >= m_tokens.size(); }
    [[nodiscard]] bool isNext(const char *op) const
    {
        return !isAtEnd() && m_tokens.at(m_at).isOperator(op);
    }
    [[nodiscard]] bool isNextWord(const char *word) const;
    bool accept(const char *op);

    const QList<ShellToken> m_tokens;
    const int m_depth;
    qsizetype m_at = 0;
    ShellVerdict m_verdict;
    QString m_lastProgram;
    bool m_errExit = false;
    bool m_pipeFail = false;
    bool m_left = false;     ///< an exit was reached: what follows is never run
    bool m_lastFails = true; ///< of the command before, for a bare "exit"
    bool m_unknown = false;
};

ShellVerdict Judge::judge()
{
    if (std::all_of(m_tokens.begin(), m_tokens.end(),
                    [](const ShellToken &token) { return token.isOperator(";"); })) {
        m_verdict.hasCommand = false;
        m_verdict.canFail = false;
        return m_verdict;
    }
    const bool fails = list("");
    m_verdict.canFail = m_unknown || !isAtEnd() || fails;
    m_verdict.programs.removeDuplicates();
    return m_verdict;
}

bool Judge::isNextWord(const char *word) const
{
    return !isAtEnd() && m_tokens.at(m_at).kind == ShellToken::Kind::Word &&
           !m_tokens.at(m_at).isQuoted && m_tokens.at(m_at).text == QLatin1String(word);
}

bool Judge::accept(const char *op)
{
    if (!isNext(op)) {
        return false;
    }
    ++m_at;
    return true;
}

bool Judge::list(const char *closing)
{
    bool fails = false;
    bool mayLeave = false; // an earlier command could end the script, under "set -e"
    while (!isAtEnd() && !m_unknown && !isNext(closing) && !isNextWord(closing)) {
        if (accept(";")) {
            continue;
        }
        const bool leftBefore = m_left;
        const bool errExitBefore = m_errExit;
        const bool itFails = andOr();
        if (leftBefore) {
            continue; // never run
        }
        mayLeave = mayLeave || (errExitBefore && itFails);
        fails = itFails;
        m_lastFails = fails;
        if (accept("&")) {
            fails = false;
        } else if (!accept(";") && !isAtEnd() && !isNext(closing) && !isNextWord(closing)) {
            m_unknown = true;
        }
    }
    return fails || mayLeave;
}

bool Judge::andOr()
{
    bool fails = pipeline();
    while (isNext("&&") || isNext("||")) {
        const bool both = isNext("&&");
        ++m_at;
        while (accept(";")) { // a line break may follow
        }
        const bool left = m_left;
        m_lastFails = fails;
        const bool right = pipeline();
        m_left = left; // whether an exit behind && or || is reached is not known
        fails = both ? fails || right : fails && right;
    }
    return fails;
}

bool Judge::pipeline()
{
    const bool negated = isNextWord("!");
    m_at += negated ? 1 : 0;
    bool fails = command();
    bool anyFails = fails;
    bool piped = false;
    while (isNext("|") || isNext("|&")) {
        ++m_at;
        piped = true;
        fails = command();
        anyFails = anyFails || fails;
    }
    if (piped && !m_pipeFail && passingOn.contains(m_lastProgram)) {
        m_verdict.hidesInPipe = true;
    }
    return negated || (m_pipeFail ? anyFails : fails);
}

bool Judge::command()
{
    m_lastProgram.clear();
    if (accept("(")) {
        const bool left = m_left;
        const bool fails = list(")");
        m_left = left; // leaves the subshell only
        m_unknown = m_unknown || !accept(")") || isNext("(");
        return fails;
    }
    if (isNextWord("{")) {
        ++m_at;
        const bool fails = list("}");
        m_unknown = m_unknown || !isNextWord("}");
        ++m_at;
        return fails;
    }
    QList<ShellToken> words;
    while (!isAtEnd() && m_tokens.at(m_at).kind == ShellToken::Kind::Word) {
        words << m_tokens.at(m_at);
        ++m_at;
    }
    if (words.isEmpty() || isNext("(") ||
        (!words.first().isQuoted && reserved.contains(words.first().text))) {
        m_unknown = true; // a compound command or a function: not read here
        return true;
    }
    return simple(words);
}

bool Judge::simple(QList<ShellToken> words)
{
    bool literal = true;
    while (!words.isEmpty() && isAssignment(words.first())) {
        literal = literal && words.first().isLiteral;
        words.removeFirst();
    }
    while (!words.isEmpty() && wrappers.contains(words.first().text)) {
        words.removeFirst();
        while (!words.isEmpty() &&
               (isAssignment(words.first()) || words.first().text.startsWith(QLatin1Char('-')))) {
            words.removeFirst();
        }
    }
    if (words.isEmpty()) {
        return !literal; // assignments alone: the status of a $(command) in them, else 0
    }
    if (!words.first().isLiteral) {
        return true;
    }
    const QString program = words.first().text;
    m_lastProgram = baseName(program);
    if (!program.contains(QLatin1Char('/')) && !builtins.contains(program)) {
        m_verdict.programs << program;
    }
    if (program == QLatin1String("exit")) {
        return exitCommand(words);
    }
    if (program == QLatin1String("set")) {
        setCommand(words);
        return false;
    }
    if (shells.contains(m_lastProgram)) {
        return nestedShell(words);
    }
    return !alwaysFine.contains(m_lastProgram);
}

bool Judge::exitCommand(const QList<ShellToken> &words)
{
    m_left = true;
    if (words.size() < 2) {
        return m_lastFails;
    }
    return words.at(1).text != QLatin1String("0");
}

void Judge::readOptions(const QString &letters, const QString &next)
{
    m_errExit = m_errExit || letters.contains(QLatin1Char('e'));
    if (letters.contains(QLatin1Char('o'))) {
        m_pipeFail = m_pipeFail || next == QLatin1String("pipefail");
        m_errExit = m_errExit || next == QLatin1String("errexit");
    }
}

void Judge::setCommand(const QList<ShellToken> &words)
{
    for (qsizetype i = 1; i < words.size(); ++i) {
        if (words.at(i).text.startsWith(QLatin1Char('-'))) {
            readOptions(words.at(i).text.mid(1),
                        i + 1 < words.size() ? words.at(i + 1).text : QString());
        }
    }
}

bool Judge::nestedShell(const QList<ShellToken> &words)
{
    QString options;
    bool pipeFail = false;
    for (qsizetype i = 1; i < words.size(); ++i) {
        const QString &word = words.at(i).text;
        if (!word.startsWith(QLatin1Char('-'))) {
            pipeFail = pipeFail || word == QLatin1String("pipefail");
            continue;
        }
        options += word;
        if (!word.contains(QLatin1Char('c')) || i + 1 >= words.size()) {
            continue;
        }
        const auto tokens =
            words.at(i + 1).isLiteral ? splitShellLine(words.at(i + 1).text) : std::nullopt;
        if (!tokens || m_depth >= deepestShell) {
            return true;
        }
        Judge inner(*tokens, m_depth + 1);
        inner.m_errExit = options.contains(QLatin1Char('e'));
        inner.m_pipeFail = pipeFail;
        const ShellVerdict verdict = inner.judge();
        m_verdict.programs << verdict.programs;
        m_verdict.hidesInPipe = m_verdict.hidesInPipe || verdict.hidesInPipe;
        return verdict.canFail;
    }
    return true;
}

} // namespace

ShellVerdict judgeShellLine(const QString &line)
{
    const std::optional<QList<ShellToken>> tokens = splitShellLine(line);
    return tokens ? Judge(*tokens, 0).judge() : ShellVerdict();
}

} // namespace Glovebox
