// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/runs/packagemanagers.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QStringList rules(const PackageHosts &hosts)
{
    QStringList lines;
    for (const PackageHost &host : hosts.hosts) {
        lines += toText(host.rule);
    }
    return lines;
}

PackageHosts needing(const QList<PackageManager> &managers)
{
    PackageHosts hosts;
    hosts.unanswered = managers;
    return hosts;
}

} // namespace

/// Package managers are stand-ins on a PATH of the test's own.
class PackageManagersTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void npm();
    void pnpmFallsBackToNpm();
    void yarn();
    void pip_data();
    void pip();
    void go_data();
    void go();
    void cargo();
    void absentOnesLeaveAHint();
    void cleanEnvironment();
    void hangingOneIsLeft();
    void stopped();

private:
    void install(const char *program, const QByteArray &script) const;
    QByteArray m_path;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void PackageManagersTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = qgetenv("PATH");
    qputenv("PATH", m_folder->path().toUtf8());
    qputenv("CARGO_HOME", m_folder->filePath(QStringLiteral("cargo")).toUtf8());
}

void PackageManagersTest::cleanup()
{
    qputenv("PATH", m_path);
    qunsetenv("CARGO_HOME");
}

void PackageManagersTest::install(const char *program, const QByteArray &script) const
{
    const QString file = m_folder->filePath(QLatin1String(program));
    const Result<void> written = writeFile(file, "#!/bin/sh\n" + script);
    VERIFY_RESULT(written);
    QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

void PackageManagersTest::npm()
{
    install("npm",
            "[ \"$*\" = 'config list --json' ] && echo '{\"registry\":"
            "\"https://user:pw@npm.example.com/\",\"@own:registry\":\"https://own.example.com\","
            "\"proxy\":\"https://no.example.com\"}'\n");
    const Result<PackageHosts> hosts =
        await(askPackageManagers(needing({PackageManager::Npm}), {}));
    VERIFY_RESULT(hosts);
    QCOMPARE(rules(*hosts),
             (QStringList{QStringLiteral("own.example.com"), QStringLiteral("npm.example.com")}));
    QCOMPARE(hosts->hosts.first().reason, QStringLiteral("settings of npm on this machine"));
    QVERIFY(hosts->problems.isEmpty() && hosts->unanswered.isEmpty());
}

void PackageManagersTest::pnpmFallsBackToNpm()
{
    install("npm", "echo '{\"registry\":\"https://npm.example.com/\"}'\n");
    const Result<PackageHosts> hosts =
        await(askPackageManagers(needing({PackageManager::Pnpm}), {}));
    VERIFY_RESULT(hosts);
    QCOMPARE(rules(*hosts), QStringList{QStringLiteral("npm.example.com")});
}

void PackageManagersTest::yarn()
{
    install("yarn", "[ \"$3\" = registry ] && echo https://yarn.example.com || echo undefined\n");
    const Result<PackageHosts> hosts =
        await(askPackageManagers(needing({PackageManager::Yarn}), {}));
    VERIFY_RESULT(hosts);
    QCOMPARE(rules(*hosts), QStringList{QStringLiteral("yarn.example.com")});
}

void PackageManagersTest::pip_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QStringList>("expected");
    const QByteArray help =
        "cat <<'EOF'\n  -i, --index-url <url>       Base URL of the index (default\n"
        "                              https://py.example.com/simple). More\nEOF\n";
    QTest::newRow("default index") << QByteArray("pip") << "[ \"$1\" = config ] || " + help
                                   << QStringList{QStringLiteral("py.example.com")};
    QTest::newRow("pip3 only") << QByteArray("pip3") << "[ \"$1\" = config ] || " + help
                               << QStringList{QStringLiteral("py.example.com")};
    QTest::newRow("configured")
        << QByteArray("pip")
        << QByteArray("cat <<'EOF'\nglobal.index-url='https://one.example.com/simple'\n"
                      "global.extra-index-url='\\nhttps://two.example.com/\\nhttps://"
                      "three.example.com/'\nglobal.cert='/x'\nEOF\n")
        << QStringList{QStringLiteral("one.example.com"), QStringLiteral("two.example.com"),
                       QStringLiteral("three.example.com")};
    QTest::newRow("only more")
        << QByteArray("pip")
        << "[ \"$1\" = config ] && echo \":env:.extra-index-url='https://two.example.com/'\" || " +
               help
        << QStringList{QStringLiteral("two.example.com"), QStringLiteral("py.example.com")};
}

void PackageManagersTest::pip()
{
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, script);
    QFETCH(QStringList, expected);
    install(program.constData(), "PATH=/usr/bin:/bin\n" + script);
    const Result<PackageHosts> hosts =
        await(askPackageManagers(needing({PackageManager::Pip}), {}));
    VERIFY_RESULT(hosts);
    QCOMPARE(rules(*hosts), expected);
}

void PackageManagersTest::go_data()
{
    QTest::addColumn<QByteArray>("environment");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char *name, const QByteArray &environment,
                        const QStringList &expected) {
        QTest::newRow(name) << environment << expected;
    };
    const QString proxy = QStringLiteral("proxy.example.com");
    const QString sum = QStringLiteral("sum.example.com");
    const QString git = QStringLiteral("git.example.com");
    const QString corp = QStringLiteral("code.corp.example.com");
    row("usual", "https://proxy.example.com,direct\nsum.example.com\n\n\n", {proxy, sum});
    row("two proxies", "https://proxy.example.com|https://two.example.com\noff\n\n\n",
        {proxy, QStringLiteral("two.example.com")});
    row("direct only", "direct\nsum.example.com+key https://db.example.com\n\n\n",
        {git, corp, QStringLiteral("db.example.com")});
    row("private ones", "https://proxy.example.com,direct\noff\n*.corp.example.com,other.com\n\n",
        {proxy, corp});
    row("private below", "https://proxy.example.com\noff\n\ngit.example.com/a/*\n", {proxy, git});
    row("off", "off\noff\n\n\n", {});
}

void PackageManagersTest::go()
{
    QFETCH(QByteArray, environment);
    QFETCH(QStringList, expected);
    PackageHosts hosts;
    hosts.goModules = {QStringLiteral("git.example.com/a/b"),
                       QStringLiteral("code.corp.example.com/c")};
    HostCollector collector(&hosts);
    QCOMPARE(readGoEnvironment(environment, &collector), !expected.isEmpty());
    QCOMPARE(rules(hosts), expected);
}

void PackageManagersTest::cargo()
{
    const auto index = [this](const char *folder, const char *json) {
        const QString path =
            m_folder->filePath(QStringLiteral("cargo/registry/index/") + QLatin1String(folder));
        QVERIFY(QDir().mkpath(path));
        const Result<void> written = writeFile(path + QStringLiteral("/config.json"), json);
        VERIFY_RESULT(written);
    };
    index("index.crates.example-0123456789abcdef",
          "{\"dl\":\"https://static.crates.example/{crate}\"}");
    index("own.example.com-0123456789abcdef", "{\"dl\":\"https://files.example.com/crates\"}");
    index("private.example.org-0123456789abcdef",
          "{\"dl\":\"https://private.example.org/crates\"}");
    PackageHosts known = needing({PackageManager::Cargo});
    known.cargoIndexes = {QStringLiteral("registry+https://git.example.com/x/crates.example-index"),
                          QStringLiteral("registry+https://own.example.com/git/index")};
    const Result<PackageHosts> hosts = await(askPackageManagers(known, {}));
    VERIFY_RESULT(hosts);
    QCOMPARE(rules(*hosts),
             (QStringList{QStringLiteral("static.crates.example"),
                          QStringLiteral("index.crates.example"),
                          QStringLiteral("files.example.com"), QStringLiteral("own.example.com")}));
    // Where cargo knows nothing, the lockfile's own addresses are all there is.
    qputenv("CARGO_HOME", "/no/such/folder");
    const Result<PackageHosts> fallback = await(askPackageManagers(known, {}));
    VERIFY_RESULT(fallback);
    QCOMPARE(rules(*fallback),
             (QStringList{QStringLiteral("git.example.com"), QStringLiteral("own.example.com")}));
}

void PackageManagersTest::absentOnesLeaveAHint()
{
    const Result<PackageHosts> hosts =
        await(askPackageManagers(needing({PackageManager::Npm, PackageManager::Pip,
                                          PackageManager::Go, PackageManager::Cargo}),
                                 {}));
    VERIFY_RESULT(hosts);
    QVERIFY(hosts->hosts.isEmpty());
    QCOMPARE(hosts->problems.size(), 4);
    for (const Problem &problem : hosts->problems) {
        QVERIFY(problem.severity == Severity::Hint);
        QCOMPARE(problem.code, QStringLiteral("package-host-unknown"));
    }
}

void PackageManagersTest::cleanEnvironment()
{
    const QString seen = m_folder->filePath(QStringLiteral("seen"));
    qputenv("GLOVEBOX_TEST_TOKEN", "leak");
    qputenv("npm_config_registry", "https://npm.example.com");
    install("npm", "{ /usr/bin/env; pwd; } > '" + seen.toUtf8() + "'\necho '{}'\n");
    const Result<PackageHosts> hosts =
        await(askPackageManagers(needing({PackageManager::Npm}), {}));
    qunsetenv("GLOVEBOX_TEST_TOKEN");
    qunsetenv("npm_config_registry");
    VERIFY_RESULT(hosts);
    const QByteArray text = readFile(seen).value_or(QByteArray());
    QVERIFY(text.contains("npm_config_registry=https://npm.example.com\n"));
    QVERIFY(text.contains("COREPACK_ENABLE_NETWORK=0\n"));
    QVERIFY(!text.contains("GLOVEBOX_TEST_TOKEN"));
    QVERIFY(text.endsWith("\n/\n"));
}

void PackageManagersTest::hangingOneIsLeft()
{
    install("yarn", "exec /bin/sleep 600\n");
    std::stop_source source;
    QTimer::singleShot(200, this, [&source] { source.request_stop(); });
    QElapsedTimer timer;
    timer.start();
    const Result<PackageHosts> hosts =
        await(askPackageManagers(needing({PackageManager::Yarn}), source.get_token()));
    QVERIFY(!hosts);
    QVERIFY(hosts.error().code == ErrorCode::Cancelled);
    QVERIFY(timer.elapsed() < atMost(4000));
}

void PackageManagersTest::stopped()
{
    install("npm", "echo '{}'\n");
    std::stop_source source;
    source.request_stop();
    const Result<PackageHosts> hosts =
        await(askPackageManagers(needing({PackageManager::Npm}), source.get_token()));
    QVERIFY(!hosts && hosts.error().code == ErrorCode::Cancelled);
}

QTEST_GUILESS_MAIN(PackageManagersTest)
#include "tst_packagemanagers.moc"
