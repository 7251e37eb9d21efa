// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "providers/srt/addresscheck.h"
#include "providers/srt/policy.h"
#include "tests/support/testing.h"

#include <QJsonArray>

using namespace Glovebox;
using namespace Glovebox::Srt;
using Strength = CompiledPolicy::Strength;

namespace {

NetworkPolicy policyOf(const QStringList &allow, const QStringList &deny = {})
{
    NetworkPolicy policy;
    for (const QString &text : allow) {
        policy.allow.append(*parseHostRule(text));
    }
    for (const QString &text : deny) {
        policy.deny.append(*parseHostRule(text));
    }
    return policy;
}

QStringList listOf(const QJsonObject &object, const char *key)
{
    QStringList texts;
    for (const QJsonValue &value : object.value(QLatin1String(key)).toArray()) {
        texts.append(value.toString());
    }
    return texts;
}

} // namespace

class SrtPolicyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void compiles_data();
    void compiles();
    void openGoesThroughOurProxy();
    void deniedBlocksAreSpeltOut();
    void digestFollowsThePolicy();
    void checksAddresses_data();
    void checksAddresses();
};

void SrtPolicyTest::compiles_data()
{
    QTest::addColumn<QStringList>("allow");
    QTest::addColumn<QStringList>("deny");
    QTest::addColumn<QStringList>("allowed");
    QTest::addColumn<QStringList>("denied");
    QTest::addColumn<Strength>("strength");
    const auto row = [](const char *name, const QStringList &allow, const QStringList &deny,
                        const QStringList &allowed, const QStringList &denied, Strength strength) {
        QTest::newRow(name) << allow << deny << allowed << denied << strength;
    };
    using L = QStringList;
    const auto s = [](const char *text) {
        return QString::fromLatin1(text);
    };
    row("nothing", {}, {}, {}, {}, Strength::Exact);
    row("names and ports", L{s("a.example.com"), s("b.example.com:443")}, {},
        L{s("a.example.com"), s("b.example.com:443")}, {}, Strength::Exact);
    row("wildcard", L{s("*.example.com:8443")}, {}, L{s("*.example.com:8443")}, {},
        Strength::Exact);
    row("addresses", L{s("192.0.2.1:80"), s("[2001:db8::1]:443")}, {},
        L{s("192.0.2.1:80"), s("[2001:db8::1]:443")}, {}, Strength::Exact);
    row("localhost", L{s("localhost")}, {}, L{s("localhost")}, {}, Strength::Exact);
    row("deny wins", L{s("*.example.com")}, L{s("a.example.com")}, L{s("*.example.com")},
        L{s("a.example.com")}, Strength::Exact);
    row("denied top-level domain is our proxy's", L{s("a.example.com")}, L{s("*.com"), s("nas")},
        L{s("a.example.com")}, {}, Strength::Exact);
    row("block", L{s("10.0.0.0/8"), s("a.example.com")}, {}, L{s("a.example.com")}, {},
        Strength::Narrower);
    row("top-level domain", L{s("*.com")}, {}, {}, {}, Strength::Narrower);
    row("name without a dot", L{s("nas")}, {}, {}, {}, Strength::Narrower);
}

void SrtPolicyTest::compiles()
{
    QFETCH(QStringList, allow);
    QFETCH(QStringList, deny);
    QFETCH(QStringList, allowed);
    QFETCH(QStringList, denied);
    QFETCH(Strength, strength);
    const CompiledPolicy compiled = compilePolicy(policyOf(allow, deny));
    QCOMPARE(compiled.strength, strength);
    const QJsonObject network = networkSettings(policyOf(allow, deny));
    QCOMPARE(listOf(network, "allowedDomains"), allowed);
    QCOMPARE(listOf(network, "deniedDomains"), denied);
    QCOMPARE(compiled.rules.size(), allow.size() + deny.size() + 1);
    // What can't be held is named.
    const QString limits = compiled.limits.join(QLatin1Char('\n'));
    for (const QString &rule : allow) {
        QVERIFY2(allowed.contains(rule) || limits.contains(rule), qPrintable(rule));
    }
}

void SrtPolicyTest::openGoesThroughOurProxy()
{
    NetworkPolicy policy =
        policyOf({QStringLiteral("a.example.com")}, {QStringLiteral("b.example.com")});
    policy.open = true;
    const CompiledPolicy compiled = compilePolicy(policy);
    QCOMPARE(compiled.strength, Strength::Narrower);
    QVERIFY(compiled.rules.contains(QStringLiteral("deny b.example.com")));
    QCOMPARE(listOf(networkSettings(policy), "allowedDomains"), QStringList());
}

void SrtPolicyTest::deniedBlocksAreSpeltOut()
{
    // srt dials loopback itself, past our proxy.
    const NetworkPolicy policy =
        policyOf({QStringLiteral("127.0.0.1:8080"), QStringLiteral("localhost"),
                  QStringLiteral("192.0.2.1")},
                 {QStringLiteral("127.0.0.0/8"), QStringLiteral("10.0.0.0/8:22")});
    const QJsonObject network = networkSettings(policy);
    QCOMPARE(listOf(network, "deniedDomains"),
             (QStringList{QStringLiteral("127.0.0.1"), QStringLiteral("localhost")}));
    QCOMPARE(listOf(network, "deniedResolvedAddresses"),
             QStringList{QStringLiteral("127.0.0.0/8")});
}

void SrtPolicyTest::digestFollowsThePolicy()
{
    const QString host = QStringLiteral("a.example.com");
    const CompiledPolicy one = compilePolicy(policyOf({host}));
    QCOMPARE(one.digest, sha256(one.native));
    QCOMPARE(compilePolicy(policyOf({host})).digest, one.digest);
    QVERIFY(compilePolicy(policyOf({host}, {QStringLiteral("10.0.0.0/8")})).digest != one.digest);
    NetworkPolicy open = policyOf({host});
    open.open = true;
    QVERIFY(compilePolicy(open).digest != one.digest);
}

void SrtPolicyTest::checksAddresses_data()
{
    QTest::addColumn<QStringList>("allow");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("address");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char *allow, const char *host, const char *address, bool expected) {
        QTest::addRow("%s: %s at %s", allow, host, address)
            << QString::fromLatin1(allow).split(QLatin1Char(' ')) << QString::fromLatin1(host)
            << QString::fromLatin1(address) << expected;
    };
    row("a.test.com", "a.test.com", "93.184.216.34", true);
    row("a.test.com", "a.test.com", "2606:2800:220:1::1", true);
    for (const char *address : {"127.0.0.1",
                                "127.9.9.9",
                                "::1",
                                "0.0.0.0",
                                "::",
                                "169.254.169.254",
                                "fe80::1",
                                "224.0.0.1",
                                "ff02::1",
                                "255.255.255.255",
                                "100.100.100.200",
                                "168.63.129.16",
                                "fd00:ec2::254",
                                "::ffff:127.0.0.1",
                                "::127.0.0.1",
                                "64:ff9b::7f00:1",
                                "2002:7f00:1::",
                                "::ffff:0:7f00:1",
                                "64:ff9b::a9fe:a9fe",
                                "198.51.100.7"}) {
        row("a.test.com", "a.test.com", address, false); // the last one is this machine's own
    }
    row("a.test.com 127.0.0.1:80", "a.test.com", "127.0.0.1", true);
    row("a.test.com 127.0.0.1:81", "a.test.com", "127.0.0.1", false);
    row("a.test.com 127.0.0.1", "a.test.com", "::ffff:127.0.0.1", true);
    row("a.test.com 127.0.0.0/8", "a.test.com", "127.0.0.1", true);
    row("localhost", "localhost", "127.0.0.1", true);
    row("localhost", "localhost", "::1", true);
    row("localhost", "localhost", "10.0.0.1", false);
    row("localhost:81", "localhost", "127.0.0.1", false);
    row("a.test.com", "a.test.com", "10.1.2.3", true); // listed by its own name: an intranet
    row("*.test.com", "a.test.com", "10.1.2.3", false);
    row("*.test.com", "a.test.com", "100.64.0.1", false);
    row("*.test.com", "a.test.com", "fd12::1", false);
    row("*.test.com", "a.test.com", "93.184.216.34", true);
    row("*.test.com 10.0.0.0/8", "a.test.com", "10.1.2.3", true);
}

void SrtPolicyTest::checksAddresses()
{
    QFETCH(QStringList, allow);
    QFETCH(QString, host);
    QFETCH(QString, address);
    QFETCH(bool, expected);
    const QList<QHostAddress> own{QHostAddress(QStringLiteral("198.51.100.7"))};
    NetworkPolicy policy = policyOf(allow);
    QCOMPARE(mayConnect(policy, host, 80, QHostAddress(address), own), expected);
    // A denied address wins over everything.
    policy.deny = {*parseHostRule(QStringLiteral("0.0.0.0/0")),
                   *parseHostRule(QStringLiteral("::/0"))};
    QVERIFY(!mayConnect(policy, host, 80, QHostAddress(address), own));
}

QTEST_GUILESS_MAIN(SrtPolicyTest)
#include "tst_srtpolicy.moc"
