// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/git/quarantine.h"
#include "tests/core/git/corpus.h"
#include "tests/support/testing.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

/// What must be the same before and after: all files but objects and references.
QHash<QString, QByteArray> untouchables(const QString &gitFolder)
{
    QHash<QString, QByteArray> files = snapshot(gitFolder);
    files.removeIf([](const auto &entry) {
        const QString path = entry.key();
        return path.startsWith(s("/objects")) || path.startsWith(s("/refs")) ||
               path.startsWith(s("/logs/refs/heads")) || path == s("/packed-refs");
    });
    return files;
}

} // namespace

/// Bundles that a clone made, published into an ordinary repository with a work tree.
class PublishTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void createsOneBranch();
    void takenNames_data();
    void takenNames();
    void fourAtOnce();
    void userIsBusy_data();
    void userIsBusy();
    void round();
    void roundFallsBack_data();
    void roundFallsBack();
    void staleLock_data();
    void staleLock();
    void crashRepairs_data();
    void crashRepairs();
    void cancelledLeavesNothing();
    void badRequests_data();
    void badRequests();
    void shallowRepository();
    void linkedWorktree();
    void noPromisesAboutOtherFolders();

private:
    [[nodiscard]] ImportReport import(const QString &message = s("Work"));
    [[nodiscard]] PublishRequest requestFor(const ImportReport &report) const;
    [[nodiscard]] QString tipOf(const QString &branch) const;
    [[nodiscard]] QStringList references() const;

    std::unique_ptr<QTemporaryDir> m_scratch;
    std::unique_ptr<TestRepository> m_user;
    QString m_base;
    int m_imports = 0;
};

void PublishTest::init()
{
    m_scratch = std::make_unique<QTemporaryDir>();
    m_imports = 0;
    m_user = std::make_unique<TestRepository>(m_scratch->filePath(s("user")));
    m_user->write(s("src/a.txt"), "one\n");
    m_base = m_user->commitAll(s("Second"));
    QDir().mkpath(m_scratch->filePath(s("imports")));
}

/// A sandbox's work: a clone, one commit on the base, a bundle, checked.
ImportReport PublishTest::import(const QString &message)
{
    const QString clone = m_scratch->filePath(s("clone-%1").arg(++m_imports));
    run(s("git"), {s("clone"), s("-q"), s("--no-local"), m_user->folder(), clone});
    run(s("git"), {s("-C"), clone, s("checkout"), s("-q"), s("-b"), s("agent/x"), m_base});
    run(s("git"), {s("-C"), clone, s("commit"), s("-q"), s("--allow-empty"), s("-m"), message});
    const QString bundle = clone + s(".bundle");
    run(s("git"),
        {s("-C"), clone, s("bundle"), s("create"), s("-q"), bundle, s("agent/x"), s("^") + m_base});
    ImportRequest request;
    request.gitFolder = m_user->gitFolder();
    request.bundle = bundle;
    request.base = m_base;
    request.folder = m_scratch->filePath(s("imports"));
    const Result<ImportReport> report = await(checkBundle(request, {}));
    if (!report || report->refused) {
        const QString why = report ? report->code : errorText(report.error());
        QTest::qFail(qPrintable(why), __FILE__, __LINE__);
        return {};
    }
    return *report;
}

PublishRequest PublishTest::requestFor(const ImportReport &report) const
{
    return {m_user->gitFolder(), report.quarantine, report.tip, s("agent/x"), {}};
}

QString PublishTest::tipOf(const QString &branch) const
{
    return QString::fromLatin1(m_user->git({s("rev-parse"), s("refs/heads/") + branch})).trimmed();
}

QStringList PublishTest::references() const
{
    return QString::fromUtf8(m_user->git({s("for-each-ref"), s("--format=%(refname)")}))
        .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

void PublishTest::createsOneBranch()
{
    m_user->write(s("src/a.txt"), "dirty\n");
    m_user->write(s("new.txt"), "staged\n");
    m_user->git({s("add"), s("new.txt")});
    const ImportReport report = import();
    const QHash<QString, QByteArray> before = untouchables(m_user->gitFolder());
    const QByteArray status =
        m_user->git({s("--no-optional-locks"), s("status"), s("--porcelain")});
    const Result<QString> name = await(publishBranch(requestFor(report), {}));
    VERIFY_RESULT(name);
    QCOMPARE(*name, s("agent/x"));
    QCOMPARE(tipOf(*name), report.tip);
    QCOMPARE(references(), (QStringList{s("refs/heads/agent/x"), s("refs/heads/main")}));
    QCOMPARE(untouchables(m_user->gitFolder()), before);
    QCOMPARE(m_user->git({s("--no-optional-locks"), s("status"), s("--porcelain")}), status);
}

void PublishTest::takenNames_data()
{
    QTest::addColumn<QStringList>("branches");
    QTest::addColumn<QString>("name");
    QTest::newRow("same") << QStringList{s("agent/x")} << s("agent/x-2");
    QTest::newRow("same, and the next")
        << QStringList{s("agent/x"), s("agent/x-2")} << s("agent/x-3");
    QTest::newRow("other case") << QStringList{s("Agent/X")} << s("agent/x-2");
    QTest::newRow("folder") << QStringList{s("agent")} << s("agent-2/x");
    QTest::newRow("below") << QStringList{s("agent/x/y")} << s("agent/x-2");
}

void PublishTest::takenNames()
{
    QFETCH(QStringList, branches);
    QFETCH(QString, name);
    const ImportReport report = import();
    for (const QString &branch : branches) {
        m_user->git({s("branch"), branch, s("HEAD~1")});
    }
    m_user->git({s("pack-refs"), s("--all")}); // packed or loose, they count
    const Result<QString> got = await(publishBranch(requestFor(report), {}));
    VERIFY_RESULT(got);
    QCOMPARE(*got, name);
    QCOMPARE(tipOf(name), report.tip);
    for (const QString &branch : branches) {
        QVERIFY(tipOf(branch) != report.tip);
    }
}

void PublishTest::fourAtOnce()
{
    QList<ImportReport> reports;
    for (int i = 0; i < 4; ++i) {
        reports.append(import(s("Work %1").arg(i)));
    }
    std::vector<QCoro::Task<Result<QString>>> racing;
    for (const ImportReport &report : reports) {
        racing.push_back(publishBranch(requestFor(report), {}));
    }
    QStringList names;
    for (int i = 0; i < 4; ++i) {
        const Result<QString> name = await(std::move(racing.at(static_cast<size_t>(i))));
        VERIFY_RESULT(name);
        QCOMPARE(tipOf(*name), reports.at(i).tip);
        names.append(*name);
    }
    names.sort();
    QCOMPARE(names, (QStringList{s("agent/x"), s("agent/x-2"), s("agent/x-3"), s("agent/x-4")}));
    QCOMPARE(references().size(), 5);
}

void PublishTest::userIsBusy_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("index.lock") << s("index.lock");
    QTest::newRow("HEAD.lock") << s("HEAD.lock");
    QTest::newRow("config.lock") << s("config.lock");
    QTest::newRow("gc at work") << s("gc.pid");
    QTest::newRow("shallow.lock") << s("shallow.lock");
}

void PublishTest::userIsBusy()
{
    QFETCH(QString, file);
    const ImportReport report = import();
    VERIFY_RESULT(writeFile(m_user->gitFolder() + QLatin1Char('/') + file, "1 host\n"));
    const QHash<QString, QByteArray> before = untouchables(m_user->gitFolder());
    const Result<QString> name = await(publishBranch(requestFor(report), {}));
    VERIFY_RESULT(name);
    QCOMPARE(untouchables(m_user->gitFolder()), before);
}

void PublishTest::round()
{
    const ImportReport first = import();
    VERIFY_RESULT(await(publishBranch(requestFor(first), {})));
    m_base = first.tip;
    const ImportReport second = import(s("More"));
    PublishRequest request = requestFor(second);
    request.expected = first.tip;
    const Result<QString> name = await(publishBranch(request, {}));
    VERIFY_RESULT(name);
    QCOMPARE(*name, s("agent/x"));
    QCOMPARE(tipOf(*name), second.tip);
    QCOMPARE(references().size(), 2);
}

void PublishTest::roundFallsBack_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how : {"moved", "deleted and made anew", "checked out",
                            "in a linked work tree", "being rebased", "not an ancestor"}) {
        QTest::newRow(how) << s(how);
    }
}

void PublishTest::roundFallsBack()
{
    QFETCH(QString, how);
    const ImportReport first = import();
    VERIFY_RESULT(await(publishBranch(requestFor(first), {})));
    m_base = first.tip;
    const ImportReport second = import(s("More"));
    PublishRequest request = requestFor(second);
    request.expected = first.tip;
    if (how == s("moved") || how == s("deleted and made anew")) {
        m_user->git({s("branch"), s("-f"), s("agent/x"), s("main")});
    } else if (how == s("checked out")) {
        m_user->git({s("checkout"), s("-q"), s("agent/x")});
    } else if (how == s("in a linked work tree")) {
        m_user->git(
            {s("worktree"), s("add"), s("-q"), m_scratch->filePath(s("linked")), s("agent/x")});
    } else if (how == s("being rebased")) {
        QDir().mkpath(m_user->gitFolder() + s("/rebase-merge"));
        VERIFY_RESULT(
            writeFile(m_user->gitFolder() + s("/rebase-merge/head-name"), "refs/heads/agent/x\n"));
    } else {
        m_user->git({s("checkout"), s("-q"), s("--detach"), s("main")});
        request.expected = m_user->commitAll(s("Elsewhere"));
        m_user->git({s("branch"), s("-f"), s("agent/x"), request.expected});
    }
    const QString before = tipOf(s("agent/x"));
    const Result<QString> name = await(publishBranch(request, {}));
    VERIFY_RESULT(name);
    QCOMPARE(*name, s("agent/x-2"));
    QCOMPARE(tipOf(*name), second.tip);
    QCOMPARE(tipOf(s("agent/x")), before);
}

void PublishTest::staleLock_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("of the branch") << s("refs/heads/agent/x.lock");
    QTest::newRow("of the packed references") << s("packed-refs.lock");
}

void PublishTest::staleLock()
{
    QFETCH(QString, file);
    const ImportReport report = import();
    const QString lock = m_user->gitFolder() + QLatin1Char('/') + file;
    QDir().mkpath(QFileInfo(lock).path());
    VERIFY_RESULT(writeFile(lock, {}));
    QFile planted(lock);
    QVERIFY(planted.open(QIODevice::ReadWrite));
    QVERIFY(planted.setFileTime(QDateTime::currentDateTimeUtc().addSecs(-7200),
                                QFileDevice::FileModificationTime));
    const Result<QString> name = await(publishBranch(requestFor(report), {}));
    QVERIFY(!name);
    QCOMPARE(name.error().code, ErrorCode::Busy);
    QVERIFY2(name.error().message.contains(lock), qPrintable(name.error().message));
    QVERIFY2(name.error().message.contains(s("720")), qPrintable(name.error().message));
    QVERIFY(QFile::exists(lock)); // not ours to delete
    QVERIFY(QFile::remove(lock));
    VERIFY_RESULT(await(publishBranch(requestFor(report), {})));
    QCOMPARE(references().size(), 2);
}

void PublishTest::crashRepairs_data()
{
    QTest::addColumn<QString>("after");
    QTest::addColumn<bool>("sweep");
    for (const char *after : {"fetch", "record", "create", "everything"}) {
        QTest::newRow(after) << s(after) << false;
        QTest::addRow("%s, swept", after) << s(after) << true;
    }
}

/// The states that a kill can leave, made by hand, one after another.
void PublishTest::crashRepairs()
{
    QFETCH(QString, after);
    QFETCH(bool, sweep);
    const ImportReport report = import();
    const QString name = QFileInfo(report.quarantine).fileName();
    if (after == s("everything")) {
        VERIFY_RESULT(await(publishBranch(requestFor(report), {})));
    } else {
        m_user->git({s("fetch"), s("-q"), report.quarantine,
                     s("refs/heads/in:refs/glovebox/import/") + name});
    }
    if (after == s("record") || after == s("create")) {
        VERIFY_RESULT(writeFile(report.quarantine + s("/glovebox-branch"), "agent/x\n"));
    }
    if (after == s("create")) {
        m_user->git({s("branch"), s("agent/x"), report.tip});
    }
    if (sweep) {
        VERIFY_RESULT(
            await(discardImports(m_user->gitFolder(), m_scratch->filePath(s("imports")))));
        const bool branched = after == s("create") || after == s("everything");
        QCOMPARE(references(), branched
                                   ? (QStringList{s("refs/heads/agent/x"), s("refs/heads/main")})
                                   : QStringList{s("refs/heads/main")});
        QVERIFY(QDir(m_scratch->filePath(s("imports"))).isEmpty());
        return;
    }
    for (int i = 0; i < 2; ++i) {
        const Result<QString> again = await(publishBranch(requestFor(report), {}));
        VERIFY_RESULT(again);
        QCOMPARE(*again, s("agent/x"));
        QCOMPARE(references(), (QStringList{s("refs/heads/agent/x"), s("refs/heads/main")}));
    }
}

void PublishTest::cancelledLeavesNothing()
{
    const ImportReport report = import();
    std::stop_source source;
    QCoro::Task<Result<QString>> running = publishBranch(requestFor(report), source.get_token());
    source.request_stop();
    const Result<QString> name = await(std::move(running));
    QVERIFY(!name);
    QCOMPARE(name.error().code, ErrorCode::Cancelled);
    QCOMPARE(references(), QStringList{s("refs/heads/main")});

    ImportRequest request;
    request.gitFolder = m_user->gitFolder();
    request.bundle = m_scratch->filePath(s("clone-1.bundle"));
    request.base = m_base;
    request.folder = m_scratch->filePath(s("imports"));
    VERIFY_RESULT(discardQuarantine(report.quarantine));
    std::stop_source second;
    QCoro::Task<Result<ImportReport>> checking = checkBundle(request, second.get_token());
    second.request_stop();
    const Result<ImportReport> checked = await(std::move(checking));
    QVERIFY(!checked);
    QCOMPARE(checked.error().code, ErrorCode::Cancelled);
    QVERIFY(QDir(request.folder).isEmpty());
}

void PublishTest::badRequests_data()
{
    QTest::addColumn<QString>("branch");
    QTest::addColumn<QString>("tip");
    const QString tip(40, QLatin1Char('1'));
    QTest::newRow("empty") << QString() << tip;
    QTest::newRow("dash") << s("-x") << tip;
    QTest::newRow("dots") << s("a/../b") << tip;
    QTest::newRow("HEAD") << s("HEAD") << tip;
    QTest::newRow("line end") << s("a\nb") << tip;
    QTest::newRow("blank") << s("a b") << tip;
    QTest::newRow("short tip") << s("a") << s("1111");
    QTest::newRow("option as tip") << s("a") << s("--stdin");
}

void PublishTest::badRequests()
{
    QFETCH(QString, branch);
    QFETCH(QString, tip);
    const QString quarantine = m_scratch->filePath(s("imports/quarantine-x"));
    QDir().mkpath(quarantine);
    const Result<QString> name =
        await(publishBranch({m_user->gitFolder(), quarantine, tip, branch, {}}, {}));
    QVERIFY(!name);
    QCOMPARE(name.error().code, ErrorCode::InvalidRequest);
}

void PublishTest::shallowRepository()
{
    const QString shallow = m_scratch->filePath(s("shallow"));
    m_user->write(s("b.txt"), "b\n");
    m_base = m_user->commitAll(s("Third"));
    run(s("git"), {s("clone"), s("-q"), s("--depth=1"), s("file://") + m_user->folder(), shallow});
    const ImportReport full = import();
    ImportRequest request;
    request.gitFolder = shallow + s("/.git");
    request.bundle = m_scratch->filePath(s("clone-1.bundle"));
    request.base = m_base;
    request.folder = m_scratch->filePath(s("imports"));
    const Result<ImportReport> report = await(checkBundle(request, {}));
    VERIFY_RESULT(report);
    QVERIFY2(!report->refused, qPrintable(report->code));
    const QHash<QString, QByteArray> before = untouchables(request.gitFolder);
    const Result<QString> name = await(
        publishBranch({request.gitFolder, report->quarantine, full.tip, s("agent/x"), {}}, {}));
    VERIFY_RESULT(name);
    QCOMPARE(untouchables(request.gitFolder), before);
    run(s("git"), {s("-C"), shallow, s("fsck"), s("--connectivity-only")});
}

void PublishTest::linkedWorktree()
{
    // The unborn branch of another work tree is in use as well.
    m_user->git(
        {s("worktree"), s("add"), s("-q"), s("--detach"), m_scratch->filePath(s("linked"))});
    run(s("git"), {s("-C"), m_scratch->filePath(s("linked")), s("symbolic-ref"), s("HEAD"),
                   s("refs/heads/agent/x")});
    const ImportReport report = import();
    const Result<QString> name = await(publishBranch(requestFor(report), {}));
    VERIFY_RESULT(name);
    QCOMPARE(*name, s("agent/x-2"));
}

void PublishTest::noPromisesAboutOtherFolders()
{
    const QString precious = m_scratch->filePath(s("precious"));
    QDir().mkpath(precious);
    QVERIFY(!discardQuarantine(precious));
    QVERIFY(QFileInfo(precious).isDir());
    VERIFY_RESULT(discardQuarantine(m_scratch->filePath(s("imports/quarantine-gone"))));
}

QTEST_GUILESS_MAIN(PublishTest)
#include "tst_publish.moc"
