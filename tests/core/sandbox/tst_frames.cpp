// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/frames.h"
#include "tests/support/testing.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

class FramesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsBothStreams();
    void readsHex();
    void dropsWhatCameBefore();
    void passesGapsOn();
    void tellsAGapThatNothingFollows();
    void readsStates_data();
    void readsStates();
    void readsEnds_data();
    void readsEnds();
    void skipsWordsOfTools();
    void refusesDamage_data();
    void refusesDamage();
    void nothingAfterTheEnd();
    void cleansReplies();
};

void FramesTest::readsBothStreams()
{
    FrameReader reader(0, 5);
    const auto first = reader.take("o 0 aGVsbG8=");
    VERIFY_RESULT(first);
    QCOMPARE(first->size(), 1);
    QCOMPARE(first->front().bytes, QByteArray("hello"));
    QCOMPARE(first->front().offset, 0);
    const auto second = reader.take("e 5 aGVsbG8=\r");
    VERIFY_RESULT(second);
    QVERIFY(second->front().stream == Stream::Error);
    const auto third = reader.take("o 5 IQ==");
    QCOMPARE(third->front().offset, 5);
    VERIFY_RESULT(reader.take("h"));
    QVERIFY(reader.state() == FrameReader::State::Open);
    const auto end = reader.take("s exit 7 closed 120 6 10 0");
    VERIFY_RESULT(end);
    QVERIFY(end->isEmpty());
    QVERIFY(reader.state() == FrameReader::State::Ended);
    QCOMPARE(reader.result().exitCode, 7);
    QCOMPARE(reader.result().outputBytes, 6);
    QCOMPARE(reader.result().errorBytes, 10);
    QCOMPARE(reader.result().duration, std::chrono::milliseconds(120));
}

void FramesTest::readsHex()
{
    FrameReader reader(0, 0);
    const auto chunks = reader.take("o 0 :00ff41");
    VERIFY_RESULT(chunks);
    QCOMPARE(chunks->front().bytes, QByteArray("\x00\xff"
                                               "A",
                                               3));
}

void FramesTest::dropsWhatCameBefore()
{
    FrameReader reader(3, 0);
    const auto overlap = reader.take("o 0 aGVsbG8=");
    VERIFY_RESULT(overlap);
    QCOMPARE(overlap->front().bytes, QByteArray("lo"));
    QCOMPARE(overlap->front().offset, 3);
    const auto again = reader.take("o 0 aGVsbG8=");
    VERIFY_RESULT(again);
    QVERIFY(again->isEmpty());
}

void FramesTest::passesGapsOn()
{
    FrameReader reader(0, 0);
    VERIFY_RESULT(reader.take("o 0 aGVsbG8="));
    const auto gap = reader.take("g o 5 1000");
    VERIFY_RESULT(gap);
    QVERIFY(gap->isEmpty());
    const auto tail = reader.take("o 1000 aGVsbG8=");
    VERIFY_RESULT(tail);
    QCOMPARE(tail->front().offset, 1000);
    VERIFY_RESULT(reader.take("s exit 0 closed 1 1005 0 995"));
    QCOMPARE(reader.result().notKept, 995);
}

void FramesTest::tellsAGapThatNothingFollows()
{
    FrameReader reader(0, 0);
    VERIFY_RESULT(reader.take("g e 0 77"));
    const auto end = reader.take("s exit 4 closed 1 0 77 77");
    VERIFY_RESULT(end);
    QCOMPARE(end->size(), 1);
    QCOMPARE(end->front().offset, 77);
    QVERIFY(end->front().bytes.isEmpty());
    QVERIFY(end->front().stream == Stream::Error);
}

void FramesTest::readsStates_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("state");
    QTest::newRow("running") << QByteArray("s running") << int(FrameReader::State::Running);
    QTest::newRow("lost") << QByteArray("s lost") << int(FrameReader::State::Lost);
    QTest::newRow("unknown") << QByteArray("s unknown") << int(FrameReader::State::Unknown);
}

void FramesTest::readsStates()
{
    QFETCH(QByteArray, line);
    QFETCH(int, state);
    FrameReader reader(0, 0);
    VERIFY_RESULT(reader.take(line));
    QCOMPARE(int(reader.state()), state);
}

void FramesTest::readsEnds_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<int>("end");
    QTest::newRow("exit") << QByteArray("exit") << int(CommandResult::End::Exited);
    QTest::newRow("timeout") << QByteArray("timeout") << int(CommandResult::End::TimedOut);
    QTest::newRow("killed") << QByteArray("killed") << int(CommandResult::End::Killed);
    QTest::newRow("nostart") << QByteArray("nostart") << int(CommandResult::End::NotStarted);
}

void FramesTest::readsEnds()
{
    QFETCH(QByteArray, kind);
    QFETCH(int, end);
    FrameReader reader(0, 0);
    VERIFY_RESULT(reader.take("s " + kind + " 143 open 2000 0 0 0"));
    QCOMPARE(int(reader.result().end), end);
    QCOMPARE(reader.result().exitCode, 143);
    QVERIFY(reader.result().outputOpen);
}

void FramesTest::skipsWordsOfTools()
{
    FrameReader reader(0, 0);
    for (const QByteArray &line :
         {QByteArray("Warning: permanently added"), QByteArray(), QByteArray("<html>\x1b[31m"),
          QByteArray("hello"), QByteArray("out"), QByteArray(10'000'000, 'x')}) {
        const auto chunks = reader.take(line);
        VERIFY_RESULT(chunks);
        QVERIFY(chunks->isEmpty());
    }
    QVERIFY(!reader.sawFrames());
    QCOMPARE(reader.noise(), QStringLiteral("Warning: permanently added"));
    QVERIFY(reader.state() == FrameReader::State::Open);
}

void FramesTest::refusesDamage_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("half a line") << QByteArray("o 0");
    QTest::newRow("no bytes") << QByteArray("o 0 ");
    QTest::newRow("cut base64") << QByteArray("o 0 aGVsbG8");
    QTest::newRow("wrong base64") << QByteArray("o 0 aGV!bG8=");
    QTest::newRow("base64 with more after its end") << QByteArray("o 0 aGVsbG8=aGVs");
    QTest::newRow("odd hex") << QByteArray("o 0 :abc");
    QTest::newRow("wrong hex") << QByteArray("o 0 :zz");
    QTest::newRow("offset ahead") << QByteArray("o 1 aGVsbG8=");
    QTest::newRow("offset negative") << QByteArray("o -1 aGVsbG8=");
    QTest::newRow("offset overflows") << QByteArray("o 99999999999999999999 aGVsbG8=");
    QTest::newRow("offset too large") << QByteArray("o 9999999999999999 aGVsbG8=");
    QTest::newRow("offset no number") << QByteArray("o 0x1 aGVsbG8=");
    QTest::newRow("too many words") << QByteArray("o 0 aGVs bG8=");
    QTest::newRow("too large a piece") << "o 0 " + QByteArray(60'000, 'a').toBase64();
    QTest::newRow("10 MB line") << "o 0 " + QByteArray(10'000'000, 'A');
    QTest::newRow("gap of no stream") << QByteArray("g x 0 5");
    QTest::newRow("gap that begins ahead") << QByteArray("g o 5 9");
    QTest::newRow("gap without an end") << QByteArray("g o 0");
    QTest::newRow("gap overflows") << QByteArray("g o 0 18446744073709551615");
    QTest::newRow("state of no name") << QByteArray("s dancing");
    QTest::newRow("end without totals") << QByteArray("s exit 0 closed");
    QTest::newRow("end of no kind") << QByteArray("s done 0 closed 1 0 0 0");
    QTest::newRow("code above 255") << QByteArray("s exit 256 closed 1 0 0 0");
    QTest::newRow("code negative") << QByteArray("s exit -1 closed 1 0 0 0");
    QTest::newRow("neither open nor closed") << QByteArray("s exit 0 ajar 1 0 0 0");
    QTest::newRow("a line was lost before") << QByteArray("s exit 0 closed 1 48 0 0");
    QTest::newRow("a line of the other stream") << QByteArray("s exit 0 closed 1 0 3 0");
}

void FramesTest::refusesDamage()
{
    QFETCH(QByteArray, line);
    FrameReader reader(0, 0);
    const auto chunks = reader.take(line);
    QVERIFY(!chunks);
    QCOMPARE(chunks.error().code, ErrorCode::DamagedInTransit);
    QVERIFY(chunks.error().detail.size() <= 200);
    QVERIFY(reader.state() == FrameReader::State::Open);
}

void FramesTest::nothingAfterTheEnd()
{
    FrameReader reader(0, 0);
    VERIFY_RESULT(reader.take("s running"));
    QVERIFY(!reader.take("o 0 aGVsbG8="));
    VERIFY_RESULT(reader.take("logout"));
}

void FramesTest::cleansReplies()
{
    QCOMPARE(cleanedReply("a\x1b[2Jb\n\xff"), QStringLiteral("a?[2Jb??"));
    QCOMPARE(cleanedReply(QByteArray(1000, 'x')).size(), 200);
}

QTEST_GUILESS_MAIN(FramesTest)
#include "tst_frames.moc"
