// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cli.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/testing.h"

#include <QJsonArray>

using namespace Glovebox;
using namespace Glovebox::Testing;

/// The demo's tasks on real srt, through the real program: what a newcomer does first.
class DemoRunsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void outcomes_data();
    void outcomes();
    void acceptedBranchIsRight();
    void receiptAndDossierAreThere();
    void nothingIsLeft();

private:
    [[nodiscard]] QString demo(const QString &name = {}) const
    {
        return m_folder.filePath(QStringLiteral("demo/") + name);
    }
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--data-dir")
                         << m_folder.filePath(QStringLiteral("data")) << QStringLiteral("--json");
    }

    Testing::TemporaryFolder m_folder;
    QJsonObject m_accepted;
};

void DemoRunsTest::initTestCase()
{
    const CliResult made = runCli(with({QStringLiteral("demo"), demo()}));
    QCOMPARE(made.code, 0);
    QCOMPARE(made.document[QLatin1String("tasks")].toArray().size(), 5);
}

void DemoRunsTest::outcomes_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<bool>("branch");
    QTest::newRow("demo") << 0 << QStringLiteral("accepted") << true;
    QTest::newRow("liar") << 1 << QStringLiteral("acceptance_failed") << true;
    QTest::newRow("idle") << 3 << QStringLiteral("nothing_changed") << false;
    QTest::newRow("blocked") << 6 << QStringLiteral("blocked") << true;
    QTest::newRow("egress") << 7 << QStringLiteral("boundary_not_enforced") << false;
}

void DemoRunsTest::outcomes()
{
    QFETCH(int, code);
    QFETCH(QString, outcome);
    QFETCH(bool, branch);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    const QByteArray before = snapshot(demo());
    const CliResult result =
        runCli(with({QStringLiteral("run"), demo(name + QStringLiteral(".task.md"))}));
    QVERIFY2(result.code == code, (result.output + result.error).constData());
    QCOMPARE(result.document[QLatin1String("outcome")].toString(), outcome);
    QVERIFY(!result.document[QLatin1String("next_step")].toString().isEmpty());
    QVERIFY(!result.document[QLatin1String("stages")].toArray().isEmpty());
    QCOMPARE(result.document[QLatin1String("branch")].isString(), branch);
    for (const QJsonValue &sandbox : result.document[QLatin1String("sandboxes")].toArray()) {
        QCOMPARE(sandbox[QLatin1String("state")].toString(), QStringLiteral("gone"));
    }
    if (name == QLatin1String("demo")) {
        m_accepted = result.document;
    }
    // The user's files, index, HEAD and configuration are what they were; only the branch is new.
    const QByteArray ref = "refs/heads/agent/" + name.toLatin1();
    QByteArrayList changed;
    for (const QByteArray &line : snapshot(demo()).split('\n')) {
        if (!before.contains(line) && !line.contains("/.git/objects/") &&
            !line.contains("/refs/heads/agent") && !line.contains("/refs/glovebox")) {
            changed << line;
        }
    }
    QVERIFY2(changed.isEmpty(), changed.join('\n').constData());
    if (!branch) {
        QVERIFY(run(QStringLiteral("git"),
                    {QStringLiteral("for-each-ref"), QString::fromLatin1(ref)}, demo())
                    .isEmpty());
    }
}

void DemoRunsTest::acceptedBranchIsRight()
{
    const QString branch = m_accepted[QLatin1String("branch")].toString();
    QCOMPARE(branch, QStringLiteral("agent/demo"));
    const QString commit = m_accepted[QLatin1String("commit")].toString();
    const auto git = [this](const QStringList &arguments) {
        return QString::fromUtf8(run(QStringLiteral("git"), arguments, demo())).trimmed();
    };
    QCOMPARE(git({QStringLiteral("rev-parse"), branch}), commit);
    QCOMPARE(git({QStringLiteral("merge-base"), branch, QStringLiteral("main")}),
             git({QStringLiteral("rev-parse"), QStringLiteral("main")}));
    QCOMPARE(git({QStringLiteral("diff"), QStringLiteral("--name-only"), QStringLiteral("main"),
                  branch}),
             QStringLiteral("greet.sh"));
    const QJsonObject evidence = m_accepted[QLatin1String("evidence")].toArray().first().toObject();
    QCOMPARE(evidence[QLatin1String("commit")].toString(), commit);
    QCOMPARE(evidence[QLatin1String("exit_code")].toInt(), 0);
    QCOMPARE(evidence[QLatin1String("sandbox")].toString(), QStringLiteral("verify"));
}

void DemoRunsTest::receiptAndDossierAreThere()
{
    const QString folder = m_folder.filePath(QStringLiteral("data/runs/") +
                                             m_accepted[QLatin1String("run")].toString());
    for (const char *name : {"task.md", "plan.json", "report.json", "receipt.json", "run.log",
                             "base.bundle", "result.bundle"}) {
        QVERIFY2(QFile::exists(folder + QLatin1Char('/') + QString::fromLatin1(name)), name);
    }
    QFile receipt(folder + QStringLiteral("/receipt.json"));
    QVERIFY(receipt.open(QIODevice::ReadOnly));
    const QJsonObject statement = QJsonDocument::fromJson(receipt.readAll()).object();
    QCOMPARE(statement[QLatin1String("_type")].toString(),
             QStringLiteral("https://in-toto.io/Statement/v1"));
    QCOMPARE(
        statement[QLatin1String("subject")][0][QLatin1String("digest")][QLatin1String("gitCommit")]
            .toString(),
        m_accepted[QLatin1String("commit")].toString());
    const CliResult exported =
        runCli(with({QStringLiteral("runs"), QStringLiteral("export"), QStringLiteral("last"),
                     m_folder.filePath(QStringLiteral("out"))}));
    QCOMPARE(exported.code, 0);
    QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("out/receipt.json"))));
    const CliResult listed = runCli(with({QStringLiteral("runs"), QStringLiteral("list")}));
    QCOMPARE(listed.document[QLatin1String("runs")].toArray().size(), 5);
    const CliResult review =
        runCli(with({QStringLiteral("review"), m_accepted[QLatin1String("run")].toString()}));
    QCOMPARE(review.document[QLatin1String("files")].toArray().size(), 1);
    QCOMPARE(review.document[QLatin1String("out_of_scope")].toArray().size(), 0);
}

void DemoRunsTest::nothingIsLeft()
{
    QVERIFY(QDir(m_folder.filePath(QStringLiteral("data/sandboxes"))).isEmpty());
}

QTEST_GUILESS_MAIN(DemoRunsTest)
#include "tst_demoruns.moc"
