// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/globs.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>
#include <QTest>

using namespace Glovebox;

class TestGlobs final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matching_data();
    void matching();
    void rangeNeverMatchesSlash();
    void emptySetMatchesNothing();
    void anyOfManyPatterns();
    void invalid_data();
    void invalid();
    void linearTime();
};

namespace {

void row(const char *name, const char *pattern, const QByteArray &path, bool expected)
{
    QTest::newRow(name) << QString::fromUtf8(pattern) << path << expected;
}

void starRows()
{
    row("plain", "README.md", "README.md", true);
    row("plain-case", "README.md", "readme.md", false);
    row("plain-is-at-the-top", "README.md", "docs/README.md", false);
    row("folder-name-alone-is-a-file", "src", "src/a.ts", false);
    row("star-in-name", "src/*.ts", "src/a.ts", true);
    row("star-not-across", "src/*.ts", "src/x/a.ts", false);
    row("star-empty", "src/a*.ts", "src/a.ts", true);
    row("star-hidden-file", "src/*", "src/.env", true);
    row("star-newline", "src/*", "src/a\nb", true);
    row("dot-is-no-wildcard", "a.c", "abc", false);
    row("plus-is-itself", "c++/*", "c++/a", true);
    row("paren-is-itself", "a(b)/*", "a(b)/x", true);
    row("two-stars-below", "src/**", "src/a/b/c.ts", true);
    row("two-stars-not-the-folder", "src/**", "src", false);
    row("two-stars-sibling", "src/**", "src2/a", false);
    row("two-stars-all", "**", "a/b/c", true);
    row("two-stars-newline", "**", "a\n/b", true);
    row("two-stars-any-depth-0", "**/*.md", "a.md", true);
    row("two-stars-any-depth-2", "**/*.md", "x/y/a.md", true);
    row("two-stars-middle-0", "src/**/a.ts", "src/a.ts", true);
    row("two-stars-middle-2", "src/**/a.ts", "src/x/y/a.ts", true);
    row("two-stars-middle-whole-names", "src/**/a.ts", "src/xa.ts", false);
    row("two-stars-in-name", "src/x**.ts", "src/xa/b.ts", true);
    row("two-stars-in-name-before-slash", "src/x**/b", "src/xb", false);
    row("two-stars-slash-is-all", "**/", "a/b", true);
    row("three-stars", "src/***", "src/a/b", true);
    row("ends-in-slash", "src/billing/", "src/billing/x/charge.ts", true);
    row("ends-in-slash-not-itself", "src/billing/", "src/billing", false);
    row("leading-slash", "/src/*", "src/a", true);
    row("leading-dot-slash", "./src/*", "src/a", true);
    row("question", "a?c", "abc", true);
    row("question-not-slash", "a?c", "a/c", false);
    row("question-needs-one", "a?c", "ac", false);
}

void classAndBraceRows()
{
    row("class", "a[a-c]d", "abd", true);
    row("class-out", "a[a-c]d", "axd", false);
    row("class-list", "a[xyz-]d", "a-d", true);
    row("class-negated", "a[!a-c]d", "axd", true);
    row("class-negated-caret", "a[^a-c]d", "abd", false);
    row("class-negated-not-slash", "a[!b]c", "a/c", false);
    row("class-bracket-first", "a[]b]c", "a]c", true);
    row("class-escaped-bracket", "a[\\]b]c", "a]c", true);
    row("class-caret-later", "a[b^]c", "a^c", true);
    row("class-letters-beyond-ascii", "[ä-ü].txt", "ö.txt", true);
    row("escaped-bracket", "app/\\[id\\]/*", "app/[id]/page.tsx", true);
    row("escaped-star", "a\\*b", "axb", false);
    row("escaped-star-hit", "a\\*b", "a*b", true);
    row("braces", "src/{a,b}.ts", "src/b.ts", true);
    row("braces-miss", "src/{a,b}.ts", "src/c.ts", false);
    row("braces-empty", "src/a{,.test}.ts", "src/a.ts", true);
    row("braces-nested", "{a,b{c,d}}/x", "bd/x", true);
    row("braces-with-stars", "{src,test}/**/*.{ts,tsx}", "test/x/y.tsx", true);
    row("braces-name-start", "{**/,}x", "a/b/x", true);
    row("braces-stars-or-name", "{lib/**,README.md}", "README.md", true);
    row("braces-with-slash", "{a/b,c}/x", "a/b/x", true);
    row("brace-without-comma", "api/{id}/x", "api/{id}/x", true);
    row("brace-without-comma-nested", "{a,{b}}/x", "{b}/x", true);
    row("comma-alone", "a,b", "a,b", true);
    row("closing-brace-alone", "a}b", "a}b", true);
    row("escaped-brace", "a\\{b,c}", "a{b,c}", true);
}

void encodingRows()
{
    row("chinese", "文档/*", "文档/说明.md", true);
    row("question-is-one-character", "?.md", "说.md", true);
    row("question-is-one-character-not-two", "?.md", "说明.md", false);
    row("question-outside-the-first-plane", "?.md", "😀.md", true);
    row("blank-and-quote", "a b/*'x", "a b/it'x", true);
    row("stray-byte-star", "src/*", QByteArray("src/\xff.c"), true);
    row("stray-byte-two-stars", "**/*.yml", QByteArray("\xc3/\xe4\xbd.yml"), true);
    row("stray-byte-question", "?.c", QByteArray("\xff.c"), true);
    row("stray-byte-negated", "[!a].c", QByteArray("\xff.c"), true);
    row("stray-byte-then-good", "\u00e4*", QByteArray("\xc3\xa4\xff"), true);
    row("nul-byte", "a*b", QByteArray("a\0b", 3), true);
    row("unreadable-pattern-is-itself", "a[b", "a[b", true);
    row("unreadable-pattern-else-nothing", "a[b", "ab", false);
}

} // namespace

void TestGlobs::matching_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("expected");
    starRows();
    classAndBraceRows();
    encodingRows();
}

void TestGlobs::matching()
{
    QFETCH(QString, pattern);
    QFETCH(QByteArray, path);
    QFETCH(bool, expected);
    QCOMPARE(GlobSet({pattern}).matches(path), expected);
    QCOMPARE(GlobSet({QStringLiteral("never/x"), pattern}).matches(path), expected);
}

void TestGlobs::rangeNeverMatchesSlash()
{
    const GlobSet set({QStringLiteral("a[--0]b")}); // from "-" over "." and "/" to "0"
    QVERIFY(set.matches("a-b"));
    QVERIFY(set.matches("a.b"));
    QVERIFY(set.matches("a0b"));
    QVERIFY(!set.matches("a/b"));
    QVERIFY(!set.matches("a1b"));
}

void TestGlobs::emptySetMatchesNothing()
{
    const GlobSet set({});
    QVERIFY(set.isEmpty());
    QVERIFY(!set.matches("a"));
    QVERIFY(!set.matches(""));
}

void TestGlobs::anyOfManyPatterns()
{
    QStringList patterns;
    for (int i = 0; i < 1000; ++i) {
        patterns << QStringLiteral("folder%1/{a,b}*/**").arg(i);
    }
    const GlobSet set(patterns);
    QVERIFY(!set.isEmpty());
    for (int i = 0; i < 1000; i += 99) {
        QVERIFY(set.matches("folder" + QByteArray::number(i) + "/bx/y"));
    }
    QVERIFY(!set.matches("folder1000/bx/y"));
    const GlobSet copy = set; // shares, and stays usable
    QVERIFY(copy.matches("folder7/a/y"));
}

void TestGlobs::invalid_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("says"); // a part of the sentence; empty = valid
    QTest::newRow("fine") << QStringLiteral("src/**/[a-z]*.{ts,tsx}") << QString();
    QTest::newRow("fine-literal-brace") << QStringLiteral("x/{id}") << QString();
    QTest::newRow("empty") << QString() << QStringLiteral("cannot be empty");
    QTest::newRow("only-slash") << QStringLiteral("/") << QStringLiteral("cannot be empty");
    QTest::newRow("bracket") << QStringLiteral("a[b") << QStringLiteral("\"[\" is never closed");
    QTest::newRow("brace") << QStringLiteral("a{b,c") << QStringLiteral("\"{\" is never closed");
    QTest::newRow("range") << QStringLiteral("[z-a]") << QStringLiteral("lower to the higher");
    QTest::newRow("slash-in-class") << QStringLiteral("a[/]b") << QStringLiteral("cannot stand");
    QTest::newRow("named-class") << QStringLiteral("[[:alpha:]]")
                                 << QStringLiteral("Named classes");
    QTest::newRow("backslash-end") << QStringLiteral("a\\") << QStringLiteral("before nothing");
    QTest::newRow("windows") << QStringLiteral("src\\billing") << QStringLiteral("between folder");
    QTest::newRow("dot-dot") << QStringLiteral("src/../x") << QStringLiteral("from the top");
    QTest::newRow("dot") << QStringLiteral("src/./x") << QStringLiteral("from the top");
    QTest::newRow("double-slash") << QStringLiteral("src//x") << QStringLiteral("Two slashes");
    QTest::newRow("long") << QString(1025, QLatin1Char('a')) << QStringLiteral("at most 1");
    QTest::newRow("nul") << QString(QChar(0)) << QStringLiteral("NUL");
    QTest::newRow("deep") << QStringLiteral("{,").repeated(9) + QStringLiteral("}").repeated(9)
                          << QStringLiteral("at most 8 deep");
}

void TestGlobs::invalid()
{
    QFETCH(QString, pattern);
    QFETCH(QString, says);
    const QString sentence = GlobSet::explainInvalid(pattern);
    QCOMPARE(sentence.isEmpty(), says.isEmpty());
    QVERIFY2(sentence.contains(says), qPrintable(sentence));
    static_cast<void>(GlobSet({pattern}).matches("a/b")); // never crashes
}

void TestGlobs::linearTime()
{
    const GlobSet set({QStringLiteral("**/*a*a*a*a*a*a*a*a*a*a*a*a*a*b")});
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!set.matches(QByteArray(100000, 'a')));
    QVERIFY2(timer.elapsed() < Testing::atMost(5000), "a hostile path made matching slow");
}

QTEST_GUILESS_MAIN(TestGlobs)
#include "tst_globs.moc"
