// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/e2e/ordinaryuser.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/testing.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

// Nobody resolves it: the model is there only for those who go through the user's proxy.
const QString modelHost = QStringLiteral("model.test");

QString text(const char *latin1)
{
    return QString::fromLatin1(latin1);
}

QString agentsFolder()
{
    return qEnvironmentVariable("GLOVEBOX_AGENTS_DIR") + text("/node_modules/.bin");
}

QString nodeProgram()
{
    return qEnvironmentVariable("GLOVEBOX_TOOLS_DIR") + text("/node_modules/node/bin/node");
}

QByteArray marker(const QString &agent)
{
    return "sk-ant-Zq9MARKER" + agent.toUtf8() + "77c1e2b05d";
}

/// A file of resources/agents as a user would change it for a gateway.
QJsonObject agentFile(const QString &agent, const QString &host, const QString &address)
{
    const Result<QByteArray> ours =
        readFile(text(GLOVEBOX_SOURCE_DIR "/resources/agents/%1.json").arg(agent));
    QJsonObject file = QJsonDocument::fromJson(ours.value_or(QByteArray())).object();
    file.insert(text("hosts"), QJsonArray{host});
    if (agent == text("claude")) {
        QJsonObject environment = file.value(text("environment")).toObject();
        environment.insert(text("ANTHROPIC_BASE_URL"), address);
        file.insert(text("environment"), environment);
    } else {
        QJsonArray command = file.value(text("command")).toArray();
        command.removeLast();
        const QString provider = text("model_providers.gateway={name=\"gateway\","
                                      "base_url=\"%1/v1\",wire_api=\"responses\","
                                      "env_key=\"CODEX_API_KEY\"}")
                                     .arg(address);
        for (const QString &word :
             {text("-c"), text("model_provider=gateway"), text("-c"), provider, text("-")}) {
            command.append(word);
        }
        file.insert(text("command"), command);
    }
    return file;
}

} // namespace

/// The real claude and codex in real srt, locked-down, through the real program, as an ordinary
/// user; their model is scripted and lies behind the user's own proxy.
class AgentRunsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void versions_data();
    void versions();
    void runs_data();
    void runs();
    void noticesAreNoLife();
    void agentInTheHome();

private:
    [[nodiscard]] QString at(const QString &path) const { return m_folder->filePath(path); }
    [[nodiscard]] bool startModel();
    void makeUser();
    void makeProject(const QString &agent, const QJsonObject &file, const QByteArray &front) const;
    void makeRepository(const QString &agent, const QByteArray &front) const;
    [[nodiscard]] OrdinaryUser::Ran runTask(const QString &agent);
    void checkReport(const QJsonObject &report, const QString &agent, bool ended) const;
    void checkBranch(const QJsonObject &report, const QByteArray &files) const;
    void checkSecret(const QJsonObject &report, const QString &agent);
    QByteArray git(const QStringList &arguments) const; ///< as the user; fails the test

    std::unique_ptr<Testing::TemporaryFolder> m_folder;
    OrdinaryUser m_user = OrdinaryUser::find().value_or(OrdinaryUser());
    QProcessEnvironment m_environment;
    QProcess m_model;
    QProcess m_proxy;
    QSet<QByteArray> m_commandLines; ///< of all processes, while the program ran
    QString m_project;               ///< of the row: home, data folder and repository are in it
};

void AgentRunsTest::initTestCase()
{
    for (const QString &program :
         {agentsFolder() + text("/claude"), agentsFolder() + text("/codex"), nodeProgram()}) {
        QVERIFY2(QFileInfo(program).isExecutable(),
                 qPrintable(program + text(" is not there. installers/bootstrap test installs the "
                                           "agents and Node, and says where they are.")));
    }
    QVERIFY2(OrdinaryUser::find(), "There is no user nobody to run as.");
    // With GLOVEBOX_KEEP_TESTS the folders stay, for tests/tooling/sweep.py.
    const QString kept = qEnvironmentVariable("GLOVEBOX_KEEP_TESTS");
    m_folder = std::make_unique<Testing::TemporaryFolder>(
        (kept.isEmpty() ? QDir::tempPath() : kept) + text("/agents-XXXXXX"));
    QVERIFY(m_folder->isValid());
    makeUser();
    QVERIFY(startModel());
}

/// A program, a PATH and a way in for a user who may not enter what root has for itself.
void AgentRunsTest::makeUser()
{
    QString folder = m_folder->path();
    const QFileDevice::Permissions pass = QFileDevice::ReadOwner | QFileDevice::WriteOwner |
                                          QFileDevice::ExeOwner | QFileDevice::ExeGroup |
                                          QFileDevice::ExeOther;
    while (m_user.isOther() &&
           (folder == m_folder->path() || folder.startsWith(QDir::homePath()))) {
        QFile::setPermissions(folder, pass);
        folder = QFileInfo(folder).absolutePath();
    }
    QVERIFY(QDir().mkpath(at(text("bin"))));
    QVERIFY(QFile::copy(qEnvironmentVariable("GLOVEBOX_BUILD_DIR") + text("/bin/glovebox-cli"),
                        at(text("bin/glovebox-cli"))));
    for (const char *name : {"PATH", "LANG", "GLOVEBOX_TOOLS_DIR", "ASAN_OPTIONS", "LSAN_OPTIONS",
                             "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
        if (qEnvironmentVariableIsSet(name)) {
            m_environment.insert(text(name), qEnvironmentVariable(name));
        }
    }
    m_environment.insert(text("GIT_CONFIG_NOSYSTEM"), text("1"));
    for (const char *role : {"AUTHOR", "COMMITTER"}) {
        m_environment.insert(text("GIT_%1_NAME").arg(text(role)), text("Tester"));
        m_environment.insert(text("GIT_%1_EMAIL").arg(text(role)), text("tester@example.com"));
    }
}

bool AgentRunsTest::startModel()
{
    const QString models = text(GLOVEBOX_SOURCE_DIR "/tests/fakes/model/");
    const auto portIn = [this](const char *file) {
        const QString path = at(text(file));
        const bool written = QTest::qWaitFor(
            [&path] { return readFile(path).value_or(QByteArray()).endsWith('\n'); }, 10'000);
        return written ? QString::fromLatin1(readFile(path)->trimmed()) : QString();
    };
    m_model.start(nodeProgram(),
                  {models + text("server.mjs"), text("--port"), text("0"), text("--port-file"),
                   at(text("model.port")), text("--log"), at(text("model.log"))});
    const QString model = portIn("model.port");
    m_proxy.start(nodeProgram(), {models + text("proxy.mjs"), modelHost, model,
                                  at(text("proxy.port")), at(text("proxy.log"))});
    const QString proxy = portIn("proxy.port");
    m_environment.insert(text("HTTP_PROXY"), text("http://127.0.0.1:") + proxy);
    return !model.isEmpty() && !proxy.isEmpty();
}

void AgentRunsTest::cleanupTestCase()
{
    for (QProcess *process : {&m_model, &m_proxy}) {
        process->kill();
        process->waitForFinished();
    }
}

void AgentRunsTest::versions_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::newRow("claude") << QByteArray("2.1.332");
    QTest::newRow("codex") << QByteArray("0.171.0");
}

void AgentRunsTest::versions()
{
    QFETCH(QByteArray, version);
    const QString agent = QString::fromLatin1(QTest::currentDataTag());
    QProcessEnvironment environment;
    environment.insert(text("HOME"), at(text("home")));
    environment.insert(text("PATH"), QFileInfo(nodeProgram()).path() + text(":/usr/bin:/bin"));
    QVERIFY(QDir().mkpath(at(text("home"))) && m_user.give(at(text("home"))));
    m_user.setEnvironment(environment);
    const OrdinaryUser::Ran ran = m_user.run(agentsFolder() + QLatin1Char('/') + agent,
                                             {text("--version")}, at(text("home")));
    QVERIFY2(ran.code == 0 && ran.output.contains(version), (ran.output + ran.error).constData());
}

/// The user's home with the agent behind a link, as a global npm has it, the data folder with the
/// user's agent file, the repository, the task.
void AgentRunsTest::makeProject(const QString &agent, const QJsonObject &file,
                                const QByteArray &front) const
{
    const auto inside = [this](const char *path) {
        return m_project + QLatin1Char('/') + text(path);
    };
    QVERIFY(QDir().mkpath(inside("home/.local/bin")));
    QVERIFY(QDir().mkpath(inside("data/agents")));
    QVERIFY(
        QFile::link(agentsFolder() + QLatin1Char('/') + agent, inside("home/.local/bin/") + agent));
    VERIFY_RESULT(
        writeFile(inside("data/agents/") + agent + text(".json"), QJsonDocument(file).toJson()));
    makeRepository(agent, front);
}

void AgentRunsTest::makeRepository(const QString &agent, const QByteArray &front) const
{
    QVERIFY(QDir().mkpath(m_project + text("/tmp")));
    const TestRepository repository(m_project + text("/repo"));
    repository.write(text("greeting.txt"), "hello\n");
    repository.write(text("tests/check.sh"), "grep -q 'hello, world' greeting.txt\n");
    repository.write(text("t.task.md"),
                     "---\ntitle: Greet\nacceptance: sh tests/check.sh\nnetwork: locked-down\n"
                     "agent: " +
                         agent.toUtf8() + '\n' + front +
                         "---\nChange greeting.txt so that it says: hello, world. Commit.\n");
    const QString base = repository.commitAll(text("Base"));
    QVERIFY(!base.isEmpty() && m_user.give(m_project));
}

OrdinaryUser::Ran AgentRunsTest::runTask(const QString &agent)
{
    QProcessEnvironment environment = m_environment;
    environment.insert(text("HOME"), m_project + text("/home"));
    environment.insert(text("TMPDIR"), m_project + text("/tmp"));
    environment.insert(text("PATH"), m_project + text("/home/.local/bin:/usr/bin:/bin:") +
                                         m_environment.value(text("PATH")));
    environment.insert(agent == text("claude") ? text("ANTHROPIC_API_KEY") : text("CODEX_API_KEY"),
                       QString::fromLatin1(marker(agent)));
    m_user.setEnvironment(environment);
    QFile::remove(at(text("proxy.log")));
    m_commandLines.clear();
    return m_user.run(at(text("bin/glovebox-cli")),
                      {text("run"), m_project + text("/repo/t.task.md"), text("--json"),
                       text("--data-dir"), m_project + text("/data")},
                      m_project, [this] { m_commandLines += commandLines(); });
}

QByteArray AgentRunsTest::git(const QStringList &arguments) const
{
    const OrdinaryUser::Ran ran = m_user.run(text("git"), arguments, m_project + text("/repo"));
    if (ran.code != 0) {
        QTest::qFail(ran.error.constData(), __FILE__, __LINE__);
    }
    return ran.output;
}

void AgentRunsTest::runs_data()
{
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QByteArray>("front");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<QByteArray>("files"); ///< that the branch changes; none = no branch
    for (const char *agent : {"claude", "codex"}) {
        const auto row = [agent](const char *scenario, const char *front, int code,
                                 const char *outcome, const char *files) {
            QTest::addRow("%s %s", agent, scenario)
                << text(agent) << text(scenario) << QByteArray(front) << code << text(outcome)
                << QByteArray(files);
        };
        const bool claude = text(agent) == text("claude");
        row("success", "scope: [greeting.txt]\n", 0, "accepted", "greeting.txt\n");
        row("liar", "", 3, "nothing_changed", "");
        row("blocked", "", 6, "blocked", "BLOCKED.md\n");
        row("slow", "", 0, "accepted", "greeting.txt\n");
        row("error", "", 0, "accepted", "greeting.txt\n");
        row("budget", claude ? "budget_usd: 2\n" : "timeout: 8s\n", 5,
            claude ? "budget_spent" : "timed_out", "progress.txt\n");
    }
}

void AgentRunsTest::runs()
{
    QFETCH(QString, agent);
    QFETCH(QString, scenario);
    QFETCH(QByteArray, front);
    QFETCH(int, code);
    QFETCH(QString, outcome);
    QFETCH(QByteArray, files);
    m_project = at(agent + scenario);
    const QString address = text("http://%1/s/%2").arg(modelHost, scenario);
    makeProject(agent, agentFile(agent, modelHost + text(":80"), address), front);
    const OrdinaryUser::Ran ran = runTask(agent);
    QVERIFY2(ran.code == code, (ran.error.right(900) + ran.output).constData());
    const QJsonObject report = QJsonDocument::fromJson(ran.output).object();
    QCOMPARE(report[text("outcome")].toString(), outcome);
    const bool ended = outcome != text("timed_out"); // Codex tells what it used at its end only
    checkReport(report, agent, ended);
    checkBranch(report, files);
    checkSecret(report, agent);
    QVERIFY(QDir(m_project + text("/data/sandboxes")).isEmpty());
}

void AgentRunsTest::checkReport(const QJsonObject &report, const QString &agent, bool ended) const
{
    const QJsonObject tokens = report[text("tokens")].toObject();
    for (const QString &side : {text("input"), text("output")}) {
        QVERIFY(ended ? tokens[side].toInteger() > 0 : tokens[side].isNull());
    }
    if (agent == text("claude")) {
        QVERIFY(report[text("cost_usd")].toDouble() > 0);
    } else {
        QVERIFY(report[text("cost_usd")].isNull());
    }
    const QString folder = m_project + text("/data/runs/") + report[text("run")].toString();
    const Result<QByteArray> receipt = readFile(folder + text("/receipt.json"));
    VERIFY_RESULT(receipt);
    const QJsonObject predicate =
        QJsonDocument::fromJson(*receipt).object()[text("predicate")].toObject();
    QCOMPARE(predicate[text("tokens")], report[text("tokens")]);
    QCOMPARE(predicate[text("cost_usd")], report[text("cost_usd")]);
    int proofs = 0;
    for (const QJsonValue &proof : report[text("boundary")].toArray()) {
        QVERIFY2(proof[text("passed")].toBool() && proof[text("tried")].toBool(),
                 QJsonDocument(proof.toObject()).toJson().constData());
        ++proofs;
    }
    QVERIFY(proofs >= 5);
    const QJsonArray egress = report[text("egress")].toArray();
    QCOMPARE(egress.size(), 1);
    QCOMPARE(egress[0][text("host")].toString(), modelHost);
    QVERIFY(egress[0][text("allowed")].toBool() && egress[0][text("count")].toInt() > 1);
    const Result<QByteArray> asked = readFile(at(text("proxy.log")));
    VERIFY_RESULT(asked);
    QVERIFY(asked->contains("POST model.test:80\n"));
    for (const QByteArray &line : asked->trimmed().split('\n')) {
        QVERIFY2(line.endsWith(" model.test:80"), line.constData());
    }
}

void AgentRunsTest::checkBranch(const QJsonObject &report, const QByteArray &files) const
{
    if (files.isEmpty()) {
        QVERIFY(report[text("branch")].isNull());
        QVERIFY(git({text("branch"), text("--list"), text("agent/*")}).isEmpty());
        return;
    }
    const QString branch = report[text("branch")].toString();
    QCOMPARE(branch, text("agent/greet"));
    QCOMPARE(QString::fromLatin1(git({text("rev-parse"), branch})).trimmed(),
             report[text("commit")].toString());
    QCOMPARE(git({text("diff"), text("--name-only"), text("main..") + branch}), files);
    QCOMPARE(git({text("merge-base"), text("main"), branch}),
             git({text("rev-parse"), text("main")}));
    if (files == "greeting.txt\n") {
        QCOMPARE(git({text("show"), branch + text(":greeting.txt")}), QByteArray("hello, world\n"));
    }
}

/// The key is in the agent's environment, and nowhere else.
void AgentRunsTest::checkSecret(const QJsonObject &report, const QString &agent)
{
    const QByteArray key = marker(agent);
    const auto seen = [this](const QByteArray &words) {
        return std::any_of(m_commandLines.cbegin(), m_commandLines.cend(),
                           [&words](const QByteArray &line) { return line.contains(words); });
    };
    QVERIFY2(seen(agent == text("claude") ? "stream-json" : "codex exec"),
             "the agent was not seen among the processes");
    QVERIFY(!seen(key));
    const QString folder = m_project + text("/data");
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    int bundles = 0;
    int read = 0;
    const QByteArray encoded = key.toBase64().left(24);
    while (files.hasNext()) {
        const QString file = files.next();
        const Result<QByteArray> bytes = readFile(file, 1LL << 30);
        VERIFY_RESULT(bytes);
        QVERIFY2(!bytes->contains(key) && !bytes->contains(encoded), qPrintable(file));
        ++read;
        if (file.endsWith(text(".bundle"))) {
            // What is packed shows its content only once it is unpacked.
            git({text("fetch"), text("-q"), file, text("+refs/*:refs/bundle%1/*").arg(++bundles)});
        }
    }
    QVERIFY(read > 5);
    QVERIFY(bundles > 0 || report[text("branch")].isNull());
    QVERIFY(
        !git({text("cat-file"), text("--batch-all-objects"), text("--batch"), text("--unordered")})
             .contains(key));
}

/// On a dead network Codex prints "Reconnecting..." and never ends: its silence does.
void AgentRunsTest::noticesAreNoLife()
{
    const QString agent = text("codex");
    m_project = at(text("dead"));
    QJsonObject file = agentFile(agent, text("gone.test:443"), text("https://gone.test"));
    QJsonObject ends = file.value(text("ends")).toObject();
    ends.insert(text("silenceSeconds"), 10);
    file.insert(text("ends"), ends);
    makeProject(agent, file, "timeout: 3m\n");
    const OrdinaryUser::Ran ran = runTask(agent);
    QVERIFY2(ran.code == 5, (ran.error.right(900) + ran.output).constData());
    QVERIFY2(ran.error.contains("Notice: Reconnecting"), ran.error.constData());
    const QJsonObject report = QJsonDocument::fromJson(ran.output).object();
    QCOMPARE(report[text("outcome")].toString(), text("timed_out"));
    QVERIFY(report[text("message")].toString().contains(text("silent")));
    QVERIFY(report[text("branch")].isNull());
    // The notices come 3, 12 and 25 seconds after the start: counted as life, it would take longer.
    for (const QJsonValue &stage : report[text("stages")].toArray()) {
        if (stage[text("phase")] == text("working")) {
            QVERIFY2(stage[text("duration_ms")].toInt() < 19'000,
                     QByteArray::number(stage[text("duration_ms")].toInt()).constData());
        }
    }
}

/// A package of npm below the home that nothing inside may read: it runs, and the home stays shut.
void AgentRunsTest::agentInTheHome()
{
    m_project = at(text("own"));
    const auto write = [this](const char *path, const QByteArray &bytes) {
        const QString file = m_project + QLatin1Char('/') + text(path);
        QVERIFY(QDir().mkpath(QFileInfo(file).absolutePath()));
        VERIFY_RESULT(writeFile(file, bytes));
        QFile::setPermissions(file, QFile::permissions(file) | QFileDevice::ExeOwner);
    };
    write("home/lib/node_modules/tiny/cli.sh",
          "#!/bin/sh\nset -e\n. \"$(dirname \"$(readlink -f \"$0\")\")/../neighbour/words.sh\"\n"
          "for path in private.txt lib/private.txt; do\n"
          "    ! cat \"$1/home/$path\" || exit 9\ndone\n"
          "echo x > \"$TMPDIR/x\"\nls -A \"$TINY_HOME\"\n"
          "echo \"$words\" > greeting.txt\ngit commit -qam Greet\n");
    write("home/lib/node_modules/neighbour/words.sh", "words='hello, world'\n");
    write("home/lib/private.txt", "private\n");
    write("home/private.txt", "private\n");
    const QJsonObject install{{text("npm"), text("tiny")}, {text("program"), text("tiny")}};
    const QJsonObject file{{text("id"), text("tiny")},
                           {text("install"), install},
                           {text("command"), QJsonArray{text("tiny"), m_project}},
                           {text("config"), QJsonObject{{text("variable"), text("TINY_HOME")}}},
                           {text("transcript"), text("plain")}};
    write("data/agents/tiny.json", QJsonDocument(file).toJson());
    QVERIFY(QDir().mkpath(m_project + text("/home/.local/bin")));
    QVERIFY(QFile::link(text("../../lib/node_modules/tiny/cli.sh"),
                        m_project + text("/home/.local/bin/tiny")));
    makeRepository(text("tiny"), {});
    const OrdinaryUser::Ran ran = runTask(text("tiny"));
    QVERIFY2(ran.code == 0, (ran.error.right(900) + ran.output).constData());
    const QJsonObject report = QJsonDocument::fromJson(ran.output).object();
    QCOMPARE(report[text("egress")].toArray().size(), 0);
    checkBranch(report, "greeting.txt\n");
}

QTEST_GUILESS_MAIN(AgentRunsTest)
#include "tst_agentruns.moc"
