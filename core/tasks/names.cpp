// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/names.h"

#include "core/base/ids.h"

#include <QCoreApplication>
#include <QList>

#include <algorithm>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Names)
};

/// Steps from \a a to \a b: insert, remove, replace, or swap two neighbours.
qsizetype distanceOf(const QString &a, const QString &b)
{
    QList<QList<qsizetype>> rows(a.size() + 1, QList<qsizetype>(b.size() + 1, 0));
    for (qsizetype i = 0; i <= a.size(); ++i) {
        for (qsizetype j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                rows[i][j] = std::max(i, j);
                continue;
            }
            const qsizetype change = a.at(i - 1) == b.at(j - 1) ? 0 : 1;
            qsizetype best = std::min({rows.at(i - 1).at(j) + 1, rows.at(i).at(j - 1) + 1,
                                       rows.at(i - 1).at(j - 1) + change});
            if (i > 1 && j > 1 && a.at(i - 1) == b.at(j - 2) && a.at(i - 2) == b.at(j - 1)) {
                best = std::min(best, rows.at(i - 2).at(j - 2) + 1);
            }
            rows[i][j] = best;
        }
    }
    return rows.last().last();
}

QString comparable(const QString &name)
{
    QString text = name.toLower();
    text.replace(QLatin1Char('-'), QLatin1Char('_'));
    return text;
}

bool isForbiddenInRef(QChar c)
{
    return c.unicode() <= 0x20 || c.unicode() == 0x7F || QStringLiteral("~^:?*[\\").contains(c);
}

} // namespace

QString nearestName(const QString &name, const QStringList &known)
{
    if (name.size() > 64) {
        return {};
    }
    QString nearest;
    qsizetype least = name.size() + 1;
    for (const QString &candidate : known) {
        const qsizetype distance = distanceOf(comparable(name), comparable(candidate));
        const qsizetype allowed =
            std::max<qsizetype>(2, std::max(name.size(), candidate.size()) / 3);
        if (distance < least && distance <= allowed && distance < candidate.size()) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

QString explainBadBranch(const QString &name)
{
    if (name.toUtf8().size() > 200) {
        return Tr::tr("A branch name can have at most 200 bytes.");
    }
    const auto bad = std::find_if(name.begin(), name.end(), isForbiddenInRef);
    if (bad != name.end() && (bad->isSpace() || bad->unicode() < 0x20 || bad->unicode() == 0x7F)) {
        return Tr::tr("Git takes no blanks or control characters in a branch name.");
    }
    if (bad != name.end()) {
        return Tr::tr("Git takes no \"%1\" in a branch name.").arg(*bad);
    }
    if (name.contains(QLatin1String("..")) || name.contains(QLatin1String("@{"))) {
        return Tr::tr("Git takes no \"..\" and no \"@{\" in a branch name.");
    }
    const QStringList parts = name.split(QLatin1Char('/'));
    for (const QString &part : parts) {
        if (part.isEmpty()) {
            return Tr::tr("A branch name cannot begin or end with \"/\" or hold two in a row.");
        }
        if (part.startsWith(QLatin1Char('.'))) {
            return Tr::tr("No part of a branch name can begin with a dot.");
        }
        if (part.endsWith(QLatin1String(".lock"))) {
            return Tr::tr("No part of a branch name can end with \".lock\".");
        }
    }
    if (name.endsWith(QLatin1Char('.'))) {
        return Tr::tr("A branch name cannot end with a dot.");
    }
    return {};
}

QString mendedBranch(const QString &name)
{
    QStringList parts;
    const QStringList given = name.split(QLatin1Char('/'));
    for (const QString &part : given) {
        const QString slug = slugOf(part);
        if (!slug.isEmpty()) {
            parts << slug;
        }
    }
    return parts.join(QLatin1Char('/'));
}

QString freeBranch(const QString &branch, const QStringList &taken)
{
    QString name = branch;
    for (int i = 2; taken.contains(name, Qt::CaseInsensitive); ++i) {
        name = QStringLiteral("%1-%2").arg(branch).arg(i);
    }
    return name;
}

} // namespace Glovebox
