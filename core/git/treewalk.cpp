// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/treewalk.h"

#include <QCoreApplication>

#include <optional>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(TreeWalk)
};

constexpr qsizetype rawIdSize = 20;
constexpr qint64 goneForEachNew = 10; ///< deletions are cheaper to show, but not free

Refusal damaged()
{
    return refusal("objects", "pack-incomplete",
                   Tr::tr("A folder of the returned branch cannot be read."));
}

Refusal tooMany(qint64 limit)
{
    return refusal("limits", "tree-too-many-entries",
                   Tr::tr("The returned branch adds or changes more than %1 paths.").arg(limit));
}

bool isSame(const TreeEntry &one, const TreeEntry &other)
{
    return one.mode == other.mode && one.id == other.id;
}

using Visit = std::function<void(const TreeEntry *before, const TreeEntry *after)>;

/// Calls \a visit for each name that differs. Answers false when a tree cannot be read.
bool forEachDifference(QByteArrayView before, QByteArrayView after, const Visit &visit)
{
    QHash<QByteArrayView, TreeEntry> old;
    TreeReader oldReader(before);
    TreeEntry entry;
    while (oldReader.next(entry)) {
        old.insert(entry.name, entry);
    }
    TreeReader newReader(after);
    while (newReader.next(entry)) {
        const auto found = old.constFind(entry.name);
        if (found == old.constEnd()) {
            visit(nullptr, &entry);
            continue;
        }
        const TreeEntry previous = *found;
        old.erase(found);
        if (!isSame(previous, entry)) {
            visit(&previous, &entry);
        }
    }
    for (const TreeEntry &gone : std::as_const(old)) {
        visit(&gone, nullptr);
    }
    return !oldReader.isDamaged() && !newReader.isDamaged();
}

/// The tree id of an entry, or nothing when there is none or it is a file.
QByteArray treeOf(const TreeEntry *entry)
{
    return entry != nullptr && entry->isTree() ? entry->id.toByteArray() : QByteArray();
}

} // namespace

bool TreeReader::next(TreeEntry &entry)
{
    if (m_rest.isEmpty()) {
        return false;
    }
    const qsizetype blank = m_rest.indexOf(' ');
    const qsizetype end = m_rest.indexOf('\0');
    if (blank <= 0 || end < blank + 2 || m_rest.size() < end + 1 + rawIdSize) {
        m_damaged = true;
        return false;
    }
    bool ok = false;
    entry.mode = m_rest.first(blank).toByteArray().toUInt(&ok, 8);
    entry.name = m_rest.sliced(blank + 1, end - blank - 1);
    entry.id = m_rest.sliced(end + 1, rawIdSize);
    m_rest = m_rest.sliced(end + 1 + rawIdSize);
    m_damaged = !ok;
    return ok;
}

void TreeWalk::addPair(const QByteArray &before, const QByteArray &after)
{
    if (before != after) {
        m_level.insert({before, after}, 1);
    }
}

QList<QByteArray> TreeWalk::wanted() const
{
    QSet<QByteArray> ids;
    for (auto pair = m_level.keyBegin(); pair != m_level.keyEnd(); ++pair) {
        ids.insert(pair->first);
        ids.insert(pair->second);
    }
    ids.remove(QByteArray());
    QList<QByteArray> missing;
    for (const QByteArray &id : std::as_const(ids)) {
        if (!m_trees.contains(id)) {
            missing.append(id);
        }
    }
    return missing;
}

void TreeWalk::feed(const QByteArray &id, const QByteArray &tree)
{
    m_trees.insert(id, tree);
}

Verdict TreeWalk::step()
{
    if (m_depth > m_limits.depth) {
        return refusal(
            "limits", "path-too-deep",
            Tr::tr("The returned branch nests folders more than %1 deep.").arg(m_limits.depth));
    }
    ++m_depth;
    QHash<Pair, qint64> below;
    for (auto pair = m_level.cbegin(); pair != m_level.cend(); ++pair) {
        if (Verdict verdict = look(pair.key(), pair.value(), below)) {
            return verdict;
        }
    }
    m_level = std::move(below);
    return std::nullopt;
}

Verdict TreeWalk::look(const Pair &pair, qint64 ways, QHash<Pair, qint64> &below)
{
    const bool known = (pair.first.isEmpty() || m_trees.contains(pair.first)) &&
                       (pair.second.isEmpty() || m_trees.contains(pair.second));
    if (!known) {
        return damaged();
    }
    const qint64 limit = m_limits.newPaths;
    const bool readable =
        forEachDifference(m_trees.value(pair.first), m_trees.value(pair.second),
                          [&](const TreeEntry *before, const TreeEntry *after) {
                              // Both factors stay below the limit or the walk ends here, so nothing
                              // overflows.
                              (after != nullptr ? m_newPaths : m_goneEntries) += ways;
                              const Pair next{treeOf(before), treeOf(after)};
                              if (next.first != next.second && m_newPaths <= limit &&
                                  m_goneEntries <= limit * goneForEachNew) {
                                  below[next] += ways;
                              }
                          });
    if (m_newPaths > limit || m_goneEntries > limit * goneForEachNew) {
        return tooMany(limit);
    }
    return readable ? Verdict() : damaged();
}

TreeDifference TreeWalk::compare(const QByteArray &before, const QByteArray &after) const
{
    TreeDifference found;
    if (before != after) {
        compareFolder({before, after}, {}, found);
    }
    return found;
}

void TreeWalk::compareFolder(const Pair &pair, const QByteArray &path, TreeDifference &found) const
{
    ChangedFolder folder{path, pair.second, {}};
    QList<std::pair<Pair, QByteArray>> below;
    const QByteArray older = m_trees.value(pair.first); // the entries are views into these two
    const QByteArray newer = m_trees.value(pair.second);
    forEachDifference(older, newer, [&](const TreeEntry *before, const TreeEntry *after) {
        const QByteArray name = (after != nullptr ? after : before)->name.toByteArray();
        if (before == nullptr) {
            folder.added.insert(name);
        }
        const Pair next{treeOf(before), treeOf(after)};
        if (next.first != next.second) {
            below.append({next, path + name + '/'});
        }
        const bool wasFile = before != nullptr && !before->isTree();
        const bool isFile = after != nullptr && !after->isTree();
        if (wasFile || isFile) {
            found.changes.append({path + name, wasFile ? before->mode : 0, isFile ? after->mode : 0,
                                  wasFile ? before->id.toByteArray().toHex() : QByteArray(),
                                  isFile ? after->id.toByteArray().toHex() : QByteArray()});
        }
    });
    if (!pair.second.isEmpty()) {
        found.folders.append(folder);
    }
    for (const auto &[next, nextPath] : std::as_const(below)) {
        compareFolder(next, nextPath, found);
    }
}

} // namespace Glovebox
