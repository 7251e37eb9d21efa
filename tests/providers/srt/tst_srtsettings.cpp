// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "providers/srt/settings.h"
#include "tests/support/testing.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <unistd.h>

using namespace Glovebox;
using namespace Glovebox::Srt;
using namespace Glovebox::Testing;

class SrtSettingsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void saysExactlyThis();
    void openUsesOurPortAsItsProxy();
    void refusesWhatWouldBeAHole_data();
    void refusesWhatWouldBeAHole();
    void environmentIsBuiltFromNothing();
    void secretsCoverHomesAndData();
    void recordsComeBack();
    void foldersAreTakenOnce();
    void oddOrLongDataFoldersGetAShortPlace_data();
    void oddOrLongDataFoldersGetAShortPlace();
    void keysAreNoPaths();
    void toolsAreFoundByTheirManifest();
    void failuresSayWhatToDo_data();
    void failuresSayWhatToDo();

private:
    [[nodiscard]] QJsonObject filesystemWith(const char *key, const QStringList &paths) const;

    std::unique_ptr<QTemporaryDir> m_base;
    Confinement m_confinement;
};

void SrtSettingsTest::init()
{
    m_base = std::make_unique<QTemporaryDir>(QStringLiteral("/tmp/gb-s-XXXXXX"));
    const QString base = QFileInfo(m_base->path()).canonicalFilePath();
    const Result<QString> root = rootForNew(base + QStringLiteral("/d"), std::nullopt);
    VERIFY_RESULT(root);
    const Result<Layout> layout = makeLayout(*root, QStringLiteral("abc"), std::nullopt);
    VERIFY_RESULT(layout);
    QVERIFY(QDir().mkpath(base + QStringLiteral("/tools/dist")));
    QVERIFY(QDir().mkpath(base + QStringLiteral("/agents")));
    VERIFY_RESULT(writeFile(base + QStringLiteral("/tools/node"), "x"));
    VERIFY_RESULT(writeFile(base + QStringLiteral("/tools/dist/cli.js"), "x"));
    m_confinement = Confinement();
    m_confinement.layout = *layout;
    m_confinement.tools = {base + QStringLiteral("/tools/node"),
                           base + QStringLiteral("/tools/dist/cli.js"),
                           base + QStringLiteral("/tools"), QStringLiteral("0.0.83")};
    m_confinement.secretPaths = {base};
    m_confinement.programFolders = {base + QStringLiteral("/agents"), QStringLiteral("/usr/bin")};
    m_confinement.network.allow = {*parseHostRule(QStringLiteral("a.example.com:443"))};
    m_confinement.proxyPort = 4242;
    m_confinement.proxyCredential = "gbx:token";
    m_confinement.user = QStringLiteral("someone");
}

void SrtSettingsTest::cleanup()
{
    m_base.reset();
}

void SrtSettingsTest::saysExactlyThis()
{
    VERIFY_RESULT(writeSettings(m_confinement));
    const QByteArray bytes = *readFile(m_confinement.layout.settingsFile());
    const QString base = QFileInfo(m_base->path()).canonicalFilePath();
    const QByteArray expected = QByteArray(R"({"filesystem":{
        "allowRead":[{"literal":true,"path":"BASE/d/sandboxes/abc/R"},{"literal":true,"path":"BASE/tools"},
                     {"literal":true,"path":"BASE/agents"}],
        "allowWrite":[{"literal":true,"path":"BASE/d/sandboxes/abc/W"}],
        "denyRead":[{"literal":true,"path":"BASE"}],"denyWrite":[]},
        "network":{"allowedDomains":["a.example.com:443"],"deniedDomains":[],"parentProxy":{
        "http":"http://gbx:token@127.0.0.1:4242","https":"http://gbx:token@127.0.0.1:4242","noProxy":""}}})")
                                    .replace("BASE", base.toUtf8());
    QCOMPARE(QJsonDocument::fromJson(bytes).object(), QJsonDocument::fromJson(expected).object());
}

void SrtSettingsTest::openUsesOurPortAsItsProxy()
{
    m_confinement.network.open = true;
    const QJsonObject network =
        makeSettings(m_confinement).value(QStringLiteral("network")).toObject();
    QCOMPARE(network.value(QStringLiteral("httpProxyPort")).toInt(), 4242);
    QVERIFY(!network.contains(QStringLiteral("parentProxy")));
    VERIFY_RESULT(validateSettings(makeSettings(m_confinement), m_confinement));
}

QJsonObject SrtSettingsTest::filesystemWith(const char *key, const QStringList &paths) const
{
    QJsonObject filesystem =
        makeSettings(m_confinement).value(QStringLiteral("filesystem")).toObject();
    QJsonArray array = filesystem.value(QLatin1String(key)).toArray();
    for (const QString &path : paths) {
        array.append(
            QJsonObject{{QStringLiteral("path"), path}, {QStringLiteral("literal"), true}});
    }
    filesystem.insert(QLatin1String(key), array);
    return filesystem;
}

void SrtSettingsTest::refusesWhatWouldBeAHole_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what :
         {"unknown key", "unknown filesystem key", "unknown network key", "second writable folder",
          "missing path", "linked path", "globbed path", "secret not denied", "secret opened",
          "no proxy", "both proxies"}) {
        QTest::newRow(what) << QString::fromLatin1(what);
    }
}

void SrtSettingsTest::refusesWhatWouldBeAHole()
{
    QFETCH(QString, what);
    QJsonObject settings = makeSettings(m_confinement);
    QJsonObject network = settings.value(QStringLiteral("network")).toObject();
    QJsonObject filesystem = settings.value(QStringLiteral("filesystem")).toObject();
    const QString base = QFileInfo(m_base->path()).canonicalFilePath();
    if (what == QLatin1String("unknown key")) {
        settings.insert(QStringLiteral("filesytem"), QJsonObject());
    } else if (what == QLatin1String("unknown filesystem key")) {
        filesystem.insert(QStringLiteral("denyread"), QJsonArray());
    } else if (what == QLatin1String("unknown network key")) {
        network.insert(QStringLiteral("allowAllUnixSockets"), true);
    } else if (what == QLatin1String("second writable folder")) {
        filesystem = filesystemWith("allowWrite", {base + QStringLiteral("/tools")});
    } else if (what == QLatin1String("missing path")) {
        filesystem = filesystemWith("denyRead", {base + QStringLiteral("/none")});
    } else if (what == QLatin1String("linked path")) {
        QVERIFY(QFile::link(base + QStringLiteral("/tools"), base + QStringLiteral("/link")));
        filesystem = filesystemWith("denyRead", {base + QStringLiteral("/link")});
    } else if (what == QLatin1String("globbed path")) {
        QJsonArray array = filesystem.value(QStringLiteral("denyRead")).toArray();
        array.append(base + QStringLiteral("/*"));
        filesystem.insert(QStringLiteral("denyRead"), array);
    } else if (what == QLatin1String("secret not denied")) {
        filesystem.insert(QStringLiteral("denyRead"), QJsonArray());
    } else if (what == QLatin1String("secret opened")) {
        filesystem = filesystemWith("allowRead", {base});
    } else if (what == QLatin1String("no proxy")) {
        network.remove(QStringLiteral("parentProxy"));
    } else {
        network.insert(QStringLiteral("httpProxyPort"), 1);
    }
    settings.insert(QStringLiteral("network"), network);
    settings.insert(QStringLiteral("filesystem"), filesystem);
    QCOMPARE(validateSettings(settings, m_confinement).error().code, ErrorCode::InvalidRequest);
}

void SrtSettingsTest::environmentIsBuiltFromNothing()
{
    qputenv("GITHUB_TOKEN", "planted");
    qputenv("SSH_AUTH_SOCK", "planted");
    const QProcessEnvironment environment = makeEnvironment(m_confinement);
    QStringList names = environment.keys();
    names.sort();
    QCOMPARE(
        names,
        (QStringList{QStringLiteral("CLAUDE_CODE_TMPDIR"), QStringLiteral("GIT_CONFIG_GLOBAL"),
                     QStringLiteral("GIT_CONFIG_NOSYSTEM"), QStringLiteral("GIT_TERMINAL_PROMPT"),
                     QStringLiteral("HOME"), QStringLiteral("LANG"), QStringLiteral("LOGNAME"),
                     QStringLiteral("NODE_USE_ENV_PROXY"), QStringLiteral("PATH"),
                     QStringLiteral("SHELL"), QStringLiteral("TERM"), QStringLiteral("TMPDIR"),
                     QStringLiteral("USER")}));
    QCOMPARE(environment.value(QStringLiteral("HOME")), m_confinement.layout.home());
    const QStringList path = environment.value(QStringLiteral("PATH")).split(QLatin1Char(':'));
    QCOMPARE(path.at(0), m_confinement.tools.folder);
    QCOMPARE(path.at(1), m_confinement.programFolders.at(0));
    m_confinement.compileCache = QStringLiteral("/data/cache/node");
    QCOMPARE(makeEnvironment(m_confinement).value(QStringLiteral("NODE_COMPILE_CACHE")),
             m_confinement.compileCache);
    qunsetenv("GITHUB_TOKEN");
    qunsetenv("SSH_AUTH_SOCK");
}

void SrtSettingsTest::secretsCoverHomesAndData()
{
    const QStringList paths = secretPaths(m_base->path());
    QVERIFY(paths.contains(QFileInfo(m_base->path()).canonicalFilePath()));
    QVERIFY(paths.contains(QFileInfo(QDir::homePath()).canonicalFilePath()));
    for (const QString &path : paths) {
        QCOMPARE(QFileInfo(path).canonicalFilePath(), path);
    }
    QVERIFY(!paths.contains(QStringLiteral("/")));
}

void SrtSettingsTest::recordsComeBack()
{
    Record record;
    record.labels = {{QStringLiteral("run"), QStringLiteral("r1")}};
    record.created = QDateTime::fromMSecsSinceEpoch(1'000'000'123, Qt::UTC);
    record.deadline = record.created.addSecs(60);
    record.network = m_confinement.network;
    record.network.deny = {*parseHostRule(QStringLiteral("10.0.0.0/8"))};
    record.readable = {QStringLiteral("/opt/agent"), QStringLiteral("/opt/agent/bin")};
    record.path = {QStringLiteral("/opt/agent/bin")};
    record.keeper = {42, 123456789};
    record.boot = Srt::bootId();
    VERIFY_RESULT(writeRecord(m_confinement.layout, record));
    const Result<Record> back = readRecord(m_confinement.layout);
    VERIFY_RESULT(back);
    QCOMPARE(back->labels, record.labels);
    QCOMPARE(back->created, record.created);
    QCOMPARE(back->deadline, record.deadline);
    QVERIFY(back->network == record.network);
    QCOMPARE(back->readable, record.readable);
    QCOMPARE(back->path, record.path);
    QVERIFY(back->keeper == record.keeper);
    QVERIFY(!back->boot.isEmpty() && back->boot == record.boot);
    VERIFY_RESULT(writeFile(m_confinement.layout.ownerFile(), "{"));
    QCOMPARE(readRecord(m_confinement.layout).error().code, ErrorCode::UnexpectedReply);
}

void SrtSettingsTest::foldersAreTakenOnce()
{
    const QString root = m_confinement.layout.folder().section(QLatin1Char('/'), 0, -2);
    QCOMPARE(makeLayout(root, QStringLiteral("abc"), std::nullopt).error().code,
             ErrorCode::AlreadyExists);
    const Labels labels{{QStringLiteral("run"), QStringLiteral("r1")},
                        {QStringLiteral("role"), QStringLiteral("work")}};
    QCOMPARE(keyOf(labels), keyOf(labels));
    QVERIFY(keyOf(Labels()) != keyOf(Labels()));
    const Result<Claim> claim = Claim::take(m_confinement.layout);
    VERIFY_RESULT(claim);
    QCOMPARE(Claim::take(m_confinement.layout).error().code, ErrorCode::Busy);
    VERIFY_RESULT(removeLayout(m_confinement.layout));
    VERIFY_RESULT(removeLayout(m_confinement.layout));
    QCOMPARE(Claim::take(m_confinement.layout).error().code, ErrorCode::NotFound);
}

void SrtSettingsTest::oddOrLongDataFoldersGetAShortPlace_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("blank") << QStringLiteral("a b");
    QTest::newRow("script") << QStringLiteral("文");
    QTest::newRow("quote") << QStringLiteral("a'b");
    QTest::newRow("long") << QString(80, QLatin1Char('x'));
}

void SrtSettingsTest::oddOrLongDataFoldersGetAShortPlace()
{
    QFETCH(QString, name);
    const QString data = m_base->filePath(name);
    const Result<QString> root = rootForNew(data, std::nullopt);
    VERIFY_RESULT(root);
    QVERIFY2(root->startsWith(QStringLiteral("/var/tmp/gbx-")) && root->size() < 50,
             qPrintable(*root));
    const Result<Layout> layout = makeLayout(*root, QStringLiteral("key"), std::nullopt);
    VERIFY_RESULT(layout);
    QCOMPARE(findLayout(data, QStringLiteral("key"))->folder(), layout->folder());
    QCOMPARE(allLayouts(data)->size(), 1);
    VERIFY_RESULT(removeLayout(*layout));
    QVERIFY(!QFile::exists(*root));
    // Somebody else's folder or link under our name is not used.
    QVERIFY(QFile::link(m_base->path(), *root));
    QCOMPARE(rootForNew(data, std::nullopt).error().code, ErrorCode::Forbidden);
    QVERIFY(QFile::remove(*root));
}

void SrtSettingsTest::keysAreNoPaths()
{
    const QString data = m_base->filePath(QStringLiteral("d"));
    VERIFY_RESULT(findLayout(data, QStringLiteral("abc")));
    for (const char *key : {"", ".", "..", "../sandboxes/abc", "abc/R", "none", ".abc"}) {
        QCOMPARE(findLayout(data, QLatin1String(key)).error().code, ErrorCode::NotFound);
    }
}

void SrtSettingsTest::toolsAreFoundByTheirManifest()
{
    const QString folder = m_base->filePath(QStringLiteral("t"));
    const QString package = folder + QStringLiteral("/node_modules/@anthropic-ai/sandbox-runtime");
    const QString node = folder + QStringLiteral("/node_modules/node/bin");
    QVERIFY(QDir().mkpath(package + QStringLiteral("/dist")) && QDir().mkpath(node));
    QCOMPARE(findTools(folder).error().code, ErrorCode::NotInstalled);
    VERIFY_RESULT(writeFile(package + QStringLiteral("/dist/cli.js"), "x"));
    VERIFY_RESULT(writeFile(node + QStringLiteral("/node"), "x"));
    VERIFY_RESULT(writeFile(package + QStringLiteral("/package.json"), R"({"version":"0.0.77"})"));
    const Result<Tools> tools = findTools(folder);
    VERIFY_RESULT(tools);
    QCOMPARE(tools->folder, QFileInfo(folder).canonicalFilePath());
    const QList<Readiness> items = checkPrograms(tools);
    const auto srt = std::find_if(items.cbegin(), items.cend(), [](const Readiness &item) {
        return item.what == QLatin1String("srt");
    });
    QVERIFY(srt != items.cend() && srt->state == Readiness::State::Failing);
    QVERIFY(srt->nextStep.contains(QStringLiteral("0.0.83")));
}

void SrtSettingsTest::failuresSayWhatToDo_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("word");
    QTest::newRow("missing")
        << QByteArray("Error: Sandbox dependencies not available: socat not installed")
        << ErrorCode::NotInstalled << QStringLiteral("install");
    QTest::newRow("bash") << QByteArray("Error: Shell 'bash' not found in PATH")
                          << ErrorCode::NotInstalled << QStringLiteral("bash");
    QTest::newRow("apparmor") << QByteArray("bwrap: setting up uid map: Permission denied")
                              << ErrorCode::NotSupported << QStringLiteral("AppArmor");
    QTest::newRow("network namespace")
        << QByteArray("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted")
        << ErrorCode::NotSupported << QStringLiteral("userns");
    QTest::newRow("sockets") << QByteArray(
                                    "Error: Failed to create bridge sockets after 5 attempts")
                             << ErrorCode::Busy << QStringLiteral("sockets");
    QTest::newRow("settings") << QByteArray(
                                     "Error: x does not hold a valid config — network: Required")
                              << ErrorCode::UnexpectedReply << QStringLiteral("0.0.83");
    QTest::newRow("else") << QByteArray("boom") << ErrorCode::SandboxGone
                          << QStringLiteral("started");
}

void SrtSettingsTest::failuresSayWhatToDo()
{
    QFETCH(QByteArray, text);
    QFETCH(ErrorCode, code);
    QFETCH(QString, word);
    const Error error = explainFailure(text);
    QCOMPARE(error.code, code);
    QVERIFY2(error.message.contains(word), qPrintable(error.message));
    QCOMPARE(error.detail, QString::fromUtf8(text));
}

QTEST_GUILESS_MAIN(SrtSettingsTest)
#include "tst_srtsettings.moc"
