// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/support/testing.h"

#include <QFileInfo>
#include <QTemporaryDir>

using namespace Glovebox;

class FilesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatWasWritten();
    void readingSaysWhy_data();
    void readingSaysWhy();
    void replacesInOneStep_data();
    void replacesInOneStep();
    void failedReplacementChangesNothing();

private:
    [[nodiscard]] QString at(const QString &name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

void FilesTest::readsWhatWasWritten()
{
    const QString path = at(QStringLiteral("written"));
    VERIFY_RESULT(writeFile(path, "first"));
    VERIFY_RESULT(writeFile(path, QByteArray("second\0one", 10)));
    QCOMPARE(readFile(path).value_or(QByteArray()), QByteArray("second\0one", 10));
}

void FilesTest::readingSaysWhy_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("missing") << QStringLiteral("missing") << ErrorCode::NotFound;
    QTest::newRow("too large") << QStringLiteral("large") << ErrorCode::TooLarge;
    QTest::newRow("a folder") << QStringLiteral(".") << ErrorCode::FileError;
}

void FilesTest::readingSaysWhy()
{
    QFETCH(QString, name);
    QFETCH(ErrorCode, code);
    VERIFY_RESULT(writeFile(at(QStringLiteral("large")), "12345"));
    const Result<QByteArray> read = readFile(at(name), 4);
    QVERIFY(!read);
    QCOMPARE(read.error().code, code);
}

void FilesTest::replacesInOneStep_data()
{
    QTest::addColumn<bool>("there");
    QTest::newRow("new") << false;
    QTest::newRow("there already") << true;
}

void FilesTest::replacesInOneStep()
{
    QFETCH(bool, there);
    const QString from = at(QStringLiteral("result.part"));
    const QString to = at(there ? QStringLiteral("r\u00e9sultat 1") : QStringLiteral("result"));
    VERIFY_RESULT(writeFile(from, "new"));
    if (there) {
        VERIFY_RESULT(writeFile(to, "old"));
    }
    VERIFY_RESULT(replaceFile(from, to));
    QCOMPARE(readFile(to).value_or(QByteArray()), QByteArray("new"));
    QVERIFY(!QFileInfo::exists(from));
}

void FilesTest::failedReplacementChangesNothing()
{
    const QString to = at(QStringLiteral("kept"));
    VERIFY_RESULT(writeFile(to, "old"));
    const Result<void> replaced = replaceFile(at(QStringLiteral("not-there")), to);
    QVERIFY(!replaced);
    QCOMPARE(replaced.error().code, ErrorCode::FileError);
    QVERIFY(replaced.error().message.contains(to));
    QCOMPARE(readFile(to).value_or(QByteArray()), QByteArray("old"));
}

QTEST_GUILESS_MAIN(FilesTest)
#include "tst_files.moc"
