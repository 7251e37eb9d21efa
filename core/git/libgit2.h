// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <git2.h>

#include <memory>
#include <optional>

/// Owners for libgit2 handles. Private to core/git and core/review: no other header includes this.
namespace Glovebox::LibGit2 {

template<auto release>
struct Release
{
    template<typename Handle>
    void operator()(Handle *handle) const
    {
        release(handle);
    }
};

template<typename Handle, auto release>
using Owned = std::unique_ptr<Handle, Release<release>>;

using Repository = Owned<git_repository, git_repository_free>;
using Object = Owned<git_object, git_object_free>;
using Commit = Owned<git_commit, git_commit_free>;
using Tree = Owned<git_tree, git_tree_free>;
using TreeEntry = Owned<git_tree_entry, git_tree_entry_free>;
using Blob = Owned<git_blob, git_blob_free>;
using Reference = Owned<git_reference, git_reference_free>;
using References = Owned<git_reference_iterator, git_reference_iterator_free>;
using Index = Owned<git_index, git_index_free>;
using Odb = Owned<git_odb, git_odb_free>;
using Walk = Owned<git_revwalk, git_revwalk_free>;
using Diff = Owned<git_diff, git_diff_free>;
using Config = Owned<git_config, git_config_free>;

/// Calls a libgit2 function whose first parameter is the new handle; null when it failed, and then
/// lastError() says why (on this thread, until the next call).
template<typename Owner, typename Function, typename... Arguments>
[[nodiscard]] Owner make(Function function, Arguments... arguments)
{
    typename Owner::pointer handle = nullptr;
    return function(&handle, arguments...) == 0 ? Owner(handle) : Owner();
}

/// What libgit2 says about the last failure on this thread; cleaned of nothing, so for
/// Error::detail.
[[nodiscard]] QString lastError();

/// Opens the repository of a git folder for reading objects and references: no work tree, no
/// configuration but its own, the owner checked. Makes the library ready on first use.
/// Objects are hashed as they are read (about 30 % of the reading time): a planted object is an
/// error, not content.
[[nodiscard]] Result<Repository> open(const QString &gitFolder);

/// Makes the library ready: configuration of machine and user is never searched.
void initialize();

/// A full hexadecimal id, or nothing.
[[nodiscard]] std::optional<git_oid> oidOf(const QString &id);
[[nodiscard]] QString textOf(const git_oid &oid);

/// The commit of a full id. NotFound says that the repository does not have it.
[[nodiscard]] Result<Commit> commitOf(git_repository *repository, const QString &id);
[[nodiscard]] Result<Tree> treeOf(git_repository *repository, const QString &commit);

} // namespace Glovebox::LibGit2
