// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/networkpolicy.h"
#include "tests/support/testing.h"

using namespace Glovebox;

class NetworkPolicyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsRules_data();
    void readsRules();
    void refusesRules_data();
    void refusesRules();
    void matchesHosts_data();
    void matchesHosts();
    void denyWins();
    void openLetsThroughAllButDenied();
    void namesStrengths();
};

void NetworkPolicyTest::readsRules_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("again");
    const auto row = [](const char *text, const char *host, int port, const char *again) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(host) << port
                            << QString::fromUtf8(again);
    };
    row("example.com", "example.com", 0, "example.com");
    row(" Example.COM \n", "example.com", 0, "example.com");
    row("example.com:443", "example.com", 443, "example.com:443");
    row("*.example.com", "*.example.com", 0, "*.example.com");
    row("*.example.com:8443", "*.example.com", 8443, "*.example.com:8443");
    row("localhost", "localhost", 0, "localhost");
    row("my_host-1.example.com", "my_host-1.example.com", 0, "my_host-1.example.com");
    row("bücher.example.com", "xn--bcher-kva.example.com", 0, "xn--bcher-kva.example.com");
    row("127.0.0.1:8080", "127.0.0.1", 8080, "127.0.0.1:8080");
    row("10.0.0.0/8", "10.0.0.0/8", 0, "10.0.0.0/8");
    row("10.1.2.3/8", "10.0.0.0/8", 0, "10.0.0.0/8");
    row("10.0.0.0/8:22", "10.0.0.0/8", 22, "10.0.0.0/8:22");
    row("0.0.0.0/0", "0.0.0.0/0", 0, "0.0.0.0/0");
    row("[::1]:80", "::1", 80, "[::1]:80");
    row("::1", "::1", 0, "[::1]");
    row("::", "::", 0, "[::]");
    row("::/0", "::/0", 0, "[::/0]");
    row("[2001:DB8:0::1]", "2001:db8::1", 0, "[2001:db8::1]");
    row("::ffff:1.2.3.4", "1.2.3.4", 0, "1.2.3.4");
    row("2001:db8:1:2:3::/32", "2001:db8::/32", 0, "[2001:db8::/32]");
    row("[2001:db8::/32]:443", "2001:db8::/32", 443, "[2001:db8::/32]:443");
}

void NetworkPolicyTest::readsRules()
{
    QFETCH(QString, text);
    QFETCH(QString, host);
    QFETCH(int, port);
    QFETCH(QString, again);
    const std::optional<HostRule> rule = parseHostRule(text);
    QVERIFY(rule);
    QCOMPARE(rule->host, host);
    QCOMPARE(int(rule->port.value_or(0)), port);
    QCOMPARE(toText(*rule), again);
    QCOMPARE(parseHostRule(again), rule);
}

void NetworkPolicyTest::refusesRules_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"",
                             " ",
                             "*",
                             "*.",
                             "*.*",
                             "a.*.com",
                             "*example.com",
                             "https://example.com",
                             "example.com/a",
                             "example.com:",
                             "example.com:0",
                             "example.com:65536",
                             "example.com:080",
                             "example.com:80:81",
                             "example..com",
                             ".example.com",
                             "example.com.",
                             "-a.example.com",
                             "a b.example.com",
                             "user@example.com",
                             "127.1",
                             "2130706433",
                             "0x7f.0.0.1",
                             "0x7f000001",
                             "01.02.03.04",
                             "1.2.3",
                             "1.2.3.4.5",
                             "256.1.1.1",
                             "10.0.0.0/33",
                             "10.0.0.0/",
                             "10.0.0.0/8/8",
                             "10.0.0.0/08",
                             "::1/129",
                             "[::1",
                             "[::1]80",
                             "[::1]:",
                             "[1.2.3.4]",
                             "[example.com]",
                             "fe80::1%eth0",
                             "::ffff:1.2.3.4/120",
                             "*.10.0.0.1",
                             "exa\nmple.com",
                             "\"example.com\""}) {
        QTest::newRow(text) << QString::fromUtf8(text);
    }
    QTest::newRow("label of 64") << QString(64, QLatin1Char('a')) + QStringLiteral(".com");
    QTest::newRow("name of 256") << QString(QStringLiteral("a.")).repeated(126) +
                                        QStringLiteral("aaaa");
}

void NetworkPolicyTest::refusesRules()
{
    QFETCH(QString, text);
    QVERIFY(!parseHostRule(text));
}

void NetworkPolicyTest::matchesHosts_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char *rule, const char *host, int port, bool expected) {
        QTest::addRow("%s %s:%d", rule, host, port)
            << QString::fromLatin1(rule) << QString::fromLatin1(host) << port << expected;
    };
    row("example.com", "example.com", 443, true);
    row("example.com", "a.example.com", 443, false);
    row("example.com", "notexample.com", 443, false);
    row("example.com:443", "example.com", 443, true);
    row("example.com:443", "example.com", 80, false);
    row("*.example.com", "a.example.com", 1, true);
    row("*.example.com", "b.a.example.com", 1, true);
    row("*.example.com", "example.com", 1, false);
    row("*.example.com", ".example.com", 1, false);
    row("*.example.com", "aexample.com", 1, false);
    row("10.0.0.0/8", "10.200.1.1", 22, true);
    row("10.0.0.0/8", "11.0.0.1", 22, false);
    row("10.0.0.0/8", "ten.example.com", 22, false);
    row("10.0.0.0/8:22", "10.1.1.1", 23, false);
    row("2001:db8::/32", "2001:db8:1::2", 22, true);
    row("2001:db8::/32", "2001:db9::1", 22, false);
    row("0.0.0.0/0", "1.2.3.4", 22, true);
    row("127.0.0.1:8080", "127.0.0.1", 8080, true);
    row("127.0.0.1:8080", "127.0.0.1", 8081, false);
    row("127.0.0.1:8080", "localhost", 8080, false);
}

void NetworkPolicyTest::matchesHosts()
{
    QFETCH(QString, rule);
    QFETCH(QString, host);
    QFETCH(int, port);
    QFETCH(bool, expected);
    QCOMPARE(matches(*parseHostRule(rule), host, static_cast<quint16>(port)), expected);
}

void NetworkPolicyTest::denyWins()
{
    NetworkPolicy policy;
    policy.allow = {*parseHostRule(QStringLiteral("*.example.com"))};
    policy.deny = {*parseHostRule(QStringLiteral("a.example.com:80"))};
    QVERIFY(allows(policy, QStringLiteral("b.example.com"), 80));
    QVERIFY(allows(policy, QStringLiteral("a.example.com"), 443));
    QVERIFY(!allows(policy, QStringLiteral("a.example.com"), 80));
    QVERIFY(!allows(policy, QStringLiteral("example.org"), 80));
}

void NetworkPolicyTest::openLetsThroughAllButDenied()
{
    NetworkPolicy policy;
    policy.open = true;
    policy.deny = {*parseHostRule(QStringLiteral("10.0.0.0/8"))};
    QVERIFY(allows(policy, QStringLiteral("example.org"), 80));
    QVERIFY(!allows(policy, QStringLiteral("10.0.0.1"), 80));
}

void NetworkPolicyTest::namesStrengths()
{
    using Strength = CompiledPolicy::Strength;
    QSet<QString> names;
    for (const Strength strength :
         {Strength::Exact, Strength::Wider, Strength::Narrower, Strength::NotEnforced}) {
        names.insert(strengthName(strength));
    }
    QCOMPARE(names.size(), 4);
    QCOMPARE(strengthName(Strength::NotEnforced), QStringLiteral("not_enforced"));
}

QTEST_GUILESS_MAIN(NetworkPolicyTest)
#include "tst_networkpolicy.moc"
