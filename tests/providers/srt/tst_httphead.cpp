// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/httphead.h"
#include "tests/support/testing.h"

using namespace Glovebox::Srt;

class HttpHeadTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void forwards();
    void metersBodies_data();
    void metersBodies();
    void refusesFraming_data();
    void refusesFraming();
};

void HttpHeadTest::reads_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QByteArray>("path");
    const auto row = [](const char *head, const char *host, int port, const char *path) {
        QTest::newRow(head) << QByteArray(head) << QString::fromLatin1(host) << port
                            << QByteArray(path);
    };
    row("CONNECT a.example.com:443 HTTP/1.1\r\nHost: a.example.com:443", "a.example.com", 443, "");
    row("CONNECT A.Example.com.:443 HTTP/1.1", "a.example.com", 443, "");
    row("CONNECT [::1]:443 HTTP/1.1", "::1", 443, "");
    row("CONNECT [::FFFF:1.2.3.4]:443 HTTP/1.1", "1.2.3.4", 443, "");
    row("GET http://a.example.com/x?y=http://b.example.com/ HTTP/1.1", "a.example.com", 80,
        "/x?y=http://b.example.com/");
    row("GET http://a.example.com HTTP/1.1", "a.example.com", 80, "/");
    row("GET http://a.example.com?q HTTP/1.1", "a.example.com", 80, "/?q");
    row("GET HTTP://a.example.com:8080/ HTTP/1.0", "a.example.com", 8080, "/");
    row("GET http://[2001:db8::1]:8080/ HTTP/1.1", "2001:db8::1", 8080, "/");
}

void HttpHeadTest::reads()
{
    QFETCH(QByteArray, head);
    QFETCH(QString, host);
    QFETCH(int, port);
    QFETCH(QByteArray, path);
    const std::optional<ProxyRequest> request = parseProxyRequest(head);
    QVERIFY(request);
    QCOMPARE(request->host, host);
    QCOMPARE(int(request->port), port);
    QCOMPARE(request->path, path);
    QCOMPARE(request->isConnect, head.startsWith("CONNECT"));
}

void HttpHeadTest::refuses_data()
{
    QTest::addColumn<QByteArray>("head");
    for (const char *head : {"",
                             "GET",
                             "GET / HTTP/1.1",
                             "GET  http://a.example.com/ HTTP/1.1",
                             "GET http://a.example.com/ HTTP/2",
                             "GET https://a.example.com/ HTTP/1.1",
                             "GET ftp://a.example.com/ HTTP/1.1",
                             "CONNECT a.example.com HTTP/1.1",
                             "CONNECT http://a.example.com:443 HTTP/1.1",
                             "CONNECT *.example.com:443 HTTP/1.1",
                             "CONNECT 10.0.0.0/8:443 HTTP/1.1",
                             "CONNECT 127.1:443 HTTP/1.1",
                             "CONNECT a.example.com:0 HTTP/1.1",
                             "CONNECT a.example.com:443:b.example.com HTTP/1.1",
                             "GET http://user@a.example.com/ HTTP/1.1",
                             "GET http://a.example.com/#f HTTP/1.1",
                             "GET http://a.example.com\\@b.example.com/ HTTP/1.1",
                             "GET http:///x HTTP/1.1",
                             "GET http://a.example.com/ HTTP/1.1\r\nno colon",
                             "GET http://a.example.com/ HTTP/1.1\r\nA: b\r\n folded",
                             "GET http://a.example.com/ HTTP/1.1\r\nA : b",
                             "GET http://a.example.com/ HTTP/1.1\r\n: b",
                             "GET http://a.example.com/ HTTP/1.1\r\nA: b\rB: c",
                             "G\tET http://a.example.com/ HTTP/1.1",
                             "GET http://a.example.com/\x01 HTTP/1.1"}) {
        QTest::newRow(head) << QByteArray(head);
    }
}

void HttpHeadTest::refuses()
{
    QFETCH(QByteArray, head);
    QVERIFY(!parseProxyRequest(head));
}

void HttpHeadTest::forwards()
{
    const ProxyRequest request = *parseProxyRequest(
        "POST http://a.example.com:8080/x HTTP/1.1\r\nHost: evil.example.com\r\n"
        "Accept: */*\r\nConnection: keep-alive\r\nProxy-Authorization: Basic c2VjcmV0\r\n"
        "Proxy-Connection: x\r\nContent-Length: 3");
    QCOMPARE(forwardedHead(request),
             QByteArray("POST /x HTTP/1.1\r\nHost: a.example.com:8080\r\nAccept: */*\r\n"
                        "Content-Length: 3\r\nConnection: close\r\n\r\n"));
    QCOMPARE(forwardedHeadToProxy(request, "Basic Zm9v"),
             QByteArray("POST http://a.example.com:8080/x HTTP/1.1\r\nHost: a.example.com:8080\r\n"
                        "Accept: */*\r\nContent-Length: 3\r\nProxy-Authorization: Basic Zm9v\r\n"
                        "Connection: close\r\n\r\n"));
}

void HttpHeadTest::metersBodies_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("body");
    const QByteArray chunked("\r\nTransfer-Encoding: chunked");
    QTest::newRow("none") << QByteArray() << QByteArray();
    QTest::newRow("counted") << QByteArray("\r\nContent-Length: 5") << QByteArray("hello");
    QTest::newRow("zero") << QByteArray("\r\nContent-Length: 0") << QByteArray();
    QTest::newRow("chunks") << chunked
                            << QByteArray("5\r\nhello\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n");
    QTest::newRow("trailer") << chunked << QByteArray("1\r\nx\r\n0\r\nA: b\r\n\r\n");
}

void HttpHeadTest::metersBodies()
{
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, body);
    const QByteArray line("POST http://a.example.com/ HTTP/1.1");
    const QByteArray smuggled("GET http://b.example.com/ HTTP/1.1\r\n\r\n");
    const QByteArray all = body + smuggled;
    for (qsizetype cut = 0; cut <= all.size(); ++cut) {
        BodyMeter meter = *BodyMeter::of(*parseProxyRequest(line + headers));
        const qsizetype first = meter.take(all.left(cut));
        const qsizetype second = meter.isComplete() ? 0 : meter.take(all.mid(cut));
        QCOMPARE(first + second, body.size());
        QVERIFY(meter.isComplete());
    }
}

void HttpHeadTest::refusesFraming_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *headers, const char *body) {
        QTest::addRow("%s %s", headers, body) << QByteArray("\r\n") + headers << QByteArray(body);
    };
    row("Content-Length: 5\r\nTransfer-Encoding: chunked", "");
    row("Content-Length: 5\r\nContent-Length: 6", "");
    row("Content-Length: +5", "");
    row("Content-Length: 5, 6", "");
    row("Content-Length: -1", "");
    row("Transfer-Encoding: gzip, chunked", "");
    row("Transfer-Encoding: chunked", "x\r\n");
    row("Transfer-Encoding: chunked", "-1\r\n");
    row("Transfer-Encoding: chunked", "0x5\r\nhello\r\n");
    row("Transfer-Encoding: chunked", "5\r\nhelloX\r\n");
    row("Transfer-Encoding: chunked", "ffffffffffffffffff\r\n");
}

void HttpHeadTest::refusesFraming()
{
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, body);
    const ProxyRequest request =
        *parseProxyRequest(QByteArray("POST http://a.example.com/ HTTP/1.1") + headers);
    std::optional<BodyMeter> meter = BodyMeter::of(request);
    QVERIFY(!meter || meter->take(body) == -1);
    QCOMPARE(meter.has_value(), !body.isEmpty());
}

QTEST_GUILESS_MAIN(HttpHeadTest)
#include "tst_httphead.moc"
