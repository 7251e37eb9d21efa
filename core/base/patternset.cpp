// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/patternset.h"

namespace Glovebox {

PatternSet::PatternSet()
{
    m_nodes.emplace_back();
    m_first.fill(root);
}

int PatternSet::childOf(int node, uchar byte) const
{
    int child = m_nodes[at(node)].child;
    while (child != 0 && m_nodes[at(child)].byte != byte) {
        child = m_nodes[at(child)].sibling;
    }
    return child;
}

void PatternSet::add(const QByteArray &pattern, int value)
{
    if (pattern.isEmpty()) {
        return;
    }
    int node = root;
    const int length = static_cast<int>(pattern.size());
    for (const char c : pattern) {
        const auto byte = static_cast<uchar>(c);
        int child = childOf(node, byte);
        if (child == 0) {
            child = static_cast<int>(m_nodes.size());
            Node fresh;
            fresh.byte = byte;
            fresh.depth = m_nodes[at(node)].depth + 1;
            fresh.sibling = m_nodes[at(node)].child;
            fresh.through = length;
            fresh.throughValue = value;
            m_nodes.push_back(fresh);
            m_nodes[at(node)].child = child;
        }
        Node &reached = m_nodes[at(child)];
        if (length < reached.through) {
            reached.through = length;
            reached.throughValue = value;
        }
        node = child;
    }
    if (m_nodes[at(node)].matchLength == 0) {
        m_nodes[at(node)].matchLength = length;
        m_nodes[at(node)].value = value;
    }
    m_longest = qMax(m_longest, length);
}

void PatternSet::close()
{
    // Breadth first: what a node falls back to is never deeper than its parent's fall-back.
    std::vector<int> queue;
    for (int child = m_nodes[root].child; child != 0; child = m_nodes[at(child)].sibling) {
        m_first[m_nodes[at(child)].byte] = child;
        queue.push_back(child);
    }
    for (size_t i = 0; i < queue.size(); ++i) {
        const int node = queue[i];
        for (int child = m_nodes[at(node)].child; child != 0; child = m_nodes[at(child)].sibling) {
            m_nodes[at(child)].fail = next(m_nodes[at(node)].fail, m_nodes[at(child)].byte);
            queue.push_back(child);
        }
        Node &done = m_nodes[at(node)];
        if (done.matchLength == 0) {
            done.matchLength = m_nodes[at(done.fail)].matchLength;
            done.value = m_nodes[at(done.fail)].value;
        }
    }
}

int PatternSet::nextFrom(int node, uchar byte) const
{
    while (node != root) {
        const int child = childOf(node, byte);
        if (child != 0) {
            return child;
        }
        node = m_nodes[at(node)].fail;
    }
    return m_first[byte];
}

} // namespace Glovebox
