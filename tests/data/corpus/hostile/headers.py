# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Bundles that are fine, and bundles whose header, prerequisites or refs are not."""
import hashlib

from demo import BASEFLAT, EXPECT_REF, base, c1, c3, side
from objects import Store, copy_all, entry, header, mkpack, oid, pack_of, refdelta, varint
from register import case, change, good, scaled, std


# ---- ok: things an importer must not refuse
@case("ok-01-plain", "A0", "ok", "review", "", "one ordinary commit on the base")
def _():
    s, t = good()
    return std(s, t)


@case("ok-02-thin", "A0", "ok", "review", "", "thin pack: a delta whose base object is only in the user repository")
def _():
    s = Store()
    old = base[BASEFLAT[b"big.txt"][1]][1]
    add = b"one more line\n"
    new = old + add
    delta = varint(len(old)) + varint(len(new)) + copy_all(len(old)) + bytes([len(add)]) + add
    o = oid("blob", new)
    flat = dict(BASEFLAT)
    flat[b"big.txt"] = (b"100644", o)
    t = s._nest(flat)
    tip = s.commit(t, [c3])
    return header([(tip, EXPECT_REF)], (c3,)) + mkpack(
        [entry(k, d) for k, d in s.values()] + [refdelta(BASEFLAT[b"big.txt"][1], delta)]
    )


@case("ok-03-v3-sha1", "A0", "ok", "review", "", "version 3 bundle with the object-format=sha1 capability")
def _():
    s, t = good()
    return std(s, t, sig=b"# v3 git bundle\n", caps=("object-format=sha1",))


@case(
    "ok-04-prereq-comment", "A0", "ok", "review", "", "prerequisite line carrying a subject text (git writes those)"
)
def _():
    s, t = good()
    return std(s, t, prereq=(c3 + " third",))


@case("ok-05-unicode-paths", "A0", "ok", "review", "", "honest non-ASCII file names (NFC)")
def _():
    return change({"docs/\u00fcbersicht \u65e5\u672c.md": "text\n"})


@case("ok-06-many-small", "A0", "ok", "review", "", "1,500 new small files in one commit")
def _():
    return change({"gen/d%02d/f%03d.txt" % (n % 30, n): "v %d\n" % n for n in range(1500)})


@case("ok-07-crlf-file", "A0", "ok", "review", "", "a file with CRLF endings throughout (honest Windows file)")
def _():
    return change({"win.bat": "@echo off\r\necho hi\r\n"})


@case("ok-08-merge-own", "A0", "ok", "review", "", "merge of a commit that already is in the user repository")
def _():
    s = Store()
    t = s.files({"side.txt": "side\n"}, BASEFLAT)
    tip = s.commit(t, [c3, side], msg="merge side\n")
    return std(s, tip, prereq=(c3, side))


# ---- header
def hd(id, code, title, raw, expect="reject", threat="A1"):
    case(id, threat, expect, "header", code, title)(raw if callable(raw) else (lambda: raw))


hd("hdr-01-empty", "bundle-bad-header", "empty file", b"")
hd("hdr-02-signature", "bundle-bad-header", "wrong signature line", lambda: std(*good(), sig=b"# v9 git bundle\n"))
hd(
    "hdr-03-html",
    "bundle-bad-header",
    "an HTML error page instead of a bundle (broken download)",
    b"<!doctype html><title>502</title>\n",
)
hd(
    "hdr-04-no-blank-line",
    "bundle-bad-header",
    "header ends at end of file without the blank line",
    lambda: header([(good()[1], EXPECT_REF)], (c3,))[:-1],
)
hd(
    "hdr-05-short-oid",
    "bundle-bad-header",
    "ref line with a 39-digit object name",
    lambda: std(good()[0], None, refs=[(good()[1][:39], EXPECT_REF)]),
)
hd(
    "hdr-06-nul",
    "bundle-bad-header",
    "NUL byte inside a ref name",
    lambda: std(good()[0], None, refs=[(good()[1], EXPECT_REF + "\0/x")]),
)
hd(
    "hdr-07-crlf",
    "bundle-bad-header",
    "CRLF line ends in the header",
    lambda: header([(good()[1], EXPECT_REF)], (c3,)).replace(b"\n", b"\r\n") + pack_of(good()[0]),
)
hd(
    "hdr-08-unknown-cap",
    "bundle-capability",
    "version 3 bundle with an unknown capability",
    lambda: std(*good(), sig=b"# v3 git bundle\n", caps=("x-run=1",)),
    threat="A2",
)
hd(
    "hdr-09-filter-cap",
    "bundle-capability",
    "version 3 bundle that claims a filter: git stores its pack as a promisor pack and stops missing-object checks",
    lambda: std(*good(), sig=b"# v3 git bundle\n", caps=("filter=blob:none",)),
    threat="A2",
)
hd(
    "hdr-10-sha256",
    "bundle-object-format",
    "claims SHA-256 objects while the repository is SHA-1",
    lambda: std(*good(), sig=b"# v3 git bundle\n", caps=("object-format=sha256",)),
    threat="A2",
)
hd(
    "hdr-11-flood",
    "bundle-header-too-big",
    "header with a flood of ref lines",
    lambda: (
        lambda s, t: std(
            s, t, refs=[(t, EXPECT_REF)] + [(t, "refs/heads/x%d" % n) for n in range(scaled(20000, 1000000))]
        )
    )(*good()),
)
hd("hdr-12-no-refs", "bundle-ref-missing", "no ref line at all", lambda: std(good()[0], None, refs=[]), threat="A4")
hd(
    "hdr-13-escape-in-header",
    "bundle-bad-header",
    "terminal escape bytes in the first line (error texts that echo it are unsafe)",
    b"\x1b]0;owned\x07\x1b[2J# v2 git bundle\n\n",
)


# ---- prerequisites
@case("pre-01-unknown", "A3", "reject", "header", "bundle-prerequisite", "prerequisite commit the user does not have")
def _():
    s, t = good()
    return std(s, t, prereq=("1" * 40,))


@case(
    "pre-02-none-foreign-root",
    "A3",
    "reject",
    "history",
    "history-not-from-base",
    "no prerequisite and an unrelated root commit",
)
def _():
    s = Store()
    t = s.commit(s.files({"a": "a\n"}))
    return std(s, t, prereq=())


@case("pre-03-older", "A3", "ok", "review", "", "prerequisite is an older ancestor of the base, all objects present")
def _():
    s, t = good()
    return std(s, t, prereq=(c1,))


@case("pre-04-not-commit", "A3", "reject", "header", "bundle-prerequisite", "prerequisite names a blob")
def _():
    s, t = good()
    return std(s, t, prereq=(BASEFLAT[b"README.md"][1],))


@case("pre-05-flood", "A3", "reject", "header", "bundle-header-too-big", "flood of prerequisite lines")
def _():
    s, t = good()
    return std(s, t, prereq=tuple(hashlib.sha1(b"%d" % n).hexdigest() for n in range(scaled(20000, 500000))))


# ---- refs
def rf(id, expect, code, title, names, threat="A4", stage="header"):
    def fn():
        s, t = good()
        return std(s, t, refs=[(t, EXPECT_REF)] + [(t, n) for n in names])

    case(id, threat, expect, stage, code, title)(fn)


rf("ref-01-main", "hazard", "extra-refs", "also carries refs/heads/main", ["refs/heads/main"])
rf(
    "ref-02-HEAD",
    "ok",
    "",
    "also carries HEAD (git does that by itself when asked for HEAD)",
    ["HEAD"],
    stage="review",
)
rf("ref-03-tag", "hazard", "extra-refs", "also carries a tag (auto-following would import it)", ["refs/tags/v9.9"])
rf(
    "ref-04-replace",
    "hazard",
    "extra-refs",
    "also carries refs/replace/<base>: would rewrite what the base looks like",
    ["refs/replace/" + c3],
)
rf("ref-05-notes", "hazard", "extra-refs", "also carries refs/notes/commits", ["refs/notes/commits"])
rf(
    "ref-06-stash-remote",
    "hazard",
    "extra-refs",
    "also carries refs/stash and refs/remotes/origin/main",
    ["refs/stash", "refs/remotes/origin/main"],
)
rf("ref-10-dotdot", "reject", "bundle-bad-ref", "ref name with .. parts", ["refs/heads/../../config"], "A5")
rf("ref-11-lock", "reject", "bundle-bad-ref", "ref name ending in .lock", ["refs/heads/main.lock"], "A5")
rf("ref-12-control", "reject", "bundle-bad-ref", "ref name with ESC and TAB", ["refs/heads/a\x1b[31m\tb"], "A5")
rf("ref-13-long", "reject", "bundle-bad-ref", "ref name of 5,000 bytes", ["refs/heads/" + "a" * 5000], "A5")
rf(
    "ref-14-dash",
    "reject",
    "bundle-bad-ref",
    "ref whose short name begins with a dash (an option to naive commands)",
    ["refs/heads/--upload-pack=x"],
    "A5",
)
rf("ref-15-absolute", "reject", "bundle-bad-ref", "ref name that is an absolute path", ["/etc/passwd"], "A5")
rf(
    "ref-16-at-brace",
    "reject",
    "bundle-bad-ref",
    "ref name with @{ and one that is a bare @",
    ["refs/heads/x@{1}", "@"],
    "A5",
)
rf(
    "ref-17-pseudo",
    "reject",
    "bundle-bad-ref",
    "pseudo refs outside refs/: FETCH_HEAD, config",
    ["FETCH_HEAD", "config"],
    "A5",
)
rf(
    "ref-18-case",
    "hazard",
    "extra-refs",
    "ref differing from the expected one by case only (one file on macOS/Windows)",
    ["refs/heads/Agent/Task-1"],
    "A5",
)
rf(
    "ref-19-dirfile",
    "hazard",
    "extra-refs",
    "ref refs/heads/agent beside refs/heads/agent/task-1 (directory/file conflict)",
    ["refs/heads/agent"],
    "A5",
)
rf("ref-20-bidi", "hazard", "extra-refs", "ref name with right-to-left override", ["refs/heads/fix\u202egnp"], "A5")


@case("ref-30-missing", "A4", "reject", "header", "bundle-ref-missing", "the expected ref is not there, another is")
def _():
    s, t = good()
    return std(s, t, refs=[(t, "refs/heads/other")])


@case(
    "ref-31-duplicate", "A4", "reject", "header", "bundle-bad-ref", "the expected ref twice, with two different tips"
)
def _():
    s, t = good()
    t2 = s.commit(s.files({"src/evil.c": "int y;\n"}, BASEFLAT), [c3], msg="second tip\n")
    return std(s, t, refs=[(t, EXPECT_REF), (t2, EXPECT_REF)])


@case("ref-32-blob-tip", "A4", "reject", "tip", "tip-not-commit", "the expected ref points at a blob")
def _():
    s, t = good()
    b = s.blob("not a commit\n")
    return std(s, b)


@case("ref-33-tag-tip", "A4", "reject", "tip", "tip-not-commit", "the expected ref points at an annotated tag")
def _():
    s, t = good()
    g = s.put("tag", b"object %s\ntype commit\ntag x\ntagger A <a@b.example> 1700000000 +0000\n\nmsg\n" % t.encode())
    return std(s, g)


@case("ref-34-tip-absent", "A4", "reject", "objects", "pack-incomplete", "the tip commit is not in the pack")
def _():
    s, t = good()
    return std(s, None, refs=[("2" * 40, EXPECT_REF)])
