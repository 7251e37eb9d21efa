// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/networkpresets.h"
#include "tests/support/testing.h"

using namespace Glovebox;

namespace {

Agent sampleAgent()
{
    Agent agent;
    agent.name = QStringLiteral("Sample");
    agent.hosts = {QStringLiteral("model.example.com"), QStringLiteral("127.0.0.1:8787")};
    return agent;
}

PackageHosts samplePackages()
{
    PackageHosts packages;
    packages.hosts = {
        {{QStringLiteral("npm.example.com"), std::nullopt},
         QStringLiteral("package-lock.json line 4")},
        {{QStringLiteral("model.example.com"), std::nullopt}, QStringLiteral("again")}};
    Problem problem;
    problem.severity = Severity::Warning;
    problem.code = QStringLiteral("package-host-left-out");
    packages.problems = {problem};
    return packages;
}

NetworkChoice choice(const char *preset)
{
    NetworkChoice made;
    made.preset = QLatin1String(preset);
    return made;
}

QStringList shown(const ResolvedNetwork &network)
{
    QStringList lines;
    for (const PlanHost &host : network.hosts) {
        lines += QStringLiteral("%1 (%2)").arg(host.rule, host.reason);
    }
    return lines;
}

QStringList codes(const ResolvedNetwork &network)
{
    QStringList lines;
    for (const Problem &problem : network.problems) {
        lines += problem.code;
    }
    return lines;
}

} // namespace

class NetworkPresetsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void names();
    void lockedDown();
    void balanced();
    void open();
    void unknownPreset();
    void ownLists();
    void badRules_data();
    void badRules();
};

void NetworkPresetsTest::names()
{
    for (const NetworkPreset preset :
         {NetworkPreset::LockedDown, NetworkPreset::Balanced, NetworkPreset::Open}) {
        QVERIFY(networkPresetOf(networkPresetName(preset)) == preset);
        QVERIFY(networkPresetText(preset).endsWith(QLatin1Char('.')));
    }
    QVERIFY(!networkPresetOf(QStringLiteral("Open")));
}

void NetworkPresetsTest::lockedDown()
{
    const ResolvedNetwork network =
        resolveNetwork(choice("locked-down"), sampleAgent(), samplePackages());
    QVERIFY(!network.policy.open);
    QVERIFY(network.problems.isEmpty());
    QCOMPARE(shown(network), (QStringList{QStringLiteral("model.example.com (agent Sample)"),
                                          QStringLiteral("127.0.0.1:8787 (agent Sample)")}));
    QCOMPARE(network.policy.allow.size(), 2);
    QVERIFY(network.policy.allow.last().port == 8787);
}

void NetworkPresetsTest::balanced()
{
    const ResolvedNetwork network =
        resolveNetwork(choice("balanced"), sampleAgent(), samplePackages());
    QCOMPARE(shown(network).mid(2),
             QStringList{QStringLiteral("npm.example.com (package-lock.json line 4)")});
    QCOMPARE(codes(network), QStringList{QStringLiteral("package-host-left-out")});
}

void NetworkPresetsTest::open()
{
    const ResolvedNetwork network = resolveNetwork(choice("open"), sampleAgent(), samplePackages());
    QVERIFY(network.policy.open);
    QCOMPARE(codes(network), QStringList{QStringLiteral("network-open")});
    QVERIFY(network.problems.first().severity == Severity::Warning);
    QCOMPARE(network.hosts.size(), 2);
}

void NetworkPresetsTest::unknownPreset()
{
    const ResolvedNetwork network = resolveNetwork(choice("wide"), sampleAgent(), samplePackages());
    QVERIFY(hasErrors(network.problems));
    QVERIFY(!network.policy.open);
    QCOMPARE(network.hosts.size(), 2);
}

void NetworkPresetsTest::ownLists()
{
    NetworkChoice made = choice("locked-down");
    made.allow = {QStringLiteral("*.example.org"), QStringLiteral("10.0.0.0/8"),
                  QStringLiteral("*.Example.org"), QStringLiteral("model.example.com")};
    made.deny = {QStringLiteral("bad.example.org"), QStringLiteral("bad.example.org")};
    const ResolvedNetwork network = resolveNetwork(made, sampleAgent(), {});
    QVERIFY(network.problems.isEmpty());
    QCOMPARE(shown(network).mid(2),
             (QStringList{QStringLiteral("*.example.org (the task's own list)"),
                          QStringLiteral("10.0.0.0/8 (the task's own list)")}));
    QCOMPARE(network.policy.deny.size(), 1);
    QVERIFY(!allows(network.policy, QStringLiteral("bad.example.org"), 443));
    QVERIFY(allows(network.policy, QStringLiteral("good.example.org"), 443));
}

void NetworkPresetsTest::badRules_data()
{
    QTest::addColumn<QString>("rule");
    for (const char *rule :
         {"*", "https://example.com/", "", "a b", "example.com:0", "10.0.0.0/33"}) {
        QTest::newRow(rule) << QString::fromLatin1(rule);
    }
}

void NetworkPresetsTest::badRules()
{
    QFETCH(QString, rule);
    for (const bool inAllow : {true, false}) {
        NetworkChoice made = choice("locked-down");
        (inAllow ? made.allow : made.deny) = {rule};
        const ResolvedNetwork network = resolveNetwork(made, sampleAgent(), {});
        QCOMPARE(codes(network), QStringList{QStringLiteral("network-rule")});
        QVERIFY(hasErrors(network.problems));
        QCOMPARE(network.policy.allow.size(), 2);
        QVERIFY(network.policy.deny.isEmpty());
    }
}

QTEST_GUILESS_MAIN(NetworkPresetsTest)
#include "tst_networkpresets.moc"
