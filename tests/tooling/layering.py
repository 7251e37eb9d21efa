#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom. Linking does not protect the layers: a system's Qt headers are found without their library."""
import re
from pathlib import Path

import sources

# folder: what it may include beside itself
CORE = {
    "base": set(),
    "git": {"base"},
    "sandbox": {"base"},
    "settings": {"base"},
    "forges": {"base"},
    "tasks": {"base", "git"},
    "agents": {"base", "sandbox"},
    "review": {"base", "git"},
    "checks": {"base", "sandbox", "git", "review"},
    "runs": {"base", "git", "sandbox", "settings", "forges", "tasks", "agents", "review", "checks"},
}
QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)
ANGLED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>', re.M)
GUI_FOLDERS = {"QtGui", "QtWidgets", "QtSvg", "QtSvgWidgets", "QtPrintSupport", "QtOpenGL", "QtQuick", "QtQml"}
WIDGET_FOLDERS = {"QtWidgets", "QtSvgWidgets"}


def core_may(folder, target):
    if target == "core/precompiled.h":
        return False
    parts = target.split("/")
    return parts[0] == "core" and len(parts) > 2 and (parts[1] == folder or parts[1] in CORE.get(folder, set()))


def may(name, target):
    """Whether the file name may include our file target."""
    parts = name.split("/")
    if parts[0] == "tests":
        return True
    if target.startswith("tests/"):
        return False
    if parts[0] == "core":
        return len(parts) > 2 and core_may(parts[1], target)
    if parts[0] == "providers":
        if target.startswith(("core/base/", "core/sandbox/")):
            return True
        own = ("providers/",) if name == "providers/registry.cpp" else (f"providers/{parts[1]}/", "providers/common/")
        return target.startswith(own)
    if parts[0] == "app":
        return target.startswith(("app/", "core/")) or target == "providers/registry.h"
    return False


def qt_folder(header, qt_headers):
    """QtGui for <QColor>, <QtGui/QColor> and <qcolor.h>; where it lies in the headers of the Qt we build with."""
    if "/" in header:
        return header.split("/")[0]
    for folder in qt_headers:
        if Path(folder).name in GUI_FOLDERS and (Path(folder) / header).is_file():
            return Path(folder).name
    return ""


def check(root, name, text, qt_headers):
    top = name.split("/")[0]
    if not name.endswith(sources.CPP) or top not in ("app", "core", "providers", "tests"):
        return
    for match in QUOTED.finditer(text):
        target, line = match.group(1), sources.line_of(text, match.start())
        if target.endswith(".moc"):
            continue
        if not re.match(r"(app|core|providers|tests)/", target):
            yield sources.Finding(name, line, f'"{target}" is not written from the repository root')
        elif not may(name, target):
            yield sources.Finding(name, line, f"{name} may not include {target}")
    windowless = top in ("core", "providers")
    widgetless = windowless or name.startswith(("app/services.", "app/cli/"))
    for match in ANGLED.finditer(text):
        header, line = match.group(1), sources.line_of(text, match.start())
        folder = qt_folder(header, qt_headers)
        if (windowless and folder in GUI_FOLDERS) or (widgetless and folder in WIDGET_FOLDERS):
            yield sources.Finding(name, line, f"<{header}> is {folder}, which this layer does not know")
        if folder == "KSyntaxHighlighting" and not name.startswith(("app/syntax/", "tests/app/syntax/")):
            yield sources.Finding(name, line, f"<{header}>: only app/syntax knows that library")


SAMPLES = [
    ("core/git/a.cpp", '#include "core/git/a.h"\n#include "core/base/error.h"\n#include <QString>\n', []),
    ("core/base/a.cpp", '#include "core/git/bundle.h"\n', [1]),
    ("core/git/a.cpp", '\n#  include "core/review/changeset.h"\n', [2]),
    ("core/checks/a.h", '#include "core/runs/run.h"\n#include "core/review/changeset.h"\n', [1]),
    ("core/runs/a.cpp", '#include "providers/registry.h"\n#include "app/services.h"\n', [1, 2]),
    ("core/git/a.cpp", '#include "bundle.h"\n#include "../base/error.h"\n', [1, 2]),
    ("core/git/a.cpp", '#include <QtGui/QColor>\n#include <QtWidgets/qwidget.h>\n', [1, 2]),
    ("core/new/a.cpp", '#include "core/base/error.h"\n', [1]),
    ("providers/srt/a.cpp", '#include "providers/common/json.h"\n#include "core/sandbox/sandbox.h"\n', []),
    ("providers/srt/a.cpp", '#include "providers/e2b/e2b.h"\n#include "core/git/bundle.h"\n', [1, 2]),
    ("providers/common/a.cpp", '#include "providers/srt/srt.h"\n', [1]),
    ("providers/registry.cpp", '#include "providers/srt/srtprovider.h"\n', []),
    ("app/runs/a.cpp", '#include "providers/registry.h"\n#include "core/runs/run.h"\n#include <QWidget>\n', []),
    ("app/runs/a.cpp", '#include "providers/srt/srtprovider.h"\n#include "tests/support/testing.h"\n', [1, 2]),
    ("app/services.cpp", '#include <QtWidgets/QWidget>\n', [1]),
    ("app/review/a.cpp", '#include <KSyntaxHighlighting/Theme>\n', [1]),
    ("tests/core/a.cpp", '#include "providers/srt/srtprovider.h"\n#include "tst_a.moc"\n#include <QtGui/QImage>\n', []),
]
# What only the headers of a real Qt can tell.
QT_SAMPLES = [("core/base/a.cpp", "#include <QColor>\n#include <QString>\n#include <qwidget.h>\n", [1, 3])]

if __name__ == "__main__":
    sources.run(__doc__, check, SAMPLES + QT_SAMPLES, qt_headers=[])
