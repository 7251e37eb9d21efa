// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/review/renames.h"

#include "core/review/content.h"

#include <git2/sys/hashsig.h>

#include <algorithm>

namespace Glovebox {

using namespace LibGit2;

namespace {

using Files = QList<FileChange>;
using Signature = std::shared_ptr<git_hashsig>;

/// More candidates than this are paired by identity alone: similarity compares each with each.
constexpr qsizetype similarityCandidates = 1000;
constexpr int similarEnough = 50;
constexpr qsizetype comparedBytes = 4 << 20;
/// Files of the base that are looked at for the source of an exact copy.
constexpr int copySources = 500'000;
constexpr char emptyBlob[] = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
constexpr quint32 typeBits = 0170000;
constexpr quint32 regularFile = 0100000;

bool isAdded(const FileChange &file)
{
    return file.kind == ChangeKind::Added && file.newMode != GIT_FILEMODE_COMMIT &&
           file.newId != QLatin1String(emptyBlob);
}

QByteArray nameOf(const QByteArray &path)
{
    return path.mid(path.lastIndexOf('/') + 1);
}

void becomeFrom(FileChange &file, ChangeKind kind, const FileChange &source)
{
    file.kind = kind;
    file.oldPath = source.oldPath;
    file.oldMode = source.oldMode;
    file.oldId = source.oldId;
}

void removeUsed(Files &files, const QList<bool> &used)
{
    Files kept;
    for (qsizetype i = 0; i < files.size(); ++i) {
        if (!used.at(i)) {
            kept.append(files.at(i));
        }
    }
    files = kept;
}

void pairExactRenames(Files &files)
{
    QHash<QString, QList<qsizetype>> deleted;
    for (qsizetype i = files.size() - 1; i >= 0; --i) {
        if (files.at(i).kind == ChangeKind::Deleted) {
            deleted[files.at(i).oldId].append(i);
        }
    }
    QList<bool> used(files.size(), false);
    for (FileChange &file : files) {
        const auto sources = deleted.find(file.newId);
        if (!isAdded(file) || sources == deleted.end() || sources->isEmpty()) {
            continue;
        }
        auto best = std::find_if(sources->begin(), sources->end(), [&](qsizetype i) {
            return nameOf(files.at(i).path) == nameOf(file.path);
        });
        best = best == sources->end() ? best - 1 : best;
        const FileChange source = files.at(*best);
        if ((source.oldMode & typeBits) == (file.newMode & typeBits)) {
            becomeFrom(file, ChangeKind::Renamed, source);
            used[*best] = true;
            sources->erase(best);
        }
    }
    removeUsed(files, used);
}

/// One side of a comparison by similarity.
struct Sample
{
    qsizetype index = 0;
    qsizetype size = 0;
    Signature signature;
};

std::optional<Sample> sampleOf(git_repository *repository, qsizetype index, const QString &id,
                               quint32 mode)
{
    if ((mode & typeBits) != regularFile) {
        return std::nullopt;
    }
    const Result<Content> content = Content::read(repository, id, mode);
    if (!content || content->bytes().isEmpty() || content->bytes().size() > comparedBytes) {
        return std::nullopt;
    }
    git_hashsig *raw = nullptr;
    const auto options = static_cast<git_hashsig_option_t>(GIT_HASHSIG_ALLOW_SMALL_FILES);
    if (git_hashsig_create(&raw, content->bytes().data(),
                           static_cast<size_t>(content->bytes().size()), options) != 0) {
        return std::nullopt;
    }
    return Sample{index, content->bytes().size(), Signature(raw, git_hashsig_free)};
}

struct Match
{
    int score = 0;
    bool sameName = false;
    qsizetype source = 0;
    qsizetype target = 0;
};

QList<Match> matchesOf(const Files &files, const QList<Sample> &sources,
                       const QList<Sample> &targets)
{
    QList<Match> matches;
    for (const Sample &target : targets) {
        for (const Sample &source : sources) {
            // So much larger that half cannot be the same.
            if (std::max(source.size, target.size) > 2 * std::min(source.size, target.size)) {
                continue;
            }
            const int score = git_hashsig_compare(source.signature.get(), target.signature.get());
            if (score >= similarEnough) {
                const bool sameName =
                    nameOf(files.at(source.index).path) == nameOf(files.at(target.index).path);
                matches.append({score, sameName, source.index, target.index});
            }
        }
    }
    std::stable_sort(matches.begin(), matches.end(), [](const Match &left, const Match &right) {
        return std::pair(left.score, left.sameName) > std::pair(right.score, right.sameName);
    });
    return matches;
}

void pairSimilar(git_repository *repository, Files &files)
{
    const auto candidates = std::count_if(files.cbegin(), files.cend(), [](const FileChange &file) {
        return isAdded(file) || file.kind == ChangeKind::Deleted;
    });
    const bool anyAdded = std::any_of(files.cbegin(), files.cend(), isAdded);
    if (!anyAdded || candidates > similarityCandidates) {
        return;
    }
    QList<Sample> sources;
    QList<Sample> targets;
    for (qsizetype i = 0; i < files.size(); ++i) {
        const FileChange &file = files.at(i);
        const bool isSource = file.kind == ChangeKind::Deleted || file.kind == ChangeKind::Modified;
        if (isSource && sources.size() < similarityCandidates) {
            if (const auto sample = sampleOf(repository, i, file.oldId, file.oldMode)) {
                sources.append(*sample);
            }
        } else if (isAdded(file)) {
            if (const auto sample = sampleOf(repository, i, file.newId, file.newMode)) {
                targets.append(*sample);
            }
        }
    }
    QList<bool> used(files.size(), false);
    for (const Match &match : matchesOf(files, sources, targets)) {
        if (files.at(match.target).kind != ChangeKind::Added) {
            continue;
        }
        const FileChange source = files.at(match.source);
        const bool isRename = source.kind == ChangeKind::Deleted && !used.at(match.source);
        becomeFrom(files[match.target], isRename ? ChangeKind::Renamed : ChangeKind::Copied,
                   source);
        used[match.source] = used.at(match.source) || source.kind == ChangeKind::Deleted;
    }
    removeUsed(files, used);
}

struct CopySearch
{
    QHash<QByteArray, QList<FileChange *>> wanted; ///< by raw id
    int budget = copySources;
};

int lookForCopies(const char *root, const git_tree_entry *entry, void *payload)
{
    auto *search = static_cast<CopySearch *>(payload);
    if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB) {
        return 0;
    }
    const git_oid *id = git_tree_entry_id(entry);
    const auto found = search->wanted.constFind(
        QByteArray::fromRawData(reinterpret_cast<const char *>(id->id), GIT_OID_RAWSZ));
    if (found != search->wanted.cend()) {
        FileChange source;
        source.oldPath = QByteArray(root) + git_tree_entry_name(entry);
        source.oldMode = static_cast<quint32>(git_tree_entry_filemode(entry));
        source.oldId = textOf(*id);
        for (FileChange *file : *found) {
            const bool better = nameOf(source.oldPath) == nameOf(file->path) &&
                                nameOf(file->oldPath) != nameOf(file->path);
            if ((source.oldMode & typeBits) == (file->newMode & typeBits) &&
                (file->kind == ChangeKind::Added || better)) {
                becomeFrom(*file, ChangeKind::Copied, source);
            }
        }
    }
    return --search->budget > 0 ? 0 : GIT_EUSER;
}

void findExactCopies(git_repository *repository, const QString &base, Files &files)
{
    CopySearch search;
    for (FileChange &file : files) {
        const std::optional<git_oid> id = oidOf(file.newId);
        if (isAdded(file) && id) {
            search.wanted[QByteArray(reinterpret_cast<const char *>(id->id), GIT_OID_RAWSZ)].append(
                &file);
        }
    }
    const Result<Tree> tree =
        search.wanted.isEmpty() ? Result<Tree>(Tree()) : treeOf(repository, base);
    if (tree && *tree) {
        git_tree_walk(tree->get(), GIT_TREEWALK_PRE, lookForCopies, &search);
    }
}

} // namespace

void pairFiles(git_repository *repository, const QString &base, QList<FileChange> &files)
{
    pairExactRenames(files);
    pairSimilar(repository, files);
    findExactCopies(repository, base, files);
}

} // namespace Glovebox
