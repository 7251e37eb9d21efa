// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/importhazards.h"

#include "core/git/textrules.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ImportHazards)
};

constexpr qsizetype mostOfOneCode = 100;
constexpr qsizetype manyCommits = 1000;
constexpr qsizetype manyFiles = 2000;
constexpr qint64 day = 24LL * 60 * 60;
constexpr quint32 linkMode = 0120000;
constexpr quint32 submoduleMode = 0160000;

/// Collects what one rule finds.
class Finds final
{
public:
    explicit Finds(const char *code)
        : m_code(QString::fromLatin1(code))
    {
    }
    void add(const QString &reason, const QByteArray &path = {}, const QByteArray &commit = {})
    {
        if (m_hazards.size() < mostOfOneCode) {
            m_hazards.append({m_code, reason, path, QString::fromLatin1(commit)});
        }
    }
    [[nodiscard]] QList<ImportHazard> take() { return std::move(m_hazards); }

private:
    QString m_code;
    QList<ImportHazard> m_hazards;
};

QByteArray nameOf(const QByteArray &path)
{
    return path.mid(path.lastIndexOf('/') + 1);
}

bool isPresent(const TreeChange &change)
{
    return change.newMode != 0;
}

QList<ImportHazard> extraReferences(const ImportFacts &facts)
{
    Finds finds("extra-refs");
    for (const QByteArray &name : facts.droppedReferences) {
        finds.add(Tr::tr("The bundle carried another reference, which was dropped."), name);
    }
    return finds.take();
}

QList<ImportHazard> unreachableObjects(const ImportFacts &facts)
{
    Finds finds("unreachable-objects");
    if (facts.stowaways > 0) {
        finds.add(Tr::tr("The bundle carried %n object(s) that do not belong to the branch; they "
                         "are not imported.",
                         nullptr, static_cast<int>(facts.stowaways)));
    }
    return finds.take();
}

QList<ImportHazard> tooManyCommits(const ImportFacts &facts)
{
    Finds finds("many-commits");
    if (facts.commits.size() > manyCommits) {
        finds.add(
            Tr::tr("The branch has %n commits.", nullptr, static_cast<int>(facts.commits.size())));
    }
    return finds.take();
}

QList<ImportHazard> largeChange(const ImportFacts &facts)
{
    Finds finds("large-change");
    if (facts.net.changes.size() > manyFiles) {
        finds.add(Tr::tr("The branch changes %n files.", nullptr,
                         static_cast<int>(facts.net.changes.size())));
    }
    return finds.take();
}

QList<ImportHazard> massDeletion(const ImportFacts &facts)
{
    Finds finds("mass-deletion");
    const auto gone = std::count_if(facts.net.changes.begin(), facts.net.changes.end(),
                                    [](const TreeChange &change) { return !isPresent(change); });
    if (gone > 0 && gone * 10 > facts.baseFiles * 3) {
        finds.add(Tr::tr("The branch deletes %1 of %2 files.").arg(gone).arg(facts.baseFiles));
    }
    return finds.take();
}

QList<ImportHazard> foreignHistory(const ImportFacts &facts)
{
    Finds finds("foreign-history");
    for (const ScannedCommit &commit : facts.commits) {
        if (commit.parents.isEmpty() && !commit.isKnown) {
            finds.add(Tr::tr("The branch brings along a history that does not come from yours."),
                      {}, commit.id);
        }
    }
    return finds.take();
}

QList<ImportHazard> ownMergeChanges(const ImportFacts &facts)
{
    Finds finds("merge-has-own-changes");
    for (auto merge = facts.merges.cbegin(); merge != facts.merges.cend(); ++merge) {
        for (const QByteArray &path : merge.value()) {
            finds.add(Tr::tr("A merge commit changes this file in a way that no merged side did."),
                      path, merge.key());
        }
    }
    return finds.take();
}

QList<ImportHazard> historyOnly(const ImportFacts &facts)
{
    Finds finds("content-only-in-history");
    for (auto path = facts.historyOnly.cbegin(); path != facts.historyOnly.cend(); ++path) {
        finds.add(Tr::tr("This file is changed on the way and changed back: the whole diff does "
                         "not show it, the history keeps it."),
                  path.key(), path.value());
    }
    return finds.take();
}

QList<ImportHazard> foreignAuthors(const ImportFacts &facts)
{
    Finds finds("author-not-agent");
    for (const ScannedCommit &commit : facts.commits) {
        const bool isAgents =
            commit.author.email == facts.agentEmail && commit.committer.email == facts.agentEmail;
        if (!facts.agentEmail.isEmpty() && !commit.isKnown && !isAgents) {
            finds.add(Tr::tr("A commit names somebody else than the agent as author or committer; "
                             "nothing proves that."),
                      {}, commit.id);
        }
    }
    return finds.take();
}

QList<ImportHazard> oddDates(const ImportFacts &facts)
{
    Finds finds("odd-commit-date");
    const auto isOdd = [&facts](qint64 time) {
        return time < facts.baseTime - day || time > facts.now + day;
    };
    for (const ScannedCommit &commit : facts.commits) {
        if (!commit.isKnown && (isOdd(commit.author.time) || isOdd(commit.committer.time))) {
            finds.add(Tr::tr("A commit's date lies before the base or in the future."), {},
                      commit.id);
        }
    }
    return finds.take();
}

QList<ImportHazard> longMessages(const ImportFacts &facts)
{
    Finds finds("text-truncated");
    for (const ScannedCommit &commit : facts.commits) {
        if (commit.hasLongMessage) {
            finds.add(Tr::tr("A commit message is longer than 64 KiB and is shown cut."), {},
                      commit.id);
        }
    }
    return finds.take();
}

QList<ImportHazard> oddEncodings(const ImportFacts &facts)
{
    Finds finds("text-encoding");
    for (const ScannedCommit &commit : facts.commits) {
        if (commit.hasOddEncoding) {
            finds.add(Tr::tr("A commit's text is not UTF-8; it is shown with replacements."), {},
                      commit.id);
        }
    }
    return finds.take();
}

QList<ImportHazard> controlCharacters(const ImportFacts &facts)
{
    Finds finds("control-characters");
    for (const ScannedCommit &commit : facts.commits) {
        if (commit.hasControls) {
            finds.add(Tr::tr("A commit's message or names hold control or reordering characters."),
                      {}, commit.id);
        }
    }
    return finds.take();
}

/// Every part of a path that the base does not have, once, with the path up to it.
void forEachNewName(
    const ImportFacts &facts,
    const std::function<void(const QByteArray &name, const QByteArray &path)> &visit)
{
    for (const ChangedFolder &folder : facts.net.folders) {
        for (const QByteArray &name : folder.added) {
            visit(name, folder.path + name);
        }
    }
}

QList<ImportHazard> unportablePaths(const ImportFacts &facts)
{
    Finds finds("path-portability");
    forEachNewName(facts, [&](const QByteArray &name, const QByteArray &path) {
        if (TextRules::isUnportableName(name)) {
            finds.add(Tr::tr("This name cannot be checked out on every system."), path, facts.tip);
        }
    });
    return finds.take();
}

QList<ImportHazard> oddNames(const ImportFacts &facts)
{
    Finds finds("odd-file-name");
    forEachNewName(facts, [&](const QByteArray &name, const QByteArray &path) {
        if (TextRules::isOddName(name)) {
            finds.add(Tr::tr("This name holds characters that mislead the eye or a command."), path,
                      facts.tip);
        }
    });
    return finds.take();
}

/// Two names of one folder, at least one of them new, that are one where names are folded.
QList<ImportHazard> collidingPaths(const ImportFacts &facts)
{
    Finds finds("path-collision");
    for (const ChangedFolder &folder : facts.net.folders) {
        if (folder.added.isEmpty()) {
            continue;
        }
        QHash<QString, QByteArray> seen;
        const QByteArray tree = facts.trees->tree(folder.tree);
        TreeReader reader(tree);
        TreeEntry entry;
        while (reader.next(entry)) {
            const QByteArray name = entry.name.toByteArray();
            const QString folded = TextRules::foldedName(name);
            const QByteArray other = seen.value(folded);
            if (!other.isEmpty() && TextRules::isUtf8(name) &&
                (folder.added.contains(name) || folder.added.contains(other))) {
                finds.add(Tr::tr("This name and another one in its folder are one file on systems "
                                 "that fold case or accents."),
                          folder.path + name, facts.tip);
            }
            seen.insert(folded, name);
        }
    }
    return finds.take();
}

QList<ImportHazard> linkedGitFiles(const ImportFacts &facts)
{
    static const QList<QByteArray> names = {".gitattributes", ".gitignore", ".mailmap",
                                            ".gitmodules"};
    Finds finds("symlinked-git-file");
    for (const TreeChange &change : facts.net.changes) {
        if (change.newMode == linkMode && names.contains(nameOf(change.path).toLower())) {
            finds.add(Tr::tr("A file that git itself reads is a symbolic link."), change.path,
                      facts.tip);
        }
    }
    return finds.take();
}

QList<ImportHazard> submodules(const ImportFacts &facts)
{
    Finds finds("submodule-change");
    for (const TreeChange &change : facts.net.changes) {
        if (nameOf(change.path) == ".gitmodules" || change.newMode == submoduleMode ||
            change.oldMode == submoduleMode) {
            finds.add(Tr::tr("The branch changes submodules; none is fetched or updated."),
                      change.path, facts.tip);
        }
    }
    return finds.take();
}

/// What git takes for a repository: HEAD with objects beside it, or with a pointer to them.
bool isGitFolder(const QByteArray &tree)
{
    bool head = false;
    bool objects = false;
    bool references = false;
    bool pointer = false;
    TreeReader reader(tree);
    TreeEntry entry;
    while (reader.next(entry)) {
        head = head || (entry.name == "HEAD" && !entry.isTree());
        objects = objects || (entry.name == "objects" && !(entry.mode & 0100000));
        references = references || entry.name == "refs" || entry.name == "config";
        pointer = pointer || (entry.name == "commondir" && !entry.isTree());
    }
    return head && ((objects && references) || pointer);
}

QList<ImportHazard> embeddedRepositories(const ImportFacts &facts)
{
    Finds finds("embedded-git-repo");
    for (const ChangedFolder &folder : facts.net.folders) {
        if (isGitFolder(facts.trees->tree(folder.tree))) {
            finds.add(Tr::tr("This folder is a git repository of its own, stored as plain files: "
                             "git run inside it obeys its configuration."),
                      folder.path, facts.tip);
        }
    }
    return finds.take();
}

/// Whether a link at \a path leads out of the tree, or into a .git folder.
bool escapes(const QByteArray &path, const QByteArray &target)
{
    if (target.startsWith('/') || target.contains('\\') || target.contains(':')) {
        return true;
    }
    qsizetype depth = path.count('/');
    for (const QByteArray &part : target.split('/')) {
        if (part == "..") {
            --depth;
        } else if (!part.isEmpty() && part != ".") {
            ++depth;
        }
        if (depth < 0 || part.toLower() == ".git") {
            return true;
        }
    }
    return false;
}

QList<ImportHazard> escapingLinks(const ImportFacts &facts)
{
    Finds finds("symlink-escape");
    for (const TreeChange &change : facts.net.changes) {
        if (change.newMode == linkMode && (!facts.links.contains(change.newId) ||
                                           escapes(change.path, facts.links.value(change.newId)))) {
            finds.add(Tr::tr("This symbolic link leads out of the repository or into its .git."),
                      change.path, facts.tip);
        }
    }
    return finds.take();
}

QList<ImportHazard> typeChanges(const ImportFacts &facts)
{
    Finds finds("type-change");
    for (const TreeChange &change : facts.net.changes) {
        if (change.oldMode != 0 && change.newMode != 0 && change.oldMode != change.newMode) {
            finds.add(Tr::tr("This file changes its kind: plain, executable, link or submodule."),
                      change.path, facts.tip);
        }
    }
    return finds.take();
}

using Rule = QList<ImportHazard> (*)(const ImportFacts &facts);

constexpr std::array<Rule, 21> rules = {
    extraReferences, unreachableObjects, foreignHistory, ownMergeChanges,      historyOnly,
    foreignAuthors,  oddDates,           longMessages,   oddEncodings,         controlCharacters,
    tooManyCommits,  largeChange,        massDeletion,   unportablePaths,      collidingPaths,
    oddNames,        linkedGitFiles,     submodules,     embeddedRepositories, escapingLinks,
    typeChanges,
};

} // namespace

QList<ImportHazard> importHazards(const ImportFacts &facts)
{
    QList<ImportHazard> hazards;
    for (const Rule rule : rules) {
        hazards += rule(facts);
    }
    return hazards;
}

} // namespace Glovebox
