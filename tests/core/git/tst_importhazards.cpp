// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/commitscan.h"
#include "core/git/importhazards.h"
#include "core/git/indexpackwords.h"
#include "core/git/textrules.h"
#include "tests/core/git/corpus.h"
#include "tests/support/testing.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

constexpr qint64 now = 1'700'000'000;

QByteArray commitBytes(const QByteArray &headers, const QByteArray &message)
{
    return "tree " + QByteArray(40, 'a') + "\n" + headers + "\n" + message;
}

const QByteArray plainHeaders = "parent " + QByteArray(40, 'b') +
                                "\nauthor Agent <agent@example.com> 1700000000 +0000\n"
                                "committer Agent <agent@example.com> 1700000001 -0130\n";

ScannedCommit scanned(const QByteArray &headers, const QByteArray &message)
{
    const QByteArray bytes = commitBytes(headers, message);
    return scanCommit(QByteArray(40, 'c'), bytes, bytes.size());
}

/// Facts of an ordinary branch: no rule has anything to say.
ImportFacts quiet()
{
    ImportFacts facts;
    facts.tip = QByteArray(40, 'c');
    facts.agentEmail = "agent@example.com";
    facts.baseTime = now - 1000;
    facts.now = now + 1000;
    facts.commits = {scanned(plainHeaders, "Fix the page\n")};
    facts.trees = std::make_shared<TreeWalk>(TreeWalk::Limits{});
    return facts;
}

QStringList codes(const ImportFacts &facts)
{
    ImportReport report;
    report.hazards = importHazards(facts);
    return codesOf(report);
}

} // namespace

class ImportHazardsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void quietBranch();
    void commits_data();
    void commits();
    void scansWhoAndWhen();
    void changes_data();
    void changes();
    void links_data();
    void links();
    void names_data();
    void names();
    void deletions_data();
    void deletions();
    void eachCodeIsCapped();
    void indexPackWords_data();
    void indexPackWords();
};

void ImportHazardsTest::quietBranch()
{
    QCOMPARE(codes(quiet()), QStringList());
}

void ImportHazardsTest::commits_data()
{
    QTest::addColumn<QByteArray>("headers");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const QByteArray &headers, const QByteArray &message,
                        const char *code = "") {
        QTest::newRow(name) << headers << message << QString::fromLatin1(code);
    };
    const auto with = [](const char *from, const char *to) {
        return QByteArray(plainHeaders).replace(from, to);
    };
    const QByteArray letter = "\xc3\xbc";
    row("CRLF and tabs", plainHeaders, "a\r\n\tb\r\n");
    row("right-to-left text itself", plainHeaders, "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d\n");
    row("ESC", plainHeaders, "a\x1b[31m\n", "control-characters");
    row("bare CR", plainHeaders, "good\rbad\n", "control-characters");
    row("bidi override", plainHeaders,
        "a\xe2\x80\xae"
        "b\n",
        "control-characters");
    row("ESC in a name", with("Agent <", "A\x1b <"), "a\n", "control-characters");
    row("other author", with("author Agent <agent", "author Agent <user"), "a\n",
        "author-not-agent");
    row("other committer", with("committer Agent <agent", "committer Agent <user"), "a\n",
        "author-not-agent");
    row("a day too early", with("1700000000", "1699912599"), "a\n", "odd-commit-date");
    row("just within a day before", with("1700000000", "1699912600"), "a\n");
    row("in the future", with("1700000001", "1700087401"), "a\n", "odd-commit-date");
    row("just within a day after", with("1700000001", "1700087400"), "a\n");
    row("says UTF-8", plainHeaders + "encoding utf-8\n", "a\n");
    row("says UTF-7", plainHeaders + "encoding UTF-7\n", "a\n", "text-encoding");
    row("not UTF-8", plainHeaders, "\xff\xfe\n", "text-encoding");
    row("64 KiB", plainHeaders, QByteArray(65536, 'x'));
    row("more than 64 KiB", plainHeaders, QByteArray(65537, 'x'), "text-truncated");
    row("cut inside a letter", plainHeaders, "x" + letter.repeated(40000), "text-truncated");
    row("no parent", plainHeaders.mid(48), "a\n", "foreign-history");
}

void ImportHazardsTest::commits()
{
    QFETCH(QByteArray, headers);
    QFETCH(QByteArray, message);
    QFETCH(QString, code);
    ImportFacts facts = quiet();
    facts.commits = {scanned(headers, message)};
    QCOMPARE(codes(facts), code.isEmpty() ? QStringList() : QStringList{code});
    facts.commits[0].isKnown = true; // the user's own commits are nobody's hazard by person or date
    const bool ofTheText =
        code.startsWith(QLatin1String("text-")) || code == QLatin1String("control-characters");
    QCOMPARE(codes(facts), ofTheText ? QStringList{code} : QStringList());
}

void ImportHazardsTest::scansWhoAndWhen()
{
    const ScannedCommit commit = scanned(plainHeaders, "parent of nothing\n\ntree x\n");
    QCOMPARE(commit.tree, QByteArray(40, 'a'));
    QCOMPARE(commit.parents, QList<QByteArray>{QByteArray(40, 'b')});
    QCOMPARE(commit.author.name, QByteArray("Agent"));
    QCOMPARE(commit.author.email, QByteArray("agent@example.com"));
    QCOMPARE(commit.author.time, now);
    QCOMPARE(commit.committer.time, now + 1);
    // Bytes that git would never let pass are still only bytes.
    for (const QByteArray &bytes : {QByteArray(), QByteArray("\n"), QByteArray("author"),
                                    QByteArray("author > <\n"), QByteArray(100, '\n')}) {
        QVERIFY(scanCommit({}, bytes, bytes.size()).parents.isEmpty());
    }
}

void ImportHazardsTest::changes_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<quint32>("oldMode");
    QTest::addColumn<quint32>("newMode");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, const char *path, quint32 oldMode, quint32 newMode,
                        const char *code = "") {
        QTest::newRow(name) << QByteArray(path) << oldMode << newMode << QString::fromLatin1(code);
    };
    row("new file", "a", 0, 0100644);
    row("changed file", "a", 0100644, 0100644);
    row("became executable", "a", 0100644, 0100755, "type-change");
    row("became plain", "a", 0100755, 0100644, "type-change");
    row("submodule added", "lib", 0, 0160000, "submodule-change");
    row("submodule moved", "lib", 0160000, 0160000, "submodule-change");
    row("submodule gone", "lib", 0160000, 0, "submodule-change");
    row(".gitmodules", ".gitmodules", 0100644, 0100644, "submodule-change");
    row("a name like it", "my.gitmodules", 0100644, 0100644);
    row(".gitattributes as a file", ".gitattributes", 0, 0100644);
}

void ImportHazardsTest::changes()
{
    QFETCH(QByteArray, path);
    QFETCH(quint32, oldMode);
    QFETCH(quint32, newMode);
    QFETCH(QString, code);
    ImportFacts facts = quiet();
    facts.baseFiles = 100;
    facts.net.changes = {{path, oldMode, newMode, QByteArray(40, '1'), QByteArray(40, '2')}};
    QCOMPARE(codes(facts), code.isEmpty() ? QStringList() : QStringList{code});
}

void ImportHazardsTest::links_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<bool>("escapes");
    const auto row = [](const char *path, const char *target, bool escapes) {
        QTest::addRow("%s to %s", path, target)
            << QByteArray(path) << QByteArray(target) << escapes;
    };
    row("l", "README.md", false);
    row("docs/l", "../README.md", false);
    row("a/b/l", "../../c/./d", false);
    row("l", ".gitignore", false);
    row("l", "../x", true);
    row("docs/l", "../../x", true);
    row("docs/l", "a/../../../docs/x", true);
    row("l", "/etc/passwd", true);
    row("l", ".git/config", true);
    row("l", ".GIT/config", true);
    row("sub/l", "../.git/hooks", true);
    row("l", "C:/x", true);
    row("l", "..\\x", true);
}

void ImportHazardsTest::links()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, target);
    QFETCH(bool, escapes);
    ImportFacts facts = quiet();
    const QByteArray id(40, '2');
    facts.net.changes = {{path, 0, 0120000, {}, id}};
    facts.links.insert(id, target);
    const QStringList expected{QStringLiteral("symlink-escape")};
    QCOMPARE(codes(facts), escapes ? expected : QStringList());
    facts.links.clear(); // a target too long to be a path was not read
    QCOMPARE(codes(facts), expected);
}

void ImportHazardsTest::names_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("odd");
    QTest::addColumn<bool>("unportable");
    const auto row = [](const QByteArray &name, bool odd, bool unportable) {
        QTest::newRow(name.toPercentEncoding().left(40).constData()) << name << odd << unportable;
    };
    row("a.txt", false, false);
    row("\xc3\xbc"
        "bersicht \xe6\x97\xa5.md",
        false, false);
    row("a-b", false, false);
    row(".hidden", false, false);
    row("console.txt", false, false);
    row("common", false, false);
    row("-rf", true, false);
    row("tail ", true, true);
    row(" head", true, false);
    row("a\nb", true, true);
    row("esc\x1b", true, true);
    row("photo\xe2\x80\xaegnp.exe", true, false);
    row("a\xe2\x80\x8b"
        "b",
        true, false);
    row("bad\xff", true, false);
    row("\"quoted\"", true, true);
    row("<b>", true, true);
    row("a\\b", false, true);
    row("a:b", false, true);
    row("trail.", false, true);
    row("CON", false, true);
    row("aux.txt", false, true);
    row("com1", false, true);
    row("lpt9.log", false, true);
    row(QByteArray(255, 'n'), false, false);
    row(QByteArray(256, 'n'), false, true);
}

void ImportHazardsTest::names()
{
    QFETCH(QByteArray, name);
    QTEST(TextRules::isOddName(name), "odd");
    QTEST(TextRules::isUnportableName(name), "unportable");
}

void ImportHazardsTest::deletions_data()
{
    QTest::addColumn<int>("gone");
    QTest::addColumn<bool>("named");
    QTest::newRow("30 of 100") << 30 << false;
    QTest::newRow("31 of 100") << 31 << true;
    QTest::newRow("all") << 100 << true;
}

void ImportHazardsTest::deletions()
{
    QFETCH(int, gone);
    ImportFacts facts = quiet();
    facts.baseFiles = 100;
    for (int i = 0; i < gone; ++i) {
        facts.net.changes.append({QByteArray::number(i), 0100644, 0, QByteArray(40, '1'), {}});
    }
    QTEST(codes(facts).contains(QStringLiteral("mass-deletion")), "named");
}

void ImportHazardsTest::eachCodeIsCapped()
{
    ImportFacts facts = quiet();
    for (int i = 0; i < 2001; ++i) {
        facts.net.changes.append({QByteArray::number(i), 0100644, 0100755, {}, {}});
    }
    const QList<ImportHazard> hazards = importHazards(facts);
    QCOMPARE(hazards.size(), 101); // 100 of type-change, one large-change
    QVERIFY(codes(facts).contains(QStringLiteral("large-change")));
}

void ImportHazardsTest::indexPackWords_data()
{
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *name, int exitCode, const QByteArray &words, const char *code) {
        QTest::newRow(name) << exitCode << words << QString::fromLatin1(code);
    };
    const QByteArray id(40, '1');
    row("size", 128, "fatal: pack exceeds maximum allowed size (16.00 MiB)", "bundle-too-big");
    row("killed", 128 + 9, "", "bundle-too-big");
    row("collision", 128, "fatal: SHA1 COLLISION FOUND WITH " + id + " !", "hash-mismatch");
    row("check", 128,
        "error: object " + id +
            ": hasDotgit: contains '.git'\nfatal: fsck error in "
            "packed object",
        "fsck");
    row("link", 128, "fatal: did not receive expected object " + id, "pack-incomplete");
    row("kind", 128, "fatal: object of expected type tree: " + id, "pack-incomplete");
    row("damage", 128, "fatal: early EOF", "pack-corrupt");
    row("silence", 1, "", "pack-corrupt");
    row("disk", 128, "fatal: write error: No space left on device", "");
}

void ImportHazardsTest::indexPackWords()
{
    QFETCH(int, exitCode);
    QFETCH(QByteArray, words);
    QFETCH(QString, code);
    const Result<Refusal> why = explainIndexPack({exitCode, {}, words});
    QCOMPARE(why ? why->code : QString(), code);
    QCOMPARE(why.has_value() ? ErrorCode::DiskFull : why.error().code, ErrorCode::DiskFull);
    QVERIFY(!why || !why->reason.contains(QLatin1String("fatal")));
}

QTEST_GUILESS_MAIN(ImportHazardsTest)
#include "tst_importhazards.moc"
