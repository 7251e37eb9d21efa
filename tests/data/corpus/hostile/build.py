# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds the corpus; make-hostile.sh beside this folder calls it and tells how it is used."""
import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

# The order of the imports is the order of the cases.
import headers  # noqa: F401
import packs  # noqa: F401
import trees  # noqa: F401
import history  # noqa: F401
import content  # noqa: F401
import streams  # noqa: F401
import repositories  # noqa: F401
from demo import EXPECT_REF, base, c3, side
from objects import pack_of
from register import CASES, use_full_scale


def arguments():
    parser = argparse.ArgumentParser(
        prog="make-hostile.sh", description="Builds a corpus of hostile git bundles, repositories and text streams."
    )
    parser.add_argument("folder", nargs="?", metavar="DIR")
    parser.add_argument("--scale", choices=("small", "full"), default="small")
    parser.add_argument("--only", type=re.compile, metavar="REGEX")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if not options.folder and not options.list:
        parser.error("DIR is needed")
    return options


def git(*words, **more):
    return subprocess.run(["git", *words], check=True, stdout=subprocess.DEVNULL, **more)


def write(path, data):
    Path(path).write_bytes(data if isinstance(data, bytes) else data.encode())


def build_base(folder):
    shutil.rmtree(folder, ignore_errors=True)
    git("init", "-q", "--bare", "--initial-branch=main", folder)
    git("-C", folder, "index-pack", "--stdin", "--strict", input=pack_of(base))
    git("-C", folder, "update-ref", "refs/heads/main", c3)
    git("-C", folder, "update-ref", "refs/heads/side", side)


def build_case(one, out):
    """Its row of the manifest."""
    folder = out / "cases" / one["id"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path, size = folder / one["file"], None
    if one["kind"] == "repo":
        one["fn"](str(path))
    else:
        data = one["fn"]()
        write(path, data)
        size = len(data)
    write(folder / "CASE.txt", one["title"] + "\n")
    row = {key: one[key] for key in ("id", "title", "kind", "expect", "stage", "code", "threat")}
    return {**row, "file": f"cases/{one['id']}/{one['file']}", "size": size}


def build(options):
    out, start = Path(options.folder).absolute(), time.monotonic()
    manifest = out / "manifest.json"
    if out.exists() and any(out.iterdir()) and not manifest.exists():
        sys.exit(f"make-hostile: {out} is not empty and is no former corpus")
    out.mkdir(parents=True, exist_ok=True)
    write(manifest, '{"incomplete": true}\n')  # marks the folder as ours even if this run is cut short
    build_base(out / "base.git")
    rows = [build_case(one, out) for one in CASES if not options.only or options.only.search(one["id"])]
    whole = {
        "version": 1,
        "scale": options.scale,
        "base": "base.git",
        "base_branch": "refs/heads/main",
        "base_commit": c3,
        "expected_ref": EXPECT_REF,
        "cases": rows,
    }
    write(manifest, json.dumps(whole, indent=1))
    print(f"built {len(rows)} cases in {time.monotonic() - start:.1f} s")


def main():
    options = arguments()
    if options.scale == "full":
        use_full_scale()
    if options.list:
        for one in CASES:
            print("%-34s %-7s %s" % (one["id"], one["expect"], one["title"]))
        print(f"{len(CASES)} cases")
    else:
        build(options)


if __name__ == "__main__":
    main()
