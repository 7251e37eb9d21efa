// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cli.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/testing.h"

#include <QJsonArray>

#include <csignal>

using namespace Glovebox;
using namespace Glovebox::Testing;

/// Every outcome on real srt with a scripted agent, and what agents do that nobody asked for.
class OutcomesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void outcomes_data();
    void outcomes();
    void cancelKeepsWork();
    void cancelBeforeTheAgent();
    void secondRunGetsASuffix();
    void noRepository();
    void dirtyTreeIsSaidNotRefused();
    void secretsAreNowhere();

private:
    [[nodiscard]] CliResult runTask(const QString &frontMatter, const QString &agent,
                                    const QStringList &more = {},
                                    const QStringList &environment = {},
                                    const std::function<void(QProcess &)> &started = {});
    [[nodiscard]] QString git(const QStringList &arguments) const
    {
        return QString::fromUtf8(m_repository->git(arguments)).trimmed();
    }

    std::unique_ptr<Testing::TemporaryFolder> m_folder;
    std::unique_ptr<TestRepository> m_repository;
};

void OutcomesTest::init()
{
    m_folder = std::make_unique<Testing::TemporaryFolder>();
    m_repository =
        std::make_unique<TestRepository>(m_folder->filePath(QStringLiteral("repo with blank")));
    m_repository->write(QStringLiteral("src/a.txt"), "one\n");
    m_repository->write(QStringLiteral("tests/check.sh"), "grep -q two src/a.txt\n");
    m_repository->commitAll(QStringLiteral("Base"));
}

CliResult OutcomesTest::runTask(const QString &frontMatter, const QString &agent,
                                const QStringList &more, const QStringList &environment,
                                const std::function<void(QProcess &)> &started)
{
    const QString acceptance = frontMatter.contains(QLatin1String("acceptance:"))
                                   ? QString()
                                   : QStringLiteral("acceptance: sh tests/check.sh\n");
    const QString task =
        QStringLiteral("---\ntitle: A task\n%1scope: [src/**]\n%2%3"
                       "agent:\n  command: |\n    %4\n---\nDo it.\n")
            .arg(acceptance,
                 (frontMatter.contains(QLatin1String("network:"))
                      ? QString()
                      : QStringLiteral("network: locked-down\n")) +
                     (frontMatter.startsWith(QLatin1String("timeout:"))
                          ? QString()
                          : QStringLiteral("timeout: 2m\n")),
                 frontMatter, QString(agent).replace(QLatin1Char('\n'), QLatin1String("\n    ")));
    const QString file = m_folder->filePath(QStringLiteral("t.task.md"));
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(task.toUtf8()) < 0) {
        qFatal("cannot write the task");
    }
    out.close();
    return runCli(QStringList{QStringLiteral("run"), file, QStringLiteral("--repo"),
                              m_repository->folder(), QStringLiteral("--json"),
                              QStringLiteral("--data-dir"),
                              m_folder->filePath(QStringLiteral("data"))} +
                      more,
                  environment, started);
}

void OutcomesTest::outcomes_data()
{
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("agent");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("outcome");
    const auto row = [](const char *name, const char *front, const char *agent, int code,
                        const char *outcome) {
        QTest::newRow(name) << QString::fromLatin1(front) << QString::fromLatin1(agent) << code
                            << QString::fromLatin1(outcome);
    };
    const char good[] = "echo two > src/a.txt; git commit -qam work";
    row("accepted", "", good, 0, "accepted");
    row("accepted in the same sandbox", "verify: same\n", good, 0, "accepted");
    row("accepted with base and base tests",
        "verify: {in: clean, base: true, base_tests: ['tests/**']}\n", good, 0, "accepted");
    row("open network", "network: open\n", good, 0, "accepted");
    row("uncommitted work is taken", "", "echo two > src/a.txt", 0, "accepted");
    row("a new file with an odd name", "",
        "echo two > src/a.txt; echo x > \"src/$(printf 'n\\303\\251w\\t-f')\"; git add -A; git "
        "commit -qm w",
        0, "accepted");
    row("acceptance failed", "", "echo three > src/a.txt; git commit -qam work", 1,
        "acceptance_failed");
    row("acceptance times out", "acceptance: {run: sleep 60 && false, timeout: 2s}\n", good, 1,
        "acceptance_failed");
    row("out of scope", "", "echo two > src/a.txt; echo x > other; git add -A; git commit -qm w", 1,
        "out_of_scope");
    row("nothing changed", "", "echo I did nothing", 3, "nothing_changed");
    row("blocked", "", "echo why > BLOCKED.md; git add -A; git commit -qm b", 6, "blocked");
    row("timed out, work kept", "timeout: 5s\n",
        "echo two > src/a.txt; git commit -qam w; sleep 60", 5, "timed_out");
    row("setup failed", "setup: ['false']\n", good, 4, "setup_failed");
    row("agent error", "", "echo broken >&2; exit 9", 4, "agent_error");
    row("agent error after work is judged by the branch", "",
        "echo two > src/a.txt; git commit -qam w; exit 9", 0, "accepted");
    row("a daemon is left behind", "",
        "echo two > src/a.txt; git commit -qam w; setsid sleep 600 & exit 0", 0, "accepted");
    row("a million lines", "", "echo two > src/a.txt; git commit -qam w; seq 1000000", 0,
        "accepted");
    row("binary output", "", "echo two > src/a.txt; git commit -qam w; head -c 300000 /dev/urandom",
        0, "accepted");
    row("the repository is deleted", "", "echo two > src/a.txt; rm -rf .git", 0, "accepted");
    row("hooks and filters are planted", "",
        "echo two > src/a.txt; git commit -qam w; mkdir -p .git/hooks; printf '#!/bin/sh\\nsleep "
        "60\\n' > .git/hooks/post-commit; chmod +x .git/hooks/*; git config core.fsmonitor 'sleep "
        "60'",
        0, "accepted");
    row("a forged base commit", "",
        "git checkout -q --orphan x; git commit -qm all; echo two > src/a.txt; git commit -qam w",
        0, "accepted");
}

void OutcomesTest::outcomes()
{
    QFETCH(QString, front);
    QFETCH(QString, agent);
    QFETCH(int, code);
    QFETCH(QString, outcome);
    const QStringList options = front.contains(QLatin1String("network: open"))
                                    ? QStringList{QStringLiteral("--accept-open")}
                                    : QStringList();
    const CliResult result = runTask(front, agent, options);
    QVERIFY2(result.code == code, (result.output + result.error).right(6000).constData());
    QCOMPARE(result.document[QLatin1String("outcome")].toString(), outcome);
    const QString branch = result.document[QLatin1String("branch")].toString();
    if (!branch.isEmpty()) {
        QCOMPARE(git({QStringLiteral("rev-parse"), branch}),
                 result.document[QLatin1String("commit")].toString());
        QCOMPARE(git({QStringLiteral("merge-base"), QStringLiteral("main"), branch}),
                 git({QStringLiteral("rev-parse"), QStringLiteral("main")}));
    }
    QVERIFY(QDir(m_folder->filePath(QStringLiteral("data/sandboxes"))).isEmpty());
}

void OutcomesTest::cancelKeepsWork()
{
    const CliResult result = runTask(
        QString(), QStringLiteral("echo two > src/a.txt; git commit -qam w; echo ready; sleep 100"),
        {}, {}, [](QProcess &process) {
            QByteArray seen;
            while (!seen.contains("\nready") && process.waitForReadyRead(60'000)) {
                seen += process.readAllStandardError();
            }
            killProgram(process, SIGINT);
        });
    QCOMPARE(result.code, 130);
    QCOMPARE(result.document[QLatin1String("outcome")].toString(), QStringLiteral("cancelled"));
    QCOMPARE(git({QStringLiteral("show"), QStringLiteral("agent/a-task:src/a.txt")}),
             QStringLiteral("two"));
    QVERIFY(QDir(m_folder->filePath(QStringLiteral("data/sandboxes"))).isEmpty());
}

void OutcomesTest::cancelBeforeTheAgent()
{
    const CliResult result =
        runTask(QStringLiteral("setup: [echo setting up && sleep 100]\n"), QStringLiteral("true"),
                {}, {}, [](QProcess &process) {
                    QByteArray seen;
                    while (!seen.contains("\nsetting up") && process.waitForReadyRead(60'000)) {
                        seen += process.readAllStandardError();
                    }
                    killProgram(process, SIGTERM);
                });
    QCOMPARE(result.code, 130);
    QVERIFY(git({QStringLiteral("branch"), QStringLiteral("--list"), QStringLiteral("agent/*")})
                .isEmpty());
    QVERIFY(QDir(m_folder->filePath(QStringLiteral("data/sandboxes"))).isEmpty());
}

void OutcomesTest::secondRunGetsASuffix()
{
    const QString agent = QStringLiteral("echo two > src/a.txt; git commit -qam work");
    QCOMPARE(runTask(QString(), agent).document[QLatin1String("branch")].toString(),
             QStringLiteral("agent/a-task"));
    QCOMPARE(runTask(QString(), agent).document[QLatin1String("branch")].toString(),
             QStringLiteral("agent/a-task-2"));
}

void OutcomesTest::noRepository()
{
    Testing::TemporaryFolder empty;
    const QString file = empty.filePath(QStringLiteral("x.task.md"));
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("---\ntitle: x\nacceptance: make test\n---\nDo it.\n");
    out.close();
    const CliResult result =
        runCli({QStringLiteral("run"), file, QStringLiteral("--repo"), empty.path(),
                QStringLiteral("--data-dir"), m_folder->filePath(QStringLiteral("data"))});
    QCOMPARE(result.code, 2);
    QVERIFY(result.error.contains("repository"));
}

void OutcomesTest::dirtyTreeIsSaidNotRefused()
{
    m_repository->write(QStringLiteral("src/a.txt"), "changed and not committed\n");
    const CliResult result =
        runTask(QString(), QStringLiteral("echo two > src/a.txt; git commit -qam work"));
    QCOMPARE(result.code, 0);
    QVERIFY(result.error.contains("not committed"));
    QFile file(m_repository->folder() + QStringLiteral("/src/a.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("changed and not committed\n"));
}

void OutcomesTest::secretsAreNowhere()
{
    const QByteArray marker = "Zq9-MARKER-77c1e2";
    const CliResult result =
        runTask(QStringLiteral("env: [MY_TOKEN]\n"),
                QStringLiteral("echo \"the key is $MY_TOKEN\"; echo $MY_TOKEN | base64; echo two > "
                               "src/a.txt; git commit -qam w"),
                {QStringLiteral("--confirm-env"), QStringLiteral("MY_TOKEN")},
                {QStringLiteral("MY_TOKEN=") + QString::fromLatin1(marker)});
    QVERIFY2(result.code == 0, result.error.constData());
    QVERIFY(result.error.contains("[redacted:MY_TOKEN]"));
    const QByteArray found = [&] {
        QProcess grep;
        grep.start(QStringLiteral("grep"),
                   {QStringLiteral("-rlaF"), QStringLiteral("-e"), QString::fromLatin1(marker),
                    QStringLiteral("-e"), QString::fromLatin1((marker + "\n").toBase64().left(20)),
                    m_folder->filePath(QStringLiteral("data"))});
        grep.waitForFinished();
        return grep.readAllStandardOutput();
    }();
    QVERIFY2(found.isEmpty(), found.constData());
    const CliResult leaked =
        runTask(QStringLiteral("env: [MY_TOKEN]\n"),
                QStringLiteral("echo two $MY_TOKEN > src/a.txt; git commit -qam w"),
                {QStringLiteral("--confirm-env"), QStringLiteral("MY_TOKEN")},
                {QStringLiteral("MY_TOKEN=") + QString::fromLatin1(marker)});
    QCOMPARE(leaked.code, 4);
    QCOMPARE(leaked.document[QLatin1String("outcome")].toString(),
             QStringLiteral("import_refused"));
}

QTEST_GUILESS_MAIN(OutcomesTest)
#include "tst_outcomes.moc"
