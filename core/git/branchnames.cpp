// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/branchnames.h"

#include "core/git/textrules.h"

namespace Glovebox {

namespace {

QString folded(const QString &name)
{
    return TextRules::foldedName(name.toUtf8());
}

} // namespace

TakenNames::TakenNames(const QStringList &names)
{
    for (const QString &name : names) {
        const QString key = folded(name);
        m_names.insert(key);
        for (qsizetype slash = key.indexOf(QLatin1Char('/')); slash >= 0;
             slash = key.indexOf(QLatin1Char('/'), slash + 1)) {
            m_folders.insert(key.left(slash));
        }
    }
}

bool TakenNames::isFree(const QString &name) const
{
    return takenLength(name) < 0;
}

qsizetype TakenNames::takenLength(const QString &name) const
{
    for (qsizetype slash = name.indexOf(QLatin1Char('/')); slash >= 0;
         slash = name.indexOf(QLatin1Char('/'), slash + 1)) {
        if (m_names.contains(folded(name.left(slash)))) {
            return slash;
        }
    }
    const QString key = folded(name);
    return m_names.contains(key) || m_folders.contains(key) ? name.size() : -1;
}

QString TakenNames::freeName(const QString &wanted) const
{
    const qsizetype length = takenLength(wanted);
    if (length < 0) {
        return wanted;
    }
    for (int number = 2;; ++number) { // ends: there are fewer taken names than numbers
        QString name = wanted;
        name.insert(length, QStringLiteral("-%1").arg(number));
        const qsizetype taken = takenLength(name);
        if (taken < 0) {
            return name;
        }
        if (taken > length + 2 && length < wanted.size()) {
            return freeName(name); // the part is free now, what follows it is not
        }
    }
}

} // namespace Glovebox
