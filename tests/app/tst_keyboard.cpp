// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// Every page by keyboard and by ear, and what it says when there is nothing to show.
#include "app/review/reviewpage.h"
#include "app/runs/livepage.h"
#include "app/runs/runspage.h"
#include "app/tasks/taskspage.h"
#include "app/widgets/viewstates.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QAccessible>
#include <QPushButton>
#include <QSet>
#include <QTabBar>
#include <QTemporaryDir>

using namespace Glovebox;

class TestKeyboard : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void keysAreThere_data();
    void keysAreThere();
    void everythingHasAName_data();
    void everythingHasAName();
    void tabWalksRoundThePage_data();
    void tabWalksRoundThePage();
    void emptyPagesSayWhatToDo_data();
    void emptyPagesSayWhatToDo();

private:
    void pages_data() const;
    void open(const QString &page);
    [[nodiscard]] QList<QWidget *> stops() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    PreparedDialogs m_dialogs;
    std::unique_ptr<Testing::SampleSource> m_source;
    std::unique_ptr<MainWindow> m_window;
};

void TestKeyboard::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    Testing::writeSampleTasks(m_folder->path());
    m_source = std::make_unique<Testing::SampleSource>(m_folder->path());
    m_window = std::make_unique<MainWindow>(
        Testing::sampleParts(m_source.get(), &m_dialogs, m_folder->path()));
    m_window->show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void TestKeyboard::keysAreThere_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("action");
    for (const auto &[key, action] :
         {std::pair("Ctrl+N", "&New task…"), std::pair("Ctrl+O", "&Open repository…"),
          std::pair("Ctrl+S", "&Save"), std::pair("Ctrl+Shift+S", "Save &as…"),
          std::pair("Ctrl+W", "&Close window"), std::pair("Ctrl+Q", "&Quit"),
          std::pair("F5", "R&efresh"), std::pair("Ctrl+F", "&Find"), std::pair("F3", "Find &next"),
          std::pair("Shift+F3", "Find &previous"), std::pair("F8", "&Next problem"),
          std::pair("Shift+F8", "Pre&vious problem"), std::pair("F11", "F&ull screen"),
          std::pair("Ctrl+1", "&Start"), std::pair("Ctrl+2", "&Tasks"),
          std::pair("Ctrl+3", "&Runs"), std::pair("Alt+Left", "&Back"),
          std::pair("Alt+Right", "&Forward")}) {
        QTest::newRow(key) << QString::fromLatin1(key) << QString::fromUtf8(action);
    }
}

void TestKeyboard::keysAreThere()
{
    QFETCH(QString, key);
    QFETCH(QString, action);
    QStringList found;
    for (const QAction *candidate : m_window->findChildren<QAction *>()) {
        if (candidate->shortcut() == QKeySequence(key)) {
            found.append(candidate->text());
        }
    }
    QCOMPARE(found, QStringList{action});
}

void TestKeyboard::pages_data() const
{
    QTest::addColumn<QString>("page");
    for (const char *page : {"start", "tasks", "task", "plan", "runs", "specify", "build", "log",
                             "verify", "return", "review", "find"}) {
        QTest::newRow(page) << QString::fromLatin1(page);
    }
}

void TestKeyboard::open(const QString &page)
{
    m_window->openRepository(m_folder->path());
    const QStringList doors{QStringLiteral("specify"), QStringLiteral("build"),
                            QStringLiteral("verify"), QStringLiteral("return"),
                            QStringLiteral("review")};
    if (page == QLatin1String("task")) {
        m_window->openTask(m_folder->filePath(QStringLiteral("tasks/retry.task.md")));
        QTRY_VERIFY(m_window->taskPage()->canPlan());
    } else if (page == QLatin1String("plan")) {
        m_window->startDemo();
        QTRY_VERIFY(!m_source->calls.isEmpty());
        QTest::qWait(0);
    } else if (page == QLatin1String("tasks") || page == QLatin1String("runs")) {
        m_window->openPlace(page == QLatin1String("runs") ? Place::Runs : Place::Tasks);
        QTRY_VERIFY(m_window->findChild<TasksPage *>()->model() != nullptr);
    } else if (page == QLatin1String("log")) {
        m_window->openRun(QStringLiteral("live"));
        m_window->runPage()->live()->tabs()->setCurrentIndex(1);
    } else if (page == QLatin1String("find")) {
        m_window->openRun(QStringLiteral("ready"));
        m_window->runPage()->openStage(Stage::Review);
        for (QAction *action : m_window->findChildren<QAction *>()) {
            if (action->text() == QLatin1String("&Find")) {
                action->trigger();
            }
        }
    } else if (doors.contains(page)) {
        m_window->openRun(QStringLiteral("ready"));
        m_window->runPage()->openStage(static_cast<Stage>(doors.indexOf(page)));
    }
    QCoreApplication::processEvents();
}

QList<QWidget *> TestKeyboard::stops() const
{
    QList<QWidget *> found;
    for (QWidget *widget : m_window->findChildren<QWidget *>()) {
        if (widget->isVisible() && widget->isEnabled() &&
            (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus) {
            found.append(widget);
        }
    }
    return found;
}

void TestKeyboard::everythingHasAName_data()
{
    pages_data();
}

void TestKeyboard::everythingHasAName()
{
    QFETCH(QString, page);
    open(page);
    const QList<QWidget *> found = stops();
    QVERIFY(found.size() >= 4);
    for (QWidget *widget : found) {
        QAccessibleInterface *face = QAccessible::queryAccessibleInterface(widget);
        QVERIFY(face != nullptr);
        const QString name = face->text(QAccessible::Name);
        QString path;
        for (const QObject *up = widget; up != nullptr; up = up->parent()) {
            path += QString::fromLatin1(up->metaObject()->className()) + QLatin1String(" < ");
        }
        QVERIFY2(!name.trimmed().isEmpty(), qPrintable(path));
    }
}

void TestKeyboard::tabWalksRoundThePage_data()
{
    pages_data();
}

void TestKeyboard::tabWalksRoundThePage()
{
    QFETCH(QString, page);
    open(page);
    QSet<const QWidget *> left;
    for (const QWidget *widget : stops()) {
        left.insert(widget);
    }
    const auto most = left.size() + 12;
    for (qsizetype step = 0; step < most && !left.isEmpty(); ++step) {
        QWidget *before = QApplication::focusWidget();
        QTest::keyClick(before != nullptr ? before : m_window.get(), Qt::Key_Tab);
        if (QApplication::focusWidget() == before && before != nullptr) {
            QTest::keyClick(before, Qt::Key_M, Qt::ControlModifier); // a text takes it for itself
        }
        left.remove(QApplication::focusWidget());
    }
    QStringList missed;
    for (const QWidget *widget : left) {
        missed << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                      widget->accessibleName();
    }
    QVERIFY2(missed.isEmpty(), qPrintable(missed.join(QStringLiteral(", "))));
}

void TestKeyboard::emptyPagesSayWhatToDo_data()
{
    QTest::addColumn<Place>("place");
    QTest::addColumn<QString>("button");
    QTest::newRow("start") << Place::Start << QStringLiteral("Run the demo task");
    QTest::newRow("tasks") << Place::Tasks << QStringLiteral("Open repository…");
    QTest::newRow("runs") << Place::Runs << QStringLiteral("Tasks");
}

void TestKeyboard::emptyPagesSayWhatToDo()
{
    QFETCH(Place, place);
    QFETCH(QString, button);
    m_window.reset();
    m_source->order.clear();
    m_window = std::make_unique<MainWindow>(
        Testing::sampleParts(m_source.get(), &m_dialogs, m_folder->path()));
    m_window->show();
    m_window->openPlace(place);
    QStringList texts;
    for (const QPushButton *found : m_window->currentPage()->findChildren<QPushButton *>()) {
        if (found->isVisible() && found->isEnabled()) {
            texts.append(found->text());
        }
    }
    QVERIFY2(texts.contains(button), qPrintable(texts.join(QStringLiteral(", "))));
    for (const ViewStates *states : m_window->currentPage()->findChildren<ViewStates *>()) {
        QCOMPARE(states->state(), ViewStates::State::Empty);
    }
}

QTEST_MAIN(TestKeyboard)
#include "tst_keyboard.moc"
