// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/review/changeset.h"
#include "tests/support/testing.h"

#include <QRandomGenerator>
#include <QTemporaryDir>

#include <algorithm>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QString text(const char *utf8)
{
    return QString::fromUtf8(utf8);
}

/// Makes trees at random, by `git fast-import`: every kind of entry and name, without a work tree.
class RandomTree final
{
public:
    explicit RandomTree(quint32 seed)
        : m_random(seed)
    {
        for (int i = 0; i < 40; ++i) {
            m_files.insert(freshPath(), freshEntry());
        }
    }

    /// One commit of all files, as input for fast-import.
    [[nodiscard]] QByteArray commit(int mark) const
    {
        QByteArray stream = "commit refs/heads/t" + QByteArray::number(mark) +
                            "\ncommitter T <t@example.com> 1 +0000\ndata 0\n";
        for (auto file = m_files.cbegin(); file != m_files.cend(); ++file) {
            const QByteArray &body = file->second;
            if (file->first == "160000") {
                stream += "M 160000 " + body + ' ' + quoted(file.key()) + '\n';
            } else {
                stream += "M " + file->first + " inline " + quoted(file.key()) + "\ndata " +
                          QByteArray::number(body.size()) + '\n' + body + '\n';
            }
        }
        return stream + '\n';
    }

    void change()
    {
        for (int i = below(12) + 1; i > 0; --i) {
            changeOne(below(9));
        }
    }

private:
    using Entry = std::pair<QByteArray, QByteArray>; ///< mode, content

    int below(int limit) { return int(m_random.bounded(limit)); }

    [[nodiscard]] static QByteArray quoted(const QByteArray &path)
    {
        QByteArray result = "\"";
        for (const char byte : path) {
            result += '\\' + QByteArray::number(uchar(byte), 8).rightJustified(3, '0');
        }
        return result + '"';
    }

    QByteArray freshPath()
    {
        static const QByteArrayList parts = {"a",    "b",     "dir",  "-dash",     "new\nline",
                                             "t\tb", "l\xe9", "日本", "trailing ", "\"q\"",
                                             "A",    "a.txt", "x\\y", "émoji 🎉",  "zz"};
        for (;;) {
            QByteArray path = parts.at(below(int(parts.size()))) + QByteArray::number(below(30));
            for (int depth = below(3); depth > 0; --depth) {
                path = "d" + QByteArray::number(below(3)) + '/' + path;
            }
            if (fits(path)) {
                return path;
            }
        }
    }

    /// No file may be a folder at the same time.
    [[nodiscard]] bool fits(const QByteArray &path) const
    {
        return std::none_of(m_files.keyBegin(), m_files.keyEnd(), [&path](const QByteArray &other) {
            return other == path || other.startsWith(path + '/') || path.startsWith(other + '/');
        });
    }

    QByteArray freshText()
    {
        QByteArray body;
        for (int i = below(60); i > 0; --i) {
            body += "line " + QByteArray::number(below(25)) + (below(9) == 0 ? "\r\n" : "\n");
        }
        return below(4) == 0 ? body + "no end" : body;
    }

    Entry freshEntry()
    {
        switch (below(12)) {
        case 0:
            return {"120000", "target" + QByteArray::number(below(9))};
        case 1:
            return {"160000", QByteArray::number(below(9) + 1).repeated(40)};
        case 2: {
            QByteArray noise;
            for (int i = 0; i < 500; ++i) {
                noise.append(char(i == 0 ? 0 : below(256))); // the NUL is git's rule
            }
            return {"100644", noise};
        }
        case 3:
            return {"100755", freshText()};
        case 4:
            return {"100644", QByteArray()};
        default:
            return {"100644", freshText()};
        }
    }

    void edit(Entry &entry)
    {
        QByteArrayList lines = entry.second.split('\n');
        for (int i = below(4) + 1; i > 0 && entry.first != "160000"; --i) {
            const int at = below(int(lines.size()));
            if (below(2) == 0) {
                lines.insert(at, "new " + QByteArray::number(below(99)));
            } else if (lines.size() > 1) {
                lines.removeAt(at);
            }
        }
        entry.second = entry.first == "160000" ? QByteArray::number(below(9) + 1).repeated(40)
                                               : lines.join('\n');
        if (entry.first == "120000" && entry.second.isEmpty()) {
            entry.second = "x";
        }
    }

    void changeOne(int what)
    {
        if (m_files.isEmpty() || what == 0) {
            m_files.insert(freshPath(), freshEntry());
            return;
        }
        const QByteArray path = m_files.keys().at(below(int(m_files.size())));
        Entry entry = m_files.value(path);
        if (what == 1 || what == 4 || what == 8) {
            m_files.remove(path); // deleted, moved, or turned into a folder
        }
        if (what >= 2 && what <= 4 && below(2) == 0) {
            edit(entry);
        }
        if (what == 2 || what == 3) {
            m_files.insert(what == 2 ? path : freshPath(), entry); // edited or copied
        } else if (what == 4) {
            m_files.insert(freshPath(), entry);
        } else if (what == 5 && entry.first.startsWith("100")) {
            m_files[path].first = entry.first == "100644" ? "100755" : "100644";
        } else if (what == 6) {
            m_files.insert(path, freshEntry()); // often another type
        } else if (what == 8 && fits(path + "/inner")) {
            m_files.insert(path + "/inner", entry);
        }
    }

    QRandomGenerator m_random;
    QMap<QByteArray, Entry> m_files;
};

/// "A|M|D|T oldMode newMode oldId newId path" as `git diff-tree -r --raw` has them, sorted.
QByteArrayList rawOf(const ChangeSet &changes)
{
    const QByteArray none(40, '0');
    const auto mode = [](quint32 value) {
        return QByteArray::number(value, 8).rightJustified(6, '0');
    };
    QByteArrayList lines;
    for (const FileChange &file : changes.files) {
        const bool both = file.kind == ChangeKind::Modified ||
                          file.kind == ChangeKind::ModeChanged ||
                          file.kind == ChangeKind::TypeChanged;
        const QByteArray oldSide = mode(file.oldMode) + ' ' + file.oldId.toLatin1();
        const QByteArray newSide = mode(file.newMode) + ' ' + file.newId.toLatin1();
        if (both) {
            lines.append((file.kind == ChangeKind::TypeChanged ? "T " : "M ") + oldSide + ' ' +
                         newSide + ' ' + file.path);
        }
        if (file.kind == ChangeKind::Deleted || file.kind == ChangeKind::Renamed) {
            lines.append("D " + oldSide + " 000000 " + none + ' ' + file.oldPath);
        }
        if (!both && file.kind != ChangeKind::Deleted) {
            lines.append("A 000000 " + none + ' ' + newSide + ' ' + file.path);
        }
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

QByteArrayList rawOfGit(const QByteArray &output)
{
    QByteArrayList lines;
    const QByteArrayList fields = output.split('\0');
    for (int i = 0; i + 1 < fields.size(); i += 2) {
        const QByteArrayList words = fields.at(i).mid(1).split(' ');
        lines.append(words.at(4) + ' ' + words.at(0) + ' ' + words.at(2) + ' ' + words.at(1) + ' ' +
                     words.at(3) + ' ' + fields.at(i + 1));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// The lines that only one side has, for the test's message.
QByteArray differenceOf(const QByteArrayList &ours, const QByteArrayList &theirs)
{
    QByteArray text;
    for (const QByteArray &line : ours) {
        text += ours.count(line) > theirs.count(line) ? "ours: " + line + '\n' : QByteArray();
    }
    for (const QByteArray &line : theirs) {
        text += theirs.count(line) > ours.count(line) ? "git's: " + line + '\n' : QByteArray();
    }
    return text;
}

} // namespace

/// Our reading against the git program's, over generated repositories of every kind of change.
class ChangeSetDifferentialTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithGit_data();
    void agreesWithGit();

private:
    void compareCounts(const ChangeSet &changes, const QString &folder);
    void compareHunks(const ChangeSet &changes);
};

void ChangeSetDifferentialTest::agreesWithGit_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 20; ++seed) {
        QTest::addRow("seed %u", seed) << seed;
    }
}

void ChangeSetDifferentialTest::agreesWithGit()
{
    QFETCH(quint32, seed);
    QTemporaryDir temporary;
    const QString folder = temporary.filePath(text("r.git"));
    run(text("git"), {text("init"), text("-q"), text("--bare"), folder});
    RandomTree tree(seed);
    QByteArray stream;
    constexpr int steps = 8;
    for (int i = 0; i <= steps; ++i) {
        stream += tree.commit(i);
        tree.change();
    }
    QFile file(temporary.filePath(text("stream")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(stream) == stream.size());
    file.close();
    run(text("sh"), {text("-c"), text("git fast-import --quiet <../stream")}, folder);
    const QByteArrayList ids =
        run(text("git"), {text("rev-parse"), text("--branches")}, folder).trimmed().split('\n');
    QCOMPARE(ids.size(), steps + 1);
    for (int i = 0; i < steps; ++i) {
        const QString base = QString::fromLatin1(ids.at(i));
        const QString tip = QString::fromLatin1(ids.at(i + 1));
        const Result<ChangeSet> changes = readChangeSet(folder, base, tip);
        VERIFY_RESULT(changes);
        const QByteArray raw = run(text("git"),
                                   {text("diff-tree"), text("-r"), text("--raw"), text("-z"),
                                    text("--no-renames"), base, tip},
                                   folder);
        const QByteArray differing = differenceOf(rawOf(*changes), rawOfGit(raw));
        QVERIFY2(differing.isEmpty(), differing.constData());
        compareCounts(*changes, folder);
        compareHunks(*changes);
        if (QTest::currentTestFailed()) {
            return;
        }
    }
}

void ChangeSetDifferentialTest::compareCounts(const ChangeSet &changes, const QString &folder)
{
    const QByteArray output =
        run(text("git"),
            {text("diff"), text("--numstat"), text("-z"), text("--no-renames"),
             text("--diff-algorithm=myers"), changes.base, changes.tip},
            folder);
    QHash<QByteArray, std::pair<QByteArray, QByteArray>> expected;
    for (const QByteArray &line : output.split('\0')) {
        const QByteArrayList words = line.split('\t');
        if (words.size() >= 3) {
            expected.insert(words.mid(2).join('\t'), {words.at(0), words.at(1)});
        }
    }
    for (const FileChange &file : changes.files) {
        const auto found = expected.constFind(file.path);
        QVERIFY(found != expected.cend());
        const bool pair = file.kind == ChangeKind::Renamed || file.kind == ChangeKind::Copied;
        if (pair || file.binary || found->first == "-") {
            QVERIFY(!file.binary || found->first == "-");
            continue;
        }
        QCOMPARE(QByteArray::number(file.added), found->first);
        QCOMPARE(QByteArray::number(file.removed), found->second);
    }
}

/// The hunks of a file add up to its counts and to its two sides.
void ChangeSetDifferentialTest::compareHunks(const ChangeSet &changes)
{
    for (int i = 0; i < changes.files.size(); ++i) {
        const Result<FileDiff> diff = readFileDiff(changes, i);
        VERIFY_RESULT(diff);
        int added = 0;
        int removed = 0;
        for (const Hunk &hunk : diff->hunks) {
            int oldLines = 0;
            int newLines = 0;
            for (const DiffLine &line : hunk.lines) {
                added += line.kind == DiffLine::Kind::Added ? 1 : 0;
                removed += line.kind == DiffLine::Kind::Removed ? 1 : 0;
                oldLines += line.oldLine > 0 ? 1 : 0;
                newLines += line.newLine > 0 ? 1 : 0;
            }
            QCOMPARE(oldLines, hunk.oldCount);
            QCOMPARE(newLines, hunk.newCount);
        }
        QCOMPARE(added, diff->file.added);
        QCOMPARE(removed, diff->file.removed);
    }
}

QTEST_GUILESS_MAIN(ChangeSetDifferentialTest)
#include "tst_changesetdifferential.moc"
