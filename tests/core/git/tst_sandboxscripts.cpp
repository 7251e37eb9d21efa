// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/git/sandboxscripts.h"
#include "tests/support/testing.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QString text(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

struct Ended
{
    int code = -1;
    QByteArray output;
    QByteArray error;
};

Ended shell(const QByteArray &script, const QString &folder = {})
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(text("sh"), {text("-c"), QString::fromUtf8(script)});
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(60'000);
    return {ended ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

/// What an agent may do in its repository, and what has to come of it.
struct Deed
{
    const char *name;
    const char *script; ///< runs in the work tree; $BASE is set
    int commits;
    bool leftOvers;
    const char *notes; ///< sorted, with spaces between
    const char *check; ///< runs in a clone of what came back, checked out at the tip
};

constexpr Deed deeds[] = {
    {"nothing", ":", 0, false, "", "true"},
    {"commits", "echo 1 >n; git add n; git commit -qm a; echo 2 >n; git commit -qam b", 2, false,
     "", "[ \"$(cat n)\" = 2 ]"},
    {"left files", "echo 1 >n; rm README.md", 1, true, "", "[ -f n ] && [ ! -e README.md ]"},
    {"commit and left files", "echo 1 >n; git add n; git commit -qm a; echo 2 >m", 2, true, "",
     "[ -f m ]"},
    {"ignored files stay out",
     "echo noise >.gitignore; git add .gitignore; git commit -qm i;"
     "echo x >noise",
     1, false, "", "[ ! -e noise ]"},
    {"own excludes", "echo skip >>.git/info/exclude; echo x >skip; echo y >keep", 1, true, "",
     "[ ! -e skip ] && [ -e keep ]"},
    {"odd names",
     "echo x >'日本 🎉'; echo x >'new\nline'; echo x >'tab\there'; echo x >./-dash;"
     "echo x >'end '; echo x >'\"q\"'; echo x >\"$(printf 'latin\\351')\"",
     1, true, "",
     "[ -f 'new\nline' ] && [ -f ./-dash ] && [ -f 'end ' ] && "
     "[ -f \"$(printf 'latin\\351')\" ]"},
    {"same size in the second of the index",
     "echo 1 >n; touch -t 202001010000 n; git add n; git commit -qm a;"
     "echo 2 >n; touch -t 202001010000 n .git/index",
     2, true, "", "[ \"$(cat n)\" = 2 ]"},
    {"modes and links", "echo x >run; chmod +x run; ln -s run link; ln -s /nowhere dangling", 1,
     true, "", "[ -x run ] && [ -L link ] && [ -L dangling ]"},
    {"hooks",
     "mkdir -p .git/hooks; for h in pre-commit post-commit reference-transaction "
     "post-index-change commit-msg; do printf '#!/bin/sh\ntouch \"$OWNED\"\n' "
     ">.git/hooks/$h; chmod +x .git/hooks/$h; done; echo 1 >n",
     1, true, "", "[ -f n ]"},
    {"configured programs",
     "git config core.fsmonitor 'touch \"$OWNED\"; sleep 100';"
     "git config filter.x.clean 'touch \"$OWNED\"; sleep 100';"
     "git config filter.x.required true;"
     "git config core.hooksPath /tmp; git config commit.gpgSign true;"
     "git config gpg.program 'sleep 100'; git config core.worktree /;"
     "echo '* filter=x' >.gitattributes; echo 1 >n",
     1, true, "", "[ \"$(cat n)\" = 1 ]"},
    {"broken configuration", "echo '[[[' >.git/config; echo 1 >n", 1, true, "", "[ -f n ]"},
    {"index lock", "echo 1 >n; git add n; : >.git/index.lock", 1, true, "", "[ -f n ]"},
    {"reference lock", "echo 1 >n; git add n; git commit -qm a; : >.git/refs/heads/agent/x.lock", 1,
     false, "", "[ -f n ]"},
    {"broken index", "echo 1 >n; echo garbage >.git/index", 1, true, "index-rebuilt",
     "[ -f n ] && [ -f README.md ]"},
    {"no index", "echo 1 >n; rm .git/index", 1, true, "index-rebuilt",
     "[ -f n ] && [ -f README.md ]"},
    {"other branch", "git checkout -qb other; echo 1 >n; git add n; git commit -qm a", 1, false,
     "other-head", "[ -f n ]"},
    {"detached", "git checkout -q --detach; echo 1 >n; git add n; git commit -qm a; echo 2 >m", 2,
     true, "other-head", "[ -f n ] && [ -f m ]"},
    {"diverged",
     "echo 1 >n; git add n; git commit -qm a; git checkout -q --detach $BASE;"
     "echo 2 >m; git add m; git commit -qm b",
     1, false, "left-behind other-head", "[ ! -e n ] && [ -f m ]"},
    {"went back", "echo 1 >n; git add n; git commit -qm a; git checkout -q $BASE", 1, false,
     "other-head went-back", "[ -f n ]"},
    {"rewrote history",
     "git checkout -q --orphan fresh; echo 1 >n; git add n;"
     "git commit -qm root; git branch -D agent/x -q",
     1, true, "history-rewritten", "[ -f n ] && [ -f README.md ]"},
    {"amended the base", "echo 1 >n; git add n; git commit -q --amend -m other", 1, true,
     "history-rewritten", "[ -f n ]"},
    {"unborn", "git checkout -q --orphan fresh; echo 1 >n", 1, true, "history-rewritten",
     "[ -f n ]"},
    {"merge in progress",
     "git checkout -qb side; echo s >f; git add f; git commit -qm s;"
     "git checkout -q agent/x; echo m >f; git add f; git commit -qm m;"
     "git merge -q side >/dev/null",
     2, true, "merge-in-progress", "grep -q '<<<<' f"},
    {"merged",
     "git checkout -qb side; echo s >s; git add s; git commit -qm s;"
     "git checkout -q agent/x; echo m >m; git add m; git commit -qm m;"
     "git merge -q -m merged side",
     3, false, "", "[ -f s ] && [ -f m ]"},
    {"embedded repository", "git init -q sub; cd sub; echo 1 >n; git add n; git commit -qm a", 1,
     true, "embedded-repository", "[ -d sub ] && [ ! -e sub/n ]"},
    {"what cannot be added", "git init -q sub; echo 1 >sub/n; echo 1 >n", 1, true, "not-added",
     "[ -f n ] && [ ! -e sub ]"},
    {"deleted .git", "rm -rf .git; echo 1 >n", 1, true, "repository-rebuilt",
     "[ -f n ] && [ -f README.md ]"},
    {"emptied objects", "rm -rf .git/objects/*; echo 1 >n", 1, true, "repository-rebuilt",
     "[ -f n ] && [ -f README.md ]"},
    {"no HEAD", "rm .git/HEAD; echo 1 >n", 1, true, "repository-rebuilt", "[ -f n ]"},
    {"no shallow file", "rm -f .git/shallow; echo 1 >n", 1, true, "", "[ -f n ]"},
    {"replaced", "echo 1 >n; git add n; git commit -qm a; git replace HEAD $BASE; echo 2 >m", 2,
     true, "", "[ -f n ] && [ -f m ]"},
    {"named pipe", "mkfifo pipe; echo 1 >n", 1, true, "", "[ -f n ] && [ ! -e pipe ]"},
    {"packed references", "echo 1 >n; git add n; git commit -qm a; git pack-refs --all", 1, false,
     "", "[ -f n ]"},
    {"skipped file", "git update-index --skip-worktree README.md; rm README.md; echo 1 >n", 1, true,
     "", "[ -f n ] && [ -f README.md ]"},
};

const Deed &deedNamed(const QString &name)
{
    return *std::find_if(std::cbegin(deeds), std::cend(deeds),
                         [&name](const Deed &deed) { return text(deed.name) == name; });
}

} // namespace

/// A plain folder stands for the sandbox: the scripts know nothing of what is around them.
class SandboxScriptsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void seedGivesTheBase_data();
    void seedGivesTheBase();
    void seedRunsNoFilter();
    void seedRefuses();
    void sealsWhateverTheAgentDid_data();
    void sealsWhateverTheAgentDid();
    void checkpointChangesNothing();
    void sealIsRepeatable();
    void unreadableFile();
    void manyFiles();
    void slowAddIsLeftOut();
    void goneWithoutRescue();
    void worksInEveryShell_data();
    void worksInEveryShell();
    void worksWithoutTimeoutProgram();
    void checkoutOfAnotherTipFails();
    void hostileValuesAreRefused_data();
    void hostileValuesAreRefused();
    void reports_data();
    void reports();

private:
    void seed(const BaseBundle &bundle);
    [[nodiscard]] QString hostFolder() const { return m_host.filePath(text("host")); }
    [[nodiscard]] QString path(const char *name) const { return m_folder->filePath(text(name)); }
    [[nodiscard]] SealRequest request() const;
    Ended agent(const QByteArray &script) const;
    /// Imports the sealed bundle beside the base and runs a check at its tip.
    void verifyReturn(const SealReport &report, const QByteArray &check);

    QTemporaryDir m_host;
    BaseBundle m_bundles[2]; ///< without and with history
    std::unique_ptr<QTemporaryDir> m_folder;
    BaseBundle m_base;
};

void SandboxScriptsTest::initTestCase()
{
    const TestRepository host(hostFolder());
    host.write(text("dir/a.txt"), "a\n");
    const QString base = host.commitAll(text("Base"));
    for (const bool withHistory : {false, true}) {
        const QString file = m_host.filePath(text("base%1").arg(int(withHistory)));
        Result<BaseBundle> bundle =
            await(makeBaseBundle({host.gitFolder(), base, withHistory, file}, {}));
        VERIFY_RESULT(bundle);
        m_bundles[int(withHistory)] = *bundle;
    }
}

void SandboxScriptsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    seed(m_bundles[0]);
}

void SandboxScriptsTest::cleanup()
{
    run(text("chmod"), {text("-R"), text("u+rwX"), m_folder->path()});
    run(text("rm"), {text("-rf"), path("it's a repo"), path("fresh")});
    QVERIFY(!QFile::exists(path("result.work")));
    QVERIFY(!QFile::exists(path("result.part")));
}

void SandboxScriptsTest::seed(const BaseBundle &bundle)
{
    m_base = bundle;
    const QString repository = path("it's a repo");
    QDir(repository).removeRecursively();
    const Result<QByteArray> script = seedScript(m_base, m_base.file, repository, text("agent/x"),
                                                 {text("Agent O'Brien"), text("a@example.com")});
    VERIFY_RESULT(script);
    const Ended ended = shell(*script);
    QVERIFY2(ended.code == 0, ended.error.constData());
    QCOMPARE(ended.error, QByteArray());
}

SealRequest SandboxScriptsTest::request() const
{
    SealRequest request;
    request.repository = path("it's a repo");
    request.branch = text("agent/x");
    request.base = m_base.base;
    request.shallow = m_base.shallow;
    request.baseBundle = m_base.file;
    request.target = path("result");
    request.identity = {text("Agent O'Brien"), text("a@example.com")};
    request.time = 1'700'000'000;
    return request;
}

Ended SandboxScriptsTest::agent(const QByteArray &script) const
{
    return shell("export BASE=" + m_base.base.toLatin1() + " OWNED='" + path("OWNED").toUtf8() +
                     "'\n" + script,
                 path("it's a repo"));
}

void SandboxScriptsTest::verifyReturn(const SealReport &report, const QByteArray &check)
{
    CheckoutRequest checkout;
    checkout.baseBundle = m_base.file;
    checkout.resultBundle = report.commits > 0 ? path("result") : QString();
    checkout.repository = path("fresh");
    checkout.branch = text("agent/x");
    checkout.tip = report.tip;
    const Result<QByteArray> script = checkoutScript(m_base, checkout);
    VERIFY_RESULT(script);
    const Ended ended = shell(*script);
    QVERIFY2(ended.code == 0, ended.error.constData());
    const Ended checked = shell(check, checkout.repository);
    QVERIFY2(checked.code == 0, check.constData());
    run(text("git"), {text("fsck"), text("--strict")}, checkout.repository);
    // And into the user's own repository, which knows nothing of cuts.
    if (report.commits > 0) {
        const QString host = hostFolder();
        run(text("git"),
            {text("fetch"), text("-q"), path("result"), text("+refs/heads/agent/x:refs/heads/in")},
            host);
        QCOMPARE(
            run(text("git"), {text("rev-list"), text("--count"), m_base.base + text("..in")}, host)
                .trimmed()
                .toInt(),
            report.commits);
        run(text("git"), {text("rev-list"), text("--objects"), text("--quiet"), text("in")}, host);
    }
}

void SandboxScriptsTest::seedGivesTheBase_data()
{
    QTest::addColumn<bool>("withHistory");
    QTest::newRow("history-free") << false;
    QTest::newRow("with history") << true;
}

void SandboxScriptsTest::seedGivesTheBase()
{
    QFETCH(bool, withHistory);
    if (withHistory) {
        seed(m_bundles[1]);
    }
    const QString folder = path("it's a repo");
    const auto git = [&folder](const QStringList &arguments) {
        return run(text("git"), arguments, folder).trimmed();
    };
    QCOMPARE(git({text("rev-parse"), text("HEAD")}), m_base.base.toLatin1());
    QCOMPARE(git({text("symbolic-ref"), text("HEAD")}), QByteArray("refs/heads/agent/x"));
    QCOMPARE(git({text("rev-list"), text("--count"), text("HEAD")}).toInt(), withHistory ? 2 : 1);
    QCOMPARE(git({text("config"), text("user.name")}), QByteArray("Agent O'Brien"));
    QCOMPARE(git({text("status"), text("--porcelain")}), QByteArray());
    QCOMPARE(QFile(folder + text("/dir/a.txt")).permissions() & QFileDevice::ReadOther,
             QFileDevice::ReadOther);
    QVERIFY(agent("echo 1 >n; git add n; git commit -qm a").code == 0);
    const Ended sealed = shell(*sealScript(request()));
    const Result<SealReport> report = readSeal(sealed.output);
    QVERIFY2(report.has_value(), sealed.error.constData());
    QCOMPARE(report->commits, 1);
    verifyReturn(*report, "[ -f n ]");
}

void SandboxScriptsTest::seedRunsNoFilter()
{
    const TestRepository host(path("lfs"));
    host.write(text(".gitattributes"), "*.bin filter=lfs\n");
    host.write(text("x.bin"), "version https://git-lfs.github.com/spec/v1\n");
    const QString base = host.commitAll(text("Pointer"));
    const Result<BaseBundle> bundle =
        await(makeBaseBundle({host.gitFolder(), base, false, path("lfs.bundle")}, {}));
    VERIFY_RESULT(bundle);
    run(text("git"), {text("config"), text("--global"), text("filter.lfs.smudge"),
                      text("touch '%1'; cat").arg(path("OWNED"))});
    const Ended ended = shell(*seedScript(*bundle, bundle->file, path("inside"), text("b"),
                                          {text("A"), text("a@example.com")}));
    run(text("git"),
        {text("config"), text("--global"), text("--unset"), text("filter.lfs.smudge")});
    QVERIFY2(ended.code == 0, ended.error.constData());
    QVERIFY(!QFile::exists(path("OWNED")));
    QCOMPARE(*readFile(path("inside/x.bin")),
             QByteArray("version https://git-lfs.github.com/spec/v1\n"));
}

void SandboxScriptsTest::seedRefuses()
{
    const Identity identity{text("A"), text("a@example.com")};
    const Ended again =
        shell(*seedScript(m_base, m_base.file, path("it's a repo"), text("agent/y"), identity));
    QCOMPARE(again.code, 1);
    const Ended missing =
        shell(*seedScript(m_base, path("no such bundle"), path("new"), text("b"), identity));
    QVERIFY(missing.code != 0);
    QVERIFY(!missing.error.isEmpty());
}

void SandboxScriptsTest::sealsWhateverTheAgentDid_data()
{
    QTest::addColumn<QString>("deed");
    for (const Deed &deed : deeds) {
        QTest::newRow(deed.name) << text(deed.name);
    }
}

void SandboxScriptsTest::sealsWhateverTheAgentDid()
{
    QFETCH(QString, deed);
    const Deed &done = deedNamed(deed);
    agent(done.script);
    const Ended sealed = shell(*sealScript(request()));
    QVERIFY2(sealed.code == 0, sealed.error.constData());
    const Result<SealReport> report = readSeal(sealed.output);
    QVERIFY2(report.has_value(), sealed.output.constData());
    QCOMPARE(report->notes.join(QLatin1Char(' ')), text(done.notes));
    QCOMPARE(report->commits, done.commits);
    QCOMPARE(report->leftOvers, done.leftOvers);
    QVERIFY(!QFile::exists(path("OWNED")));
    verifyReturn(*report, done.check);
}

/// Names, sizes, times and contents of everything in the agent's folder. Times of objects are left
/// out: git renews them where it finds that it need not write an object again.
static QByteArray fingerprint(const QString &folder)
{
    return run(text("sh"),
               {text("-c"), text("find . -path ./.git/objects -prune -o -type f -exec stat -c "
                                 "'%n %s %Y %i' {} + | sort; find . -type f -exec sha1sum {} + | "
                                 "sort")},
               folder);
}

void SandboxScriptsTest::checkpointChangesNothing()
{
    agent("echo 1 >n; git add n; git commit -qm a; echo 2 >staged; git add staged; echo 3 >left;"
          "git add -N left");
    const QByteArray before = fingerprint(path("it's a repo"));
    const Ended made = shell(*checkpointScript(request()));
    const Result<SealReport> report = readSeal(made.output);
    QVERIFY2(report.has_value(), made.error.constData());
    QCOMPARE(report->commits, 2);
    QCOMPARE(fingerprint(path("it's a repo")), before);
    verifyReturn(*report, "[ -f staged ] && [ \"$(cat left)\" = 3 ]");
}

void SandboxScriptsTest::sealIsRepeatable()
{
    agent("echo 1 >n");
    const QByteArray first = shell(*sealScript(request())).output;
    const QByteArray second = shell(*sealScript(request())).output;
    VERIFY_RESULT(readSeal(first));
    QCOMPARE(second, first);
}

void SandboxScriptsTest::unreadableFile()
{
    agent("echo 1 >n; echo secret >no; chmod 000 no; mkdir closed; echo x >closed/x;"
          "chmod 000 closed");
    QFile probe(path("it's a repo/no"));
    if (probe.open(QIODevice::ReadOnly)) {
        QSKIP("this user reads every file");
    }
    const Ended sealed = shell(*sealScript(request()));
    const Result<SealReport> report = readSeal(sealed.output);
    QVERIFY2(report.has_value(), sealed.error.constData());
    QCOMPARE(report->notes, QStringList{text("not-added")});
    verifyReturn(*report, "[ -f n ] && [ ! -e no ]");
}

void SandboxScriptsTest::manyFiles()
{
    agent("mkdir many; cd many; i=0; while [ $i -lt 10000 ]; do echo $i >f$i; i=$((i+1)); done");
    const Ended sealed = shell(*sealScript(request()));
    const Result<SealReport> report = readSeal(sealed.output);
    QVERIFY2(report.has_value(), sealed.error.constData());
    verifyReturn(*report, "[ \"$(ls many | wc -l)\" -eq 10000 ]");
}

/// A git that never ends stands for a work tree that takes too long.
static QByteArray slowAdd(const QByteArray &folder)
{
    return "mkdir -p '" + folder + "'; cat >'" + folder +
           "/git' <<'EOF'\n#!/bin/sh\ncase \" $* \" in *' add -A '*) sleep 50 ;; "
           "esac\nPATH=${PATH#*:} exec git "
           "\"$@\"\nEOF\nchmod +x '" +
           folder + "/git'; PATH='" + folder + "':$PATH\n";
}

void SandboxScriptsTest::slowAddIsLeftOut()
{
    agent("echo 1 >n; git add n; git commit -qm a; echo 2 >m");
    SealRequest wanted = request();
    wanted.addSeconds = 1;
    const Ended sealed = shell(slowAdd(path("bin").toUtf8()) + *sealScript(wanted));
    const Result<SealReport> report = readSeal(sealed.output);
    QVERIFY2(report.has_value(), sealed.error.constData());
    QCOMPARE(report->notes, QStringList{text("add-timed-out")});
    verifyReturn(*report, "[ -f n ] && [ ! -e m ]");
}

void SandboxScriptsTest::worksWithoutTimeoutProgram()
{
    // PATH holds git and the small tools that the header names, and no "timeout".
    QByteArray tools = "mkdir -p '" + path("bin").toUtf8() +
                       "'; for t in sh env sed git cp grep mkdir "
                       "rm sort cat find mv sleep; do ln -s \"$(command -v $t)\" '" +
                       path("bin").toUtf8() + "'/$t; done; PATH='" + path("bin").toUtf8() + "'\n";
    agent("echo 1 >n");
    const Ended sealed = shell(tools + *sealScript(request()));
    const Result<SealReport> report = readSeal(sealed.output);
    QVERIFY2(report.has_value(), sealed.error.constData());
    QCOMPARE(report->notes, QStringList());
    verifyReturn(*report, "[ -f n ]");
}

void SandboxScriptsTest::worksInEveryShell_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("dash") << QStringList{text("dash")};
    QTest::newRow("bash") << QStringList{text("bash"), text("--posix")};
    QTest::newRow("busybox") << QStringList{text("busybox"), text("sh")};
}

void SandboxScriptsTest::worksInEveryShell()
{
    QFETCH(QStringList, command);
    if (QStandardPaths::findExecutable(command.first()).isEmpty()) {
        QSKIP("this shell is not installed");
    }
    agent("echo 1 >n; rm -rf .git");
    const QString script = QString::fromUtf8(*sealScript(request()));
    const QStringList arguments = command.mid(1) + QStringList{text("-c"), script};
    const Result<SealReport> report = readSeal(run(command.first(), arguments));
    VERIFY_RESULT(report);
    QCOMPARE(report->notes, QStringList{text("repository-rebuilt")});
    verifyReturn(*report, "[ -f n ]");
}

void SandboxScriptsTest::goneWithoutRescue()
{
    agent("rm -rf .git");
    SealRequest wanted = request();
    wanted.baseBundle.clear();
    const Ended sealed = shell(*sealScript(wanted));
    QCOMPARE(sealed.code, 3);
    QVERIFY(!readSeal(sealed.output));
}

void SandboxScriptsTest::checkoutOfAnotherTipFails()
{
    agent("echo 1 >n");
    const Result<SealReport> report = readSeal(shell(*sealScript(request())).output);
    VERIFY_RESULT(report);
    CheckoutRequest checkout{m_base.file, path("result"), path("fresh"), text("agent/x"),
                             QString(40, QLatin1Char('1'))};
    QCOMPARE(shell(*checkoutScript(m_base, checkout)).code, 5);
}

void SandboxScriptsTest::hostileValuesAreRefused_data()
{
    QTest::addColumn<QString>("repository");
    QTest::addColumn<QString>("branch");
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("name");
    const QString id(40, QLatin1Char('a'));
    const QString a = text("A");
    QTest::newRow("relative") << text("repo") << text("b") << id << a;
    QTest::newRow("newline") << text("/r\nx") << text("b") << id << a;
    QTest::newRow("option as branch") << text("/r") << text("-b") << id << a;
    QTest::newRow("dots") << text("/r") << text("a..b") << id << a;
    QTest::newRow("no id") << text("/r") << text("b") << text("main") << a;
    QTest::newRow("upper case id") << text("/r") << text("b") << id.toUpper() << a;
    QTest::newRow("no name") << text("/r") << text("b") << id << text("  ");
    QTest::newRow("name with mail") << text("/r") << text("b") << id << text("A <b>");
}

void SandboxScriptsTest::hostileValuesAreRefused()
{
    QFETCH(QString, repository);
    QFETCH(QString, branch);
    QFETCH(QString, base);
    QFETCH(QString, name);
    SealRequest wanted = request();
    VERIFY_RESULT(sealScript(wanted));
    wanted.repository = repository;
    wanted.branch = branch;
    wanted.base = base;
    wanted.identity.name = name;
    QCOMPARE(sealScript(wanted).error().code, ErrorCode::InvalidRequest);
    BaseBundle bundle = m_base;
    bundle.base = base;
    QVERIFY(!seedScript(bundle, text("/b"), repository, branch, wanted.identity));
}

void SandboxScriptsTest::reports_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<bool>("good");
    const QByteArray id(40, 'a');
    const QByteArray start = "seal 1\ntip " + id + "\ncommits 2\n";
    QTest::newRow("clean") << start + "clean\nend\n" << true;
    QTest::newRow("note") << start + "dirty\nnote went-back\nend\n" << true;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("cut") << start + "clean\n" << false;
    QTest::newRow("more after the end") << start + "clean\nend\nmore\n" << false;
    QTest::newRow("before") << "x\n" + start + "clean\nend\n" << false;
    QTest::newRow("unknown note") << start + "clean\nnote \x1b[31m\nend\n" << false;
    QTest::newRow("short id") << QByteArray("seal 1\ntip aaaa\ncommits 2\nclean\nend\n") << false;
    QTest::newRow("upper id") << QByteArray("seal 1\ntip " + id.toUpper() +
                                            "\ncommits 2\nclean\nend\n")
                              << false;
    QTest::newRow("negative") << QByteArray("seal 1\ntip " + id + "\ncommits -2\nclean\nend\n")
                              << false;
    QTest::newRow("overflow") << QByteArray("seal 1\ntip " + id +
                                            "\ncommits 99999999999\nclean\nend\n")
                              << false;
    QTest::newRow("padded") << QByteArray("seal 1\ntip " + id + "\ncommits 02\nclean\nend\n")
                            << false;
    QTest::newRow("state") << start + "fine\nend\n" << false;
    QTest::newRow("flood") << start + "clean\n" + QByteArray("note went-back\n").repeated(1000) +
                                  "end\n"
                           << false;
}

void SandboxScriptsTest::reports()
{
    QFETCH(QByteArray, output);
    QFETCH(bool, good);
    QCOMPARE(readSeal(output).has_value(), good);
}

QTEST_GUILESS_MAIN(SandboxScriptsTest)
#include "tst_sandboxscripts.moc"
