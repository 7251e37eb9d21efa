// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/egressproxy.h"
#include "tests/support/testing.h"

#include <QTcpSocket>

#include <unistd.h>

using namespace Glovebox;
using namespace Glovebox::Srt;
using namespace Glovebox::Testing;

namespace {

/// A server on a loopback port that keeps what it got and says what it is told.
class Peer final : public QObject
{
    Q_OBJECT

public:
    explicit Peer(std::function<void(QTcpSocket *, const QByteArray &)> answer)
    {
        server.listen(QHostAddress::LocalHost);
        connect(&server, &QTcpServer::newConnection, this, [this, answer] {
            QTcpSocket *socket = server.nextPendingConnection();
            last = socket;
            connect(socket, &QTcpSocket::readyRead, this, [this, socket, answer] {
                const QByteArray bytes = socket->readAll();
                got += bytes;
                answer(socket, bytes);
            });
        });
    }
    [[nodiscard]] quint16 port() const { return server.serverPort(); }

    QTcpServer server;
    QTcpSocket *last = nullptr;
    QByteArray got;
};

void hello(QTcpSocket *socket, const QByteArray &)
{
    socket->write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    socket->disconnectFromHost();
}

void echo(QTcpSocket *socket, const QByteArray &bytes)
{
    socket->write(bytes);
}

} // namespace

class EgressProxyTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void forwardsAndCounts();
    void tunnels();
    void refusesWhatIsNotAllowed();
    void refusesNamesThatLeadHome();
    void demandsItsCredential();
    void servesOneUserOnly();
    void goesThroughTheUsersProxy();
    void refusesOtherSchemesOfProxies();
    void unreachableIsBadGateway();
    void endsWhatIsNoLongerAllowed();
    void neverForwardsASecondRequest();
    void closesBehindTheAnswer_data();
    void closesBehindTheAnswer();
    void keepsToItsLimits();
    void holdsBackWhatNobodyReads();

private:
    [[nodiscard]] std::unique_ptr<EgressProxy> proxy(const QStringList &allow,
                                                     const QStringList &deny = {});
    [[nodiscard]] static QByteArray ask(const EgressProxy &proxy, const QByteArray &request);

    EgressOptions m_options;
    QMap<QString, QList<QHostAddress>> m_names;
};

void EgressProxyTest::init()
{
    m_options = EgressOptions();
    m_names.clear();
    m_options.resolve = [this](const QString &host, QObject *context,
                               std::function<void(QList<QHostAddress>)> answer) {
        QMetaObject::invokeMethod(
            context, [found = m_names.value(host), answer] { answer(found); },
            Qt::QueuedConnection);
    };
}

std::unique_ptr<EgressProxy> EgressProxyTest::proxy(const QStringList &allow,
                                                    const QStringList &deny)
{
    for (const QString &rule : allow) {
        m_options.policy.allow.append(*parseHostRule(rule));
    }
    for (const QString &rule : deny) {
        m_options.policy.deny.append(*parseHostRule(rule));
    }
    return std::move(*EgressProxy::listen(m_options));
}

QByteArray EgressProxyTest::ask(const EgressProxy &proxy, const QByteArray &request)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, proxy.port());
    socket.write(request);
    QByteArray answer;
    QDeadlineTimer limit(5000);
    while (socket.state() != QAbstractSocket::UnconnectedState && !limit.hasExpired()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 20);
        answer += socket.readAll();
    }
    return answer + socket.readAll();
}

void EgressProxyTest::forwardsAndCounts()
{
    Peer server(hello);
    const QString name = QStringLiteral("a.example.com");
    m_names[name] = {QHostAddress(QHostAddress::LocalHost)};
    const auto tested = proxy({name, QStringLiteral("127.0.0.1:%1").arg(server.port())});
    const QByteArray port = QByteArray::number(server.port());
    for (int i = 0; i < 2; ++i) {
        const QByteArray answer = ask(*tested, "GET http://a.example.com:" + port +
                                                   "/x HTTP/1.1\r\nProxy-Connection: x\r\n\r\n");
        QVERIFY2(answer.endsWith("\r\n\r\nhello"), answer.constData());
    }
    QVERIFY(server.got.startsWith("GET /x HTTP/1.1\r\nHost: a.example.com:" + port + "\r\n"));
    QVERIFY(!server.got.contains("Proxy-"));
    const QList<EgressEntry> entries = tested->entries();
    QCOMPARE(entries.size(), 1);
    QCOMPARE(entries[0].host, name);
    QCOMPARE(entries[0].port, server.port());
    QVERIFY(entries[0].allowed);
    QCOMPARE(entries[0].count, 2);
    QVERIFY(entries[0].first <= entries[0].last);
}

void EgressProxyTest::tunnels()
{
    Peer server(echo);
    const auto tested = proxy({QStringLiteral("127.0.0.1:%1").arg(server.port())});
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, tested->port());
    // The client's first bytes may come together with its request.
    socket.write("CONNECT 127.0.0.1:" + QByteArray::number(server.port()) +
                 " HTTP/1.1\r\n\r\nearly ");
    const QByteArray all = QByteArray(3'000'000, 'z') + "end";
    const QByteArray established("HTTP/1.1 200 Connection Established\r\n\r\nearly ");
    QByteArray got;
    connect(&socket, &QTcpSocket::readyRead, this, [&] { got += socket.readAll(); });
    QTRY_COMPARE(got, established);
    socket.write(all);
    QTRY_COMPARE_WITH_TIMEOUT(got.size(), established.size() + all.size(), Testing::atMost(20000));
    QCOMPARE(got.mid(established.size()), all);
    server.last->disconnectFromHost();
    QTRY_COMPARE(socket.state(), QAbstractSocket::UnconnectedState);
}

void EgressProxyTest::refusesWhatIsNotAllowed()
{
    const auto tested =
        proxy({QStringLiteral("a.example.com:443")}, {QStringLiteral("b.example.com")});
    for (const QByteArray &request : {QByteArray("CONNECT c.example.com:443 HTTP/1.1\r\n\r\n"),
                                      QByteArray("CONNECT a.example.com:80 HTTP/1.1\r\n\r\n"),
                                      QByteArray("GET http://b.example.com/ HTTP/1.1\r\n\r\n")}) {
        const QByteArray answer = ask(*tested, request);
        QVERIFY2(answer.startsWith("HTTP/1.1 403 "), answer.constData());
        QVERIFY(answer.contains("X-Proxy-Error: blocked-by-allowlist"));
    }
    const QList<EgressEntry> entries = tested->entries();
    QCOMPARE(entries.size(), 3);
    for (const EgressEntry &entry : entries) {
        QVERIFY(!entry.allowed);
    }
}

void EgressProxyTest::refusesNamesThatLeadHome()
{
    Peer server(hello);
    m_names[QStringLiteral("a.example.com")] = {QHostAddress(QHostAddress::LocalHost),
                                                QHostAddress(QStringLiteral("169.254.169.254"))};
    const auto tested = proxy({QStringLiteral("*.example.com")});
    const QByteArray answer =
        ask(*tested,
            "GET http://a.example.com:" + QByteArray::number(server.port()) + "/ HTTP/1.1\r\n\r\n");
    QVERIFY2(answer.startsWith("HTTP/1.1 403 "), answer.constData());
    QVERIFY(server.got.isEmpty());
    QVERIFY(!tested->entries().at(0).allowed);
}

void EgressProxyTest::demandsItsCredential()
{
    Peer server(hello);
    m_options.credential = "gbx:token";
    const auto tested = proxy({QStringLiteral("127.0.0.1")});
    const QByteArray target =
        "GET http://127.0.0.1:" + QByteArray::number(server.port()) + "/ HTTP/1.1\r\n";
    QVERIFY(ask(*tested, target + "\r\n").startsWith("HTTP/1.1 407 "));
    QVERIFY(ask(*tested, target + "Proxy-Authorization: Basic " +
                             QByteArray("gbx:wrong").toBase64() + "\r\n\r\n")
                .startsWith("HTTP/1.1 407 "));
    QVERIFY(server.got.isEmpty());
    QVERIFY(ask(*tested, target + "Proxy-Authorization: Basic " +
                             QByteArray("gbx:token").toBase64() + "\r\n\r\n")
                .startsWith("HTTP/1.1 200 "));
    QVERIFY(!server.got.contains("Authorization"));
}

void EgressProxyTest::servesOneUserOnly()
{
    Peer server(hello);
    const QByteArray request =
        "GET http://127.0.0.1:" + QByteArray::number(server.port()) + "/ HTTP/1.1\r\n\r\n";
    m_options.clientUser = ::geteuid();
    QVERIFY(ask(*proxy({QStringLiteral("127.0.0.1")}), request).startsWith("HTTP/1.1 200 "));
    m_options.clientUser = ::geteuid() + 1;
    QCOMPARE(ask(*proxy({QStringLiteral("127.0.0.1")}), request), QByteArray());
}

void EgressProxyTest::goesThroughTheUsersProxy()
{
    Peer upstream([](QTcpSocket *socket, const QByteArray &bytes) {
        if (bytes.startsWith("CONNECT")) {
            socket->write("HTTP/1.1 200 ok\r\n\r\nfrom far away");
        } else if (bytes.startsWith("GET http://refused")) {
            socket->write("HTTP/1.1 403 no\r\n\r\n");
            socket->disconnectFromHost();
        } else {
            hello(socket, bytes);
        }
    });
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HTTPS_PROXY"),
                       QStringLiteral("http://me:p%40ss@127.0.0.1:%1").arg(upstream.port()));
    environment.insert(QStringLiteral("http_proxy"),
                       QStringLiteral("127.0.0.1:%1").arg(upstream.port()));
    environment.insert(QStringLiteral("NO_PROXY"),
                       QStringLiteral(".direct.example.com,10.0.0.0/8"));
    m_options.upstream = *UpstreamProxy::of(environment);
    QVERIFY(m_options.upstream.isDirect(QStringLiteral("a.direct.example.com")));
    QVERIFY(m_options.upstream.isDirect(QStringLiteral("10.1.1.1")));
    QVERIFY(m_options.upstream.isDirect(QStringLiteral("localhost")));
    QVERIFY(!m_options.upstream.isDirect(QStringLiteral("example.com")));
    const auto tested = proxy({QStringLiteral("*.example.com")}); // and no name resolves
    QVERIFY(ask(*tested, "GET http://a.example.com/x HTTP/1.1\r\n\r\n").endsWith("hello"));
    QVERIFY(upstream.got.startsWith("GET http://a.example.com:80/x HTTP/1.1\r\n"));
    upstream.got.clear();
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, tested->port());
    socket.write("CONNECT a.example.com:443 HTTP/1.1\r\n\r\n");
    QByteArray got;
    connect(&socket, &QTcpSocket::readyRead, this, [&] { got += socket.readAll(); });
    QTRY_VERIFY2(got.endsWith("\r\n\r\nfrom far away"), got.constData());
    QVERIFY(upstream.got.startsWith("CONNECT a.example.com:443 HTTP/1.1\r\n"));
    QVERIFY(
        upstream.got.contains("Proxy-Authorization: Basic " + QByteArray("me:p@ss").toBase64()));
    QVERIFY(ask(*tested, "CONNECT b.example.org:443 HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 403"));
    QVERIFY(!upstream.got.contains("example.org"));
}

void EgressProxyTest::refusesOtherSchemesOfProxies()
{
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HTTPS_PROXY"), QStringLiteral("socks5://me:secret@host:1"));
    const Result<UpstreamProxy> result = UpstreamProxy::of(environment);
    QCOMPARE(result.error().code, ErrorCode::NotSupported);
    QVERIFY(!errorText(result.error()).contains(QStringLiteral("secret")));
}

void EgressProxyTest::unreachableIsBadGateway()
{
    QTcpServer closed;
    closed.listen(QHostAddress::LocalHost);
    const QByteArray port = QByteArray::number(closed.serverPort());
    closed.close();
    const auto tested = proxy({QStringLiteral("127.0.0.1"), QStringLiteral("a.example.com")});
    QVERIFY(
        ask(*tested, "CONNECT 127.0.0.1:" + port + " HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 502"));
    QVERIFY(ask(*tested, "CONNECT a.example.com:443 HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 502"));
}

void EgressProxyTest::endsWhatIsNoLongerAllowed()
{
    Peer server(echo);
    const auto tested = proxy({QStringLiteral("127.0.0.1")});
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, tested->port());
    socket.write("CONNECT 127.0.0.1:" + QByteArray::number(server.port()) + " HTTP/1.1\r\n\r\nx");
    QTRY_COMPARE(server.got, QByteArray("x"));
    tested->setPolicy(NetworkPolicy());
    QTRY_COMPARE(socket.state(), QAbstractSocket::UnconnectedState);
    QTRY_COMPARE(server.last->state(), QAbstractSocket::UnconnectedState);
}

void EgressProxyTest::neverForwardsASecondRequest()
{
    Peer server([](QTcpSocket *, const QByteArray &) {});
    const auto tested = proxy({QStringLiteral("127.0.0.1")});
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, tested->port());
    socket.write("POST http://127.0.0.1:" + QByteArray::number(server.port()) +
                 "/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody"
                 "GET http://other.example.com/ HTTP/1.1\r\n\r\n");
    QTRY_VERIFY(server.got.endsWith("body"));
    socket.write("GET http://third.example.com/ HTTP/1.1\r\n\r\n");
    QVERIFY(!QTest::qWaitFor([&] { return server.got.contains("GET"); }, 100));
}

void EgressProxyTest::closesBehindTheAnswer_data()
{
    QTest::addColumn<QList<QByteArray>>("pieces");
    QTest::addColumn<QByteArray>("expected");
    const QByteArray close("HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\nhello");
    QTest::newRow("keep-alive") << QList<QByteArray>{"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n"
                                                     "A: b\r\nKeep-Alive: timeout=5\r\n\r\nhello"}
                                << close;
    QTest::newRow("nothing said") << QList<QByteArray>{"HTTP/1.1 200 OK\r\nA: b\r\n\r\nhello"}
                                  << close;
    QTest::newRow("in pieces") << QList<QByteArray>{"HT", "TP/1.1 200 OK\r\nA: b\r\n", "\r\nhe",
                                                    "llo"}
                               << close;
    QTest::newRow("line feeds alone")
        << QList<QByteArray>{"HTTP/1.1 200 OK\nA: b\n\nhello"} << close;
    QTest::newRow("after an interim answer")
        << QList<QByteArray>{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nhello"}
        << "HTTP/1.1 100 Continue\r\n\r\n" + close;
    QTest::newRow("not HTTP") << QList<QByteArray>{"what, hello"} << QByteArray("what, hello");
}

void EgressProxyTest::closesBehindTheAnswer()
{
    QFETCH(QList<QByteArray>, pieces);
    QFETCH(QByteArray, expected);
    QTcpSocket *source = nullptr; // which keeps the connection open
    Peer server([&source](QTcpSocket *socket, const QByteArray &) { source = socket; });
    const auto tested = proxy({QStringLiteral("127.0.0.1")});
    QTcpSocket client;
    client.connectToHost(QHostAddress::LocalHost, tested->port());
    client.write("GET http://127.0.0.1:" + QByteArray::number(server.port()) +
                 "/ HTTP/1.1\r\n\r\n");
    QTRY_VERIFY(source != nullptr);
    QByteArray got;
    for (const QByteArray &piece : pieces) {
        source->write(piece);
        QTRY_COMPARE(source->bytesToWrite(), 0); // each piece for itself, as far as can be had
    }
    QTRY_VERIFY((got += client.readAll()).endsWith("hello"));
    QCOMPARE(got, expected);
    client.disconnectFromHost();
    QTRY_COMPARE(source->state(), QAbstractSocket::UnconnectedState);
}

void EgressProxyTest::keepsToItsLimits()
{
    m_options.limits.connections = 2;
    m_options.limits.head = std::chrono::milliseconds(300);
    const auto tested = proxy({QStringLiteral("127.0.0.1")});
    QVERIFY(ask(*tested, "GET http://a.example.com/ HTTP/1.1\r\nA: " + QByteArray(70'000, 'x'))
                .startsWith("HTTP/1.1 431"));
    QVERIFY(ask(*tested, "nonsense\r\n\r\n").startsWith("HTTP/1.1 400"));
    QCOMPARE(ask(*tested, "GET http://a.example.com/ HT"), QByteArray()); // too slow
    QTcpSocket first;
    QTcpSocket second;
    first.connectToHost(QHostAddress::LocalHost, tested->port());
    second.connectToHost(QHostAddress::LocalHost, tested->port());
    QTRY_COMPARE(second.state(), QAbstractSocket::ConnectedState);
    QCOMPARE(ask(*tested, "nonsense\r\n\r\n"), QByteArray());
    first.abort();
    QTRY_VERIFY(ask(*tested, "nonsense\r\n\r\n").startsWith("HTTP/1.1 400"));
}

void EgressProxyTest::holdsBackWhatNobodyReads()
{
    QTcpSocket *source = nullptr;
    Peer server([&source](QTcpSocket *socket, const QByteArray &) { source = socket; });
    const auto tested = proxy({QStringLiteral("127.0.0.1")});
    QTcpSocket slow;
    slow.setReadBufferSize(1000);
    slow.connectToHost(QHostAddress::LocalHost, tested->port());
    slow.write("CONNECT 127.0.0.1:" + QByteArray::number(server.port()) + " HTTP/1.1\r\n\r\nx");
    QTRY_VERIFY(source != nullptr);
    const qint64 all = 64 * 1024 * 1024;
    source->write(QByteArray(all, 'q'));
    // What is written but not read stays with the sender, not with us.
    QVERIFY(!QTest::qWaitFor([&] { return source->bytesToWrite() < all / 2; }, 500));
    QVERIFY(source->bytesToWrite() < all);
}

QTEST_GUILESS_MAIN(EgressProxyTest)
#include "tst_egressproxy.moc"
