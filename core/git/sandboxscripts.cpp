// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/sandboxscripts.h"

#include "core/git/referencename.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SandboxScripts)
};

/// Nothing that the machine inside configured takes part, and nothing is asked.
constexpr char preamble[] = R"sh(set -u
for name in $(env | sed -n 's/^\(GIT_[A-Z0-9_]*\)=.*/\1/p'); do unset "$name"; done
export LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1
export GIT_NO_REPLACE_OBJECTS=1 GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true
export GIT_PAGER=cat GIT_EDITOR=true GIT_LFS_SKIP_SMUDGE=1 GIT_OPTIONAL_LOCKS=0
stop() { echo "$2" >&2; exit "$1"; }
command -v git >/dev/null 2>&1 || stop 69 'git is not installed in this sandbox.'
)sh";

/// The folder of the repository and the base in it. $1 = folder, $2 = bundle.
constexpr char seeding[] = R"sh(
seed() {
    [ ! -e "$1/.git" ] || stop 1 'There is a repository already.'
    git init -q --template= "$1" || return 1
    mkdir -p "$1/.git/info" || return 1
    [ -z "$cuts" ] || printf '%s\n' $cuts > "$1/.git/shallow" || return 1
    git -C "$1" -c protocol.file.allow=always fetch -q --no-tags --no-recurse-submodules "$2" \
        refs/heads/glovebox-base:refs/glovebox/base || return 1
    [ "$(git -C "$1" rev-parse refs/glovebox/base)" = "$base" ] || stop 5 'The bundle is not the base.'
}
plain() {
    git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c filter.lfs.smudge= \
        -c filter.lfs.process= -c filter.lfs.required=false -c advice.detachedHead=false "$@"
}
)sh";

constexpr char seedBody[] = R"sh(
seed "$repository" "$bundle" || exit 1
cd "$repository" || exit 1
git config user.name "$name" && git config user.email "$email" &&
    git config commit.gpgSign false && git config gc.auto 0 || exit 1
plain checkout -q --no-track -b "$branch" "$base" || exit 1
)sh";

constexpr char checkoutBody[] = R"sh(
seed "$repository" "$bundle" || exit 1
cd "$repository" || exit 1
if [ -n "$result" ]; then
    git -c protocol.file.allow=always fetch -q --no-tags --no-recurse-submodules "$result" \
        "refs/heads/$branch:refs/glovebox/result" || exit 1
    [ "$(git rev-parse refs/glovebox/result)" = "$tip" ] || stop 5 'The bundle does not have this tip.'
fi
plain checkout -q --detach "$tip" || exit 1
)sh";

/// A git folder of our own beside the target: the agent's objects are borrowed, its references,
/// HEAD, index, cuts and excludes copied, its configuration and hooks left out.
constexpr char openBody[] = R"sh(
umask 077
own=$target.work
notes=
note() { notes="$notes$1
"; }
end() { code=$?; rm -rf "$own" "$target.part"; exit "$code"; }
trap end EXIT
trap 'exit 143' TERM INT HUP
rm -rf "$own" "$target"
mkdir -p "$own" || stop 4 'No file can be written beside the bundle.'
export HOME="$own" TMPDIR="$own"
unset XDG_CONFIG_HOME
agent=$repository/.git
usable() {
    [ -d "$agent/objects" ] && [ -d "$agent/refs" ] && [ -f "$agent/HEAD" ]
}
borrow() {
    git init -q --bare --template= "$own/git" || return 1
    printf '%s\n' "$1/objects" > "$own/git/objects/info/alternates" || return 1
    rm -rf "$own/git/refs" "$own/git/HEAD"
    cp -R -P "$1/refs" "$own/git/refs" 2>/dev/null # a lock may vanish meanwhile
    mkdir -p "$own/git/refs" && cp -P "$1/HEAD" "$own/git/HEAD" || return 1
    [ ! -f "$1/packed-refs" ] || cp "$1/packed-refs" "$own/git/packed-refs"
    [ ! -f "$1/info/exclude" ] || { mkdir -p "$own/git/info" && cp "$1/info/exclude" "$own/git/info/exclude"; }
    # With its time: git reads the files that are as young as the index, where size and second tell nothing.
    [ ! -f "$1/index" ] || cp -p "$1/index" "$own/git/index" 2>/dev/null
    { [ ! -f "$1/shallow" ] || cat "$1/shallow"; [ -z "$cuts" ] || printf '%s\n' $cuts; } |
        sort -u > "$own/git/shallow"
    [ -s "$own/git/shallow" ] || rm -f "$own/git/shallow"
    find "$own/git/refs" -name '*.lock' -exec rm -f {} +
    git --git-dir="$own/git" rev-parse -q --verify "$base^{tree}" >/dev/null 2>&1
}
if ! usable || ! borrow "$agent"; then
    note repository-rebuilt
    rm -rf "$own/git"
    [ -n "$bundle" ] && [ -f "$bundle" ] || stop 3 'The repository is gone, and so is the base.'
    seed "$own/base" "$bundle" || stop 3 'The repository is gone and could not be made anew.'
    git -C "$own/base" update-ref --no-deref HEAD "$base" || exit 3
    borrow "$own/base/.git" || stop 3 'The repository is gone and could not be made anew.'
    agent=$own/base/.git
fi
export GIT_DIR="$own/git" GIT_WORK_TREE="$repository"
mkdir -p "$repository" && cd "$repository" || stop 3 'The work tree is gone.'
)sh";

constexpr char chooseBody[] = R"sh(
id() { git rev-parse -q --verify "$1^{commit}" 2>/dev/null; }
has() { git merge-base --is-ancestor "$1" "$2" 2>/dev/null; }
head=$(id HEAD) || head=
work=$(id "refs/heads/$branch") || work=
[ -z "$work" ] || has "$base" "$work" || work=
take=yes
if [ -n "$head" ] && has "$base" "$head"; then
    parent=$head
    if [ "$(git symbolic-ref -q HEAD)" != "refs/heads/$branch" ] && [ "$head" != "$work" ]; then
        case $notes in *rebuilt*) ;; *) note other-head ;; esac
    fi
    if [ -n "$work" ] && ! has "$work" "$head"; then
        if has "$head" "$work"; then note went-back; parent=$work take=no; else note left-behind; fi
    fi
else
    note history-rewritten
    parent=${work:-$base}
fi
for name in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
    [ ! -e "$agent/$name" ] || { note merge-in-progress; break; }
done
)sh";

/// Takes in the work tree by the rules of its .gitignore and .gitattributes; filters that these
/// name have no program here.
constexpr char snapshotBody[] = R"sh(
limited() {
    seconds=$1; shift
    if command -v timeout >/dev/null 2>&1; then timeout -s KILL "$seconds" "$@"; return; fi
    "$@" & child=$!
    ( while kill -0 "$child" 2>/dev/null; do
          [ "$seconds" -gt 0 ] || { kill -9 "$child"; break; }
          seconds=$((seconds - 1)); sleep 1
      done ) </dev/null >/dev/null 2>&1 &
    wait "$child"
}
add() {
    limited "$seconds_to_add" git -c core.autocrlf=false -c core.fsmonitor=false \
        -c core.hooksPath=/dev/null -c advice.addEmbeddedRepo=false \
        add -A --ignore-errors -- . </dev/null >/dev/null 2>&1
}
index_is_readable() { [ -f "$GIT_DIR/index" ] && git ls-files --stage >/dev/null 2>&1; }
renew() { rm -f "$GIT_DIR/index" "$GIT_DIR/index.lock"; git read-tree "${head:-$parent}" 2>/dev/null; }
tree=
if [ "$take" = yes ]; then
    if ! index_is_readable; then
        case $notes in *rebuilt*) ;; *) note index-rebuilt ;; esac
        renew
    fi
    add
    case $? in
    0) added=yes ;;
    124|137|143) added=no; note add-timed-out ;;
    *) added=yes; note not-added ;;
    esac
    if [ "$added" = yes ]; then
        tree=$(git write-tree 2>/dev/null) || { renew; add; tree=$(git write-tree 2>/dev/null) || tree=; }
    fi
fi
tip=$parent state=clean
if [ -n "$tree" ] && [ "$tree" != "$(git rev-parse "$parent^{tree}")" ]; then
    export GIT_AUTHOR_NAME="$name" GIT_AUTHOR_EMAIL="$email" GIT_AUTHOR_DATE="$time +0000"
    export GIT_COMMITTER_NAME="$name" GIT_COMMITTER_EMAIL="$email" GIT_COMMITTER_DATE="$time +0000"
    tip=$(printf '%s\n' "$message" | git commit-tree "$tree" -p "$parent") || stop 4 'The commit failed.'
    state=dirty
    git diff-tree -r --no-ext-diff "$parent" "$tip" | grep -q '^:[0-7]* 160000' &&
        note embedded-repository
fi
)sh";

/// The bundle is a header and a pack, as `git bundle create` would write them; written so because
/// that needs a reference with this name, and none is touched.
constexpr char bundleBody[] = R"sh(
commits=$(git rev-list --count "$tip" "^$base") || stop 4 'The history cannot be read.'
if [ "$tip" != "$base" ]; then
    { printf '# v2 git bundle\n-%s\n%s refs/heads/%s\n\n' "$base" "$tip" "$branch" &&
        printf '%s\n^%s\n' "$tip" "$base" |
            git pack-objects --revs --thin --stdout --delta-base-offset -q; } > "$target.part" &&
        mv -f "$target.part" "$target" || stop 4 'The bundle could not be written.'
fi
printf 'seal 1\ntip %s\ncommits %s\n%s\n' "$tip" "$commits" "$state"
printf '%s' "$notes" | sort -u | while read -r word; do printf 'note %s\n' "$word"; done
echo end
)sh";

QByteArray quoted(const QString &value)
{
    QByteArray bytes = value.toUtf8();
    bytes.replace('\'', "'\\''");
    return '\'' + bytes + '\'';
}

QByteArray variable(const char *name, const QString &value)
{
    return QByteArray(name) + '=' + quoted(value) + '\n';
}

bool isPlain(const QString &value)
{
    return std::none_of(value.cbegin(), value.cend(), [](QChar character) {
        return character.unicode() < 0x20 || character.unicode() == 0x7f;
    });
}

Result<void> checkPaths(const QStringList &paths)
{
    for (const QString &path : paths) {
        if (!path.startsWith(QLatin1Char('/')) || !isPlain(path)) {
            return fail(
                ErrorCode::InvalidRequest,
                Tr::tr("\"%1\" is not a path that can be used inside a sandbox.").arg(path));
        }
    }
    return {};
}

Result<void> checkNames(const QString &branch, const QStringList &ids)
{
    if (!isSafeReference("refs/heads/" + branch.toUtf8())) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("\"%1\" is not a name for a branch.").arg(branch));
    }
    for (const QString &id : ids) {
        if (!isObjectId(id.toLatin1())) {
            return fail(ErrorCode::InvalidRequest,
                        Tr::tr("\"%1\" is not a full commit id.").arg(id.left(80)));
        }
    }
    return {};
}

Result<void> checkIdentity(const Identity &identity)
{
    for (const QString &text : {identity.name, identity.email}) {
        if (text.trimmed().isEmpty() || !isPlain(text) || text.contains(QLatin1Char('<')) ||
            text.contains(QLatin1Char('>'))) {
            return fail(ErrorCode::InvalidRequest,
                        Tr::tr("Commits need a name and an e-mail address without < and >."));
        }
    }
    return {};
}

QByteArray identityVariables(const Identity &identity)
{
    return variable("name", identity.name) + variable("email", identity.email);
}

QByteArray baseVariables(const QString &base, const QStringList &shallow)
{
    return variable("base", base) + variable("cuts", shallow.join(QLatin1Char(' ')));
}

Result<QByteArray> snapshotScript(const SealRequest &request, const QString &message)
{
    QStringList paths{request.repository, request.target};
    if (!request.baseBundle.isEmpty()) {
        paths.append(request.baseBundle);
    }
    const Result<void> checked =
        checkPaths(paths)
            .and_then([&] {
                return checkNames(request.branch, request.shallow + QStringList{request.base});
            })
            .and_then([&] { return checkIdentity(request.identity); });
    if (!checked) {
        return fail(checked.error());
    }
    return QByteArray(preamble) + variable("repository", request.repository) +
           variable("bundle", request.baseBundle) + variable("target", request.target) +
           variable("branch", request.branch) + baseVariables(request.base, request.shallow) +
           identityVariables(request.identity) + variable("message", message) +
           variable("time", QString::number(request.time)) +
           variable("seconds_to_add", QString::number(request.addSeconds)) + seeding + openBody +
           chooseBody + snapshotBody + bundleBody;
}

const QByteArrayList &knownNotes()
{
    static const QByteArrayList notes = {"add-timed-out",      "embedded-repository",
                                         "history-rewritten",  "index-rebuilt",
                                         "left-behind",        "merge-in-progress",
                                         "not-added",          "other-head",
                                         "repository-rebuilt", "went-back"};
    return notes;
}

/// The lines after "seal 1"; false at the first that is not of the protocol.
bool readLines(const QByteArrayList &lines, SealReport &report)
{
    if (lines.size() < 6 || lines.at(0) != "seal 1" || !lines.at(1).startsWith("tip ") ||
        !lines.at(2).startsWith("commits ") || lines.at(lines.size() - 2) != "end" ||
        !lines.constLast().isEmpty()) {
        return false;
    }
    report.tip = QString::fromLatin1(lines.at(1).mid(4));
    bool isNumber = false;
    report.commits = lines.at(2).mid(8).toInt(&isNumber);
    report.leftOvers = lines.at(3) == "dirty";
    if (!isObjectId(lines.at(1).mid(4)) || !isNumber || report.commits < 0 ||
        lines.at(2).mid(8) != QByteArray::number(report.commits) ||
        (!report.leftOvers && lines.at(3) != "clean")) {
        return false;
    }
    for (const QByteArray &line : lines.mid(4, lines.size() - 6)) {
        if (!line.startsWith("note ") || !knownNotes().contains(line.mid(5))) {
            return false;
        }
        report.notes.append(QString::fromLatin1(line.mid(5)));
    }
    return true;
}

} // namespace

Result<QByteArray> seedScript(const BaseBundle &bundle, const QString &bundlePath,
                              const QString &repository, const QString &branch,
                              const Identity &identity)
{
    const Result<void> checked =
        checkPaths({bundlePath, repository})
            .and_then([&] { return checkNames(branch, bundle.shallow + QStringList{bundle.base}); })
            .and_then([&] { return checkIdentity(identity); });
    if (!checked) {
        return fail(checked.error());
    }
    return QByteArray(preamble) + variable("repository", repository) +
           variable("bundle", bundlePath) + variable("branch", branch) +
           baseVariables(bundle.base, bundle.shallow) + identityVariables(identity) + seeding +
           seedBody;
}

Result<QByteArray> sealScript(const SealRequest &request)
{
    return snapshotScript(request, QStringLiteral("Save what was left uncommitted"));
}

Result<QByteArray> checkpointScript(const SealRequest &request)
{
    return snapshotScript(request, QStringLiteral("Checkpoint of work in progress"));
}

Result<SealReport> readSeal(const QByteArray &output)
{
    SealReport report;
    if (output.size() > 4096 || !readLines(output.split('\n'), report)) {
        return fail(ErrorCode::UnexpectedReply,
                    Tr::tr("The sandbox did not say in a readable way what it sealed."));
    }
    return report;
}

Result<QByteArray> checkoutScript(const BaseBundle &bundle, const CheckoutRequest &request)
{
    QStringList paths{request.baseBundle, request.repository};
    if (!request.resultBundle.isEmpty()) {
        paths.append(request.resultBundle);
    }
    const QStringList ids = bundle.shallow + QStringList{bundle.base, request.tip};
    const Result<void> checked =
        checkPaths(paths).and_then([&] { return checkNames(request.branch, ids); });
    if (!checked) {
        return fail(checked.error());
    }
    return QByteArray(preamble) + variable("repository", request.repository) +
           variable("bundle", request.baseBundle) + variable("result", request.resultBundle) +
           variable("branch", request.branch) + variable("tip", request.tip) +
           baseVariables(bundle.base, bundle.shallow) + seeding + checkoutBody;
}

} // namespace Glovebox
