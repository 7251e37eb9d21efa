// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/runs/runstore.h"
#include "core/runs/sql.h"
#include "tests/support/testing.h"

#include <QProcess>
#include <QTemporaryDir>

using namespace Glovebox;

namespace {

RunRecord someRun()
{
    RunRecord run;
    run.id = newId();
    run.repository = QStringLiteral("/repo");
    run.gitFolder = QStringLiteral("/repo/.git");
    run.taskPath = QStringLiteral("/repo/a.task.md");
    run.taskDigest = QStringLiteral("d1");
    run.title = QStringLiteral("Title with ' and 中文");
    run.provider = QStringLiteral("srt");
    run.agent = QStringLiteral("custom");
    run.base = QString(40, QLatin1Char('a'));
    run.wantedBranch = QStringLiteral("agent/x");
    run.plan = "{}";
    run.planDigest = QStringLiteral("p1");
    run.owner = ownerOfThisProcess();
    return run;
}

} // namespace

class RunStoreTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void keepsARun();
    void refusesIllegalMoves();
    void outcomeAndEndBelongTogether();
    void findsByPrefix();
    void ledgerKnowsWhatIsNotGone();
    void evidenceAndTheRestComeBack();
    void egressOnlyGrows();
    void claimsOnce();
    void deletesOnlyWhatIsOver();
    void refusesANewerDatabase();
    void twoStoresSeeOneTruth();
    void ownersLiveAndDie();

private:
    [[nodiscard]] std::unique_ptr<RunStore> open();

    std::unique_ptr<QTemporaryDir> m_folder;
    SystemClock m_clock;
};

void RunStoreTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

std::unique_ptr<RunStore> RunStoreTest::open()
{
    Result<std::unique_ptr<RunStore>> store = RunStore::open(m_folder->path(), m_clock);
    if (!store) {
        QTest::qFail(qPrintable(Testing::errorText(store.error())), __FILE__, __LINE__);
        return nullptr;
    }
    return std::move(*store);
}

void RunStoreTest::keepsARun()
{
    const RunRecord run = someRun();
    {
        const auto store = open();
        VERIFY_RESULT(store->insertRun(run));
        VERIFY_RESULT(store->movePhase(run.id, RunPhase::Packing));
        VERIFY_RESULT(store->setUsage(run.id, 1.5, 100, 20));
    }
    const auto store = open();
    const Result<RunRecord> read = store->run(run.id);
    VERIFY_RESULT(read);
    QCOMPARE(read->title, run.title);
    QCOMPARE(read->phase, RunPhase::Packing);
    QCOMPARE(read->costUsd, std::optional(1.5));
    QCOMPARE(read->inputTokens, std::optional<qint64>(100));
    QVERIFY(!read->outcome);
    QVERIFY(!read->ended.isValid());
    QCOMPARE(store->phaseEvents(run.id)->size(), 1);
    QCOMPARE(store->unfinishedRuns()->size(), 1);
}

void RunStoreTest::refusesIllegalMoves()
{
    const auto store = open();
    const RunRecord run = someRun();
    VERIFY_RESULT(store->insertRun(run));
    QCOMPARE(store->movePhase(run.id, RunPhase::Working).error().code, ErrorCode::InvalidRequest);
    QCOMPARE(store->run(run.id)->phase, RunPhase::Queued);
    QCOMPARE(store->phaseEvents(run.id)->size(), 0);
    QCOMPARE(store->movePhase(QStringLiteral("none"), RunPhase::Packing).error().code,
             ErrorCode::NotFound);
}

void RunStoreTest::outcomeAndEndBelongTogether()
{
    const auto store = open();
    const RunRecord run = someRun();
    VERIFY_RESULT(store->insertRun(run));
    VERIFY_RESULT(
        store->finishRun(run.id, RunPhase::Cancelled, Outcome::Cancelled, QStringLiteral("why")));
    const Result<RunRecord> read = store->run(run.id);
    QCOMPARE(read->outcome, std::optional(Outcome::Cancelled));
    QVERIFY(read->ended.isValid());
    QCOMPARE(read->message, QStringLiteral("why"));
    QCOMPARE(store->unfinishedRuns()->size(), 0);
}

void RunStoreTest::findsByPrefix()
{
    const auto store = open();
    QCOMPARE(store->findRun(QStringLiteral("last")).error().code, ErrorCode::NotFound);
    RunRecord run = someRun();
    VERIFY_RESULT(store->insertRun(run));
    QCOMPARE(*store->findRun(run.id.left(8)), run.id);
    QCOMPARE(*store->findRun(QStringLiteral("last")), run.id);
    QCOMPARE(store->findRun(run.id.left(3)).error().code, ErrorCode::NotFound);
    QCOMPARE(store->findRun(QStringLiteral("%")).error().code, ErrorCode::NotFound);
    RunRecord twin = run;
    twin.id = run.id.left(20) + QStringLiteral("other0");
    VERIFY_RESULT(store->insertRun(twin));
    QCOMPARE(store->findRun(run.id.left(8)).error().code, ErrorCode::NotFound);
}

void RunStoreTest::ledgerKnowsWhatIsNotGone()
{
    const auto store = open();
    const RunRecord run = someRun();
    VERIFY_RESULT(store->insertRun(run));
    SandboxRecord sandbox;
    sandbox.key = run.id + QStringLiteral("-work");
    sandbox.run = run.id;
    sandbox.role = QStringLiteral("work");
    sandbox.provider = QStringLiteral("srt");
    VERIFY_RESULT(store->insertSandbox(sandbox));
    QCOMPARE(store->insertSandbox(sandbox).error().code, ErrorCode::Busy); // the key is unique
    VERIFY_RESULT(store->setSandboxLive(sandbox.key, QStringLiteral("native")));
    QCOMPARE(store->sandboxes()->first().state, LedgerState::Live);
    VERIFY_RESULT(store->setSandboxState(sandbox.key, LedgerState::Ending, QStringLiteral("busy")));
    QCOMPARE(store->sandboxes()->first().tries, 1);
    QCOMPARE(store->sandboxes()->first().lastError, QStringLiteral("busy"));
    VERIFY_RESULT(store->setSandboxState(sandbox.key, LedgerState::Gone));
    QVERIFY(store->sandboxes()->isEmpty());
    QCOMPARE(store->sandboxes(run.id)->size(), 1);
    QVERIFY(store->sandboxes(run.id)->first().gone.isValid());
    VERIFY_RESULT(store->insertSandbox(sandbox)); // what is gone can be made anew
    const SandboxRecord anew = store->sandboxes()->first();
    QCOMPARE(anew.state, LedgerState::Planned);
    QVERIFY(anew.nativeId.isEmpty() && anew.lastError.isEmpty() && !anew.gone.isValid());
    QCOMPARE(anew.tries, 0);
}

void RunStoreTest::evidenceAndTheRestComeBack()
{
    const auto store = open();
    const RunRecord run = someRun();
    VERIFY_RESULT(store->insertRun(run));
    Evidence evidence;
    evidence.id = newId();
    evidence.command = newId();
    evidence.check = QStringLiteral("tests");
    evidence.line = QStringLiteral("make test");
    evidence.subject = Subject::BranchWithBaseTests;
    evidence.commit = run.base;
    evidence.role = QStringLiteral("verify");
    evidence.result.end = CommandResult::End::Exited;
    evidence.result.exitCode = 0;
    evidence.outputSha256 = "00ff";
    VERIFY_RESULT(store->insertEvidence(run.id, evidence));
    QCOMPARE(store->evidence(run.id)->first().subject, Subject::BranchWithBaseTests);
    QVERIFY(store->evidence(run.id)->first().passed());
    CheckpointRecord checkpoint;
    checkpoint.tip = run.base;
    checkpoint.file = QStringLiteral("c.bundle");
    VERIFY_RESULT(store->insertCheckpoint(run.id, checkpoint));
    VERIFY_RESULT(store->insertCheckpoint(run.id, checkpoint));
    QCOMPARE(store->checkpoints(run.id)->last().seq, 2);
    VERIFY_RESULT(store->insertProof(
        run.id, run.provider, QStringLiteral("d"),
        ProofRecord{
            QStringLiteral("c"), QStringLiteral("e"), QStringLiteral("s"), false, true, {}}));
    QVERIFY(!store->proofs(run.id)->first().passed);
    VERIFY_RESULT(
        store->insertHazards(run.id, {HazardRecord{run.base, QByteArray("a\xff\nb"),
                                                   QStringLiteral("k"), QStringLiteral("r")}}));
    QCOMPARE(store->hazards(run.id)->first().path, QByteArray("a\xff\nb"));
    ImportRecord import;
    import.verdict = QStringLiteral("refused");
    import.code = QStringLiteral("fsck");
    VERIFY_RESULT(store->insertImport(run.id, import));
    QCOMPARE(store->imports(run.id)->first().code, QStringLiteral("fsck"));
}

void RunStoreTest::egressOnlyGrows()
{
    const auto store = open();
    const RunRecord run = someRun();
    VERIFY_RESULT(store->insertRun(run));
    EgressRecord entry{
        QStringLiteral("api.example.com"), 443, true, 3, {}, {}, QStringLiteral("proxy")};
    VERIFY_RESULT(store->putEgress(run.id, {entry}));
    entry.count = 2;
    VERIFY_RESULT(store->putEgress(run.id, {entry}));
    QCOMPARE(store->egress(run.id)->size(), 1);
    QCOMPARE(store->egress(run.id)->first().count, 3);
}

void RunStoreTest::claimsOnce()
{
    const auto store = open();
    const RunRecord run = someRun();
    VERIFY_RESULT(store->insertRun(run));
    QCOMPARE(*store->claimRun(run.id, run.owner, QStringLiteral("b")), true);
    QCOMPARE(*store->claimRun(run.id, run.owner, QStringLiteral("c")), false);
}

void RunStoreTest::deletesOnlyWhatIsOver()
{
    const auto store = open();
    const RunRecord run = someRun();
    VERIFY_RESULT(store->insertRun(run));
    QCOMPARE(store->deleteRun(run.id).error().code, ErrorCode::Busy);
    VERIFY_RESULT(store->finishRun(run.id, RunPhase::Failed, Outcome::SandboxError, {}));
    VERIFY_RESULT(store->deleteRun(run.id));
    QCOMPARE(store->run(run.id).error().code, ErrorCode::NotFound);
}

void RunStoreTest::refusesANewerDatabase()
{
    open().reset();
    Testing::run(QStringLiteral("python3"),
                 {QStringLiteral("-c"),
                  QStringLiteral("import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                                 "c.execute('PRAGMA user_version=999')"),
                  m_folder->filePath(QStringLiteral("glovebox.sqlite"))});
    const Result<std::unique_ptr<RunStore>> store = RunStore::open(m_folder->path(), m_clock);
    QVERIFY(!store);
    QCOMPARE(store.error().code, ErrorCode::NotSupported);
}

void RunStoreTest::twoStoresSeeOneTruth()
{
    const auto first = open();
    const auto second = open();
    QCOMPARE(first->installation(), second->installation());
    QCOMPARE(first->installation().size(), 10);
    const RunRecord run = someRun();
    VERIFY_RESULT(first->insertRun(run));
    VERIFY_RESULT(second->movePhase(run.id, RunPhase::Packing));
    QCOMPARE(first->run(run.id)->phase, RunPhase::Packing);
}

void RunStoreTest::ownersLiveAndDie()
{
    QVERIFY(isOwnerAlive(ownerOfThisProcess()));
    QVERIFY(!isOwnerAlive(QString()));
    QVERIFY(!isOwnerAlive(QStringLiteral("other-boot:1:2")));
    QString reused = ownerOfThisProcess(); // the same number, another start
    reused.truncate(reused.lastIndexOf(QLatin1Char(':')));
    QVERIFY(!isOwnerAlive(reused + QStringLiteral(":1")));
}

QTEST_GUILESS_MAIN(RunStoreTest)
#include "tst_runstore.moc"
