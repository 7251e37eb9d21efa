# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Commits and histories that are not what they seem."""
from demo import BASEFLAT, FIRST, SECOND, THIRD, c2, c3, side
from objects import Store
from register import case, change, scaled, std


# ---- commits and history
@case(
    "hist-01-sibling",
    "A17",
    "reject",
    "history",
    "history-not-from-base",
    "branch forks before the base: the base commit is not an ancestor",
)
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c2])
    return std(s, t, prereq=(c2,))


@case(
    "hist-02-rewritten",
    "A17",
    "reject",
    "history",
    "history-not-from-base",
    "all history rewritten, same content, new author",
)
def _():
    s = Store()
    p = []
    for files in (FIRST, SECOND, THIRD):
        p = [s.commit(s.files(files), p, msg="re\n")]
    return std(s, p[0], prereq=())


@case(
    "hist-03-foreign-merge",
    "A18",
    "hazard",
    "review",
    "foreign-history",
    "merge commit whose second parent is an unrelated root brought along",
)
def _():
    s = Store()
    r = s.commit(
        s.files({"foreign/x.c": "int z;\n"}), [], msg="foreign root\n", who="Someone Else <else@other.example>"
    )
    t = s.commit(s.files({"foreign/x.c": "int z;\n"}, BASEFLAT), [c3, r], msg="merge\n")
    return std(s, t)


@case("hist-04-octopus", "A18", "hazard", "review", "foreign-history", "octopus merge of 40 parents")
def _():
    s = Store()
    ps = [s.commit(s.files({"o%d" % k: "x\n"}), [], msg="r%d\n" % k) for k in range(40)]
    t = s.commit(s.files({}, BASEFLAT), [c3] + ps, msg="octopus\n")
    return std(s, t)


@case(
    "hist-05-evil-merge",
    "A18",
    "hazard",
    "review",
    "merge-has-own-changes",
    "merge of two known commits that also changes a file neither side changed",
)
def _():
    s = Store()
    t = s.commit(
        s.files({"side.txt": "side\n", "src/main.c": "int main(void){return 66;}\n"}, BASEFLAT),
        [c3, side],
        msg="Merge branch side\n",
    )
    return std(s, t, prereq=(c3, side))


@case(
    "hist-06-forged-author",
    "A19",
    "hazard",
    "review",
    "author-not-agent",
    "author and committer are the user, with a fake signature header",
)
def _():
    s = Store()
    t = s.commit(
        s.files({"x": "x\n"}, BASEFLAT),
        [c3],
        who="User <user@host.example>",
        extra=b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n",
    )
    return std(s, t)


@case("hist-07-future", "A20", "hazard", "review", "odd-commit-date", "commit dated in 2099")
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c3], when="4090000000 +0000")
    return std(s, t)


@case(
    "hist-08-before-parent",
    "A20",
    "hazard",
    "review",
    "odd-commit-date",
    "commit dated 1970, before its parent (misleads date-ordered walks)",
)
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c3], when="1 +0000")
    return std(s, t)


@case("hist-09-date-overflow", "A20", "reject", "objects", "fsck", "date beyond 64 bits")
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c3], when="99999999999999999999 +0000")
    return std(s, t)


@case("hist-10-bad-timezone", "A20", "reject", "objects", "fsck", "time zone +99")
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c3], when="1700000000 +99")
    return std(s, t)


@case("hist-11-no-email", "A19", "reject", "objects", "fsck", "author line without an e-mail part")
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c3], who="Agent")
    return std(s, t)


@case(
    "hist-12-nul-in-message",
    "A19",
    "reject",
    "objects",
    "fsck",
    "NUL byte in the commit message (text after it is invisible to C strings)",
)
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c3], msg=b"fine\n\0hidden\n")
    return std(s, t)


@case("hist-13-two-authors", "A19", "reject", "objects", "fsck", "two author lines")
def _():
    s = Store()
    t0 = s.files({"x": "x\n"}, BASEFLAT)
    a = b"author A <a@b.example> 1700000000 +0000\n"
    t = s.commit(
        None,
        raw=b"tree %s\nparent %s\n" % (t0.encode(), c3.encode())
        + a
        + a
        + b"committer A <a@b.example> 1700000000 +0000\n\nm\n",
    )
    return std(s, t)


@case(
    "hist-14-huge-message",
    "A20",
    "hazard",
    "review",
    "text-truncated",
    "commit message of several megabytes, one line",
)
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c3], msg="A" * scaled(3 << 20, 64 << 20))
    return std(s, t)


@case(
    "hist-15-message-escapes",
    "B6",
    "hazard",
    "review",
    "control-characters",
    "commit message and author name with ESC, OSC 8/52, bidi override",
)
def _():
    return change(
        {"x": "x\n"},
        msg="fix \x1b]52;c;ZWNobyBvd25lZA==\x07\x1b]8;;https://attacker.example\x07docs\x1b]8;;\x07\n\n\u202etxet neddih\u202c\n",
        who="Agent\u202e <agent@sandbox.example>",
    )


@case(
    "hist-16-message-keywords",
    "D12",
    "hazard",
    "review",
    "forge-keywords",
    "message with closing keywords, mentions, [skip ci], bot commands, forged trailers",
)
def _():
    return change(
        {"x": "x\n"},
        msg="tidy\n\nFixes #1, closes other/repo#2. @org/everyone please /merge\n[skip ci]\nCo-authored-by: User <user@host.example>\nSigned-off-by: User <user@host.example>\nReviewed-by: Boss <boss@host.example>\n",
    )


@case(
    "hist-17-encoding",
    "A20",
    "hazard",
    "review",
    "text-encoding",
    "commit with encoding header UTF-7 and invalid UTF-8 in the message",
)
def _():
    s = Store()
    t = s.commit(s.files({"x": "x\n"}, BASEFLAT), [c3], extra=b"encoding UTF-7\n", msg=b"\xff\xfe+ADw-script+AD4-\n")
    return std(s, t)


@case(
    "hist-18-delete-everything",
    "C22",
    "hazard",
    "review",
    "mass-deletion",
    "commit with the empty tree: every file is gone",
)
def _():
    s = Store()
    t = s.commit(s.rawtree([]), [c3])
    return std(s, t)


@case(
    "hist-19-hide-and-revert",
    "A18",
    "hazard",
    "review",
    "content-only-in-history",
    "a secret-looking file is added and removed again: net diff is clean, history is not",
)
def _():
    s = Store()
    a = s.commit(s.files({"keys.txt": "pass" + "word=hunter2hunter2\n", "a": "a\n"}, BASEFLAT), [c3], msg="add\n")
    t = s.commit(s.files({"a": "a\n"}, BASEFLAT), [a], msg="remove\n")
    return std(s, t)
