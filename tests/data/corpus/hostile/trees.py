# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Trees, file names and submodules that fail fsck, or wrongly pass it."""
from demo import BASETOP, C3TREE, FIRST, base, c3
from objects import Store
from register import D, F, case, change, std, toptree


# ---- trees that fail (or wrongly pass) fsck
def tr(id, expect, code, title, *ents, threat="A13", stage="objects"):
    case(id, threat, expect, stage, code, title)(lambda: toptree(*ents))


HOOK = F(b"x", b"#!/bin/sh\necho owned\n", b"100755")
tr(
    "tree-01-dotgit",
    "reject",
    "fsck",
    "directory .git with a hook",
    D(b".git", D(b"hooks", F(b"post-checkout", b"#!/bin/sh\n", b"100755"))),
)
tr("tree-02-dotGIT", "reject", "fsck", "directory .GiT (case-folding file systems)", D(b".GiT", HOOK))
tr("tree-03-git-tilde-1", "reject", "fsck", "directory git~1 (NTFS short name)", D(b"git~1", HOOK))
tr("tree-04-hfs-zwnj", "reject", "fsck", "directory .g<U+200C>it (HFS+ ignores it)", D(".g\u200cit".encode(), HOOK))
tr(
    "tree-05-ntfs-trail",
    "reject",
    "fsck",
    'directory ".git " with trailing space (Win32 strips it)',
    D(b".git ", HOOK),
)
tr("tree-06-ntfs-dot", "reject", "fsck", 'directory ".git." (Win32 strips the dot)', D(b".git.", HOOK))
tr(
    "tree-07-ntfs-stream",
    "reject",
    "fsck",
    ".git::$INDEX_ALLOCATION (NTFS stream name)",
    D(b".git::$INDEX_ALLOCATION", HOOK),
)
tr("tree-08-dotdot", "reject", "fsck", "directory named '..'", D(b"..", HOOK))
tr("tree-09-dot", "reject", "fsck", "directory named '.'", D(b".", HOOK))
tr("tree-10-slash", "reject", "fsck", "entry name with a slash", F(b"a/b"))
tr("tree-11-empty-name", "reject", "fsck", "entry with an empty name", F(b""))
tr(
    "tree-12-backslash-git",
    "reject",
    "fsck",
    "entry a\\.git\\hooks\\x (backslash is a separator on Windows)",
    F(b"a\\.git\\hooks\\x"),
)
tr(
    "tree-13-backslash",
    "hazard",
    "path-portability",
    "entry with a backslash that is harmless to fsck",
    F(b"dir\\..\\..\\x.txt"),
    threat="A14",
    stage="review",
)
tr("tree-14-null-oid", "reject", "fsck", "entry pointing at the all-zero object name", (b"100644", b"nul", "0" * 40))
tr("tree-15-padded-mode", "reject", "fsck", "zero-padded file mode", F(b"zz", mode=b"0100644"))
tr(
    "tree-16-bad-mode",
    "reject",
    "fsck",
    "file mode 100666 (plain --strict only informs; diff and ls-tree show it as 100644)",
    F(b"zz", mode=b"100666"),
)
tr("tree-17-setuid-mode", "reject", "fsck", "file mode 104755", F(b"zz", mode=b"104755"))


@case("tree-18-duplicate", "A13", "reject", "objects", "fsck", "two entries with one name (README.md)")
def _():
    return toptree(F(b"README.md", b"other content\n"))


@case("tree-19-dup-file-dir", "A13", "reject", "objects", "fsck", "a symlink and a directory with one name")
def _():
    return toptree(F(b"hooks", b".git/hooks", b"120000"), D(b"hooks", HOOK))


@case(
    "tree-20-unsorted",
    "A13",
    "reject",
    "objects",
    "fsck",
    "tree entries out of order (hides entries from binary search)",
)
def _():
    s = Store()
    e = BASETOP[::-1]
    tip = s.commit(s.rawtree(e), [c3])
    return std(s, tip)


@case("tree-21-truncated-tree", "A13", "reject", "objects", "fsck", "tree object cut in the middle of an entry")
def _():
    s = Store()
    d0 = base[C3TREE][1][:-7]
    t = s.put("tree", d0)
    tip = s.commit(t, [c3])
    return std(s, tip)


tr(
    "tree-22-long-name",
    "hazard",
    "path-portability",
    "file name of 300 bytes (cannot be checked out on common file systems)",
    F(b"n" * 300),
    threat="A14",
    stage="review",
)
tr(
    "tree-23-case-collide",
    "hazard",
    "path-collision",
    "readme.md beside README.md",
    F(b"readme.md"),
    threat="A14",
    stage="review",
)
tr(
    "tree-24-nfc-nfd",
    "hazard",
    "path-collision",
    "same name in NFC and NFD",
    F("caf\u00e9".encode()),
    F("cafe\u0301".encode()),
    threat="A14",
    stage="review",
)
tr(
    "tree-25-windows-names",
    "hazard",
    "path-portability",
    "CON, aux.txt, name with colon, trailing dot",
    F(b"CON"),
    F(b"aux.txt"),
    F(b"a:b"),
    F(b"trail."),
    threat="A14",
    stage="review",
)
tr(
    "tree-26-gitmodules-symlink",
    "reject",
    "fsck",
    ".gitmodules is a symlink",
    F(b".gitmodules", b"../../x", b"120000"),
    threat="A15",
)
tr(
    "tree-27-gitattributes-symlink",
    "hazard",
    "symlinked-git-file",
    ".gitattributes is a symlink (git --strict only informs)",
    F(b".gitattributes", b"/etc/passwd", b"120000"),
    threat="A15",
    stage="review",
)
tr(
    "tree-28-gitignore-mailmap-symlink",
    "hazard",
    "symlinked-git-file",
    ".gitignore and .mailmap are symlinks",
    F(b".gitignore", b"/etc/passwd", b"120000"),
    F(b".mailmap", b"/etc/passwd", b"120000"),
    threat="A15",
    stage="review",
)


def gm(id, expect, code, title, text, name=b".gitmodules", stage="objects"):
    tr(id, expect, code, title, F(name, text), (b"160000", b"zsub", "5" * 40), threat="A15", stage=stage)


gm(
    "sub-01-dash-url",
    "reject",
    "fsck",
    "submodule URL beginning with a dash",
    b'[submodule "s"]\n\tpath = zsub\n\turl = --upload-pack=touch${IFS}x\n',
)
gm(
    "sub-02-dash-path",
    "reject",
    "fsck",
    "submodule path beginning with a dash",
    b'[submodule "s"]\n\tpath = -zsub\n\turl = https://git.example/x\n',
)
gm(
    "sub-03-name-dotdot",
    "reject",
    "fsck",
    "submodule name with ../",
    b'[submodule "../../hooks"]\n\tpath = zsub\n\turl = https://git.example/x\n',
)
gm(
    "sub-04-update-cmd",
    "reject",
    "fsck",
    "submodule update = !command",
    b'[submodule "s"]\n\tpath = zsub\n\turl = https://git.example/x\n\tupdate = !touch x\n',
)
gm(
    "sub-05-url-newline",
    "reject",
    "fsck",
    "submodule URL with an encoded newline (credential injection)",
    b'[submodule "s"]\n\tpath = zsub\n\turl = https://git.example/%0ahost=other.example/x\n',
)
gm(
    "sub-06-ntfs-name",
    "reject",
    "fsck",
    "GITMOD~1 with a dash URL (NTFS short name of .gitmodules)",
    b'[submodule "s"]\n\tpath = zsub\n\turl = -x\n',
    name=b"GITMOD~1",
)
gm(
    "sub-07-hfs-name",
    "reject",
    "fsck",
    ".gitmodules with U+200D inside and a dash URL",
    b'[submodule "s"]\n\tpath = zsub\n\turl = -x\n',
    name=".git\u200dmodules".encode(),
)
gm(
    "sub-08-cr-path",
    "hazard",
    "submodule-change",
    "submodule path ending in CR (CVE-2025-48384 shape)",
    b'[submodule "s"]\n\tpath = "zsub\\r"\n\turl = https://git.example/x\n'.replace(b"\\r", b"\r"),
    stage="review",
)
gm(
    "sub-09-plain",
    "hazard",
    "submodule-change",
    "well-formed new submodule pointing at a foreign host",
    b'[submodule "s"]\n\tpath = zsub\n\turl = https://git.attacker.example/x\n',
    stage="review",
)
gm(
    "sub-10-ext-url",
    "hazard",
    "submodule-change",
    "submodule URL with the ext:: transport",
    b'[submodule "s"]\n\tpath = zsub\n\turl = ext::sh -c touch% x\n',
    stage="review",
)
tr(
    "tree-30-long-attr-line",
    "reject",
    "fsck",
    ".gitattributes line of 5,000 bytes",
    F(b".gitattributes", b"*.c " + b"a" * 5000 + b"\n"),
    threat="A15",
)


@case(
    "tree-31-embedded-bare-repo",
    "A16",
    "hazard",
    "review",
    "embedded-git-repo",
    "a complete bare repository as plain files, its config runs a command through core.fsmonitor (fsck passes it)",
)
def _():
    return change(
        {
            "vendor/lib/HEAD": "ref: refs/heads/main\n",
            "vendor/lib/config": '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "echo owned >&2; false"\n',
            "vendor/lib/objects/info/.keep": "",
            "vendor/lib/refs/heads/.keep": "",
            "vendor/lib/hooks/pre-commit": (b"100755", "#!/bin/sh\n"),
        }
    )


@case(
    "tree-32-symlink-out",
    "C17",
    "hazard",
    "review",
    "symlink-escape",
    "symlinks to /etc/passwd, ../../.ssh/id_ed25519 and .git/config",
)
def _():
    return change(
        {
            "l1": (b"120000", "/etc/passwd"),
            "docs/l2": (b"120000", "../../.ssh/id_ed25519"),
            "l3": (b"120000", ".git/config"),
        }
    )


@case(
    "tree-33-file-becomes-link",
    "C17",
    "hazard",
    "review",
    "type-change",
    "README.md turns into a symlink, run.sh becomes executable",
)
def _():
    return change({"README.md": (b"120000", "LICENSE"), "run.sh": (b"100755", FIRST["run.sh"])})
