// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/changeslistmodel.h"
#include "app/review/diffview.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QAbstractItemModelTester>
#include <QSemaphore>
#include <QSignalSpy>

using namespace Glovebox;
using Kind = DiffRow::Kind;

class TestDiffView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void rowsFindTheirFile();
    void rowsFollowTheHunks();
    void whatCannotBeReadSaysSo();
    void foldingTakesAndGivesBack();
    void aLaterReadDoesNotMoveTheReader();
    void resultsOfAnOldSetAreDropped();
    void thousandsOfFilesAreNotRead();
    void looksAsItShould();
    void readsRowsAloud();
    void keysWalk();
    void noChangeIsSkipped();
    void backwardsNoChangeIsSkipped();
    void aFoldedFileIsAStop();
    void theListModelIsSound();
};

void TestDiffView::rowsFindTheirFile()
{
    RowIndex index;
    index.reset({3, 1, 5, 2, 7});
    QCOMPARE(index.total(), 18);
    const QList<int> expected{0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4};
    for (int row = 0; row < expected.size(); ++row) {
        QCOMPARE(index.fileAt(row), expected.at(row));
    }
    QCOMPARE(index.fileAt(18), 5);
    index.setRows(2, 1);
    QCOMPARE(index.total(), 14);
    QCOMPARE(index.before(3), 5);
    QCOMPARE(index.fileAt(5), 3);
    index.reset({});
    QCOMPARE(index.total(), 0);
    QCOMPARE(index.fileAt(0), 0);
}

void TestDiffView::rowsFollowTheHunks()
{
    DiffDocument document(Testing::sampleFileDiff);
    document.setChanges(Testing::sampleChanges());
    document.want(0);
    QTRY_VERIFY(document.isRead(0));
    QList<Kind> kinds;
    for (qint64 row = 0; row < document.rowsOf(0); ++row) {
        kinds.append(document.row(row).kind);
    }
    QList<Kind> expected{Kind::FileHeader, Kind::HunkHeader};
    expected += QList<Kind>(8, Kind::Line);
    expected += Kind::HunkHeader;
    expected += QList<Kind>(4, Kind::Line);
    QCOMPARE(kinds, expected);
    QCOMPARE(document.row(3).line.oldLine, 27);
    QCOMPARE(document.row(5).line.newLine, 27);
    QCOMPARE(document.row(1).hiddenAbove, 25);
    QCOMPARE(document.row(10).hiddenAbove, 26);
    QCOMPARE(document.row(10).hunk.header, QByteArray("retryDelay(attempt, response)"));
}

void TestDiffView::whatCannotBeReadSaysSo()
{
    DiffDocument document(Testing::sampleFileDiff);
    document.setChanges(Testing::sampleChanges());
    document.want(4);
    document.want(5);
    QTRY_VERIFY(document.isRead(4) && document.isRead(5));
    const DiffRow failed = document.row(document.firstRowOf(4) + 1);
    QCOMPARE(failed.kind, Kind::Notice);
    QVERIFY(failed.notice.contains(QStringLiteral("The object is damaged.")));
    QCOMPARE(document.row(document.firstRowOf(5) + 1).kind, Kind::Notice);
    QCOMPARE(document.rowsOf(5), 2);
}

void TestDiffView::foldingTakesAndGivesBack()
{
    DiffDocument document(Testing::sampleFileDiff);
    document.setChanges(Testing::sampleChanges());
    document.want(0);
    QTRY_VERIFY(document.isRead(0));
    const qint64 rows = document.rowsOf(0);
    const qint64 all = document.rowCount();
    document.toggleFold(0);
    QCOMPARE(document.rowsOf(0), 1);
    QCOMPARE(document.rowCount(), all - rows + 1);
    document.toggleFold(0);
    QCOMPARE(document.rowCount(), all);
}

void TestDiffView::aLaterReadDoesNotMoveTheReader()
{
    DiffDocument document(Testing::sampleFileDiff);
    DiffView view(&document);
    view.resize(700, 200);
    view.show();
    document.setChanges(Testing::sampleChanges());
    view.scrollToRow(document.firstRowOf(2));
    view.setCurrentRow(document.firstRowOf(2));
    QCOMPARE(view.currentFile(), 2);
    const qint64 before = view.firstRow();
    document.want(0); // above what is seen; its height was a guess
    QTRY_VERIFY(document.isRead(0));
    QVERIFY(view.firstRow() != before);
    QCOMPARE(document.fileOf(view.firstRow()), 2);
    QCOMPARE(view.currentFile(), 2);
}

void TestDiffView::resultsOfAnOldSetAreDropped()
{
    const auto gate = std::make_shared<QSemaphore>();
    DiffDocument document([gate](const ChangeSet &changes, int index) {
        gate->acquire();
        return Testing::sampleFileDiff(changes, index);
    });
    document.setChanges(Testing::sampleChanges());
    document.want(0);
    document.setChanges(Testing::sampleChanges());
    QSignalSpy read(&document, &DiffDocument::fileRead);
    gate->release(1);
    document.want(1);
    gate->release(1);
    QVERIFY(read.wait(5000));
    QCOMPARE(read.count(), 1);
    QCOMPARE(read.at(0).at(0).toInt(), 1);
    QVERIFY(!document.isRead(0));
}

void TestDiffView::thousandsOfFilesAreNotRead()
{
    ChangeSet changes;
    FileChange file = Testing::sampleChanges().files.constFirst();
    for (int index = 0; index < 100'000; ++index) {
        file.path = "src/file" + QByteArray::number(index) + ".ts";
        changes.files.append(file);
    }
    const auto reads = std::make_shared<QAtomicInt>(0);
    DiffDocument document([reads](const ChangeSet &set, int index) {
        reads->fetchAndAddOrdered(1);
        Result<FileDiff> diff = Testing::sampleFileDiff(Testing::sampleChanges(), 0);
        diff->file = set.files.at(index);
        return diff;
    });
    DiffView view(&document);
    view.resize(700, 500);
    view.show();
    document.setChanges(changes);
    view.showFile(77'777);
    QTRY_VERIFY(document.isRead(77'777));
    QVERIFY(!view.grab().isNull());
    QTRY_VERIFY(document.isRead(77'778));
    QVERIFY2(reads->loadRelaxed() < 100, qPrintable(QString::number(reads->loadRelaxed())));
}

void TestDiffView::looksAsItShould()
{
    DiffDocument document(Testing::sampleFileDiff);
    DiffView view(&document);
    view.resize(900, 420);
    view.show();
    document.setChanges(Testing::sampleChanges());
    document.want(0);
    QTRY_VERIFY(document.isRead(0));
    const QImage image = view.viewport()->grab().toImage();
    const Tokens &t = Tokens::light();
    const auto at = [&](qint64 row, int x) {
        const QRect area = view.rowRect(row);
        return image.pixelColor(x, area.top() + 1);
    };
    QCOMPARE(at(3, 880), t[Token::DelBg]);
    QCOMPARE(at(5, 880), t[Token::AddBg]);
    QCOMPARE(at(2, 880), t[Token::Ctx]);
    QCOMPARE(at(1, 880), t[Token::Hunk]);
    QCOMPARE(at(3, 2), t[Token::DelG]);
    QCOMPARE(at(5, 2), t[Token::AddG]);
    QCOMPARE(view.rowRect(3).height(), view.lineHeight());
    QVERIFY(view.rowRect(0).height() > view.rowRect(3).height());
    bool box = false;
    const QRect hidden = view.rowRect(7);
    for (int x = hidden.left(); x < hidden.right() && !box; ++x) {
        box = image.pixelColor(x, hidden.center().y()) == t[Token::HidSoft];
    }
    QVERIFY(box);
    Testing::savePicture(image, QStringLiteral("diff-rows"));
}

void TestDiffView::readsRowsAloud()
{
    DiffDocument document(Testing::sampleFileDiff);
    DiffView view(&document);
    document.setChanges(Testing::sampleChanges());
    document.want(0);
    QTRY_VERIFY(document.isRead(0));
    QCOMPARE(view.describeRow(3),
             QStringLiteral("removed, line 27:   const response = await fetch(endpoint, "
                            "{ method: 'POST' });"));
    QVERIFY(view.describeRow(7).startsWith(QStringLiteral("added, line 29, 3 hidden characters")));
    QVERIFY(view.describeRow(7).contains(QStringLiteral("U+202E")));
    QCOMPARE(view.describeRow(14), QStringLiteral("no newline at the end of the file"));
}

void TestDiffView::keysWalk()
{
    DiffDocument document(Testing::sampleFileDiff);
    DiffView view(&document);
    view.resize(700, 300);
    view.show();
    document.setChanges(Testing::sampleChanges());
    document.want(0);
    QTRY_VERIFY(document.isRead(0));
    QTest::keyClick(&view, 'n');
    QCOMPARE(view.currentRow(), 1);
    QTest::keyClick(&view, 'n');
    QCOMPARE(view.currentRow(), 10);
    QTest::keyClick(&view, 'j');
    QCOMPARE(view.currentRow(), 11);
    QTest::keyClick(&view, 'p');
    QCOMPARE(view.currentRow(), 10);
    QTest::keyClick(&view, 'J', Qt::ShiftModifier);
    QCOMPARE(view.currentFile(), 1);
    QTest::keyClick(&view, 'K', Qt::ShiftModifier);
    QCOMPARE(view.currentRow(), 0);
    QTest::keyClick(&view, 'o');
    QVERIFY(document.isFolded(0));
}

/// All files but the first are unread when the walk begins; the fifth fails, the sixth is binary.
void TestDiffView::noChangeIsSkipped()
{
    DiffDocument document(Testing::sampleFileDiff);
    DiffView view(&document);
    view.resize(700, 60);
    view.show();
    document.setChanges(Testing::sampleChanges());
    QList<int> stops(6, 0);
    for (int file = 0; file < 6;) {
        view.nextChange(1);
        const int here = view.currentFile();
        QTRY_VERIFY(document.isRead(here)); // it waits at the header, and goes on
        const Kind kind = document.kindOf(view.currentRow());
        const Kind wanted = here < 4 ? Kind::HunkHeader : Kind::FileHeader;
        QCOMPARE(kind, wanted);
        QVERIFY2(here == file || here == file + 1, qPrintable(QString::number(here)));
        file = here;
        ++stops[here];
        if (here == 5) {
            break;
        }
    }
    for (int file = 0; file < 6; ++file) {
        QCOMPARE(stops.at(file), document.stopsOf(file).size());
    }
    const qint64 last = view.currentRow();
    view.nextChange(1);
    QCOMPARE(view.currentRow(), last);
}

void TestDiffView::backwardsNoChangeIsSkipped()
{
    DiffDocument document(Testing::sampleFileDiff);
    DiffView view(&document);
    view.resize(700, 60);
    view.show();
    document.setChanges(Testing::sampleChanges());
    view.showFile(1);
    QTRY_VERIFY(document.isRead(1));
    view.setCurrentRow(document.firstRowOf(1));
    view.nextChange(-1);
    QTRY_VERIFY(document.isRead(0));
    QCOMPARE(view.currentRow(), document.stopsOf(0).constLast());
    view.nextChange(-1);
    QCOMPARE(view.currentRow(), document.stopsOf(0).constFirst());
}

void TestDiffView::aFoldedFileIsAStop()
{
    DiffDocument document(Testing::sampleFileDiff);
    DiffView view(&document);
    view.resize(700, 60);
    view.show();
    document.setChanges(Testing::sampleChanges());
    document.want(0);
    QTRY_VERIFY(document.isRead(0));
    document.toggleFold(1);
    view.setCurrentRow(document.stopsOf(0).constLast());
    view.nextChange(1);
    QCOMPARE(view.currentRow(), document.firstRowOf(1));
    view.nextChange(1); // and it is no trap
    QCOMPARE(view.currentFile(), 2);
    view.nextChange(-1);
    QCOMPARE(view.currentFile(), 1);
}

void TestDiffView::theListModelIsSound()
{
    ChangesListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setChanges(Testing::sampleChanges(), {".github/workflows/ci.yml"});
    QCOMPARE(model.rowCount(), 6);
    QVERIFY(model.index(4).data(ChangesListModel::OutOfScopeRole).toBool());
    QVERIFY(!model.index(0).data(ChangesListModel::OutOfScopeRole).toBool());
    QCOMPARE(model.index(1).data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("src/billing/client.test.ts, modified, 18 added, 11 removed"));
}

QTEST_MAIN(TestDiffView)
#include "tst_diffview.moc"
