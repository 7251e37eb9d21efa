// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/core/runs/workbench.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

using P = RunPhase;

std::optional<Error> noDownloads(const QString &verb, const QString &)
{
    const bool download = verb == QLatin1String("download");
    return download ? std::optional(Error{ErrorCode::DiskFull, QStringLiteral("No room."), {}})
                    : std::nullopt;
}

/// A clock that is ahead by some time.
class LaterClock final : public Clock
{
public:
    explicit LaterClock(std::chrono::seconds ahead)
        : m_ahead(ahead)
    {
    }
    QDateTime now() const override
    {
        return QDateTime::currentDateTimeUtc().addSecs(m_ahead.count());
    }
    std::chrono::milliseconds monotonic() const override { return SystemClock().monotonic(); }

private:
    std::chrono::seconds m_ahead;
};

} // namespace

/// Work that could not be brought here, or not into the repository, is kept where it is, and there
/// is a way to try again.
class FetchAgainTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void failedDownloadKeepsTheSandbox();
    void cancelledWorkIsKeptToo();
    void discardedWorkIsNot();
    void keptWorkJoinsWhatCameBefore();
    void keptUntilItsTimeIsOver_data();
    void keptUntilItsTimeIsOver();
    void sandboxThatIsGoneIsNotKept();
    void failedImportSaysHowToTryAgain();
    void importHasATimeLimit();

private:
    void verifyKept(const std::shared_ptr<Run> &run, const char *state = "kept");
    void verifyFetched(const std::shared_ptr<Run> &run, const QString &branch);

    std::unique_ptr<Workbench> m_bench;
};

void FetchAgainTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void FetchAgainTest::verifyKept(const std::shared_ptr<Run> &run, const char *state)
{
    const Result<QList<SandboxRecord>> rows = m_bench->store().sandboxes(run->id());
    VERIFY_RESULT(rows);
    QCOMPARE(rows->size(), 1);
    QCOMPARE(ledgerStateName(rows->first().state), QString::fromLatin1(state));
    QCOMPARE(rows->first().lastError, QStringLiteral("No room."));
    QCOMPARE(m_bench->service().ids().size(), 1);
}

void FetchAgainTest::verifyFetched(const std::shared_ptr<Run> &run, const QString &branch)
{
    const Result<RunRecord> record = m_bench->store().run(run->id());
    VERIFY_RESULT(record);
    QCOMPARE(record->branch, branch);
    QCOMPARE(record->phase, P::AwaitingReview);
    QCOMPARE(record->outcome, run->outcome());
    QCOMPARE(m_bench->git({QStringLiteral("show"), branch + QStringLiteral(":src/a.txt")}),
             QStringLiteral("two"));
    QCOMPARE(m_bench->git({QStringLiteral("rev-parse"), branch}), record->tip);
    QVERIFY2(record->message.contains(branch), qPrintable(record->message));
    QVERIFY(m_bench->isAllReleased());
    const QByteArray report =
        readFile(run->folder() + QStringLiteral("/report.json")).value_or(QByteArray());
    QVERIFY(report.contains(branch.toUtf8()) && report.contains("The sandbox is kept"));
}

void FetchAgainTest::failedDownloadKeepsTheSandbox()
{
    m_bench->faults().before = noDownloads;
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QCOMPARE(run->phase(), P::Failed);
    QCOMPARE(run->message(), QStringLiteral("No room."));
    const QString warnings = run->warnings().join(QLatin1Char('\n'));
    QVERIFY2(warnings.contains(QLatin1String("The sandbox is kept")), qPrintable(warnings));
    verifyKept(run);
    VERIFY_RESULT(await(m_bench->queue().recover({}))); // there is still no room
    verifyKept(run);
    m_bench->faults().before = nullptr;
    VERIFY_RESULT(await(m_bench->queue().recover({})));
    verifyFetched(run, QStringLiteral("agent/a-task"));
    VERIFY_RESULT(await(m_bench->queue().recover({})));
    verifyFetched(run, QStringLiteral("agent/a-task"));
    QCOMPARE(m_bench->branches().size(), 1);
}

void FetchAgainTest::cancelledWorkIsKeptToo()
{
    m_bench->faults().before = noDownloads;
    const std::shared_ptr<Run> run =
        m_bench->submit(QString(), QStringLiteral("echo two > src/a.txt; echo ready; sleep 60"));
    QTRY_VERIFY_WITH_TIMEOUT(m_bench->log(*run).contains("Says: ready"), Testing::atMost(30'000));
    m_bench->queue().cancel(run->id(), StopMode::KeepWork);
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(run->phase(), P::Cancelled);
    verifyKept(run);
    m_bench->faults().before = nullptr;
    VERIFY_RESULT(await(m_bench->queue().recover({})));
    verifyFetched(run, QStringLiteral("agent/a-task"));
}

void FetchAgainTest::discardedWorkIsNot()
{
    m_bench->faults().before = noDownloads;
    const std::shared_ptr<Run> run =
        m_bench->submit(QString(), QStringLiteral("echo two > src/a.txt; echo ready; sleep 60"));
    QTRY_VERIFY_WITH_TIMEOUT(m_bench->log(*run).contains("Says: ready"), Testing::atMost(30'000));
    m_bench->queue().cancel(run->id(), StopMode::Discard);
    QVERIFY(m_bench->waitForEnd(run));
    QVERIFY(m_bench->isAllReleased());
}

void FetchAgainTest::keptWorkJoinsWhatCameBefore()
{
    m_bench->limits().checkpointEach = std::chrono::milliseconds(50);
    const std::shared_ptr<Run> run = m_bench->submit(
        QString(), QStringLiteral("echo one and a half > src/a.txt; git commit -qam first; n=0\n"
                                  "until [ -e ../go ] || [ $n = 900 ]; do sleep 0.1; n=$((n + 1)); "
                                  "done\necho two > src/a.txt; git commit -qam second"));
    QTRY_VERIFY_WITH_TIMEOUT(!run->checkpoints().isEmpty(), Testing::atMost(30'000));
    m_bench->faults().before = noDownloads;
    const QString work = m_bench->service().folder(m_bench->service().ids().first());
    VERIFY_RESULT(writeFile(QDir(work).filePath(QStringLiteral("work/go")), "go"));
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(m_bench->branches(), QStringList{QStringLiteral("agent/a-task")}); // the checkpoint
    QCOMPARE(m_bench->git({QStringLiteral("show"), QStringLiteral("agent/a-task:src/a.txt")}),
             QStringLiteral("one and a half"));
    verifyKept(run);
    VERIFY_RESULT(await(m_bench->queue().recover({})));
    const QString first = run->folder() + QLatin1Char('/') + run->checkpoints().first().file;
    const Result<QByteArray> digest = sha256OfFile(first);
    VERIFY_RESULT(digest); // a fetch that fails takes nothing away
    QCOMPARE(QString::fromLatin1(*digest), run->checkpoints().first().sha256);
    m_bench->faults().before = nullptr;
    VERIFY_RESULT(await(m_bench->queue().recover({})));
    verifyFetched(run, QStringLiteral("agent/a-task-2"));
}

void FetchAgainTest::keptUntilItsTimeIsOver_data()
{
    QTest::addColumn<bool>("ours");
    QTest::addColumn<int>("hours");
    QTest::addColumn<bool>("kept");
    QTest::newRow("a service's, in its lifetime") << false << 0 << true;
    QTest::newRow("a service's, after its lifetime") << false << 24 << false;
    QTest::newRow("ours, after its lifetime") << true << 24 << true;
    QTest::newRow("ours, long after") << true << 24 * 30 << false;
}

void FetchAgainTest::keptUntilItsTimeIsOver()
{
    QFETCH(bool, ours);
    QFETCH(int, hours);
    QFETCH(bool, kept);
    if (ours) {
        m_bench->provider().capabilities().lifetime.keeper = Capabilities::Keeper::Ours;
    }
    m_bench->faults().before = noDownloads;
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    verifyKept(run);
    const LaterClock later{std::chrono::hours(hours)};
    RunQueue other(m_bench->store(), {&m_bench->provider()}, m_bench->secrets(), later,
                   m_bench->limits());
    VERIFY_RESULT(await(other.recover({})));
    QCOMPARE(m_bench->isAllReleased(), !kept);
    if (kept) {
        verifyKept(run);
    }
}

void FetchAgainTest::sandboxThatIsGoneIsNotKept()
{
    m_bench->faults().before = [this](const QString &verb, const QString &what) {
        if (verb == QLatin1String("endall")) {
            m_bench->service().advance(std::chrono::hours(30)); // its life is over
        }
        return noDownloads(verb, what);
    };
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QVERIFY(m_bench->isAllReleased());
}

void FetchAgainTest::failedImportSaysHowToTryAgain()
{
    // Somebody's git died in the repository and left its lock.
    const QString lock =
        m_bench->repository().gitFolder() + QStringLiteral("/refs/heads/agent/a-task.lock");
    VERIFY_RESULT(makePrivateFolder(QFileInfo(lock).path()));
    VERIFY_RESULT(writeFile(lock, ""));
    QFile file(lock);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(QDateTime::currentDateTimeUtc().addSecs(-3600),
                             QFileDevice::FileModificationTime));
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::ImportRefused);
    const QString bundle = run->folder() + QStringLiteral("/result.bundle");
    QVERIFY(QFile::exists(bundle));
    const QString warnings = run->warnings().join(QLatin1Char('\n'));
    QVERIFY2(
        warnings.contains(QStringLiteral("glovebox-cli import '%1' --repo '%2' --base %3")
                              .arg(bundle, m_bench->repository().folder(), run->plan().base())),
        qPrintable(warnings));
    QVERIFY(m_bench->isAllReleased()); // the work is on our disk
    QVERIFY(QDir(run->folder()).entryList({QStringLiteral("quarantine-*")}).isEmpty());
}

void FetchAgainTest::importHasATimeLimit()
{
    m_bench->limits().import = std::chrono::milliseconds(1);
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QCOMPARE(*run->outcome(), Outcome::ImportRefused);
    QCOMPARE(run->message(), QStringLiteral("The import did not end within 1 ms."));
    QVERIFY(QFile::exists(run->folder() + QStringLiteral("/result.bundle")));
    QVERIFY(run->warnings().join(QLatin1Char(' ')).contains(QLatin1String("glovebox-cli import")));
    QVERIFY(m_bench->branches().isEmpty());
    QVERIFY(m_bench->isAllReleased());
}

QTEST_GUILESS_MAIN(FetchAgainTest)
#include "tst_fetchagain.moc"
