// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/git/gitcommand.h"
#include "tests/support/testing.h"

#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QString text(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

void writeExecutable(const QString &path, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QVERIFY(writeFile(path, bytes));
    QFile::setPermissions(path, QFileDevice::ReadOwner | QFileDevice::WriteOwner |
                                    QFileDevice::ExeOwner | QFileDevice::ReadOther |
                                    QFileDevice::ExeOther);
}

/// A repository in which every mechanism that can start a program is configured to leave a file
/// named OWNED (THREATS D1).
class ArmedRepository final
{
public:
    explicit ArmedRepository(const QString &folder)
        : repository(folder)
    {
        repository.write(text("a.txt"), "one\n");
        repository.write(text(".gitattributes"), "* filter=x diff=x merge=x\n");
        tip = repository.commitAll(text("Second"));
        for (const char *hook : {"pre-push", "post-checkout", "reference-transaction", "pre-commit",
                                 "post-index-change", "post-update", "pre-auto-gc", "update"}) {
            writeExecutable(repository.gitFolder() + text("/evil/") + text(hook), owning("hook"));
        }
        writeExecutable(repository.gitFolder() + text("/own"), owning("program"));
        arm();
        repository.write(text("a.txt"), "two\n");
    }

    [[nodiscard]] QStringList owned() const
    {
        return QDir(repository.folder()).entryList({text("OWNED*")}, QDir::Files);
    }

    TestRepository repository;
    QString tip;

private:
    [[nodiscard]] QByteArray owning(const QByteArray &what) const
    {
        return "#!/bin/sh\ntouch '" + repository.folder().toUtf8() + "/OWNED-" + what +
               "-'$(basename $0)\nexit 0\n";
    }

    void arm() const
    {
        const QByteArray own = repository.gitFolder().toUtf8() + "/own";
        const QByteArray config =
            "[core]\n hooksPath = " + repository.gitFolder().toUtf8() +
            "/evil\n fsmonitor = " + own + "\n pager = " + own + "\n editor = " + own +
            "\n sshCommand = " + own + "\n askPass = " + own + "\n alternateRefsCommand = " + own +
            "\n[diff]\n external = " + own + "\n[diff \"x\"]\n textconv = " + own +
            "\n command = " + own + "\n[filter \"x\"]\n clean = " + own + "\n smudge = " + own +
            "\n[merge \"x\"]\n driver = " + own + "\n[credential]\n helper = " + own +
            "\n[gpg]\n program = " + own + "\n[commit]\n gpgSign = true\n[alias]\n st = !" + own +
            "\n[uploadpack]\n packObjectsHook = " + own +
            "\n[remote \"origin\"]\n url = ext::" + own +
            "\n promisor = true\n uploadpack = " + own + "\n";
        QFile file(repository.gitFolder() + text("/config"));
        QVERIFY(file.open(QIODevice::Append));
        file.write(config);
    }
};

} // namespace

class GitCommandTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTrapsAreLive();
    void nothingOfTheRepositoryRuns_data();
    void nothingOfTheRepositoryRuns();
    void environmentIsFromEmpty();
    void callersCanAddAndRemove();
    void refusesRelativeFolders();
    void outputIsCapped();
    void limitEndsIt();
    void stopEndsIt();
    void standardInputIsClosed();
    void failuresCarryGitsWords();
    void findsNoRepositoryByItself();
    void gitIsNeverTakenFromAProject();
    void versionOfThisMachine();
    void versions_data();
    void versions();
};

/// Without the wrapper the programs do run: otherwise the next test could not fail.
void GitCommandTest::theTrapsAreLive()
{
    QTemporaryDir folder;
    const ArmedRepository armed(folder.filePath(text("r")));
    armed.repository.git({text("status")});
    QVERIFY(!armed.owned().isEmpty());
}

void GitCommandTest::nothingOfTheRepositoryRuns_data()
{
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char *line) {
        QTest::newRow(line) << text(line).split(QLatin1Char(' '));
    };
    row("rev-parse HEAD");
    row("log --oneline");
    row("rev-list --objects HEAD");
    row("cat-file -p HEAD:a.txt");
    row("update-ref refs/glovebox/import/x HEAD");
    row("diff-tree -r --no-ext-diff --no-textconv HEAD~1 HEAD");
    row("diff-tree -p --no-ext-diff --no-textconv HEAD~1 HEAD");
    row("log -p --no-ext-diff --no-textconv");
    row("for-each-ref");
    row("fsck --full");
    row("pack-objects --all --stdout -q");
    row("bundle create - HEAD");
    row("commit-tree -m x HEAD^{tree}");
    row("branch agent/x");
    row("fetch origin");
    row("fetch ../other refs/heads/main:refs/glovebox/import/y");
    row("cat-file -p 1111111111111111111111111111111111111111");
}

void GitCommandTest::nothingOfTheRepositoryRuns()
{
    QFETCH(QStringList, arguments);
    QTemporaryDir folder;
    const ArmedRepository armed(folder.filePath(text("r")));
    const TestRepository other(folder.filePath(text("other")));
    arguments.replaceInStrings(text("../other"), other.folder());
    GitRequest request;
    request.gitFolder = armed.repository.gitFolder();
    request.arguments = arguments;
    VERIFY_RESULT(await(runGit(request, {})));
    QCOMPARE(armed.owned(), QStringList());
}

/// Prints the environment that a child of git gets, through an alias that only this test sets.
static QByteArrayList environmentOf(GitRequest request)
{
    request.arguments = QStringList{text("dump")};
    request.config.append({text("alias.dump"), text("!env -0")});
    return await(gitOutput(request, {})).value_or(QByteArray()).split('\0');
}

void GitCommandTest::environmentIsFromEmpty()
{
    QTemporaryDir folder;
    const TestRepository repository(folder.filePath(text("r")));
    const QByteArrayList planted = {"GIT_DIR",       "GIT_EXTERNAL_DIFF",
                                    "SSH_AUTH_SOCK", "LD_LIBRARY_PATH",
                                    "HTTPS_PROXY",   "AWS_SECRET_ACCESS_KEY"};
    for (const QByteArray &name : planted) {
        qputenv(name.constData(), "/planted");
    }
    GitRequest request;
    request.gitFolder = repository.gitFolder();
    const QByteArrayList variables = environmentOf(request);
    for (const QByteArray &name : planted) {
        qunsetenv(name.constData());
    }
    QVERIFY(variables.size() > 20);
    for (const QByteArray &variable : variables) {
        QVERIFY2(!variable.contains("/planted"), variable.constData());
    }
    for (const char *expected :
         {"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
          "GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=/dev/null", "GIT_TERMINAL_PROMPT=0",
          "GIT_ASKPASS=true", "SSH_ASKPASS=true", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat",
          "GIT_EDITOR=false", "GIT_ALLOW_PROTOCOL=none", "GIT_PROTOCOL_FROM_USER=0",
          "GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C.UTF-8", "GIT_CONFIG_KEY_0=core.hooksPath",
          "GIT_CONFIG_VALUE_0=/dev/null"}) {
        QVERIFY2(variables.contains(QByteArray(expected)), expected);
    }
    QVERIFY(variables.contains("GIT_DIR=" + repository.gitFolder().toUtf8()));
}

void GitCommandTest::callersCanAddAndRemove()
{
    QTemporaryDir folder;
    const TestRepository repository(folder.filePath(text("r")));
    GitRequest request;
    request.gitFolder = repository.gitFolder();
    request.config = {{text("core.sshCommand"), text("ssh -oBatchMode=yes")}};
    request.environment = {{text("GIT_INDEX_FILE"), text("/x/index")},
                           {text("GIT_CONFIG_GLOBAL"), QString()}};
    const QByteArrayList variables = environmentOf(request);
    QVERIFY(variables.contains("GIT_INDEX_FILE=/x/index"));
    QVERIFY(!variables.contains("GIT_CONFIG_GLOBAL=/dev/null"));
    request.arguments = QStringList{text("config"), text("core.sshCommand")};
    QCOMPARE(*await(gitOutput(request, {})), QByteArray("ssh -oBatchMode=yes\n"));
}

void GitCommandTest::refusesRelativeFolders()
{
    GitRequest request;
    request.gitFolder = text("some/.git");
    QCOMPARE(await(runGit(request, {})).error().code, ErrorCode::InvalidRequest);
}

void GitCommandTest::outputIsCapped()
{
    QTemporaryDir folder;
    const TestRepository repository(folder.filePath(text("r")));
    repository.write(text("big"), QByteArray(1 << 20, 'x'));
    repository.commitAll(text("Big"));
    GitRequest request;
    request.gitFolder = repository.gitFolder();
    request.arguments = QStringList{text("cat-file"), text("blob"), text("HEAD:big")};
    request.outputLimit = 100'000;
    QCOMPARE(await(runGit(request, {})).error().code, ErrorCode::TooLarge);
    request.outputLimit = 2'000'000;
    QCOMPARE(await(gitOutput(request, {}))->size(), 1 << 20);
}

void GitCommandTest::limitEndsIt()
{
    GitRequest request;
    request.config.append({text("alias.wait"), text("!sleep 60")});
    request.arguments = QStringList{text("wait")};
    request.limit = std::chrono::milliseconds(300);
    QCOMPARE(await(runGit(request, {})).error().code, ErrorCode::TimedOut);
}

void GitCommandTest::stopEndsIt()
{
    GitRequest request;
    request.config.append({text("alias.wait"), text("!sleep 60")});
    request.arguments = QStringList{text("wait")};
    std::stop_source source;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&source] { source.request_stop(); });
    timer.start(50);
    QCOMPARE(await(runGit(request, source.get_token())).error().code, ErrorCode::Cancelled);
}

void GitCommandTest::standardInputIsClosed()
{
    QTemporaryDir folder;
    const TestRepository repository(folder.filePath(text("r")));
    GitRequest request;
    request.gitFolder = repository.gitFolder();
    request.arguments = QStringList{text("hash-object"), text("--stdin")};
    QCOMPARE(*await(gitOutput(request, {})),
             QByteArray("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n"));
    request.input = "blob\n";
    QVERIFY(*await(gitOutput(request, {})) !=
            QByteArray("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n"));
}

void GitCommandTest::failuresCarryGitsWords()
{
    QTemporaryDir folder;
    const TestRepository repository(folder.filePath(text("r")));
    GitRequest request;
    request.gitFolder = repository.gitFolder();
    request.arguments = QStringList{text("rev-parse"), text("--verify"), text("no-such")};
    const Result<QByteArray> output = await(gitOutput(request, {}));
    QCOMPARE(output.error().code, ErrorCode::CommandFailed);
    QVERIFY(output.error().message.contains(text("rev-parse")));
    QVERIFY(output.error().detail.contains(text("fatal")));
    ProcessResult words;
    words.error = "fatal: https://user:hunter2@example.com/x and ssh://git@example.com/y";
    QCOMPARE(gitWords(words), text("fatal: https://***@example.com/x and ssh://***@example.com/y"));
}

void GitCommandTest::findsNoRepositoryByItself()
{
    GitRequest request;
    request.arguments = QStringList{text("rev-parse"), text("--git-dir")};
    QCOMPARE(await(gitOutput(request, {})).error().code, ErrorCode::CommandFailed);
}

void GitCommandTest::gitIsNeverTakenFromAProject()
{
    const std::optional<QString> real = findGit(QString());
    if (!real) {
        QSKIP("git is not in a system folder here");
    }
    QTemporaryDir folder;
    const TestRepository repository(folder.filePath(text("r")));
    writeExecutable(repository.folder() + text("/bin/git"), "#!/bin/sh\n");
    QCOMPARE(findGit(repository.folder() + text("/bin:.")), real);
}

void GitCommandTest::versionOfThisMachine()
{
    const Result<GitVersion> version = await(gitVersion({}));
    VERIFY_RESULT(version);
    QVERIFY(std::pair(version->major, version->minor) >= std::pair(2, 39));
    QVERIFY(run(text("git"), {text("--version")}).contains(version->text.toLatin1()));
}

void GitCommandTest::versions_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("readable");
    QTest::addColumn<int>("number");
    QTest::newRow("plain") << QByteArray("git version 2.39.5\n") << true << 23905;
    QTest::newRow("vendor") << QByteArray("git version 2.39.5 (Apple Git-154)\n") << true << 23905;
    QTest::newRow("windows") << QByteArray("git version 2.47.1.windows.2\n") << true << 24701;
    QTest::newRow("candidate") << QByteArray("git version 2.50.rc1\n") << true << 25000;
    QTest::newRow("built") << QByteArray("git version 2.55.GIT\n") << true << 25500;
    QTest::newRow("nonsense") << QByteArray("hello\n") << false << 0;
    QTest::newRow("empty") << QByteArray() << false << 0;
    QTest::newRow("words") << QByteArray("git version unknown\n") << false << 0;
}

void GitCommandTest::versions()
{
    QFETCH(QByteArray, line);
    QFETCH(bool, readable);
    QFETCH(int, number);
    const std::optional<GitVersion> version = parseGitVersion(line);
    QCOMPARE(version.has_value(), readable);
    if (version) {
        QCOMPARE(version->major * 10'000 + version->minor * 100 + version->patch, number);
    }
}

QTEST_GUILESS_MAIN(GitCommandTest)
#include "tst_gitcommand.moc"
