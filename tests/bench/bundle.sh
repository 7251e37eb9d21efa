#!/usr/bin/env bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# History-free against full bundle, on a repository with a long history made here.
set -euo pipefail
commits=${COMMITS:-4000}
place=$(mktemp -d "${TMPDIR:-/tmp}/gb-bench-XXXXXX")
trap 'rm -rf "$place"' EXIT
cli=$GLOVEBOX_PROGRAMS/glovebox-cli
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

git init -q -b main "$place/repo"
python3 - "$commits" <<'END' | git -C "$place/repo" fast-import --quiet
import random, sys
out, rng, files = sys.stdout, random.Random(7), {}
for n in range(int(sys.argv[1])):
    out.write(f"commit refs/heads/main\ncommitter Tester <tester@example.com> {1700000000 + n} +0000\ndata 8\ncommit {n % 10}\n")
    for _ in range(3):
        name = f"src/d{rng.randrange(20)}/f{rng.randrange(30)}.txt"
        lines = files.setdefault(name, [])
        at = rng.randrange(len(lines) + 1)
        lines[at:at + rng.randrange(3)] = [f"{rng.random():.17f} line of commit {n}" for _ in range(rng.randrange(1, 30))]
        del lines[400:]
        text = "\n".join(lines) + "\n"
        out.write(f"M 100644 inline {name}\ndata {len(text)}\n{text}\n")
END
git -C "$place/repo" repack -q -a -d
cat >"$place/t.task.md" <<'END'
---
title: Measure
acceptance: "true && test -d src"
scope: ['src/**']
network: locked-down
agent: {command: ':'}
---
Do it.
END

plan() { # NAME OPTIONS…
    local name=$1 from
    shift
    from=$(date +%s%N)
    "$cli" plan "$place/t.task.md" --repo "$place/repo" --data-dir "$place/data" --json "$@" >"$place/$name.json" 2>"$place/err" ||
        { cat "$place/err" >&2; return 1; }
    echo $((($(date +%s%N) - from) / 1000000)) >>"$place/$name.ms"
}
for _ in 1 2 3; do
    plan free
    plan full --history
done
python3 - "$place" <<'END'
import json, statistics, sys
place = sys.argv[1]
size = {n: json.load(open(f"{place}/{n}.json"))["plan"]["bundle"]["bytes"] for n in ("free", "full")}
time = {n: statistics.median(float(x) for x in open(f"{place}/{n}.ms")) for n in ("free", "full")}
row = lambda target, value, limit, unit: print(json.dumps({"target": target, "repo": "long history", "value": value, "limit": limit, "unit": unit}))
row("bytes, history-free / full", round(size["free"] / size["full"], 4), 0.25, "x")
row("bytes, history-free", size["free"], None, "B")
row("bytes, full", size["full"], None, "B")
row("time to plan, history-free / full", round(time["free"] / time["full"], 3), None, "x")
row("time to plan, history-free", time["free"], None, "ms")
row("time to plan, full", time["full"], None, "ms")
END
