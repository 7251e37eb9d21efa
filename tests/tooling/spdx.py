#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Every source starts with two SPDX lines; only a line that names an interpreter or a tool's mode may stand before."""
import re

import sources

ENDINGS = sources.CPP + sources.JS + (".sh", ".py", ".cmake", ".yml", ".qss", "CMakeLists.txt", ".clang-format", ".clang-tidy",
                                      ".ci/run", "installers/bootstrap")
GIVEN = ("tests/data/", "resources/demo/")  # what tests read, and a repository that users get as theirs
HOLDER = re.compile(r"(?://|#|/\*|\*) SPDX-FileCopyrightText: \S")
LICENCE = re.compile(r"(?://|#|/\*|\*) SPDX-License-Identifier: Apache-2\.0\b")
BEFORE = re.compile(r"#!|# shellcheck |/\*\s*$")


def check(_root, name, text):
    if not name.endswith(ENDINGS) or name.startswith(GIVEN):
        return
    lines = text.split("\n")[:4]
    while lines and BEFORE.match(lines[0]):
        lines.pop(0)
    if len(lines) < 2 or not HOLDER.match(lines[0].strip()) or not LICENCE.match(lines[1].strip()):
        yield sources.Finding(name, 1, "the two SPDX lines are missing")


HEAD = " SPDX-FileCopyrightText: Glovebox contributors\n{} SPDX-License-Identifier: Apache-2.0\n"
SAMPLES = [
    ("core/a.h", "//" + HEAD.format("//") + "#pragma once\n", []),
    ("core/a.h", "#pragma once\n", [1]),
    ("core/a.h", "#pragma once\n//" + HEAD.format("//"), [1]),
    ("core/a.cpp", "//" + HEAD.format("//").replace("Apache-2.0", "MIT"), [1]),
    ("core/CMakeLists.txt", "add_library(a)\n", [1]),
    ("a.sh", "#!/bin/sh\n#" + HEAD.format("#"), []),
    ("a.sh", "#!/bin/sh\nset -eu\n", [1]),
    ("README.md", "# Glovebox\n", []),
    ("core/a.cpp", "", [1]),
]

if __name__ == "__main__":
    sources.run(__doc__, check, SAMPLES)
