// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

#include <array>
#include <vector>

namespace Glovebox {

/// Many byte strings searched for at once, in one pass over the text (Aho and Corasick, 1975).
/// Nodes are small and hold no 256 pointers: nearly all have one child, and the first step, where
/// ordinary text stays, is a table of its own. Immutable once closed; any thread may read it.
class PatternSet final
{
public:
    /// The start, and the only node of depth 0.
    static constexpr int root = 0;

    PatternSet();
    /// \a value is answered by valueAt(). An empty or repeated pattern is ignored.
    void add(const QByteArray &pattern, int value);
    /// Call once, after the last add().
    void close();

    /// The node after one more byte of text.
    [[nodiscard]] int next(int node, uchar byte) const
    {
        return node == root ? m_first[byte] : nextFrom(node, byte);
    }
    /// How many of the last bytes are the beginning of a pattern.
    [[nodiscard]] int depth(int node) const { return m_nodes[at(node)].depth; }
    /// The length of the longest pattern that ends here, 0 for none.
    [[nodiscard]] int matchLength(int node) const { return m_nodes[at(node)].matchLength; }
    [[nodiscard]] int valueAt(int node) const { return m_nodes[at(node)].value; }
    /// Where the search goes on from here: the longest end of what led here that begins a pattern.
    [[nodiscard]] int fallBack(int node) const { return m_nodes[at(node)].fail; }
    /// The length and the value of a pattern that begins with what led to this node.
    [[nodiscard]] int shortestThrough(int node) const { return m_nodes[at(node)].through; }
    [[nodiscard]] int valueThrough(int node) const { return m_nodes[at(node)].throughValue; }
    [[nodiscard]] int longest() const { return m_longest; }
    [[nodiscard]] bool isEmpty() const { return m_nodes.size() == 1; }

private:
    struct Node
    {
        int child = 0;
        int sibling = 0;
        int fail = 0;
        int depth = 0;
        int matchLength = 0;
        int value = -1;
        int through = 0;
        int throughValue = -1;
        uchar byte = 0;
    };
    [[nodiscard]] static size_t at(int node) { return static_cast<size_t>(node); }
    [[nodiscard]] int childOf(int node, uchar byte) const;
    [[nodiscard]] int nextFrom(int node, uchar byte) const;

    std::vector<Node> m_nodes;
    std::array<int, 256> m_first;
    int m_longest = 0;
};

} // namespace Glovebox
