#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Prints the line coverage of core and providers from gcovr's JSON, and fails where a layer is below the minimum."""
import json
import sys
from collections import defaultdict

WORST = 12


def percent(pair):
    return 100.0 * pair[0] / pair[1] if pair[1] else 100.0


def counted(report):
    """For each file: lines run, lines that could run."""
    files = {}
    for entry in report["files"]:
        lines = [line for line in entry["lines"] if not line.get("gcovr/noncode")]
        files[entry["file"]] = (sum(line["count"] > 0 for line in lines), len(lines))
    return files


def main(name, minimum):
    with open(name, encoding="utf-8") as stream:
        files = counted(json.load(stream))
    folders, layers = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])
    for path, pair in files.items():
        for table, key in ((folders, path.rsplit("/", 1)[0]), (layers, path.split("/", 1)[0])):
            table[key][0] += pair[0]
            table[key][1] += pair[1]
    for key in sorted(folders):
        print(f"{percent(folders[key]):6.1f} %  {folders[key][0]:6d} of {folders[key][1]:6d}  {key}")
    print("least covered files:")
    for path in sorted((path for path in files if files[path][1]), key=lambda path: percent(files[path]))[:WORST]:
        print(f"{percent(files[path]):6.1f} %  {files[path][0]:6d} of {files[path][1]:6d}  {path}")
    low = 0
    for key in ("core", "providers"):
        value = percent(layers[key])
        low += value < minimum
        print(f"line coverage of {key}: {value:.1f} % (minimum {minimum:g} %){' TOO LOW' if value < minimum else ''}")
    return 1 if low or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
