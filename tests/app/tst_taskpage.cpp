// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// A task file on screen and on disk: what is read, what is written, and what others write.
#include "app/tasks/taskeditor.h"
#include "app/tasks/tasklistmodel.h"
#include "app/tasks/taskspage.h"
#include "app/widgets/banner.h"
#include "app/widgets/elidedlabel.h"
#include "core/base/pool.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QFileDialog>
#include <QPushButton>
#include <QTemporaryDir>

using namespace Glovebox;

class TestTaskPage : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void init();
    void cleanup();
    void whatIsNotTouchedStays();
    void aLineIsALineOfTheFile();
    void aFileThatIsNotUtf8IsNotEdited();
    void anotherProgramsTextIsAskedFor_data();
    void anotherProgramsTextIsAskedFor();
    void planningAsksForTheOtherText();
    void planningShowsTheOtherTextFirst();
    void theFilesTextIsTaken_data();
    void theFilesTextIsTaken();
    void typedTextIsNotTakenAway();
    void onlyTheNewestTextIsLookedAt();
    void hintsAreNoProblems();
    void aNewTaskIsListed_data();
    void aNewTaskIsListed();
    void anotherTaskOfThatNameIsAskedFor();
    void theFileDialogKnowsTheSuffix();
    void aTaskFromElsewhereIsOpened();
    void aFolderWithoutRepositorySaysSo();

private:
    [[nodiscard]] QString file() const { return m_folder->filePath(QStringLiteral("a.task.md")); }
    [[nodiscard]] TaskPage *page() const { return m_window->taskPage(); }
    [[nodiscard]] Banner *banner() const { return page()->findChild<Banner *>(); }
    [[nodiscard]] QByteArray onDisk(const QString &path) const;
    void put(const QByteArray &bytes, const QString &path = {}) const;
    void type(const QString &text) const;
    void trigger(const QString &text) const;
    void makeWindow(const TaskPage::Linter &linter = {});
    void savePictures(const QString &name) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PreparedDialogs> m_dialogs;
    std::unique_ptr<Testing::SampleSource> m_source;
    std::unique_ptr<MainWindow> m_window;
};

namespace {

constexpr char text[] = "---\ntitle: First\nacceptance: make\n---\n\nDo it.\n";
constexpr char other[] = "---\ntitle: Other\nacceptance: make\n---\n\nDo it.\n";

/// A lint that is slow until the gate is open.
struct Looks
{
    int atOnce = 0;
    int most = 0;
    QList<QByteArray> texts;
    std::stop_token first;
    QPromise<void> gate;
};

QCoro::Task<QList<Problem>> lookSlowly(std::shared_ptr<Looks> looks, LintRequest wanted,
                                       std::stop_token stop)
{
    looks->most = qMax(looks->most, ++looks->atOnce);
    looks->texts << wanted.text;
    looks->first = looks->texts.size() == 1 ? stop : looks->first;
    Problem problem;
    problem.message = QStringLiteral("look %1").arg(looks->texts.size());
    const QFuture<void> gate = looks->gate.future();
    co_await gate;
    --looks->atOnce;
    co_return QList<Problem>{problem};
}

} // namespace

void TestTaskPage::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    Testing::writeSampleTasks(m_folder->path());
    put(text);
    makeWindow();
}

void TestTaskPage::makeWindow(const TaskPage::Linter &linter)
{
    m_window.reset();
    m_dialogs = std::make_unique<PreparedDialogs>();
    m_source.reset();
    m_source = std::make_unique<Testing::SampleSource>(m_folder->path());
    WindowParts parts = Testing::sampleParts(m_source.get(), m_dialogs.get(), m_folder->path());
    if (linter) {
        parts.linter = linter;
    }
    m_window = std::make_unique<MainWindow>(parts);
    m_window->show();
    m_window->openRepository(m_folder->path());
}

void TestTaskPage::savePictures(const QString &name) const
{
    for (const Theme theme : {Theme::Dark, Theme::Light}) {
        applyTheme(theme);
        QCoreApplication::processEvents();
        const QString suffix =
            theme == Theme::Light ? QStringLiteral("-light@1x") : QStringLiteral("-dark@1x");
        Testing::savePicture(Testing::picture(m_window.get(), 1), name + suffix);
    }
}

void TestTaskPage::cleanup()
{
    m_window.reset();
    QCOMPARE(m_dialogs->unanswered(), 0);
}

QByteArray TestTaskPage::onDisk(const QString &path) const
{
    QFile read(path);
    return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray("(none)");
}

void TestTaskPage::put(const QByteArray &bytes, const QString &path) const
{
    QFile written(path.isEmpty() ? file() : path);
    QVERIFY(written.open(QIODevice::WriteOnly));
    QCOMPARE(written.write(bytes), bytes.size());
}

void TestTaskPage::type(const QString &what) const
{
    page()->editor()->moveCursor(QTextCursor::End);
    page()->editor()->insertPlainText(what);
}

void TestTaskPage::trigger(const QString &action) const
{
    for (QAction *found : m_window->findChildren<QAction *>()) {
        if (found->text() == action) {
            found->trigger();
            return;
        }
    }
    QFAIL(qPrintable(action));
}

void TestTaskPage::whatIsNotTouchedStays()
{
    const QByteArray odd = "\xEF\xBB\xBF---\r\ntitle: a\xC2\xA0title\nacceptance: make\n---\n\n"
                           "One\xE2\x80\xA8two.\n";
    put(odd);
    m_window->openTask(file());
    QVERIFY(!page()->isModified());
    type(QStringLiteral("More.\n"));
    page()->save();
    QCOMPARE(onDisk(file()), odd + "More.\n");
    QVERIFY(!page()->isModified());
    type(QStringLiteral("And more.\n"));
    page()->save(); // what was written last counts now
    QCOMPARE(onDisk(file()), odd + "More.\nAnd more.\n");
    QVERIFY(m_dialogs->asked().isEmpty());
}

void TestTaskPage::aLineIsALineOfTheFile()
{
    m_window->openTask(file());
    type(QStringLiteral("One"));
    QTest::keyClick(page()->editor(), Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClicks(page()->editor(), QStringLiteral("two"));
    page()->save();
    QCOMPARE(onDisk(file()), QByteArray(text) + "One\ntwo");
}

void TestTaskPage::aFileThatIsNotUtf8IsNotEdited()
{
    const QByteArray latin = "---\ntitle: caf\xE9\nacceptance: make\n---\n\nDo it.\n";
    put(latin);
    m_window->openTask(file());
    QVERIFY(page()->editor()->isReadOnly());
    QVERIFY(!banner()->isHidden());
    QVERIFY(banner()->strongText().contains(QStringLiteral("UTF-8")));
    QVERIFY2(banner()->restText().startsWith(QStringLiteral("Byte 15 (0xe9, in line 2)")),
             qPrintable(banner()->restText()));
    page()->save();
    QTRY_VERIFY(!page()->problems().isEmpty());
    QVERIFY(!page()->canPlan());
    QCOMPARE(onDisk(file()), latin);
    savePictures(QStringLiteral("task-not-utf8"));
    put(text);
    m_window->openTask(file());
    QVERIFY(!page()->editor()->isReadOnly());
    QVERIFY(banner()->isHidden());
}

void TestTaskPage::anotherProgramsTextIsAskedFor_data()
{
    QTest::addColumn<QString>("answer");
    QTest::newRow("keep") << QStringLiteral("keep");
    QTest::newRow("reload") << QStringLiteral("reload");
    QTest::newRow("cancel") << QStringLiteral("cancel");
}

void TestTaskPage::anotherProgramsTextIsAskedFor()
{
    QFETCH(QString, answer);
    m_window->openTask(file());
    type(QStringLiteral("Mine.\n"));
    put(other);
    m_dialogs->setNextAnswer(answer);
    trigger(QStringLiteral("&Save"));
    QCOMPARE(m_dialogs->asked().size(), 1);
    QCOMPARE(m_dialogs->asked().at(0).safe, QStringLiteral("cancel"));
    QCOMPARE(onDisk(file()), QByteArray(other)); // nothing before the answer
    if (answer == QLatin1String("keep")) {
        QTRY_COMPARE(onDisk(file()), QByteArray(text) + "Mine.\n");
        QVERIFY(!page()->isModified());
    } else if (answer == QLatin1String("reload")) {
        QTRY_COMPARE(page()->editor()->toPlainText(), QString::fromLatin1(other));
        QVERIFY(!page()->isModified());
        QCOMPARE(onDisk(file()), QByteArray(other));
    } else {
        QCoreApplication::processEvents();
        QVERIFY(page()->hasUnsavedText());
        QCOMPARE(onDisk(file()), QByteArray(other));
    }
}

void TestTaskPage::planningAsksForTheOtherText()
{
    m_window->openTask(file());
    type(QStringLiteral("Mine.\n"));
    QTRY_VERIFY(page()->canPlan());
    put(other);
    m_dialogs->setNextAnswer(QStringLiteral("keep"));
    trigger(QStringLiteral("&Plan run…"));
    QTRY_COMPARE(m_source->calls, QStringList({QStringLiteral("plan a.task.md")}));
    QCOMPARE(m_dialogs->asked().size(), 1);
    QCOMPARE(onDisk(file()), QByteArray(text) + "Mine.\n");
}

void TestTaskPage::planningShowsTheOtherTextFirst()
{
    m_window->openTask(file());
    QTRY_VERIFY(page()->canPlan());
    put(other);
    trigger(QStringLiteral("&Plan run…"));
    QTRY_COMPARE(page()->editor()->toPlainText(), QString::fromLatin1(other));
    QVERIFY(!banner()->isHidden());
    QTRY_VERIFY(page()->canPlan());
    QVERIFY(m_source->calls.isEmpty());
    trigger(QStringLiteral("&Plan run…"));
    QTRY_COMPARE(m_source->calls, QStringList({QStringLiteral("plan a.task.md")}));
}

void TestTaskPage::theFilesTextIsTaken_data()
{
    QTest::addColumn<bool>("byWindow");
    QTest::newRow("the page is shown again") << false;
    QTest::newRow("the window is used again") << true;
}

void TestTaskPage::theFilesTextIsTaken()
{
    QFETCH(bool, byWindow);
    m_window->openTask(file());
    page()->editor()->moveCursor(QTextCursor::End);
    const int position = page()->editor()->textCursor().position();
    QWidget elsewhere;
    if (byWindow) {
        elsewhere.show();
        elsewhere.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&elsewhere));
    } else {
        m_window->openPlace(Place::Runs);
    }
    put(other);
    QCOMPARE(page()->editor()->toPlainText(), QString::fromLatin1(text));
    if (byWindow) {
        m_window->activateWindow();
    } else {
        trigger(QStringLiteral("&Back"));
    }
    QTRY_COMPARE(page()->editor()->toPlainText(), QString::fromLatin1(other));
    QCOMPARE(page()->editor()->textCursor().position(), position);
    QVERIFY(!page()->isModified());
    QVERIFY(banner()->isHidden());
}

void TestTaskPage::typedTextIsNotTakenAway()
{
    m_window->openTask(file());
    type(QStringLiteral("Mine.\n"));
    m_window->openPlace(Place::Runs);
    put(other);
    trigger(QStringLiteral("&Back"));
    QVERIFY(page()->editor()->toPlainText().endsWith(QStringLiteral("Mine.\n")));
    QVERIFY(!banner()->isHidden());
    QVERIFY(banner()->strongText().contains(QStringLiteral("changed on disk")));
    m_dialogs->setNextAnswer(QStringLiteral("reload"));
    QTest::mouseClick(banner()->findChild<QPushButton *>(), Qt::LeftButton);
    QTRY_COMPARE(page()->editor()->toPlainText(), QString::fromLatin1(other));
    QVERIFY(banner()->isHidden());
}

/// A slow look at an old text neither piles up nor is shown.
void TestTaskPage::onlyTheNewestTextIsLookedAt()
{
    const auto looks = std::make_shared<Looks>();
    looks->gate.start();
    makeWindow([looks](const LintRequest &wanted, const std::stop_token &stop) {
        return lookSlowly(looks, wanted, stop);
    });
    m_window->openTask(file());
    QCOMPARE(looks->texts.size(), 1);
    type(QStringLiteral("One.\n"));
    type(QStringLiteral("Two.\n"));
    QTRY_VERIFY(looks->first.stop_requested());
    QVERIFY(page()->problems().isEmpty());
    QVERIFY(!page()->canPlan()); // nothing is known of it yet
    looks->gate.finish();
    QTRY_COMPARE(page()->problems().value(0).message, QStringLiteral("look 2"));
    QCOMPARE(looks->texts, QList<QByteArray>({text, QByteArray(text) + "One.\nTwo.\n"}));
    QCOMPARE(looks->most, 1);
}

void TestTaskPage::hintsAreNoProblems()
{
    makeWindow([](const LintRequest &, const std::stop_token &) {
        return runInPool([] {
            Problem hint;
            hint.severity = Severity::Hint;
            hint.message = QStringLiteral("By the way.");
            Problem open;
            open.severity = Severity::Error;
            open.code = QStringLiteral("open-network");
            return QList<Problem>{hint, open};
        });
    });
    m_window->openTask(file());
    QTRY_COMPARE(page()->problems().size(), 2);
    QVERIFY(page()->canPlan()); // the plan's page has a tick for that one
    QStringList shown;
    for (const ElidedLabel *label : page()->findChildren<ElidedLabel *>()) {
        shown << label->text();
    }
    QVERIFY2(shown.contains(QStringLiteral("1 error")), qPrintable(shown.join(QLatin1Char('|'))));
}

void TestTaskPage::aNewTaskIsListed_data()
{
    QTest::addColumn<QString>("chosen");
    QTest::addColumn<QString>("written");
    const auto row = [](const char *chosen, const char *written) {
        QTest::newRow(chosen) << QString::fromLatin1(chosen) << QString::fromLatin1(written);
    };
    row("fix", "fix.task.md");
    row("fix.md", "fix.task.md");
    row("fix.task", "fix.task.md");
    row("fix.", "fix.task.md");
    row("fix.task.md", "fix.task.md");
    row("fix.txt", "fix.txt");
}

void TestTaskPage::aNewTaskIsListed()
{
    QFETCH(QString, chosen);
    QFETCH(QString, written);
    auto *tasks = m_window->findChild<TasksPage *>();
    QTRY_COMPARE(tasks->model()->rowCount(), 3);
    trigger(QStringLiteral("&New task…"));
    m_dialogs->setNextPath(m_folder->filePath(chosen));
    trigger(QStringLiteral("&Save"));
    QTRY_COMPARE(page()->path(), m_folder->filePath(written));
    QVERIFY(QFile::exists(page()->path()));
    QVERIFY(chosen == written || !QFile::exists(m_folder->filePath(chosen)));
    QTRY_COMPARE(tasks->model()->rowCount(), written.endsWith(QLatin1String(".txt")) ? 3 : 4);
}

void TestTaskPage::anotherTaskOfThatNameIsAskedFor()
{
    trigger(QStringLiteral("&New task…"));
    const QString chosen = m_folder->filePath(QStringLiteral("a.md"));
    m_dialogs->setNextPath(chosen);
    m_dialogs->setNextAnswer(QStringLiteral("cancel"));
    trigger(QStringLiteral("&Save"));
    QTRY_COMPARE(m_dialogs->asked().size(), 1);
    QVERIFY(m_dialogs->asked().at(0).title.contains(QStringLiteral("a.task.md")));
    QCoreApplication::processEvents();
    QCOMPARE(onDisk(file()), QByteArray(text));
    m_dialogs->setNextPath(chosen);
    m_dialogs->setNextAnswer(QStringLiteral("replace"));
    trigger(QStringLiteral("&Save"));
    QTRY_VERIFY(onDisk(file()) != QByteArray(text));
    QCOMPARE(page()->path(), file());
}

void TestTaskPage::theFileDialogKnowsTheSuffix()
{
    Dialogs dialogs;
    QWidget parent;
    dialogs.chooseNewFile(&parent, QStringLiteral("Save"), file(), QStringLiteral("task.md"),
                          [](const QString &) {});
    auto *dialog = parent.findChild<QFileDialog *>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->defaultSuffix(), QStringLiteral("task.md"));
    QCOMPARE(dialog->acceptMode(), QFileDialog::AcceptSave);
}

void TestTaskPage::aTaskFromElsewhereIsOpened()
{
    const QTemporaryDir elsewhere;
    const QString path = elsewhere.filePath(QStringLiteral("plain.txt"));
    put("Task: Do it.\n\nAcceptance:\n- make\n", path);
    m_dialogs->setNextPath(path);
    trigger(QStringLiteral("Open &task file…"));
    QTRY_COMPARE(page()->path(), path);
    QCOMPARE(m_window->currentPage(), page());
    QTRY_VERIFY(page()->canPlan());
}

void TestTaskPage::aFolderWithoutRepositorySaysSo()
{
    auto *tasks = m_window->findChild<TasksPage *>();
    auto *said = tasks->findChild<Banner *>();
    QTRY_COMPARE(tasks->model()->rowCount(), 3);
    QVERIFY(said->isHidden());
    const QTemporaryDir plain;
    put(text, plain.filePath(QStringLiteral("b.task.md")));
    m_window->openRepository(plain.path());
    QTRY_COMPARE(tasks->model()->rowCount(), 1);
    QVERIFY(!said->isHidden());
    QVERIFY(said->restText().contains(QStringLiteral("is not inside a git repository")));
    m_window->openPlace(Place::Tasks);
    savePictures(QStringLiteral("tasks-no-repository"));
    m_window->openRepository(m_folder->path());
    QTRY_COMPARE(tasks->model()->rowCount(), 3);
    QVERIFY(said->isHidden());
}

QTEST_MAIN(TestTaskPage)
#include "tst_taskpage.moc"
