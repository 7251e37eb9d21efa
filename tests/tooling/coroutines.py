#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""Statements with co_await that g++ 12 miscompiles into use after free, coroutines that outlive their captures, and
nested event loops outside tests."""
import re

import sources

LOOPS = re.compile(r"\bQEventLoop\b|\bprocessEvents\s*\(|\bwaitFor(?:Finished|Started|ReadyRead|BytesWritten|Done)?\s*\(")
EXEC = re.compile(r"(?:\.|->)exec\s*\(\s*\)")
CAPTURING = re.compile(r"\[\s*([^\]\s][^\]]*)\]\s*\([^{};]*\)\s*(?:mutable\s*)?(?:noexcept\s*)?->\s*QCoro::Task\b")


def statements(name, text):
    for match in re.finditer(r"\bco_await\b", text):
        end = text.find(";", match.end())
        rest = text[match.end():end if end >= 0 else len(text)]
        line = sources.line_of(text, match.start())
        for sign in "[{?":
            if sign in rest:
                yield sources.Finding(name, line, f"'{sign}' between co_await and ';': name the argument first")
                break
        if re.search(r"\bco_await\b", rest):
            yield sources.Finding(name, line, "two co_await in one statement")


def loops(name, text, whole):
    outside = name.startswith(("app/", "core/", "providers/")) and not name.startswith(("app/main/", "app/cli/"))
    if not outside:
        return
    patterns = [LOOPS] if "<QSqlQuery>" in whole else [LOOPS, EXEC]
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield sources.Finding(name, sources.line_of(text, match.start()), f"nested event loop: {match.group(0)}")


def check(_root, name, text):
    if not name.endswith(sources.CPP):
        return
    plain = sources.blank(text)
    yield from statements(name, plain)
    yield from loops(name, plain, text)
    for match in CAPTURING.finditer(plain):
        yield sources.Finding(name, sources.line_of(plain, match.start()), "a lambda with captures is a coroutine")


SAMPLES = [
    ("core/a.cpp", "const auto r = co_await f(a, std::move(b));\nauto x = y[0];\n", []),
    ("core/a.cpp", 'co_await f(QStringLiteral("[{?")); // [\n', []),
    ("core/a.cpp", "\nco_await f(list[0]);\n", [2]),
    ("core/a.cpp", "co_await f(Options{1});\n", [1]),
    ("core/a.cpp", "co_await f(a ? b : c);\n", [1]),
    ("core/a.cpp", "a();\nconst auto r = co_await f(\n    first,\n    {second});\n", [2]),
    ("tests/a.cpp", "while (co_await g()) {\n}\n", [1]),
    ("core/a.cpp", "const int x = co_await g() + co_await h();\n", [1]),
    ("core/a.cpp", "if (auto r = co_await g(); !r) {\n}\n", []),
    ("core/a.cpp", "auto f = [this](int a) -> QCoro::Task<void> { co_return; };\n", [1]),
    ("core/a.cpp", "auto f = [](int a) -> QCoro::Task<void> { co_return; };\n", []),
    ("core/a.cpp", "QEventLoop loop;\nloop.exec();\n", [1, 2]),
    ("core/a.cpp", "process.waitForFinished();\n", [1]),
    ("core/a.cpp", "#include <QSqlQuery>\nstatement.exec();\n", []),
    ("app/runs/a.cpp", "dialog->exec();\nQCoro::waitFor(f());\n", [1, 2]),
    ("app/main/a.cpp", "return application.exec();\n", []),
    ("tests/a.cpp", "QVERIFY(process.waitForFinished());\n", []),
]

if __name__ == "__main__":
    sources.run(__doc__, check, SAMPLES)
