// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/review/changeset.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QString text(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

QByteArray letterOf(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Added:
        return "A";
    case ChangeKind::Modified:
        return "M";
    case ChangeKind::Deleted:
        return "D";
    case ChangeKind::Renamed:
        return "R";
    case ChangeKind::Copied:
        return "C";
    case ChangeKind::TypeChanged:
        return "T";
    case ChangeKind::ModeChanged:
        return "X";
    }
    Q_UNREACHABLE();
}

/// "M a +1-1", "R a>b +0-0"; sorted as they come.
QByteArrayList summaryOf(const ChangeSet &changes)
{
    QByteArrayList lines;
    for (const FileChange &file : changes.files) {
        const QByteArray path =
            file.oldPath == file.path ? file.path : file.oldPath + '>' + file.path;
        lines.append(letterOf(file.kind) + ' ' + path + " +" + QByteArray::number(file.added) +
                     '-' + QByteArray::number(file.removed));
    }
    return lines;
}

QByteArray numbered(int from, int to)
{
    QByteArray lines;
    for (int i = from; i <= to; ++i) {
        lines += "line " + QByteArray::number(i) + '\n';
    }
    return lines;
}

} // namespace

class ChangeSetTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void kinds_data();
    void kinds();
    void configurationHidesNothing();
    void attributesHideNothing();
    void hunksOfAFile();
    void hunksKeepRawBytes();
    void noNewlineAtTheEnd();
    void linkAndSubmoduleTargets();
    void manyRenamesAreExactOnly();
    void manyFilesAreQuick();
    void guards();
    void wrongRequests();
    void binaryRule_data();
    void binaryRule();
    void scope_data();
    void scope();

private:
    Result<ChangeSet> changesOf(const QString &script);
    [[nodiscard]] FileDiff diffOf(const ChangeSet &changes, const QByteArray &path,
                                  int context = 3);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TestRepository> m_repository;
    QString m_base;
};

void ChangeSetTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_repository = std::make_unique<TestRepository>(m_folder->filePath(text("r")));
    m_repository->write(text("a"), numbered(1, 40));
    m_repository->write(text("b"), numbered(100, 140));
    m_repository->write(text("dir/c"), "c\n");
    m_repository->write(text("empty"), "");
    m_base = m_repository->commitAll(text("Base"));
}

Result<ChangeSet> ChangeSetTest::changesOf(const QString &script)
{
    run(text("sh"), {text("-ec"), script}, m_repository->folder());
    const QString tip = m_repository->commitAll(text("Tip"));
    return readChangeSet(m_repository->gitFolder(), m_base, tip);
}

FileDiff ChangeSetTest::diffOf(const ChangeSet &changes, const QByteArray &path, int context)
{
    for (int i = 0; i < changes.files.size(); ++i) {
        if (changes.files.at(i).path == path) {
            return readFileDiff(changes, i, context).value_or(FileDiff());
        }
    }
    return {};
}

void ChangeSetTest::kinds_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArrayList>("expected");
    const auto row = [](const char *name, const char *script, const QByteArrayList &expected) {
        QTest::newRow(name) << text(script) << expected;
    };
    row("nothing", ":", {});
    row("modified", "echo x >>a; sed -i 1d a", {"M a +1-1"});
    row("added", "printf 'x\ny' >n", {"A n +2-0"});
    row("added empty", ": >n", {"A n +0-0"});
    row("deleted", "git rm -q a", {"D a +0-40"});
    row("renamed", "git mv a z", {"R a>z +0-0"});
    row("renamed with edit", "git mv a z; sed -i 's/line 7$/x/' z", {"R a>z +1-1"});
    row("renamed and replaced", "git mv a z; echo other >a", {"M a +1-40", "C a>z +0-0"});
    row("copied", "cp a z", {"C a>z +0-0"});
    row("copied, same name", "cp dir/c c; mkdir d; cp dir/c d/c",
        {"C dir/c>c +0-0", "C dir/c>d/c +0-0"});
    row("copied with edit of both", "cp a z; echo x >>a; echo y >>z", {"M a +1-0", "C a>z +1-0"});
    row("mode only", "chmod +x a", {"X a +0-0"});
    row("mode and content", "chmod +x a; echo x >>a", {"M a +1-0"});
    row("file to link", "rm dir/c; ln -s ../a dir/c", {"T dir/c +1-1"});
    row("link added", "ln -s /etc/passwd l", {"A l +1-0"});
    row("file to folder", "rm empty; mkdir empty; echo q >empty/q",
        {"D empty +0-0", "A empty/q +1-0"});
    row("folder to file", "rm -r dir; echo q >dir", {"A dir +1-0", "D dir/c +0-1"});
    row("file to submodule", "rm a; git init -q a; git -C a commit -q --allow-empty -m x",
        {"T a +1-40"});
    row("submodule added", "git init -q s; git -C s commit -q --allow-empty -m x", {"A s +1-0"});
    row("odd names",
        "echo 1 >'new\nline'; echo 2 >-dash; echo 3 >\"$(printf 'l\\351')\"; echo 4 >'日'",
        {"A -dash +1-0", "A l\xe9 +1-0", "A new\nline +1-0", "A \xe6\x97\xa5 +1-0"});
    row("line ends", "sed -i 's/$/\\r/' a", {"M a +40-40"});
    row("a NUL in text", "printf 'one\\0\ntwo\nthree and more text here\n' >n", {"A n +3-0"});
    row("noise", "head -c 5000 /dev/urandom >n", {"A n +0-0"});
}

void ChangeSetTest::kinds()
{
    QFETCH(QString, script);
    QFETCH(QByteArrayList, expected);
    const Result<ChangeSet> changes = changesOf(script);
    VERIFY_RESULT(changes);
    QCOMPARE(summaryOf(*changes), expected);
}

/// core.fileMode, core.symlinks, core.ignoreCase and diff.* of the repository must not hide a
/// change.
void ChangeSetTest::configurationHidesNothing()
{
    const Result<ChangeSet> before =
        changesOf(text("chmod +x a; git mv dir/c dir/C; rm b; ln -s a b;"
                       "git init -q s; git -C s commit -q --allow-empty -m x"));
    VERIFY_RESULT(before);
    QCOMPARE(before->files.size(), 4);
    for (const char *setting :
         {"core.fileMode=false", "core.symlinks=false", "core.ignoreCase=true",
          "diff.ignoreSubmodules=all", "diff.renames=false", "diff.external=false",
          "core.bigFileThreshold=1"}) {
        const QStringList pair = text(setting).split(QLatin1Char('='));
        m_repository->git({text("config"), pair.at(0), pair.at(1)});
    }
    const Result<ChangeSet> after = readChangeSet(m_repository->gitFolder(), m_base, before->tip);
    VERIFY_RESULT(after);
    QCOMPARE(summaryOf(*after), summaryOf(*before));
}

void ChangeSetTest::attributesHideNothing()
{
    const Result<ChangeSet> changes =
        changesOf(text("echo '* binary -diff linguist-generated' >.gitattributes;"
                       "cp .gitattributes .git/info/attributes; echo x >>a"));
    VERIFY_RESULT(changes);
    QCOMPARE(summaryOf(*changes), QByteArrayList({"A .gitattributes +1-0", "M a +1-0"}));
    QCOMPARE(diffOf(*changes, "a").hunks.size(), 1);
}

void ChangeSetTest::hunksOfAFile()
{
    const Result<ChangeSet> changes =
        changesOf(text("sed -i -e 's/line 5$/five/' -e '20d' -e '30a new' a"));
    VERIFY_RESULT(changes);
    const FileDiff diff = diffOf(*changes, "a", 2);
    QCOMPARE(diff.hunks.size(), 3);
    const Hunk &first = diff.hunks.first();
    QCOMPARE(first.oldStart, 3);
    QCOMPARE(first.oldCount, 5);
    QCOMPARE(first.newCount, 5);
    QCOMPARE(first.lines.size(), 6);
    QCOMPARE(first.lines.at(2).kind, DiffLine::Kind::Removed);
    QCOMPARE(first.lines.at(2).text, QByteArray("line 5"));
    QCOMPARE(first.lines.at(2).oldLine, 5);
    QCOMPARE(first.lines.at(2).newLine, 0);
    QCOMPARE(first.lines.at(3).text, QByteArray("five"));
    QCOMPARE(first.lines.at(3).newLine, 5);
    QCOMPARE(diffOf(*changes, "a", 100).hunks.size(), 1);
    QCOMPARE(diffOf(*changes, "a", 0).hunks.first().lines.size(), 2);
}

void ChangeSetTest::hunksKeepRawBytes()
{
    m_repository->write(text("f"), "int main() {\r\n1\n2\n3\n4\nold \xe9\r\n");
    m_base = m_repository->commitAll(text("Base"));
    m_repository->write(text("f"), "int main() {\r\n1\n2\n3\n4\nnew \xff\0\r\n");
    const Result<ChangeSet> changes = changesOf(text("printf 'z\\0y\\r\\n' >>f"));
    VERIFY_RESULT(changes);
    const FileDiff diff = diffOf(*changes, "f");
    QCOMPARE(diff.hunks.size(), 1);
    QCOMPARE(diff.hunks.first().header, QByteArray("int main() {"));
    QByteArrayList lines;
    for (const DiffLine &line : diff.hunks.first().lines) {
        lines.append(line.text);
    }
    QVERIFY(lines.contains("old \xe9\r"));
    QVERIFY(lines.contains(QByteArray("z\0y\r", 4)) ||
            lines.last().endsWith(QByteArray("z\0y\r", 4)));
}

void ChangeSetTest::noNewlineAtTheEnd()
{
    const Result<ChangeSet> changes = changesOf(text("printf 'line 41' >>a"));
    VERIFY_RESULT(changes);
    const QList<DiffLine> lines = diffOf(*changes, "a").hunks.first().lines;
    QCOMPARE(lines.last().kind, DiffLine::Kind::NoNewline);
    QCOMPARE(lines.at(lines.size() - 2).text, QByteArray("line 41"));
    QCOMPARE(changes->added(), 1);
    QCOMPARE(changes->removed(), 0);
}

void ChangeSetTest::linkAndSubmoduleTargets()
{
    m_repository->git({text("checkout"), text("-q"), text("-b"), text("x")});
    run(text("sh"),
        {text("-c"), text("ln -s a l; git init -q s; git -C s commit -q --allow-empty "
                          "-m x")},
        m_repository->folder());
    m_base = m_repository->commitAll(text("Base"));
    const Result<ChangeSet> changes =
        changesOf(text("ln -sf /etc/shadow l; git -C s commit -q --allow-empty -m y"));
    VERIFY_RESULT(changes);
    const FileDiff link = diffOf(*changes, "l");
    QCOMPARE(link.file.newMode, 0120000U);
    QCOMPARE(link.hunks.first().lines.at(2).text, QByteArray("/etc/shadow"));
    const FileDiff sub = diffOf(*changes, "s");
    QCOMPARE(sub.file.newMode, 0160000U);
    QCOMPARE(sub.hunks.first().lines.at(1).text,
             QByteArray("Subproject commit ") + sub.file.newId.toLatin1());
}

void ChangeSetTest::manyRenamesAreExactOnly()
{
    run(text("sh"),
        {text("-c"), text("mkdir m; cd m; i=0; while [ $i -lt 600 ]; do "
                          "seq $i $((i+30)) >f$i; i=$((i+1)); done")},
        m_repository->folder());
    m_base = m_repository->commitAll(text("Base"));
    const Result<ChangeSet> changes =
        changesOf(text("git mv m n; for f in n/f[1-5]*; do echo edited >>$f; done; chmod +x n/f8"));
    VERIFY_RESULT(changes);
    QCOMPARE(changes->files.size(), 45 + 2 * 555); // pairs, and each edited one as two
    const auto count = [&changes](ChangeKind kind) {
        return std::count_if(changes->files.cbegin(), changes->files.cend(),
                             [kind](const FileChange &file) { return file.kind == kind; });
    };
    QCOMPARE(count(ChangeKind::Renamed), 45);
    QCOMPARE(count(ChangeKind::Added), 555);
    QCOMPARE(count(ChangeKind::Deleted), 555);
    for (const FileChange &file : changes->files) {
        QVERIFY(file.kind != ChangeKind::Renamed || file.oldPath.mid(1) == file.path.mid(1));
    }
}

void ChangeSetTest::manyFilesAreQuick()
{
    const Result<ChangeSet> first = changesOf(
        text("mkdir m; cd m; i=0; while [ $i -lt 2000 ]; do echo $i >f$i; i=$((i+1)); done"));
    VERIFY_RESULT(first);
    QElapsedTimer timer;
    timer.start();
    const Result<ChangeSet> again = readChangeSet(m_repository->gitFolder(), m_base, first->tip);
    VERIFY_RESULT(again);
    QCOMPARE(again->files.size(), 2000);
    QCOMPARE(again->added(), 2000);
    QVERIFY2(timer.elapsed() < atMost(10'000), qPrintable(QString::number(timer.elapsed())));
}

void ChangeSetTest::guards()
{
    const Result<ChangeSet> changes =
        changesOf(text("git config core.compression 1; yes '' | head -n 4000001 >lines; "
                       "head -c 268435457 /dev/zero >bytes"));
    VERIFY_RESULT(changes);
    QCOMPARE(changes->files.size(), 2);
    for (int i = 0; i < 2; ++i) {
        QVERIFY(changes->files.at(i).tooLarge);
        QCOMPARE(changes->files.at(i).added, 0);
        const Result<FileDiff> diff = readFileDiff(*changes, i);
        VERIFY_RESULT(diff);
        QVERIFY(diff->tooLarge);
        QVERIFY(diff->hunks.isEmpty());
    }
}

void ChangeSetTest::wrongRequests()
{
    const Result<ChangeSet> changes = changesOf(text("echo x >>a"));
    VERIFY_RESULT(changes);
    QCOMPARE(readFileDiff(*changes, 1).error().code, ErrorCode::InvalidRequest);
    QCOMPARE(readFileDiff(*changes, -1).error().code, ErrorCode::InvalidRequest);
    QCOMPARE(readChangeSet(m_repository->gitFolder(), text("main"), m_base).error().code,
             ErrorCode::InvalidRequest);
    QCOMPARE(readChangeSet(m_repository->gitFolder(), QString(40, QLatin1Char('1')), m_base)
                 .error()
                 .code,
             ErrorCode::NotFound);
    QCOMPARE(readChangeSet(text("/nowhere"), m_base, m_base).error().code,
             ErrorCode::InvalidRequest);
}

void ChangeSetTest::binaryRule_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("binary");
    QByteArray noise;
    for (quint32 i = 0, seed = 7; i < 4000; ++i) {
        seed = seed * 1664525U + 1013904223U;
        noise.append(char(seed >> 24));
    }
    const QString words = text("Ein Satz mit Wörtern, und noch einer.\n").repeated(20);
    QByteArray wide;
    for (const QChar character : words) {
        wide.append(char(character.unicode() & 0xff)).append(char(character.unicode() >> 8));
    }
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("plain") << QByteArray("hello\n") << false;
    QTest::newRow("script with one NUL") << QByteArray("#!/bin/sh\n\0\necho evil\n", 21) << false;
    QTest::newRow("UTF-8") << text("日本語のテキスト\n").toUtf8() << false;
    QTest::newRow("Latin-1") << words.toLatin1() << false;
    QTest::newRow("Shift-JIS") << QByteArray("\x93\xfa\x96\x7b\x8c\xea\n").repeated(9) << false;
    QTest::newRow("UTF-16 with mark") << "\xff\xfe" + wide << false;
    QTest::newRow("UTF-16 without") << wide << false;
    QTest::newRow("terminal colours") << QByteArray("\x1b[31mred\x1b[0m\n") << false;
    QTest::newRow("noise") << noise << true;
    QTest::newRow("zeros") << QByteArray(1000, '\0') << true;
    QTest::newRow("noise after a text") << "text\n" + noise << true;
    QTest::newRow("UTF-8 cut at the sample's end")
        << QByteArray((1 << 20) - 1, 'x') + text("日本").toUtf8() << false;
}

void ChangeSetTest::binaryRule()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, binary);
    QCOMPARE(isBinaryContent(bytes), binary);
}

void ChangeSetTest::scope_data()
{
    QTest::addColumn<QStringList>("scope");
    QTest::addColumn<QStringList>("forbid");
    QTest::addColumn<QByteArrayList>("outside");
    const auto list = [](const char *words) {
        return text(words).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    };
    QTest::newRow("no rule") << list("") << list("") << QByteArrayList();
    QTest::newRow("all in") << list("src/ docs/*.md") << list("")
                            << QByteArrayList({"docs/old.txt", "sub/BLOCKED.md"});
    QTest::newRow("rename counts twice")
        << list("") << list("docs/**") << QByteArrayList({"docs/old.txt", "docs/x.md"});
    QTest::newRow("forbidden wins") << list("src/ docs/") << list("src/main.cpp")
                                    << QByteArrayList({"src/main.cpp", "sub/BLOCKED.md"});
    QTest::newRow("nothing in") << list("other/") << list("")
                                << QByteArrayList({"docs/old.txt", "docs/x.md", "src/copy.cpp",
                                                   "src/main.cpp", "sub/BLOCKED.md"});
}

void ChangeSetTest::scope()
{
    QFETCH(QStringList, scope);
    QFETCH(QStringList, forbid);
    QFETCH(QByteArrayList, outside);
    ChangeSet changes;
    const auto add = [&changes](ChangeKind kind, const char *oldPath, const char *path) {
        FileChange file;
        file.kind = kind;
        file.oldPath = oldPath;
        file.path = path;
        changes.files.append(file);
    };
    add(ChangeKind::Added, "BLOCKED.md", "BLOCKED.md");
    add(ChangeKind::Renamed, "docs/old.txt", "docs/x.md");
    add(ChangeKind::Copied, "elsewhere/source.cpp", "src/copy.cpp");
    add(ChangeKind::Modified, "src/main.cpp", "src/main.cpp");
    add(ChangeKind::Added, "sub/BLOCKED.md", "sub/BLOCKED.md");
    QCOMPARE(outOfScope(changes, scope, forbid), outside);
}

QTEST_GUILESS_MAIN(ChangeSetTest)
#include "tst_changeset.moc"
