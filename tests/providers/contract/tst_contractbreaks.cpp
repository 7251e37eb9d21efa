// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// Tests the contract suite itself: a backend that breaks one promise fails in exactly that case.
// GLOVEBOX_BREAKS, a list of cases, makes it shorter.
#include "core/base/files.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/testing.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

using namespace Glovebox;
using namespace Glovebox::Testing;

class ContractBreaksTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exactlyOneFails_data();
    void exactlyOneFails();
};

void ContractBreaksTest::exactlyOneFails_data()
{
    QTest::addColumn<QString>("broken");
    const QStringList wanted =
        qEnvironmentVariable("GLOVEBOX_BREAKS").split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QTest::newRow("none") << QString();
    for (int i = 1; i <= 42; ++i) {
        const QString id = QStringLiteral("C%1").arg(i, 2, 10, QLatin1Char('0'));
        if (wanted.isEmpty() || wanted.contains(id)) {
            QTest::newRow(qPrintable(id)) << id;
        }
    }
}

void ContractBreaksTest::exactlyOneFails()
{
    QFETCH(QString, broken);
    Testing::TemporaryFolder folder;
    const QString results = folder.filePath(QStringLiteral("rows.json"));
    QProcess suite;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GLOVEBOX_CONTRACT_BREAK"), broken);
    environment.insert(QStringLiteral("GLOVEBOX_CONTRACT_RESULTS"), results);
    // Only what memory shows needs large files.
    environment.insert(QStringLiteral("GLOVEBOX_CONTRACT_MIB"), broken == QLatin1String("C12")
                                                                    ? QStringLiteral("200")
                                                                    : QStringLiteral("4"));
    suite.setProcessEnvironment(environment);
    suite.start(QCoreApplication::applicationDirPath() + QStringLiteral("/tst_contractfolder"), {});
    QVERIFY(suite.waitForFinished(600'000));
    const Result<QByteArray> text = readFile(results);
    VERIFY_RESULT(text);
    const QJsonArray rows = QJsonDocument::fromJson(*text).array();
    QCOMPARE(rows.size(), 42);
    QStringList failed;
    QString reasons;
    for (const auto &value : rows) {
        const QJsonObject row = value.toObject();
        QVERIFY(row[QStringLiteral("result")] != QLatin1String("not offered"));
        if (row[QStringLiteral("result")] == QLatin1String("failed")) {
            failed.append(row[QStringLiteral("case")].toString());
            reasons += failed.last() + u' ' + row[QStringLiteral("reason")].toString() + u'\n';
        }
    }
    QVERIFY2(failed == (broken.isEmpty() ? QStringList() : QStringList{broken}),
             qPrintable(reasons));
}

QTEST_GUILESS_MAIN(ContractBreaksTest)
#include "tst_contractbreaks.moc"
