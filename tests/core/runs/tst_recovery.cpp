// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/ids.h"
#include "tests/core/runs/workbench.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

const QString deadOwner = QStringLiteral("another-boot:1:1");

} // namespace

/// A second program on the same database: ends what a dead one left, whatever it was doing, and
/// leaves a living one alone. The dead one is played by a run that is held still while the other
/// recovers, and is then let go on: it must find that it has nothing to say any more.
class RecoveryTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void diesInEachPhase_data();
    void diesInEachPhase();
    void diesInTheMidst_data();
    void diesInTheMidst();
    void takesTheNewestWholeCheckpoint();
    void keepsWhatItCannotFetch();
    void ownSecretsAfterADeath_data();
    void ownSecretsAfterADeath();
    void leavesTheLivingAlone();
    void missingBackendHoldsUpNobody();
    void unreachableBackendKeepsTheRow();
    void ownersDifferByStart();

private:
    /// What the other program does, as soon as it finds the owner dead.
    void recoverFrom(const std::shared_ptr<Run> &run);
    void verifyEnded(const std::shared_ptr<Run> &run, bool returned);

    std::unique_ptr<Workbench> m_bench;
    std::unique_ptr<RunStore> m_otherStore;
    std::unique_ptr<RunQueue> m_other;
    SystemClock m_clock;
    int m_recovered = -1;
};

void RecoveryTest::init()
{
    m_other.reset();
    m_otherStore.reset();
    m_bench = std::make_unique<Workbench>(Neighbours::Some);
    Result<std::unique_ptr<RunStore>> store =
        RunStore::open(m_bench->path(QStringLiteral("data")), m_clock);
    VERIFY_RESULT(store);
    m_otherStore = std::move(*store);
    m_other = m_bench->anotherQueue(*m_otherStore);
    m_recovered = -1;
}

void RecoveryTest::recoverFrom(const std::shared_ptr<Run> &run)
{
    const Result<bool> dead = m_otherStore->claimRun(run->id(), ownerOfThisProcess(), deadOwner);
    QVERIFY(dead && *dead);
    m_bench->faults().before = nullptr;
    m_bench->faults().after = nullptr;
    m_bench->queue().cancel(run->id(), StopMode::Discard); // as far as a dead one can be held back
    const Result<int> ended = await(m_other->recover({}));
    VERIFY_RESULT(ended);
    m_recovered = *ended;
}

void RecoveryTest::verifyEnded(const std::shared_ptr<Run> &run, bool returned)
{
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(m_recovered, 1);
    const Result<RunRecord> record = m_otherStore->run(run->id());
    VERIFY_RESULT(record);
    QCOMPARE(record->outcome, std::optional(Outcome::Interrupted));
    QCOMPARE(record->phase, returned ? P::AwaitingReview : P::Interrupted);
    QCOMPARE(m_bench->branches(),
             returned ? QStringList{QStringLiteral("agent/a-task")} : QStringList());
    QCOMPARE(record->branch, returned ? QStringLiteral("agent/a-task") : QString());
    if (returned) {
        QCOMPARE(m_bench->git({QStringLiteral("show"), QStringLiteral("agent/a-task:src/a.txt")}),
                 QStringLiteral("two"));
        QVERIFY(record->message.contains(QLatin1String("agent/a-task")));
    }
    QVERIFY(m_bench->isAllReleased());
    QVERIFY(QFile::exists(run->folder() + QStringLiteral("/receipt.json")));
    const QList<RunPhase> phases = m_bench->phases(run->id());
    const Result<int> again = await(m_other->recover({}));
    VERIFY_RESULT(again);
    QCOMPARE(*again, 0);
    QCOMPARE(m_bench->phases(run->id()), phases);
    QCOMPARE(m_bench->branches().size(), returned ? 1 : 0);
}

void RecoveryTest::diesInEachPhase_data()
{
    QTest::addColumn<RunPhase>("phase");
    QTest::addColumn<bool>("returned");
    QTest::newRow("packing") << P::Packing << false;
    QTest::newRow("creating") << P::Creating << false;
    QTest::newRow("proving") << P::Proving << false;
    QTest::newRow("seeding") << P::Seeding << false;
    QTest::newRow("working, nothing done") << P::Working << false;
    QTest::newRow("sealing") << P::Sealing << true;
    QTest::newRow("checking") << P::Checking << true;
    QTest::newRow("importing") << P::Importing << true;
    QTest::newRow("releasing") << P::Releasing << true;
}

void RecoveryTest::diesInEachPhase()
{
    QFETCH(RunPhase, phase);
    QFETCH(bool, returned);
    const std::shared_ptr<Run> run =
        m_bench->submit(QStringLiteral("verify: clean\n"), QString::fromLatin1(goodAgent));
    connect(run.get(), &Run::phaseChanged, this, [&](RunPhase now) {
        if (now == phase && m_recovered < 0) {
            recoverFrom(run);
        }
    });
    verifyEnded(run, returned);
}

void RecoveryTest::diesInTheMidst_data()
{
    QTest::addColumn<bool>("afterwards");
    QTest::addColumn<QString>("verb");
    QTest::addColumn<QString>("word");
    QTest::addColumn<bool>("returned");
    const auto row = [](const char *name, bool afterwards, const char *verb, const char *word,
                        bool returned) {
        QTest::newRow(name) << afterwards << QString::fromLatin1(verb) << QString::fromLatin1(word)
                            << returned;
    };
    row("planned, not made", false, "create", "work", false);
    row("made, not confirmed", true, "create", "work", false);
    row("the agent is done", true, "wait", "commit -qam work", true);
    row("sealed inside, not here", false, "download", "result.bundle", true);
    // It is made beside the first one, before the agent works.
    row("the clean one is planned", false, "create", "verify", false);
    row("the clean one is made", true, "create", "verify", false);
    row("in a check", true, "wait", "tests/check.sh", true);
    row("about to destroy", false, "destroy", "", true);
}

void RecoveryTest::diesInTheMidst()
{
    QFETCH(bool, afterwards);
    QFETCH(QString, verb);
    QFETCH(QString, word);
    QFETCH(bool, returned);
    std::shared_ptr<Run> run;
    const auto die = [&, verb, word](const QString &seen,
                                     const QString &what) -> std::optional<Error> {
        if (seen == verb && what.contains(word) && m_recovered < 0) {
            m_recovered = 0;
            recoverFrom(run);
            const bool makes = seen == QLatin1String("create"); // which a dead one doesn't
            return makes ? std::optional(cancelledError()) : std::nullopt;
        }
        return std::nullopt;
    };
    (afterwards ? m_bench->faults().after : m_bench->faults().before) = die;
    run = m_bench->submit(QStringLiteral("verify: clean\n"), QString::fromLatin1(goodAgent));
    verifyEnded(run, returned);
}

void RecoveryTest::takesTheNewestWholeCheckpoint()
{
    m_bench->limits().checkpointEach = std::chrono::milliseconds(20);
    std::shared_ptr<Run> run;
    m_bench->faults().before = [&](const QString &verb,
                                   const QString &what) -> std::optional<Error> {
        const bool checkpoint =
            verb == QLatin1String("start") && what.contains(QLatin1String("Checkpoint of work"));
        if (checkpoint && run->checkpoints().size() == 2 && m_recovered < 0) {
            m_recovered = 0;
            const QString newest =
                run->folder() + QLatin1Char('/') + run->checkpoints().last().file;
            const Result<void> damaged = writeFile(newest, "cut short");
            m_bench->service().advance(std::chrono::hours(30)); // the sandbox is gone as well
            recoverFrom(run);
            return damaged ? std::nullopt : std::optional(damaged.error());
        }
        return std::nullopt;
    };
    run = m_bench->submit(
        QString(),
        QStringLiteral("echo two > src/a.txt; git commit -qam first; n=0\n"
                       "while [ $n -lt 900 ]; do n=$((n + 1)); echo $n > src/n; sleep 0.2; done"));
    verifyEnded(run, true);
    QCOMPARE(m_otherStore->run(run->id())->tip, run->checkpoints().first().tip);
}

void RecoveryTest::keepsWhatItCannotFetch()
{
    std::shared_ptr<Run> run;
    const auto refuse = [](const QString &verb, const QString &) {
        return verb == QLatin1String("download")
                   ? std::optional(Error{ErrorCode::DiskFull, QStringLiteral("No room."), {}})
                   : std::nullopt;
    };
    m_bench->faults().after = [&](const QString &verb, const QString &what) {
        if (verb == QLatin1String("wait") && what.contains(QLatin1String("commit -qam work")) &&
            m_recovered < 0) {
            m_recovered = 0;
            const Result<bool> dead =
                m_otherStore->claimRun(run->id(), ownerOfThisProcess(), deadOwner);
            m_bench->faults().before = refuse;
            m_bench->queue().cancel(run->id(), StopMode::Discard);
            m_recovered = dead ? await(m_other->recover({})).value_or(-1) : -1;
            // A dead one deletes nothing.
            m_bench->faults().before = [](const QString &call, const QString &) {
                return call == QLatin1String("destroy")
                           ? std::optional(Error{ErrorCode::Forbidden, QStringLiteral("dead"), {}})
                           : std::nullopt;
            };
        }
        return std::optional<Error>();
    };
    run = m_bench->submit(QString(), QString::fromLatin1(goodAgent));
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(m_recovered, 1);
    QCOMPARE(m_otherStore->run(run->id())->phase, P::Interrupted);
    QCOMPARE(m_bench->service().ids().size(), 1);
    VERIFY_RESULT(m_otherStore->setSandboxState(run->id() + QStringLiteral("-work"),
                                                LedgerState::Kept)); // as the other left it
    m_bench->faults().before = nullptr;
    VERIFY_RESULT(await(m_other->recover({})));
    verifyEnded(run, true);
}

void RecoveryTest::ownSecretsAfterADeath_data()
{
    QTest::addColumn<QString>("agent");
    QTest::addColumn<bool>("known");
    QTest::addColumn<bool>("returned");
    const QString good = QString::fromLatin1(goodAgent);
    const QString leak = QStringLiteral("echo two $MY_TOKEN > src/a.txt; git commit -qam work");
    QTest::newRow("known, clean") << good << true << true;
    QTest::newRow("known, leaked") << leak << true << false;
    QTest::newRow("not known") << good << false << true;
}

void RecoveryTest::ownSecretsAfterADeath()
{
    QFETCH(QString, agent);
    QFETCH(bool, known);
    QFETCH(bool, returned);
    const QString name = QStringLiteral("MY_TOKEN");
    m_bench->secrets().remember(name, Secret("Zq9-MARKER-77c1e2-and-more"));
    const std::shared_ptr<Run> run = m_bench->submit(QStringLiteral("env: [MY_TOKEN]\n"), agent);
    connect(run.get(), &Run::phaseChanged, this, [&](RunPhase now) {
        if (now == P::Checking && m_recovered < 0) {
            m_bench->secrets().remember(name, known ? Secret("Zq9-MARKER-77c1e2-and-more")
                                                    : Secret()); // no value forgets it
            recoverFrom(run);
        }
    });
    verifyEnded(run, returned);
    const Result<QList<HazardRecord>> hazards = m_otherStore->hazards(run->id());
    VERIFY_RESULT(hazards);
    QStringList unchecked;
    for (const HazardRecord &hazard : *hazards) {
        unchecked << (hazard.kind == QLatin1String("own-secret-unchecked") ? hazard.reason
                                                                           : QString());
    }
    unchecked.removeAll(QString());
    QCOMPARE(unchecked.size(), known ? 0 : 1);
    QVERIFY(known || unchecked.first().contains(name));
    const bool bundle = QFile::exists(run->folder() + QStringLiteral("/result.bundle"));
    QVERIFY(returned || !bundle); // what holds a key is not kept; what doesn't is on the branch
}

void RecoveryTest::leavesTheLivingAlone()
{
    const std::shared_ptr<Run> run = m_bench->submit(QString(), QString::fromLatin1(goodAgent));
    QList<int> ended;
    connect(run.get(), &Run::phaseChanged, this, [&](RunPhase now) {
        if (now == P::Working || now == P::Releasing) {
            ended << await(m_other->recover({})).value_or(-1);
        }
    });
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(ended, (QList<int>{0, 0}));
    QCOMPARE(*run->outcome(), Outcome::Accepted);
}

void RecoveryTest::missingBackendHoldsUpNobody()
{
    QStringList ids;
    for (const char *provider : {"vanished", "folder"}) {
        RunRecord record;
        record.id = newId();
        record.provider = QString::fromLatin1(provider);
        record.gitFolder = m_bench->repository().gitFolder();
        record.base = QString(40, QLatin1Char('a'));
        record.plan = "{}";
        record.owner = deadOwner;
        for (QString *text :
             {&record.repository, &record.taskPath, &record.taskDigest, &record.title,
              &record.agent, &record.wantedBranch, &record.planDigest}) {
            *text = QStringLiteral("some");
        }
        VERIFY_RESULT(m_otherStore->insertRun(record));
        VERIFY_RESULT(makePrivateFolder(m_otherStore->runFolder(record.id)));
        ids << record.id;
    }
    SandboxRecord row;
    row.key = ids.first() + QStringLiteral("-work");
    row.run = ids.first();
    row.role = QStringLiteral("work");
    row.provider = QStringLiteral("vanished");
    row.policyDigest = QStringLiteral("d");
    VERIFY_RESULT(m_otherStore->insertSandbox(row));
    const Result<int> ended = await(m_other->recover({}));
    VERIFY_RESULT(ended);
    QCOMPARE(*ended, 2);
    for (const QString &id : ids) {
        QCOMPARE(m_otherStore->run(id)->outcome, std::optional(Outcome::Interrupted));
    }
    QCOMPARE(m_otherStore->sandboxes()->size(), 1); // nobody can say that it is gone
}

void RecoveryTest::unreachableBackendKeepsTheRow()
{
    std::shared_ptr<Run> run;
    m_bench->faults().after = [&](const QString &verb, const QString &) -> std::optional<Error> {
        if (verb == QLatin1String("create") && m_recovered < 0) {
            m_recovered = 0;
            const Result<bool> dead =
                m_otherStore->claimRun(run->id(), ownerOfThisProcess(), deadOwner);
            m_bench->queue().cancel(run->id(), StopMode::Discard);
            m_bench->faults().before = [](const QString &call, const QString &) {
                const bool away = call == QLatin1String("list") || call == QLatin1String("destroy");
                return away ? std::optional(
                                  Error{ErrorCode::Unreachable, QStringLiteral("away"), {}})
                            : std::nullopt;
            };
            m_recovered = dead ? await(m_other->recover({})).value_or(-1) : -1;
        }
        return std::nullopt;
    };
    run = m_bench->submit(QString(), QString::fromLatin1(goodAgent));
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(m_recovered, 1);
    QVERIFY(!m_bench->isAllReleased());
    m_bench->faults().before = nullptr;
    VERIFY_RESULT(await(m_other->recover({})));
    QVERIFY(m_bench->isAllReleased());
}

void RecoveryTest::ownersDifferByStart()
{
    const QString own = ownerOfThisProcess();
    QVERIFY(isOwnerAlive(own));
    QVERIFY(!isOwnerAlive(own + QLatin1Char('0')));
    QVERIFY(!isOwnerAlive(deadOwner));
    QVERIFY(!isOwnerAlive(QStringLiteral("nonsense")));
}

QTEST_GUILESS_MAIN(RecoveryTest)
#include "tst_recovery.moc"
