// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cli.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/testing.h"

#include <QJsonArray>
#include <QRandomGenerator>

#include <csignal>

using namespace Glovebox;
using namespace Glovebox::Testing;

/// kill -9 at random moments of each phase, then a new start. GLOVEBOX_CRASH_ROUNDS says how often
/// (1; the label `long` runs 20).
class CrashTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void killed_data();
    void killed();

private:
    void oneRound(const QString &phase);
};

namespace {

const char taskText[] =
    "---\n"
    "title: Crash\n"
    "acceptance: sleep 0.5 && grep -q two a.txt\n"
    "scope: ['*.txt']\n"
    "setup: [sleep 0.4]\n"
    "network: locked-down\n"
    "timeout: 2m\n"
    "branch: crash\n"
    "agent:\n"
    "  command: echo two > a.txt && git commit -qam two && echo committed && sleep 1.5\n"
    "---\n"
    "Do it.\n";

/// Processes of this machine that carry a text in their command line or environment.
QStringList processesWith(const QByteArray &text)
{
    QStringList found;
    for (const QString &pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        for (const char *name : {"cmdline", "environ"}) {
            QFile file(QStringLiteral("/proc/%1/%2").arg(pid, QString::fromLatin1(name)));
            if (pid.toLongLong() > 0 && pid.toLongLong() != QCoreApplication::applicationPid() &&
                file.open(QIODevice::ReadOnly) && file.readAll().contains(text)) {
                found << pid;
            }
        }
    }
    return found;
}

} // namespace

void CrashTest::killed_data()
{
    QTest::addColumn<QString>("word");
    for (const char *phase : {"Packing", "Creating", "Proving", "Seeding", "Working", "Sealing",
                              "Checking", "Importing", "Releasing"}) {
        QTest::newRow(phase) << QString::fromLatin1(phase);
    }
}

void CrashTest::killed()
{
    QFETCH(QString, word);
    const int rounds = std::max(1, qEnvironmentVariableIntValue("GLOVEBOX_CRASH_ROUNDS"));
    for (int round = 0; round < rounds; ++round) {
        oneRound(word);
        if (QTest::currentTestFailed()) {
            qWarning("in round %d", round + 1);
            return;
        }
    }
}

void CrashTest::oneRound(const QString &phase)
{
    Testing::TemporaryFolder folder;
    const TestRepository repository(folder.filePath(QStringLiteral("repo")));
    repository.write(QStringLiteral("a.txt"), "one\n");
    repository.write(QStringLiteral("crash.task.md"), taskText);
    repository.commitAll(QStringLiteral("Base"));
    const QString data = folder.filePath(QStringLiteral("data"));
    const QStringList place{QStringLiteral("--data-dir"), data};
    bool committed = false;
    const CliResult killed = runCli(
        QStringList{QStringLiteral("run"), repository.folder() + QStringLiteral("/crash.task.md"),
                    QStringLiteral("--json")} +
            place,
        {}, [&](QProcess &process) {
            QByteArray seen;
            const QByteArray mark = QStringLiteral("── %1\n").arg(phase).toUtf8();
            while (!seen.contains(mark) && process.waitForReadyRead(60'000)) {
                seen += process.readAllStandardError();
            }
            // A random moment of the phase: not a wait for something, but the point of the test.
            process.waitForFinished(QRandomGenerator::global()->bounded(
                phase == QLatin1String("Working") ? 1500 : 500));
            seen += process.readAllStandardError();
            committed = seen.contains("\ncommitted");
            killProgram(process, SIGKILL);
        });
    Q_UNUSED(killed);
    // Nothing of it runs on.
    QTRY_VERIFY_WITH_TIMEOUT(processesWith(data.toUtf8()).isEmpty(), Testing::atMost(10'000));
    const CliResult listed = runCli(
        QStringList{QStringLiteral("runs"), QStringLiteral("list"), QStringLiteral("--json")} +
        place);
    QCOMPARE(listed.code, 0);
    const QJsonArray runs = listed.document[QLatin1String("runs")].toArray();
    QCOMPARE(runs.size(), 1);
    const QString outcome = runs.first()[QLatin1String("outcome")].toString();
    QVERIFY2(outcome == QLatin1String("interrupted") || outcome == QLatin1String("accepted"),
             qPrintable(outcome + QString::fromUtf8(listed.error)));
    const CliResult shown = runCli(QStringList{QStringLiteral("runs"), QStringLiteral("show"),
                                               QStringLiteral("last"), QStringLiteral("--json")} +
                                   place);
    for (const QJsonValue &sandbox : shown.document[QLatin1String("sandboxes")].toArray()) {
        QCOMPARE(sandbox[QLatin1String("state")].toString(), QStringLiteral("gone"));
    }
    QVERIFY(QDir(data + QStringLiteral("/sandboxes")).isEmpty());
    QVERIFY(processesWith(data.toUtf8()).isEmpty());
    if (committed) {
        const QString branch = runs.first()[QLatin1String("branch")].toString();
        QVERIFY2(!branch.isEmpty(), (listed.output + listed.error).constData());
        QCOMPARE(repository.git({QStringLiteral("show"), branch + QStringLiteral(":a.txt")}),
                 QByteArray("two\n"));
    }
    // A second start changes nothing.
    const CliResult again = runCli(
        QStringList{QStringLiteral("runs"), QStringLiteral("list"), QStringLiteral("--json")} +
        place);
    QCOMPARE(again.document, listed.document);
    QVERIFY(
        repository
            .git({QStringLiteral("branch"), QStringLiteral("--list"), QStringLiteral("agent/*")})
            .count('\n') <= 1);
}

QTEST_GUILESS_MAIN(CrashTest)
#include "tst_crash.moc"
