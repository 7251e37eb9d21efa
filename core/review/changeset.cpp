// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/review/changeset.h"

#include "core/git/libgit2.h"
#include "core/review/content.h"
#include "core/review/renames.h"

#include <QCoreApplication>

#include <algorithm>

namespace Glovebox {

using namespace LibGit2;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ChangeSet)
};

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

ChangeKind kindOf(const git_diff_delta &delta)
{
    switch (delta.status) {
    case GIT_DELTA_ADDED:
        return ChangeKind::Added;
    case GIT_DELTA_DELETED:
        return ChangeKind::Deleted;
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
    Files files;
    for (size_t i = 0; i < git_diff_num_deltas(diff->get()); ++i) {
        files.append(changeOf(*git_diff_get_delta(diff->get(), i)));
    }
    pairFiles(repository, base, files);
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
