// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/deltareader.h"
#include "core/git/packwalk.h"
#include "tests/support/packs.h"
#include "tests/support/testing.h"

#include <QBuffer>
#include <QRandomGenerator>

using namespace Glovebox;
using namespace Glovebox::Testing;
using namespace Glovebox::Testing::Packs;

namespace {

constexpr int blob = 3;

Result<Checked<PackFacts>> walked(QByteArray bytes, PackBudget budget = {},
                                  std::stop_token stop = {})
{
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    return walkPack(buffer, budget, std::move(stop));
}

/// One copy of \a size bytes from the base's start.
QByteArray copyOf(int size)
{
    QByteArray bytes(4, '\0');
    bytes[0] = static_cast<char>(0x80 | 0x01 | 0x10 | 0x20);
    bytes[2] = static_cast<char>(size & 255);
    bytes[3] = static_cast<char>(size >> 8);
    return bytes;
}

QByteArray delta(quint64 baseSize, quint64 resultSize, const QByteArray &instructions)
{
    return referenceDelta(deltaSize(baseSize) + deltaSize(resultSize) + instructions);
}

QByteArray random(int size)
{
    QByteArray bytes(size, '\0');
    QRandomGenerator generator(7);
    for (char &byte : bytes) {
        byte = static_cast<char>(generator.bounded(256));
    }
    return bytes;
}

} // namespace

class PackWalkTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void accepts();
    void refuses_data();
    void refuses();
    void everyCutIsCorrupt();
    void limits_data();
    void limits();
    void stops();
    void timeBudget();
    void deltas_data();
    void deltas();
};

void PackWalkTest::accepts()
{
    const QByteArray large = random(300'000);
    const QByteArray insert = QByteArray(1, '\x03') + "abc";
    const auto result = walked(
        pack({object(blob, "x"), object(blob, {}), object(1, large),
              delta(100, 103, copyOf(100) + insert), object(blob, QByteArray(1 << 20, 'a'))}));
    VERIFY_RESULT(result);
    QVERIFY2(result->has_value(), "refused");
    QCOMPARE((*result)->objects, 5);
    QCOMPARE((*result)->deltas, 1);
    QCOMPARE((*result)->inflatedBytes, 1 + 300'000 + 103 + (1 << 20));
}

void PackWalkTest::refuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const QByteArray &bytes, const char *code) {
        QTest::newRow(name) << bytes << QString::fromLatin1(code);
    };
    const QByteArray good = object(blob, "hello");
    row("empty", {}, "pack-corrupt");
    row("not a pack", QByteArray(64, 'x'), "pack-corrupt");
    row("version 99", pack({good}, -1, 99), "pack-corrupt");
    row("garbage after", pack({good}) + "x", "pack-corrupt");
    row("count too high", pack({good}, 2), "pack-corrupt");
    row("count too low", pack({good, good}, 1), "pack-corrupt");
    row("count lie", pack({good}, 0xffffffff), "pack-too-many-objects");
    row("type 0", pack({object(0, "abc")}), "pack-corrupt");
    row("type 5", pack({object(5, "abc")}), "pack-corrupt");
    row("understated size", pack({objectHeader(blob, 3) + deflated("hello")}), "pack-corrupt");
    row("overstated size", pack({objectHeader(blob, 9) + deflated("hello")}), "pack-corrupt");
    row("declared bomb", pack({objectHeader(blob, 1ULL << 40) + deflated("hello")}),
        "object-too-big");
    row("endless size", pack({QByteArray(12, '\xbf')}), "pack-corrupt");
    row("not deflated", pack({objectHeader(blob, 5) + "hello"}), "pack-corrupt");
    row("delta bomb", pack({delta(65536, 3ULL << 30, copyOf(0))}), "pack-corrupt");
    row("honest huge delta", pack({delta(65536, 65536ULL * 2000, copyOf(0).repeated(2000))}),
        "object-too-big");
    row("delta cut", pack({delta(10, 10, QByteArray(1, '\x05') + "abc")}), "pack-corrupt");
}

void PackWalkTest::refuses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, code);
    const auto result = walked(bytes);
    VERIFY_RESULT(result);
    QVERIFY(!result->has_value());
    QCOMPARE(result->error().code, code);
}

void PackWalkTest::everyCutIsCorrupt()
{
    const QByteArray whole = pack({object(blob, "hello"), delta(5, 5, copyOf(5)), object(1, "x")});
    QVERIFY(walked(whole)->has_value());
    for (qsizetype length = 0; length < whole.size(); ++length) {
        const auto result = walked(whole.left(length));
        VERIFY_RESULT(result);
        QVERIFY2(!result->has_value(), qPrintable(QString::number(length)));
        QCOMPARE(result->error().code, QStringLiteral("pack-corrupt"));
    }
}

void PackWalkTest::limits_data()
{
    QTest::addColumn<qint64>("objects");
    QTest::addColumn<qint64>("objectBytes");
    QTest::addColumn<qint64>("inflatedBytes");
    QTest::addColumn<QString>("code");
    QTest::newRow("just fits") << 3LL << 1000LL << 2100LL << QString();
    QTest::newRow("objects") << 2LL << 1000LL << 2100LL << QStringLiteral("pack-too-many-objects");
    QTest::newRow("object") << 3LL << 999LL << 2100LL << QStringLiteral("object-too-big");
    QTest::newRow("sum") << 3LL << 1000LL << 2099LL << QStringLiteral("bundle-too-big");
}

void PackWalkTest::limits()
{
    QFETCH(QString, code);
    PackBudget budget;
    QFETCH(qint64, objects);
    budget.limits.objects = objects;
    QFETCH(qint64, objectBytes);
    budget.limits.objectBytes = objectBytes;
    QFETCH(qint64, inflatedBytes);
    budget.limits.inflatedBytes = inflatedBytes;
    const QByteArray bytes = pack({object(blob, QByteArray(1000, 'a')), object(blob, random(100)),
                                   delta(1000, 1000, copyOf(1000))});
    const auto result = walked(bytes, budget);
    VERIFY_RESULT(result);
    QCOMPARE(result->has_value() ? QString() : result->error().code, code);
}

void PackWalkTest::stops()
{
    std::stop_source source;
    source.request_stop();
    const auto result = walked(pack({object(blob, "x")}), {}, source.get_token());
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Cancelled);
}

void PackWalkTest::timeBudget()
{
    PackBudget budget;
    budget.time = std::chrono::milliseconds(0);
    const auto result = walked(pack({object(blob, "x")}), budget);
    VERIFY_RESULT(result);
    QVERIFY(!result->has_value());
    QCOMPARE(result->error().code, QStringLiteral("bundle-too-slow"));
}

void PackWalkTest::deltas_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("valid");
    const auto sizes = [](quint64 base, quint64 result) {
        return deltaSize(base) + deltaSize(result);
    };
    const QByteArray insert = QByteArray(1, '\x03') + "abc";
    QTest::newRow("insert") << QByteArray(sizes(0, 3) + insert) << true;
    QTest::newRow("copy") << QByteArray(sizes(500, 500) + copyOf(500)) << true;
    QTest::newRow("copy of 64 KiB")
        << QByteArray(sizes(65536, 65536) + QByteArray(1, '\x80')) << true;
    QTest::newRow("empty result") << sizes(5, 0) << true;
    QTest::newRow("copy beyond the base") << QByteArray(sizes(499, 500) + copyOf(500)) << false;
    QTest::newRow("offset beyond the base")
        << QByteArray(sizes(500, 10) + QByteArray("\x92\xff\x0a", 3)) << false;
    QTest::newRow("too much") << QByteArray(sizes(500, 499) + copyOf(500)) << false;
    QTest::newRow("too little") << QByteArray(sizes(500, 501) + copyOf(500)) << false;
    QTest::newRow("reserved") << QByteArray(sizes(5, 1) + QByteArray(1, '\0')) << false;
    QTest::newRow("cut argument") << QByteArray(sizes(5, 5) + copyOf(5).left(3)) << false;
    QTest::newRow("endless size") << QByteArray(20, '\xff') << false;
    QTest::newRow("nothing") << QByteArray() << false;
}

void PackWalkTest::deltas()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, valid);
    for (const qsizetype step : {qsizetype(1), qsizetype(2), qMax<qsizetype>(bytes.size(), 1)}) {
        DeltaReader reader;
        bool sound = true;
        for (qsizetype at = 0; sound && at < bytes.size(); at += step) {
            const QByteArray part = bytes.mid(at, step);
            sound =
                reader.feed(reinterpret_cast<const unsigned char *>(part.constData()), part.size());
        }
        QCOMPARE(sound && reader.isComplete(), valid);
    }
}

QTEST_GUILESS_MAIN(PackWalkTest)
#include "tst_packwalk.moc"
