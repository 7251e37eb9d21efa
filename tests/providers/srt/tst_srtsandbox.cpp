// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/pause.h"
#include "providers/srt/processes.h"
#include "tests/providers/srt/srtfixture.h"

#include <QElapsedTimer>
#include <QProcess>

#include <csignal>
#include <unistd.h>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

qint64 keeperOf(const std::shared_ptr<Sandbox> &sandbox)
{
    return std::static_pointer_cast<Srt::SrtSandbox>(sandbox)->live()->keeperPid();
}

QByteArray lineOf(const QByteArray &text, const QByteArray &start)
{
    for (const QByteArray &line : text.split('\n')) {
        if (line.startsWith(start)) {
            return line;
        }
    }
    return {};
}

} // namespace

/// The life of a sandbox on real srt, and the traps of its sheet, one by one.
class SrtSandboxTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void isReady();
    void comesAndGoes();
    void gitSeesNoPhantoms();
    void environmentIsExact();
    void secretsAreUnreadable();
    void onlyItsOwnFolderIsWritable();
    void localSocketsAreRefused();
    void signalsAreNotIgnored();
    void endAllLeavesNobody();
    void endsLeftovers_data();
    void endsLeftovers();
    void outputComesLive();
    void twentyAtOnce();
    void cancelledStartLeavesNothing();
    void lifetimeEnds();
    void killedKeeperIsNoticed();
    void nobodySurvivesOurDeath();
    void runsAsAnotherUser();
    void repeatedCreateLeavesOne();
    void longDataFolders();

private:
    std::unique_ptr<SrtFixture> m_fixture;
};

void SrtSandboxTest::initTestCase()
{
    if (!Srt::findTools({})) {
        QFAIL("srt is not installed: installers/bootstrap gets it");
    }
}

void SrtSandboxTest::init()
{
    m_fixture = std::make_unique<SrtFixture>();
}

void SrtSandboxTest::isReady()
{
    QElapsedTimer timer;
    timer.start();
    const Result<QList<Readiness>> items = await(m_fixture->provider->checkReady({}));
    VERIFY_RESULT(items);
    QVERIFY(timer.elapsed() < atMost(10'000));
    QCOMPARE(items->size(), 7);
    for (const Readiness &item : *items) {
        QVERIFY2(item.state == Readiness::State::Ok,
                 qPrintable(item.what + QStringLiteral(": ") + item.nextStep));
        QVERIFY(item.nextStep.isEmpty());
    }
    QCOMPARE(await(m_fixture->provider->list({}, {}))->size(), 0);
    m_fixture->settings.toolsFolder = m_fixture->base();
    Srt::SrtProvider bare(m_fixture->settings);
    const QList<Readiness> missing = *await(bare.checkReady({}));
    QVERIFY(missing.at(1).state == Readiness::State::Missing);
    QVERIFY(missing.at(1).nextStep.contains(QStringLiteral("installers/bootstrap")));
}

void SrtSandboxTest::comesAndGoes()
{
    const SandboxSpec spec = m_fixture->spec();
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(spec);
    QVERIFY(sandbox);
    QVERIFY2(sandbox->runnerInfo().startsWith(QStringLiteral("gbx ")),
             qPrintable(sandbox->runnerInfo()));
    const Ran ran = runInside(sandbox, QStringLiteral("echo hello; exit 7"));
    QCOMPARE(ran.output, QByteArray("hello\n"));
    QCOMPARE(ran.result.exitCode, 7);
    const QList<SandboxInfo> listed = *await(m_fixture->provider->list(spec.labels, {}));
    QCOMPARE(listed.size(), 1);
    QVERIFY(listed[0].id == sandbox->id());
    QCOMPARE(listed[0].labels, spec.labels);
    QCOMPARE(listed[0].state, QStringLiteral("running"));
    QCOMPARE(await(m_fixture->provider->list(m_fixture->spec().labels, {}))->size(), 0);
    QCOMPARE(await(m_fixture->provider->attach(sandbox->id(), {})).value_or(nullptr), sandbox);
    const qint64 keeper = keeperOf(sandbox);
    QVERIFY(Srt::treeOf(keeper).size() > 5);
    const SandboxId id = sandbox->id();
    VERIFY_RESULT(await(m_fixture->provider->destroy(id, {})));
    QCOMPARE(Srt::treeOf(keeper).size(), 0);
    QCOMPARE(await(m_fixture->provider->list({}, {}))->size(), 0);
    VERIFY_RESULT(await(m_fixture->provider->destroy(id, {})));
    QCOMPARE(await(m_fixture->provider->attach(id, {})).error().code, ErrorCode::NotFound);
    Command late;
    late.argv = {QStringLiteral("true")};
    late.directory = sandbox->workFolder();
    QVERIFY(!await(sandbox->start({newId()}, late, {})));
    QVERIFY(!QFile::exists(sandbox->workFolder()));
}

void SrtSandboxTest::gitSeesNoPhantoms()
{
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const Ran ran = runInside(
        sandbox, QStringLiteral("set -e; git init -q -b main clone; cd clone; echo x > file; "
                                "git add -A; git -c user.name=A -c user.email=a@example.com commit "
                                "-q -m first; git config core.editor true; git status --porcelain; "
                                "git bundle create ../out.bundle main; git log --format=%s"));
    QCOMPARE(ran.result.exitCode, 0);
    QVERIFY2(ran.output.endsWith("first\n"), ran.output.constData());
    QVERIFY(!ran.output.contains("??"));
    const QString copy = m_fixture->base() + QStringLiteral("/out.bundle");
    VERIFY_RESULT(await(sandbox->download(sandbox->workFolder() + QStringLiteral("/out.bundle"),
                                          {copy}, 1 << 20, {})));
    QVERIFY(readFile(copy)->startsWith("# v2 git bundle"));
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::environmentIsExact()
{
    for (const char *name : {"GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK",
                             "DBUS_SESSION_BUS_ADDRESS", "ANTHROPIC_API_KEY"}) {
        qputenv(name, "planted-value");
    }
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const Ran ran = runInside(
        sandbox, QStringLiteral("env; echo ---; mktemp >/dev/null && echo temporary; "
                                "cat /proc/[0-9]*/environ 2>/dev/null | grep -c -a planted"));
    QStringList known =
        Srt::keptNames() + QStringList{QStringLiteral("PATH"),        QStringLiteral("HOME"),
                                       QStringLiteral("USER"),        QStringLiteral("LOGNAME"),
                                       QStringLiteral("SHELL"),       QStringLiteral("PWD"),
                                       QStringLiteral("GLOVEBOX_JOB")};
    for (const QByteArray &line : ran.output.left(ran.output.indexOf("---")).split('\n')) {
        const QString name = QString::fromUtf8(line.left(line.indexOf('=')));
        QVERIFY2(line.isEmpty() || known.contains(name), line.constData());
    }
    QVERIFY(ran.output.contains("NODE_USE_ENV_PROXY=1\n"));
    QVERIFY(ran.output.endsWith("---\ntemporary\n0\n"));
    const QByteArray all =
        readFile(QStringLiteral("/proc/%1/environ").arg(keeperOf(sandbox))).value_or("planted");
    QVERIFY(!all.contains("planted"));
    for (const char *name : {"GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK",
                             "DBUS_SESSION_BUS_ADDRESS", "ANTHROPIC_API_KEY"}) {
        qunsetenv(name);
    }
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::secretsAreUnreadable()
{
    const QString home = QDir::homePath();
    QVERIFY(QDir().mkpath(home + QStringLiteral("/.ssh")));
    const QString outside = QStringLiteral("/var/tmp/gb-secret-%1").arg(::getpid());
    const QStringList paths{home + QStringLiteral("/.ssh/id_ed25519"),
                            home + QStringLiteral("/.netrc"),
                            m_fixture->settings.dataFolder + QStringLiteral("/runs.db"), outside};
    std::shared_ptr<Sandbox> other = m_fixture->make(m_fixture->spec());
    SandboxSpec spec = m_fixture->spec();
    // Beside this program: below no home and no folder for temporary files on a build machine.
    const QTemporaryDir repository(QCoreApplication::applicationDirPath() +
                                   QStringLiteral("/repository-XXXXXX"));
    const QString untracked = repository.filePath(QStringLiteral("a/.env"));
    VERIFY_RESULT(makePrivateFolder(repository.filePath(QStringLiteral("a"))));
    VERIFY_RESULT(writeFile(untracked, "very-secret"));
    spec.hidden = {repository.path(), QStringLiteral("/nowhere")};
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(spec);
    QStringList all{paths};
    all << untracked;
    for (const QString &path : paths) {
        VERIFY_RESULT(writeFile(path, "very-secret"));
    }
    all.append(other->workFolder() + QStringLiteral("/theirs"));
    VERIFY_RESULT(writeFile(all.last(), "very-secret"));
    const Srt::Layout &layout =
        std::static_pointer_cast<Srt::SrtSandbox>(sandbox)->live()->layout();
    all << layout.settingsFile() << layout.ownerFile();
    for (const QString &path : all) {
        const Ran ran = runInside(sandbox, QStringLiteral("cat '%1'; cat /proc/1/root'%1'; "
                                                          "ln -s '%1' l; cat l; rm l")
                                               .arg(path));
        QVERIFY2(!ran.output.contains("very-secret") && !ran.output.contains("parentProxy") &&
                     !ran.output.contains("deadline"),
                 ran.output.constData());
        QVERIFY(ran.output.contains("No such file") || ran.output.contains("denied"));
    }
    QVERIFY(QFile::remove(outside));
    m_fixture->remove(sandbox);
    m_fixture->remove(other);
}

void SrtSandboxTest::onlyItsOwnFolderIsWritable()
{
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const Srt::Layout &layout =
        std::static_pointer_cast<Srt::SrtSandbox>(sandbox)->live()->layout();
    const Ran ran =
        runInside(sandbox, QStringLiteral("touch mine && echo ok; touch %1/x %2/x /usr/x /etc/x; "
                                          "touch $HOME/x && echo ok; echo > /tmp/x")
                               .arg(layout.workingFolder(), layout.ownTemporary()));
    QCOMPARE(ran.output.count("ok\n"), 2);
    QCOMPARE(ran.output.count("Read-only file system"), 4);
    QVERIFY(!QFile::exists(QStringLiteral("/tmp/x"))); // what "works" there is lost
    QVERIFY(QDir(layout.workingFolder())
                .isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::localSocketsAreRefused()
{
    // The container's, the desktop's and the agent's sockets: none can even be made.
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const Ran ran = runInside(
        sandbox, QStringLiteral("for s in /run/docker.sock /tmp/.X11-unix/X0; do node -e "
                                "'require(\"net\").connect(process.argv[1]).on(\"error\", "
                                "e => console.log(e.code))' $s; done"));
    QVERIFY2(ran.output.count("EPERM\n") == 2, ran.output.constData());
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::signalsAreNotIgnored()
{
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const Ran ran = runInside(sandbox, QStringLiteral("grep SigIgn /proc/self/status"));
    QCOMPARE(ran.output.simplified(), QByteArray("SigIgn: 0000000000000000"));
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::endAllLeavesNobody()
{
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const Ran ran =
        runInside(sandbox, QStringLiteral(
                               "echo kept > file; for i in 1 2 3; do setsid setsid env -i sh -c "
                               "'trap \"\" TERM HUP; exec sleep 4711' >/dev/null 2>&1 </dev/null & "
                               "done; sleep 0.2; pgrep -f 4711 | wc -l"));
    QVERIFY2(ran.output.trimmed().toInt() >= 3, ran.output.constData());
    const qint64 before = keeperOf(sandbox);
    const QList<Srt::ProcessMark> tree = Srt::treeOf(before);
    const Result<int> left = await(sandbox->endAll(EndScope::Everything, {}));
    VERIFY_RESULT(left);
    QCOMPARE(*left, 0);
    QCOMPARE(Srt::survivors(tree), 0);
    QVERIFY(keeperOf(sandbox) != before);
    const Ran after = runInside(sandbox, QStringLiteral("cat file; pgrep -f 4711 | wc -l"));
    QVERIFY2(after.output.startsWith("kept\n"), after.output.constData());
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::endsLeftovers_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<bool>("anew");
    QTest::newRow("nothing left") << QStringLiteral("echo kept > file") << false;
    QTest::newRow("a daemon") << QStringLiteral(
                                     "echo kept > file; setsid setsid env -i sh -c 'trap \"\" TERM "
                                     "HUP; exec sleep 4712' >/dev/null 2>&1 </dev/null &")
                              << true;
}

void SrtSandboxTest::endsLeftovers()
{
    QFETCH(QString, script);
    QFETCH(bool, anew);
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const Ran ran = runInside(sandbox, script);
    QCOMPARE(ran.output, QByteArray());
    const qint64 before = keeperOf(sandbox);
    const Result<int> left = await(sandbox->endAll(EndScope::Leftovers, {}));
    VERIFY_RESULT(left);
    QCOMPARE(*left, 0);
    QCOMPARE(keeperOf(sandbox) != before, anew);
    const Ran after = runInside(sandbox, QStringLiteral("cat file; pgrep -fx 'sleep 4712'"));
    QCOMPARE(after.output, QByteArray("kept\n"));
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::outputComesLive()
{
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    Command command;
    command.argv = {QStringLiteral("sh"), QStringLiteral("-c"),
                    QStringLiteral("echo first; sleep 3; echo second")};
    command.directory = sandbox->workFolder();
    const auto sink = std::make_shared<TextSink>();
    QElapsedTimer timer;
    qint64 first = 0;
    sink->onWrite = [&] {
        first = first == 0 ? timer.elapsed() : first;
    };
    timer.start();
    VERIFY_RESULT(await(runCommand(sandbox, {newId()}, command, sink, {})));
    QCOMPARE(sink->output, QByteArray("first\nsecond\n"));
    QVERIFY2(first < 2500, qPrintable(QString::number(first)));
    m_fixture->remove(sandbox);
}

QCoro::Task<Result<QByteArray>> oneLife(Srt::SrtProvider *provider, SandboxSpec spec)
{
    const std::stop_token never;
    const Result<std::shared_ptr<Sandbox>> made = co_await provider->create(spec, never);
    if (!made) {
        co_return fail(made.error());
    }
    const std::shared_ptr<Sandbox> sandbox = *made;
    Command command;
    command.argv = {QStringLiteral("printenv"), QStringLiteral("HOME")};
    command.directory = sandbox->workFolder();
    const auto sink = std::make_shared<TextSink>();
    const CommandId id{newId()};
    const Result<CommandResult> ran = co_await runCommand(sandbox, id, command, sink, never);
    const Result<void> destroyed = co_await provider->destroy(sandbox->id(), never);
    if (!ran || !destroyed) {
        co_return fail(ran ? destroyed.error() : ran.error());
    }
    co_return sink->output;
}

void SrtSandboxTest::twentyAtOnce()
{
    std::vector<QCoro::Task<Result<QByteArray>>> lives;
    for (int i = 0; i < 20; ++i) {
        lives.push_back(oneLife(m_fixture->provider.get(), m_fixture->spec()));
    }
    QSet<QByteArray> homes;
    for (QCoro::Task<Result<QByteArray>> &life : lives) {
        const Result<QByteArray> home = await(std::move(life));
        VERIFY_RESULT(home);
        homes.insert(*home);
    }
    QCOMPARE(homes.size(), 20);
    QCOMPARE(await(m_fixture->provider->list({}, {}))->size(), 0);
}

void SrtSandboxTest::cancelledStartLeavesNothing()
{
    for (const int delay : {0, 60, 250, 500}) {
        std::stop_source source;
        QTimer::singleShot(delay, this, [source]() mutable { source.request_stop(); });
        const Result<std::shared_ptr<Sandbox>> made =
            await(m_fixture->provider->create(m_fixture->spec(), source.get_token()));
        if (made) { // it was faster
            VERIFY_RESULT(await(m_fixture->provider->destroy((*made)->id(), {})));
        } else {
            QCOMPARE(made.error().code, ErrorCode::Cancelled);
        }
        QCOMPARE(await(m_fixture->provider->list({}, {}))->size(), 0);
    }
}

void SrtSandboxTest::lifetimeEnds()
{
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const QList<Srt::ProcessMark> tree = Srt::treeOf(keeperOf(sandbox));
    Command command;
    command.argv = {QStringLiteral("sleep"), QStringLiteral("600")};
    command.directory = sandbox->workFolder();
    const CommandId id{newId()};
    VERIFY_RESULT(await(sandbox->start(id, command, {})));
    const QDateTime deadline = QDateTime::currentDateTimeUtc().addMSecs(300);
    QCOMPARE(await(sandbox->setDeadline(deadline, {})).value_or(QDateTime()), deadline);
    const Result<CommandResult> ended = await(sandbox->wait(id, std::make_shared<TextSink>(), {}));
    QCOMPARE(ended.error().code, ErrorCode::SandboxGone);
    QTRY_COMPARE(Srt::survivors(tree), 0);
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::killedKeeperIsNoticed()
{
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    const qint64 keeper = keeperOf(sandbox);
    const QList<Srt::ProcessMark> tree = Srt::treeOf(keeper);
    Command command;
    command.argv = {QStringLiteral("sleep"), QStringLiteral("600")};
    command.directory = sandbox->workFolder();
    const CommandId id{newId()};
    VERIFY_RESULT(await(sandbox->start(id, command, {})));
    QTimer::singleShot(100, this, [keeper] { ::kill(static_cast<pid_t>(keeper), SIGKILL); });
    const Result<CommandResult> ended = await(sandbox->wait(id, std::make_shared<TextSink>(), {}));
    QCOMPARE(ended.error().code, ErrorCode::SandboxGone);
    QTRY_COMPARE(Srt::survivors(tree), 0); // srt's own death would leave them running
    // A new keeper on the same folders: what was written is still there.
    const SandboxId sandboxId = sandbox->id();
    VERIFY_RESULT(writeFile(sandbox->workFolder() + QStringLiteral("/left"), "over"));
    Result<std::shared_ptr<Sandbox>> again = await(m_fixture->provider->attach(sandboxId, {}));
    VERIFY_RESULT(again);
    QVERIFY(*again != sandbox);
    QCOMPARE(runInside(*again, QStringLiteral("cat left")).output, QByteArray("over"));
    m_fixture->remove(*again);
}

void SrtSandboxTest::nobodySurvivesOurDeath()
{
    QProcess victim;
    victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    victim.start(qEnvironmentVariable("GLOVEBOX_BUILD_DIR") +
                     QStringLiteral("/tests/providers/srt/srtvictim"),
                 {m_fixture->settings.dataFolder});
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += victim.readAllStandardOutput()).contains("ready\n"),
                             Testing::atMost(30'000));
    const qint64 keeper = lineOf(said, "keeper ").mid(7).toLongLong();
    const SandboxId id{QStringLiteral("srt"), QString::fromLatin1(lineOf(said, "id ").mid(3))};
    const QList<Srt::ProcessMark> tree = Srt::treeOf(keeper);
    QVERIFY(tree.size() > 5);
    QCOMPARE(await(m_fixture->provider->attach(id, {})).error().code, ErrorCode::Busy);
    QCOMPARE(await(m_fixture->provider->destroy(id, {})).error().code, ErrorCode::Busy);
    victim.kill();
    QVERIFY(victim.waitForFinished());
    QTRY_COMPARE_WITH_TIMEOUT(Srt::survivors(tree), 0, Testing::atMost(10'000));
    Result<std::shared_ptr<Sandbox>> left = await(m_fixture->provider->attach(id, {}));
    VERIFY_RESULT(left);
    QCOMPARE(runInside(*left, QStringLiteral("cat half-done")).output, QByteArray("work\n"));
    m_fixture->remove(*left);
}

void SrtSandboxTest::runsAsAnotherUser()
{
    if (::geteuid() != 0) {
        QSKIP("only root can run sandboxes as somebody else");
    }
    m_fixture->settings.sandboxUser = 65534;
    m_fixture->provider = std::make_unique<Srt::SrtProvider>(m_fixture->settings);
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    QVERIFY(sandbox);
    const Ran ran = runInside(sandbox, QStringLiteral("id -u; grep CapEff /proc/self/status; "
                                                      "touch file && ls -ln file"));
    QVERIFY2(ran.output.startsWith("65534\nCapEff:\t0000000000000000\n"), ran.output.constData());
    QVERIFY(ran.output.contains(" 65534 "));
    const Result<int> left = await(sandbox->endAll(EndScope::Everything, {}));
    VERIFY_RESULT(left);
    QCOMPARE(*left, 0);
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::repeatedCreateLeavesOne()
{
    const SandboxSpec spec = m_fixture->spec();
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(spec);
    QCOMPARE(await(m_fixture->provider->create(spec, {})).error().code, ErrorCode::AlreadyExists);
    QCOMPARE(await(m_fixture->provider->list(spec.labels, {}))->size(), 1);
    QCOMPARE(runInside(sandbox, QStringLiteral("echo fine")).output, QByteArray("fine\n"));
    m_fixture->remove(sandbox);
}

void SrtSandboxTest::longDataFolders()
{
    m_fixture->settings.dataFolder +=
        QStringLiteral("/with a blank ä ") + QString(60, QLatin1Char('x'));
    m_fixture->provider = std::make_unique<Srt::SrtProvider>(m_fixture->settings);
    std::shared_ptr<Sandbox> sandbox = m_fixture->make(m_fixture->spec());
    QVERIFY(sandbox);
    QCOMPARE(runInside(sandbox, QStringLiteral("echo fine")).output, QByteArray("fine\n"));
    m_fixture->remove(sandbox);
}

QTEST_GUILESS_MAIN(SrtSandboxTest)
#include "tst_srtsandbox.moc"
