// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/packagehosts.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>

using namespace Glovebox;

namespace {

/// "host[:port] (reason)", in the order in which they were found.
QStringList shown(const PackageHosts &hosts)
{
    QStringList lines;
    for (const PackageHost &host : hosts.hosts) {
        lines += QStringLiteral("%1 (%2)").arg(toText(host.rule), host.reason);
    }
    return lines;
}

QStringList codes(const PackageHosts &hosts)
{
    QStringList lines;
    for (const Problem &problem : hosts.problems) {
        lines += problem.code;
    }
    return lines;
}

PackageHosts read(const QByteArray &path, const QByteArray &bytes)
{
    return readPackageHosts({{path, bytes}});
}

QByteArray lockWith(const QByteArray &address)
{
    return "{\"packages\": {\n\"node_modules/a\": {\"version\": \"1.0.0\",\n\"resolved\": \"" +
           address + "\"}}}\n";
}

using Managers = QList<PackageManager>;

} // namespace

class PackageHostsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void node_data();
    void node();
    void python_data();
    void python();
    void cargo_data();
    void cargo();
    void go();
    void hostileAddresses_data();
    void hostileAddresses();
    void damagedFiles_data();
    void damagedFiles();
    void manyHosts();
    void hugeLockfile();
    void everyHostOnce();
    void manifestsAlone();
    void fileNames_data();
    void fileNames();

private:
    static void columns();
    static void row(const char *name, const char *path, const QByteArray &bytes,
                    const QStringList &hosts, const Managers &unanswered);
    static void check();
};

void PackageHostsTest::columns()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("hosts");
    QTest::addColumn<Managers>("unanswered");
}

void PackageHostsTest::row(const char *name, const char *path, const QByteArray &bytes,
                           const QStringList &hosts, const Managers &unanswered)
{
    QTest::newRow(name) << QByteArray(path) << bytes << hosts << unanswered;
}

void PackageHostsTest::check()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, hosts);
    QFETCH(Managers, unanswered);
    const PackageHosts found = read(path, bytes);
    QCOMPARE(shown(found), hosts);
    QCOMPARE(found.unanswered, unanswered);
}

void PackageHostsTest::node_data()
{
    columns();
    const auto text = [](const char *line) {
        return QString::fromLatin1(line);
    };
    row("version 1", "package-lock.json",
        "{\"lockfileVersion\": 1, \"dependencies\": {\n"
        "\"a\": {\"version\": \"1.0.0\", \"resolved\": \"https://npm.example.com/a.tgz\",\n"
        "\"dependencies\": {\"b\": {\"version\": \"2.0.0\",\n"
        "\"resolved\": \"https://other.example.com:8443/b.tgz\"}}}}}",
        {text("npm.example.com (package-lock.json line 2)"),
         text("other.example.com:8443 (package-lock.json line 4)")},
        {});
    row("version 3", "sub/npm-shrinkwrap.json",
        "{\"lockfileVersion\": 3, \"packages\": {\"\": {\"name\": \"x\", \"version\": \"1\"},\n"
        "\"packages/own\": {\"version\": \"1.0.0\", \"link\": true},\n"
        "\"node_modules/a\": {\"version\": \"1.0.0\", \"resolved\": "
        "\"https://npm.example.com/a.tgz\"}}}",
        {text("npm.example.com (sub/npm-shrinkwrap.json line 3)")}, {});
    row("no addresses", "package-lock.json",
        "{\"packages\": {\"node_modules/a\": {\"version\": \"1.0.0\", \"integrity\": "
        "\"sha512-x\"}}}",
        {}, {PackageManager::Npm});
    row("one without address", "package-lock.json",
        "{\"packages\": {\"node_modules/a\": {\"version\": \"1.0.0\"},\n\"node_modules/b\": "
        "{\"version\": \"1.0.0\", \"resolved\": \"https://npm.example.com/b.tgz\"}}}",
        {text("npm.example.com (package-lock.json line 2)")}, {PackageManager::Npm});
    row("nothing to fetch", "package-lock.json", "{\"packages\": {\"\": {\"version\": \"1\"}}}", {},
        {});
    row("name of an address elsewhere", "package-lock.json",
        "{\"packages\": {\"\": {\"version\": \"1\", \"homepage\": \"https://home.example.com\"}}}",
        {}, {});
    row("npmrc", ".npmrc",
        "; a "
        "comment\n//npm.example.com/:_authToken=${TOKEN}\n@own:registry=https://own.example.com/\n"
        "registry = \"https://user:pw@npm.example.com:444/path\"\n",
        {text("own.example.com (.npmrc line 3)"), text("npm.example.com:444 (.npmrc line 4)")}, {});
    row("yarn 1", "yarn.lock",
        "# yarn lockfile v1\n\na@^1.0.0:\n  version \"1.0.0\"\n"
        "  resolved \"https://yarn.example.com/a.tgz#abc\"\n",
        {text("yarn.example.com (yarn.lock line 5)")}, {});
    row("yarn later", "yarn.lock",
        "__metadata:\n  version: 6\n\n\"a@npm:^1.0.0\":\n  version: 1.0.0\n"
        "  resolution: \"a@npm:1.0.0\"\n\n\"b@https://tar.example.com/b.tgz\":\n"
        "  resolution: \"b@https://tar.example.com/b.tgz\"\n",
        {text("tar.example.com (yarn.lock line 9)")}, {PackageManager::Yarn});
    row("yarnrc.yml", ".yarnrc.yml",
        "npmScopes:\n  own:\n    npmRegistryServer: \"https://own.example.com\"\n"
        "npmRegistryServer: https://yarn.example.com\n",
        {text("own.example.com (.yarnrc.yml line 3)"),
         text("yarn.example.com (.yarnrc.yml line 4)")},
        {});
    row("yarnrc", ".yarnrc", "registry \"https://yarn.example.com/\"\n",
        {text("yarn.example.com (.yarnrc line 1)")}, {});
    row("pnpm", "pnpm-lock.yaml",
        "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\n"
        "  b@https://tar.example.com/b.tgz:\n    resolution: {tarball: "
        "https://tar.example.com/b.tgz}\n"
        "    version: 1.0.0\n",
        {text("tar.example.com (pnpm-lock.yaml line 6)")}, {PackageManager::Pnpm});
    row("pnpm with registry", "pnpm-lock.yaml",
        "dependencies:\n  a: 1.0.0\nregistry: 'https://npm.example.com/'\n",
        {text("npm.example.com (pnpm-lock.yaml line 3)")}, {});
    row("git", "package-lock.json", lockWith("git+https://git.example.com/a.git#abc"),
        {text("git.example.com (package-lock.json line 3)")}, {});
}

void PackageHostsTest::node()
{
    check();
}

void PackageHostsTest::python_data()
{
    columns();
    const auto text = [](const char *line) {
        return QString::fromLatin1(line);
    };
    row("plain requirements", "requirements.txt", "a==1.0\nb>=2 ; python_version < '3'\n", {},
        {PackageManager::Pip});
    row("requirements", "requirements-dev.txt",
        "# comment https://no.example.com\n--index-url https://py.example.com/simple\n"
        "--extra-index-url=https://more.example.com/simple\n-f https://links.example.com/\n"
        "a @ https://wheels.example.com/a.whl\nb[x,y] @ git+https://git.example.com/b.git@v1\n"
        "-e git+https://edit.example.com/c.git#egg=c\nhttps://direct.example.com/d.tar.gz\n",
        {text("py.example.com (requirements-dev.txt line 2)"),
         text("more.example.com (requirements-dev.txt line 3)"),
         text("links.example.com (requirements-dev.txt line 4)"),
         text("wheels.example.com (requirements-dev.txt line 5)"),
         text("git.example.com (requirements-dev.txt line 6)"),
         text("edit.example.com (requirements-dev.txt line 7)"),
         text("direct.example.com (requirements-dev.txt line 8)")},
        {});
    row("folder", "requirements/base.txt", "-i https://py.example.com/simple\n",
        {text("py.example.com (requirements/base.txt line 1)")}, {});
    row("pip.conf", "pip.conf",
        "[global]\nindex-url = https://py.example.com/simple\nextra-index-url =\n"
        "    https://one.example.com/simple\n    https://two.example.com/simple\n"
        "timeout = 60\ntrusted-host = three.example.com\n",
        {text("py.example.com (pip.conf line 2)"), text("one.example.com (pip.conf line 4)"),
         text("two.example.com (pip.conf line 5)")},
        {});
    row("poetry.lock", "poetry.lock",
        "[[package]]\nname = \"a\"\n\n[[package]]\nname = \"b\"\n[package.source]\ntype = "
        "\"legacy\"\n"
        "url = \"https://py.example.com/simple\"\nreference = \"own\"\n",
        {text("py.example.com (poetry.lock line 8)")}, {PackageManager::Pip});
    row("uv.lock", "uv.lock",
        "version = 1\n[[package]]\nname = \"a\"\nsource = { registry = "
        "\"https://py.example.com/simple\" }\n"
        "sdist = { url = \"https://files.example.com/a.tar.gz\", size = 1 }\n"
        "wheels = [\n  { url = \"https://files.example.com/a.whl\" },\n]\n"
        "[[package]]\nname = \"me\"\nsource = { editable = \".\" }\n",
        {text("files.example.com (uv.lock line 5)"), text("py.example.com (uv.lock line 4)")}, {});
    row("Pipfile.lock", "Pipfile.lock",
        "{\"_meta\": {\"sources\": [\n{\"name\": \"x\", \"url\": "
        "\"https://py.example.com/simple\"}]},\n"
        "\"default\": {\"a\": {\"git\": \"https://git.example.com/a.git\"}}}",
        {text("py.example.com (Pipfile.lock line 2)"),
         text("git.example.com (Pipfile.lock line 3)")},
        {});
    row("Pipfile", "Pipfile",
        "[[source]]\nurl = \"https://py.example.com/simple\"\nname = \"x\"\n[packages]\n"
        "a = {git = \"https://git.example.com/a.git\"}\n",
        {text("py.example.com (Pipfile line 2)"), text("git.example.com (Pipfile line 5)")}, {});
    row("pyproject poetry", "pyproject.toml",
        "[tool.poetry]\nname = \"x\"\nhomepage = \"https://home.example.com\"\n"
        "[[tool.poetry.source]]\nname = \"own\"\nurl = \"https://own.example.com/simple\"\n"
        "priority = \"supplemental\"\n[tool.poetry.dependencies]\n"
        "a = {git = \"https://git.example.com/a.git\"}\n",
        {text("own.example.com (pyproject.toml line 6)"),
         text("git.example.com (pyproject.toml line 9)")},
        {PackageManager::Pip});
    row("pyproject uv", "pyproject.toml",
        "[project]\nname = \"x\"\ndependencies = [\n  \"a\",\n  \"b @ "
        "https://wheels.example.com/b.whl\",\n]\n"
        "[project.urls]\nHome = \"https://home.example.com\"\n[[tool.uv.index]]\n"
        "url = \"https://py.example.com/simple\"\n",
        {text("py.example.com (pyproject.toml line 10)"),
         text("wheels.example.com (pyproject.toml line 5)")},
        {});
    row("pyproject of a linter", "pyproject.toml", "[tool.linter]\nline-length = 100\n", {}, {});
    row("pyproject alone", "pyproject.toml", "[build-system]\nrequires = [\"setuptools\"]\n", {},
        {PackageManager::Pip});
}

void PackageHostsTest::python()
{
    check();
}

void PackageHostsTest::cargo_data()
{
    columns();
    const auto text = [](const char *line) {
        return QString::fromLatin1(line);
    };
    row("default registry", "Cargo.lock",
        "version = 3\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n"
        "source = \"registry+https://git.example.com/own/crates.example-index\"\n",
        {}, {PackageManager::Cargo});
    row("sparse and git", "Cargo.lock",
        "[[package]]\nname = \"a\"\nsource = \"sparse+https://crates.example.com/index/\"\n"
        "[[package]]\nname = \"b\"\nsource = \"git+https://git.example.com/b?rev=1#1\"\n"
        "[[package]]\nname = \"me\"\n",
        {text("crates.example.com (Cargo.lock line 3)"),
         text("git.example.com (Cargo.lock line 6)")},
        {});
    row("configuration", ".cargo/config.toml",
        "[registries.own]\nindex = \"sparse+https://crates.example.com/index/\"\n"
        "[source.mirror]\nregistry = \"https://mirror.example.com/index\"\n",
        {text("crates.example.com (.cargo/config.toml line 2)"),
         text("mirror.example.com (.cargo/config.toml line 4)")},
        {});
    row("manifest", "Cargo.toml",
        "[package]\nname = \"x\"\nrepository = \"https://home.example.com\"\n[dependencies]\n"
        "a = { git = \"https://git.example.com/a\" }\n",
        {text("git.example.com (Cargo.toml line 5)")}, {PackageManager::Cargo});
    row("other config.toml", "config.toml",
        "[registries.own]\nindex = \"https://no.example.com\"\n", {}, {});
}

void PackageHostsTest::cargo()
{
    check();
    const PackageHosts replaced = readPackageHosts(
        {{"Cargo.lock",
          "[[package]]\nname = \"a\"\nsource = \"registry+https://x.example.com/i\"\n"},
         {".cargo/config.toml",
          "[source.default]\nreplace-with = \"v\"\n[source.v]\ndirectory = \"third_party\"\n"}});
    QCOMPARE(shown(replaced), QStringList());
    QVERIFY(replaced.unanswered.isEmpty());
    QCOMPARE(replaced.cargoIndexes,
             QStringList{QStringLiteral("registry+https://x.example.com/i")});
}

void PackageHostsTest::go()
{
    const PackageHosts hosts = readPackageHosts(
        {{"go.mod",
          "module example.com/me\n\ngo 1.22\n\nrequire (\n\tgit.example.com/a/b v1.2.3\n"
          "\tother.example.com/c v0.0.1 // indirect\n)\nreplace x => fork.example.com/x v1.0.0\n"},
         {"go.sum",
          "git.example.com/a/b v1.2.3 h1:abc=\ngit.example.com/a/b v1.2.3/go.mod h1:abc=\n"
          "../../etc v1.0.0 h1:x\n"}});
    QCOMPARE(hosts.unanswered, Managers{PackageManager::Go});
    QCOMPARE(
        hosts.goModules,
        (QStringList{QStringLiteral("git.example.com/a/b"), QStringLiteral("other.example.com/c"),
                     QStringLiteral("fork.example.com/x"), QStringLiteral("git.example.com/a/b")}));
    QVERIFY(hosts.hosts.isEmpty());
}

void PackageHostsTest::hostileAddresses_data()
{
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<bool>("told");
    const auto plain = [](const char *address, const char *rule) {
        QTest::newRow(address) << QByteArray(address) << QString::fromLatin1(rule) << false;
    };
    const auto refused = [](const char *address) {
        QTest::newRow(address) << QByteArray(address) << QString() << true;
    };
    const auto ignored = [](const char *address) {
        QTest::newRow(address) << QByteArray(address) << QString() << false;
    };
    plain("https://A.Example.COM/x", "a.example.com");
    plain("https://user:secret@a.example.com/x", "a.example.com");
    plain("https://a.example.com:8443", "a.example.com:8443");
    plain("https://good.example.com@evil.example.com/x", "evil.example.com");
    plain("https://b\xc3\xbc"
          "cher.example.com/",
          "xn--bcher-kva.example.com");
    ignored("file:../local");
    ignored("file:///etc/passwd");
    ignored("../a.tgz");
    ignored("");
    ignored("javascript:alert(1)");
    ignored("workspace:*");
    refused("http://169.254.169.254/latest");
    refused("https://[::1]/x");
    refused("https://2130706433/x");
    refused("https://0x7f.1/x");
    refused("https://localhost:4873/x");
    refused("https://a.localhost/x");
    refused("https://registry/x");
    refused("https:///x");
    refused("https://*.example.com/");
    refused("https://exa mple.com/");
    refused("https://a.example.com:99999/");
    refused("ssh://git@git.example.com/a.git");
    refused("git+ssh://git@git.example.com/a.git");
    refused("git@git.example.com:a/b.git");
}

void PackageHostsTest::hostileAddresses()
{
    QFETCH(QByteArray, address);
    QFETCH(QString, rule);
    QFETCH(bool, told);
    const PackageHosts hosts = read("package-lock.json", lockWith(address));
    QCOMPARE(hosts.hosts.size(), rule.isEmpty() ? 0 : 1);
    QCOMPARE(!hosts.problems.isEmpty(), told);
    if (!rule.isEmpty()) {
        QCOMPARE(toText(hosts.hosts.first().rule), rule);
        QVERIFY(!hosts.hosts.first().reason.contains(QLatin1String("secret")));
    }
    for (const Problem &problem : hosts.problems) {
        QVERIFY(problem.severity == Severity::Warning);
        QVERIFY(problem.message.startsWith(QLatin1String("package-lock.json line 3 names ")));
    }
}

void PackageHostsTest::damagedFiles_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray deep = QByteArray(200'000, '[');
    for (const char *name : {"package-lock.json", "pnpm-lock.yaml", ".yarnrc.yml", "Pipfile.lock",
                             "poetry.lock", "uv.lock", "pyproject.toml", "Cargo.lock", "Cargo.toml",
                             ".cargo/config.toml", "Pipfile"}) {
        const bool isToml = QByteArray(name).endsWith("lock") ||
                            QByteArray(name).endsWith("toml") || QByteArray(name) == "Pipfile";
        QTest::addRow("%s cut", name) << QByteArray(name) << QByteArray("{\"a\": [\"b");
        QTest::addRow("%s deep", name) << QByteArray(name) << (isToml ? "a = " + deep : deep);
        QTest::addRow("%s binary", name) << QByteArray(name) << QByteArray("\xff\xfe\0\x01\n=[", 7);
    }
}

void PackageHostsTest::damagedFiles()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, bytes);
    const PackageHosts hosts = read(path, bytes);
    QVERIFY(hosts.hosts.isEmpty());
    QCOMPARE(codes(hosts), QStringList{QStringLiteral("package-file-unreadable")});
}

void PackageHostsTest::manyHosts()
{
    QByteArray lock = "{\"packages\": {";
    for (int i = 0; i < 5000; ++i) {
        const QByteArray n = QByteArray::number(i);
        lock += "\"node_modules/" + n + "\": {\"version\": \"1\", \"resolved\": \"https://h" + n +
                ".example.com/a.tgz\"},\n";
    }
    lock += "\"\": {}}}";
    const PackageHosts hosts = read("package-lock.json", lock);
    QCOMPARE(hosts.hosts.size(), PackageHosts::most);
    QCOMPARE(codes(hosts), QStringList{QStringLiteral("package-hosts-too-many")});
}

void PackageHostsTest::hugeLockfile()
{
    QByteArray lock = "{\"packages\": {";
    for (int i = 0; i < 60'000; ++i) {
        const QByteArray n = QByteArray::number(i);
        lock += "\"node_modules/" + n + "\": {\"version\": \"1\",\n\"resolved\": \"https://10.0." +
                QByteArray::number(i / 256 % 256) + "." + QByteArray::number(i % 256) +
                "/a.tgz\"},\n\"x" + n +
                "\": {\"version\": \"1\", \"resolved\": "
                "\"https://npm.example.com/a.tgz\"},";
    }
    lock += "\"\": {}}}";
    QElapsedTimer timer;
    timer.start();
    const PackageHosts hosts = read("package-lock.json", lock);
    QCOMPARE(shown(hosts).size(), 1);
    QVERIFY(hosts.problems.size() <= 20);
    qInfo("%lld ms for %lld MB", timer.elapsed(), static_cast<long long>(lock.size() / 1'000'000));
}

void PackageHostsTest::everyHostOnce()
{
    const PackageHosts hosts = readPackageHosts(
        {{"package-lock.json", lockWith("https://npm.example.com/a.tgz")},
         {"sub/package-lock.json", lockWith("https://npm.example.com/b.tgz")},
         {"node_modules/x/package-lock.json", lockWith("https://no.example.com/b.tgz")},
         {"README.md", "https://no.example.com"}});
    QCOMPARE(shown(hosts),
             QStringList{QStringLiteral("npm.example.com (package-lock.json line 3)")});
}

void PackageHostsTest::manifestsAlone()
{
    QCOMPARE(read("package.json", "{}").unanswered, Managers{PackageManager::Npm});
    QCOMPARE(readPackageHosts({{"package.json", "{}"}, {"pnpm-lock.yaml", "a: 1\n"}}).unanswered,
             Managers{PackageManager::Pnpm});
    QVERIFY(readPackageHosts(
                {{"pnpm-lock.yaml", "a: 1\n"}, {".npmrc", "registry=https://npm.example.com\n"}})
                .unanswered.isEmpty());
    const QByteArray hostileName("a\x1b[31m\n/package-lock.json");
    const PackageHosts hosts = read(hostileName, lockWith("https://npm.example.com/b.tgz"));
    QCOMPARE(hosts.hosts.first().reason,
             QStringLiteral("a<U+001B>[31m<U+000A>/package-lock.json line 3"));
}

void PackageHostsTest::fileNames_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("wanted");
    for (const char *path : {"package-lock.json", "a/b/yarn.lock", ".npmrc", "requirements.txt",
                             "requirements/dev.txt", "dev-requirements.txt", "constraints.txt",
                             ".cargo/config", "x/.cargo/config.toml", "go.sum"}) {
        QTest::newRow(path) << QByteArray(path) << true;
    }
    for (const char *path : {"", "README.md", "config.toml", "node_modules/a/package.json",
                             "vendor/x/go.mod", "notes.txt", "package-lock.json/x"}) {
        QTest::newRow(path) << QByteArray(path) << false;
    }
}

void PackageHostsTest::fileNames()
{
    QFETCH(QByteArray, path);
    QFETCH(bool, wanted);
    QCOMPARE(isPackageFile(path), wanted);
}

QTEST_GUILESS_MAIN(PackageHostsTest)
#include "tst_packagehosts.moc"
