// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/secretshapes.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>
#include <QTest>

#include <zlib.h>

using namespace Glovebox;

/// The tokens are put together at run time, so that no scanner trips over this file.
class TestSecretShapes final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shapes_data();
    void shapes();
    void clean_data();
    void clean();
    void oneFlippedCharacterIsOnlyPossible();
    void apartAndInOrder();
    void linearTime();
};

namespace {

/// So many characters of an alphabet, mixed well and always the same.
QByteArray mixed(int length, const QByteArray &alphabet)
{
    QByteArray text;
    quint32 state = 12345;
    for (int i = 0; i < length; ++i) {
        state = state * 1664525 + 1013904223;
        text += alphabet.at(static_cast<qsizetype>((state >> 8) % alphabet.size()));
    }
    return text;
}

const QByteArray hex("0123456789abcdef");
const QByteArray upper("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const QByteArray letters = upper + upper.toLower();
const QByteArray alnum = "0123456789" + letters;

QByteArray withChecksum(const QByteArray &prefix)
{
    const QByteArray body = mixed(30, alnum);
    auto sum = crc32(0, reinterpret_cast<const Bytef *>(body.constData()), 30);
    QByteArray tail(6, '0');
    for (int i = 5; i >= 0; --i, sum /= 62) {
        tail[i] = alnum.at(static_cast<qsizetype>(sum % 62));
    }
    return prefix + body + tail;
}

/// One token of several parts; nothing in this file holds the parts side by side.
QByteArray joined(std::initializer_list<QByteArray> parts)
{
    return QByteArrayList(parts).join();
}

struct Shape
{
    const char *name;
    const char *kind;
    QByteArray token;
    bool certain = true;
};

QList<Shape> shapesOfForges()
{
    return {
        {"github", "GitHub token", withChecksum(joined({"gh", "p_"}))},
        {"github-app", "GitHub token", withChecksum(joined({"gh", "s_"}))},
        {"github-fine", "GitHub token",
         joined({"github_", "pat_", mixed(22, alnum), "_", mixed(59, alnum)})},
        {"gitlab", "GitLab token", joined({"gl", "pat-", mixed(20, alnum)})},
        {"gitlab-runner", "GitLab token", joined({"gl", "rt-", mixed(20, alnum)})},
        {"npm", "npm token", withChecksum(joined({"np", "m_"}))},
        {"pypi", "PyPI token", joined({"py", "pi-", mixed(80, alnum)})},
        {"rubygems", "RubyGems token", joined({"ruby", "gems_", mixed(48, hex)})},
    };
}

QList<Shape> shapesOfClouds()
{
    return {
        {"aws", "AWS token", joined({"AK", "IA", mixed(16, upper + "234567")})},
        {"google", "Google token", joined({"AI", "za", mixed(35, alnum)})},
        {"google-oauth", "Google token", joined({"GOC", "SPX-", mixed(28, alnum)})},
        {"digitalocean", "DigitalOcean token", joined({"do", "p_v1_", mixed(64, hex)})},
        {"databricks", "Databricks token", joined({"da", "pi", mixed(32, hex)})},
        {"terraform", "Terraform Cloud token",
         joined({mixed(14, alnum), ".atlas", "v1.", mixed(64, alnum)})},
        {"grafana", "Grafana token", joined({"gl", "sa_", mixed(32, alnum), "_", mixed(8, hex)})},
    };
}

QList<Shape> shapesOfServices()
{
    return {
        {"slack", "Slack token", joined({"xo", "xb-240915736812-", mixed(24, alnum)})},
        {"stripe", "Stripe token", joined({"sk_", "live_", mixed(24, alnum)})},
        {"openai", "OpenAI token",
         joined({"sk-", "proj-", mixed(58, alnum), "T3Blbk", "FJ", mixed(58, alnum)})},
        {"anthropic", "Anthropic token", joined({"sk-", "ant-api03-", mixed(93, alnum), "AA"})},
        {"hugging-face", "Hugging Face token", joined({"hf", "_", mixed(34, letters)})},
        {"sendgrid", "SendGrid token",
         joined({"S", "G.", mixed(22, alnum), ".", mixed(43, alnum)})},
        {"shopify", "Shopify token", joined({"sh", "pat_", mixed(32, hex)})},
        {"postman", "Postman token", joined({"PM", "AK-", mixed(24, hex), "-", mixed(34, hex)})},
    };
}

QList<Shape> shapesOfKeys()
{
    return {
        {"age", "age token", joined({"AGE-SECRET-", "KEY-1", mixed(58, upper + "023456789")})},
        {"private-key", "private key",
         joined({"-----BEGIN OPENSSH ", "PRIVATE KEY-----\n", mixed(70, alnum)})},
        {"jwt", "JWT token",
         joined({"ey", "J", mixed(20, alnum), ".ey", "J", mixed(30, alnum), ".", mixed(40, alnum)}),
         false},
    };
}

} // namespace

void TestSecretShapes::shapes_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("certain");
    for (const Shape &shape :
         shapesOfForges() + shapesOfClouds() + shapesOfServices() + shapesOfKeys()) {
        QTest::newRow(shape.name) << shape.token << QString::fromLatin1(shape.kind)
                                  << shape.certain;
    }
}

void TestSecretShapes::shapes()
{
    QFETCH(QByteArray, token);
    QFETCH(QString, kind);
    QFETCH(bool, certain);
    const QByteArray text = "Use \"" + token + "\" here.";
    const QList<SecretFinding> found = findSecretShapes(text);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().kind, kind);
    QCOMPARE(found.first().isCertain, certain);
    QCOMPARE(text.mid(found.first().begin, found.first().end - found.first().begin), token);
    QVERIFY(findSecretShapes("x" + token.left(token.size() / 2)).isEmpty());
}

void TestSecretShapes::clean_data()
{
    QTest::addColumn<QByteArray>("text");
    const QList<QByteArray> texts{
        "API_KEY=your-key-goes-here-0000",
        "TOKEN: ${CI_TOKEN_FROM_THE_ENVIRONMENT}",
        "AKIAIOSFODNN7EXAMPLE",
        "secret: src/billing/secret-handling/**",
        "password = changeme12345678",
        joined({"gh", "p_", QByteArray(36, 'x')}),
        "key: aaaaaaaaaaaaaaaaaaaaaaaa1111",
        "sk-learn-is-a-library",
        "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "https://example.com/a@b",
        "monkey_tokens_are_words_only: banana-and-apples-or-pears"};
    for (const QByteArray &text : texts) {
        QTest::newRow(text.left(20).constData()) << text;
    }
}

void TestSecretShapes::clean()
{
    QFETCH(QByteArray, text);
    const QList<SecretFinding> found = findSecretShapes(text);
    QVERIFY2(found.isEmpty(), found.isEmpty() ? "" : qPrintable(found.first().kind));
}

void TestSecretShapes::oneFlippedCharacterIsOnlyPossible()
{
    QByteArray token = withChecksum(joined({"gh", "p_"}));
    token[10] = token.at(10) == 'a' ? 'b' : 'a';
    const QList<SecretFinding> found = findSecretShapes(token);
    QCOMPARE(found.size(), 1);
    QVERIFY(!found.first().isCertain);
}

void TestSecretShapes::apartAndInOrder()
{
    const QByteArray token = withChecksum(joined({"gh", "p_"}));
    const QByteArray text = "DB_PASSWORD='" + mixed(24, alnum) + "'\nGH_TOKEN=" + token + "\n" +
                            "postgres://admin:" + mixed(9, letters) + "@db.example.com/x\n" + token;
    const QList<SecretFinding> found = findSecretShapes(text);
    QCOMPARE(found.size(), 4);
    QVERIFY(!found.at(0).isCertain);
    QVERIFY(found.at(1).isCertain); // the surer of two that say the same
    QVERIFY(!found.at(2).isCertain);
    for (qsizetype i = 1; i < found.size(); ++i) {
        QVERIFY(found.at(i).begin >= found.at(i - 1).end);
    }
}

void TestSecretShapes::linearTime()
{
    QElapsedTimer timer;
    timer.start();
    for (const char *piece : {"KEY=", "ey.ey", "A", "-----BEGIN "}) {
        QVERIFY(findSecretShapes(QByteArray(piece).repeated(1024 * 1024 / 4)).size() < 2);
    }
    QVERIFY2(timer.elapsed() < Testing::atMost(20000), "a hostile text made the search slow");
}

QTEST_GUILESS_MAIN(TestSecretShapes)
#include "tst_secretshapes.moc"
