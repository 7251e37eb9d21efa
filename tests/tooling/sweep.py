# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Looks for the tests' made-up secrets where none may be: files, packed git objects, databases, command lines.

usage: sweep.py FOLDER...

Suites keep their folders when GLOVEBOX_KEEP_TESTS names a folder (a short path):

    mkdir /tmp/kept && GLOVEBOX_KEEP_TESTS=/tmp/kept ctest --preset dev
    python3 tests/tooling/sweep.py /tmp/kept /dev/shm /var/tmp /var/log

"bootstrap test --checks" does that.

A marker is looked for as it is, in base64 at each of its three alignments, in hexadecimal and URL-encoded. Exit code 1
names each place, 2 says that nothing could be read. Before it looks, the script proves on samples that it finds them.
"""
import argparse
import base64
import pathlib
import re
import sys
import tempfile
import urllib.parse
import zlib

# The fixed middle of each suite's markers: tst_agentruns, tst_outcomes, the contract's C41. Not tst_realagents', which
# has no sandbox: codex writes its variables into its own folder, and that goes with a run's sandbox.
MARKERS = ["Zq9" + "MARKER", "Zq9-" + "MARKER-77c1e2", "contract" + "-secret-"]
LARGEST = 1 << 30
PACK = b"PACK"
STREAM = re.compile(b"\x78[\x01\x5e\x9c\xda]")


def forms(marker):
    """The byte strings that give a marker away, with the name of the form."""
    raw = marker.encode()
    found = {"plain": raw, "hexadecimal": raw.hex().encode(), "url": urllib.parse.quote(marker, safe="").encode()}
    for shift in range(3):
        # Only what does not depend on the neighbours: whole groups of three bytes.
        body = raw[(3 - shift) % 3:]
        body = body[:len(body) // 3 * 3]
        found[f"base64 at {shift}"] = base64.b64encode(body)
    return found


def unpacked(data):
    """The contents of every zlib stream in a pack or a loose object; deltas come as they are."""
    at = data.find(PACK) if PACK in data[:4096] else 0
    if at < 0 or (not at and data[:1] != b"\x78" and not data.startswith(PACK)):
        return
    view = memoryview(data)
    while head := STREAM.search(data, at):
        at = head.start()
        stream = zlib.decompressobj()
        try:
            yield stream.decompress(view[at:])
            at = len(data) - len(stream.unused_data) if stream.eof else at + 1
        except zlib.error:
            at += 1


def look(data, needles):
    return sorted({f"{marker} ({form})" for marker, form, needle in needles if needle in data})


def sweep_file(path, needles):
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
            return []
        data = path.read_bytes()
    except OSError:
        return []
    found = look(data, needles)
    for content in unpacked(data):
        found += [f"{hit}, packed" for hit in look(content, needles)]
    return found


def sweep(folders, markers):
    needles = [(marker, form, needle) for marker in markers for form, needle in forms(marker).items()]
    hits, read = [], 0
    for folder in folders:
        for path in pathlib.Path(folder).rglob("*"):
            read += path.is_file()
            hits += [f"{path}: {hit}" for hit in sweep_file(path, needles)]
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            hits += [f"{entry}: {hit}" for hit in look(entry.read_bytes(), needles)]
        except OSError:
            continue
    return hits, read


def prove():
    """Each form, in a file of its own, is found; a clean one is not."""
    marker = "marker" + "-of-the-sweep-0123"
    with tempfile.TemporaryDirectory() as folder:
        samples = {"plain": marker.encode(), "url": urllib.parse.quote(f"a/{marker}").encode(),
                   "zlib": zlib.compress(f"blob 9\0{marker}".encode()),
                   "pack": PACK + b"\0\0\0\2\0\0\0\1\x99\1" + zlib.compress(marker.encode()),
                   "hex": marker.encode().hex().encode()}
        for shift in range(3):
            samples[f"base64-{shift}"] = base64.b64encode(b"x" * shift + marker.encode() + b"y")
        for name, data in samples.items():
            pathlib.Path(folder, name).write_bytes(data)
        pathlib.Path(folder, "clean").write_bytes(b"nothing " + zlib.compress(b"nothing"))
        hits, _ = sweep([folder], [marker])
        seen = {pathlib.Path(hit.split(":")[0]).name for hit in hits}
        return sorted(set(samples) ^ seen)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folders", nargs="*")
    options = arguments.parse_args()
    wrong = prove()
    if wrong:
        print(f"the sweep itself fails on: {', '.join(wrong)}")
        return 2
    if not options.folders:
        print("the sweep finds every form; name folders to search them")
        return 0
    hits, read = sweep(options.folders, MARKERS)
    print("\n".join(hits + [f"{len(hits)} places in {read} files"]))
    return 1 if hits else 0 if read else 2


if __name__ == "__main__":
    sys.exit(main())
