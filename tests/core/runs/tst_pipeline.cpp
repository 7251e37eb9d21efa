// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/core/runs/wholeway.h"
#include "tests/core/runs/workbench.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

} // namespace

/// What a run does on its way, over plain folders: checks, checkpoints, refusals, the dossier.
class PipelineTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void verifies_data();
    void verifies();
    void importRefusedKeepsTheBundle();
    void checkpointsLeaveTheIndexAlone();
    void changedBundleIsNotSent();
    void dossierIsWhole();
    void egressIsKept();

private:
    std::unique_ptr<Workbench> m_bench;
};

void PipelineTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void PipelineTest::verifies_data()
{
    QTest::addColumn<QString>("verify");
    QTest::addColumn<QString>("agent");
    QTest::addColumn<QStringList>("subjects"); ///< with what each ended
    QTest::addColumn<QString>("warning");
    QTest::addColumn<int>("sandboxes");
    const QString branch0 = QStringLiteral("branch 0");
    const QString base1 = QStringLiteral("base 1");
    const QString good = QString::fromLatin1(goodAgent);
    QTest::newRow("same") << QStringLiteral("same") << good << QStringList{branch0} << QString()
                          << 1;
    QTest::newRow("clean") << QStringLiteral("clean") << good << QStringList{branch0} << QString()
                           << 2;
    QTest::newRow("red on the base") << QStringLiteral("{in: same, base: true}") << good
                                     << QStringList{branch0, base1} << QString() << 1;
    QTest::newRow("green on the base")
        << QStringLiteral("{in: same, base: true}")
        << QStringLiteral("echo 'grep -q one src/a.txt || true' > tests/check.sh; echo x > src/b")
        << QStringList{branch0, QStringLiteral("base 0")}
        << QStringLiteral("Passed on the base as well") << 1;
    QTest::newRow("only with the changed tests")
        << QStringLiteral("{in: same, base_tests: ['tests/**']}")
        << QStringLiteral("echo true > tests/check.sh; git commit -qam cheat")
        << QStringList{branch0, QStringLiteral("branch_with_base_tests 1")}
        << QStringLiteral("Passes only with the changed tests.") << 1;
    QTest::newRow("deleted tests come back")
        << QStringLiteral("{in: clean, base_tests: ['tests/**']}")
        << QStringLiteral("echo two > src/a.txt; echo true > tests/check.sh")
        << QStringList{branch0, QStringLiteral("branch_with_base_tests 0")} << QString() << 2;
    QTest::newRow("only with an added test file")
        << QStringLiteral("{in: same, base_tests: ['tests/**']}")
        << QStringLiteral("echo 'test -f tests/more || grep -q two src/a.txt' > tests/check.sh; "
                          "git commit -qam sly; echo x > tests/more")
        << QStringList{branch0, QStringLiteral("branch_with_base_tests 1")}
        << QStringLiteral("Passes only with the changed tests.") << 1;
    QTest::newRow("tests that are none")
        << QStringLiteral("{in: same, base_tests: ['nowhere/**']}") << good
        << QStringList{branch0, QStringLiteral("branch_with_base_tests 0")}
        << QStringLiteral("base_tests matches no file of the base.") << 1;
}

void PipelineTest::verifies()
{
    QFETCH(QString, verify);
    QFETCH(QString, agent);
    QFETCH(QStringList, subjects);
    QFETCH(QString, warning);
    QFETCH(int, sandboxes);
    const bool greenBase =
        QString::fromLatin1(QTest::currentDataTag()) == QLatin1String("green on the base");
    if (greenBase) {
        m_bench->repository().write(QStringLiteral("tests/check.sh"), "true\n");
        (void)m_bench->repository().commitAll(QStringLiteral("A check that shows nothing"));
    }
    const std::shared_ptr<Run> run =
        m_bench->toEnd(QStringLiteral("scope: ['**']\nverify: %1\n").arg(verify), agent);
    QStringList seen;
    const Result<QList<Evidence>> evidence = m_bench->store().evidence(run->id());
    VERIFY_RESULT(evidence);
    for (const Evidence &item : *evidence) {
        seen << QStringLiteral("%1 %2").arg(subjectName(item.subject)).arg(item.result.exitCode);
        QCOMPARE(item.commit,
                 item.subject == Subject::Base ? run->plan().base() : run->returned().tip);
        QCOMPARE(item.role, sandboxes == 2 ? QStringLiteral("verify") : QStringLiteral("work"));
        const Result<QByteArray> digest = sha256OfFile(run->folder() + QLatin1Char('/') + item.log);
        VERIFY_RESULT(digest);
        QCOMPARE(item.outputSha256, *digest);
    }
    QCOMPARE(seen, subjects);
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), sandboxes);
    const QString warnings = run->warnings().join(QLatin1Char('\n'));
    QVERIFY2(warning.isEmpty() ? warnings.isEmpty() : warnings.contains(warning),
             qPrintable(warnings));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
}

void PipelineTest::importRefusedKeepsTheBundle()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QString(), QStringLiteral("h=$(echo x | git hash-object -w --stdin)\n"
                                  "t=$(printf '100644 blob %s\\t.GIT\\n' $h | git mktree)\n"
                                  "git update-ref HEAD $(git commit-tree -p HEAD -m w $t)\n"
                                  "echo two > src/a.txt"));
    QVERIFY2(run->outcome() == Outcome::ImportRefused, m_bench->log(*run).right(4000).constData());
    QVERIFY(QFile::exists(run->folder() + QStringLiteral("/result.bundle")));
    QVERIFY(m_bench->branches().isEmpty());
    const Result<QList<ImportRecord>> imports = m_bench->store().imports(run->id());
    VERIFY_RESULT(imports);
    QCOMPARE(imports->size(), 1);
    QCOMPARE(imports->first().verdict, QStringLiteral("refused"));
    QVERIFY(!imports->first().code.isEmpty());
    QCOMPARE(run->phase(), P::Failed);
    QVERIFY(m_bench->isAllReleased());
}

void PipelineTest::checkpointsLeaveTheIndexAlone()
{
    m_bench->limits().checkpointEach = std::chrono::milliseconds(50);
    const std::shared_ptr<Run> run = m_bench->submit(
        QString(),
        QStringLiteral("echo staged > src/b.txt; git add src/b.txt; echo two > src/a.txt\n"
                       "cp .git/index before; n=0\n"
                       "until [ -e ../go ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done\n"
                       "cmp before .git/index && git status --porcelain=v1 > ../status\n"
                       "rm before; cp ../status src/status"));
    QTRY_VERIFY_WITH_TIMEOUT(!run->checkpoints().isEmpty(), Testing::atMost(30'000));
    const CheckpointRecord first = run->checkpoints().first();
    QVERIFY(!first.sealed);
    const QString file = run->folder() + QLatin1Char('/') + first.file;
    const Result<QByteArray> digest = sha256OfFile(file);
    VERIFY_RESULT(digest);
    QCOMPARE(QString::fromLatin1(*digest), first.sha256);
    (void)m_bench->git(
        {QStringLiteral("bundle"), QStringLiteral("verify"), QStringLiteral("-q"), file});
    const QString work = m_bench->service().folder(m_bench->service().ids().first());
    QVERIFY(writeFile(QDir(work).filePath(QStringLiteral("work/go")), "go"));
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
    QCOMPARE(m_bench->git({QStringLiteral("show"), QStringLiteral("agent/a-task:src/status")}),
             QStringLiteral("M src/a.txt\nA  src/b.txt\n?? before"));
    QVERIFY(run->checkpoints().last().sealed);
    const Result<QList<CheckpointRecord>> stored = m_bench->store().checkpoints(run->id());
    VERIFY_RESULT(stored);
    QCOMPARE(stored->size(), run->checkpoints().size());
    // What the agent took back since may be in older ones.
    QCOMPARE(QDir(run->folder()).entryList({QStringLiteral("*.bundle")}, QDir::Files),
             (QStringList{QStringLiteral("base.bundle"), QStringLiteral("result.bundle")}));
}

void PipelineTest::changedBundleIsNotSent()
{
    const PreparedRun prepared = m_bench->prepared(QString(), QString::fromLatin1(goodAgent));
    QVERIFY(writeFile(prepared.plan.bundle.file, "another"));
    const Result<std::shared_ptr<Run>> run = m_bench->queue().submit(prepared);
    VERIFY_RESULT(run);
    QVERIFY(m_bench->waitForEnd(*run));
    QCOMPARE(*(*run)->outcome(), Outcome::SandboxError);
    QCOMPARE(m_bench->phases((*run)->id()), until(P::Packing, {P::Releasing, P::Failed}));
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), 0);
}

void PipelineTest::dossierIsWhole()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    for (const char *name : {"task.md", "plan.json", "report.json", "receipt.json", "run.log",
                             "base.bundle", "result.bundle"}) {
        QVERIFY2(QFile::exists(run->folder() + QLatin1Char('/') + QLatin1String(name)), name);
    }
    const QJsonObject receipt =
        QJsonDocument::fromJson(
            readFile(run->folder() + QStringLiteral("/receipt.json")).value_or(QByteArray()))
            .object();
    QCOMPARE(
        receipt[QLatin1String("subject")][0][QLatin1String("digest")][QLatin1String("gitCommit")]
            .toString(),
        run->returned().tip);
    const QJsonObject predicate = receipt[QLatin1String("predicate")].toObject();
    QCOMPARE(predicate[QLatin1String("outcome")].toString(), QStringLiteral("accepted"));
    QCOMPARE(predicate[QLatin1String("sandboxes")][0][QLatin1String("state")].toString(),
             QStringLiteral("gone"));
    QCOMPARE(predicate[QLatin1String("stages")].toArray().size(), wholeWay.size() + 1);
}

void PipelineTest::egressIsKept()
{
    EgressEntry entry{
        QStringLiteral("evil.example.com"), 443, false, 3, QDateTime::currentDateTimeUtc(),
        QDateTime::currentDateTimeUtc()};
    m_bench->faults().egress << entry;
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    const Result<QList<EgressRecord>> egress = m_bench->store().egress(run->id());
    VERIFY_RESULT(egress);
    QCOMPARE(egress->size(), 1);
    QCOMPARE(egress->first().host, entry.host);
    QCOMPARE(egress->first().count, 3);
    QCOMPARE(run->egress().size(), 1);
}

QTEST_GUILESS_MAIN(PipelineTest)
#include "tst_pipeline.moc"
