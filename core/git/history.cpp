// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/libgit2.h"
#include "core/git/repository.h"

#include <QCoreApplication>
#include <QFile>
#include <QSet>

namespace Glovebox {

using namespace LibGit2;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Repository)
};

CommitFacts factsOf(const git_commit *commit)
{
    CommitFacts facts;
    facts.id = textOf(*git_commit_id(commit));
    if (git_commit_parentcount(commit) > 0) {
        facts.parent = textOf(*git_commit_parent_id(commit, 0));
    }
    const QByteArray message = QByteArray(git_commit_message(commit)).left(4096);
    facts.summary = QString::fromUtf8(message.split('\n').value(0)).trimmed();
    if (const git_signature *author = git_commit_author(commit)) {
        facts.author = QString::fromUtf8(author->name);
        facts.email = QString::fromUtf8(author->email);
    }
    if (const git_signature *committer = git_commit_committer(commit)) {
        facts.time = committer->when.time;
    }
    return facts;
}

Error unreadable(const QString &tip)
{
    return {ErrorCode::FileError,
            Tr::tr("The history of %1 cannot be read. Run \"git fsck\".").arg(tip.left(12)),
            lastError()};
}

Result<QList<CommitFacts>> walkWithLibrary(git_repository *repository, const QString &base,
                                           const QString &tip, int maximum)
{
    const auto walk = make<Walk>(git_revwalk_new, repository);
    const std::optional<git_oid> newest = oidOf(tip);
    const std::optional<git_oid> oldest = oidOf(base);
    bool ok = walk && newest &&
              git_revwalk_sorting(walk.get(), GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME) == 0 &&
              git_revwalk_push(walk.get(), &*newest) == 0 &&
              (!oldest || git_revwalk_hide(walk.get(), &*oldest) == 0);
    QList<CommitFacts> commits;
    git_oid oid;
    while (ok && commits.size() < maximum) {
        const int code = git_revwalk_next(&oid, walk.get());
        if (code == GIT_ITEROVER) {
            return commits;
        }
        const auto commit =
            code == 0 ? make<Commit>(git_commit_lookup, repository, &oid) : Commit();
        ok = static_cast<bool>(commit);
        if (ok) {
            commits.append(factsOf(commit.get()));
        }
    }
    if (!ok) {
        return fail(unreadable(tip));
    }
    return commits;
}

QSet<QString> shallowCommits(const git_repository *repository)
{
    QFile file(QFile::decodeName(git_repository_commondir(repository)) +
               QStringLiteral("/shallow"));
    QSet<QString> ids;
    if (file.open(QIODevice::ReadOnly)) {
        for (const QByteArray &line : file.readAll().split('\n')) {
            ids.insert(QString::fromLatin1(line.trimmed()));
        }
    }
    return ids;
}

struct Node
{
    CommitFacts facts;
    QStringList parents;
    int children = 0;
};

/// A history that ends at the commits a shallow clone was cut at. libgit2 1.5 does not know such
/// cuts and fails at the missing parents.
class CutHistory final
{
public:
    explicit CutHistory(git_repository *repository)
        : m_repository(repository)
        , m_cuts(shallowCommits(repository))
    {
    }

    /// Everything reachable from \a start but not in \a known; false when a commit is missing.
    [[nodiscard]] bool collect(const QString &start, const QSet<QString> &known,
                               QHash<QString, Node> &nodes) const
    {
        QStringList pending{start};
        while (!pending.isEmpty()) {
            const QString id = pending.takeLast();
            if (nodes.contains(id) || known.contains(id)) {
                continue;
            }
            const Result<Commit> commit = commitOf(m_repository, id);
            if (!commit) {
                return false;
            }
            Node node{factsOf(commit->get()), {}, 0};
            const unsigned count = git_commit_parentcount(commit->get());
            for (unsigned i = 0; i < count && !m_cuts.contains(id); ++i) {
                node.parents.append(textOf(*git_commit_parent_id(commit->get(), i)));
            }
            pending += node.parents;
            nodes.insert(id, node);
        }
        return true;
    }

private:
    git_repository *m_repository;
    QSet<QString> m_cuts;
};

/// Newest first, and no commit before all its children.
QList<CommitFacts> ordered(QHash<QString, Node> nodes, const QString &tip, int maximum)
{
    for (const Node &node : QHash(nodes)) {
        for (const QString &parent : node.parents) {
            if (const auto found = nodes.find(parent); found != nodes.end()) {
                ++found->children;
            }
        }
    }
    QList<CommitFacts> commits;
    QStringList ready{tip};
    while (!ready.isEmpty() && commits.size() < maximum) {
        const auto newest = std::max_element(
            ready.begin(), ready.end(), [&nodes](const QString &left, const QString &right) {
                return nodes.value(left).facts.time < nodes.value(right).facts.time;
            });
        const Node node = nodes.value(*newest);
        ready.erase(newest);
        commits.append(node.facts);
        for (const QString &parent : node.parents) {
            if (const auto found = nodes.find(parent);
                found != nodes.end() && --found->children == 0) {
                ready.append(parent);
            }
        }
    }
    return commits;
}

Result<QList<CommitFacts>> walkCutHistory(git_repository *repository, const QString &base,
                                          const QString &tip, int maximum)
{
    const CutHistory history(repository);
    QHash<QString, Node> old;
    QHash<QString, Node> fresh;
    if (!base.isEmpty() && !history.collect(base, {}, old)) {
        return fail(unreadable(base));
    }
    const QStringList names = old.keys();
    const QSet<QString> known(names.cbegin(), names.cend());
    if (!history.collect(tip, known, fresh)) {
        return fail(unreadable(tip));
    }
    if (!fresh.contains(tip)) {
        return QList<CommitFacts>();
    }
    return ordered(std::move(fresh), tip, maximum);
}

} // namespace

Result<QList<CommitFacts>> commitsBetween(const QString &gitFolder, const QString &base,
                                          const QString &tip, int maximum)
{
    const Result<Repository> repository = open(gitFolder);
    if (!repository) {
        return fail(repository.error());
    }
    for (const QString &id : {tip, base}) {
        if (id.isEmpty() && id == base) {
            continue;
        }
        if (const Result<Commit> commit = commitOf(repository->get(), id); !commit) {
            return fail(commit.error());
        }
    }
    if (git_repository_is_shallow(repository->get()) == 1) {
        return walkCutHistory(repository->get(), base, tip, maximum);
    }
    return walkWithLibrary(repository->get(), base, tip, maximum);
}

} // namespace Glovebox
