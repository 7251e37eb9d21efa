// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"
#include "core/checks/canaries.h"
#include "core/checks/canarylistener.h"
#include "core/checks/evidence.h"
#include "tests/fakes/policyproxy.h"
#include "tests/support/testing.h"

#include <QDir>
#include <QTcpSocket>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

using Mode = PolicyProxy::Mode;

namespace {

QString programOf(const char *name)
{
    return findProgram(QString::fromLatin1(name), qEnvironmentVariable("PATH")).value_or(QString());
}

} // namespace

/// The canaries as a sandbox runs them: with real shells and clients, through a proxy on the
/// loopback, and the listener that judges.
class CanariesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void tries_data();
    void tries();
    void withoutAnyClient();
    void readsOnlyItsOwnLines();
    void namesAreQuoted();
    void variableNames_data();
    void variableNames();
    void secretNames_data();
    void secretNames();
    void listenerHears_data();
    void listenerHears();
    void subjects();

private:
    [[nodiscard]] QByteArray runScript(const QString &script, const QString &path,
                                       const QString &proxy);
    /// A folder with these programs alone.
    [[nodiscard]] QString pathWith(const QStringList &programs);

    QTemporaryDir m_folder;
    int m_folders = 0;
};

void CanariesTest::initTestCase()
{
    QVERIFY(!programOf("curl").isEmpty() && !programOf("node").isEmpty());
}

QString CanariesTest::pathWith(const QStringList &programs)
{
    const QString path = m_folder.filePath(QStringLiteral("bin%1").arg(++m_folders));
    QDir().mkpath(path);
    for (const QString &program : programs) {
        QFile file(path + QLatin1Char('/') + program);
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("no program can be made");
        }
        file.write("#!/bin/sh\nexec '" + programOf(qPrintable(program)).toUtf8() + "' \"$@\"\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    return path;
}

QByteArray CanariesTest::runScript(const QString &script, const QString &path, const QString &proxy)
{
    ProcessRequest request;
    request.program = QStringLiteral("/bin/sh");
    request.arguments = {QStringLiteral("-c"), script};
    request.environment.insert(QStringLiteral("PATH"), path);
    request.environment.insert(QStringLiteral("TMPDIR"), m_folder.path());
    request.environment.insert(QStringLiteral("NO_PROXY"), QStringLiteral("localhost,127.0.0.1"));
    if (!proxy.isEmpty()) {
        for (const char *name : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"}) {
            request.environment.insert(QString::fromLatin1(name), proxy);
        }
    }
    const Result<ProcessResult> result = await(runProcess(request, {}));
    return result ? result->output : QByteArray("(failed)");
}

void CanariesTest::tries_data()
{
    QTest::addColumn<QString>("client");
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<bool>("heard");  ///< on the allowed port
    QTest::addColumn<bool>("leaked"); ///< on the forbidden one
    QTest::addColumn<CanaryAnswer>("forbiddenName");
    QTest::addColumn<CanaryAnswer>("allowedName");
    for (const char *client : {"curl", "node"}) {
        const QString name = QString::fromLatin1(client);
        QTest::addRow("%s, honest", client) << name << Mode::Honest << true << false
                                            << CanaryAnswer::Refused << CanaryAnswer::Unreachable;
        QTest::addRow("%s, leaks", client) << name << Mode::Leaks << true << true
                                           << CanaryAnswer::Answered << CanaryAnswer::Answered;
        QTest::addRow("%s, deaf", client) << name << Mode::Deaf << false << false
                                          << CanaryAnswer::Refused << CanaryAnswer::Refused;
    }
}

void CanariesTest::tries()
{
    QFETCH(QString, client);
    QFETCH(Mode, mode);
    QFETCH(bool, heard);
    QFETCH(bool, leaked);
    const Result<std::unique_ptr<CanaryListener>> listener = CanaryListener::open();
    VERIFY_RESULT(listener);
    NetworkPolicy policy;
    policy.allow << HostRule{QStringLiteral("127.0.0.1"), (*listener)->allowedPort()}
                 << HostRule{QStringLiteral("api.example.org"), {}};
    const PolicyProxy proxy(policy, mode);
    const QByteArray nonce = "nonce-of-this-test";
    const auto url = [&](quint16 port) {
        return QStringLiteral("http://127.0.0.1:%1/%2").arg(port).arg(QString::fromLatin1(nonce));
    };
    const QString script = canaryScript(
        {CanaryTarget{QStringLiteral("allowed"), url((*listener)->allowedPort())},
         CanaryTarget{QStringLiteral("forbidden"), url((*listener)->forbiddenPort())},
         CanaryTarget{QStringLiteral("forbidden-name"), QStringLiteral("https://example.com/")},
         CanaryTarget{QStringLiteral("allowed-name"), QStringLiteral("https://api.example.org/")}});
    const QString path = pathWith({client, QStringLiteral("mktemp"), QStringLiteral("grep"),
                                   QStringLiteral("rm"), QStringLiteral("sh")});
    const QByteArray output = runScript(script, path, proxy.url());
    const QHash<QString, CanaryAnswer> answers = readCanaryAnswers(output);
    QCOMPARE((*listener)->heardOnAllowed(nonce), heard);
    QCOMPARE((*listener)->heardOnForbidden(nonce), leaked);
    QCOMPARE(answers.value(QStringLiteral("allowed")) == CanaryAnswer::Answered, heard);
    QCOMPARE(answers.value(QStringLiteral("forbidden")) == CanaryAnswer::Answered, leaked);
    QTEST(answers.value(QStringLiteral("forbidden-name"), CanaryAnswer::NoClient), "forbiddenName");
    QTEST(answers.value(QStringLiteral("allowed-name"), CanaryAnswer::NoClient), "allowedName");
}

void CanariesTest::withoutAnyClient()
{
    const QString script =
        canaryScript({CanaryTarget{QStringLiteral("one"), QStringLiteral("http://127.0.0.1:1/x")}});
    const QByteArray output = runScript(script, pathWith({QStringLiteral("sh")}), {});
    QCOMPARE(output, QByteArray("canary one no-client\n"));
    QCOMPARE(readCanaryAnswers(output).value(QStringLiteral("one")), CanaryAnswer::NoClient);
}

void CanariesTest::readsOnlyItsOwnLines()
{
    const QHash<QString, CanaryAnswer> answers = readCanaryAnswers(
        "noise\ncanary a answered\ncanary b refused\r\ncanary c maybe\ncanary d unreachable\n"
        "canary e refused more\ncanary\n\n canary f answered\n");
    QCOMPARE(answers.size(), 2);
    QCOMPARE(answers.value(QStringLiteral("a")), CanaryAnswer::Answered);
    QCOMPARE(answers.value(QStringLiteral("d")), CanaryAnswer::Unreachable);
}

void CanariesTest::namesAreQuoted()
{
    const QString script = canaryScript(
        {CanaryTarget{QStringLiteral("one"), QStringLiteral("http://x/'; echo broken out; '")}});
    const QByteArray output = runScript(script, pathWith({QStringLiteral("sh")}), {});
    QCOMPARE(output, QByteArray("canary one no-client\n"));
}

void CanariesTest::variableNames_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("probe");
    const auto row = [](const char *program, const char *probe) {
        QTest::newRow(program) << QString::fromLatin1(program) << QString::fromLatin1(probe);
    };
    row("awk", "awk 'BEGIN { print 1 }'");
    row("node", "node -p 1");
    row("python3", "python3 -c 'print(1)'");
}

void CanariesTest::variableNames()
{
    QFETCH(QString, program);
    const QString path = pathWith({program});
    QFETCH(QString, probe);
    if (runScript(probe, path, {}) != "1\n") {
        QSKIP("not on this machine, or not without the rest of its PATH");
    }
    const QByteArray output = runScript(variableNamesScript(), path, {});
    QVERIFY2(output.split('\n').contains("PATH"), output.constData());
    QVERIFY(output.split('\n').contains("NO_PROXY"));
    QVERIFY(!output.contains("localhost")); // names, never values
}

void CanariesTest::secretNames_data()
{
    QTest::addColumn<QByteArray>("names");
    QTest::addColumn<QStringList>("expected");
    QTest::addColumn<QString>("found");
    const QStringList planned{QStringLiteral("MY_TOKEN")};
    const auto row = [&](const char *name, const char *names, const char *found) {
        QTest::newRow(name) << QByteArray(names) << planned << QString::fromLatin1(found);
    };
    row("planned", "PATH\nHOME\nMY_TOKEN\n", "");
    row("well known", "AWS_SECRET_ACCESS_KEY\nGITHUB_TOKEN\n",
        "AWS_SECRET_ACCESS_KEY GITHUB_TOKEN");
    row("of npm", "npm_config__authToken\n", "npm_config__authToken");
    row("twice", "DB_PASSWORD\nDB_PASSWORD\n", "DB_PASSWORD");
    row("only alike", "MONKEY\nKEYBOARD\nAUTHOR\nPATTERN\nCOMPAT\n", "");
    row("whole words", "KEY\nA_KEY_B\nMY_PAT\nSSH_AUTH_SOCK\nSESSION\n",
        "A_KEY_B KEY MY_PAT SESSION SSH_AUTH_SOCK");
    row("no names", "my-token\n1TOKEN\nTOKEN=value\n\xff\xfeTOKEN\n", "");
    row("lower case", "client_secret\nPRIVATE_DATA\n", "PRIVATE_DATA client_secret");
}

void CanariesTest::secretNames()
{
    QFETCH(QByteArray, names);
    QFETCH(QStringList, expected);
    QFETCH(QString, found);
    QCOMPARE(unexpectedSecrets(names, expected).join(QLatin1Char(' ')), found);
}

void CanariesTest::listenerHears_data()
{
    QTest::addColumn<QByteArrayList>("pieces");
    QTest::addColumn<QByteArray>("nonce");
    QTest::newRow("origin form") << QByteArrayList{"GET /abc HTTP/1.1\r\n\r\n"}
                                 << QByteArray("abc");
    QTest::newRow("absolute form")
        << QByteArrayList{"GET http://127.0.0.1:1/abc HTTP/1.1\r\n\r\n"} << QByteArray("abc");
    QTest::newRow("in pieces") << QByteArrayList{"GET /a", "bc HT", "TP/1.1\r\n\r\n"}
                               << QByteArray("abc");
    QTest::newRow("too long") << QByteArrayList{QByteArray(10'000, 'x')} << QByteArray();
    QTest::newRow("no request") << QByteArrayList{"\r\n"} << QByteArray();
}

void CanariesTest::listenerHears()
{
    QFETCH(QByteArrayList, pieces);
    QFETCH(QByteArray, nonce);
    const Result<std::unique_ptr<CanaryListener>> listener = CanaryListener::open();
    VERIFY_RESULT(listener);
    QVERIFY((*listener)->allowedPort() != (*listener)->forbiddenPort());
    for (const bool allowed : {true, false}) {
        QTcpSocket socket;
        QByteArray answer;
        connect(&socket, &QTcpSocket::readyRead, this, [&] { answer += socket.readAll(); });
        socket.connectToHost(QHostAddress::LocalHost,
                             allowed ? (*listener)->allowedPort() : (*listener)->forbiddenPort());
        for (const QByteArray &piece : pieces) {
            socket.write(piece);
            QTRY_COMPARE(socket.bytesToWrite(), 0);
            QTest::qWait(5); // a packet of its own
        }
        QTRY_VERIFY(answer.endsWith("ok\n"));
        QCOMPARE((*listener)->heardOnAllowed(nonce), true);
        QCOMPARE((*listener)->heardOnForbidden(nonce), !allowed);
        QVERIFY(!(*listener)->heardOnAllowed("another"));
    }
}

void CanariesTest::subjects()
{
    QCOMPARE(subjectName(Subject::Branch), QStringLiteral("branch"));
    QCOMPARE(subjectName(Subject::Base), QStringLiteral("base"));
    QCOMPARE(subjectName(Subject::BranchWithBaseTests), QStringLiteral("branch_with_base_tests"));
    QSet<QString> texts;
    for (const Subject subject : {Subject::Branch, Subject::Base, Subject::BranchWithBaseTests}) {
        texts << subjectText(subject);
    }
    QCOMPARE(texts.size(), 3);
    Evidence evidence;
    QVERIFY(evidence.unknown() && !evidence.passed());
    evidence.result.end = CommandResult::End::Exited;
    evidence.result.exitCode = 0;
    QVERIFY(evidence.passed() && !evidence.unknown());
    evidence.result.end = CommandResult::End::TimedOut;
    QVERIFY(!evidence.passed() && !evidence.unknown());
}

QTEST_GUILESS_MAIN(CanariesTest)
#include "tst_canaries.moc"
