// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/git/bundle.h"
#include "tests/support/testing.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <csignal>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QString text(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

QString line(const QByteArray &output)
{
    return QString::fromUtf8(output).trimmed();
}

void put(const QString &path, const QByteArray &bytes)
{
    VERIFY_RESULT(writeFile(path, bytes));
}

} // namespace

class BundleTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void historyFree();
    void withHistory();
    void fromShallowClone_data();
    void fromShallowClone();
    void fromLinkedWorktreeAndDetachedHead();
    void fromBareWithOddFolderName();
    void linksAndPointersStay();
    void oddPathsSurvive();
    void replaceAndGraftsAreIgnored();
    void partialCloneSaysSo();
    void sha256IsRefused();
    void emptyRepository();
    void existingTargetIsKept();
    void cancelLeavesNothing();
    void damagedObjectIsReported_data();
    void damagedObjectIsReported();
    void readBaseResolves();

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    Result<BaseBundle> make(const QString &gitFolder, const QString &base, bool withHistory = false)
    {
        m_target = path(text("made %1.bundle").arg(++m_count));
        return await(makeBaseBundle({gitFolder, base, withHistory, m_target}, {}));
    }
    /// Fetches a bundle into a new repository as a sandbox would; answers its folder.
    QString fetch(const BaseBundle &bundle)
    {
        const QString folder = path(text("inside %1").arg(++m_count));
        run(text("git"), {text("init"), text("-q"), folder});
        if (!bundle.shallow.isEmpty()) {
            const QByteArray cuts = bundle.shallow.join(QLatin1Char('\n')).toLatin1() + '\n';
            put(folder + text("/.git/shallow"), cuts);
        }
        run(text("git"),
            {text("fetch"), text("-q"), bundle.file, bundle.reference + text(":refs/heads/in")},
            folder);
        run(text("git"), {text("fsck"), text("--full"), text("--strict")}, folder);
        return folder;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_target;
    int m_count = 0;
};

void BundleTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void BundleTest::cleanup()
{
    const QStringList left =
        QDir(m_folder->path()).entryList({text(".pack-*")}, QDir::AllEntries | QDir::Hidden);
    QCOMPARE(left, QStringList());
}

void BundleTest::historyFree()
{
    const TestRepository repository(path(text("r")));
    for (int i = 0; i < 5; ++i) {
        repository.write(text("big"), QByteArray(50'000, char('a' + i)) + QByteArray::number(i));
        repository.commitAll(text("Change"));
    }
    const QString base = line(repository.git({text("rev-parse"), text("HEAD")}));
    const Result<BaseBundle> bundle = make(repository.gitFolder(), base);
    VERIFY_RESULT(bundle);
    QCOMPARE(bundle->base, base);
    QCOMPARE(bundle->shallow, QStringList{base});
    QCOMPARE(bundle->objects, 4); // commit, tree, two files
    QCOMPARE(bundle->bytes, QFileInfo(m_target).size());
    QCOMPARE(bundle->sha256, *sha256OfFile(m_target));
    const QString inside = fetch(*bundle);
    QCOMPARE(run(text("git"), {text("rev-list"), text("--count"), text("in")}, inside), "1\n");
    QCOMPARE(line(run(text("git"), {text("rev-parse"), text("in")}, inside)), base);
}

void BundleTest::withHistory()
{
    const TestRepository repository(path(text("r")));
    repository.write(text("a"), "1");
    const QString base = repository.commitAll(text("Second"));
    repository.write(text("a"), "2");
    repository.commitAll(text("Later"));
    const Result<BaseBundle> bundle = make(repository.gitFolder(), base, true);
    VERIFY_RESULT(bundle);
    QCOMPARE(bundle->shallow, QStringList());
    QCOMPARE(run(text("git"), {text("rev-list"), text("--count"), text("in")}, fetch(*bundle)),
             "2\n");
}

void BundleTest::fromShallowClone_data()
{
    QTest::addColumn<bool>("withHistory");
    QTest::addColumn<QByteArray>("commits");
    QTest::newRow("history-free") << false << QByteArray("1\n");
    QTest::newRow("with what there is") << true << QByteArray("2\n");
}

void BundleTest::fromShallowClone()
{
    QFETCH(bool, withHistory);
    QFETCH(QByteArray, commits);
    const TestRepository repository(path(text("r")));
    for (int i = 0; i < 4; ++i) {
        repository.commitAll(text("More"));
    }
    const QString clone = path(text("shallow"));
    run(text("git"), {text("clone"), text("-q"), text("--depth=2"),
                      text("file://") + repository.folder(), clone});
    const QString base = line(run(text("git"), {text("rev-parse"), text("HEAD")}, clone));
    const Result<BaseBundle> bundle = make(clone + text("/.git"), base, withHistory);
    VERIFY_RESULT(bundle);
    QCOMPARE(bundle->shallow.size(), 1);
    QCOMPARE(run(text("git"), {text("rev-list"), text("--count"), text("in")}, fetch(*bundle)),
             commits);
}

void BundleTest::fromLinkedWorktreeAndDetachedHead()
{
    const TestRepository repository(path(text("r")));
    const QString linked = path(text("linked tree"));
    repository.git({text("worktree"), text("add"), text("-q"), text("--detach"), linked});
    run(text("git"), {text("commit"), text("-q"), text("--allow-empty"), text("-m"), text("x")},
        linked);
    const QString base = line(run(text("git"), {text("rev-parse"), text("HEAD")}, linked));
    const QString gitFolder =
        line(run(text("git"), {text("rev-parse"), text("--absolute-git-dir")}, linked));
    const Result<BaseBundle> bundle = make(gitFolder, base);
    VERIFY_RESULT(bundle);
    fetch(*bundle);
    VERIFY_RESULT(make(repository.gitFolder(), base));
}

void BundleTest::fromBareWithOddFolderName()
{
    const TestRepository repository(path(text("r")));
    const QString bare = path(text("ein Ordner – 日本 'x'.git"));
    run(text("git"), {text("clone"), text("-q"), text("--bare"), repository.folder(), bare});
    const QString base = line(run(text("git"), {text("rev-parse"), text("HEAD")}, bare));
    const Result<BaseBundle> bundle = make(bare, base);
    VERIFY_RESULT(bundle);
    fetch(*bundle);
}

void BundleTest::linksAndPointersStay()
{
    const TestRepository sub(path(text("sub")));
    const TestRepository repository(path(text("r")));
    repository.git({text("-c"), text("protocol.file.allow=always"), text("submodule"), text("add"),
                    text("-q"), sub.folder(), text("lib")});
    repository.write(text(".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    const QByteArray pointer =
        "version https://git-lfs.github.com/spec/v1\noid sha256:" + QByteArray(64, 'a') +
        "\nsize 12345\n";
    repository.write(text("model.bin"), pointer);
    const QString base = repository.commitAll(text("Add both"));
    const Result<BaseBundle> bundle = make(repository.gitFolder(), base);
    VERIFY_RESULT(bundle);
    const QString inside = fetch(*bundle);
    QVERIFY(run(text("git"), {text("ls-tree"), text("in")}, inside).contains("160000 commit"));
    QCOMPARE(run(text("git"), {text("cat-file"), text("blob"), text("in:model.bin")}, inside),
             pointer);
}

void BundleTest::oddPathsSurvive()
{
    const TestRepository repository(path(text("r")));
    for (const char *name : {"日本語.txt", "new\nline", "tab\there", "-dash", "trailing ", "\"q\"",
                             "émoji 🎉", "back\\slash"}) {
        repository.write(text(name), name);
    }
    const QString base = repository.commitAll(text("Odd"));
    const Result<BaseBundle> bundle = make(repository.gitFolder(), base);
    VERIFY_RESULT(bundle);
    const QStringList listing{text("ls-tree"), text("-rz"), base};
    QCOMPARE(run(text("git"), listing, fetch(*bundle)), repository.git(listing));
}

void BundleTest::replaceAndGraftsAreIgnored()
{
    const TestRepository repository(path(text("r")));
    const QString first = line(repository.git({text("rev-parse"), text("HEAD")}));
    repository.write(text("a"), "true\n");
    const QString base = repository.commitAll(text("Second"));
    repository.git({text("replace"), base, first});
    put(repository.gitFolder() + text("/info/grafts"), base.toLatin1() + '\n');
    const Result<BaseBundle> bundle = make(repository.gitFolder(), base, true);
    VERIFY_RESULT(bundle);
    const QString inside = fetch(*bundle);
    QCOMPARE(run(text("git"), {text("show"), text("in:a")}, inside), "true\n");
    QCOMPARE(run(text("git"), {text("rev-list"), text("--count"), text("in")}, inside), "2\n");
}

void BundleTest::partialCloneSaysSo()
{
    const TestRepository repository(path(text("r")));
    repository.git({text("config"), text("uploadpack.allowFilter"), text("true")});
    const QString clone = path(text("partial"));
    run(text("git"), {text("clone"), text("-q"), text("--filter=blob:none"), text("--no-checkout"),
                      text("file://") + repository.folder(), clone});
    const QString base = line(run(text("git"), {text("rev-parse"), text("HEAD")}, clone));
    const Result<BaseBundle> bundle = make(clone + text("/.git"), base);
    QVERIFY(!bundle);
    QCOMPARE(bundle.error().code, ErrorCode::NotFound);
    QVERIFY(bundle.error().message.contains(text("partial clone")));
    QVERIFY(!QFile::exists(m_target));
}

void BundleTest::sha256IsRefused()
{
    const QString folder = path(text("new"));
    run(text("git"), {text("init"), text("-q"), text("--object-format=sha256"), folder});
    run(text("git"), {text("commit"), text("-q"), text("--allow-empty"), text("-m"), text("x")},
        folder);
    const QString base = line(run(text("git"), {text("rev-parse"), text("HEAD")}, folder));
    QCOMPARE(make(folder + text("/.git"), base).error().code, ErrorCode::NotSupported);
    QCOMPARE(await(readBaseOnce(folder + text("/.git"), text("HEAD"), {})).error().code,
             ErrorCode::NotSupported);
}

void BundleTest::emptyRepository()
{
    const QString folder = path(text("new"));
    run(text("git"), {text("init"), text("-q"), folder});
    QCOMPARE(make(folder + text("/.git"), QString()).error().code, ErrorCode::NotFound);
    const Result<QString> base = await(readBaseOnce(folder + text("/.git"), text("HEAD"), {}));
    QCOMPARE(base.error().code, ErrorCode::NotFound);
    QVERIFY(base.error().message.contains(text("no commit yet")));
}

void BundleTest::existingTargetIsKept()
{
    const TestRepository repository(path(text("r")));
    const QString base = line(repository.git({text("rev-parse"), text("HEAD")}));
    const QString target = path(text("mine"));
    put(target, "mine");
    QCOMPARE(await(makeBaseBundle({repository.gitFolder(), base, false, target}, {})).error().code,
             ErrorCode::AlreadyExists);
    QCOMPARE(*readFile(target), QByteArray("mine"));
    QCOMPARE(make(repository.gitFolder(), text("main")).error().code, ErrorCode::InvalidRequest);
    QCOMPARE(make(repository.gitFolder(), QString(40, QLatin1Char('1'))).error().code,
             ErrorCode::NotFound);
}

void BundleTest::cancelLeavesNothing()
{
    const TestRepository repository(path(text("r")));
    const QString base = line(repository.git({text("rev-parse"), text("HEAD")}));
    for (const int milliseconds : {0, 2, 5, 10, 20, 40}) {
        std::stop_source source;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&source] { source.request_stop(); });
        timer.start(milliseconds);
        const QString target = path(text("t%1").arg(milliseconds));
        const Result<BaseBundle> bundle = await(
            makeBaseBundle({repository.gitFolder(), base, false, target}, source.get_token()));
        QCOMPARE(QFile::exists(target), bundle.has_value());
        QVERIFY(bundle || bundle.error().code == ErrorCode::Cancelled);
        cleanup();
    }
}

void BundleTest::damagedObjectIsReported_data()
{
    QTest::addColumn<QString>("object");
    QTest::addColumn<int>("kept");
    QTest::newRow("file") << text("HEAD:noise") << 50'000;
    QTest::newRow("file, one byte left") << text("HEAD:noise") << 1;
    QTest::newRow("file, nothing left") << text("HEAD:noise") << 0;
    QTest::newRow("tree") << text("HEAD^{tree}") << 30;
    QTest::newRow("commit") << text("HEAD") << 60;
}

/// A loose object cut short, as a power loss leaves it: libgit2 would never come back.
void BundleTest::damagedObjectIsReported()
{
    QFETCH(QString, object);
    QFETCH(int, kept);
    const TestRepository repository(path(text("r")));
    QByteArray noise;
    for (quint32 i = 0, seed = 1; i < 100'000; ++i) {
        seed = seed * 1664525U + 1013904223U;
        noise.append(char(seed >> 24));
    }
    repository.write(text("noise"), noise);
    repository.commitAll(text("Noise"));
    const QString id = line(repository.git({text("rev-parse"), object}));
    const QString file =
        repository.gitFolder() + text("/objects/") + id.left(2) + text("/") + id.mid(2);
    QFile::setPermissions(file, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    QVERIFY(QFile::resize(file, kept));
    QElapsedTimer timer;
    timer.start();
    const Result<QString> base = await(readBaseOnce(repository.gitFolder(), text("HEAD"), {}));
    QVERIFY(!base);
    QVERIFY(!base.error().message.isEmpty());
    QVERIFY(timer.elapsed() < atMost(10'000));
}

void BundleTest::readBaseResolves()
{
    const TestRepository repository(path(text("r")));
    const QString head = line(repository.git({text("rev-parse"), text("HEAD")}));
    for (const QString &revision : {text("HEAD"), text("main"), head}) {
        const Result<QString> base = await(readBaseOnce(repository.gitFolder(), revision, {}));
        VERIFY_RESULT(base);
        QCOMPARE(*base, head);
    }
    for (const QString &revision : {text("--all"), text("nothing"), text("HEAD:README.md")}) {
        QCOMPARE(await(readBaseOnce(repository.gitFolder(), revision, {})).error().code,
                 ErrorCode::NotFound);
    }
}

QTEST_GUILESS_MAIN(BundleTest)
#include "tst_bundle.moc"
