// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/bundleheader.h"
#include "core/git/referencename.h"
#include "tests/support/testing.h"

using namespace Glovebox;

namespace {

const QByteArray one(40, '1');
const QByteArray two(40, '2');
const QByteArray branch("refs/heads/agent/task-1");

QByteArray v2(const QByteArray &lines)
{
    return "# v2 git bundle\n" + lines + "\n";
}

QByteArray v3(const QByteArray &lines)
{
    return "# v3 git bundle\n" + lines + "\n";
}

QByteArray repeated(int count, const QByteArray &pattern)
{
    QByteArray lines;
    for (int i = 0; i < count; ++i) {
        lines += QByteArray(pattern).replace("%", QByteArray::number(i));
    }
    return lines;
}

} // namespace

class BundleHeaderTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refuses_data();
    void refuses();
    void reads_data();
    void reads();
    void chooses_data();
    void chooses();
    void limitsAreInclusive();
    void referenceNames_data();
    void referenceNames();
};

void BundleHeaderTest::refuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const QByteArray &bytes, const char *code) {
        QTest::newRow(name) << bytes << QString::fromLatin1(code);
    };
    const QByteArray ref = one + " " + branch + "\n";
    row("empty", "", "bundle-bad-header");
    row("signature only", "# v2 git bundle", "bundle-bad-header");
    row("version 4", "# v4 git bundle\n" + ref + "\n", "bundle-bad-header");
    row("CRLF", "# v2 git bundle\r\n\r\n", "bundle-bad-header");
    row("CR in a line", v2(one + " " + branch + "\r\n"), "bundle-bad-header");
    row("HTML", "<!doctype html>\n\n", "bundle-bad-header");
    row("NUL in a name", v2(one + " " + branch + QByteArray(1, '\0') + "x\n"), "bundle-bad-header");
    row("no blank line", "# v2 git bundle\n" + ref, "bundle-bad-header");
    row("short id", v2(one.left(39) + " " + branch + "\n"), "bundle-bad-header");
    row("upper-case id", v2(QByteArray(40, 'A') + " " + branch + "\n"), "bundle-bad-header");
    row("id without a name", v2(one + "\n"), "bundle-bad-header");
    row("id and a blank", v2(one + " \n"), "bundle-bad-header");
    row("long prerequisite", v2("-" + one + "1\n" + ref), "bundle-bad-header");
    row("short prerequisite", v2("-" + one.left(20) + "\n" + ref), "bundle-bad-header");
    row("capability in v2", v2("@object-format=sha1\n" + ref), "bundle-bad-header");
    row("filter", v3("@filter=blob:none\n" + ref), "bundle-capability");
    row("unknown capability", v3("@x\n" + ref), "bundle-capability");
    row("sha256", v3("@object-format=sha256\n" + ref), "bundle-object-format");
    row("duplicate", v2(ref + two + " " + branch + "\n"), "bundle-bad-ref");
    row("bad name", v2(ref + two + " refs/heads/a..b\n"), "bundle-bad-ref");
    row("pseudo reference", v2(ref + two + " FETCH_HEAD\n"), "bundle-bad-ref");
    row("65 references", v2(repeated(65, one + " refs/heads/x%\n")), "bundle-header-too-big");
    row("65 prerequisites", v2(repeated(65, "-" + one + "\n") + ref), "bundle-header-too-big");
    row("over 64 KiB", "# v2 git bundle\n" + repeated(2000, one + " refs/heads/x%\n"),
        "bundle-header-too-big");
}

void BundleHeaderTest::refuses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, code);
    const ImportLimits limits;
    const auto header = parseBundleHeader(bytes.left(limits.headerBytes + 1), limits);
    QVERIFY(!header);
    QCOMPARE(header.error().code, code);
    QCOMPARE(header.error().stage, QStringLiteral("header"));
    QVERIFY(!header.error().reason.isEmpty());
}

void BundleHeaderTest::reads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("prerequisites");
    QTest::addColumn<int>("references");
    const QByteArray ref = one + " " + branch + "\n";
    QTest::newRow("v2") << v2("-" + two + "\n" + ref) << 1 << 1;
    QTest::newRow("v3") << v3("@object-format=sha1\n-" + two + " first commit\n" + ref) << 1 << 1;
    QTest::newRow("HEAD too") << v2(ref + one + " HEAD\n") << 0 << 2;
    QTest::newRow("no prerequisite") << v2(ref) << 0 << 1;
    QTest::newRow("no reference") << v2("-" + two + "\n") << 1 << 0;
    QTest::newRow("non-ASCII name") << v2(one + " refs/heads/\xc3\xbc\n") << 0 << 1;
}

void BundleHeaderTest::reads()
{
    QFETCH(QByteArray, bytes);
    const auto header = parseBundleHeader(bytes + "PACK\0\n\n", {});
    QVERIFY(header.has_value());
    QCOMPARE(header->size, bytes.size());
    QTEST(int(header->prerequisites.size()), "prerequisites");
    QTEST(int(header->references.size()), "references");
}

void BundleHeaderTest::chooses_data()
{
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<QByteArray>("wanted");
    QTest::addColumn<QByteArray>("tip");
    QTest::addColumn<int>("dropped");
    const QByteArray both = one + " " + branch + "\n" + two + " refs/heads/main\n";
    QTest::newRow("by name") << both << branch << one << 1;
    QTest::newRow("other name") << both << QByteArray("refs/heads/main") << two << 1;
    QTest::newRow("case matters") << both << QByteArray("refs/heads/Main") << QByteArray() << 0;
    QTest::newRow("only branch") << QByteArray(one + " " + branch + "\n" + two + " HEAD\n")
                                 << QByteArray() << one << 0;
    QTest::newRow("a tag beside it")
        << QByteArray(one + " " + branch + "\n" + two + " refs/tags/v1\n") << QByteArray() << one
        << 1;
    QTest::newRow("two branches") << both << QByteArray() << QByteArray() << 0;
    QTest::newRow("none") << QByteArray(one + " refs/tags/v1\n") << QByteArray() << QByteArray()
                          << 0;
}

void BundleHeaderTest::chooses()
{
    QFETCH(QByteArray, lines);
    QFETCH(QByteArray, wanted);
    QFETCH(QByteArray, tip);
    const auto header = parseBundleHeader(v2(lines), {});
    QVERIFY(header.has_value());
    const auto chosen = chooseReference(*header, wanted);
    QCOMPARE(chosen.has_value(), !tip.isEmpty());
    if (!chosen) {
        QCOMPARE(chosen.error().code, QStringLiteral("bundle-ref-missing"));
        return;
    }
    QCOMPARE(chosen->tip, tip);
    QTEST(int(chosen->dropped.size()), "dropped");
}

void BundleHeaderTest::limitsAreInclusive()
{
    const QByteArray lines =
        repeated(64, "-" + one + "\n") + repeated(64, one + " refs/heads/x%\n");
    const auto header = parseBundleHeader(v2(lines), {});
    QVERIFY(header.has_value());
    QCOMPARE(header->references.size(), 64);
}

void BundleHeaderTest::referenceNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("safe");
    const auto row = [](const char *name, bool safe) {
        QTest::newRow(name) << QByteArray(name) << safe;
    };
    row("refs/heads/main", true);
    row("refs/heads/agent/fix-the-page", true);
    row("refs/heads/fix\xe2\x80\xae", true);
    row("refs/stash", true);
    row("heads/main", false);
    row("refs/", false);
    row("refs/heads/", false);
    row("refs//heads", false);
    row("refs/heads/.hidden", false);
    row("refs/heads/a.lock", false);
    row("refs/heads/a.lock/b", false);
    row("refs/heads/a.", false);
    row("refs/heads/a b", false);
    row("refs/heads/a~1", false);
    row("refs/heads/a^", false);
    row("refs/heads/a:b", false);
    row("refs/heads/a?", false);
    row("refs/heads/a*", false);
    row("refs/heads/a[", false);
    row("refs/heads/a\\b", false);
    row("refs/heads/x@{1}", false);
    row("refs/heads/--upload-pack=x", false);
    row("refs/heads/a\x1b[31m", false);
    row("refs/heads/a\x7f", false);
    row("/etc/passwd", false);
    row("@", false);
    row("", false);
    QTest::newRow("255 bytes") << QByteArray("refs/heads/" + QByteArray(244, 'a')) << true;
    QTest::newRow("256 bytes") << QByteArray("refs/heads/" + QByteArray(245, 'a')) << false;
}

void BundleHeaderTest::referenceNames()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, safe);
    QCOMPARE(isSafeReference(name), safe);
}

QTEST_GUILESS_MAIN(BundleHeaderTest)
#include "tst_bundleheader.moc"
