#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""The project speaks of itself alone: no path of one machine, no package registry's host, no word of where it is made.

The words are written with a bracket in them, so that this file does not find itself.
"""
import re

import sources

WORDS = re.compile(
    r"(?<![\w}])/(?:w[o]rk|f[a]rm|r[o]ot)/|/tmp/g[b]/|registry[.](?:npm[j]s|y[a]rnpkg)|(?:deb|security)[.]d[e]bian[.]org"
    r"|(?:archive|security)[.]ub[u]ntu[.]com|D[E]VELOPERS[.]md|\bC[E]O\b|bef[o]re-stop")
PROMISES = re.compile(r"(?://|#|/?\*).*\b(?:T[O]DO|F[I]XME|X[X]X|H[A]CK)\b")  # in comments: code may look for them
BINARY = (".png", ".ico", ".icns", ".gz", ".bundle", ".pack", ".zip", ".qm")


def check(_root, name, text):
    if name.endswith(BINARY) or name == "LICENSE":
        return
    for number, line in enumerate(text.split("\n"), 1):
        found = WORDS.search(line)
        if found:
            yield sources.Finding(name, number, f"\"{found.group(0)}\" does not belong here: {line.strip()[:120]}")
        if name.endswith(sources.CPP + sources.JS + (".sh", ".py")) and PROMISES.search(line):
            yield sources.Finding(name, number, f"a promise instead of the thing: {line.strip()[:120]}")


SAMPLES = [
    ("a.md", "as in example.com, a framework/part and a root/ folder\n", []),
    ("a.md", "\nsee /wo" + "rk/main\n", [2]),
    ("a.json", '"resolved": "https://registry.npm' + 'js.org/a"\n', [1]),
    ("a.sh", "ls /ro" + "ot/.cache\n", [1]),
    ("a.sh", "ls \"$folder/work/a\" b/work/c \"${folder}/work/d\"\n", []),
    ("a.txt", "http://deb.deb" + "ian.org/x\nthe CE" + "O says\n", [1, 2]),
    ("a.cpp", "// TO" + "DO: later\nrow(\"grep TO" + "DO\");\n", [1]),
]

if __name__ == "__main__":
    sources.run(__doc__, check, SAMPLES)
