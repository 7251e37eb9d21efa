// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/treewalk.h"
#include "tests/support/testing.h"

#include <QCryptographicHash>

#include <algorithm>

using namespace Glovebox;

namespace {

/// Trees made by hand, known by their ids.
class Trees
{
public:
    struct Entry
    {
        QByteArray mode;
        QByteArray name;
        QByteArray id;
    };

    QByteArray add(const QList<Entry> &entries)
    {
        QByteArray bytes;
        for (const Entry &entry : entries) {
            bytes += entry.mode + ' ' + entry.name + '\0' + entry.id;
        }
        return addRaw(bytes);
    }
    QByteArray addRaw(const QByteArray &bytes)
    {
        const QByteArray id = QCryptographicHash::hash(bytes, QCryptographicHash::Sha1);
        m_trees.insert(id, bytes);
        return id;
    }
    /// Walks to the end or to a refusal, and counts the trees that were asked for.
    Verdict walk(TreeWalk &walk)
    {
        while (!walk.isDone()) {
            for (const QByteArray &id : walk.wanted()) {
                ++m_fetched;
                if (m_trees.contains(id)) {
                    walk.feed(id, m_trees.value(id));
                }
            }
            if (Verdict verdict = walk.step()) {
                return verdict;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] int fetched() const { return m_fetched; }

private:
    QHash<QByteArray, QByteArray> m_trees;
    int m_fetched = 0;
};

QByteArray blobId(char c)
{
    return QByteArray(20, c);
}

Trees::Entry file(const QByteArray &name, char content = 'a')
{
    return {"100644", name, blobId(content)};
}

Trees::Entry folder(const QByteArray &name, const QByteArray &tree)
{
    return {"40000", name, tree};
}

QString codeOf(const Verdict &verdict)
{
    return verdict ? verdict->code : QString();
}

QStringList described(const TreeDifference &difference)
{
    QStringList lines;
    for (const TreeChange &change : difference.changes) {
        lines.append(QStringLiteral("%1 %2 %3")
                         .arg(QString::fromUtf8(change.path))
                         .arg(change.oldMode, 0, 8)
                         .arg(change.newMode, 0, 8));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

} // namespace

class TreeWalkTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comparesFiles();
    void skipsWhatIsEqual();
    void countsOnlyWhatIsNew();
    void bombsAreCountedNotOpened();
    void depthIsLimited_data();
    void depthIsLimited();
    void damagedTrees_data();
    void damagedTrees();
    void missingTree();
    void readsEntries();
};

void TreeWalkTest::comparesFiles()
{
    Trees trees;
    const QByteArray sub = trees.add({file("x"), file("y")});
    const QByteArray subChanged = trees.add({file("x", 'b'), file("z")});
    const QByteArray before = trees.add({file("becomesFolder"),
                                         folder("becomesFile", sub),
                                         folder("dir", sub),
                                         file("gone"),
                                         file("same"),
                                         {"100644", "script", blobId('s')}});
    const QByteArray after = trees.add({folder("becomesFolder", sub),
                                        file("becomesFile"),
                                        folder("dir", subChanged),
                                        file("new"),
                                        file("same"),
                                        {"100755", "script", blobId('s')}});
    TreeWalk walk({});
    walk.addPair(before, after);
    QCOMPARE(codeOf(trees.walk(walk)), QString());
    const TreeDifference difference = walk.compare(before, after);
    const QStringList expected{QStringLiteral("becomesFile 0 100644"),
                               QStringLiteral("becomesFile/x 100644 0"),
                               QStringLiteral("becomesFile/y 100644 0"),
                               QStringLiteral("becomesFolder 100644 0"),
                               QStringLiteral("becomesFolder/x 0 100644"),
                               QStringLiteral("becomesFolder/y 0 100644"),
                               QStringLiteral("dir/x 100644 100644"),
                               QStringLiteral("dir/y 100644 0"),
                               QStringLiteral("dir/z 0 100644"),
                               QStringLiteral("gone 100644 0"),
                               QStringLiteral("new 0 100644"),
                               QStringLiteral("script 100644 100755")};
    QCOMPARE(described(difference), expected);
    QCOMPARE(difference.folders.size(), 3); // the root, becomesFolder/, dir/
    for (const ChangedFolder &one : difference.folders) {
        QCOMPARE(one.added.contains("new"), one.path.isEmpty());
        QCOMPARE(one.added.contains("z"), one.path == "dir/");
    }
}

void TreeWalkTest::skipsWhatIsEqual()
{
    Trees trees;
    const QByteArray huge = QByteArray(20, 'h'); // never asked for, so not even there
    const QByteArray before = trees.add({folder("huge", huge), file("x")});
    const QByteArray after = trees.add({folder("huge", huge), file("x", 'b')});
    TreeWalk walk({});
    walk.addPair(before, after);
    QCOMPARE(codeOf(trees.walk(walk)), QString());
    QCOMPARE(walk.newPaths(), 1);
    QCOMPARE(trees.fetched(), 2);
    walk.addPair(after, after);
    QVERIFY(walk.isDone());
}

void TreeWalkTest::countsOnlyWhatIsNew()
{
    Trees trees;
    QList<Trees::Entry> many;
    for (int i = 0; i < 1000; ++i) {
        many.append(file(QByteArray::number(i)));
    }
    const QByteArray before = trees.add({folder("d", trees.add(many))});
    many.append(file("one more"));
    many.append(file("and one"));
    const QByteArray after = trees.add({folder("d", trees.add(many))});
    for (const qint64 limit : {qint64(3), qint64(2)}) {
        TreeWalk walk({limit, 256});
        walk.addPair(before, after);
        const QString expected = limit == 3 ? QString() : QStringLiteral("tree-too-many-entries");
        QCOMPARE(codeOf(trees.walk(walk)), expected); // d itself and two files
    }
}

void TreeWalkTest::bombsAreCountedNotOpened()
{
    Trees trees;
    QByteArray tree = trees.add({file("0"), file("1"), file("2"), file("3"), file("4")});
    for (int level = 0; level < 60; ++level) { // 5^60 paths
        QList<Trees::Entry> five;
        for (int i = 0; i < 5; ++i) {
            five.append(folder(QByteArray::number(i), tree));
        }
        tree = trees.add(five);
    }
    TreeWalk walk({});
    walk.addPair({}, tree);
    QCOMPARE(codeOf(trees.walk(walk)), QStringLiteral("tree-too-many-entries"));
    QVERIFY(trees.fetched() < 10);
    // The same as a deletion ends as well.
    TreeWalk gone({});
    gone.addPair(tree, {});
    QCOMPARE(codeOf(trees.walk(gone)), QStringLiteral("tree-too-many-entries"));
}

void TreeWalkTest::depthIsLimited_data()
{
    QTest::addColumn<int>("folders");
    QTest::addColumn<QString>("code");
    QTest::newRow("256 folders") << 256 << QString();
    QTest::newRow("257 folders") << 257 << QStringLiteral("path-too-deep");
    QTest::newRow("5000 folders") << 5000 << QStringLiteral("path-too-deep");
}

void TreeWalkTest::depthIsLimited()
{
    QFETCH(int, folders);
    Trees trees;
    QByteArray tree = trees.add({file("f")});
    for (int i = 0; i < folders; ++i) {
        tree = trees.add({folder("d", tree)});
    }
    TreeWalk walk({});
    walk.addPair({}, tree);
    QTEST(codeOf(trees.walk(walk)), "code");
}

void TreeWalkTest::damagedTrees_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray whole = QByteArray("100644 a") + '\0' + blobId('a');
    QTest::newRow("cut id") << whole.chopped(1);
    QTest::newRow("cut name") << whole.left(7);
    QTest::newRow("no mode") << whole.mid(6);
    QTest::newRow("mode that is none") << "x" + whole;
    QTest::newRow("second one cut") << whole + "100644 b";
}

void TreeWalkTest::damagedTrees()
{
    QFETCH(QByteArray, bytes);
    Trees trees;
    TreeWalk walk({});
    walk.addPair({}, trees.addRaw(bytes));
    QCOMPARE(codeOf(trees.walk(walk)), QStringLiteral("pack-incomplete"));
}

void TreeWalkTest::missingTree()
{
    Trees trees;
    TreeWalk walk({});
    walk.addPair({}, QByteArray(20, 'm'));
    QCOMPARE(codeOf(trees.walk(walk)), QStringLiteral("pack-incomplete"));
}

void TreeWalkTest::readsEntries()
{
    const QByteArray bytes = QByteArray("120000 a b") + '\0' + QByteArray(20, '\0') +
                             QByteArray("40000 \xff") + '\0' + blobId('x');
    TreeReader reader(bytes);
    TreeEntry entry;
    QVERIFY(reader.next(entry));
    QVERIFY(entry.isLink());
    QCOMPARE(entry.name.toByteArray(), QByteArray("a b"));
    QVERIFY(reader.next(entry));
    QVERIFY(entry.isTree());
    QCOMPARE(entry.name.toByteArray(), QByteArray("\xff"));
    QVERIFY(!reader.next(entry));
    QVERIFY(!reader.isDamaged());
}

QTEST_GUILESS_MAIN(TreeWalkTest)
#include "tst_treewalk.moc"
