// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/secretstore.h"

#include <QTest>

using namespace Glovebox;
using Place = SecretStore::Place;

namespace {

const QString name = QStringLiteral("SERVICE_KEY");

SecretStore storeWith(const QString &value)
{
    QProcessEnvironment environment;
    environment.insert(name, value);
    return SecretStore(environment);
}

} // namespace

class SecretStoreTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void environmentIsRead();
    void emptyIsNothing();
    void memoryComesFirst();
    void forgets();
    void printsStars();
};

void SecretStoreTest::environmentIsRead()
{
    const SecretStore store = storeWith(QStringLiteral("fr\u00f6m-outside"));
    QCOMPARE(store.find(name)->reveal(), QByteArray("fr\xc3\xb6m-outside"));
    QVERIFY(store.placeOf(name) == Place::Environment);
    QVERIFY(!store.find(QStringLiteral("OTHER_KEY")));
    QVERIFY(!store.placeOf(QStringLiteral("OTHER_KEY")));
}

void SecretStoreTest::emptyIsNothing()
{
    const SecretStore store = storeWith(QString());
    QVERIFY(!store.find(name));
    QVERIFY(!store.placeOf(name));
}

void SecretStoreTest::memoryComesFirst()
{
    SecretStore store = storeWith(QStringLiteral("outside"));
    store.remember(name, Secret("typed"));
    QCOMPARE(store.find(name)->reveal(), QByteArray("typed"));
    QVERIFY(store.placeOf(name) == Place::Memory);
}

void SecretStoreTest::forgets()
{
    SecretStore store = storeWith(QStringLiteral("outside"));
    store.remember(name, Secret("typed"));
    store.remember(name, Secret());
    QCOMPARE(store.find(name)->reveal(), QByteArray("outside"));
    QVERIFY(store.placeOf(name) == Place::Environment);
}

void SecretStoreTest::printsStars()
{
    QString text;
    QDebug(&text) << *storeWith(QStringLiteral("outside")).find(name);
    QVERIFY(text.contains(QStringLiteral("***")));
    QVERIFY(!text.contains(QStringLiteral("outside")));
}

QTEST_GUILESS_MAIN(SecretStoreTest)
#include "tst_secretstore.moc"
