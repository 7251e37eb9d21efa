# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""The register of all cases, and the shapes that most of them share."""
import random

from demo import BASEFLAT, BASETOP, EXPECT_REF, c3
from objects import Store, header, pack_of


CASES = []
rng = random.Random(20240607)  # the same corpus each time
_scale = {"full": False}


def use_full_scale():
    _scale["full"] = True


def scaled(small, full):
    return full if _scale["full"] else small


def case(id, threat, expect, stage, code, title, kind="bundle", file="in.bundle"):
    def deco(fn):
        CASES.append(
            dict(
                id=id, threat=threat, expect=expect, stage=stage, code=code, title=title, kind=kind, file=file, fn=fn
            )
        )
        return fn

    return deco


def std(s, tip, refs=None, prereq=(c3,), pack=None, **kw):
    return header(refs if refs is not None else [(tip, EXPECT_REF)], prereq, **kw) + (
        pack if pack is not None else pack_of(s)
    )


def change(files, msg="work\n", **kw):
    """the plain case: one commit on top of c3 that changes the given files"""
    s = Store()
    t = s.files(files, BASEFLAT)
    tip = s.commit(t, [c3], msg=msg, **kw)
    return std(s, tip)


def good():
    s = Store()
    tip = s.commit(s.files({"src/new.c": "int x;\n"}, BASEFLAT), [c3])
    return s, tip


def toptree(*more, drop=()):
    """one commit whose root tree is the base tree plus raw entries, sorted"""
    s = Store()
    ents = [e for e in BASETOP if e[1] not in drop]
    for m in more:
        m = m(s) if callable(m) else m
        ents.append(m)
    tip = s.commit(s.tree(ents), [c3])
    return std(s, tip)


def F(name, data=b"x\n", mode=b"100644"):
    return lambda s: (mode, name, s.blob(data))


def D(name, *kids):
    return lambda s: (b"40000", name, s.tree([k(s) for k in kids]))
