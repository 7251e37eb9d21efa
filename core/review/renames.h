// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/libgit2.h"
#include "core/review/changeset.h"

/// Finds what was renamed and copied; private to core/review.
namespace Glovebox {

/// Turns added and deleted files into renames and copies, in this order: the same content deleted
/// and added (the same name first); at most 1,000 of the rest by similarity of at least 50 %, also
/// with the old side of modified files as sources; added content that the base has elsewhere.
/// Empty files, links to submodules and files above 4 MiB are not compared. What cannot be read is
/// left as it is: it is met again, and reported, where lines are counted.
void pairFiles(git_repository *repository, const QString &base, QList<FileChange> &files);

} // namespace Glovebox
