// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>

namespace Glovebox {

/// Path globs as scope, forbid and base_tests use them: * within a name, ** across folders, ?,
/// [a-z], {a,b}; a pattern that ends in / means everything below. Matched on raw path bytes,
/// case-sensitively.
class GlobSet final
{
public:
    explicit GlobSet(const QStringList &patterns);
    [[nodiscard]] bool matches(const QByteArray &path) const;
    [[nodiscard]] bool isEmpty() const { return m_patterns.isEmpty(); }
    /// A sentence for a pattern that cannot be read, else an empty string.
    [[nodiscard]] static QString explainInvalid(const QString &pattern);

private:
    QList<QByteArray> m_patterns;
};

} // namespace Glovebox
