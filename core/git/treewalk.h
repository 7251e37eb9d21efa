// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/refusal.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QSet>

#include <functional>

namespace Glovebox {

/// One entry of a tree object; views into the tree's bytes.
struct TreeEntry
{
    quint32 mode = 0;
    QByteArrayView name;
    QByteArrayView id; ///< 20 raw bytes
    [[nodiscard]] bool isTree() const { return mode == 040000; }
    [[nodiscard]] bool isLink() const { return mode == 0120000; }
};

/// Reads a raw tree object: `<mode in octal> <name>\0<20 bytes>`, again and again.
class TreeReader final
{
public:
    explicit TreeReader(QByteArrayView tree)
        : m_rest(tree)
    {
    }
    [[nodiscard]] bool next(TreeEntry &entry); ///< false at the end, or where nothing can be read
    [[nodiscard]] bool isDamaged() const { return m_damaged; }

private:
    QByteArrayView m_rest;
    bool m_damaged = false;
};

/// A file that differs between two trees. Modes are 0 and ids empty on the side that lacks it.
struct TreeChange
{
    QByteArray path;
    quint32 oldMode = 0;
    quint32 newMode = 0;
    QByteArray oldId; ///< hexadecimal
    QByteArray newId;
};

/// A folder of the newer tree in which something differs.
struct ChangedFolder
{
    QByteArray path;        ///< empty = the root; else it ends with a slash
    QByteArray tree;        ///< raw id
    QSet<QByteArray> added; ///< names that the older side lacks
};

struct TreeDifference
{
    QList<TreeChange> changes;
    QList<ChangedFolder> folders;
};

/// Finds out how much differs between pairs of trees before anybody lists it: level by level, each
/// pair of trees and each tree once, with the number of paths that lead to it. So ten objects that
/// unfold to ten billion paths are counted in ten steps, and what is equal to the base is never
/// opened. The caller feeds the trees that each level wants. Values only; any thread.
class TreeWalk final
{
public:
    struct Limits
    {
        qint64 newPaths = 200'000;
        int depth = 256;
    };

    explicit TreeWalk(Limits limits)
        : m_limits(limits)
    {
    }

    /// Raw ids; an empty \a before means that all is new, an empty \a after that all is gone.
    void addPair(const QByteArray &before, const QByteArray &after);
    /// Raw ids of the trees that the present level needs and that are not there yet.
    [[nodiscard]] QList<QByteArray> wanted() const;
    void feed(const QByteArray &id, const QByteArray &tree);
    /// Looks at the present level, once it has all it wants, and goes down to the next.
    [[nodiscard]] Verdict step();
    [[nodiscard]] bool isDone() const { return m_level.isEmpty(); }
    [[nodiscard]] qint64 newPaths() const { return m_newPaths; }
    [[nodiscard]] QByteArray tree(const QByteArray &id) const { return m_trees.value(id); }

    /// The files that differ between a pair that was walked.
    [[nodiscard]] TreeDifference compare(const QByteArray &before, const QByteArray &after) const;

private:
    using Pair = std::pair<QByteArray, QByteArray>;

    [[nodiscard]] Verdict look(const Pair &pair, qint64 ways, QHash<Pair, qint64> &below);
    void compareFolder(const Pair &pair, const QByteArray &path, TreeDifference &found) const;

    Limits m_limits;
    QHash<Pair, qint64> m_level; ///< pair to the number of paths that lead to it
    QHash<QByteArray, QByteArray> m_trees;
    qint64 m_newPaths = 0;
    qint64 m_goneEntries = 0;
    int m_depth = 0;
};

} // namespace Glovebox
