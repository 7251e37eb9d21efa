// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/quarantine.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QString>

namespace Glovebox::Testing {

/// One case of the hostile corpus, as its manifest names it.
struct CorpusCase
{
    QString id;
    QString kind;   ///< bundle stream repo
    QString expect; ///< reject hazard ok
    QString code;
    QString threat; ///< "A13"
    QString file;   ///< absolute
};

/// The corpus that tests/data/corpus/make-hostile.sh makes, built once for each version of the
/// script into the build folder.
struct Corpus
{
    QString folder;
    QString baseRepository;
    QString baseCommit;
    QString reference;
    QList<CorpusCase> cases;

    [[nodiscard]] static Corpus build();
    [[nodiscard]] CorpusCase find(const QString &id) const;
    /// An import of \a file into \a repository with the corpus' small limits.
    [[nodiscard]] ImportRequest request(const QString &file, const QString &repository,
                                        const QString &folder) const;
};

/// Every file below a folder with a digest of its kind, size and content.
[[nodiscard]] QHash<QString, QByteArray> snapshot(const QString &folder);

/// The names of all files and folders below, links not followed.
[[nodiscard]] QSet<QString> namesBelow(const QString &folder);

void copyFolder(const QString &from, const QString &to);

/// All lines of a git command's output, sorted.
[[nodiscard]] QSet<QByteArray> linesOf(const QString &repository, const QStringList &arguments);

[[nodiscard]] QStringList codesOf(const ImportReport &report);

} // namespace Glovebox::Testing
