// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/demo.h"
#include "core/base/files.h"
#include "core/tasks/taskfile.h"
#include "tests/support/testing.h"

#include <QDir>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

class DemoTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void makesARepository();
    void isLeftAsItIs();
    void refusesAFolderInUse();
    void saysWhatCannotBeWritten();
    void leavesNoHalf();
};

void DemoTest::makesARepository()
{
    QTemporaryDir folder;
    const QString target = folder.filePath(QStringLiteral("new/demo with blank"));
    VERIFY_RESULT(await(makeDemo(target, {})));
    const auto git = [&](const QStringList &arguments) {
        return run(QStringLiteral("git"), arguments, target).trimmed();
    };
    QCOMPARE(git({QStringLiteral("status"), QStringLiteral("--porcelain")}), QByteArray());
    QCOMPARE(git({QStringLiteral("rev-list"), QStringLiteral("--count"), QStringLiteral("main")}),
             QByteArray("1"));
    QCOMPARE(git({QStringLiteral("log"), QStringLiteral("-1"), QStringLiteral("--format=%ae %ce")}),
             QByteArray("demo@example.com demo@example.com"));
    const QStringList tasks = QDir(target).entryList({QStringLiteral("*.task.md")});
    QCOMPARE(tasks.size(), 5);
    for (const QString &name : tasks) {
        const Result<QByteArray> text = readFile(QDir(target).filePath(name));
        VERIFY_RESULT(text);
        QVERIFY2(TaskDocument::parse(*text).problems().isEmpty(), qPrintable(name));
        QVERIFY(QFile::permissions(QDir(target).filePath(name)) & QFile::WriteOwner);
    }
}

void DemoTest::isLeftAsItIs()
{
    QTemporaryDir folder;
    VERIFY_RESULT(await(makeDemo(folder.path(), {})));
    const QString task = folder.filePath(QStringLiteral("demo.task.md"));
    VERIFY_RESULT(writeFile(task, "mine now"));
    VERIFY_RESULT(await(makeDemo(folder.path(), {})));
    QCOMPARE(readFile(task).value_or(QByteArray()), QByteArray("mine now"));
}

void DemoTest::refusesAFolderInUse()
{
    QTemporaryDir folder;
    VERIFY_RESULT(writeFile(folder.filePath(QStringLiteral(".hidden")), "x"));
    const Result<void> made = await(makeDemo(folder.path(), {}));
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::AlreadyExists);
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{QStringLiteral(".hidden")});
}

void DemoTest::saysWhatCannotBeWritten()
{
    QTemporaryDir folder;
    VERIFY_RESULT(writeFile(folder.filePath(QStringLiteral("file")), "x"));
    const Result<void> made = await(makeDemo(folder.filePath(QStringLiteral("file/demo")), {}));
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::FileError);
}

void DemoTest::leavesNoHalf()
{
    QTemporaryDir folder;
    const QString target = folder.filePath(QStringLiteral("demo"));
    std::stop_source early;
    early.request_stop();
    const Result<void> made = await(makeDemo(target, early.get_token()));
    QVERIFY(!made);
    QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    VERIFY_RESULT(await(makeDemo(target, {})));
    QVERIFY(QFileInfo::exists(target + QStringLiteral("/demo.task.md")));
}

QTEST_GUILESS_MAIN(DemoTest)
#include "tst_demo.moc"
