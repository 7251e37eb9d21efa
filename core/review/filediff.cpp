// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/review/changeset.h"
#include "core/review/content.h"

#include <QCoreApplication>

namespace Glovebox {

using namespace LibGit2;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ChangeSet)
};

/// The function that git names after "@@ -1,2 +1,3 @@".
QByteArray enclosingFunction(QByteArrayView header)
{
    const qsizetype end = header.lastIndexOf(QByteArrayView("@@"));
    const qsizetype first = header.indexOf(QByteArrayView("@@"), 2);
    const qsizetype from = first >= 0 ? first : end;
    return from < 0 ? QByteArray() : header.sliced(from + 2).trimmed().toByteArray();
}

int addHunk(const git_diff_delta *, const git_diff_hunk *hunk, void *payload)
{
    auto *diff = static_cast<FileDiff *>(payload);
    Hunk added;
    added.oldStart = hunk->old_start;
    added.oldCount = hunk->old_lines;
    added.newStart = hunk->new_start;
    added.newCount = hunk->new_lines;
    added.header =
        enclosingFunction(QByteArrayView(hunk->header, static_cast<qsizetype>(hunk->header_len)));
    diff->hunks.append(added);
    return 0;
}

DiffLine::Kind kindOf(char origin)
{
    switch (origin) {
    case GIT_DIFF_LINE_ADDITION:
        return DiffLine::Kind::Added;
    case GIT_DIFF_LINE_DELETION:
        return DiffLine::Kind::Removed;
    case GIT_DIFF_LINE_CONTEXT_EOFNL:
    case GIT_DIFF_LINE_ADD_EOFNL:
    case GIT_DIFF_LINE_DEL_EOFNL:
        return DiffLine::Kind::NoNewline;
    default:
        return DiffLine::Kind::Context;
    }
}

int addLine(const git_diff_delta *, const git_diff_hunk *, const git_diff_line *line, void *payload)
{
    auto *diff = static_cast<FileDiff *>(payload);
    DiffLine added;
    added.kind = kindOf(line->origin);
    if (added.kind != DiffLine::Kind::NoNewline) {
        added.oldLine = std::max(line->old_lineno, 0);
        added.newLine = std::max(line->new_lineno, 0);
        added.text = QByteArray(line->content, static_cast<qsizetype>(line->content_len));
        if (added.text.endsWith('\n')) {
            added.text.chop(1);
        }
    }
    diff->hunks.last().lines.append(added);
    return 0;
}

} // namespace

Result<FileDiff> readFileDiff(const ChangeSet &changes, int index, int context)
{
    if (index < 0 || index >= changes.files.size()) {
        return fail(ErrorCode::InvalidRequest, Tr::tr("There is no such file in this change."));
    }
    FileDiff diff;
    diff.file = changes.files.at(index);
    diff.tooLarge = diff.file.tooLarge;
    if (diff.tooLarge || diff.file.binary || diff.file.oldId == diff.file.newId) {
        return diff;
    }
    const Result<Repository> repository = open(changes.gitFolder);
    if (!repository) {
        return fail(repository.error());
    }
    const Result<Content> before =
        Content::read(repository->get(), diff.file.oldId, diff.file.oldMode);
    const Result<Content> after =
        Content::read(repository->get(), diff.file.newId, diff.file.newMode);
    if (!before || !after) {
        return fail(before ? after.error() : before.error());
    }
    const git_diff_options options = textDiffOptions(context);
    const QByteArrayView old = before->bytes();
    const QByteArrayView fresh = after->bytes();
    if (git_diff_buffers(old.data(), static_cast<size_t>(old.size()), nullptr, fresh.data(),
                         static_cast<size_t>(fresh.size()), nullptr, &options, nullptr, nullptr,
                         addHunk, addLine, &diff) != 0) {
        return fail(ErrorCode::FileError, Tr::tr("Two versions of a file cannot be compared."),
                    lastError());
    }
    return diff;
}

} // namespace Glovebox
