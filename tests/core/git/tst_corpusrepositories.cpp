// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/git/bundle.h"
#include "core/git/quarantine.h"
#include "tests/core/git/corpus.h"
#include "tests/support/testing.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

/// Files named OWNED below the test's own HOME, where everything of a test lies.
QStringList ownedFiles()
{
    QStringList found;
    for (const QString &name : namesBelow(QDir::homePath())) {
        if (name.endsWith(QLatin1String("/OWNED"))) {
            found.append(name);
        }
    }
    return found;
}

/// Copies the objects and main of the corpus' base, without running anything of the target.
void fillFromBase(const Corpus &corpus, const QString &repository, const QStringList &without = {})
{
    const QSet<QByteArray> objects =
        linesOf(corpus.baseRepository, {s("cat-file"), s("--batch-all-objects"),
                                        s("--batch-check=%(objectname) %(objecttype)")});
    for (const QByteArray &line : objects) {
        const QString id = QString::fromLatin1(line.left(40));
        if (without.contains(id)) {
            continue;
        }
        const QString type = QString::fromLatin1(line.mid(41));
        const QString file = repository + s("/one-object");
        const QByteArray bytes =
            run(s("git"), {s("-C"), corpus.baseRepository, s("cat-file"), type, id});
        QVERIFY(writeFile(file, bytes));
        const QByteArray made =
            run(s("git"), {s("--git-dir"), repository, s("-c"), s("core.fsmonitor=false"),
                           s("hash-object"), s("-w"), s("-t"), type, file});
        QCOMPARE(made.trimmed(), line.left(40));
        QFile::remove(file);
    }
    QVERIFY(writeFile(repository + s("/refs/heads/main"), corpus.baseCommit.toLatin1() + '\n'));
    QVERIFY(writeFile(repository + s("/HEAD"), "ref: refs/heads/main\n"));
}

} // namespace

/// Repositories that are hostile or damaged themselves, and a bundle that changes under our hands.
class CorpusRepositoriesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void configurationRunsNothing();
    void rewrittenHistoryIsSeenThrough_data();
    void rewrittenHistoryIsSeenThrough();
    void truncatedObjectDoesNotHang_data();
    void truncatedObjectDoesNotHang();
    void foreignAlternates();
    void plantedObject();
    void bundleSwappedDuringImport();
    void bundleThatIsNoFile_data();
    void bundleThatIsNoFile();

private:
    [[nodiscard]] QString copyOfCase(const char *id);
    [[nodiscard]] QString bundleOf(const char *id) const;
    [[nodiscard]] Result<ImportReport> import(const QString &bundle, const QString &repository);

    Corpus m_corpus;
    std::unique_ptr<QTemporaryDir> m_scratch;
};

void CorpusRepositoriesTest::initTestCase()
{
    m_corpus = Corpus::build();
    VERIFY_RESULT(await(gitVersion({})));
}

void CorpusRepositoriesTest::init()
{
    m_scratch = std::make_unique<QTemporaryDir>();
    QDir().mkpath(m_scratch->filePath(s("imports")));
}

QString CorpusRepositoriesTest::copyOfCase(const char *id)
{
    const QString copy = m_scratch->filePath(s("repo.git"));
    copyFolder(m_corpus.find(s(id)).file, copy);
    return copy;
}

QString CorpusRepositoriesTest::bundleOf(const char *id) const
{
    return m_corpus.find(s(id)).file;
}

Result<ImportReport> CorpusRepositoriesTest::import(const QString &bundle,
                                                    const QString &repository)
{
    return await(
        checkBundle(m_corpus.request(bundle, repository, m_scratch->filePath(s("imports"))), {}));
}

void CorpusRepositoriesTest::configurationRunsNothing()
{
    const QString repository = copyOfCase("repo-01-config-exec");
    fillFromBase(m_corpus, repository);
    QCOMPARE(ownedFiles(), QStringList());
    const Result<ImportReport> report = import(bundleOf("ok-01-plain"), repository);
    VERIFY_RESULT(report);
    QVERIFY2(!report->refused, qPrintable(report->code));
    const Result<QString> name =
        await(publishBranch({repository, report->quarantine, report->tip, s("agent/x"), {}}, {}));
    VERIFY_RESULT(name);
    const Result<BaseBundle> bundle = await(makeBaseBundle(
        {repository, m_corpus.baseCommit, false, m_scratch->filePath(s("base.bundle"))}, {}));
    VERIFY_RESULT(bundle);
    QCOMPARE(ownedFiles(), QStringList());
    // The trap itself works: an ordinary call falls into it.
    run(s("git"), {s("-C"), repository, s("update-ref"), s("refs/heads/y"), m_corpus.baseCommit});
    QCOMPARE(ownedFiles().size(), 1);
}

void CorpusRepositoriesTest::rewrittenHistoryIsSeenThrough_data()
{
    QTest::addColumn<QString>("bundle");
    QTest::addColumn<QString>("code");
    QTest::newRow("honest") << s("ok-01-plain") << QString();
    QTest::newRow("sibling") << s("hist-01-sibling") << s("history-not-from-base");
    QTest::newRow("older prerequisite") << s("pre-03-older") << QString();
}

void CorpusRepositoriesTest::rewrittenHistoryIsSeenThrough()
{
    QFETCH(QString, bundle);
    QFETCH(QString, code);
    const QString repository = copyOfCase("repo-04-replace-graft");
    QVERIFY(linesOf(repository, {s("rev-list"), m_corpus.baseCommit}).size() == 1); // as git shows
    const QHash<QString, QByteArray> before = snapshot(repository);
    const Result<ImportReport> report = import(m_corpus.find(bundle).file, repository);
    VERIFY_RESULT(report);
    QCOMPARE(report->code, code);
    QCOMPARE(snapshot(repository), before);
    if (report->refused) {
        return;
    }
    QCOMPARE(report->commits, 1);
    const Result<QString> name =
        await(publishBranch({repository, report->quarantine, report->tip, s("agent/x"), {}}, {}));
    VERIFY_RESULT(name);
    const QByteArray all =
        run(s("env"), {s("GIT_GRAFT_FILE=/dev/null"), s("git"), s("--no-replace-objects"), s("-C"),
                       repository, s("rev-list"), s("--count"), s("refs/heads/agent/x")});
    QCOMPARE(all.trimmed(), QByteArray("4"));
}

void CorpusRepositoriesTest::truncatedObjectDoesNotHang_data()
{
    QTest::addColumn<QString>("bundle");
    QTest::addColumn<QString>("code");
    QTest::newRow("not needed") << s("ok-01-plain") << QString();
    QTest::newRow("base of a delta") << s("ok-02-thin") << s("pack-corrupt");
}

void CorpusRepositoriesTest::truncatedObjectDoesNotHang()
{
    QFETCH(QString, bundle);
    QFETCH(QString, code);
    const QString repository = copyOfCase("repo-05-truncated-loose");
    fillFromBase(m_corpus, repository);
    const QByteArray big = run(s("git"), {s("-C"), m_corpus.baseRepository, s("rev-parse"),
                                          m_corpus.baseCommit + s(":big.txt")})
                               .trimmed();
    const QString loose = repository + s("/objects/") + QString::fromLatin1(big.left(2)) + s("/") +
                          QString::fromLatin1(big.mid(2));
    QVERIFY(QFile::setPermissions(loose, QFileDevice::ReadOwner | QFileDevice::WriteOwner));
    QVERIFY(QFile::resize(loose, 100));
    QElapsedTimer timer;
    timer.start();
    const Result<ImportReport> report = import(m_corpus.find(bundle).file, repository);
    QVERIFY2(timer.elapsed() < atMost(5000), qPrintable(QString::number(timer.elapsed())));
    VERIFY_RESULT(report);
    QCOMPARE(report->code, code);
}

void CorpusRepositoriesTest::foreignAlternates()
{
    const QString repository = copyOfCase("repo-02-alternates");
    const Result<ImportReport> report = import(bundleOf("ok-01-plain"), repository);
    VERIFY_RESULT(report);
    QVERIFY(report->refused);
    QCOMPARE(report->code, s("bundle-prerequisite"));
    QVERIFY(report->reason.contains(m_corpus.baseCommit));
    QVERIFY(QDir(m_scratch->filePath(s("imports"))).isEmpty());
}

void CorpusRepositoriesTest::plantedObject()
{
    const QString repository = copyOfCase("repo-03-planted-object");
    const QString readme =
        QString::fromLatin1(run(s("git"), {s("-C"), m_corpus.baseRepository, s("rev-parse"),
                                           m_corpus.baseCommit + s(":README.md")}))
            .trimmed();
    fillFromBase(m_corpus, repository, {readme});
    // A bundle that brings the true object along: no prerequisites, all of the history.
    const QString clone = m_scratch->filePath(s("clone"));
    const QString bundle = m_scratch->filePath(s("full.bundle"));
    run(s("git"), {s("clone"), s("-q"), s("--no-local"), m_corpus.baseRepository, clone});
    run(s("git"), {s("-C"), clone, s("checkout"), s("-q"), s("-b"), s("agent/task-1")});
    run(s("git"), {s("-C"), clone, s("commit"), s("-q"), s("--allow-empty"), s("-m"), s("Work")});
    run(s("git"), {s("-C"), clone, s("bundle"), s("create"), s("-q"), bundle, s("agent/task-1")});
    const QHash<QString, QByteArray> before = snapshot(repository);
    const Result<ImportReport> report = import(bundle, repository);
    VERIFY_RESULT(report);
    QVERIFY(report->refused);
    QCOMPARE(report->code, s("hash-mismatch"));
    QCOMPARE(snapshot(repository), before);
    const Result<ImportReport> sound = import(bundle, m_corpus.baseRepository);
    VERIFY_RESULT(sound);
    QVERIFY2(!sound->refused, qPrintable(sound->code));
}

/// A sandbox that still writes: what is imported is what was hashed, or nothing.
void CorpusRepositoriesTest::bundleSwappedDuringImport()
{
    const std::filesystem::path one = bundleOf("ok-01-plain").toStdString();
    const std::filesystem::path two = bundleOf("ok-05-unicode-paths").toStdString();
    const std::filesystem::path bait = m_scratch->filePath(s("precious")).toStdString();
    std::filesystem::copy_file(two, bait); // sound, but outside what was returned
    const QString bundle = m_scratch->filePath(s("in.bundle"));
    const std::filesystem::path target = bundle.toStdString();
    const std::filesystem::path side = m_scratch->filePath(s("side")).toStdString();
    std::filesystem::copy_file(one, target);
    std::atomic<bool> done = false;
    std::thread swapper([&] {
        for (int i = 0; i < 200; ++i) {
            std::error_code ignored;
            std::filesystem::remove(side, ignored);
            switch (i % 4) {
            case 0:
                std::filesystem::copy_file(two, side);
                break;
            case 1:
                std::filesystem::create_symlink(bait, side);
                break;
            case 2:
                std::ofstream(side) << "# v2 git bundle\nhalf";
                break;
            default:
                std::filesystem::copy_file(one, side);
            }
            std::filesystem::rename(side, target);
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
        }
        done = true;
    });
    const QHash<QByteArray, QString> tips = {
        {sha256OfFile(QString::fromStdString(one.string())).value(),
         import(bundleOf("ok-01-plain"), m_corpus.baseRepository)->tip},
        {sha256OfFile(QString::fromStdString(two.string())).value(),
         import(bundleOf("ok-05-unicode-paths"), m_corpus.baseRepository)->tip}};
    int taken = 0;
    int refused = 0;
    while (!done || taken == 0) {
        const Result<ImportReport> report = import(bundle, m_corpus.baseRepository);
        if (report && !report->refused) {
            ++taken;
            QCOMPARE(report->tip, tips.value(report->sha256, s("neither")));
            VERIFY_RESULT(discardQuarantine(report->quarantine));
        } else {
            ++refused;
            QVERIFY2(report.has_value(), "an error of ours");
        }
    }
    swapper.join();
    QVERIFY2(refused > 0, "the race never hit");
}

void CorpusRepositoriesTest::bundleThatIsNoFile_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("link") << s("link");
    QTest::newRow("pipe") << s("pipe");
    QTest::newRow("folder") << s("folder");
    QTest::newRow("missing") << s("missing");
}

void CorpusRepositoriesTest::bundleThatIsNoFile()
{
    QFETCH(QString, kind);
    const QString bundle = m_scratch->filePath(s("in.bundle"));
    if (kind == s("link")) {
        QVERIFY(QFile::link(bundleOf("ok-01-plain"), bundle));
    } else if (kind == s("pipe")) {
        run(s("mkfifo"), {bundle});
    } else if (kind == s("folder")) {
        QVERIFY(QDir().mkpath(bundle));
    }
    const Result<ImportReport> report = import(bundle, m_corpus.baseRepository);
    QCOMPARE(report.has_value(), kind != s("missing"));
    if (!report) {
        QCOMPARE(report.error().code, ErrorCode::NotFound);
        return;
    }
    QCOMPARE(report->code, s("bundle-not-a-file"));
}

QTEST_GUILESS_MAIN(CorpusRepositoriesTest)
#include "tst_corpusrepositories.moc"
