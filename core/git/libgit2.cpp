// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/libgit2.h"

#include <QCoreApplication>
#include <QFile>

namespace Glovebox::LibGit2 {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(LibGit2)
};

/// The library's own count of users is enough to keep it ready until the process ends.
bool start()
{
    git_libgit2_init();
    for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                            GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL}) {
        git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
    }
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
    git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
    return true;
}

Error notThere(const QString &id)
{
    return {ErrorCode::NotFound,
            Tr::tr("The repository does not have the commit %1.").arg(id.left(12)), lastError()};
}

} // namespace

void initialize()
{
    static const bool ready = start();
    Q_UNUSED(ready);
}

QString lastError()
{
    const git_error *error = git_error_last();
    return error != nullptr ? QString::fromUtf8(error->message) : QString();
}

Result<Repository> open(const QString &gitFolder)
{
    initialize();
    const QByteArray path = QFile::encodeName(gitFolder);
    constexpr unsigned flags = GIT_REPOSITORY_OPEN_BARE | GIT_REPOSITORY_OPEN_NO_SEARCH;
    Repository repository =
        make<Repository>(git_repository_open_ext, path.constData(), flags, nullptr);
    if (!repository) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("%1 could not be opened as a git repository.").arg(gitFolder),
                    lastError());
    }
    return repository;
}

std::optional<git_oid> oidOf(const QString &id)
{
    const QByteArray text = id.toLatin1();
    git_oid oid;
    if (text.size() != GIT_OID_HEXSZ || git_oid_fromstr(&oid, text.constData()) != 0) {
        return std::nullopt;
    }
    return oid;
}

QString textOf(const git_oid &oid)
{
    char text[GIT_OID_HEXSZ + 1];
    return QString::fromLatin1(git_oid_tostr(text, sizeof text, &oid));
}

Result<Commit> commitOf(git_repository *repository, const QString &id)
{
    const std::optional<git_oid> oid = oidOf(id);
    if (!oid) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("\"%1\" is not a full commit id.").arg(id.left(80)));
    }
    Commit commit = make<Commit>(git_commit_lookup, repository, &*oid);
    if (!commit) {
        return fail(notThere(id));
    }
    return commit;
}

Result<Tree> treeOf(git_repository *repository, const QString &commit)
{
    const Result<Commit> found = commitOf(repository, commit);
    if (!found) {
        return fail(found.error());
    }
    Tree tree = make<Tree>(git_commit_tree, found->get());
    if (!tree) {
        return fail(ErrorCode::FileError,
                    Tr::tr("The files of the commit %1 cannot be read. Run \"git fsck\".")
                        .arg(commit.left(12)),
                    lastError());
    }
    return tree;
}

} // namespace Glovebox::LibGit2
