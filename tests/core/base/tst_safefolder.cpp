// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/safefolder.h"
#include "tests/support/testing.h"

#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Glovebox;
using namespace Glovebox::Testing;

/// Everything hostile code can put under a name in its own folder.
class SafeFolderTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void readsWhatItWrote();
    void refusesPaths_data();
    void refusesPaths();
    void neverFollowsLinks();
    void opensOnlyPlainFiles();
    void keepsToSizes();
    void writesThroughNothing();
    void copiesOutWholeOrNotAtAll();
    void pipesAreReadWithoutWaiting();
    void removesTreesOfAnyDepth();
    void removesLockedFolders();
    void removingSparesWhatLinksPointTo();
    void missingIsRemoved();

private:
    [[nodiscard]] QString inside(const char *name) const
    {
        return m_root + QLatin1Char('/') + QLatin1String(name);
    }
    [[nodiscard]] SafeFolder folder() const { return *SafeFolder::open(m_root); }

    std::unique_ptr<QTemporaryDir> m_base;
    QString m_root;
    QString m_outside;
};

void SafeFolderTest::init()
{
    m_base = std::make_unique<QTemporaryDir>();
    m_root = m_base->filePath(QStringLiteral("root"));
    m_outside = m_base->filePath(QStringLiteral("outside"));
    QVERIFY(QDir().mkpath(m_root) && QDir().mkpath(m_outside));
    VERIFY_RESULT(writeFile(m_outside + QStringLiteral("/secret"), "secret"));
}

void SafeFolderTest::readsWhatItWrote()
{
    const QByteArray bytes = QByteArray(3'000'000, 'x') + '\0';
    VERIFY_RESULT(folder().write(QStringLiteral("a/b/中 文"), bytes));
    const Result<QByteArray> back = folder().read(QStringLiteral("a/b/中 文"), 4'000'000);
    VERIFY_RESULT(back);
    QCOMPARE(*back, bytes);
    const QFileInfo info(inside("a/b/中 文"));
    QCOMPARE(info.permissions() & 0x77, QFileDevice::Permissions());
    QCOMPARE(QDir(inside("a/b")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{QStringLiteral("中 文")});
    QCOMPARE(folder().read(QStringLiteral("none"), 10).error().code, ErrorCode::NotFound);
    QCOMPARE(SafeFolder::open(inside("none")).error().code, ErrorCode::NotFound);
}

void SafeFolderTest::refusesPaths_data()
{
    QTest::addColumn<QString>("path");
    for (const char *path : {"", "/", "/etc/passwd", "..", "../outside/secret",
                             "a/../../outside/secret", ".", "a//b", "a/", "./a"}) {
        QTest::newRow(path) << QString::fromLatin1(path);
    }
}

void SafeFolderTest::refusesPaths()
{
    QFETCH(QString, path);
    QCOMPARE(folder().read(path, 100).error().code, ErrorCode::InvalidRequest);
    QCOMPARE(folder().write(path, "x").error().code, ErrorCode::InvalidRequest);
    QCOMPARE(folder().makeFolder(path).error().code, ErrorCode::InvalidRequest);
    QCOMPARE(folder().remove(path).error().code, ErrorCode::InvalidRequest);
    QCOMPARE(folder().makePipe(path).error().code, ErrorCode::InvalidRequest);
}

void SafeFolderTest::neverFollowsLinks()
{
    QVERIFY(QFile::link(m_outside + QStringLiteral("/secret"), inside("link")));
    QVERIFY(QFile::link(m_outside, inside("linked")));
    QCOMPARE(folder().read(QStringLiteral("link"), 100).error().code, ErrorCode::InvalidRequest);
    QVERIFY(!folder().read(QStringLiteral("linked/secret"), 100));
    QVERIFY(!folder().write(QStringLiteral("linked/new"), "x"));
    QVERIFY(!folder().makeFolder(QStringLiteral("linked/new")));
    QVERIFY(!folder().makePipe(QStringLiteral("linked/new")));
    QVERIFY(
        !folder().copyOut(QStringLiteral("link"), m_base->filePath(QStringLiteral("copy")), 100));
    QCOMPARE(QDir(m_outside).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             QStringList{QStringLiteral("secret")});
    QVERIFY(!QFile::exists(m_base->filePath(QStringLiteral("copy"))));
}

void SafeFolderTest::opensOnlyPlainFiles()
{
    QCOMPARE(::mkfifo(qPrintable(inside("pipe")), 0600), 0); // opening it plainly would wait
    QVERIFY(QDir().mkpath(inside("folder")));
    for (const char *name : {"pipe", "folder"}) {
        QCOMPARE(folder().read(QLatin1String(name), 100).error().code, ErrorCode::InvalidRequest);
    }
    if (::geteuid() == 0 && ::mknod(qPrintable(inside("device")), S_IFCHR | 0600, 0x0105) == 0) {
        QCOMPARE(folder().read(QStringLiteral("device"), 100).error().code,
                 ErrorCode::InvalidRequest);
    }
}

void SafeFolderTest::keepsToSizes()
{
    VERIFY_RESULT(folder().write(QStringLiteral("ten"), "0123456789"));
    QCOMPARE(folder().read(QStringLiteral("ten"), 10).value_or(QByteArray()), "0123456789");
    QCOMPARE(folder().read(QStringLiteral("ten"), 9).error().code, ErrorCode::TooLarge);
    QFile sparse(inside("sparse"));
    QVERIFY(sparse.open(QIODevice::WriteOnly) && sparse.resize(1LL << 40));
    QCOMPARE(folder().read(QStringLiteral("sparse"), 100).error().code, ErrorCode::TooLarge);
    const QString copy = m_base->filePath(QStringLiteral("copy"));
    QCOMPARE(folder().copyOut(QStringLiteral("sparse"), copy, 1 << 20).error().code,
             ErrorCode::TooLarge);
    QVERIFY(!QFile::exists(copy));
}

void SafeFolderTest::writesThroughNothing()
{
    QVERIFY(QFile::link(m_outside + QStringLiteral("/secret"), inside("name")));
    VERIFY_RESULT(folder().write(QStringLiteral("name"), "ours"));
    QCOMPARE(*readFile(m_outside + QStringLiteral("/secret")), QByteArray("secret"));
    QVERIFY(!QFileInfo(inside("name")).isSymLink());
    QVERIFY(QDir().mkpath(inside("taken")));
    QVERIFY(!folder().write(QStringLiteral("taken"), "x"));
    QCOMPARE(QDir(m_root).entryList({QStringLiteral(".put*")}, QDir::AllEntries | QDir::Hidden),
             QStringList());
}

void SafeFolderTest::copiesOutWholeOrNotAtAll()
{
    const QString source = m_base->filePath(QStringLiteral("source"));
    const QString copy = m_base->filePath(QStringLiteral("copy"));
    const QByteArray bytes(2'500'000, 'y');
    VERIFY_RESULT(writeFile(source, bytes));
    VERIFY_RESULT(folder().copyIn(QStringLiteral("in/it"), source));
    VERIFY_RESULT(folder().copyOut(QStringLiteral("in/it"), copy, bytes.size()));
    QCOMPARE(*readFile(copy), bytes);
    QCOMPARE(folder().copyOut(QStringLiteral("in/it"), copy, bytes.size()).error().code,
             ErrorCode::AlreadyExists);
    QCOMPARE(*readFile(copy), bytes);
    QCOMPARE(folder().copyIn(QStringLiteral("x"), inside("none")).error().code,
             ErrorCode::NotFound);
}

void SafeFolderTest::pipesAreReadWithoutWaiting()
{
    const Result<FileHandle> pipe = folder().makePipe(QStringLiteral("pipe"));
    VERIFY_RESULT(pipe);
    char letter = 0;
    QCOMPARE(::read(pipe->descriptor(), &letter, 1), ssize_t(0)); // no writer yet
    const FileHandle writer(::open(qPrintable(inside("pipe")), O_WRONLY | O_CLOEXEC));
    QCOMPARE(::read(pipe->descriptor(), &letter, 1), ssize_t(-1));
    QCOMPARE(errno, EAGAIN);
    QCOMPARE(::write(writer.descriptor(), "z", 1), ssize_t(1));
    QCOMPARE(::read(pipe->descriptor(), &letter, 1), ssize_t(1));
    QCOMPARE(letter, 'z');
}

void SafeFolderTest::removesTreesOfAnyDepth()
{
    // Deeper than a path may be long and than a process has descriptors.
    int current = ::open(qPrintable(m_root), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int depth = 0; depth < 3000; ++depth) {
        QCOMPARE(::mkdirat(current, "deeper", 0700), 0);
        const int next = ::openat(current, "deeper", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ::close(::openat(current, "file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        ::close(current);
        current = next;
    }
    ::close(current);
    VERIFY_RESULT(folder().clear());
    QVERIFY(QDir(m_root).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

void SafeFolderTest::removesLockedFolders()
{
    QVERIFY(QDir().mkpath(inside("a/b/c")));
    VERIFY_RESULT(writeFile(inside("a/b/c/file"), "x"));
    for (const char *name : {"a/b/c/file", "a/b/c", "a/b", "a"}) {
        QCOMPARE(::chmod(qPrintable(inside(name)), 0), 0);
    }
    QCOMPARE(::chmod(qPrintable(m_root), 0), 0);
    VERIFY_RESULT(SafeFolder::removeFolder(m_root));
    QVERIFY(!QFile::exists(m_root));
}

void SafeFolderTest::removingSparesWhatLinksPointTo()
{
    QVERIFY(QFile::link(m_outside, inside("linked")));
    QVERIFY(QDir().mkpath(inside("a")));
    QVERIFY(QFile::link(m_outside, inside("a/linked")));
    VERIFY_RESULT(folder().remove(QStringLiteral("linked")));
    VERIFY_RESULT(folder().remove(QStringLiteral("a")));
    QCOMPARE(*readFile(m_outside + QStringLiteral("/secret")), QByteArray("secret"));
    QVERIFY(QDir(m_root).isEmpty());
    // A root that was swapped for a link: the link goes, what it points to stays.
    QVERIFY(QDir().rmdir(m_root) && QFile::link(m_outside, m_root));
    VERIFY_RESULT(SafeFolder::removeFolder(m_root));
    QVERIFY(QFile::exists(m_outside + QStringLiteral("/secret")));
}

void SafeFolderTest::missingIsRemoved()
{
    VERIFY_RESULT(folder().remove(QStringLiteral("none")));
    VERIFY_RESULT(folder().remove(QStringLiteral("none/deeper")));
    VERIFY_RESULT(SafeFolder::removeFolder(inside("none")));
}

QTEST_GUILESS_MAIN(SafeFolderTest)
#include "tst_safefolder.moc"
