# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Whole repositories, for tests of how the application runs git on the host."""
import os
import subprocess
import zlib

from demo import BASEFLAT, base, c2, c3, side
from objects import oid
from register import CASES, rng


# ---- repositories: for tests of how the app runs git on the host
def rp(id, threat, code, title, expect="hazard"):
    def deco(fn):
        CASES.append(
            dict(
                id=id,
                threat=threat,
                expect=expect,
                stage="review",
                code=code,
                title=title,
                kind="repo",
                file="repo.git",
                fn=fn,
            )
        )
        return fn

    return deco


def _mkrepo(path, config):
    subprocess.run(["git", "init", "-q", "--bare", path], check=True)
    open(os.path.join(path, "config"), "a").write(config)


@rp(
    "repo-01-config-exec",
    "D1",
    "config-exec",
    "repository whose config names commands (fsmonitor, sshCommand, alias, pager, external diff, credential helper, hooksPath); all would only create a file named OWNED",
)
def _(d):
    _mkrepo(
        d,
        '[core]\n\tfsmonitor = "touch OWNED; false"\n\tsshCommand = "touch OWNED; false"\n\tpager = "touch OWNED; cat"\n\thooksPath = hooks-evil\n\teditor = "touch OWNED; false"\n[diff]\n\texternal = "touch OWNED; true"\n[alias]\n\tst = "!touch OWNED"\n[credential]\n\thelper = "!touch OWNED"\n[gpg]\n\tprogram = ./owned.sh\n[filter "x"]\n\tclean = touch OWNED\n\tsmudge = touch OWNED\n\trequired = true\n',
    )
    h = os.path.join(d, "hooks-evil")
    os.makedirs(h)
    for n in (
        "pre-push",
        "post-checkout",
        "reference-transaction",
        "post-merge",
        "pre-commit",
        "post-rewrite",
        "pre-auto-gc",
        "post-index-change",
    ):
        p = os.path.join(h, n)
        open(p, "w").write("#!/bin/sh\ntouch OWNED\nexit 0\n")
        os.chmod(p, 0o755)


@rp(
    "repo-02-alternates",
    "D2",
    "alternates",
    "repository whose objects/info/alternates names another path on the host",
)
def _(d):
    _mkrepo(d, "")
    os.makedirs(os.path.join(d, "objects", "info"), exist_ok=True)
    open(os.path.join(d, "objects", "info", "alternates"), "w").write(
        "/nonexistent/secret/objects\n../../../elsewhere/objects\n"
    )


@rp(
    "repo-03-planted-object",
    "A12",
    "hash-mismatch",
    "loose object stored under the name of another object (collision stand-in)",
)
def _(d):
    _mkrepo(d, "")
    o = BASEFLAT[b"README.md"][1]
    data = b"# evil\n"
    p = os.path.join(d, "objects", o[:2])
    os.makedirs(p, exist_ok=True)
    open(os.path.join(p, o[2:]), "wb").write(zlib.compress(b"blob %d\0" % len(data) + data))


@rp(
    "repo-04-replace-graft",
    "A21",
    "replace-refs",
    "repository with refs/replace and info/grafts that change what the base looks like",
)
def _(d):
    _mkrepo(d, "")
    for o, (k, data) in base.items():
        subprocess.run(
            ["git", "-C", d, "hash-object", "-w", "--stdin", "-t", k],
            input=data,
            stdout=subprocess.DEVNULL,
            check=True,
        )
    subprocess.run(["git", "-C", d, "update-ref", "refs/heads/main", c3], check=True)
    subprocess.run(["git", "-C", d, "update-ref", "refs/replace/" + c2, side], check=True)
    os.makedirs(os.path.join(d, "info"), exist_ok=True)
    open(os.path.join(d, "info", "grafts"), "w").write(c3 + "\n")


@rp(
    "repo-05-truncated-loose",
    "A9",
    "object-corrupt",
    "loose object cut short (power loss stand-in): libgit2 up to 1.9.7 loops for ever when it reads it",
    expect="reject",
)
def _(d):
    _mkrepo(d, "")
    data = bytes(rng.randrange(256) for _k in range(100000))
    o = oid("blob", data)
    p = os.path.join(d, "objects", o[:2])
    os.makedirs(p, exist_ok=True)
    open(os.path.join(p, o[2:]), "wb").write(zlib.compress(b"blob %d\0" % len(data) + data)[:1000])
    open(os.path.join(d, "OBJECT"), "w").write(o + "\n")
