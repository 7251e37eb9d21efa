// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/runs/workbench.h"
#include "tests/support/temporaryfolder.h"

#ifdef Q_OS_LINUX
#include <sched.h>
#include <sys/mount.h>
#endif

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

/// A small file system of its own for the data folder; needs the right to mount one.
class SmallDisk final
{
public:
    SmallDisk();
    ~SmallDisk();
    Q_DISABLE_COPY_MOVE(SmallDisk)

    [[nodiscard]] QString problem() const { return m_problem; }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    void fill() const; ///< to the last block
    void makeRoom() const { QFile::remove(filler()); }

private:
    [[nodiscard]] QString filler() const { return m_folder.filePath(QStringLiteral("filler")); }

    TemporaryFolder m_folder;
    QString m_problem;
};

#ifdef Q_OS_LINUX
SmallDisk::SmallDisk()
{
    // A view of the mounts for this process alone, so that nothing is left in the machine's. Once,
    // before there are threads of the pool: each keeps the view that it began with.
    static const bool isAlone = ::unshare(CLONE_NEWNS) == 0 &&
                                ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    const bool mounted = isAlone && ::mount("tmpfs", QFile::encodeName(folder()).constData(),
                                            "tmpfs", 0, "size=96m") == 0;
    if (!mounted) {
        m_problem =
            QStringLiteral("No file system can be mounted here: %1").arg(qt_error_string(errno));
    }
}

SmallDisk::~SmallDisk()
{
    if (m_problem.isEmpty()) {
        ::umount2(QFile::encodeName(folder()).constData(), MNT_DETACH);
    }
}
#else
SmallDisk::SmallDisk()
    : m_problem(QStringLiteral("Only Linux mounts a file system for one process."))
{
}

SmallDisk::~SmallDisk() = default;
#endif

void SmallDisk::fill() const
{
    QFile file(filler());
    if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) {
        return; // there is not even room for its name
    }
    for (const qsizetype size : {1 << 20, 64 << 10, 4 << 10}) {
        const QByteArray block(size, 'x');
        while (file.write(block) == size) {
        }
    }
}

} // namespace

/// A disk that is really full (ENOSPC), at every moment of a run: a sentence, and nothing is lost.
class DiskFullTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void beforeTheStart();
    void atTheStart();
    void noNewDatabase();
    void duringTheRun_data();
    void duringTheRun();

private:
    std::unique_ptr<SmallDisk> m_disk;
    std::unique_ptr<Workbench> m_bench;
};

void DiskFullTest::init()
{
    m_disk = std::make_unique<SmallDisk>();
    if (!m_disk->problem().isEmpty()) {
        QSKIP(qPrintable(m_disk->problem()));
    }
    m_bench = std::make_unique<Workbench>(Neighbours::None, m_disk->folder());
}

void DiskFullTest::cleanup()
{
    m_bench.reset();
    m_disk.reset();
}

void DiskFullTest::beforeTheStart()
{
    const PreparedRun prepared = m_bench->prepared(QString(), QString::fromLatin1(goodAgent));
    m_disk->fill();
    const Result<std::shared_ptr<Run>> refused = m_bench->queue().submit(prepared);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::DiskFull);
    QVERIFY2(refused.error().message.contains(QLatin1String("disk is full")) ||
                 refused.error().message.contains(QLatin1String("No space left")),
             qPrintable(refused.error().message));
    const Result<PlannedRun> planned =
        m_bench->plan(QString(), QString::fromLatin1(goodAgent)); // nor can another be planned
    QVERIFY(!planned);
    QVERIFY(!planned.error().message.isEmpty());
    m_disk->makeRoom();
    QVERIFY(!m_bench->store().run(prepared.plan.run));
    QVERIFY(!QFile::exists(m_bench->store().runFolder(prepared.plan.run)));
    QCOMPARE(*m_bench->toEnd(QString(), QString::fromLatin1(goodAgent))->outcome(),
             Outcome::Accepted);
}

void DiskFullTest::atTheStart()
{
    const std::shared_ptr<Run> run = m_bench->submit(QString(), QString::fromLatin1(goodAgent));
    QFile most(m_disk->folder() + QStringLiteral("/most")); // all but a little
    QVERIFY(most.open(QIODevice::WriteOnly));
    QCOMPARE(most.write(QByteArray(60 << 20, 'x')), 60 << 20);
    most.close();
    QVERIFY(m_bench->waitForEnd(run));
    QCOMPARE(*run->outcome(), Outcome::SandboxError);
    QVERIFY2(run->message().startsWith(QLatin1String("The disk has only ")),
             qPrintable(run->message()));
    QCOMPARE(m_bench->phases(run->id()),
             (QList<RunPhase>{RunPhase::Packing, RunPhase::Releasing, RunPhase::Failed}));
    QCOMPARE(m_bench->provider().count(QStringLiteral("create")), 0);
}

void DiskFullTest::noNewDatabase()
{
    m_disk->fill();
    const SystemClock clock;
    const Result<std::unique_ptr<RunStore>> store =
        RunStore::open(m_disk->folder() + QStringLiteral("/new"), clock);
    QVERIFY(!store);
    QVERIFY(!store.error().message.isEmpty());
}

void DiskFullTest::duringTheRun_data()
{
    QTest::addColumn<bool>("afterwards");
    QTest::addColumn<QString>("verb");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *name, bool afterwards, const char *verb, const char *word) {
        QTest::newRow(name) << afterwards << QString::fromLatin1(verb) << QString::fromLatin1(word);
    };
    row("the agent is done", true, "wait", "commit -qam work");
    row("before the seal", false, "start", "left uncommitted");
    row("as the work comes back", false, "download", "result.bundle");
    row("before the check", false, "start", "sh tests/check.sh");
    row("after the check", true, "wait", "sh tests/check.sh");
    row("before the sandbox goes", false, "destroy", "");
}

void DiskFullTest::duringTheRun()
{
    QFETCH(bool, afterwards);
    QFETCH(QString, verb);
    QFETCH(QString, word);
    bool filled = false;
    const auto hook = [&, verb, word](const QString &seen, const QString &what) {
        if (seen == verb && what.contains(word) && !filled) {
            filled = true;
            m_disk->fill();
        }
        return std::optional<Error>();
    };
    (afterwards ? m_bench->faults().after : m_bench->faults().before) = hook;
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    QVERIFY(filled);
    const QString said = run->message() + run->warnings().join(QLatin1Char(' '));
    QVERIFY2(said.contains(QLatin1String("disk is full")) ||
                 said.contains(QLatin1String("No space left")),
             qPrintable(said));
    m_disk->makeRoom();
    // The next start of the program.
    const SystemClock clock;
    const Result<std::unique_ptr<RunStore>> store = RunStore::open(m_disk->folder(), clock);
    VERIFY_RESULT(store);
    const Result<bool> dead =
        (*store)->claimRun(run->id(), ownerOfThisProcess(), QStringLiteral("another-boot:1:1"));
    VERIFY_RESULT(dead);
    const std::unique_ptr<RunQueue> next = m_bench->anotherQueue(**store);
    VERIFY_RESULT(await(next->recover({})));
    const Result<RunRecord> record = (*store)->run(run->id());
    VERIFY_RESULT(record);
    QVERIFY(record->ended.isValid());
    const QString content =
        m_bench->branches().isEmpty()
            ? QString()
            : m_bench->git({QStringLiteral("show"), record->branch + QStringLiteral(":src/a.txt")});
    // What could not be imported, but is whole on our disk, can be imported by hand.
    const bool byHand = said.contains(QLatin1String("glovebox-cli import"));
    QVERIFY2(content == QLatin1String("two") || byHand, qPrintable(said + record->message));
    QVERIFY(m_bench->isAllReleased());
}

QTEST_GUILESS_MAIN(DiskFullTest)
#include "tst_diskfull.moc"
