# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Git objects, packs and bundle headers, written byte by byte so that they can be wrong."""
import hashlib
import struct
import zlib


T = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}


def oid(kind, data):
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)) + data).hexdigest()


class Store(dict):
    """oid -> (kind, bytes). Holds what goes into one pack."""

    def put(self, kind, data):
        o = oid(kind, data)
        self[o] = (kind, data)
        return o

    def blob(self, data):
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogateescape")
        return self.put("blob", data)

    def rawtree(self, entries):
        """entries: list of (mode-bytes, name-bytes, oid-hex), written as given: no sorting, no checks."""
        return self.put("tree", b"".join(m + b" " + n + b"\0" + bytes.fromhex(o) for m, n, o in entries))

    def tree(self, entries):
        def key(e):
            return e[1] + (b"/" if e[0] in (b"40000",) else b"")

        return self.rawtree(sorted(entries, key=key))

    def files(self, mapping, base=None):
        """mapping: path -> bytes|str | (mode, bytes|str|oid) | None (delete); base: path -> (mode, oid)."""
        flat = dict(base or {})
        for p, v in mapping.items():
            pb = p if isinstance(p, bytes) else p.encode("utf-8", "surrogateescape")
            if v is None:
                flat.pop(pb, None)
                continue
            mode = b"100644"
            if isinstance(v, tuple):
                mode, v = v
            if mode == b"160000":
                flat[pb] = (mode, v)
                continue
            flat[pb] = (mode, self.blob(v))
        return self._nest(flat)

    def _nest(self, flat):
        here, sub = [], {}
        for p, (m, o) in flat.items():
            if b"/" in p:
                d, r = p.split(b"/", 1)
                sub.setdefault(d, {})[r] = (m, o)
            else:
                here.append((m, p, o))
        for d, f in sub.items():
            here.append((b"40000", d, self._nest(f)))
        return self.tree(here)

    def commit(
        self,
        tree,
        parents=(),
        msg="work\n",
        who="Agent <agent@sandbox.example>",
        when="1700000100 +0000",
        extra=b"",
        cwho=None,
        raw=None,
    ):
        if raw is not None:
            return self.put("commit", raw)
        b = lambda s: s if isinstance(s, bytes) else s.encode("utf-8", "surrogateescape")
        d = b"tree " + tree.encode() + b"\n"
        for p in parents:
            d += b"parent " + p.encode() + b"\n"
        d += b"author " + b(who) + b" " + b(when) + b"\n"
        d += b"committer " + b(cwho or who) + b" " + b(when) + b"\n" + extra + b"\n" + b(msg)
        return self.put("commit", d)


def hdr(t, n):
    c = (t << 4) | (n & 15)
    n >>= 4
    out = bytearray()
    while n:
        out.append(c | 0x80)
        c = n & 0x7F
        n >>= 7
    out.append(c)
    return bytes(out)


def varint(n):
    out = bytearray()
    while True:
        c = n & 0x7F
        n >>= 7
        if n:
            out.append(c | 0x80)
        else:
            out.append(c)
            return bytes(out)


def entry(kind, data, level=6):
    return hdr(T[kind], len(data)) + zlib.compress(data, level)


def refdelta(base, delta):
    return hdr(7, len(delta)) + bytes.fromhex(base) + zlib.compress(delta)


def copy_all(n):
    """delta instructions copying n bytes from offset 0 (n < 65536)"""
    return bytes([0x80 | 0x01 | 0x10 | 0x20, 0, n & 255, n >> 8])


def mkpack(entries, count=None, trailer=True):
    body = b"PACK" + struct.pack(">II", 2, len(entries) if count is None else count) + b"".join(entries)
    return body + (hashlib.sha1(body).digest() if trailer is True else (trailer or b""))


def pack_of(store):
    return mkpack([entry(k, d) for k, d in store.values()])


def header(refs, prereq=(), sig=b"# v2 git bundle\n", caps=()):
    b = lambda s: s if isinstance(s, bytes) else s.encode("utf-8", "surrogateescape")
    h = (
        [sig]
        + [b"@" + b(c) + b"\n" for c in caps]
        + [b"-" + b(p) + b"\n" for p in prereq]
        + [b(o) + b" " + b(r) + b"\n" for o, r in refs]
    )
    return b"".join(h) + b"\n"
