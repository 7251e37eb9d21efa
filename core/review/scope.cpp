// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/globs.h"
#include "core/review/changeset.h"

#include <QSet>

namespace Glovebox {

QList<QByteArray> outOfScope(const ChangeSet &changes, const QStringList &scope,
                             const QStringList &forbid)
{
    const GlobSet allowed(scope);
    const GlobSet forbidden(forbid);
    QList<QByteArray> outside;
    QSet<QByteArray> seen;
    const auto check = [&](const QByteArray &path) {
        const bool isOutside =
            forbidden.matches(path) || (!allowed.isEmpty() && !allowed.matches(path));
        if (isOutside && path != "BLOCKED.md" && !seen.contains(path)) {
            seen.insert(path);
            outside.append(path);
        }
    };
    for (const FileChange &file : changes.files) {
        if (file.kind == ChangeKind::Renamed) {
            check(file.oldPath);
        }
        check(file.path);
    }
    return outside;
}

} // namespace Glovebox
