#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over our sources with what a build made by g++ recorded, several at once.

The recorded commands name options and a precompiled header that clang does not know: they are taken out, and the
precompiled header is made once more by clang, one for each set of options. A file that was clean is not checked
again until it, one of our headers that it includes, an option, the configuration or clang-tidy changes: what was
clean is remembered in a folder of this machine, and in a record that comes with the sources, because checking all of
them takes longer than all other checks. --write-record brings that up to date, --all looks at neither.
"""
import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.M)
NOT_FOR_CLANG = {"-fcoroutines", "-Winvalid-pch", "-Werror", "--coverage", "-fprofile-update=atomic"}
# The analyzer takes the memory as freed before the class's own operator delete, which frees it, has run: each weak
# pointer that dies would be a finding, and none at a line of ours.
FALSE_ALARM = re.compile(r"/\S*/qsharedpointer_impl\.h:\d+:\d+: error: Use of memory after it is freed ")


def real_findings(text):
    """(the findings but for false alarms, how many of those there were)"""
    found = [one for one in re.split(r"(?m)^(?=\S+:\d+:\d+: (?:error|warning): )", text) if one.strip()]
    real = [one for one in found if not FALSE_ALARM.match(one)]
    return "".join(real), len(found) - len(real)


def clang_arguments(entry):
    """The options of a recorded command that clang needs, and the header that stands for its precompiled one."""
    words, kept, header = iter(shlex.split(entry["command"])[1:]), [], None
    for word in words:
        if word == "-include":
            header = next(words)
        elif word in ("-o", "-c"):
            next(words)
        elif word not in NOT_FOR_CLANG and not word.startswith(("-fsanitize", "-fno-sanitize", "-O", "-g")):
            kept.append(word)
    return tuple(kept), header


def included(root, path, seen):
    """Our own files that path includes, however deep."""
    if path in seen or not path.is_file():
        return seen
    seen.add(path)
    for name in INCLUDE.findall(path.read_bytes()):
        for folder in (root, path.parent):
            target = folder / os.fsdecode(name)
            if target.is_file():
                included(root, target, seen)
                break
    return seen


class Tidy:
    def __init__(self, options):
        self.options = options
        self.root = options.root.resolve()
        self.scratch = Path(tempfile.mkdtemp(prefix="tidy-"))
        self.lock = threading.Lock()
        self.headers = {}
        self.clean = []
        self.recorded = set()
        if options.record and options.record.exists():
            self.recorded = {line.split()[0] for line in options.record.read_text().splitlines() if line.strip()}
        version = subprocess.run([options.clang_tidy, "--version"], capture_output=True, check=True).stdout
        self.common = version + (self.root / ".clang-tidy").read_bytes() + FALSE_ALARM.pattern.encode()

    def digest(self, source, arguments):
        whole = hashlib.sha256(self.common)
        options = " ".join(arguments).replace(str(self.options.build.resolve()), "BUILD")
        options = options.replace(str(self.options.cache.resolve().parent), "CACHE")
        whole.update(options.replace(str(self.root), "").encode())
        for path in sorted(included(self.root, source, set()) | {self.root / "core/precompiled.h"}):
            whole.update(str(path.relative_to(self.root)).encode() + b"\0" + path.read_bytes() + b"\0")
        return whole.hexdigest()[:24]

    def precompiled(self, arguments, header):
        """One precompiled header of clang's for each set of options; made by whoever comes first."""
        with self.lock:
            if arguments not in self.headers:
                made = self.scratch / f"{len(self.headers)}.pch"
                text = Path(header).read_text(encoding="utf-8")
                plain = self.scratch / f"{len(self.headers)}.h"
                plain.write_text(text, encoding="utf-8")
                command = [self.options.clang, "-x", "c++-header", *arguments, "-w", "-o", made, plain]
                subprocess.run(command, check=True)
                self.headers[arguments] = made
            return self.headers[arguments]

    def check(self, entry):
        """Answers (source, seconds, text); seconds is None when it was known to be clean."""
        source = Path(entry["file"])
        arguments, header = clang_arguments(entry)
        digest = self.digest(source, arguments)
        stamp = self.options.cache / digest
        if not self.options.all and (stamp.exists() or digest in self.recorded):
            stamp.touch()
            self.clean.append((str(source.relative_to(self.root)), digest))
            return source, None, ""
        start = time.monotonic()
        extra = ["-include-pch", str(self.precompiled(arguments, header))] if header else []
        command = [self.options.clang_tidy, "--quiet", f"--header-filter=^{re.escape(str(self.root))}/(app|core|providers)/",
                   str(source), "--", *arguments, *extra, "-Wno-unknown-warning-option"]
        done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)
        text, false_alarms = real_findings(done.stdout)
        if done.returncode not in (0, 1) or (done.returncode == 1 and (text or not false_alarms)):
            text += done.stderr or f"clang-tidy ended with {done.returncode}"
        if not text.strip():
            stamp.touch()
            self.clean.append((str(source.relative_to(self.root)), digest))
        return source, time.monotonic() - start, text

    def sources(self):
        entries = json.loads((self.options.build / "compile_commands.json").read_text())
        wanted = [str(self.root / folder) + os.sep for folder in self.options.folders]
        generated = str(self.options.build.resolve()) + os.sep
        found = {}
        for entry in entries:
            if entry["file"].startswith(tuple(wanted)) and not entry["file"].startswith(generated):
                found[entry["file"]] = entry
        return [found[name] for name in sorted(found)]

    def run(self):
        self.options.cache.mkdir(parents=True, exist_ok=True)
        entries, bad, checked = self.sources(), 0, 0
        with ThreadPoolExecutor(self.options.jobs) as pool:
            for source, seconds, text in pool.map(self.check, entries):
                checked += seconds is not None
                if text.strip():
                    bad += 1
                    print(text.replace(str(self.root) + os.sep, ""))
                if seconds is not None and self.options.verbose:
                    print(f"{seconds:6.1f} s  {source.relative_to(self.root)}", flush=True)
        if self.options.write_record:
            lines = [f"{digest} {name}\n" for name, digest in sorted(self.clean)]
            self.options.record.write_text("".join(lines), encoding="utf-8")
        print(f"clang-tidy: {len(entries)} files, {checked} checked now, {bad} with findings")
        return 1 if bad or not entries else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--clang", default="clang++-16")
    parser.add_argument("--clang-tidy", default="clang-tidy-16")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--write-record", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("folders", nargs="*", default=["app", "core", "providers"])
    tidy = Tidy(parser.parse_args())
    try:
        return tidy.run()
    finally:
        subprocess.run(["rm", "-rf", str(tidy.scratch)], check=False)


if __name__ == "__main__":
    sys.exit(main())
