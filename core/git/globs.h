// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <memory>

namespace re2 {
class RE2;
}

namespace Glovebox {

/// Path globs as scope, forbid and base_tests use them, each counted from the top of the
/// repository (a leading / or ./ says the same):
/// * any characters within a name (a leading dot too) · ** any characters across folders, and
/// "**/" also nothing at all · ? one character · [a-z] [!a-z] one of these · {a,b} either (braces
/// without a comma are themselves) · \x the character x itself; a pattern that ends in / means
/// everything below. Matched on raw path bytes, case-sensitively, a byte that is not UTF-8 being
/// one character; in linear time, so a hostile path costs nothing. A copy is cheap; matches() may
/// be called from several threads.
///
/// A pattern that cannot be read (see explainInvalid()) matches only a path that is spelled exactly
/// like it; lint makes it an error, so no run starts with one.
class GlobSet final
{
public:
    explicit GlobSet(const QStringList &patterns);
    [[nodiscard]] bool matches(const QByteArray &path) const;
    [[nodiscard]] bool isEmpty() const { return m_expressions.isEmpty(); }
    /// A sentence for a pattern that cannot be read, else an empty string.
    [[nodiscard]] static QString explainInvalid(const QString &pattern);

private:
    QList<std::shared_ptr<const re2::RE2>> m_expressions; ///< of all patterns; immutable
};

} // namespace Glovebox
