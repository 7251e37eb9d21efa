// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/logview.h"
#include "tests/app/support/widgettesting.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace Glovebox;

class TestLogView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void linesAreTheSameHoweverTheyCame_data();
    void linesAreTheSameHoweverTheyCame();
    void aWindowOfAFileIsShownAlone();
    void aMillionLinesStayInTheirFile();
    void followsUntilTheReaderScrolls();
    void findsWithoutBlocking_data();
    void findsWithoutBlocking();
    void copiesWhatIsStored();
    void readsARowAloud();
    void aStripIsPaintedAsTheWholeIs();
    void aCutFileIsReadAnew();

private:
    void append(const QByteArray &bytes)
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::Append));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    std::unique_ptr<LogView> view(const LogSource &source)
    {
        QFile::remove(m_path + QStringLiteral(".none"));
        auto log = std::make_unique<LogView>();
        log->resize(600, 300);
        log->show();
        log->setSource(source);
        return log;
    }

    QTemporaryDir m_folder;
    QString m_path = m_folder.filePath(QStringLiteral("log"));
};

void TestLogView::linesAreTheSameHoweverTheyCame_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("one") << QByteArray("one line, no end");
    QTest::newRow("colours") << QByteArray("\x1b[31mred\nstill red\n\x1b[0mplain\n").repeated(9000);
    QTest::newRow("no line end") << QByteArray(400'000, 'x');
    QTest::newRow("long lines") << (QByteArray(90'000, 'y') + '\n').repeated(5);
    QTest::newRow("CR") << QByteArray("10%\r20%\rdone\r\n").repeated(20'000);
    QTest::newRow("short") << QByteArray("\n").repeated(300'000);
}

void TestLogView::linesAreTheSameHoweverTheyCame()
{
    QFETCH(QByteArray, bytes);
    TerminalText text;
    QList<TerminalLine> expected = text.feed(bytes);
    expected += text.finish();
    for (const qint64 piece : {qint64(7'919), qint64(65'536), qint64(10'000'000)}) {
        LogScan scan(LogSource{{}, 0, -1, bytes});
        while (scan.advance(piece)) {
        }
        QCOMPARE(scan.lineCount(), expected.size());
        LogLines lines;
        lines.setScan(scan);
        for (qint64 number = 0; number < expected.size(); number += 1 + expected.size() / 500) {
            QCOMPARE(lines.line(number), expected.at(number));
        }
        QCOMPARE(lines.line(expected.size()), TerminalLine{});
    }
}

void TestLogView::aWindowOfAFileIsShownAlone()
{
    QFile::remove(m_path);
    append("before\nshown 1\nshown 2\nafter\n");
    LogScan scan(LogSource{m_path, 7, 23, {}});
    while (scan.advance(1024)) {
    }
    QCOMPARE(scan.lineCount(), 2);
    LogLines lines;
    lines.setScan(scan);
    QCOMPARE(lines.line(0).text, QStringLiteral("shown 1"));
    QCOMPARE(lines.line(1).text, QStringLiteral("shown 2"));
}

void TestLogView::aMillionLinesStayInTheirFile()
{
    QFile::remove(m_path);
    QByteArray block;
    for (int line = 0; line < 10'000; ++line) {
        block += "line " + QByteArray::number(line) + " of a long build, \x1b[32mok\x1b[0m\n";
    }
    for (int round = 0; round < 100; ++round) {
        append(block);
    }
    const auto log = view({m_path, 0, -1, {}});
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 1'000'000, Testing::atMost(60'000));
    QCOMPARE(log->rowText(123'456), QStringLiteral("line 3456 of a long build, ok"));
    QVERIFY(log->isAtEnd());
    LogScan scan(LogSource{m_path, 0, -1, {}});
    while (scan.advance(8 * 1024 * 1024)) {
    }
    QVERIFY2(scan.chunks().size() < 1'500, "the index must not grow with the lines");
    // A jump anywhere paints at once, whatever lies between.
    QElapsedTimer timer;
    timer.start();
    for (int jump = 0; jump < 20; ++jump) {
        log->scrollToRow(jump * 49'999);
        QVERIFY(!log->grab().isNull());
    }
    QVERIFY2(timer.elapsed() < Testing::atMost(5'000),
             qPrintable(QString::number(timer.elapsed())));
}

void TestLogView::followsUntilTheReaderScrolls()
{
    QFile::remove(m_path);
    append(QByteArray("first\n").repeated(200));
    const auto log = view({m_path, 0, -1, {}});
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 200, Testing::atMost(10'000));
    QTRY_VERIFY(log->isAtEnd());
    append(QByteArray("more\n").repeated(100));
    log->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 300, Testing::atMost(10'000));
    QVERIFY(log->isAtEnd());

    QTest::keyClick(log.get(), Qt::Key_Home);
    QVERIFY(!log->isFollowing());
    const qint64 first = log->firstRow();
    append(QByteArray("unseen\n").repeated(42));
    log->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 342, Testing::atMost(10'000));
    QCOMPARE(log->firstRow(), first);
    QCOMPARE(log->newLines(), 42);
    auto *button = log->findChild<QPushButton *>();
    QVERIFY(button->isVisible());
    QVERIFY(button->text().startsWith(QStringLiteral("42")));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(log->isFollowing());
    QVERIFY(log->isAtEnd());
    QVERIFY(!button->isVisible());
}

void TestLogView::findsWithoutBlocking_data()
{
    QTest::addColumn<QString>("needle");
    QTest::addColumn<bool>("found");
    QTest::addColumn<qint64>("row");
    QTest::newRow("there") << QStringLiteral("NEEDLE") << true << qint64(40'000);
    QTest::newRow("absent") << QStringLiteral("nowhere") << false << qint64(0);
}

void TestLogView::findsWithoutBlocking()
{
    QFETCH(QString, needle);
    QFETCH(bool, found);
    QFETCH(qint64, row);
    const QByteArray bytes =
        QByteArray("hay\n").repeated(40'000) + "a needle\n" + QByteArray("hay\n").repeated(40'000);
    const auto log = view({{}, 0, -1, bytes});
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 80'001, Testing::atMost(10'000));
    QSignalSpy finished(log.get(), &LogView::findFinished);
    for (const FindDirection direction : {FindDirection::Forward, FindDirection::Backward}) {
        log->setCurrentRow(100);
        log->find(needle, direction);
        QCOMPARE(finished.count(), 0); // later
        QVERIFY(finished.wait(10'000));
        QCOMPARE(finished.takeFirst().at(0).toBool(), found);
        if (found) {
            QCOMPARE(log->currentRow(), row);
            QCOMPARE(log->selectedText().toUpper(), needle);
        }
    }
}

void TestLogView::copiesWhatIsStored()
{
    const auto log = view({{}, 0, -1, QByteArray("one\ntwo\xe2\x80\x8bpart\nthree\n")});
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 3, Testing::atMost(10'000));
    log->select({0, 1}, {2, 2});
    QCOMPARE(log->selectedText(), QStringLiteral("ne\ntwo\u200bpart\nth"));
    log->select({2, 2}, {0, 1}); // backwards
    QCOMPARE(log->selectedText(), QStringLiteral("ne\ntwo\u200bpart\nth"));
    log->selectAll();
    QVERIFY(log->selectedText().endsWith(QStringLiteral("three")));
}

void TestLogView::readsARowAloud()
{
    const auto log = view({{}, 0, -1, QByteArray("plain\nzero\xe2\x80\x8bwidth\n")});
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 2, Testing::atMost(10'000));
    log->setCurrentRow(1);
    QAccessibleInterface *reader = QAccessible::queryAccessibleInterface(log.get());
    QVERIFY(reader != nullptr);
    QCOMPARE(reader->text(QAccessible::Value), QStringLiteral("zero U+200B width"));
    QVERIFY(reader->textInterface() != nullptr);
    QCOMPARE(reader->textInterface()->text(0, 4), QStringLiteral("zero"));
}

void TestLogView::aStripIsPaintedAsTheWholeIs()
{
    QByteArray bytes;
    for (int line = 0; line < 500; ++line) {
        bytes += "line " + QByteArray::number(line) + "\n";
    }
    const auto log = view({{}, 0, -1, bytes});
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 500, Testing::atMost(10'000));
    QVERIFY(QTest::qWaitForWindowExposed(log.get()));
    log->setFollowing(false);
    log->scrollToRow(10);
    const QImage whole = log->viewport()->grab().toImage();
    log->scrollToRow(0);
    for (int row = 0; row <= 10; ++row) {
        log->scrollToRow(row);
    }
    QCOMPARE(log->firstRow(), 10);
    QCOMPARE(log->viewport()->grab().toImage(), whole);
    QVERIFY(log->rowRect(10).top() == 0);
    QVERIFY(log->rowRect(9).isEmpty());
}

void TestLogView::aCutFileIsReadAnew()
{
    QFile::remove(m_path);
    append(QByteArray("old\n").repeated(50));
    const auto log = view({m_path, 0, -1, {}});
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 50, Testing::atMost(10'000));
    QFile::remove(m_path);
    append("new\n");
    log->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(log->rowCount(), 1, Testing::atMost(10'000));
    QCOMPARE(log->rowText(0), QStringLiteral("new"));
}

QTEST_MAIN(TestLogView)
#include "tst_logview.moc"
