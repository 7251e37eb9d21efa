// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/quarantine.h"
#include "tests/core/git/corpus.h"
#include "tests/support/testing.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

constexpr qint64 mostMilliseconds = 5000; // for one bundle

/// Hazards that the import names by itself; the others of the corpus come from looking into files.
const QStringList &namedByImport()
{
    static const QStringList codes = {
        QStringLiteral("extra-refs"),         QStringLiteral("unreachable-objects"),
        QStringLiteral("many-commits"),       QStringLiteral("large-change"),
        QStringLiteral("path-portability"),   QStringLiteral("path-collision"),
        QStringLiteral("symlinked-git-file"), QStringLiteral("submodule-change"),
        QStringLiteral("embedded-git-repo"),  QStringLiteral("foreign-history"),
        QStringLiteral("author-not-agent"),   QStringLiteral("merge-has-own-changes"),
        QStringLiteral("odd-commit-date"),    QStringLiteral("content-only-in-history"),
        QStringLiteral("text-truncated"),     QStringLiteral("text-encoding"),
        QStringLiteral("control-characters"), QStringLiteral("odd-file-name"),
        QStringLiteral("symlink-escape"),     QStringLiteral("type-change"),
        QStringLiteral("mass-deletion"),
    };
    return codes;
}

} // namespace

/// Every bundle of the hostile corpus through the import, each into a repository of its own.
class CorpusTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void bundles_data();
    void bundles();
    void theManifestIsWhole();

private:
    void checkVerdict(const ImportReport &report, const QString &expect, const QString &code);
    void checkPublishing(const ImportReport &report);

    Corpus m_corpus;
    std::unique_ptr<QTemporaryDir> m_scratch;
    QString m_repository;
    QString m_imports;
};

void CorpusTest::initTestCase()
{
    m_corpus = Corpus::build();
    const Result<GitVersion> version = await(gitVersion({})); // also makes its folder in HOME
    VERIFY_RESULT(version);
}

void CorpusTest::init()
{
    m_scratch = std::make_unique<QTemporaryDir>();
    m_repository = m_scratch->filePath(QStringLiteral("user.git"));
    m_imports = m_scratch->filePath(QStringLiteral("imports"));
    copyFolder(m_corpus.baseRepository, m_repository);
    QDir().mkpath(m_imports);
}

void CorpusTest::theManifestIsWhole()
{
    QHash<QString, int> kinds;
    int refused = 0;
    for (const CorpusCase &one : std::as_const(m_corpus.cases)) {
        ++kinds[one.kind];
        refused += one.kind == QLatin1String("bundle") && one.expect == QLatin1String("reject");
    }
    QCOMPARE(kinds.value(QStringLiteral("bundle")), 166);
    QCOMPARE(kinds.value(QStringLiteral("repo")), 5);
    QCOMPARE(refused, 86);
}

void CorpusTest::bundles_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expect");
    QTest::addColumn<QString>("code");
    for (const CorpusCase &one : std::as_const(m_corpus.cases)) {
        if (one.kind == QLatin1String("bundle")) {
            QTest::newRow(qPrintable(one.id)) << one.file << one.expect << one.code;
        }
    }
}

void CorpusTest::bundles()
{
    QFETCH(QString, file);
    QFETCH(QString, expect);
    QFETCH(QString, code);
    const QHash<QString, QByteArray> repositoryBefore = snapshot(m_repository);
    const QSet<QString> homeBefore = namesBelow(QDir::homePath());
    QElapsedTimer timer;
    timer.start();
    const Result<ImportReport> report =
        await(checkBundle(m_corpus.request(file, m_repository, m_imports), {}));
    const qint64 took = timer.elapsed();
    VERIFY_RESULT(report);
    QVERIFY2(took < atMost(mostMilliseconds), qPrintable(QString::number(took)));
    checkVerdict(*report, expect, code);
    if (QTest::currentTestFailed()) {
        return;
    }
    QCOMPARE(snapshot(m_repository), repositoryBefore);
    for (const QString &name : namesBelow(QDir::homePath()) - homeBefore) {
        QVERIFY2(name.startsWith(report->quarantine) && !report->quarantine.isEmpty(),
                 qPrintable(name));
        QVERIFY2(!name.endsWith(QLatin1String(".promisor")), qPrintable(name));
        QVERIFY2(!name.contains(QLatin1String("scratch-")), qPrintable(name));
    }
    if (!report->refused) {
        checkPublishing(*report);
    }
}

void CorpusTest::checkVerdict(const ImportReport &report, const QString &expect,
                              const QString &code)
{
    const QString seen =
        QStringLiteral("%1/%2/%3 %4")
            .arg(report.refused ? QStringLiteral("refused") : QStringLiteral("taken"), report.stage,
                 report.code, codesOf(report).join(QLatin1Char(' ')));
    QVERIFY2(report.refused == (expect == QLatin1String("reject")), qPrintable(seen));
    if (report.refused) {
        QVERIFY2(report.code == code, qPrintable(seen));
        QVERIFY(!report.reason.isEmpty());
        QVERIFY(report.quarantine.isEmpty());
        return;
    }
    QVERIFY2(expect != QLatin1String("ok") || report.hazards.isEmpty(), qPrintable(seen));
    QVERIFY2(!namedByImport().contains(code) || codesOf(report).contains(code), qPrintable(seen));
    for (const ImportHazard &hazard : report.hazards) {
        QVERIFY(!hazard.reason.isEmpty());
        QVERIFY2(namedByImport().contains(hazard.code), qPrintable(hazard.code));
    }
}

void CorpusTest::checkPublishing(const ImportReport &report)
{
    const QStringList references{QStringLiteral("for-each-ref")};
    const QStringList objects{QStringLiteral("cat-file"), QStringLiteral("--batch-all-objects"),
                              QStringLiteral("--batch-check=%(objectname)")};
    const QSet<QByteArray> referencesBefore = linesOf(m_repository, references);
    const QSet<QByteArray> objectsBefore = linesOf(m_repository, objects);
    const QByteArray configBefore = snapshot(m_repository).value(QStringLiteral("/config"));
    PublishRequest request;
    request.gitFolder = m_repository;
    request.quarantine = report.quarantine;
    request.tip = report.tip;
    request.branch = QStringLiteral("agent/task-1");
    const Result<QString> name = await(publishBranch(request, {}));
    VERIFY_RESULT(name);
    QCOMPARE(*name, request.branch);

    const QByteArray expected = report.tip.toLatin1() + " commit\trefs/heads/agent/task-1";
    QCOMPARE(linesOf(m_repository, references) - referencesBefore, QSet<QByteArray>{expected});
    QVERIFY((referencesBefore - linesOf(m_repository, references)).isEmpty());
    QCOMPARE(snapshot(m_repository).value(QStringLiteral("/config")), configBefore);
    QVERIFY(!QFile::exists(m_repository + QStringLiteral("/FETCH_HEAD")));

    // Only what the branch reaches came along, and the repository is sound.
    const QSet<QByteArray> reachable =
        linesOf(m_repository, {QStringLiteral("rev-list"), QStringLiteral("--objects"),
                               QStringLiteral("--no-object-names"), report.tip});
    const QSet<QByteArray> arrived = linesOf(m_repository, objects) - objectsBefore;
    QVERIFY(!arrived.isEmpty());
    QVERIFY((arrived - reachable).isEmpty());
    VERIFY_RESULT(discardQuarantine(report.quarantine));
    QVERIFY(QDir(m_imports).isEmpty());
    run(QStringLiteral("git"), {QStringLiteral("-C"), m_repository, QStringLiteral("fsck"),
                                QStringLiteral("--connectivity-only")});
}

QTEST_GUILESS_MAIN(CorpusTest)
#include "tst_corpus.moc"
