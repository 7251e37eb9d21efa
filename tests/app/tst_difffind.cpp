// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/difffindbar.h"
#include "app/review/diffview.h"
#include "app/review/reviewpage.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QLineEdit>
#include <QMenuBar>
#include <QScrollBar>
#include <QTemporaryDir>

using namespace Glovebox;

class TestDiffFind : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void init();
    void findsInPathsAndLines_data();
    void findsInPathsAndLines();
    void walksRoundTheEnds();
    void walksBackFromTheStart();
    void opensFoldedFiles();
    void beginsWhereTheReaderIs();
    void aLaterTextReplacesTheSearch();
    void anotherBranchIsSearchedAnew();
    void manyFilesAreSearchedWithoutWaiting();
    void aFloodIsCapped();
    void aLongLineIsScrolledTo();
    void escapeGivesTheKeyboardBack();
    void theMenuOpensIt();

private:
    void show(const ChangeSet &changes, const DiffDocument::Reader &reader);
    void look(const QString &needle);
    [[nodiscard]] QString selected() const { return m_page->diff()->selectedText(); }
    [[nodiscard]] DiffFindBar *bar() const { return m_page->findBar(); }

    std::unique_ptr<ReviewPage> m_page;
};

void TestDiffFind::init()
{
    show(Testing::sampleChanges(), Testing::sampleFileDiff);
}

void TestDiffFind::show(const ChangeSet &changes, const DiffDocument::Reader &reader)
{
    m_page = std::make_unique<ReviewPage>(reader);
    m_page->resize(1100, 500);
    m_page->show();
    m_page->setChanges(changes, {});
    m_page->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
}

void TestDiffFind::look(const QString &needle)
{
    bar()->open();
    bar()->field()->selectAll();
    QTest::keyClicks(bar()->field(), needle);
    QTRY_VERIFY(bar()->countText().contains(QStringLiteral(" of ")) ||
                bar()->countText().contains(QStringLiteral("No match")));
    QTRY_VERIFY(!bar()->countText().contains(QLatin1Char('+')));
}

void TestDiffFind::findsInPathsAndLines_data()
{
    QTest::addColumn<QString>("needle");
    QTest::addColumn<int>("matches"); // of the first file
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("column");
    QTest::newRow("path") << QStringLiteral("client.ts") << 1 << 0 << 12;
    QTest::newRow("any case") << QStringLiteral("WITHRETRY") << 1 << 5 << 25;
    QTest::newRow("removed and added") << QStringLiteral("fetch(") << 2 << 3 << 25;
    QTest::newRow("behind hidden characters") << QStringLiteral("admins") << 1 << 7 << 15;
    QTest::newRow("not the words of the file's end") << QStringLiteral("newline") << 0 << 0 << 0;
    QTest::newRow("in several lines") << QStringLiteral("response") << 5 << 3 << 8;
    QTest::newRow("nothing") << QStringLiteral("nowhere") << 0 << 0 << 0;
}

void TestDiffFind::findsInPathsAndLines()
{
    QFETCH(QString, needle);
    QFETCH(int, matches);
    QFETCH(int, row);
    QFETCH(int, column);
    const ChangeSet changes = Testing::sampleChanges();
    const FileMatches found =
        findInFile(Testing::sampleFileDiff(changes, 0), changes.files.at(0), 0, needle);
    QCOMPARE(found.matches.size(), matches);
    QVERIFY(found.searched);
    if (matches > 0) {
        QCOMPARE(found.matches.at(0).row, row);
        QCOMPARE(found.matches.at(0).column, column);
        QCOMPARE(found.matches.at(0).length, needle.size());
    }
    for (const int unreadable : {4, 5}) { // damaged, binary
        QVERIFY(!findInFile(Testing::sampleFileDiff(changes, unreadable),
                            changes.files.at(unreadable), unreadable, needle)
                     .searched);
    }
}

void TestDiffFind::walksRoundTheEnds()
{
    look(QStringLiteral("withRetry"));
    QCOMPARE(selected(), QStringLiteral("withRetry"));
    QVERIFY(bar()->countText().startsWith(QStringLiteral("1 of 4"))); // one in each readable file
    QVERIFY(bar()->countText().contains(QStringLiteral("2 files without lines")));
    for (int step = 1; step < 4; ++step) {
        QTest::keyClick(bar()->field(), Qt::Key_Return);
        QVERIFY(bar()->countText().startsWith(QStringLiteral("%1 of 4").arg(step + 1)));
        QTRY_COMPARE(m_page->diff()->currentFile(), step); // which is read when it comes to that
        QTRY_COMPARE(selected(), QStringLiteral("withRetry"));
    }
    QTest::keyClick(bar()->field(), Qt::Key_Return);
    QVERIFY(bar()->countText().startsWith(QStringLiteral("1 of 4 · went on from the start")));
    QTRY_COMPARE(m_page->diff()->currentFile(), 0);
}

void TestDiffFind::walksBackFromTheStart()
{
    look(QStringLiteral("withRetry"));
    QTest::keyClick(bar()->field(), Qt::Key_Return, Qt::ShiftModifier);
    QVERIFY(bar()->countText().startsWith(QStringLiteral("4 of 4 · went on from the end")));
    QTRY_COMPARE(m_page->diff()->currentFile(), 3);
    QTRY_COMPARE(selected(), QStringLiteral("withRetry"));
}

void TestDiffFind::opensFoldedFiles()
{
    m_page->document()->want(0);
    QTRY_VERIFY(m_page->document()->isRead(0));
    m_page->document()->toggleFold(0);
    look(QStringLiteral("withRetry"));
    QVERIFY(!m_page->document()->isFolded(0));
    QTRY_COMPARE(selected(), QStringLiteral("withRetry"));
}

void TestDiffFind::beginsWhereTheReaderIs()
{
    m_page->diff()->showFile(2);
    QTRY_VERIFY(m_page->document()->isRead(2));
    look(QStringLiteral("withRetry"));
    QVERIFY(bar()->countText().startsWith(QStringLiteral("3 of 4")));
    QCOMPARE(m_page->diff()->currentFile(), 2);
}

void TestDiffFind::aLaterTextReplacesTheSearch()
{
    look(QStringLiteral("withRetry"));
    look(QStringLiteral("nowhere"));
    QVERIFY(bar()->countText().startsWith(QStringLiteral("No match")));
    QCOMPARE(bar()->field()->accessibleDescription(), bar()->countText());
    look(QStringLiteral("BillingError"));
    QVERIFY2(bar()->countText().startsWith(QStringLiteral("1 of 4")),
             qPrintable(bar()->countText()));
    bar()->field()->clear();
    QTRY_VERIFY(bar()->countText().isEmpty());
}

void TestDiffFind::anotherBranchIsSearchedAnew()
{
    look(QStringLiteral("withRetry"));
    ChangeSet changes = Testing::sampleChanges();
    changes.files = changes.files.mid(0, 1);
    m_page->setChanges(changes, {});
    QTRY_VERIFY(bar()->countText().contains(QStringLiteral("1 match")));
}

void TestDiffFind::manyFilesAreSearchedWithoutWaiting()
{
    ChangeSet changes;
    const FileChange file = Testing::sampleChanges().files.constFirst();
    for (int index = 0; index < 500; ++index) {
        changes.files.append(file);
        changes.files.last().path = "src/file" + QByteArray::number(index) + ".ts";
    }
    show(changes, [](const ChangeSet &set, int index) {
        Result<FileDiff> diff = Testing::sampleFileDiff(Testing::sampleChanges(), 0);
        diff->file = set.files.at(index);
        return diff;
    });
    look(QStringLiteral("file499.ts"));
    QVERIFY(bar()->countText().startsWith(QStringLiteral("1 of 1")));
    QTRY_COMPARE(m_page->diff()->currentFile(), 499);
}

void TestDiffFind::aFloodIsCapped()
{
    show(Testing::sampleChanges(), [](const ChangeSet &set, int index) {
        FileDiff diff;
        diff.file = set.files.at(index);
        Hunk hunk{1, 0, 1, 9000, {}, {}};
        hunk.lines = QList<DiffLine>(9000, {DiffLine::Kind::Added, 0, 1, "aa"});
        diff.hunks = {hunk};
        return Result<FileDiff>(diff);
    });
    bar()->open();
    QTest::keyClicks(bar()->field(), QStringLiteral("aa"));
    QTRY_VERIFY(bar()->countText().startsWith(QStringLiteral("1 of 10,000+")));
}

void TestDiffFind::aLongLineIsScrolledTo()
{
    ChangeSet changes = Testing::sampleChanges();
    changes.files = changes.files.mid(0, 1);
    show(changes, [](const ChangeSet &set, int index) {
        FileDiff diff;
        diff.file = set.files.at(index);
        Hunk hunk{1, 0, 1, 1, {}, {}};
        hunk.lines = {{DiffLine::Kind::Added, 0, 1, QByteArray(5000, 'x') + "needle"}};
        diff.hunks = {hunk};
        return Result<FileDiff>(diff);
    });
    look(QStringLiteral("needle"));
    QTRY_COMPARE(selected(), QStringLiteral("needle"));
    QVERIFY(m_page->diff()->horizontalScrollBar()->value() > 0);
    look(QStringLiteral("xx"));
    QTRY_COMPARE(m_page->diff()->horizontalScrollBar()->value(), 0);
}

void TestDiffFind::escapeGivesTheKeyboardBack()
{
    look(QStringLiteral("withRetry"));
    QVERIFY(bar()->field()->hasFocus());
    QTest::keyClick(bar()->field(), Qt::Key_Escape);
    QVERIFY(!bar()->isVisible());
    QVERIFY(m_page->diff()->hasFocus());
    bar()->open(); // with what is selected in the diff
    QCOMPARE(bar()->field()->text(), QStringLiteral("withRetry"));
    m_page->diff()->setFocus();
    QTest::keyClick(m_page->diff(), Qt::Key_Escape); // also from the diff itself
    QVERIFY(!bar()->isVisible());
}

void TestDiffFind::theMenuOpensIt()
{
    QTemporaryDir folder;
    Testing::SampleSource source(folder.path());
    PreparedDialogs dialogs;
    MainWindow window(Testing::sampleParts(&source, &dialogs, folder.path()));
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    const auto action = [&window](const QString &text) {
        for (QAction *found : window.findChildren<QAction *>()) {
            if (found->text() == text) {
                return found;
            }
        }
        return static_cast<QAction *>(nullptr);
    };
    QAction *find = action(QStringLiteral("&Find"));
    QVERIFY(find != nullptr && !find->isEnabled()); // nothing to find in on the start page
    window.openRun(QStringLiteral("ready"));
    window.runPage()->openStage(Stage::Review);
    QVERIFY(find->isEnabled());
    QTest::keySequence(&window, find->shortcut());
    QTRY_VERIFY(window.runPage()->review()->findBar()->isVisible());
    window.runPage()->openStage(Stage::Return);
    QVERIFY(!find->isEnabled());
    window.openPlace(Place::Runs);
    QTest::keySequence(&window, find->shortcut());
    QVERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()) != nullptr);
}

QTEST_MAIN(TestDiffFind)
#include "tst_difffind.moc"
