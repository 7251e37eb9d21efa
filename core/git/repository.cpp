// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/repository.h"

#include "core/git/libgit2.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace Glovebox {

using namespace LibGit2;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Repository)
};

constexpr unsigned statusFlags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_NO_REFRESH |
                                 GIT_STATUS_OPT_EXCLUDE_SUBMODULES;

QString folderOf(const char *path)
{
    return path == nullptr ? QString() : QFileInfo(QFile::decodeName(path)).canonicalFilePath();
}

/// What stands in the way of opening \a path, as a sentence. libgit2 answers with numbers and
/// words of its own.
Error openingFailed(int code, const QString &path)
{
    const QString detail = lastError();
    // libgit2 1.5 says "not found" of the list of exceptions when it finds no configuration.
    if (code == GIT_EOWNER || detail.contains(QStringLiteral("safe.directory"))) {
        return {ErrorCode::InvalidRequest,
                Tr::tr("The repository at %1 belongs to another user and is not opened.").arg(path),
                detail};
    }
    if (code == GIT_ENOTFOUND) {
        return {ErrorCode::NotFound,
                Tr::tr("%1 is not inside a git repository. Run \"git init\" there, or choose "
                       "another folder.")
                    .arg(path),
                detail};
    }
    if (detail.contains(QStringLiteral("objectformat"), Qt::CaseInsensitive)) {
        return {
            ErrorCode::NotSupported,
            Tr::tr("The repository at %1 uses SHA-256 ids, which are not supported yet.").arg(path),
            detail};
    }
    if (detail.contains(QStringLiteral("extension"), Qt::CaseInsensitive)) {
        return {ErrorCode::NotSupported,
                Tr::tr("The repository at %1 uses a feature of git that is not supported yet.")
                    .arg(path),
                detail};
    }
    return {
        ErrorCode::InvalidRequest,
        Tr::tr("The repository at %1 could not be opened. Check it with \"git fsck\".").arg(path),
        detail};
}

void readHead(git_repository *repository, RepositoryFacts &facts)
{
    facts.unborn = git_repository_head_unborn(repository) == 1;
    facts.detached = git_repository_head_detached(repository) == 1;
    const auto symbolic = make<Reference>(git_reference_lookup, repository, "HEAD");
    const char *target = symbolic ? git_reference_symbolic_target(symbolic.get()) : nullptr;
    const QString name = QFile::decodeName(target);
    if (name.startsWith(QStringLiteral("refs/heads/"))) {
        facts.headBranch = name.mid(11);
    }
    const auto resolved = make<Reference>(git_repository_head, repository);
    if (resolved && git_reference_target(resolved.get()) != nullptr) {
        facts.head = textOf(*git_reference_target(resolved.get()));
    }
}

QStringList branchesOf(git_repository *repository)
{
    QStringList branches;
    const auto iterator =
        make<References>(git_reference_iterator_glob_new, repository, "refs/heads/*");
    const char *name = nullptr;
    while (iterator && git_reference_next_name(&name, iterator.get()) == 0) {
        branches.append(QFile::decodeName(name).mid(11));
    }
    branches.sort();
    return branches;
}

/// From the index, which names links without any object being read.
QStringList submodulesOf(git_repository *repository)
{
    QStringList paths;
    const auto index = make<Index>(git_repository_index, repository);
    for (size_t i = 0; index && i < git_index_entrycount(index.get()); ++i) {
        const git_index_entry *entry = git_index_get_byindex(index.get(), i);
        if (entry->mode == GIT_FILEMODE_COMMIT) {
            paths.append(QFile::decodeName(entry->path));
        }
    }
    return paths;
}

bool rewritesHistory(git_repository *repository, const QString &commonFolder)
{
    const QFileInfo grafts(commonFolder + QStringLiteral("/info/grafts"));
    if (grafts.exists() && grafts.size() > 0) {
        return true;
    }
    const auto iterator =
        make<References>(git_reference_iterator_glob_new, repository, "refs/replace/*");
    const char *name = nullptr;
    return iterator && git_reference_next_name(&name, iterator.get()) == 0;
}

struct Paths
{
    QList<QByteArray> found;
    int maximum = 0;
};

int addPath(const char *root, const git_tree_entry *entry, void *payload)
{
    auto *paths = static_cast<Paths *>(payload);
    if (git_tree_entry_type(entry) == GIT_OBJECT_TREE) {
        return 0;
    }
    if (paths->found.size() >= paths->maximum) {
        return GIT_EUSER;
    }
    paths->found.append(QByteArray(root) + git_tree_entry_name(entry));
    return 0;
}

} // namespace

Result<RepositoryFacts> inspectRepository(const QString &path)
{
    initialize();
    const QByteArray start = QFile::encodeName(path);
    git_repository *raw = nullptr;
    const int code = git_repository_open_ext(&raw, start.constData(), 0, nullptr);
    const Repository repository(raw);
    if (code != 0) {
        return fail(openingFailed(code, path));
    }
    RepositoryFacts facts;
    facts.workTree = folderOf(git_repository_workdir(raw));
    facts.gitFolder = folderOf(git_repository_path(raw));
    facts.commonFolder = folderOf(git_repository_commondir(raw));
    facts.bare = git_repository_is_bare(raw) == 1;
    facts.shallow = QFileInfo(facts.commonFolder + QStringLiteral("/shallow")).size() > 0;
    facts.linkedWorktree = git_repository_is_worktree(raw) == 1;
    facts.rewritesHistory = rewritesHistory(raw, facts.commonFolder);
    readHead(raw, facts);
    facts.branches = branchesOf(raw);
    facts.submodules = submodulesOf(raw);
    return facts;
}

Result<QString> resolveCommit(const QString &gitFolder, const QString &revision)
{
    const Result<Repository> repository = open(gitFolder);
    if (!repository) {
        return fail(repository.error());
    }
    if (revision == QStringLiteral("HEAD") && git_repository_head_unborn(repository->get()) == 1) {
        return fail(ErrorCode::NotFound, Tr::tr("The repository has no commit yet. Make a first "
                                                "commit, so that there is a base to start from."));
    }
    const QByteArray text = revision.toUtf8();
    const auto object = make<Object>(git_revparse_single, repository->get(), text.constData());
    const auto commit =
        object ? make<Object>(git_object_peel, object.get(), GIT_OBJECT_COMMIT) : Object();
    if (!commit) {
        return fail(ErrorCode::NotFound,
                    Tr::tr("\"%1\" names no commit of this repository.").arg(revision.left(200)),
                    lastError());
    }
    return textOf(*git_object_id(commit.get()));
}

Result<QList<QByteArray>> pathsOf(const QString &gitFolder, const QString &commit, int maximum)
{
    const Result<Repository> repository = open(gitFolder);
    if (!repository) {
        return fail(repository.error());
    }
    const Result<Tree> tree = treeOf(repository->get(), commit);
    if (!tree) {
        return fail(tree.error());
    }
    Paths paths{{}, maximum};
    const int code = git_tree_walk(tree->get(), GIT_TREEWALK_PRE, addPath, &paths);
    if (code == GIT_EUSER) {
        return fail(
            ErrorCode::TooLarge,
            Tr::tr("The commit %1 has more than %2 files.").arg(commit.left(12)).arg(maximum));
    }
    if (code != 0) {
        return fail(ErrorCode::FileError,
                    Tr::tr("The files of the commit %1 cannot be read. Run \"git fsck\".")
                        .arg(commit.left(12)),
                    lastError());
    }
    return paths.found;
}

Result<QByteArray> fileOf(const QString &gitFolder, const QString &commit, const QByteArray &path,
                          qint64 maximum)
{
    const Result<Repository> repository = open(gitFolder);
    if (!repository) {
        return fail(repository.error());
    }
    const Result<Tree> tree = treeOf(repository->get(), commit);
    if (!tree) {
        return fail(tree.error());
    }
    const QString name = QString::fromUtf8(path);
    const auto entry = make<TreeEntry>(git_tree_entry_bypath, tree->get(), path.constData());
    if (!entry || git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB) {
        return fail(ErrorCode::NotFound,
                    Tr::tr("The commit %1 has no file %2.").arg(commit.left(12), name));
    }
    const auto odb = make<Odb>(git_repository_odb, repository->get());
    size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    const bool known =
        odb && git_odb_read_header(&size, &type, odb.get(), git_tree_entry_id(entry.get())) == 0;
    if (known && size > static_cast<size_t>(maximum)) {
        return fail(ErrorCode::TooLarge,
                    Tr::tr("%1 is larger than %n MiB.", nullptr, static_cast<int>(maximum >> 20))
                        .arg(name));
    }
    const auto blob =
        known ? make<Blob>(git_blob_lookup, repository->get(), git_tree_entry_id(entry.get()))
              : Blob();
    if (!blob) {
        return fail(ErrorCode::FileError,
                    Tr::tr("%1 cannot be read from the commit %2. Run \"git fsck\".")
                        .arg(name, commit.left(12)),
                    lastError());
    }
    return QByteArray(static_cast<const char *>(git_blob_rawcontent(blob.get())),
                      static_cast<qsizetype>(git_blob_rawsize(blob.get())));
}

Result<bool> hasLocalChanges(const RepositoryFacts &repository)
{
    if (repository.bare) {
        return false;
    }
    initialize();
    const QByteArray path = QFile::encodeName(repository.workTree);
    const auto opened = make<Repository>(git_repository_open_ext, path.constData(),
                                         unsigned(GIT_REPOSITORY_OPEN_NO_SEARCH), nullptr);
    git_status_options options;
    git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION);
    options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
    options.flags = statusFlags;
    const auto first = [](const char *, unsigned, void *) -> int {
        return GIT_EUSER;
    };
    const int code =
        opened ? git_status_foreach_ext(opened.get(), &options, first, nullptr) : GIT_ERROR;
    if (code != 0 && code != GIT_EUSER) {
        return fail(
            ErrorCode::FileError,
            Tr::tr("The state of the work tree at %1 cannot be read.").arg(repository.workTree),
            lastError());
    }
    return code == GIT_EUSER;
}

} // namespace Glovebox
