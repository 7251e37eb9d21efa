// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/git/repository.h"
#include "tests/support/testing.h"

#include <QTemporaryDir>

#include <unistd.h>

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

class RepositoryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void ordinary();
    void foundFromBelow();
    void emptyOne();
    void detachedHead();
    void linkedWorktree();
    void bareOne();
    void shallowOne();
    void submodules();
    void oddNames();
    void rewrittenHistory_data();
    void rewrittenHistory();
    void notARepository();
    void sha256IsRefused();
    void otherOwnerIsRefused();
    void brokenConfiguration();
    void userConfigurationIsNotRead();
    void resolves_data();
    void resolves();
    void pathsAndFiles();
    void plantedObjectIsRefused();
    void commitsOfARange();
    void commitsOfAShallowClone();
    void commitTextsOfAnyKind();
    void localChanges_data();
    void localChanges();
    void localChangesRunNothing();

private:
    [[nodiscard]] QString path(const char *name) const { return m_folder->filePath(text(name)); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void RepositoryTest::ordinary()
{
    const TestRepository repository(path("r"));
    repository.git({text("branch"), text("Feature/Upper@x")});
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder());
    VERIFY_RESULT(facts);
    QCOMPARE(facts->workTree, QFileInfo(repository.folder()).canonicalFilePath());
    QCOMPARE(facts->gitFolder, facts->workTree + text("/.git"));
    QCOMPARE(facts->commonFolder, facts->gitFolder);
    QCOMPARE(facts->head, line(repository.git({text("rev-parse"), text("HEAD")})));
    QCOMPARE(facts->headBranch, text("main"));
    QCOMPARE(facts->branches, QStringList({text("Feature/Upper@x"), text("main")}));
    QVERIFY(!facts->bare && !facts->shallow && !facts->linkedWorktree && !facts->unborn &&
            !facts->detached && !facts->rewritesHistory);
}

void RepositoryTest::foundFromBelow()
{
    const TestRepository repository(path("r"));
    repository.write(text("a/b/c.txt"), "x");
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder() + text("/a/b"));
    VERIFY_RESULT(facts);
    QCOMPARE(facts->gitFolder, QFileInfo(repository.gitFolder()).canonicalFilePath());
}

void RepositoryTest::emptyOne()
{
    run(text("git"), {text("init"), text("-q"), text("-b"), text("trunk"), path("e")});
    const Result<RepositoryFacts> facts = inspectRepository(path("e"));
    VERIFY_RESULT(facts);
    QVERIFY(facts->unborn);
    QCOMPARE(facts->head, QString());
    QCOMPARE(facts->headBranch, text("trunk"));
    const Result<QString> base = resolveCommit(facts->gitFolder, text("HEAD"));
    QCOMPARE(base.error().code, ErrorCode::NotFound);
    QVERIFY(base.error().message.contains(text("no commit yet")));
    QCOMPARE(*hasLocalChanges(*facts), false);
}

void RepositoryTest::detachedHead()
{
    const TestRepository repository(path("r"));
    repository.git({text("checkout"), text("-q"), text("--detach")});
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder());
    VERIFY_RESULT(facts);
    QVERIFY(facts->detached);
    QCOMPARE(facts->headBranch, QString());
    QCOMPARE(facts->head.size(), 40);
}

void RepositoryTest::linkedWorktree()
{
    const TestRepository repository(path("r"));
    repository.git(
        {text("worktree"), text("add"), text("-q"), text("-b"), text("w"), path("linked ü")});
    const Result<RepositoryFacts> facts = inspectRepository(path("linked ü"));
    VERIFY_RESULT(facts);
    QVERIFY(facts->linkedWorktree);
    QCOMPARE(facts->commonFolder, QFileInfo(repository.gitFolder()).canonicalFilePath());
    QVERIFY(facts->gitFolder.startsWith(facts->commonFolder + text("/worktrees/")));
    QCOMPARE(facts->headBranch, text("w"));
    QCOMPARE(*resolveCommit(facts->gitFolder, text("HEAD")), facts->head);
    QCOMPARE(*hasLocalChanges(*facts), false);
}

void RepositoryTest::bareOne()
{
    const TestRepository repository(path("r"));
    run(text("git"), {text("clone"), text("-q"), text("--bare"), repository.folder(), path("b")});
    const Result<RepositoryFacts> facts = inspectRepository(path("b"));
    VERIFY_RESULT(facts);
    QVERIFY(facts->bare);
    QCOMPARE(facts->workTree, QString());
    QCOMPARE(*hasLocalChanges(*facts), false);
}

void RepositoryTest::shallowOne()
{
    const TestRepository repository(path("r"));
    repository.commitAll(text("More"));
    run(text("git"), {text("clone"), text("-q"), text("--depth=1"),
                      text("file://") + repository.folder(), path("s")});
    QVERIFY(inspectRepository(path("s"))->shallow);
}

void RepositoryTest::submodules()
{
    const TestRepository sub(path("sub"));
    const TestRepository repository(path("r"));
    repository.git({text("-c"), text("protocol.file.allow=always"), text("submodule"), text("add"),
                    text("-q"), sub.folder(), text("libs/a b")});
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder());
    VERIFY_RESULT(facts);
    QCOMPARE(facts->submodules, QStringList{text("libs/a b")});
}

void RepositoryTest::oddNames()
{
    const TestRepository repository(path("ein Ordner – 日本 'q'"));
    repository.git({text("checkout"), text("-q"), text("-b"), text("日本/ü@x")});
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder());
    VERIFY_RESULT(facts);
    QVERIFY(!facts->head.isEmpty());
    QVERIFY(facts->branches.contains(text("main")));
}

void RepositoryTest::rewrittenHistory_data()
{
    QTest::addColumn<bool>("graft");
    QTest::newRow("graft") << true;
    QTest::newRow("replace") << false;
}

/// What is read is the true history all the same.
void RepositoryTest::rewrittenHistory()
{
    QFETCH(bool, graft);
    const TestRepository repository(path("r"));
    const QString first = line(repository.git({text("rev-parse"), text("HEAD")}));
    const QString second = repository.commitAll(text("Second"));
    const QString third = repository.commitAll(text("Third"));
    if (graft) {
        put(repository.gitFolder() + text("/info/grafts"), third.toLatin1() + '\n');
    } else {
        repository.git({text("replace"), second, first});
    }
    QVERIFY(inspectRepository(repository.folder())->rewritesHistory);
    QCOMPARE(commitsBetween(repository.gitFolder(), first, third)->size(), 2);
}

void RepositoryTest::notARepository()
{
    QCOMPARE(inspectRepository(path("nothing")).error().code, ErrorCode::NotFound);
    QDir().mkpath(path("plain"));
    const Result<RepositoryFacts> facts = inspectRepository(path("plain"));
    QCOMPARE(facts.error().code, ErrorCode::NotFound);
    QVERIFY(facts.error().message.contains(path("plain")));
}

void RepositoryTest::sha256IsRefused()
{
    run(text("git"), {text("init"), text("-q"), text("--object-format=sha256"), path("n")});
    const Result<RepositoryFacts> facts = inspectRepository(path("n"));
    QCOMPARE(facts.error().code, ErrorCode::NotSupported);
    QVERIFY(facts.error().message.contains(text("SHA-256")));
}

void RepositoryTest::otherOwnerIsRefused()
{
    const TestRepository repository(path("r"));
    const QByteArray folder = repository.folder().toUtf8();
    if (::chown((folder + "/.git").constData(), 65534, 65534) != 0 ||
        ::chown(folder.constData(), 65534, 65534) != 0) {
        QSKIP("only the administrator can give a folder away");
    }
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder());
    QCOMPARE(facts.error().code, ErrorCode::InvalidRequest);
    QVERIFY(facts.error().message.contains(text("another user")));
}

void RepositoryTest::brokenConfiguration()
{
    const TestRepository repository(path("r"));
    put(repository.gitFolder() + text("/config"), "[[[\n");
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder());
    QVERIFY(!facts);
    QCOMPARE(facts.error().code, ErrorCode::InvalidRequest);
}

/// A machine's or user's configuration must not change what is read.
void RepositoryTest::userConfigurationIsNotRead()
{
    const TestRepository repository(path("r"));
    put(QDir::homePath() + text("/.gitconfig"), "[core]\n excludesFile = ~/everything\n");
    put(QDir::homePath() + text("/everything"), "*\n");
    repository.write(text("new"), "x");
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder());
    VERIFY_RESULT(facts);
    QCOMPARE(*hasLocalChanges(*facts), true);
    QFile::remove(QDir::homePath() + text("/.gitconfig"));
}

void RepositoryTest::resolves_data()
{
    QTest::addColumn<QString>("revision");
    QTest::addColumn<bool>("found");
    for (const char *revision : {"HEAD", "main", "refs/heads/main", "HEAD~0", "v1"}) {
        QTest::newRow(revision) << text(revision) << true;
    }
    for (const char *revision : {"nothing", "HEAD:README.md", "HEAD^{tree}", "", "-x", "--all",
                                 "1111111111111111111111111111111111111111"}) {
        QTest::newRow(*revision == '\0' ? "empty" : revision) << text(revision) << false;
    }
}

void RepositoryTest::resolves()
{
    QFETCH(QString, revision);
    QFETCH(bool, found);
    const TestRepository repository(path("r"));
    repository.git({text("tag"), text("-a"), text("-m"), text("x"), text("v1")});
    const Result<QString> commit = resolveCommit(repository.gitFolder(), revision);
    QCOMPARE(commit.has_value(), found);
    if (found) {
        QCOMPARE(*commit, line(repository.git({text("rev-parse"), text("HEAD")})));
    } else {
        QCOMPARE(commit.error().code, ErrorCode::NotFound);
    }
}

void RepositoryTest::pathsAndFiles()
{
    const TestRepository repository(path("r"));
    const QByteArrayList names = {"-dash",     "a/b/new\nline", "a/tab\there",
                                  "latin\xe9", "trailing ",     "日本/🎉"};
    for (const QByteArray &name : names) {
        const QByteArray script = "mkdir -p \"$(dirname -- \"$1\")\"; printf x >\"./$1\"";
        run(text("sh"),
            {text("-c"), QString::fromUtf8(script), text("sh"), QString::fromUtf8(name)},
            repository.folder());
    }
    run(text("sh"), {text("-c"), text("printf y >\"$(printf 'raw\\351')\"")}, repository.folder());
    const QString commit = repository.commitAll(text("Odd"));
    const Result<QList<QByteArray>> paths = pathsOf(repository.gitFolder(), commit);
    VERIFY_RESULT(paths);
    const QByteArrayList listed =
        repository.git({text("ls-tree"), text("-rz"), text("--name-only"), commit}).split('\0');
    QCOMPARE(*paths, listed.mid(0, listed.size() - 1));
    QVERIFY(paths->contains("raw\xe9"));
    QCOMPARE(*fileOf(repository.gitFolder(), commit, "raw\xe9"), QByteArray("y"));
    QCOMPARE(*fileOf(repository.gitFolder(), commit, "a/b/new\nline"), QByteArray("x"));
    QCOMPARE(fileOf(repository.gitFolder(), commit, "a").error().code, ErrorCode::NotFound);
    QCOMPARE(fileOf(repository.gitFolder(), commit, "no").error().code, ErrorCode::NotFound);
    QCOMPARE(fileOf(repository.gitFolder(), commit, "README.md", 3).error().code,
             ErrorCode::TooLarge);
    QCOMPARE(pathsOf(repository.gitFolder(), commit, 3).error().code, ErrorCode::TooLarge);
    QCOMPARE(pathsOf(repository.gitFolder(), text("main")).error().code, ErrorCode::InvalidRequest);
    QCOMPARE(pathsOf(repository.gitFolder(), QString(40, QLatin1Char('1'))).error().code,
             ErrorCode::NotFound);
}

/// A file's content stored under another file's id: git prints it, we do not.
void RepositoryTest::plantedObjectIsRefused()
{
    const TestRepository repository(path("r"));
    repository.write(text("evil"), "# evil\n");
    const QString commit = repository.commitAll(text("Evil"));
    const auto objectFile = [&repository](const char *revision) {
        const QString id = line(repository.git({text("rev-parse"), text(revision)}));
        return repository.gitFolder() + text("/objects/") + id.left(2) + text("/") + id.mid(2);
    };
    const QByteArray evil = *readFile(objectFile("HEAD:evil"));
    put(objectFile("HEAD:README.md"), evil);
    QVERIFY(repository.git({text("show"), text("HEAD:README.md")}).contains("evil"));
    QCOMPARE(fileOf(repository.gitFolder(), commit, "README.md").error().code,
             ErrorCode::FileError);
}

void RepositoryTest::commitsOfARange()
{
    const TestRepository repository(path("r"));
    const QString base = line(repository.git({text("rev-parse"), text("HEAD")}));
    repository.git({text("checkout"), text("-q"), text("-b"), text("side")});
    repository.write(text("s"), "s");
    repository.commitAll(text("Side"));
    repository.git({text("checkout"), text("-q"), text("main")});
    repository.write(text("m"), "m");
    repository.commitAll(text("Main"));
    repository.git({text("merge"), text("-q"), text("-m"), text("Both"), text("side")});
    const QString tip = line(repository.git({text("rev-parse"), text("HEAD")}));
    const Result<QList<CommitFacts>> commits = commitsBetween(repository.gitFolder(), base, tip);
    VERIFY_RESULT(commits);
    QCOMPARE(commits->size(), 3);
    QCOMPARE(commits->first().id, tip);
    QCOMPARE(commits->first().summary, text("Both"));
    QCOMPARE(commits->first().author, text("Tester"));
    QCOMPARE(commits->first().email, text("tester@example.com"));
    QCOMPARE(commitsBetween(repository.gitFolder(), base, tip, 2)->size(), 2);
    QCOMPARE(commitsBetween(repository.gitFolder(), tip, tip)->size(), 0);
    QCOMPARE(commitsBetween(repository.gitFolder(), QString(), tip)->size(), 4);
    QCOMPARE(commitsBetween(repository.gitFolder(), text("x"), tip).error().code,
             ErrorCode::InvalidRequest);
}

/// The parents of the cut are missing, which the library's own walk cannot bear.
void RepositoryTest::commitsOfAShallowClone()
{
    const TestRepository repository(path("r"));
    for (int i = 0; i < 3; ++i) {
        repository.commitAll(text("More"));
    }
    run(text("git"), {text("clone"), text("-q"), text("--depth=1"),
                      text("file://") + repository.folder(), path("s")});
    const QString script = text("git checkout -qb side; echo s >s; git add s; git commit -qm Side;"
                                "git checkout -q main; echo m >m; git add m; git commit -qm Main;"
                                "git merge -q -m Both side");
    const QString base = line(run(text("git"), {text("rev-parse"), text("HEAD")}, path("s")));
    run(text("sh"), {text("-c"), script}, path("s"));
    const QString tip = line(run(text("git"), {text("rev-parse"), text("HEAD")}, path("s")));
    const Result<QList<CommitFacts>> commits = commitsBetween(path("s/.git"), base, tip);
    VERIFY_RESULT(commits);
    QCOMPARE(commits->size(), 3);
    QCOMPARE(commits->first().id, tip);
    QCOMPARE(commitsBetween(path("s/.git"), QString(), tip)->size(), 4);
    QCOMPARE(commitsBetween(path("s/.git"), tip, tip)->size(), 0);
}

void RepositoryTest::commitTextsOfAnyKind()
{
    const TestRepository repository(path("r"));
    const QString base = line(repository.git({text("rev-parse"), text("HEAD")}));
    const QString script = text("printf 'tree %s\\nparent %s\\nauthor J\\351r\\364me <> 1 +0000\\n"
                                "committer x <x> 5 +0000\\n\\n\\n\\nfirst \\377 line\\nsecond' "
                                "$(git rev-parse HEAD^{tree}) $(git rev-parse HEAD) | "
                                "git hash-object -t commit -w --stdin --literally");
    const QString tip = line(run(text("sh"), {text("-c"), script}, repository.folder()));
    const Result<QList<CommitFacts>> commits = commitsBetween(repository.gitFolder(), base, tip);
    VERIFY_RESULT(commits);
    QVERIFY(commits->first().summary.startsWith(text("first ")));
    QCOMPARE(commits->first().time, 5);
    QCOMPARE(commits->first().email, QString());
}

void RepositoryTest::localChanges_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("changed");
    const auto row = [](const char *name, const char *script, bool changed) {
        QTest::newRow(name) << text(script) << changed;
    };
    row("none", ":", false);
    row("content", "echo x >>a", true);
    row("same size", "printf 'two\n' >a", true);
    row("touched", "touch -d '2001-01-01' a", false);
    row("staged", "echo x >>a; git add a", true);
    row("deleted", "rm a", true);
    row("mode", "chmod +x a", true);
    row("link", "rm a; ln -s b a", true);
    row("untracked", "echo x >new", true);
    row("ignored", "echo x >noise.log", false);
    row("named pipe in its place", "rm a; mkfifo a", true);
}

void RepositoryTest::localChanges()
{
    QFETCH(QString, script);
    QFETCH(bool, changed);
    const TestRepository repository(path("r"));
    repository.write(text("a"), "one\n");
    repository.write(text(".gitignore"), "*.log\n");
    repository.commitAll(text("A"));
    run(text("sh"), {text("-c"), script}, repository.folder());
    const Result<bool> answer = hasLocalChanges(*inspectRepository(repository.folder()));
    VERIFY_RESULT(answer);
    QCOMPARE(*answer, changed);
}

void RepositoryTest::localChangesRunNothing()
{
    const TestRepository repository(path("r"));
    repository.write(text("a"), "one\n");
    repository.write(text(".gitattributes"), "* filter=x diff=x\n");
    repository.commitAll(text("A"));
    const QString own = text("touch '%1'").arg(path("OWNED"));
    for (const char *key : {"core.fsmonitor", "filter.x.clean", "filter.x.smudge",
                            "filter.x.process", "diff.external", "diff.x.textconv", "core.pager"}) {
        repository.git({text("config"), text(key), own});
    }
    repository.write(text("a"), "two\n");
    const QByteArray index = *readFile(repository.gitFolder() + text("/index"));
    const Result<RepositoryFacts> facts = inspectRepository(repository.folder());
    VERIFY_RESULT(facts);
    QCOMPARE(*hasLocalChanges(*facts), true);
    VERIFY_RESULT(pathsOf(facts->gitFolder, facts->head));
    VERIFY_RESULT(commitsBetween(facts->gitFolder, QString(), facts->head));
    QVERIFY(!QFile::exists(path("OWNED")));
    QCOMPARE(*readFile(repository.gitFolder() + text("/index")), index);
}

QTEST_GUILESS_MAIN(RepositoryTest)
#include "tst_repository.moc"
