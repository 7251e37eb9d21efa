// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/ownsecrets.h"
#include "tests/support/testing.h"

#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

const QByteArray marker = QByteArrayLiteral("Zq9-MARKER-77c1e2-and-more");

} // namespace

/// Own keys in new objects, wherever they stand and however the objects fall into batches.
class OwnSecretsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void finds_data();
    void finds();
    void leavesTheBaseAlone();
    void largerThanABatch();
    void unknownCommitIsAnError();
    void stops();

private:
    [[nodiscard]] static OwnSecretsRequest requestFor(const TestRepository &repository,
                                                      const QString &base, const QString &tip);
};

OwnSecretsRequest OwnSecretsTest::requestFor(const TestRepository &repository, const QString &base,
                                             const QString &tip)
{
    const QList<NamedSecret> secrets{{QStringLiteral("MY_TOKEN"), Secret(marker)},
                                     {QStringLiteral("OTHER"), Secret("quite-another-value")}};
    OwnSecretsRequest request;
    request.gitFolder = repository.gitFolder();
    request.base = base;
    request.tip = tip;
    request.secrets = std::make_shared<const SecretForms>(secrets);
    return request;
}

void OwnSecretsTest::finds_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QStringList>("found");
    const QStringList mine{QStringLiteral("MY_TOKEN")};
    const QString path = QStringLiteral("src/a.txt");
    const QString message = QStringLiteral("Work");
    QTest::newRow("nothing") << path << QByteArray("two\n") << message << QStringList();
    QTest::newRow("in a file") << path << QByteArray("x " + marker) << message << mine;
    QTest::newRow("as base64") << path << QByteArray("x" + marker).toBase64() << message << mine;
    QTest::newRow("in a commit's text")
        << path << QByteArray("two\n") << QString::fromLatin1(marker) << mine;
    QTest::newRow("in a name") << QString::fromLatin1("src/" + marker) << QByteArray("two\n")
                               << message << mine;
    QTest::newRow("two of them") << path << QByteArray(marker + " quite-another-value") << message
                                 << QStringList{QStringLiteral("MY_TOKEN"),
                                                QStringLiteral("OTHER")};
}

void OwnSecretsTest::finds()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, content);
    QFETCH(QString, message);
    QFETCH(QStringList, found);
    const QTemporaryDir folder;
    const TestRepository repository(folder.path());
    repository.write(QStringLiteral("src/a.txt"), "one\n");
    const QString base = repository.commitAll(QStringLiteral("Base"));
    repository.write(path, content);
    const QString tip = repository.commitAll(message);
    for (const qint64 batch : {1LL, 400LL, 16LL << 20}) {
        OwnSecretsRequest request = requestFor(repository, base, tip);
        request.batch = batch;
        const Result<QStringList> names = await(ownSecretsIn(request, {}));
        VERIFY_RESULT(names);
        QCOMPARE(*names, found);
    }
}

void OwnSecretsTest::leavesTheBaseAlone()
{
    const QTemporaryDir folder;
    const TestRepository repository(folder.path());
    repository.write(QStringLiteral("a"), marker);
    const QString base = repository.commitAll(QStringLiteral("Base"));
    repository.write(QStringLiteral("b"), "two\n");
    const QString tip = repository.commitAll(QStringLiteral("Work"));
    const Result<QStringList> names = await(ownSecretsIn(requestFor(repository, base, tip), {}));
    VERIFY_RESULT(names);
    QCOMPARE(*names, QStringList());
}

void OwnSecretsTest::largerThanABatch()
{
    const QTemporaryDir folder;
    const TestRepository repository(folder.path());
    repository.write(QStringLiteral("a"), "one\n");
    const QString base = repository.commitAll(QStringLiteral("Base"));
    repository.write(QStringLiteral("large"), QByteArray(3 << 20, 'x') + marker);
    for (int i = 0; i < 50; ++i) {
        repository.write(QStringLiteral("small-%1").arg(i), QByteArray::number(i));
    }
    const QString tip = repository.commitAll(QStringLiteral("Work"));
    OwnSecretsRequest request = requestFor(repository, base, tip);
    request.batch = 1 << 20;
    const Result<QStringList> names = await(ownSecretsIn(request, {}));
    VERIFY_RESULT(names);
    QCOMPARE(*names, QStringList{QStringLiteral("MY_TOKEN")});
}

void OwnSecretsTest::unknownCommitIsAnError()
{
    const QTemporaryDir folder;
    const TestRepository repository(folder.path());
    repository.write(QStringLiteral("a"), "one\n");
    const QString base = repository.commitAll(QStringLiteral("Base"));
    const OwnSecretsRequest request = requestFor(repository, base, QString(40, QLatin1Char('a')));
    QVERIFY(!await(ownSecretsIn(request, {}))); // who cannot look must not say that there is none
}

void OwnSecretsTest::stops()
{
    const QTemporaryDir folder;
    const TestRepository repository(folder.path());
    repository.write(QStringLiteral("a"), "one\n");
    const QString base = repository.commitAll(QStringLiteral("Base"));
    std::stop_source stop;
    stop.request_stop();
    const Result<QStringList> names =
        await(ownSecretsIn(requestFor(repository, base, base), stop.get_token()));
    QVERIFY(!names);
    QCOMPARE(names.error().code, ErrorCode::Cancelled);
}

QTEST_GUILESS_MAIN(OwnSecretsTest)
#include "tst_ownsecrets.moc"
