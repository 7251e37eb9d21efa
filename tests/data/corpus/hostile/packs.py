# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Packs that are corrupt, incomplete or far too much."""
import hashlib
import struct
import zlib

from demo import BASEFLAT, BASETOP, C3TREE, c3
from objects import Store, copy_all, entry, hdr, mkpack, oid, pack_of, refdelta, varint
from register import case, good, scaled, std


# ---- pack level
@case("pack-01-truncated", "A9", "reject", "pack", "pack-corrupt", "pack cut in the middle")
def _():
    s, t = good()
    b = std(s, t)
    return b[:-60]


@case(
    "pack-02-bitflip",
    "A9",
    "reject",
    "pack",
    "pack-corrupt",
    "one flipped bit inside a compressed object, checksum recomputed",
)
def _():
    s, t = good()
    p = bytearray(pack_of(s)[:-20])
    p[len(p) // 2] ^= 0x10
    p = bytes(p)
    return std(s, t, pack=p + hashlib.sha1(p).digest())


@case("pack-03-trailer", "A9", "reject", "pack", "pack-corrupt", "wrong pack checksum")
def _():
    s, t = good()
    return std(s, t, pack=pack_of(s)[:-20] + b"\0" * 20)


@case("pack-04-garbage-after", "A9", "reject", "pack", "pack-corrupt", "bytes after the end of the pack")
def _():
    s, t = good()
    return std(s, t) + b"TRAILING GARBAGE" * 8


@case("pack-05-none", "A9", "reject", "pack", "pack-corrupt", "header only, no pack")
def _():
    s, t = good()
    return std(s, t, pack=b"")


@case(
    "pack-06-count-lie",
    "A7",
    "reject",
    "limits",
    "pack-too-many-objects",
    "pack header promises 4,294,967,295 objects",
)
def _():
    s, t = good()
    return std(s, t, pack=mkpack([entry(k, d) for k, d in s.values()], count=0xFFFFFFFF))


@case("pack-07-version", "A9", "reject", "pack", "pack-corrupt", "pack version 99")
def _():
    s, t = good()
    p = pack_of(s)[:-20]
    p = p[:4] + struct.pack(">I", 99) + p[8:]
    return std(s, t, pack=p + hashlib.sha1(p).digest())


@case("pack-08-type0", "A9", "reject", "pack", "pack-corrupt", "object of the reserved types 0 and 5")
def _():
    s, t = good()
    return std(
        s,
        t,
        pack=mkpack(
            [entry(k, d) for k, d in s.values()]
            + [hdr(5, 3) + zlib.compress(b"abc"), hdr(0, 3) + zlib.compress(b"abc")]
        ),
    )


@case(
    "pack-10-zip-bomb",
    "A6",
    "reject",
    "limits",
    "object-too-big",
    "one blob of zeros: tiny compressed, huge inflated",
)
def _():
    n = scaled(192, 4096) << 20
    co = zlib.compressobj(9)
    z = b"\0" * (1 << 20)
    h = hashlib.sha1(b"blob %d\0" % n)
    parts = []
    for _k in range(n >> 20):
        h.update(z)
        parts.append(co.compress(z))
    parts.append(co.flush())
    o = h.hexdigest()
    s = Store()
    flat = dict(BASEFLAT)
    flat[b"bomb.bin"] = (b"100644", o)
    tip = s.commit(s._nest(flat), [c3])
    return std(s, tip, pack=mkpack([entry(k, d) for k, d in s.values()] + [hdr(3, n) + b"".join(parts)]))


@case("pack-11-many-objects", "A7", "reject", "limits", "pack-too-many-objects", "very many tiny blobs in one pack")
def _():
    s = Store()
    n = scaled(60000, 3000000)
    ents = []
    for k in range(n):
        ents.append((b"100644", b"%07d" % k, s.blob(b"%d" % k)))
    tip = s.commit(s._nest({**BASEFLAT, **{b"many/" + e[1]: (e[0], e[2]) for e in ents}}), [c3])
    return std(s, tip)


@case(
    "pack-12-delta-chain",
    "A8",
    "reject",
    "limits",
    "delta-chain-too-deep",
    "a chain of deltas, each on the one before",
)
def _():
    s = Store()
    n = scaled(3000, 60000)
    cur = b"start\n" * 8
    b0 = s.blob(cur)
    prev = b0
    ents = []
    for k in range(n):
        add = b"%06d\n" % k
        new = cur[:48] + add
        delta = varint(len(cur)) + varint(len(new)) + copy_all(48) + bytes([len(add)]) + add
        ents.append(refdelta(prev, delta))
        prev = oid("blob", new)
        cur = new
    tip = s.commit(s._nest({**BASEFLAT, **{b"chain.txt": (b"100644", prev)}}), [c3])
    return std(s, tip, pack=mkpack([entry(k, d) for k, d in s.values()] + ents))


@case(
    "pack-13-delta-size-lie",
    "A8",
    "reject",
    "pack",
    "pack-corrupt",
    "delta that claims a result of 3 GiB (unbounded allocation in libgit2 before 1.8.6/1.9.5)",
)
def _():
    s, t = good()
    b0 = s.blob("base object\n" * 4)
    n = len(s[b0][1])
    return std(
        s,
        t,
        pack=mkpack([entry(k, d) for k, d in s.values()] + [refdelta(b0, varint(n) + varint(3 << 30) + copy_all(n))]),
    )


@case(
    "pack-14-size-lie",
    "A9",
    "reject",
    "pack",
    "pack-corrupt",
    "object header claims fewer bytes than the stream holds",
)
def _():
    s, t = good()
    return std(s, t, pack=mkpack([entry(k, d) for k, d in s.values()] + [hdr(3, 10) + zlib.compress(b"y" * 1000)]))


@case("pack-15-delta-cycle", "A8", "reject", "pack", "pack-corrupt", "two deltas that name each other as base")
def _():
    s, t = good()
    a, b = oid("blob", b"A" * 30), oid("blob", b"B" * 30)
    dl = varint(30) + varint(30) + copy_all(30)
    return std(s, t, pack=mkpack([entry(k, d) for k, d in s.values()] + [refdelta(a, dl), refdelta(b, dl)]))


@case(
    "pack-16-duplicate-object",
    "A9",
    "reject",
    "pack",
    "pack-corrupt",
    "the same object twice in one pack (--strict refuses it, the lenient mode does not)",
)
def _():
    s, t = good()
    e = [entry(k, d) for k, d in s.values()]
    return std(s, t, pack=mkpack(e + e[:1]))


@case("pack-17-missing-blob", "A10", "reject", "objects", "pack-incomplete", "tree names a blob nobody has")
def _():
    s = Store()
    tip = s.commit(s._nest({**BASEFLAT, **{b"ghost.txt": (b"100644", "3" * 40)}}), [c3])
    return std(s, tip)


@case("pack-18-missing-parent", "A10", "reject", "objects", "pack-incomplete", "commit whose parent nobody has")
def _():
    s = Store()
    tip = s.commit(s.files({}, BASEFLAT), ["4" * 40])
    return std(s, tip)


@case(
    "pack-19-type-confusion",
    "A10",
    "reject",
    "objects",
    "pack-incomplete",
    "tree entry says directory, object is a blob",
)
def _():
    s = Store()
    b = s.blob("i am a file\n")
    tip = s.commit(s.tree(BASETOP + [(b"40000", b"zdir", b)]), [c3])
    return std(s, tip)


@case(
    "pack-20-stowaway",
    "A11",
    "hazard",
    "objects",
    "unreachable-objects",
    "extra objects no ref reaches (would sit in the user object store for good)",
)
def _():
    s, t = good()
    s.blob("stowaway payload\n" * 100)
    s.commit(s.files({"hidden": "x\n"}), [], msg="hidden root\n")
    return std(s, t)


@case(
    "pack-21-tree-bomb",
    "A7",
    "reject",
    "limits",
    "tree-too-many-entries",
    "nested trees sharing one subtree: ten objects, ten billion paths",
)
def _():
    s = Store()
    t = s.tree([(b"100644", b"f%d" % k, s.blob("boom\n")) for k in range(10)])
    for _k in range(9):
        t = s.tree([(b"40000", b"d%d" % k, t) for k in range(10)])
    tip = s.commit(s.tree(BASETOP + [(b"40000", b"zz", t)]), [c3])
    return std(s, tip)


@case(
    "pack-22-deep-tree",
    "A7",
    "reject",
    "limits",
    "path-too-deep",
    "directories nested thousands deep (recursion, PATH_MAX)",
)
def _():
    s = Store()
    t = s.tree([(b"100644", b"f", s.blob("deep\n"))])
    for _k in range(scaled(5000, 100000)):
        t = s.tree([(b"40000", b"d", t)])
    tip = s.commit(s.tree(BASETOP + [(b"40000", b"zz", t)]), [c3])
    return std(s, tip)


@case(
    "pack-23-wide-tree",
    "A7",
    "hazard",
    "review",
    "large-change",
    "one directory with very many entries that share one blob",
)
def _():
    s = Store()
    b = s.blob("same\n")
    t = s.tree([(b"100644", b"%08d" % k, b) for k in range(scaled(40000, 2000000))])
    tip = s.commit(s.tree(BASETOP + [(b"40000", b"wide", t)]), [c3])
    return std(s, tip)


@case("pack-24-commit-flood", "A7", "hazard", "review", "many-commits", "a flood of empty commits")
def _():
    s = Store()
    p = c3
    for k in range(scaled(3000, 200000)):
        p = s.commit(C3TREE, [p], msg="c %d\n" % k)
    return std(s, p)
