#!/usr/bin/env bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# The whole demo run beside a plain shell script that does the same steps with git and srt, in turn: bundle, sandbox,
# proof that it is closed, clone, agent, sealing, a second sandbox with its proof and the check, quarantine, one branch.
# Rows on standard output; where the difference goes on standard error.
set -euo pipefail
rounds=${ROUNDS:-7}
place=$(mktemp -d "${TMPDIR:-/tmp}/gb-bench-XXXXXX")
trap 'rm -rf "$place"' EXIT
cli=$GLOVEBOX_PROGRAMS/glovebox-cli
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
"$cli" demo "$place/demo" --data-dir "$place/data" >/dev/null

# One srt sandbox around a script, with folders and settings of its own, as the program makes them.
in_sandbox() { # FOLDER SCRIPT
    local folder=$1 settings=$1/settings.json
    mkdir -p "$folder/cwd" "$folder/tmp" "$folder/work/home" "$folder/work/tmp"
    printf '{"network":{"allowedDomains":[],"deniedDomains":[]},"filesystem":{"denyRead":["%s"],"allowWrite":["%s"],"denyWrite":[]}}\n' \
        "$HOME" "$folder/work" >"$settings"
    (cd "$folder/cwd" && env -i PATH="$GLOVEBOX_TOOLS_DIR/node_modules/node/bin:$PATH" HOME="$folder/work/home" LANG=C.UTF-8 \
        TMPDIR="$folder/tmp" CLAUDE_CODE_TMPDIR="$folder/work/tmp" GIT_CONFIG_GLOBAL=/dev/null \
        "$GLOVEBOX_TOOLS_DIR/node_modules/.bin/srt" -s "$settings" -- sh "$2" "$folder/work" </dev/null)
}

# What is not on the list must not answer, and the names of the variables are looked at: in both sandboxes.
cat >"$place/prove.sh" <<'END'
if curl -sS -o /dev/null -m 8 http://127.0.0.1:9/ 2>/dev/null; then exit 3; fi
if curl -sS -o /dev/null -m 8 https://example.com/ 2>/dev/null; then exit 3; fi
env | cut -d= -f1 | sort
END
cat >"$place/work.sh" <<'END'
set -e
cd "$1"
sh ./prove.sh
git init -q --template= repo
cd repo
cat ../shallow >.git/shallow
git fetch -q --no-tags ../base.bundle refs/heads/base:refs/heads/base
git config user.name sandbox-agent
git config user.email agent@sandbox.invalid
git checkout -q -b agent/demo base
printf 'task\n' | sh demo/agent.sh good >../agent.log 2>&1
git add -A
git diff --cached --quiet || git commit -qm left
git merge-base --is-ancestor "$(cat ../shallow)" HEAD
git bundle create -q ../result.bundle agent/demo "^$(cat ../shallow)"
END
cat >"$place/verify.sh" <<'END'
set -e
cd "$1"
sh ./prove.sh
git init -q --template= repo
cd repo
cat ../shallow >.git/shallow
git fetch -q --no-tags ../base.bundle refs/heads/base:refs/heads/base
git fetch -q --no-tags ../result.bundle agent/demo
git checkout -q --detach FETCH_HEAD
sh tests/greet_test.sh >../check.log 2>&1
END

# The branch comes in through a repository of its own, where its objects are checked first.
import() { # BASE BUNDLE BRANCH
    local quarantine=$place/quarantine tip
    git -C "$place/demo" bundle verify -q "$2"
    git init -q --bare --template= "$quarantine"
    echo "$place/demo/.git/objects" >"$quarantine/objects/info/alternates"
    git -C "$quarantine" -c transfer.fsckObjects=true fetch -q --no-tags "$2" agent/demo:refs/heads/in
    tip=$(git -C "$quarantine" rev-parse refs/heads/in)
    git -C "$quarantine" merge-base --is-ancestor "$1" "$tip"
    git -C "$quarantine" rev-list --objects "$tip" --not "$1" >/dev/null
    [ "$(git -C "$quarantine" diff --name-only "$1" "$tip")" = greet.sh ]
    git -C "$place/demo" fetch -q --no-tags "$quarantine" "refs/heads/in:refs/heads/$3"
    rm -rf "$quarantine"
}

plain() {
    local here=$place/plain-$1 base
    base=$(git -C "$place/demo" rev-parse HEAD)
    mkdir -p "$here/a/work" "$here/b/work"
    printf '# v2 git bundle\n%s refs/heads/base\n\n' "$base" >"$here/a/work/base.bundle"
    printf -- '--shallow %s\n%s\n' "$base" "$base" |
        git -C "$place/demo" pack-objects -q --revs --shallow --stdout >>"$here/a/work/base.bundle"
    echo "$base" | tee "$here/a/work/shallow" >"$here/b/work/shallow"
    cp "$place/prove.sh" "$here/a/work/"
    cp "$place/prove.sh" "$here/b/work/"
    in_sandbox "$here/a" "$place/work.sh"
    cp "$here/a/work/result.bundle" "$here/result.bundle"
    sha256sum "$here/result.bundle" "$here/a/work/agent.log"
    cp "$here/a/work/base.bundle" "$here/result.bundle" "$here/b/work/"
    in_sandbox "$here/b" "$place/verify.sh"
    import "$base" "$here/result.bundle" "plain-$1"
    rm -rf "$here"
}

ours() {
    "$cli" run "$place/demo/demo.task.md" --data-dir "$place/data" --json >"$place/report-$1.json"
}

seconds() { # COMMAND…: its wall time
    local from to code
    from=$(date +%s.%N)
    set +e # where a failure is tested for, a function would go on after one of its own
    (
        set -e
        "$@"
    ) >"$place/out" 2>&1
    code=$?
    set -e
    to=$(date +%s.%N)
    [ "$code" -eq 0 ] || { cat "$place/out" >&2; return 1; }
    echo "$to - $from" | bc
}

for ((i = 0; i < rounds; i++)); do
    seconds ours "$i" >>"$place/ours"
    seconds plain "$i" >>"$place/plain"
done

python3 - "$place" "$rounds" <<'END'
import json, statistics, sys
place, rounds = sys.argv[1], int(sys.argv[2])
ours, plain = ([float(line) for line in open(f"{place}/{name}")] for name in ("ours", "plain"))
ratio = statistics.median(ours) / statistics.median(plain)
print(json.dumps({"target": "demo run / plain script", "repo": "demo", "value": round(ratio, 3), "limit": 1.3, "unit": "x"}))
print(json.dumps({"target": "demo run", "repo": "demo", "value": round(statistics.median(ours), 3), "limit": None, "unit": "s"}))
print(json.dumps({"target": "plain script", "repo": "demo", "value": round(statistics.median(plain), 3), "limit": None, "unit": "s"}))
phases = {}
for i in range(rounds):
    for stage in json.load(open(f"{place}/report-{i}.json"))["stages"]:
        phases.setdefault(stage["phase"], []).append(stage["duration_ms"])
for phase, times in phases.items():
    print(f"  {phase:16} {statistics.median(times):7.0f} ms", file=sys.stderr)
END
