// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/runs/doctor.h"
#include "core/runs/receipt.h"
#include "tests/core/runs/workbench.h"

#include <QJsonArray>

using namespace Glovebox;
using namespace Glovebox::Testing;

/// What is written down of a run, for programs and for later, and what the doctor says.
class ReceiptTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void reportOfAWholeRun();
    void receiptWithoutABranch();
    void displayTextOnly();
    void exportsWholeFolders();
    void unknownRuns();
    void doctorSaysWhatIsThere();
    void doctorSaysWhatIsMissing();
    void doctorJudgesVersions_data();
    void doctorJudgesVersions();

private:
    [[nodiscard]] QList<DoctorItem> examineNow();

    std::unique_ptr<Workbench> m_bench;
};

void ReceiptTest::init()
{
    m_bench = std::make_unique<Workbench>();
}

void ReceiptTest::reportOfAWholeRun()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(
        QString(),
        QStringLiteral(
            "echo two > src/a.txt; echo x > outside; git add -A; git commit -qm w; exit 9"));
    const Result<QByteArray> text = readFile(run->folder() + QStringLiteral("/report.json"));
    VERIFY_RESULT(text);
    const QJsonObject json = QJsonDocument::fromJson(*text).object();
    QCOMPARE(json[QLatin1String("outcome")].toString(), QStringLiteral("out_of_scope"));
    QCOMPARE(json[QLatin1String("out_of_scope")].toArray(), QJsonArray{QStringLiteral("outside")});
    QCOMPARE(json[QLatin1String("commit")].toString(), run->returned().tip);
    QCOMPARE(json[QLatin1String("evidence")][0][QLatin1String("passed")].toBool(), true);
    QCOMPARE(json[QLatin1String("imports")][0][QLatin1String("verdict")].toString(),
             QStringLiteral("accepted"));
    QVERIFY(json[QLatin1String("boundary")].toArray().size() >= 3);
    QVERIFY(!json[QLatin1String("next_step")].toString().isEmpty());
    // A later process is told the same.
    const Result<RunReport> later = readReport(m_bench->store(), run->id());
    VERIFY_RESULT(later);
    QCOMPARE(reportJson(*later), json);
    QVERIFY(!later->warnings.isEmpty());
    qint64 sum = 0;
    for (const QJsonValue &stage : json[QLatin1String("stages")].toArray()) {
        QVERIFY(stage[QLatin1String("duration_ms")].toInteger() >= 0);
        sum += stage[QLatin1String("duration_ms")].toInteger();
    }
    QVERIFY(sum > 0);
    const Result<QByteArray> plan = readFile(run->folder() + QStringLiteral("/plan.json"));
    VERIFY_RESULT(plan);
    QCOMPARE(sha256(canonicalJson(QJsonDocument::fromJson(*plan).object())),
             json[QLatin1String("plan_digest")].toString().toLatin1());
}

void ReceiptTest::receiptWithoutABranch()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QStringLiteral("true"));
    const Result<RunReport> report = readReport(m_bench->store(), run->id());
    VERIFY_RESULT(report);
    const QJsonObject receipt = receiptJson(*report);
    QVERIFY(receipt[QLatin1String("subject")].toArray().isEmpty());
    const QJsonObject predicate = receipt[QLatin1String("predicate")].toObject();
    QVERIFY(predicate[QLatin1String("branch")].isNull());
    QVERIFY(predicate[QLatin1String("commit")].isNull());
    QVERIFY(predicate[QLatin1String("plan")].isObject());
}

void ReceiptTest::displayTextOnly()
{
    RunReport report;
    report.egress << EgressRecord{
        QStringLiteral("evil\u202Egro.example"), 443, false, 1, {}, {}, {}};
    report.hazards << HazardRecord{QString(), QByteArray("a\x1b[31m\xff"), QStringLiteral("k"),
                                   QStringLiteral("r")};
    const QByteArray text = QJsonDocument(reportJson(report)).toJson();
    QVERIFY(!text.contains("\xe2\x80\xae") && !text.contains('\x1b') && !text.contains("\\u001b"));
}

void ReceiptTest::exportsWholeFolders()
{
    const std::shared_ptr<Run> run = m_bench->toEnd(QString(), QString::fromLatin1(goodAgent));
    const QString target = m_bench->path(QStringLiteral("out/dossier"));
    VERIFY_RESULT(exportDossier(m_bench->store(), run->id(), target));
    for (const char *name : {"receipt.json", "run.log", "result.bundle"}) {
        const QString file = QLatin1Char('/') + QLatin1String(name);
        QCOMPARE(readFile(target + file).value_or("?"),
                 readFile(run->folder() + file).value_or("!"));
    }
    QCOMPARE(QDir(target + QStringLiteral("/logs")).count(),
             QDir(run->folder() + QStringLiteral("/logs")).count());
    const Result<void> again = exportDossier(m_bench->store(), run->id(), target);
    QVERIFY(!again);
    QCOMPARE(again.error().code, ErrorCode::AlreadyExists);
    const Result<void> below =
        exportDossier(m_bench->store(), run->id(), target + QStringLiteral("/run.log/x"));
    QVERIFY(!below);
    QCOMPARE(below.error().code, ErrorCode::FileError);
}

void ReceiptTest::unknownRuns()
{
    QVERIFY(!readReport(m_bench->store(), QStringLiteral("nobody")));
    const Result<void> exported = exportDossier(m_bench->store(), QStringLiteral("nobody"),
                                                m_bench->path(QStringLiteral("out")));
    QVERIFY(!exported);
    QCOMPARE(exported.error().code, ErrorCode::NotFound);
}

QList<DoctorItem> ReceiptTest::examineNow()
{
    const PlannerParts parts = m_bench->parts();
    return await(examine({parts.providers, parts.agents, parts.secrets, parts.environment}, {}));
}

void ReceiptTest::doctorSaysWhatIsThere()
{
    const QString bin = m_bench->path(QStringLiteral("bin"));
    QVERIFY(QDir().mkpath(bin));
    VERIFY_RESULT(writeFile(bin + QStringLiteral("/keyed-agent"),
                            "#!/bin/sh\n[ -z \"$KEYED_TOKEN\" ] && echo 1.2.3\n"));
    QVERIFY(QFile::setPermissions(bin + QStringLiteral("/keyed-agent"),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_bench->setPath(bin);
    m_bench->secrets().remember(QStringLiteral("KEYED_TOKEN"), Secret("the value of it"));
    QString all;
    for (const DoctorItem &item : examineNow()) {
        all += item.readiness.what + QLatin1Char('|') + item.readiness.version + QLatin1Char('|') +
               item.readiness.nextStep + QLatin1Char('\n');
        QVERIFY(!item.stopsRuns);
    }
    QVERIFY2(all.startsWith(QLatin1String("git|")), qPrintable(all));
    QVERIFY(all.contains(QLatin1String("tool|1.0|")));
    QVERIFY(all.contains(QLatin1String("Keyed|1.2.3|")));
    QVERIFY(all.contains(QLatin1String("Keyed: key KEYED_TOKEN|")));
    QVERIFY(!all.contains(QLatin1String("the value of it")));
}

void ReceiptTest::doctorSaysWhatIsMissing()
{
    m_bench->service().removeTool();
    QString all;
    for (const DoctorItem &item : examineNow()) {
        all += item.readiness.what + QLatin1Char('|') + item.readiness.nextStep +
               (item.stopsRuns ? QLatin1String("|stops\n") : QLatin1String("\n"));
    }
    QVERIFY2(all.contains(QLatin1String("tool|Install it.|stops")), qPrintable(all));
    QVERIFY(all.contains(QLatin1String("npm install -g keyed-agent")));
    m_bench->faults().before = [](const QString &, const QString &) {
        return std::optional(Error{ErrorCode::Unreachable, QStringLiteral("it is away"), {}});
    };
    bool said = false;
    for (const DoctorItem &item : examineNow()) {
        said = said || item.readiness.nextStep == QLatin1String("it is away");
    }
    QVERIFY(said);
}

void ReceiptTest::doctorJudgesVersions_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("said");
    QTest::newRow("broken") << QByteArray("exit 1") << QStringLiteral("does not tell its version");
    QTest::newRow("silent") << QByteArray("true") << QStringLiteral("does not tell its version");
    QTest::newRow("too old") << QByteArray("echo v1.1.9 of it") << QStringLiteral("1.2.0 or newer");
    QTest::newRow("just so") << QByteArray("echo 1.2.0") << QString();
    QTest::newRow("ten is more than two") << QByteArray("echo 1.10.0") << QString();
}

void ReceiptTest::doctorJudgesVersions()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, said);
    const QString bin = m_bench->path(QStringLiteral("bin"));
    QVERIFY(QDir().mkpath(bin));
    const QString program = bin + QStringLiteral("/keyed-agent");
    VERIFY_RESULT(writeFile(program, "#!/bin/sh\n" + script + '\n'));
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_bench->setPath(bin);
    QStringList found;
    for (const DoctorItem &item : examineNow()) {
        if (item.readiness.what == QLatin1String("Keyed")) {
            found << item.readiness.nextStep;
            QCOMPARE(item.readiness.state == Readiness::State::Ok, said.isEmpty());
        }
    }
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.first().contains(said) && found.first().isEmpty() == said.isEmpty(),
             qPrintable(found.first()));
}

QTEST_GUILESS_MAIN(ReceiptTest)
#include "tst_receipt.moc"
