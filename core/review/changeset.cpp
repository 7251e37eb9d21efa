// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/review/changeset.h"

#include "core/git/libgit2.h"
#include "core/review/content.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace Glovebox {

using namespace LibGit2;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ChangeSet)
};

/// More candidates than this are paired by identity alone: similarity compares each with each.
constexpr qsizetype similarityCandidates = 1000;
/// Files of the base that are looked at for the source of an exact copy.
constexpr int copySources = 500'000;
constexpr char emptyBlob[] = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

using Files = QList<FileChange>;

Result<Diff> diffTrees(git_repository *repository, const QString &base, const QString &tip)
{
    const Result<Tree> before = treeOf(repository, base);
    if (!before) {
        return fail(before.error());
    }
    const Result<Tree> after = treeOf(repository, tip);
    if (!after) {
        return fail(after.error());
    }
    git_diff_options options;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.flags = GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_SKIP_BINARY_CHECK;
    options.ignore_submodules = GIT_SUBMODULE_IGNORE_NONE;
    auto diff =
        make<Diff>(git_diff_tree_to_tree, repository, before->get(), after->get(), &options);
    if (!diff) {
        return fail(ErrorCode::FileError,
                    Tr::tr("The commits %1 and %2 cannot be compared. Check the repository with "
                           "\"git fsck\".")
                        .arg(base.left(12), tip.left(12)),
                    lastError());
    }
    return diff;
}

qsizetype candidatesIn(git_diff *diff)
{
    return static_cast<qsizetype>(git_diff_num_deltas_of_type(diff, GIT_DELTA_ADDED) +
                                  git_diff_num_deltas_of_type(diff, GIT_DELTA_DELETED));
}

Result<void> findSimilar(git_diff *diff)
{
    git_diff_find_options options;
    git_diff_find_options_init(&options, GIT_DIFF_FIND_OPTIONS_VERSION);
    options.flags =
        GIT_DIFF_FIND_RENAMES | GIT_DIFF_FIND_COPIES | GIT_DIFF_FIND_DONT_IGNORE_WHITESPACE;
    options.rename_limit = static_cast<size_t>(similarityCandidates);
    if (git_diff_find_similar(diff, &options) != 0) {
        return fail(ErrorCode::FileError, Tr::tr("Renamed files could not be looked for."),
                    lastError());
    }
    return {};
}

ChangeKind kindOf(const git_diff_delta &delta)
{
    switch (delta.status) {
    case GIT_DELTA_ADDED:
        return ChangeKind::Added;
    case GIT_DELTA_DELETED:
        return ChangeKind::Deleted;
    case GIT_DELTA_RENAMED:
        return ChangeKind::Renamed;
    case GIT_DELTA_COPIED:
        return ChangeKind::Copied;
    case GIT_DELTA_TYPECHANGE:
        return ChangeKind::TypeChanged;
    default:
        return git_oid_equal(&delta.old_file.id, &delta.new_file.id) != 0 ? ChangeKind::ModeChanged
                                                                          : ChangeKind::Modified;
    }
}

FileChange changeOf(const git_diff_delta &delta)
{
    FileChange file;
    file.kind = kindOf(delta);
    file.oldPath = QByteArray(delta.old_file.path);
    file.path = QByteArray(delta.new_file.path);
    if (file.kind != ChangeKind::Added) {
        file.oldMode = delta.old_file.mode;
        file.oldId = textOf(delta.old_file.id);
    }
    if (file.kind != ChangeKind::Deleted) {
        file.newMode = delta.new_file.mode;
        file.newId = textOf(delta.new_file.id);
    }
    return file;
}

bool canBePaired(const FileChange &file, const QString &id)
{
    return id != QLatin1String(emptyBlob) && file.newMode != GIT_FILEMODE_COMMIT;
}

QByteArray nameOf(const QByteArray &path)
{
    return path.mid(path.lastIndexOf('/') + 1);
}

void becomeFrom(FileChange &file, ChangeKind kind, const QByteArray &path, quint32 mode)
{
    file.kind = kind;
    file.oldPath = path;
    file.oldMode = mode;
    file.oldId = file.newId;
}

/// A deleted and an added file with the same content are a rename, whatever their number.
void pairExactRenames(Files &files)
{
    QHash<QString, QList<qsizetype>> deleted;
    for (qsizetype i = files.size() - 1; i >= 0; --i) {
        if (files.at(i).kind == ChangeKind::Deleted) {
            deleted[files.at(i).oldId].append(i);
        }
    }
    QList<bool> gone(files.size(), false);
    for (FileChange &file : files) {
        const auto sources = deleted.find(file.newId);
        if (file.kind != ChangeKind::Added || sources == deleted.end() ||
            !canBePaired(file, file.newId)) {
            continue;
        }
        auto best = std::find_if(sources->begin(), sources->end(), [&](qsizetype i) {
            return nameOf(files.at(i).path) == nameOf(file.path);
        });
        best = best == sources->end() ? best - 1 : best;
        const FileChange source = files.at(*best);
        if ((source.oldMode & 0170000) != (file.newMode & 0170000)) {
            continue;
        }
        becomeFrom(file, ChangeKind::Renamed, source.path, source.oldMode);
        gone[*best] = true;
        sources->erase(best);
        if (sources->isEmpty()) {
            deleted.erase(sources);
        }
    }
    Files kept;
    for (qsizetype i = 0; i < files.size(); ++i) {
        if (!gone.at(i)) {
            kept.append(files.at(i));
        }
    }
    files = kept;
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
        const QByteArray path = QByteArray(root) + git_tree_entry_name(entry);
        const auto mode = static_cast<quint32>(git_tree_entry_filemode(entry));
        for (FileChange *file : *found) {
            const bool better =
                nameOf(path) == nameOf(file->path) && nameOf(file->oldPath) != nameOf(file->path);
            if ((mode & 0170000) == (file->newMode & 0170000) &&
                (file->kind == ChangeKind::Added || better)) {
                becomeFrom(*file, ChangeKind::Copied, path, mode);
            }
        }
    }
    return --search->budget > 0 ? 0 : GIT_EUSER;
}

/// An added file that the base has elsewhere, unchanged or not, is a copy.
void findExactCopies(git_repository *repository, const QString &base, Files &files)
{
    CopySearch search;
    for (FileChange &file : files) {
        const std::optional<git_oid> id = oidOf(file.newId);
        if (file.kind == ChangeKind::Added && id && canBePaired(file, file.newId)) {
            search.wanted[QByteArray(reinterpret_cast<const char *>(id->id), GIT_OID_RAWSZ)].append(
                &file);
        }
    }
    const Result<Tree> tree = treeOf(repository, base);
    if (!search.wanted.isEmpty() && tree) {
        git_tree_walk(tree->get(), GIT_TREEWALK_PRE, lookForCopies, &search);
    }
}

struct Counts
{
    int added = 0;
    int removed = 0;
};

int countLine(const git_diff_delta *, const git_diff_hunk *, const git_diff_line *line,
              void *payload)
{
    auto *counts = static_cast<Counts *>(payload);
    counts->added += line->origin == GIT_DIFF_LINE_ADDITION ? 1 : 0;
    counts->removed += line->origin == GIT_DIFF_LINE_DELETION ? 1 : 0;
    return 0;
}

Result<void> countLines(git_repository *repository, FileChange &file)
{
    if (file.oldId == file.newId) {
        return {};
    }
    const Result<Content> before = Content::read(repository, file.oldId, file.oldMode);
    const Result<Content> after = Content::read(repository, file.newId, file.newMode);
    if (!before || !after) {
        return fail(before ? after.error() : before.error());
    }
    const QByteArrayView old = before->bytes();
    const QByteArrayView fresh = after->bytes();
    file.tooLarge = before->tooLarge() || after->tooLarge();
    file.binary = isBinaryContent(old) || isBinaryContent(fresh);
    if (file.tooLarge || file.binary) {
        return {};
    }
    Counts counts{lineCount(fresh), lineCount(old)};
    if (!old.isEmpty() && !fresh.isEmpty()) {
        counts = {};
        const git_diff_options options = textDiffOptions(0);
        if (git_diff_buffers(old.data(), static_cast<size_t>(old.size()), nullptr, fresh.data(),
                             static_cast<size_t>(fresh.size()), nullptr, &options, nullptr, nullptr,
                             nullptr, countLine, &counts) != 0) {
            return fail(ErrorCode::FileError, Tr::tr("Two versions of a file cannot be compared."),
                        lastError());
        }
    }
    file.added = counts.added;
    file.removed = counts.removed;
    return {};
}

Result<Files> listFiles(git_repository *repository, const QString &base, const QString &tip)
{
    const Result<Diff> diff = diffTrees(repository, base, tip);
    if (!diff) {
        return fail(diff.error());
    }
    const bool compareAll = candidatesIn(diff->get()) <= similarityCandidates;
    if (compareAll) {
        if (const Result<void> found = findSimilar(diff->get()); !found) {
            return fail(found.error());
        }
    }
    Files files;
    for (size_t i = 0; i < git_diff_num_deltas(diff->get()); ++i) {
        files.append(changeOf(*git_diff_get_delta(diff->get(), i)));
    }
    if (!compareAll) {
        pairExactRenames(files);
    }
    findExactCopies(repository, base, files);
    std::stable_sort(
        files.begin(), files.end(),
        [](const FileChange &left, const FileChange &right) { return left.path < right.path; });
    return files;
}

} // namespace

int ChangeSet::added() const
{
    int sum = 0;
    for (const FileChange &file : files) {
        sum += file.added;
    }
    return sum;
}

int ChangeSet::removed() const
{
    int sum = 0;
    for (const FileChange &file : files) {
        sum += file.removed;
    }
    return sum;
}

Result<ChangeSet> readChangeSet(const QString &gitFolder, const QString &base, const QString &tip)
{
    const Result<Repository> repository = open(gitFolder);
    if (!repository) {
        return fail(repository.error());
    }
    Result<Files> files = listFiles(repository->get(), base, tip);
    if (!files) {
        return fail(files.error());
    }
    for (FileChange &file : *files) {
        if (const Result<void> counted = countLines(repository->get(), file); !counted) {
            return fail(counted.error());
        }
    }
    return ChangeSet{gitFolder, base, tip, std::move(*files)};
}

} // namespace Glovebox
