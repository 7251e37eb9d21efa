// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>

namespace Glovebox {

/// The short branch names that a new one must not collide with: not by name, not by case only
/// (one file on many disks), not as a folder where the other is a file.
class TakenNames final
{
public:
    explicit TakenNames(const QStringList &names);
    [[nodiscard]] bool isFree(const QString &name) const;
    /// \a wanted, or the first of "wanted-2", "wanted-3" … that is free. Where a part of the name
    /// is itself a branch ("agent" of "agent/x"), that part gets the number.
    [[nodiscard]] QString freeName(const QString &wanted) const;

private:
    /// The length of the first part of \a name that is a branch by itself, or of all of it.
    [[nodiscard]] qsizetype takenLength(const QString &name) const;

    QSet<QString> m_names;   ///< folded
    QSet<QString> m_folders; ///< folded: "a", "a/b" of "a/b/c"
};

} // namespace Glovebox
