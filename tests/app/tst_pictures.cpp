// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// Every page of the window on sample values, saved as a picture in light and dark, at 1 and 2
// pixels a point, below BUILD/pictures: for people to look at. What can be checked is checked.
#include "app/mainwindow/mainwindow.h"
#include "app/review/difffindbar.h"
#include "app/review/diffview.h"
#include "app/review/reviewpage.h"
#include "app/runs/livepage.h"
#include "app/runs/logview.h"
#include "app/runs/runspage.h"
#include "app/tasks/taskeditor.h"
#include "app/tasks/taskspage.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/nextsteprow.h"
#include "tests/app/support/samples.h"
#include "tests/app/support/widgettesting.h"

#include <QAbstractItemView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>

using namespace Glovebox;

class TestPictures : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void page_data();
    void page();
    void question_data();
    void question();

private:
    void open(const QString &page);
    void checkButtons() const;

    QTemporaryDir m_folder;
    PreparedDialogs m_dialogs;
    std::unique_ptr<Testing::SampleSource> m_source;
    std::unique_ptr<MainWindow> m_window;
};

void TestPictures::initTestCase()
{
    Testing::prepareApplication();
    Testing::writeSampleTasks(m_folder.path());
    m_source = std::make_unique<Testing::SampleSource>(m_folder.path());
    m_window = std::make_unique<MainWindow>(
        Testing::sampleParts(m_source.get(), &m_dialogs, m_folder.path()));
    m_window->openRepository(m_folder.path());
    m_window->resize(1440, 900);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void TestPictures::page_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<Theme>("theme");
    for (const char *name : {"start",       "tasks",    "task",     "task-broken",   "plan",
                             "runs",        "run-live", "run-log",  "run-network",   "run-failed",
                             "run-blocked", "return",   "review",   "review-find",   "specify",
                             "run-narrow",  "run-past", "run-plan", "run-cancelled", "runs-none"}) {
        const QString page = QString::fromLatin1(name);
        QTest::newRow(qPrintable(page + QStringLiteral("-light"))) << page << Theme::Light;
        QTest::newRow(qPrintable(page + QStringLiteral("-dark"))) << page << Theme::Dark;
    }
}

void TestPictures::open(const QString &page)
{
    m_window->resize(page == QLatin1String("run-narrow") ? QSize(1024, 640) : QSize(1440, 900));
    const QString tasks = m_folder.path() + QStringLiteral("/tasks/retry.task.md");
    if (page == QLatin1String("start")) {
        m_window->openPlace(Place::Start);
    } else if (page == QLatin1String("tasks")) {
        m_window->openPlace(Place::Tasks);
        QTRY_VERIFY(
            m_window->findChild<TasksPage *>()->findChild<QAbstractItemView *>()->isVisible());
    } else if (page == QLatin1String("task")) {
        m_window->openTask(tasks);
        QTRY_VERIFY(m_window->taskPage()->canPlan());
    } else if (page == QLatin1String("task-broken")) {
        m_window->openTask(m_folder.path() + QStringLiteral("/broken.task.md"));
        QTRY_VERIFY(!m_window->taskPage()->problems().isEmpty());
    } else if (page == QLatin1String("plan")) {
        m_window->startDemo();
        QTest::qWait(20);
    } else if (page == QLatin1String("runs") || page == QLatin1String("runs-none")) {
        m_window->openPlace(Place::Runs);
        m_window->findChild<RunsPage *>()->findChild<QLineEdit *>()->setText(
            page == QLatin1String("runs") ? QString() : QStringLiteral("nowhere"));
    } else if (page == QLatin1String("run-past") || page == QLatin1String("run-plan") ||
               page == QLatin1String("run-cancelled")) {
        m_source->kept = page == QLatin1String("run-cancelled")
                             ? QList<TimedEvent>()
                             : m_source->views.value(QStringLiteral("live")).events;
        m_window->openRun(page == QLatin1String("run-cancelled") ? QStringLiteral("cancelled")
                                                                 : QStringLiteral("ready"));
        m_window->runPage()->openStage(Stage::Build);
        m_window->runPage()->refresh();
        m_window->runPage()->live()->tabs()->setCurrentIndex(page == QLatin1String("run-plan") ? 4
                                                                                               : 0);
        QTest::qWait(50);
    } else if (page == QLatin1String("run-failed") || page == QLatin1String("run-blocked")) {
        m_window->openRun(page.mid(4));
        m_window->runPage()->openStage(Stage::Verify);
        QTRY_VERIFY(m_window->runPage()->finished()->findChild<LogView *>()->rowCount() > 0);
        // The rows of what to do next are laid out by the event loop, after the page changed run.
        const auto steps = [this] {
            return m_window->runPage()->finished()->findChildren<NextStepRow *>();
        };
        QTRY_VERIFY(!steps().isEmpty() && steps().constLast()->isVisible());
    } else if (page.startsWith(QLatin1String("review")) || page == QLatin1String("return") ||
               page == QLatin1String("specify")) {
        m_window->openRun(QStringLiteral("ready"));
        QTRY_COMPARE(m_window->runPage()->review()->document()->changes().files.size(), 6);
        m_window->runPage()->openStage(page.startsWith(QLatin1String("review")) ? Stage::Review
                                       : page == QLatin1String("return")        ? Stage::Return
                                                                                : Stage::Specify);
        DiffFindBar *find = m_window->runPage()->review()->findBar();
        if (page == QLatin1String("review-find")) {
            find->field()->setText(QStringLiteral("response"));
            find->open();
            QTRY_VERIFY(find->countText().startsWith(QStringLiteral("1 of ")));
        } else if (find->isVisible()) {
            find->dismiss();
        }
        if (page.startsWith(QLatin1String("review"))) {
            QTRY_VERIFY(m_window->runPage()->review()->document()->isRead(0));
            QTRY_VERIFY(m_window->runPage()->review()->document()->isRead(1));
        }
    } else {
        m_window->openRun(QStringLiteral("live"));
        QTRY_VERIFY(m_window->runPage()->live()->log()->rowCount() > 0);
        m_window->runPage()->live()->tabs()->setCurrentIndex(page == QLatin1String("run-log") ? 1
                                                             : page == QLatin1String("run-network")
                                                                 ? 3
                                                                 : 0);
    }
}

void TestPictures::checkButtons() const
{
    for (const QPushButton *button : m_window->findChildren<QPushButton *>()) {
        if (button->isVisible() && !button->text().isEmpty()) {
            const int wanted = button->fontMetrics().horizontalAdvance(button->text());
            QVERIFY2(button->width() >= wanted + 8, qPrintable(button->text()));
            QVERIFY2(button->height() >= 24, qPrintable(button->text()));
        }
    }
}

void TestPictures::page()
{
    QFETCH(QString, name);
    QFETCH(Theme, theme);
    applyTheme(theme);
    open(name);
    QTest::qWait(20); // what is read and laid out in later turns
    checkButtons();
    const QString suffix =
        theme == Theme::Light ? QStringLiteral("-light") : QStringLiteral("-dark");
    for (const int ratio : {1, 2}) {
        const QImage image = Testing::picture(m_window.get(), ratio);
        QCOMPARE(image.size(), m_window->size() * ratio);
        // The page is there, in its theme: neither blank nor of the other one.
        const QColor corner = image.pixelColor(20 * ratio, image.height() - 60 * ratio);
        QCOMPARE(corner.lightness() > 127, theme == Theme::Light);
        Testing::savePicture(image, name + suffix + QStringLiteral("@%1x").arg(ratio));
    }
}

void TestPictures::question_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<Theme>("theme");
    for (const char *name : {"ask-save", "ask-close"}) {
        const QString page = QString::fromLatin1(name);
        QTest::newRow(qPrintable(page + QStringLiteral("-light"))) << page << Theme::Light;
        QTest::newRow(qPrintable(page + QStringLiteral("-dark"))) << page << Theme::Dark;
    }
}

/// The questions as they stand on screen; Escape is the answer that changes nothing.
void TestPictures::question()
{
    QFETCH(QString, name);
    QFETCH(Theme, theme);
    applyTheme(theme);
    Dialogs dialogs;
    Testing::SampleSource source(m_folder.path());
    MainWindow window(Testing::sampleParts(&source, &dialogs, m_folder.path()));
    window.show();
    if (name == QLatin1String("ask-close")) {
        source.workingIds = {QStringLiteral("live")};
    } else {
        window.openTask(m_folder.path() + QStringLiteral("/tasks/retry.task.md"));
        window.taskPage()->editor()->insertPlainText(QStringLiteral("x"));
    }
    window.close();
    auto *box = window.findChild<QMessageBox *>();
    QVERIFY(box != nullptr);
    QTRY_VERIFY(box->isVisible());
    QTest::qWait(20);
    for (const QAbstractButton *button : box->buttons()) {
        QVERIFY2(button->width() >= button->fontMetrics().horizontalAdvance(button->text()) + 8,
                 qPrintable(button->text()));
    }
    const QString suffix =
        theme == Theme::Light ? QStringLiteral("-light") : QStringLiteral("-dark");
    for (const int ratio : {1, 2}) {
        Testing::savePicture(Testing::picture(box, ratio),
                             name + suffix + QStringLiteral("@%1x").arg(ratio));
    }
    QTest::keyClick(box, Qt::Key_Escape);
    QTRY_VERIFY(window.findChild<QMessageBox *>() == nullptr);
    QVERIFY(window.isVisible());
}

QTEST_MAIN(TestPictures)
#include "tst_pictures.moc"
