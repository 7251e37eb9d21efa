// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cli.h"
#include "tests/support/testing.h"

#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

const QByteArray key = QByteArrayLiteral("Zq9-MARKER-77c1e2-and-more");

} // namespace

/// `glovebox-cli import` on a bundle that a run kept: in, or out with the reason.
class ImportVerbTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void imports_data();
    void imports();
};

void ImportVerbTest::imports_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("why");
    const QStringList set{QStringLiteral("ANTHROPIC_API_KEY=") + QString::fromLatin1(key)};
    QTest::newRow("clean") << QByteArray("two\n") << QStringList() << 0 << QString();
    QTest::newRow("clean, with a key set") << QByteArray("two\n") << set << 0 << QString();
    QTest::newRow("holds the key")
        << QByteArray("x " + key) << set << 1 << QStringLiteral("own-secret-in-result");
    QTest::newRow("holds it as base64")
        << key.toBase64() << set << 1 << QStringLiteral("own-secret-in-result");
}

void ImportVerbTest::imports()
{
    QFETCH(QByteArray, content);
    QFETCH(QStringList, environment);
    QFETCH(int, code);
    QFETCH(QString, why);
    const QTemporaryDir folder;
    const TestRepository repository(folder.filePath(QStringLiteral("it's a repo")));
    repository.write(QStringLiteral("a.txt"), "one\n");
    const QString base = repository.commitAll(QStringLiteral("Base"));
    repository.git({QStringLiteral("checkout"), QStringLiteral("-q"), QStringLiteral("-b"),
                    QStringLiteral("agent/work")});
    repository.write(QStringLiteral("a.txt"), content);
    const QString tip = repository.commitAll(QStringLiteral("Work"));
    const QString bundle = folder.filePath(QStringLiteral("result.bundle"));
    repository.git({QStringLiteral("bundle"), QStringLiteral("create"), QStringLiteral("-q"),
                    bundle, QStringLiteral("agent/work"), QStringLiteral("^") + base});
    repository.git({QStringLiteral("checkout"), QStringLiteral("-q"), QStringLiteral("main")});
    repository.git({QStringLiteral("branch"), QStringLiteral("-q"), QStringLiteral("-D"),
                    QStringLiteral("agent/work")});
    const CliResult result =
        runCli({QStringLiteral("import"), bundle, QStringLiteral("--repo"), repository.folder(),
                QStringLiteral("--base"), base, QStringLiteral("--json"),
                QStringLiteral("--data-dir"), folder.filePath(QStringLiteral("data"))},
               environment);
    QVERIFY2(result.code == code, (result.output + result.error).constData());
    QCOMPARE(result.document[QLatin1String("imported")].toBool(), code == 0);
    QCOMPARE(result.document[QLatin1String("code")].toString(), why);
    const QString branches = QString::fromUtf8(repository.git(
        {QStringLiteral("for-each-ref"), QStringLiteral("--format=%(refname:short) %(objectname)"),
         QStringLiteral("refs/heads/agent")}));
    QCOMPARE(branches.trimmed(), code == 0 ? QStringLiteral("agent/work ") + tip : QString());
    QVERIFY(!result.output.contains(key) && !result.error.contains(key));
    QVERIFY(QDir(folder.filePath(QStringLiteral("data")))
                .entryList({QStringLiteral("import-*")})
                .isEmpty());
}

QTEST_GUILESS_MAIN(ImportVerbTest)
#include "tst_importverb.moc"
