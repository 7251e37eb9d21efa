// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/providers/srt/listener.h"
#include "tests/providers/srt/srtfixture.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

/// What real srt and our proxy let through together.
class SrtNetworkTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void namesPortsAndWildcards();
    void directConnectionsFail();
    void loopbackIsShutUnlessListed();
    void namesThatLeadHomeAreRefused();
    void rulesChangeWhileItRuns();
    void openReachesAllButTheDenied();
    void nodeUsesTheProxy();
    void othersCantUseOurProxy();

private:
    [[nodiscard]] QByteArray fetch(const QString &url) const;
    [[nodiscard]] const EgressEntry *entryOf(const char *host, bool allowed);

    std::unique_ptr<SrtFixture> m_fixture;
    std::unique_ptr<Listener> m_internet;
    std::shared_ptr<Sandbox> m_sandbox;
    QList<EgressEntry> m_entries;
};

void SrtNetworkTest::initTestCase()
{
    if (!Srt::findTools({})) {
        QFAIL("srt is not installed: installers/bootstrap gets it");
    }
}

void SrtNetworkTest::init()
{
    m_fixture = std::make_unique<SrtFixture>();
    m_internet = std::make_unique<Listener>();
    const QByteArray proxy = m_internet->url();
    qputenv("HTTP_PROXY", proxy);
    qputenv("HTTPS_PROXY", proxy);
}

void SrtNetworkTest::cleanup()
{
    qunsetenv("HTTP_PROXY");
    qunsetenv("HTTPS_PROXY");
    if (m_sandbox) {
        m_fixture->remove(m_sandbox);
    }
}

QByteArray SrtNetworkTest::fetch(const QString &url) const
{
    return runInside(m_sandbox,
                     QStringLiteral("curl -sS -m 10 --noproxy '' -w '%{http_code}' '%1'").arg(url))
        .output;
}

const EgressEntry *SrtNetworkTest::entryOf(const char *host, bool allowed)
{
    m_entries = m_sandbox->egressLog()->entries();
    for (const EgressEntry &entry : m_entries) {
        if (entry.host == QLatin1String(host) && entry.allowed == allowed) {
            return &entry;
        }
    }
    return nullptr;
}

void SrtNetworkTest::namesPortsAndWildcards()
{
    SandboxSpec spec =
        m_fixture->spec({QStringLiteral("a.example.com:80"), QStringLiteral("*.wild.example.com")});
    spec.network.deny = {*parseHostRule(QStringLiteral("not.wild.example.com"))};
    m_sandbox = m_fixture->make(spec);
    QCOMPARE(fetch(QStringLiteral("http://a.example.com/")), QByteArray("reached\n200"));
    QCOMPARE(fetch(QStringLiteral("http://deep.x.wild.example.com/")), QByteArray("reached\n200"));
    for (const char *url :
         {"http://a.example.com:8080/", "http://b.example.com/", "http://wild.example.com/",
          "http://not.wild.example.com/", "http://a.example.com.evil.example.org/"}) {
        const QByteArray answer = fetch(QLatin1String(url));
        QVERIFY2(answer.endsWith("403"), answer.constData());
    }
    QVERIFY(fetch(QStringLiteral("https://b.example.com/")).contains("403"));
    QVERIFY(!m_internet->asked.contains("b.example.com"));
    QVERIFY(!m_internet->asked.contains("gbx:")); // our credential stays with us
    const EgressEntry *entry = entryOf("a.example.com", true);
    QVERIFY(entry != nullptr);
    QCOMPARE(entry->count, 1);
    QCOMPARE(int(entry->port), 80);
    QVERIFY(entryOf("deep.x.wild.example.com", true) != nullptr);
}

void SrtNetworkTest::directConnectionsFail()
{
    m_sandbox = m_fixture->make(m_fixture->spec({QStringLiteral("127.0.0.1")}));
    const Ran ran = runInside(
        m_sandbox, QStringLiteral("curl -sS -m 3 --noproxy '*' http://127.0.0.1:%1/; "
                                  "curl -sS -m 3 --noproxy '*' http://192.0.2.1/; getent hosts "
                                  "example.com; echo end")
                       .arg(m_internet->serverPort()));
    QVERIFY2(!ran.output.contains("reached") && ran.output.endsWith("end\n"),
             ran.output.constData());
    QVERIFY(m_internet->asked.isEmpty());
}

void SrtNetworkTest::loopbackIsShutUnlessListed()
{
    Listener open;
    Listener shut;
    m_sandbox = m_fixture->make(m_fixture->spec({open.address()}));
    QCOMPARE(fetch(QStringLiteral("http://%1/").arg(open.address())), QByteArray("reached\n200"));
    QVERIFY(fetch(QStringLiteral("http://%1/").arg(shut.address())).endsWith("403"));
    QVERIFY(fetch(QStringLiteral("http://localhost:%1/").arg(open.serverPort())).endsWith("403"));
    QVERIFY(shut.asked.isEmpty());
}

void SrtNetworkTest::namesThatLeadHomeAreRefused()
{
    qunsetenv("HTTP_PROXY"); // then we resolve
    Listener listener;
    m_sandbox = m_fixture->make(m_fixture->spec(
        {QStringLiteral("localhost.localdomain"), QStringLiteral("*.localhost.example.com")}));
    const QByteArray answer =
        fetch(QStringLiteral("http://localhost.localdomain:%1/").arg(listener.serverPort()));
    QVERIFY2(answer.endsWith("403") || answer.endsWith("502"), answer.constData());
    QVERIFY(listener.asked.isEmpty());
}

void SrtNetworkTest::rulesChangeWhileItRuns()
{
    const SandboxSpec spec = m_fixture->spec({QStringLiteral("a.example.com")});
    m_sandbox = m_fixture->make(spec);
    const QString other = QStringLiteral("http://b.example.com/");
    QVERIFY(fetch(other).endsWith("403"));
    LiveNetwork *live = m_sandbox->liveNetwork();
    QVERIFY(live != nullptr);
    NetworkPolicy wider = spec.network;
    Listener canary;
    wider.allow << *parseHostRule(QStringLiteral("b.example.com"))
                << *parseHostRule(canary.address());
    VERIFY_RESULT(await(live->replace(wider, {})));
    QCOMPARE(fetch(other), QByteArray("reached\n200"));
    QCOMPARE(fetch(QStringLiteral("http://%1/").arg(canary.address())), QByteArray("reached\n200"));
    VERIFY_RESULT(await(live->replace(spec.network, {})));
    QVERIFY(fetch(other).endsWith("403"));
    QVERIFY(fetch(QStringLiteral("http://%1/").arg(canary.address())).endsWith("403"));
    QCOMPARE(fetch(QStringLiteral("http://a.example.com/")), QByteArray("reached\n200"));
    // A new keeper has the last rules, not the first ones.
    VERIFY_RESULT(await(live->replace(wider, {})));
    VERIFY_RESULT(await(m_sandbox->endAll(EndScope::Everything, {})));
    QCOMPARE(fetch(other), QByteArray("reached\n200"));
    NetworkPolicy open;
    open.open = true;
    QCOMPARE(await(live->replace(open, {})).error().code, ErrorCode::NotSupported);
}

void SrtNetworkTest::openReachesAllButTheDenied()
{
    SandboxSpec spec = m_fixture->spec();
    spec.network.open = true;
    spec.network.deny = {*parseHostRule(QStringLiteral("b.example.com"))};
    m_sandbox = m_fixture->make(spec);
    QCOMPARE(fetch(QStringLiteral("http://anything.example.org:8080/")),
             QByteArray("reached\n200"));
    QVERIFY(fetch(QStringLiteral("http://b.example.com/")).endsWith("403"));
    Listener home;
    QVERIFY(fetch(QStringLiteral("http://%1/").arg(home.address())).endsWith("403"));
    QVERIFY(home.asked.isEmpty());
    QVERIFY(entryOf("anything.example.org", true) != nullptr);
    QVERIFY(entryOf("b.example.com", false) != nullptr);
}

void SrtNetworkTest::nodeUsesTheProxy()
{
    m_sandbox = m_fixture->make(m_fixture->spec({QStringLiteral("a.example.com")}));
    const Ran ran = runInside(
        m_sandbox, QStringLiteral("node -e 'fetch(\"http://a.example.com/\").then(r => r.text())"
                                  ".then(t => console.log(t.trim()), e => console.log(e.cause))'"));
    QVERIFY2(ran.output.endsWith("\nreached\n") || ran.output == "reached\n",
             ran.output.constData()); // Node warns that this is new
    QVERIFY(m_internet->asked.contains("a.example.com"));
}

void SrtNetworkTest::othersCantUseOurProxy()
{
    m_sandbox = m_fixture->make(m_fixture->spec({QStringLiteral("a.example.com")}));
    const Srt::EgressProxy *proxy =
        std::static_pointer_cast<Srt::SrtSandbox>(m_sandbox)->live()->proxy();
    QTcpSocket stranger;
    stranger.connectToHost(QHostAddress::LocalHost, proxy->port());
    stranger.write("GET http://a.example.com/ HTTP/1.1\r\n\r\n");
    QTRY_VERIFY(stranger.bytesAvailable() > 12);
    QVERIFY(stranger.readAll().startsWith("HTTP/1.1 407"));
    QVERIFY(m_internet->asked.isEmpty());
}

QTEST_GUILESS_MAIN(SrtNetworkTest)
#include "tst_srtnetwork.moc"
