// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/redactor.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QUrl>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

const QByteArray marker = "CANARY-0123456789abcdef";
const QByteArray label = "[redacted:KEY]";

std::shared_ptr<const SecretForms> formsFor(const QByteArray &value)
{
    return std::make_shared<SecretForms>(
        QList<NamedSecret>{{QStringLiteral("KEY"), Secret(value)}});
}

QByteArray inPieces(const std::shared_ptr<const SecretForms> &forms,
                    const QList<QByteArray> &pieces)
{
    Redactor redactor(forms);
    QByteArray out;
    for (const QByteArray &piece : pieces) {
        out += redactor.feed(piece);
    }
    return out + redactor.finish();
}

QList<QByteArray> singleBytes(const QByteArray &bytes)
{
    QList<QByteArray> pieces;
    for (const char c : bytes) {
        pieces += QByteArray(1, c);
    }
    return pieces;
}

QByteArray everyCharacter(const QByteArray &value, const QByteArray &before, int digits)
{
    QByteArray text;
    for (const char c : value) {
        text += before + QByteArray::number(static_cast<uchar>(c), 16).rightJustified(digits, '0');
    }
    return text;
}

QByteArray between(const QByteArray &value, const QByteArray &filling)
{
    QByteArray text;
    for (const char c : value) {
        text += c + filling;
    }
    return text;
}

/// The middle of a text in base64, when \a before bytes of the same text stand in front.
QByteArray base64Of(const QByteArray &value, int before)
{
    return (QByteArray(before, '>') + value + "<<<").toBase64();
}

} // namespace

class RedactorTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFormAtEveryCut_data();
    void everyFormAtEveryCut();
    void awkwardSecrets_data();
    void awkwardSecrets();
    void manySecrets_data();
    void manySecrets();
    void longSecretWrappedByBase64();
    void shortSecretsAreReported();
    void findNamesAll();
    void binaryIsUnchanged();
    void nothingKnown();
    void cutOffSecretIsHidden();
    void holdsBackNoMoreThanNeeded();
    void memoryStaysFlat();
    void corpusStream();
    void throughput_data();
    void throughput();
};

void RedactorTest::everyFormAtEveryCut_data()
{
    QTest::addColumn<QByteArray>("form");
    const QByteArray m = marker;
    QTest::newRow("raw") << m;
    QTest::newRow("json \\u of all letters") << everyCharacter(m, "\\u", 4);
    QTest::newRow("json \\u upper case") << everyCharacter(m, "\\u", 4).replace("2d", "2D");
    QTest::newRow("json \\u of one letter") << QByteArray(m).replace("C", "\\u0043");
    QTest::newRow("json \\u inside") << QByteArray(m).replace("-", "\\u002D");
    QTest::newRow("url minimal") << QUrl::toPercentEncoding(QString::fromLatin1(m));
    QTest::newRow("url dash") << QByteArray(m).replace("-", "%2D");
    QTest::newRow("url dash lower") << QByteArray(m).replace("-", "%2d");
    QTest::newRow("url full lower") << everyCharacter(m, "%", 2);
    QTest::newRow("url full upper") << everyCharacter(m, "%", 2).toUpper();
    QTest::newRow("hex lower") << m.toHex();
    QTest::newRow("hex upper") << m.toHex().toUpper();
    for (int before = 0; before < 3; ++before) {
        const QByteArray text = base64Of(m, before);
        QTest::addRow("base64 at %d", before) << text;
        QTest::addRow("base64 url at %d", before)
            << QByteArray(text).replace('+', '-').replace('/', '_');
    }
    QTest::newRow("colour between letters") << between(m, "\x1b[31m");
    QTest::newRow("many colours between letters") << between(m, "\x1b[1;31m\x1b[0m\x1b[K");
    QTest::newRow("grep colours") << QByteArray(
        "\x1b[01;31m\x1b[KCANARY\x1b[m\x1b[K-0123456789abcdef");
    QTest::newRow("json colours") << between(m, "\\u001b[31m");
    QTest::newRow("link between letters") << between(m, "\x1b]8;;https://example.com\x1b\\");
    QTest::newRow("title between letters") << between(m, "\x1b]0;CANARY-01\x07");
    QTest::newRow("eight-bit CSI") << between(m, "\xc2\x9b"
                                                 "31m");
    QTest::newRow("line breaks") << between(m, "\r\n");
    QTest::newRow("json line breaks") << between(m, "\\n");
    QTest::newRow("backspaces and NUL") << between(m, QByteArray("\b\0", 2));
    QTest::newRow("hex with colours") << between(m.toHex(), "\x1b[m");
    QTest::newRow("after what looks like an escape") << QByteArray("\x1b[" + m);
    QTest::newRow("inside a title") << QByteArray("\x1b]0;" + m + "\x07");
    QTest::newRow("after a beginning of itself") << QByteArray("CANARY-012" + m);
    QTest::newRow("split after a beginning of itself")
        << QByteArray("CANARY-012\x1b[0mCANARY-012\x1b[m3456789abcdef");
}

void RedactorTest::everyFormAtEveryCut()
{
    QFETCH(QByteArray, form);
    const auto forms = formsFor(marker);
    const QByteArray text = "before \xc3\xa9 \\ " + form + "\n after CANARY- end\n";
    const QByteArray whole = forms->redact(text);
    QVERIFY2(whole.contains(label), whole.constData());
    QCOMPARE(whole.count(label), 1);
    QVERIFY(whole.startsWith("before \xc3\xa9 \\ "));
    QVERIFY(whole.endsWith("\n after CANARY- end\n"));
    QCOMPARE(forms->find(text), QStringList{QStringLiteral("KEY")});
    QCOMPARE(forms->find(whole), QStringList());
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        QCOMPARE(inPieces(forms, {text.first(cut), text.sliced(cut)}), whole);
    }
    QCOMPARE(inPieces(forms, singleBytes(text)), whole);
}

void RedactorTest::awkwardSecrets_data()
{
    QTest::addColumn<QByteArray>("secret");
    QTest::addColumn<QByteArray>("form");
    const QByteArray odd = "p\"a\\ss/w+rd \xc3\xa9\xe4\xb8\xad&=";
    QTest::newRow("raw") << odd << odd;
    QTest::newRow("json") << odd << QByteArray("p\\\"a\\\\ss/w+rd \xc3\xa9\xe4\xb8\xad&=");
    QTest::newRow("json slash") << odd << QByteArray("p\\\"a\\\\ss\\/w+rd \xc3\xa9\xe4\xb8\xad&=");
    QTest::newRow("json ascii") << odd << QByteArray("p\\\"a\\\\ss/w+rd \\u00e9\\u4E2d&=");
    QTest::newRow("json in json") << odd
                                  << QByteArray("p\\\\\\\"a\\\\\\\\ss/w+rd \xc3\xa9\xe4\xb8\xad&=");
    QTest::newRow("url") << odd << odd.toPercentEncoding();
    QTest::newRow("url form") << odd << odd.toPercentEncoding().replace("%20", "+");
    QTest::newRow("url path") << odd << odd.toPercentEncoding("/+&=");
    QTest::newRow("json base64") << odd << odd.toBase64().replace("/", "\\/");
    QTest::newRow("trailing line end")
        << QByteArray("secret-value\n") << QByteArray("secret-value");
    const QByteArray lines = "-----BEGIN X-----\nabcdefgh\nijklmnop\n-----END X-----";
    QTest::newRow("lines") << lines << lines;
    QTest::newRow("lines in json") << lines << QByteArray(lines).replace("\n", "\\n");
    QTest::newRow("lines with CRLF") << lines << QByteArray(lines).replace("\n", "\r\n");
    QTest::newRow("same letters") << QByteArray("aaaaaaaaaa") << QByteArray("aaaaaaaaaa");
    QTest::newRow("utf-16") << QByteArray("sixteen-bit")
                            << between("sixteen-bit", QByteArray(1, 0));
    QTest::newRow("not utf-8") << QByteArray("\xff\xfe\x80\x81\xff\xfe\x80\x81x")
                               << QByteArray("\xff\xfe\x80\x81\xff\xfe\x80\x81x");
}

void RedactorTest::awkwardSecrets()
{
    QFETCH(QByteArray, secret);
    QFETCH(QByteArray, form);
    const auto forms = formsFor(secret);
    const QByteArray text = "{\"a\":\"" + form + "\"}";
    const QByteArray whole = forms->redact(text);
    QVERIFY2(whole.contains(label), whole.constData());
    QVERIFY(whole.startsWith("{\"a\":\""));
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        QCOMPARE(inPieces(forms, {text.first(cut), text.sliced(cut)}), whole);
    }
    QCOMPARE(inPieces(forms, singleBytes(text)), whole);
}

void RedactorTest::manySecrets_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("shorter alone") << QByteArray("x abcdefgh y") << QByteArray("x [redacted:A] y");
    QTest::newRow("longer") << QByteArray("x abcdefghijkl y") << QByteArray("x [redacted:B] y");
    QTest::newRow("longer not finished")
        << QByteArray("x abcdefghijk y") << QByteArray("x [redacted:A]ijk y");
    QTest::newRow("overlap") << QByteArray("x abcdefghijklmnop y")
                             << QByteArray("x [redacted:B] y");
    QTest::newRow("back to back") << QByteArray("abcdefghabcdefgh")
                                  << QByteArray("[redacted:A][redacted:A]");
    QTest::newRow("end of the longer")
        << QByteArray("x ijklmnop y") << QByteArray("x [redacted:C] y");
    QTest::newRow("inside of the longer")
        << QByteArray("12345abcdefghi6789 abcdefgh") << QByteArray("[redacted:D] [redacted:A]");
    QTest::newRow("hostile name") << QByteArray("qrstuvwxyz") << QByteArray("[redacted:E__n_]");
}

void RedactorTest::manySecrets()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const auto forms = std::make_shared<SecretForms>(QList<NamedSecret>{
        {QStringLiteral("A"), Secret("abcdefgh")},
        {QStringLiteral("B"), Secret("abcdefghijkl")},
        {QStringLiteral("C"), Secret("ijklmnop")},
        {QStringLiteral("D"), Secret("12345abcdefghi6789")},
        {QStringLiteral("E\"\nn]"), Secret("qrstuvwxyz")},
    });
    QCOMPARE(forms->redact(text), expected);
    QCOMPARE(inPieces(forms, singleBytes(text)), expected);
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        QCOMPARE(inPieces(forms, {text.first(cut), text.sliced(cut)}), expected);
    }
}

void RedactorTest::longSecretWrappedByBase64()
{
    QByteArray key;
    for (int i = 0; i < 300; ++i) {
        key += static_cast<char>('!' + i * 7 % 90);
    }
    const auto forms = formsFor(key);
    QByteArray wrapped;
    const QByteArray text = ("api_key=" + key + "\n").toBase64();
    for (qsizetype at = 0; at < text.size(); at += 76) {
        wrapped += text.mid(at, 76) + '\n';
    }
    const QByteArray redacted = forms->redact("here:\n" + wrapped + "there\n");
    QCOMPARE(redacted.count(label), 1);
    QVERIFY(redacted.size() < 60);
    QVERIFY(redacted.startsWith("here:\n") && redacted.endsWith("there\n"));
}

void RedactorTest::shortSecretsAreReported()
{
    const SecretForms forms({{QStringLiteral("SHORT"), Secret("1234567")},
                             {QStringLiteral("EMPTY"), Secret()},
                             {QStringLiteral("BLANK"), Secret("  1234567\n ")},
                             {QStringLiteral("LONG"), Secret("12345678")}});
    QCOMPARE(forms.tooShort(), (QStringList{QStringLiteral("SHORT"), QStringLiteral("BLANK")}));
    QCOMPARE(forms.redact("1234567 12345678"), QByteArray("1234567 [redacted:LONG]"));
}

void RedactorTest::findNamesAll()
{
    const SecretForms forms({{QStringLiteral("A"), Secret("abcdefgh")},
                             {QStringLiteral("B"), Secret("xxabcdefgh")},
                             {QStringLiteral("C"), Secret("bcdefghi")},
                             {QStringLiteral("D"), Secret("not there")}});
    QCOMPARE(forms.find("..xxabcdefghi.."),
             (QStringList{QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")}));
    QCOMPARE(forms.find("..bcdefghi.."), QStringList{QStringLiteral("C")});
    QCOMPARE(forms.find(""), QStringList());
}

void RedactorTest::binaryIsUnchanged()
{
    QRandomGenerator random(7);
    QByteArray bytes;
    for (int i = 0; i < 200'000; ++i) {
        bytes += static_cast<char>(random.bounded(256));
    }
    const auto forms = formsFor(marker);
    QCOMPARE(forms->redact(bytes), bytes);
    QList<QByteArray> pieces;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype length = random.bounded(1, 500);
        pieces += bytes.mid(at, length);
        at += length;
    }
    QCOMPARE(inPieces(forms, pieces), bytes);
}

void RedactorTest::nothingKnown()
{
    const auto forms = std::make_shared<SecretForms>(QList<NamedSecret>());
    QVERIFY(forms->isEmpty());
    Redactor redactor(forms);
    QCOMPARE(redactor.feed("\x1b[31many\\thing"), QByteArray("\x1b[31many\\thing"));
    QCOMPARE(redactor.finish(), QByteArray());
}

void RedactorTest::cutOffSecretIsHidden()
{
    const auto forms = formsFor(marker);
    QCOMPARE(forms->redact("log: CANARY-0123456789a"), "log: " + label);
    QCOMPARE(forms->redact("log: CAN\x1b[1mARY-0123456789a"), "log: " + label);
    QCOMPARE(forms->redact("log: CANARY-"), QByteArray("log: CANARY-"));
    QCOMPARE(forms->redact("log: CANARY-012\\u"), QByteArray("log: CANARY-012\\u"));
}

void RedactorTest::holdsBackNoMoreThanNeeded()
{
    Redactor redactor(formsFor(marker));
    QCOMPARE(redactor.feed("hello CANARY-0"), QByteArray("hello "));
    QCOMPARE(redactor.held(), 8);
    QCOMPARE(redactor.feed(" CAN"), QByteArray("CANARY-0 "));
    QCOMPARE(redactor.feed("\n"), QByteArray());
    QCOMPARE(redactor.feed("T"), QByteArray("CAN\nT"));
    QCOMPARE(redactor.held(), 0);
    QCOMPARE(redactor.feed("$ "), QByteArray("$ "));
    QCOMPARE(redactor.finish(), QByteArray());
}

void RedactorTest::memoryStaysFlat()
{
    Redactor redactor(formsFor(marker));
    QByteArray out = redactor.feed("CANARY-0");
    const QByteArray colours = QByteArray("\x1b[31m").repeated(1000);
    for (int i = 0; i < 100; ++i) {
        out += redactor.feed(colours);
        QVERIFY(redactor.held() < 80 * 1024);
    }
    out += redactor.feed("\x1b]0;" + QByteArray(1'000'000, 'x'));
    QVERIFY(redactor.held() < 80 * 1024);
    out += redactor.finish();
    QCOMPARE(out, "CANARY-0" + colours.repeated(100) + "\x1b]0;" + QByteArray(1'000'000, 'x'));
}

/// The stream log-03 of the hostile corpus: a chunk of the secret in each JSON line.
void RedactorTest::corpusStream()
{
    const QList<QByteArray> chunks = {
        "a CANARY-01",
        "2345",
        "6789abcdef b",
        marker.toBase64(),
        ("x" + marker).toBase64(),
        ("xx" + marker).toBase64(),
        marker.toHex(),
        "CANARY%2D0123456789abcdef",
        "fedcba9876543210-YRANAC",
    };
    const auto forms = formsFor(marker);
    QByteArray lines;
    for (const QByteArray &chunk : chunks) {
        lines += "{\"chunk\": \"" + chunk + "\"}\n";
    }
    const QByteArray redacted = forms->redact(lines);
    QCOMPARE(redacted.count(label), 5);
    // What a program joins from the chunks itself has to be redacted there, as it is no text here.
    QVERIFY(redacted.startsWith("{\"chunk\": \"a CANARY-01\"}\n"));
    QVERIFY(redacted.endsWith("{\"chunk\": \"fedcba9876543210-YRANAC\"}\n"));
    for (qsizetype cut = 0; cut <= lines.size(); ++cut) {
        QCOMPARE(inPieces(forms, {lines.first(cut), lines.sliced(cut)}), redacted);
    }
    QCOMPARE(inPieces(forms, chunks).count(label), 6);
    QVERIFY(inPieces(forms, chunks).startsWith("a [redacted:KEY] b"));
}

void RedactorTest::throughput_data()
{
    QTest::addColumn<QByteArray>("sample");
    QTest::newRow("log") << QByteArray(
        "[ 12%] Building CXX object core/base/redactor.cpp.o in 1.2 s\n");
    QTest::newRow("json") << QByteArray(
        "{\"type\":\"item\",\"text\":\"a \\\"quoted\\\" line\\nand \\u001b[31mred\\u001b[0m\"}\n");
    QTest::newRow("colour") << QByteArray("\x1b[32mok\x1b[0m one \x1b[31mfailed\x1b[0m two\n");
    QTest::newRow("beginnings") << QByteArray("CANARY-012345 CANARY-0123456789abcde");
}

/// Printed for the reader, not asserted: the machine may be busy, and where it is said to be slow
/// less has to do.
void RedactorTest::throughput()
{
    QFETCH(QByteArray, sample);
    QList<NamedSecret> secrets;
    for (int i = 0; i < 5; ++i) {
        secrets += {QStringLiteral("K%1").arg(i),
                    Secret("sk-" + QByteArray::number(i) + QByteArray("abcDEF123_-").repeated(9))};
    }
    secrets += {QStringLiteral("KEY"), Secret(marker)};
    Redactor redactor(std::make_shared<SecretForms>(secrets));
    const QByteArray piece = sample.repeated(64 * 1024 / sample.size() + 1);
    qint64 fed = 0;
    QElapsedTimer timer;
    timer.start();
    const qint64 enough = 32 * 1024 * 1024 / atMost(1);
    while (fed < enough) {
        QVERIFY(redactor.feed(piece).size() <= piece.size() + 128);
        fed += piece.size();
    }
    const double seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    qInfo("%.0f MB/s", static_cast<double>(fed) / 1e6 / seconds);
}

QTEST_GUILESS_MAIN(RedactorTest)
#include "tst_redactor.moc"
