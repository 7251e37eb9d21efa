#!/usr/bin/env bash
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
# make-hostile.sh - build a corpus of hostile git bundles, repositories and
# text streams for testing an importer/reviewer of untrusted agent work.
#
# Usage:   make-hostile.sh DIR [--scale small|full] [--only REGEX] [--list]
#
#   DIR            where the corpus goes (created; must be empty or a former corpus)
#   --scale small  (default) every bomb is kept small enough for CI (whole corpus < 60 MB)
#   --scale full   bombs at nominal size: big and slow, for a nightly run with a disk quota
#   --only REGEX   only the cases whose id matches (the manifest then lists only these)
#   --list         print id, expected verdict and title of each case; build nothing
#
# Needs: bash, git (2.30 or newer), python3 (standard library only). No network.
# The cases are in the Python files in hostile/, one file for each sort; tests/core/git/tst_corpus
# holds the importer to the outcomes that the manifest names.
#
# Layout of DIR
#   base.git/            the "user's repository" every bundle is made against (bare)
#   cases/ID/in.bundle   the hostile bundle (or in.log, in.jsonl, in.md, repo.git/ ...)
#   cases/ID/CASE.txt    one line: what it is
#   manifest.json        machine-readable list with the expected outcome of each case
#
# manifest.json, one object a case:
#   id, title, kind (bundle|stream|repo), file, expect, stage, code, threat
#     expect: reject  the import must stop with a clear error, nothing enters the repo
#             hazard  the import may go on, but the named hazard must be shown
#             ok      must import without an error (guards against over-rejection)
#     stage:  header | limits | pack | objects | tip | history | review
#     code:   stable symbolic error or hazard name
#     threat: the item of THREATS.md the case belongs to
#
# Safety: everything is inert data. Nothing in here is executed by building. Token-shaped
# strings are assembled at run time from parts, and are random or all-same-letter, so the
# files here trip no secret scanner. Host names end in .example or .invalid. Do not check
# these branches out and run their contents.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PY=${PYTHON:-python3}
command -v git >/dev/null || { echo "make-hostile: git is needed" >&2; exit 2; }
command -v "$PY" >/dev/null || { echo "make-hostile: python3 is needed" >&2; exit 2; }
# keep the host's git configuration out of the experiment
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 LC_ALL=C
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES 2>/dev/null || true
exec "$PY" -B "$HERE/hostile/build.py" "$@"
