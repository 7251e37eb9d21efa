// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/terminaltext.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

using namespace Glovebox;

namespace {

QList<TerminalLine> inPieces(const QList<QByteArray> &pieces, qint64 *removed = nullptr)
{
    TerminalText terminal;
    QList<TerminalLine> lines;
    for (const QByteArray &piece : pieces) {
        lines += terminal.feed(piece);
    }
    lines += terminal.finish();
    if (removed) {
        *removed = terminal.removedSequences();
    }
    return lines;
}

QStringList texts(const QList<TerminalLine> &lines)
{
    QStringList all;
    for (const TerminalLine &line : lines) {
        all += line.text;
    }
    return all;
}

/// The stream log-01 of the hostile corpus.
QByteArray escapeStream()
{
    return QByteArray("ok\n\x1b]0;title\x07\x1b]2;t\x1b\\\x1b]8;;https://attacker.example\x1b\\"
                      "github.com\x1b]8;;\x1b\\\n\x1b]52;c;Y3VybCBldmlsfHNo\x07\x1b[6n\x1b[21t"
                      "\x1bP$q\"p\x1b\\\x1b[?1049h\x1b[2J\x1b[999999999b\x1b[2147483648;1H"
                      "\x1b[8;hidden text\x1b[0m\n\x9b"
                      "31m\x90payload\x9c\rfake prompt $ \b\b\b\n\x1bPnever terminated") +
           QByteArray(5000, 'A');
}

} // namespace

class TerminalTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lines_data();
    void lines();
    void looks_data();
    void looks();
    void corpusEscapes();
    void corpusWithoutLineEnd();
    void randomBytes();
    void unfinishedStringHidesOneLineAtMost();
    void speed();
    void names_data();
    void names();
    void plainTextKeepsLines();
};

void TerminalTextTest::lines_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("expected");
    QTest::addColumn<qint64>("removed");
    const auto row = [](const char *name, const QByteArray &bytes, const QStringList &expected,
                        qint64 removed) {
        QTest::newRow(name) << bytes << expected << removed;
    };
    const auto text = [](const char *utf8) {
        return QString::fromUtf8(utf8);
    };
    row("nothing", "", {}, 0);
    row("plain", "one\ntwo", {text("one"), text("two")}, 0);
    row("empty lines", "\n\na\n", {QString(), QString(), text("a")}, 0);
    row("CRLF", "one\r\ntwo\r\r\n", {text("one"), text("two")}, 0);
    row("CR overwrites nothing", "10%\r20%\rfake", {text("10%"), text("20%"), text("fake")}, 0);
    row("CR at the end", "10%\r", {text("10%")}, 0);
    row("BS erases nothing", "ab\b\bxy", {text("ab␈␈xy")}, 0);
    row("tab", "a\tb", {text("a\tb")}, 0);
    row("other controls",
        QByteArray("a\0b\x07"
                   "c\x0b\x0c\x7f"
                   "d",
                   9),
        {text("abcd")}, 5);
    row("two, three, four bytes", "é中😀", {text("é中😀")}, 0);
    row("cut character", "a\xe4\xb8", {text("a\uFFFD")}, 0);
    row("broken character", "a\xe4\xb8z\xff\xc3(", {text("a\uFFFDz\uFFFD\uFFFD(")}, 0);
    row("overlong and surrogate", "\xc0\xaf\xed\xa0\x80", {text("\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD")},
        0);
    row("encoded C1",
        "a\xc2\x85"
        "b\xc2\x9b"
        "31mc\xc2\x9d"
        "0;t\xc2\x9c"
        "d",
        {text("abcd")}, 2);
    row("bidi",
        "a\xe2\x80\xae"
        "b\xe2\x81\xa6"
        "c",
        {text("a<U+202E>b<U+2066>c")}, 0);
    row("line separators",
        "a\xe2\x80\xa8"
        "b",
        {text("a<U+2028>b")}, 0);
    row("hidden is shown", "\x1b[8msecret\x1b[28m", {text("secret")}, 1);
    row("title and link", "\x1b]0;t\x07\x1b]8;;https://x\x1b\\y\x1b]8;;\x1b\\", {text("y")}, 3);
    row("charset and keypad", "\x1b(B\x1b=\x1b>a", {text("a")}, 3);
    row("sequence in a sequence", "\x1b[3\x1b[31ma", {text("a")}, 0);
    row("control ends it", "\x1b[3\ta", {text("\ta")}, 1);
    row("cancelled",
        "\x1b]0;abc\x18"
        "d",
        {text("d")}, 1);
    row("cut sequence", "a\x1b[3", {text("a")}, 0);
}

void TerminalTextTest::lines()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, expected);
    QFETCH(qint64, removed);
    qint64 counted = 0;
    QCOMPARE(texts(inPieces({bytes}, &counted)), expected);
    QCOMPARE(counted, removed);
    for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
        QCOMPARE(texts(inPieces({bytes.first(cut), bytes.sliced(cut)}, &counted)), expected);
        QCOMPARE(counted, removed);
    }
}

void TerminalTextTest::looks_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QList<TextSpan>>("spans");
    using Spans = QList<TextSpan>;
    QTest::newRow("default") << QByteArray("abc") << Spans{};
    QTest::newRow("red") << QByteArray("a\x1b[31mbc\x1b[0md") << Spans{{1, 2, 1, false}};
    QTest::newRow("bold") << QByteArray("\x1b[1mab\x1b[22mc") << Spans{{0, 2, -1, true}};
    QTest::newRow("empty is reset") << QByteArray("\x1b[1;32ma\x1b[mb") << Spans{{0, 1, 2, true}};
    QTest::newRow("bright") << QByteArray("\x1b[94ma\x1b[39mb") << Spans{{0, 1, 4, false}};
    QTest::newRow("table") << QByteArray("\x1b[38;5;196ma\x1b[38;5;250mb\x1b[38;5;3mc")
                           << Spans{{0, 1, 1, false}, {1, 1, 7, false}, {2, 1, 3, false}};
    QTest::newRow("rgb") << QByteArray("\x1b[38;2;0;255;10ma") << Spans{{0, 1, 2, false}};
    QTest::newRow("colons") << QByteArray("\x1b[38:5:1ma") << Spans{{0, 1, 1, false}};
    QTest::newRow("background is no colour")
        << QByteArray("\x1b[48;5;31;1ma") << Spans{{0, 1, -1, true}};
    QTest::newRow("huge number") << QByteArray("\x1b[31m\x1b[99999999999999999999ma") << Spans{};
    QTest::newRow("cut") << QByteArray("\x1b[38;5ma\x1b[38mb\x1b[38;2mc\x1b[31md")
                         << Spans{{0, 3, 0, false}, {3, 1, 1, false}};
    QTest::newRow("wide") << QByteArray("😀\x1b[35m😀") << Spans{{2, 2, 5, false}};
    QTest::newRow("goes on in pieces")
        << QByteArray("\x1b[36mab\x1b[36mcd") << Spans{{0, 4, 6, false}};
    QTest::newRow("private m is none") << QByteArray("\x1b[>4;1ma\x1b[?1mb") << Spans{};
}

void TerminalTextTest::looks()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QList<TextSpan>, spans);
    for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
        const QList<TerminalLine> lines = inPieces({bytes.first(cut), bytes.sliced(cut)});
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines.first().spans, spans);
    }
}

void TerminalTextTest::corpusEscapes()
{
    const QByteArray stream = escapeStream();
    qint64 removed = 0;
    const QList<TerminalLine> whole = inPieces({stream}, &removed);
    const QStringList shown = texts(whole);
    QCOMPARE(shown.mid(0, 2), (QStringList{QStringLiteral("ok"), QStringLiteral("github.com")}));
    // "ESC [ 8 ; h" is a sequence of its own: what follows was never concealed.
    QCOMPARE(shown.at(2), QStringLiteral("idden text"));
    QCOMPARE(shown.at(3), QString::fromUtf8("\uFFFD31m\uFFFDpayload\uFFFD"));
    QCOMPARE(shown.at(4), QString::fromUtf8("fake prompt $ ␈␈␈"));
    // The string that nobody ends hides 4 KiB and no more.
    QCOMPARE(shown.at(5).size(), qsizetype(5000 + 16 - EscapeSequence::longest + 1));
    QCOMPARE(shown.size(), 6);
    QVERIFY(removed >= 13);
    for (const QString &line : shown) {
        for (const QChar c : line) {
            QVERIFY(c.unicode() >= 0x20 && c.unicode() != 0x7f);
        }
    }
    for (qsizetype cut = 0; cut <= 400; ++cut) {
        QCOMPARE(inPieces({stream.first(cut), stream.sliced(cut)}), whole);
    }
}

/// The stream log-02 of the hostile corpus.
void TerminalTextTest::corpusWithoutLineEnd()
{
    TerminalText terminal;
    qsizetype characters = 0;
    for (int i = 0; i < 128; ++i) {
        for (const TerminalLine &line : terminal.feed(QByteArray(64 * 1024 + 1, 'x'))) {
            QCOMPARE(line.text.size(), qsizetype(TerminalText::longestLine));
            characters += line.text.size();
        }
    }
    for (const TerminalLine &line : terminal.finish()) {
        characters += line.text.size();
    }
    QCOMPARE(characters, qsizetype(128 * (64 * 1024 + 1)));
    // A character of two units is not torn.
    const QList<TerminalLine> lines =
        inPieces({QByteArray(TerminalText::longestLine - 1, 'x') + "😀"});
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines.at(1).text, QString::fromUtf8("😀"));
}

void TerminalTextTest::randomBytes()
{
    QRandomGenerator random(11);
    const QByteArray alphabet("\x1b[]PX^_m;:0123456789\\\x07\r\n\b\t\xc2\x9b\x90\x9d\xe4\xb8\xad"
                              "abc\xff\x18?");
    for (int round = 0; round < 300; ++round) {
        QByteArray bytes;
        for (int i = random.bounded(200); i >= 0; --i) {
            bytes += alphabet.at(random.bounded(int(alphabet.size())));
        }
        qint64 removed = 0;
        const QList<TerminalLine> whole = inPieces({bytes}, &removed);
        const qsizetype cut = random.bounded(int(bytes.size()));
        qint64 removedInPieces = 0;
        QCOMPARE(inPieces({bytes.first(cut), bytes.sliced(cut)}, &removedInPieces), whole);
        QCOMPARE(removedInPieces, removed);
        for (const QString &line : texts(whole)) {
            QVERIFY(!line.contains(QChar(0x1b)) && !line.contains(QLatin1Char('\r')));
        }
    }
}

void TerminalTextTest::unfinishedStringHidesOneLineAtMost()
{
    QCOMPARE(texts(inPieces({"a\x1b]0;swallowed\nnext\n"})),
             (QStringList{QStringLiteral("a"), QStringLiteral("next")}));
}

void TerminalTextTest::speed()
{
    const QByteArray piece =
        QByteArray("[ 12%] \x1b[32mBuilding\x1b[0m CXX object redactor.cpp.o\n").repeated(1000);
    TerminalText terminal;
    qint64 fed = 0;
    qsizetype lines = 0;
    QElapsedTimer timer;
    timer.start();
    while (fed < 8'000'000) {
        lines += terminal.feed(piece).size();
        fed += piece.size();
    }
    QCOMPARE(lines, qsizetype(fed / (piece.size() / 1000)));
    qInfo("%.0f MB/s", static_cast<double>(fed) * 1e3 / static_cast<double>(timer.nsecsElapsed()));
}

void TerminalTextTest::names_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QByteArray &bytes, const char *expected) {
        QTest::newRow(name) << bytes << QString::fromUtf8(expected);
    };
    row("plain", "src/main.cpp", "src/main.cpp");
    row("japanese", "日本語/ファイル.txt", "日本語/ファイル.txt");
    row("accents", "caf\xc3\xa9 e\xcc\x81", "café e\u0301");
    row("emoji", "👩‍💻 ✔️ 1️⃣ 🏳️‍🌈",
        "👩‍💻 ✔️ 1️⃣ 🏳️‍🌈");
    row("arabic", "سلام.txt", "سلام.txt");
    row("persian joiner", "می\u200cخواهم", "می\u200cخواهم");
    row("joiner in latin", "pay\u200dpal", "pay<U+200D>pal");
    row("quote", "a\"b'c", "a\"b'c");
    row("newline", "a\nb\r", "a<U+000A>b<U+000D>");
    row("tab and ESC", "a\tb\x1b[31m", "a<U+0009>b<U+001B>[31m");
    row("outer blanks", " a b ", "<U+0020>a b<U+0020>");
    row("leading dash", "-rf", "-rf");
    row("override", "a\u202egnp.exe", "a<U+202E>gnp.exe");
    row("marks", "a\u200e\u061c\u2066", "a<U+200E><U+061C><U+2066>");
    row("invisible", "a\u200b\u00ad\u3164\ufeff\u2800",
        "a<U+200B><U+00AD><U+3164><U+FEFF><U+2800>");
    row("other blanks", "a\u00a0\u3000b", "a<U+00A0><U+3000>b");
    row("tags", "a\U000e0041", "a<U+E0041>");
    row("not UTF-8", "a\xff\xfe\xe4\xb8", "a\\xff\\xfe\\xe4\\xb8");
    row("surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80");
    row("markup", "<b>%1 %s &amp;</b>", "<b>%1 %s &amp;</b>");
    row("nothing", "", "");
    row("NUL", QByteArray("a\0b", 3), "a<U+0000>b");
}

void TerminalTextTest::names()
{
    QFETCH(QByteArray, name);
    QFETCH(QString, expected);
    QCOMPARE(displayText(name), expected);
    if (!expected.contains(QLatin1String("\\x"))) {
        QCOMPARE(displayText(QString::fromUtf8(name)), expected);
    }
}

void TerminalTextTest::plainTextKeepsLines()
{
    QCOMPARE(plainText(QStringLiteral("a\u001b[31mb\r\n\u001b]0;t\u0007c\n\nd")),
             QStringLiteral("ab\nc\n\nd"));
}

QTEST_GUILESS_MAIN(TerminalTextTest)
#include "tst_terminaltext.moc"
