// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// What must not be lost without a question, and what is remembered over a restart.
#include "app/tasks/taskeditor.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QMenu>
#include <QTemporaryDir>

using namespace Glovebox;

class TestWindowLeaving : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void init();
    void cleanup();
    void aTextThatIsNotSavedIsAskedFor_data();
    void aTextThatIsNotSavedIsAskedFor();
    void aNewTextAsksForItsFile_data();
    void aNewTextAsksForItsFile();
    void whatCannotBeSavedStays();
    void nothingIsAskedForNothing_data();
    void nothingIsAskedForNothing();
    void oneQuestionAtATime();
    void planningSavesFirst();
    void closingAsksForRuns_data();
    void closingAsksForRuns();
    void runsAndTextAreBothAskedBeforeAnythingGoes();
    void manyRunsAreCounted();
    void theThemeIsKept_data();
    void theThemeIsKept();
    void theWindowComesBackWhereItWas();
    void nonsenseInTheFileIsNoHarm();

private:
    [[nodiscard]] QString other() const { return m_folder->filePath(QStringLiteral("b.task.md")); }
    [[nodiscard]] QString first() const { return m_folder->filePath(QStringLiteral("a.task.md")); }
    [[nodiscard]] QByteArray onDisk(const QString &path) const;
    void type(const QString &text);
    void leave(const QString &how);
    [[nodiscard]] bool hasLeft(const QString &how) const;
    void trigger(const QString &text);
    void restart();

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PreparedDialogs> m_dialogs;
    std::unique_ptr<Testing::SampleSource> m_source;
    std::unique_ptr<MainWindow> m_window;
};

constexpr char firstText[] = "---\ntitle: First\nacceptance: make\n---\n\nDo it.\n";
constexpr char typed[] = "More.\n";

void TestWindowLeaving::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    for (const QString &path : {first(), other()}) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(firstText), qint64(sizeof(firstText) - 1));
    }
    restart();
    m_window->openRepository(m_folder->path());
}

void TestWindowLeaving::restart()
{
    m_window.reset();
    m_dialogs = std::make_unique<PreparedDialogs>();
    m_source.reset(); // its memory is written before the next one reads it
    m_source = std::make_unique<Testing::SampleSource>(m_folder->path());
    m_window = std::make_unique<MainWindow>(
        Testing::sampleParts(m_source.get(), m_dialogs.get(), m_folder->path()));
    m_window->show();
}

void TestWindowLeaving::cleanup()
{
    m_window.reset();
    QCOMPARE(m_dialogs->unanswered(), 0);
    applyTheme(Theme::Light);
}

QByteArray TestWindowLeaving::onDisk(const QString &path) const
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
}

void TestWindowLeaving::type(const QString &text)
{
    m_window->taskPage()->editor()->moveCursor(QTextCursor::End);
    m_window->taskPage()->editor()->insertPlainText(text);
}

void TestWindowLeaving::trigger(const QString &text)
{
    for (QAction *action : m_window->findChildren<QAction *>()) {
        if (action->text() == text) {
            action->trigger();
            return;
        }
    }
    QFAIL(qPrintable(text));
}

void TestWindowLeaving::leave(const QString &how)
{
    if (how == QLatin1String("another task")) {
        m_window->openTask(other());
    } else if (how == QLatin1String("new task")) {
        trigger(QStringLiteral("&New task…"));
    } else if (how == QLatin1String("repository")) {
        m_window->openRepository(m_folder->filePath(QStringLiteral("elsewhere")));
    } else if (how == QLatin1String("back")) {
        trigger(QStringLiteral("&Back"));
    } else {
        m_window->close();
    }
}

bool TestWindowLeaving::hasLeft(const QString &how) const
{
    if (how == QLatin1String("another task") || how == QLatin1String("back")) {
        return m_window->taskPage()->path() == other();
    }
    if (how == QLatin1String("close")) {
        return !m_window->isVisible();
    }
    if (how == QLatin1String("repository")) {
        return m_window->currentPage() != m_window->taskPage() &&
               m_window->taskPage()->editor()->toPlainText().isEmpty();
    }
    return m_window->taskPage()->path().isEmpty();
}

void TestWindowLeaving::aTextThatIsNotSavedIsAskedFor_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("answer");
    for (const char *how : {"another task", "new task", "repository", "back", "close"}) {
        for (const char *answer : {"save", "discard", "cancel"}) {
            QTest::addRow("%s, %s", how, answer)
                << QString::fromLatin1(how) << QString::fromLatin1(answer);
        }
    }
}

void TestWindowLeaving::aTextThatIsNotSavedIsAskedFor()
{
    QFETCH(QString, how);
    QFETCH(QString, answer);
    m_window->openTask(other());
    m_window->openTask(first());
    type(QString::fromLatin1(typed));
    m_dialogs->setNextAnswer(answer);
    leave(how);
    QCOMPARE(m_dialogs->asked().size(), 1);
    QCOMPARE(m_dialogs->asked().at(0).safe, QStringLiteral("cancel"));
    QVERIFY(m_dialogs->asked().at(0).title.contains(QStringLiteral("a.task.md")));
    QVERIFY(!hasLeft(how)); // nothing happens before the answer
    if (answer == QLatin1String("cancel")) {
        QCoreApplication::processEvents();
        QVERIFY(!hasLeft(how));
        QVERIFY(m_window->taskPage()->editor()->toPlainText().endsWith(QLatin1String(typed)));
        QCOMPARE(m_window->currentPage(), m_window->taskPage());
    } else {
        QTRY_VERIFY(hasLeft(how));
    }
    const QByteArray expected =
        QByteArray(firstText) + (answer == QLatin1String("save") ? typed : "");
    QCOMPARE(onDisk(first()), expected);
    QCOMPARE(onDisk(other()), QByteArray(firstText));
}

void TestWindowLeaving::aNewTextAsksForItsFile_data()
{
    QTest::addColumn<bool>("chosen");
    QTest::newRow("a file is chosen") << true;
    QTest::newRow("the file dialog is closed") << false;
}

void TestWindowLeaving::aNewTextAsksForItsFile()
{
    QFETCH(bool, chosen);
    const QString path = m_folder->filePath(QStringLiteral("c.task.md"));
    trigger(QStringLiteral("&New task…"));
    type(QString::fromLatin1(typed));
    m_dialogs->setNextAnswer(QStringLiteral("save"));
    if (chosen) {
        m_dialogs->setNextPath(path);
    }
    m_window->close();
    if (chosen) {
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(onDisk(path).endsWith(typed));
        return;
    }
    QTRY_COMPARE(m_dialogs->unanswered(), 1); // as if Cancel was pressed there
    QVERIFY(m_window->isVisible());
    QVERIFY(m_window->taskPage()->hasUnsavedText());
    m_dialogs = std::make_unique<PreparedDialogs>(); // the window goes without another question
    m_window.reset();
}

void TestWindowLeaving::whatCannotBeSavedStays()
{
    m_window->openTask(first());
    type(QString::fromLatin1(typed));
    QVERIFY(QFile::remove(first()));
    QVERIFY(QDir().mkpath(first() + QStringLiteral("/in the way")));
    m_dialogs->setNextAnswer(QStringLiteral("save"));
    m_window->openTask(other());
    QCoreApplication::processEvents();
    QCOMPARE(m_window->taskPage()->path(), first());
    QVERIFY(m_window->taskPage()->hasUnsavedText());
}

void TestWindowLeaving::nothingIsAskedForNothing_data()
{
    QTest::addColumn<QString>("state");
    QTest::newRow("a file as it is") << QStringLiteral("file");
    QTest::newRow("typed and taken back") << QStringLiteral("undone");
    QTest::newRow("saved") << QStringLiteral("saved");
    QTest::newRow("a template as it is") << QStringLiteral("template");
}

void TestWindowLeaving::nothingIsAskedForNothing()
{
    QFETCH(QString, state);
    m_window->openTask(first());
    if (state == QLatin1String("undone")) {
        type(QString::fromLatin1(typed));
        m_window->taskPage()->editor()->undo();
    } else if (state == QLatin1String("saved")) {
        type(QString::fromLatin1(typed));
        m_window->taskPage()->save();
    } else if (state == QLatin1String("template")) {
        trigger(QStringLiteral("&New task…"));
    }
    m_window->openTask(other());
    QCOMPARE(m_window->taskPage()->path(), other());
    m_window->close();
    QVERIFY(!m_window->isVisible());
    QVERIFY(m_dialogs->asked().isEmpty());
}

void TestWindowLeaving::oneQuestionAtATime()
{
    m_window->openTask(first());
    type(QString::fromLatin1(typed));
    m_dialogs->setNextAnswer(QStringLiteral("cancel"));
    m_window->close();
    m_window->close();
    m_window->openTask(other());
    QCOMPARE(m_dialogs->asked().size(), 1);
    QCoreApplication::processEvents();
    m_dialogs->setNextAnswer(QStringLiteral("discard"));
    m_window->openTask(other()); // and the next one is asked anew
    QTRY_COMPARE(m_window->taskPage()->path(), other());
    QCOMPARE(m_dialogs->asked().size(), 2);
}

void TestWindowLeaving::planningSavesFirst()
{
    m_window->openTask(first());
    type(QString::fromLatin1(typed));
    QTRY_VERIFY(m_window->taskPage()->canPlan());
    trigger(QStringLiteral("&Plan run…"));
    QTRY_COMPARE(m_source->calls, QStringList({QStringLiteral("plan a.task.md")}));
    QCOMPARE(onDisk(first()), QByteArray(firstText) + typed);
}

void TestWindowLeaving::closingAsksForRuns_data()
{
    QTest::addColumn<QString>("answer");
    QTest::addColumn<bool>("closes");
    QTest::newRow("stop") << QStringLiteral("stop") << true;
    QTest::newRow("stay") << QStringLiteral("stay") << false;
}

void TestWindowLeaving::closingAsksForRuns()
{
    QFETCH(QString, answer);
    QFETCH(bool, closes);
    m_source->workingIds = {QStringLiteral("live")};
    m_dialogs->setNextAnswer(answer);
    QVERIFY(!m_window->close());
    QVERIFY(m_window->isVisible());
    QCOMPARE(m_dialogs->asked().size(), 1);
    const Question question = m_dialogs->asked().at(0);
    QCOMPARE(question.safe, QStringLiteral("stay"));
    QVERIFY(question.text.contains(QStringLiteral("Upgrade HTTP client to 4 (Build · Working)")));
    QVERIFY(question.text.contains(QStringLiteral("returned as a branch")));
    QVERIFY(!question.text.contains(QStringLiteral("queued")));
    if (closes) {
        QTRY_VERIFY(!m_window->isVisible());
    } else {
        QCoreApplication::processEvents();
        QVERIFY(m_window->isVisible());
    }
    QVERIFY(m_source->calls.isEmpty()); // the program stops them, not the window
}

void TestWindowLeaving::runsAndTextAreBothAskedBeforeAnythingGoes()
{
    m_source->workingIds = {QStringLiteral("live")};
    m_window->openTask(first());
    type(QString::fromLatin1(typed));
    m_dialogs->setNextAnswer(QStringLiteral("stop"));
    m_dialogs->setNextAnswer(QStringLiteral("cancel"));
    m_window->close();
    QTRY_COMPARE(m_dialogs->asked().size(), 2);
    QCoreApplication::processEvents();
    QVERIFY(m_window->isVisible());
    QVERIFY(m_window->taskPage()->hasUnsavedText());
}

void TestWindowLeaving::manyRunsAreCounted()
{
    RunView queued = m_source->views.value(QStringLiteral("live"));
    queued.record.phase = RunPhase::Queued;
    m_source->views.insert(QStringLiteral("queued"), queued);
    m_source->workingIds = QStringList(9, QStringLiteral("live")) << QStringLiteral("queued");
    m_dialogs->setNextAnswer(QStringLiteral("stay"));
    m_window->close();
    const Question question = m_dialogs->asked().value(0);
    QVERIFY(question.title.startsWith(QStringLiteral("10 ")));
    QCOMPARE(question.text.count(QStringLiteral("• ")), 8);
    QVERIFY(question.text.contains(QStringLiteral("and 2 more")));
    QVERIFY(question.text.contains(QStringLiteral("queued are cancelled")));
}

void TestWindowLeaving::theThemeIsKept_data()
{
    QTest::addColumn<QString>("action");
    QTest::addColumn<Theme>("theme");
    QTest::newRow("dark") << QStringLiteral("&Dark") << Theme::Dark;
    QTest::newRow("light") << QStringLiteral("&Light") << Theme::Light;
    QTest::newRow("system") << QStringLiteral("&System") << Theme::System;
}

void TestWindowLeaving::theThemeIsKept()
{
    QFETCH(QString, action);
    QFETCH(Theme, theme);
    m_source->memory.setTheme(theme == Theme::Dark ? Theme::Light : Theme::Dark);
    trigger(action);
    restart();
    QCOMPARE(m_source->memory.theme(), theme);
    int checked = 0;
    for (const QAction *found : m_window->findChildren<QAction *>()) {
        if (found->isChecked()) {
            QCOMPARE(found->text(), action);
            ++checked;
        }
    }
    QCOMPARE(checked, 1);
}

void TestWindowLeaving::theWindowComesBackWhereItWas()
{
    m_window->resize(1111, 777);
    m_window->close();
    restart();
    QCOMPARE(m_window->size(), QSize(1111, 777));
    QCOMPARE(m_window->recent(), QStringList({m_folder->path()}));
    QTemporaryDir elsewhere;
    QCOMPARE(WindowMemory(elsewhere.path()).recent(), QStringList());
    QVERIFY(WindowMemory(elsewhere.path()).geometry().isEmpty());
}

void TestWindowLeaving::nonsenseInTheFileIsNoHarm()
{
    m_window.reset();
    m_source.reset();
    QFile file(m_folder->filePath(QStringLiteral("window.ini")));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QVERIFY(file.write("theme=mauve\ngeometry=@ByteArray(x)\nsplitter=7\nrecent=@Invalid()\n") > 0);
    file.close();
    restart();
    QCOMPARE(m_source->memory.theme(), Theme::System);
    QCOMPARE(m_window->size(), QSize(1440, 900));
    QVERIFY(m_window->recent().isEmpty());
}

QTEST_MAIN(TestWindowLeaving)
#include "tst_windowleaving.moc"
