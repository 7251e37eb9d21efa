// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// What is not edited is written back byte for byte.
#include "app/tasks/tasktext.h"
#include "tests/support/testing.h"

#include <QPlainTextEdit>

using namespace Glovebox;

class TestTaskText final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aTextIsWrittenAsItWas_data();
    void aTextIsWrittenAsItWas();
    void onlyEditedLinesChange_data();
    void onlyEditedLinesChange();
    void manyLinesAreCompared();
    void theFirstBadByteIsFound_data();
    void theFirstBadByteIsFound();
};

namespace {

/// Through the widget that shows it.
QByteArray edited(const QByteArray &bytes, const QString &from, const QString &to)
{
    const TaskText text(bytes);
    QPlainTextEdit editor;
    editor.setPlainText(text.shown());
    if (!from.isEmpty()) {
        QTextCursor cursor = editor.document()->find(from);
        if (cursor.isNull()) {
            return "not found";
        }
        cursor.insertText(to);
    }
    return text.written(editor.document()->toRawText());
}

} // namespace

void TestTaskText::aTextIsWrittenAsItWas_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("one line") << QByteArray("a");
    QTest::newRow("line feeds") << QByteArray("a\nb\n\n");
    QTest::newRow("carriage returns too") << QByteArray("a\r\nb\r\n");
    QTest::newRow("carriage returns alone") << QByteArray("a\rb\r\rc");
    QTest::newRow("mixed") << QByteArray("a\r\nb\nc\rd\n\r\ne\r\n");
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF---\ntitle: x\n---\n");
    QTest::newRow("two marks") << QByteArray("\xEF\xBB\xBF\xEF\xBB\xBFx\n");
    QTest::newRow("only a mark") << QByteArray("\xEF\xBB\xBF");
    QTest::newRow("no-break spaces") << QByteArray("a\xC2\xA0"
                                                   "b\n\xE2\x80\xAF\n");
    QTest::newRow("line separator") << QByteArray("a\xE2\x80\xA8"
                                                  "b\n");
    QTest::newRow("paragraph separator") << QByteArray("a\xE2\x80\xA9"
                                                       "b\nc\n");
    QTest::newRow("beyond 16 bits") << QByteArray("\xF0\x9F\xA7\xA4 gloves\n\xEF\xBF\xBD\n");
    QTest::newRow("tabs and form feeds") << QByteArray("\ta\f\v\nb \t\n");
}

void TestTaskText::aTextIsWrittenAsItWas()
{
    QFETCH(QByteArray, text);
    QCOMPARE(edited(text, {}, {}), text);
    QVERIFY(!firstBadByte(text));
}

void TestTaskText::onlyEditedLinesChange_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &text, const char *from, const char *to,
                        const QByteArray &expected) {
        QTest::newRow(name) << text << QString::fromUtf8(from) << QString::fromUtf8(to) << expected;
    };
    row("a line", "a\nb\nc\n", "b", "x", "a\nx\nc\n");
    row("one CR LF does not spread", "a\r\nb\nc\n", "b", "x", "a\r\nx\nc\n");
    row("a new line takes the common end", "a\r\nb\r\nc\n", "b", "x\ny", "a\r\nx\r\ny\r\nc\n");
    row("a line goes", "a\r\nb\nc\n", "b", "", "a\r\n\nc\n");
    row("the rest keeps what is odd",
        "\xEF\xBB\xBF"
        "a\xC2\xA0"
        "1\r\nb\n\xE2\x80\xA8\nd",
        "b", "x",
        "\xEF\xBB\xBF"
        "a\xC2\xA0"
        "1\r\nx\n\xE2\x80\xA8\nd");
    row("at the end", "a\r\nb", "b", "b\nc", "a\r\nb\r\nc");
    row("all of it", "a", "a", "b\nc\n", "b\nc\n");
}

void TestTaskText::onlyEditedLinesChange()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QByteArray, expected);
    QCOMPARE(edited(text, from, to), expected);
}

/// Edits at both ends of a text: what lies between is still told line by line.
void TestTaskText::manyLinesAreCompared()
{
    QByteArray bytes = "first\n";
    for (int line = 0; line < 300; ++line) {
        bytes += "line " + QByteArray::number(line) + (line % 7 == 0 ? "\r\n" : "\n");
    }
    bytes += "last\n";
    const TaskText text(bytes);
    QString shown = text.shown();
    shown.replace(QStringLiteral("first\n"), QStringLiteral("new\nfirst!\n"));
    shown.replace(QStringLiteral("line 150\n"), QString());
    shown.replace(QStringLiteral("last\n"), QStringLiteral("last!\n"));
    QByteArray expected = bytes;
    expected.replace("first\n", "new\nfirst!\n");
    expected.replace("line 150\n", "");
    expected.replace("last\n", "last!\n");
    const QString raw = shown.replace(QLatin1Char('\n'), QChar(QChar::ParagraphSeparator));
    QCOMPARE(text.written(raw), expected);
}

void TestTaskText::theFirstBadByteIsFound_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qsizetype>("offset");
    QTest::addColumn<int>("line");
    QTest::newRow("Latin-1") << QByteArray("ab\ncaf\xE9 au lait\n") << qsizetype(6) << 2;
    QTest::newRow("after good ones")
        << QByteArray("\xEF\xBB\xBF\xC3\xA9\xF0\x9F\xA7\xA4\xFF") << qsizetype(9) << 1;
    QTest::newRow("cut short") << QByteArray("a\n\xE2\x82") << qsizetype(2) << 2;
    QTest::newRow("overlong") << QByteArray("x\xC0\xAF") << qsizetype(1) << 1;
    QTest::newRow("half a pair") << QByteArray("x\xED\xA0\x80") << qsizetype(1) << 1;
    QTest::newRow("UTF-16") << QByteArray("\xFF\xFE"
                                          "a\0b\0",
                                          6)
                            << qsizetype(0) << 1;
}

void TestTaskText::theFirstBadByteIsFound()
{
    QFETCH(QByteArray, text);
    QFETCH(qsizetype, offset);
    QFETCH(int, line);
    const std::optional<BadByte> bad = firstBadByte(text);
    QVERIFY(bad.has_value());
    QCOMPARE(bad->offset, offset);
    QCOMPARE(bad->line, line);
    QCOMPARE(bad->value, int(static_cast<unsigned char>(text.at(offset))));
}

QTEST_MAIN(TestTaskText)
#include "tst_tasktext.moc"
