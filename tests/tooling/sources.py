# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""What the checks of this folder share: our files, their text without comments and strings, how findings are told."""
import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

CPP = (".h", ".cpp")
JS = (".js", ".mjs")


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text}"


def tracked(root):
    """Names of our files: what git knows or would add; without git whatever is outside build folders."""
    done = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                          capture_output=True, check=False)
    if done.returncode == 0 and done.stdout:
        names = done.stdout.decode(errors="surrogateescape").split("\0")
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
    return sorted({name for name in names if name and not name.startswith(("build/", ".git/"))
                   and (root / name).is_file() and not (root / name).is_symlink()})


def read(root, name):
    return (root / name).read_text(encoding="utf-8", errors="replace")


def line_of(text, position):
    return text.count("\n", 0, position) + 1


CPP_TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|(?:u8|[uUL])?R"(?P<tag>[^()\\\s"]{0,16})\(.*?\)(?P=tag)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.S)
JS_TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`'
    r'|(?<=[(,=:\[!&|?{};])\s*/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])*/', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)


def spaces(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def blank(text, keep_directives=False):
    """C++ with comments, strings and preprocessor lines turned into spaces; every position stays what it was."""
    text = CPP_TOKENS.sub(spaces, text)
    return text if keep_directives else DIRECTIVE.sub(spaces, text)


def blank_js(text):
    return JS_TOKENS.sub(spaces, text)


def main(doc, check, samples, **options):
    """Proves the check on samples (name, text, expected lines), then runs it: check(root, name, text, **options)."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("root", type=Path)
    parser.add_argument("--qt-headers", nargs="*", default=[])
    arguments = parser.parse_args()
    if "qt_headers" in options:
        options["qt_headers"] = arguments.qt_headers
    root = arguments.root.resolve()
    wrong = 0
    for name, text, expected in samples:
        found = sorted({finding.line for finding in check(root, name, text, **options)})
        if found != expected:
            wrong += 1
            print(f"self-test: {name}: found in lines {found}, expected {expected}:\n{text}")
    if wrong:
        return 1
    names = tracked(root)
    findings = [finding for name in names for finding in check(root, name, read(root, name), **options)]
    for finding in findings:
        print(finding)
    print(f"{len(samples)} samples as expected, {len(names)} files, {len(findings)} findings")
    return 1 if findings or not names else 0


def run(*arguments, **options):
    sys.exit(main(*arguments, **options))
