#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""English has both forms of every text with a count, and no other text: what lupdate finds now is what the file holds.

usage: plurals.py ROOT LUPDATE
"""
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

FILE = "translations/glovebox_en.ts"
PLACES = re.compile(r"%(?:n|[1-9])")


def messages(text):
    """{(context, source): (type of the translation, its forms)}"""
    found = {}
    for context in xml.fromstring(text).iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.iter("numerusform")]
            found[context.findtext("name"), message.findtext("source")] = (translation.get("type"), forms)
    return found


def problems(ours, now):
    """What is wrong with our messages, when lupdate made `now` of them."""
    for (context, source), (kind, forms) in now.items():
        where = f"{context}: \"{source}\""
        if (context, source) not in ours:
            yield f"{where} is missing"
        elif kind is not None or len(forms) != 2 or not all(forms):
            yield f"{where} needs both forms"
        else:
            for form in forms:
                if sorted(PLACES.findall(form)) != sorted(PLACES.findall(source)):
                    yield f"{where} has other places than \"{form}\""
                if "(s)" in form or "(es)" in form:
                    yield f"{where} is no English: \"{form}\""
    for context, source in ours.keys() - now.keys():
        yield f"{context}: \"{source}\" is no text of ours any more"


def sample(*rows):
    return {("A", source): (None, list(forms)) for source, *forms in rows}


SAMPLES = [
    (sample(("%n file(s)", "%n file", "%n files")), sample(("%n file(s)", "%n file", "%n files")), 0),
    ({}, sample(("%n file(s)", "", "")), 1),
    (sample(("%n file(s)", "", "")), sample(("%n file(s)", "", "")), 1),
    (sample(("%n of %1", "%n", "%n of %1")), sample(("%n of %1", "%n", "%n of %1")), 1),
    (sample(("%n x(s)", "%n x(s)", "%n xs")), sample(("%n x(s)", "%n x(s)", "%n xs")), 1),
    (sample(("gone %n", "a %n", "b %n")), {}, 1),
]


def main():
    root, lupdate = Path(sys.argv[1]), sys.argv[2]
    for ours, now, count in SAMPLES:
        found = list(problems(ours, now))
        if len(found) != count:
            sys.exit(f"the check itself is wrong: {ours} and {now} gave {found}")
    text = (root / FILE).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.ts"
        shutil.copyfile(root / FILE, copy)
        subprocess.run([lupdate, "-silent", "-I", root, "-pluralonly", "-no-obsolete", "-locations", "none",
                        root / "app", root / "core", root / "providers", "-ts", copy], check=True,
                       stderr=subprocess.DEVNULL)
        now = messages(copy.read_text(encoding="utf-8"))
    found = sorted(problems(messages(text), now))
    print("\n".join(found))
    print(f"{len(SAMPLES)} samples as expected, {len(now)} texts, {len(found)} findings")
    sys.exit(1 if found or not now else 0)


if __name__ == "__main__":
    main()
