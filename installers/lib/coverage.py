#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Prints the line coverage of core and providers, as gcov tells it for their objects in a build folder, and fails where
a layer is below the minimum. An object that never ran counts with all its lines."""
import argparse
import json
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LAYERS = ("core", "providers")
WORST = 12


def percent(pair):
    return 100.0 * pair[0] / pair[1] if pair[1] else 100.0


def told_by_gcov(notes):
    """What gcov says of one object; it names sources relative to where the compiler ran."""
    command = ["gcov", "--json-format", "--stdout", notes.name]
    done = subprocess.run(command, cwd=notes.parent, capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"gcov failed on {notes}: {done.stderr.decode(errors='replace')}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.strip()]


def lines_of(build, root, jobs):
    """For each source file: its lines, and whether each ran. A header's lines are those of all objects together."""
    notes = [path for layer in LAYERS for path in sorted((build / layer).rglob("*.gcno"))]
    files = defaultdict(dict)
    with ThreadPoolExecutor(jobs) as pool:
        for reports in pool.map(told_by_gcov, notes):
            for report in reports:
                for entry in report["files"]:
                    path = (Path(report["current_working_directory"]) / entry["file"]).resolve()
                    if not path.is_relative_to(root) or path.is_relative_to(build):
                        continue
                    lines = files[path.relative_to(root).as_posix()]
                    for line in entry["lines"]:
                        number = line["line_number"]
                        lines[number] = lines.get(number, False) or line["count"] > 0
    return {name: lines for name, lines in files.items() if name.split("/", 1)[0] in LAYERS}


def show(files, minimum):
    pairs = {name: (sum(lines.values()), len(lines)) for name, lines in files.items() if lines}
    folders, layers = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])
    for name, pair in pairs.items():
        for table, key in ((folders, name.rsplit("/", 1)[0]), (layers, name.split("/", 1)[0])):
            table[key][0] += pair[0]
            table[key][1] += pair[1]
    for key in sorted(folders):
        print(f"{percent(folders[key]):6.1f} %  {folders[key][0]:6d} of {folders[key][1]:6d}  {key}")
    print("least covered files:")
    for name in sorted(pairs, key=lambda name: percent(pairs[name]))[:WORST]:
        print(f"{percent(pairs[name]):6.1f} %  {pairs[name][0]:6d} of {pairs[name][1]:6d}  {name}")
    low = 0
    for layer in LAYERS:
        value = percent(layers[layer])
        bad = value < minimum or not layers[layer][1]
        low += bad
        print(f"line coverage of {layer}: {value:.1f} % (minimum {minimum:g} %){' TOO LOW' if bad else ''}")
    return 1 if low else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--minimum", type=float, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    root, build = options.root.resolve(), options.build.resolve()
    return show(lines_of(build, root, options.jobs), options.minimum)


if __name__ == "__main__":
    sys.exit(main())
