# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""The user's repository, which every bundle is made against: three commits on main and a side branch."""
from objects import Store


EXPECT_REF = "refs/heads/agent/task-1"  # the one ref the app asked the sandbox for
USER = "User <user@host.example>"
FIRST = {
    "README.md": "# demo\n",
    "src/main.c": "int main(void){return 0;}\n",
    "src/util.py": "def add(a, b):\n    return a + b\n",
    "tests/test_util.py": "from src.util import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_neg():\n    assert add(-1, -2) == -3\n",
    "package.json": '{\n  "name": "demo",\n  "version": "1.0.0",\n  "scripts": {"test": "node --test"}\n}\n',
    "LICENSE": "MIT License\n\nCopyright (c) 2024 Demo\n",
    "run.sh": "#!/bin/sh\nexit 0\n",
    "big.txt": "".join("line %d\n" % n for n in range(2000)),
}
SECOND = {**FIRST, "src/main.c": "int main(void){return 1;}\n"}
THIRD = {**SECOND, "docs/guide.md": "guide\n"}
base = Store()
c1 = base.commit(base.files(FIRST), msg="first\n", who=USER, when="1690000000 +0000")
c2 = base.commit(base.files(SECOND), [c1], msg="second\n", who=USER, when="1690000100 +0000")
c3 = base.commit(base.files(THIRD), [c2], msg="third\n", who=USER, when="1690000200 +0000")
side = base.commit(
    base.files({**SECOND, "side.txt": "side\n"}), [c2], msg="side branch\n", who=USER, when="1690000300 +0000"
)


def entries(tree):
    """(mode, name, object) of each entry of a tree"""
    data, start = base[tree][1], 0
    while start < len(data):
        space = data.index(b" ", start)
        nul = data.index(b"\0", space)
        yield data[start:space], data[space + 1 : nul], data[nul + 1 : nul + 21].hex()
        start = nul + 21


def flatten(tree, prefix=b""):
    """path -> (mode, object) of each file below a tree"""
    flat = {}
    for mode, name, o in entries(tree):
        if mode == b"40000":
            flat.update(flatten(o, prefix + name + b"/"))
        else:
            flat[prefix + name] = (mode, o)
    return flat


C3TREE = base[c3][1].split(b"\n")[0][5:].decode()
BASEFLAT = flatten(C3TREE)
BASETOP = list(entries(C3TREE))
