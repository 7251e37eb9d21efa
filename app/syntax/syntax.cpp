// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/syntax/syntax.h"

#include "app/widgets/tokens.h"

#include <QTextBlock>
#include <QTextDocument>

#if GLOVEBOX_HAS_SYNTAX
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/SyntaxHighlighter>
#include <KSyntaxHighlighting/Theme>
#endif

namespace Glovebox {

#if GLOVEBOX_HAS_SYNTAX

namespace {

Token tokenOf(KSyntaxHighlighting::Theme::TextStyle style)
{
    using KSyntaxHighlighting::Theme;
    switch (style) {
    case Theme::Keyword:
    case Theme::ControlFlow:
    case Theme::Import:
    case Theme::Preprocessor:
        return Token::SynK;
    case Theme::String:
    case Theme::Char:
    case Theme::SpecialString:
    case Theme::VerbatimString:
    case Theme::SpecialChar:
        return Token::SynS;
    case Theme::Comment:
    case Theme::Documentation:
    case Theme::Annotation:
    case Theme::CommentVar:
        return Token::SynC;
    case Theme::DecVal:
    case Theme::BaseN:
    case Theme::Float:
    case Theme::Constant:
        return Token::SynN;
    case Theme::Function:
    case Theme::BuiltIn:
    case Theme::Extension:
    case Theme::Attribute:
        return Token::SynF;
    case Theme::DataType:
    case Theme::Variable:
    case Theme::Others:
        return Token::SynT;
    default:
        return Token::Text;
    }
}

constexpr int longestFrontMatter = 400; // lines

/// Between the two lines of dashes at the top of a task file. The grammar for Markdown takes that
/// part for a comment; it is YAML.
bool isFrontMatter(const QTextBlock &block)
{
    const QString dashes = QStringLiteral("---");
    if (block.blockNumber() > longestFrontMatter ||
        block.document()->firstBlock().text() != dashes) {
        return false;
    }
    for (QTextBlock above = block.previous(); above.blockNumber() > 0; above = above.previous()) {
        if (above.text() == dashes) {
            return false;
        }
    }
    return true;
}

struct YamlLine
{
    int key = 0; ///< where the key starts
    int keyEnd = 0;
    int comment = 0; ///< where the comment starts
};

YamlLine splitYaml(const QString &text)
{
    YamlLine line;
    const auto size = static_cast<int>(text.size());
    while (line.key < size &&
           (text.at(line.key).isSpace() || text.at(line.key) == QLatin1Char('-'))) {
        ++line.key;
    }
    line.keyEnd = line.key;
    while (line.keyEnd < size &&
           (text.at(line.keyEnd).isLetterOrNumber() || text.at(line.keyEnd) == QLatin1Char('_'))) {
        ++line.keyEnd;
    }
    if (line.keyEnd >= size || text.at(line.keyEnd) != QLatin1Char(':')) {
        line.keyEnd = line.key;
    }
    const auto comment = static_cast<int>(text.indexOf(QLatin1String(" #")));
    line.comment = text.startsWith(QLatin1Char('#')) ? 0 : comment < 0 ? size : comment + 1;
    return line;
}

/// The library's highlighter with our colours instead of a theme's.
class Highlighter final : public KSyntaxHighlighting::SyntaxHighlighter
{
public:
    Highlighter(QTextDocument *document, const Tokens *tokens)
        : SyntaxHighlighter(document)
        , m_tokens(tokens)
    {
    }
    void setTokens(const Tokens *tokens) { m_tokens = tokens; }

protected:
    void highlightBlock(const QString &text) override
    {
        SyntaxHighlighter::highlightBlock(text);
        if (!isFrontMatter(currentBlock())) {
            return;
        }
        const YamlLine line = splitYaml(text);
        const auto size = static_cast<int>(text.size());
        setFormat(0, size, QTextCharFormat());
        paint(line.key, line.keyEnd - line.key, Token::SynF);
        const int value = line.keyEnd > line.key ? line.keyEnd + 1 : line.key;
        paint(value, line.comment - value, Token::SynS);
        paint(line.comment, size - line.comment, Token::SynC);
    }

    void applyFormat(int offset, int length, const KSyntaxHighlighting::Format &format) override
    {
        const Token token = tokenOf(format.textStyle());
        if (token != Token::Text) {
            paint(offset, length, token);
        }
    }

private:
    void paint(int offset, int length, Token token)
    {
        if (length <= 0) {
            return;
        }
        QTextCharFormat look;
        look.setForeground((*m_tokens)[token]);
        look.setFontItalic(token == Token::SynC);
        setFormat(offset, length, look);
    }

    const Tokens *m_tokens; ///< one of the two sets, which live as long as the program
};

} // namespace

struct Syntax::Private
{
    KSyntaxHighlighting::Repository repository;
};

Syntax::Syntax()
    : d(std::make_unique<Private>())
{
}

bool Syntax::isAvailable()
{
    return true;
}

QString Syntax::grammarFor(const QString &fileName) const
{
    return d->repository.definitionForFileName(fileName).name();
}

void Syntax::attach(QTextDocument *document, const QString &fileName, const Tokens &tokens)
{
    auto *highlighter = document->findChild<QSyntaxHighlighter *>();
    auto *ours = static_cast<Highlighter *>(highlighter);
    if (ours == nullptr) {
        ours = new Highlighter(document, &tokens);
        ours->setTheme(d->repository.defaultTheme());
    }
    ours->setTokens(&tokens);
    ours->setDefinition(d->repository.definitionForFileName(fileName));
    ours->rehighlight();
}

#else

struct Syntax::Private
{
};

Syntax::Syntax() = default;

bool Syntax::isAvailable()
{
    return false;
}

QString Syntax::grammarFor(const QString &) const
{
    return {};
}

void Syntax::attach(QTextDocument *, const QString &, const Tokens &) {}

#endif

Syntax::~Syntax() = default;

} // namespace Glovebox
