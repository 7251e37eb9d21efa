// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/jsonlines.h"
#include "tests/support/testing.h"

#include <QJsonDocument>

using namespace Glovebox;

namespace {

/// Each line as compact JSON, or "bad: " and what is kept of it.
QByteArrayList shown(const QList<QByteArray> &pieces)
{
    JsonLines lines;
    QList<JsonLine> all;
    for (const QByteArray &piece : pieces) {
        all += lines.feed(piece);
    }
    all += lines.finish();
    QByteArrayList texts;
    for (const JsonLine &line : all) {
        texts += line.object ? QJsonDocument(*line.object).toJson(QJsonDocument::Compact)
                             : "bad: " + line.raw;
    }
    return texts;
}

} // namespace

class JsonLinesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lines_data();
    void lines();
    void longLines();
    void nesting();
};

void JsonLinesTest::lines_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArrayList>("expected");
    QTest::newRow("nothing") << QByteArray() << QByteArrayList{};
    QTest::newRow("two") << QByteArray("{\"a\":1}\n{\"b\":2}\n")
                         << QByteArrayList{"{\"a\":1}", "{\"b\":2}"};
    QTest::newRow("last without end") << QByteArray("{\"a\":1}") << QByteArrayList{"{\"a\":1}"};
    QTest::newRow("mark, CRLF, empty lines")
        << QByteArray("\xef\xbb\xbf{\"a\":1}\r\n\r\n  \n{\"b\":2}\r\n")
        << QByteArrayList{"{\"a\":1}", "{\"b\":2}"};
    QTest::newRow("no objects") << QByteArray("[]\nnull\n\"str\"\n1\n")
                                << QByteArrayList{"bad: []", "bad: null", "bad: \"str\"", "bad: 1"};
    QTest::newRow("no JSON") << QByteArray("{\"usd\":NaN}\nhello\n{\"a\":\"cut")
                             << QByteArrayList{"bad: {\"usd\":NaN}", "bad: hello",
                                               "bad: {\"a\":\"cut"};
    QTest::newRow("two on a line")
        << QByteArray("{\"a\":1}{\"b\":2}\n") << QByteArrayList{"bad: {\"a\":1}{\"b\":2}"};
    QTest::newRow("goes on after NUL")
        << QByteArray("{\"a\":\0}\n{\"b\":2}\n", 16)
        << QByteArrayList{QByteArray("bad: {\"a\":\0}", 12), "{\"b\":2}"};
}

void JsonLinesTest::lines()
{
    QFETCH(QByteArray, stream);
    QFETCH(QByteArrayList, expected);
    for (qsizetype cut = 0; cut <= stream.size(); ++cut) {
        QCOMPARE(shown({stream.first(cut), stream.sliced(cut)}), expected);
    }
}

void JsonLinesTest::longLines()
{
    const QByteArray fits = "{\"a\":\"" + QByteArray(JsonLines::longestLine - 8, 'x') + "\"}";
    QCOMPARE(fits.size(), JsonLines::longestLine);
    QCOMPARE(shown({fits + "\n{}"}), (QByteArrayList{fits, "{}"}));
    JsonLines lines;
    for (int i = 0; i < 64; ++i) {
        QVERIFY(lines.feed(QByteArray(1024 * 1024, 'y')).isEmpty());
    }
    const QList<JsonLine> after = lines.feed("\n{\"b\":1}\n");
    QCOMPARE(after.size(), 2);
    QVERIFY(!after.at(0).object && after.at(1).object);
    QCOMPARE(after.at(0).raw, QByteArray(2048, 'y'));
}

void JsonLinesTest::nesting()
{
    const auto nested = [](int depth) {
        return "{\"a\":" + QByteArray(depth - 1, '[') + QByteArray(depth - 1, ']') + "}";
    };
    QVERIFY(!shown({nested(64)}).first().startsWith("bad"));
    QVERIFY(shown({nested(65)}).first().startsWith("bad"));
    QVERIFY(shown({nested(400'000)}).first().startsWith("bad"));
    QVERIFY(isFlatEnough("\"[[[[\\\"[[[\"", 2));
    QVERIFY(!isFlatEnough("\"[\\\\\"[[[", 2));
}

QTEST_GUILESS_MAIN(JsonLinesTest)
#include "tst_jsonlines.moc"
