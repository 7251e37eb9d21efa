#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Shows measurements as a table: benchtable.py JSON-FILE-OR-EMPTY ROWS…; each line of ROWS is one JSON object.

Keys are target, repo, value, limit, unit and ok (of the suite "contract": backend, case, result and reason); a row
without "ok" gets it from value and limit. Fails when a row is not ok.
"""
import json
import sys
from pathlib import Path


def read(names):
    rows = []
    for name in names:
        for line in Path(name).read_text(encoding="utf-8").splitlines():
            if not line.strip():
                continue
            row = json.loads(line)
            if "value" in row and "ok" not in row:
                row["ok"] = row.get("limit") is None or row["value"] <= row["limit"]
            rows.append(row)
    return rows


def text(value):
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "NO"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def show(rows):
    columns = list(dict.fromkeys(key for row in rows for key in row))
    table = [columns] + [[text(row.get(key)) for key in columns] for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(columns))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def main(target, names):
    rows = read(names)
    if not rows:
        print("no measurement gave a row", file=sys.stderr)
        return 1
    show(rows)
    if target:
        Path(target).write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if all(row.get("ok", True) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
