#!/usr/bin/env python3
# SPDX-FileCopyrightText: Glovebox contributors
# SPDX-License-Identifier: Apache-2.0
"""No source file over 600 lines, no function over 60 (in tests 80), in C++, JavaScript, shell and Python.

A function counts from the line of its name to its closing brace, as ctags counts it.
"""
import ast
import re

import sources

FILE_LINES = 600
FUNCTION_LINES = 60
TEST_FUNCTION_LINES = 80
COUNTED = sources.CPP + sources.JS + (".sh", ".py", ".cmake", "CMakeLists.txt")

SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum)\b|\bextern\s*$")
JS_FUNCTION = re.compile(r"\bfunction\b|=>\s*$|^\s*(?:async\s+|static\s+|get\s+|set\s+|\*\s*)*[\w$#]+\s*\([^()]*\)\s*$")
JS_WORDS = re.compile(r"^\s*(?:\}?\s*else\s+)?(?:if|for|while|switch|catch|with)\b")
SHELL_FUNCTION = re.compile(r"^(?:function\s+)?([\w-]+)\s*\(\)\s*(?:\{|\()\s*$")


def is_shell(name, text):
    return name.endswith(".sh") or (text.startswith("#!") and "sh" in text.split("\n", 1)[0].split("/")[-1])


def blocks(text):
    """(position of the header, header, position of the end, depth of braces) for each brace block, inner ones first."""
    stack, start = [], 0
    for match in re.finditer(r"[{};]", text):
        sign, position = match.group(0), match.start()
        if sign == "{":
            stack.append((start, text[start:position]))
        elif sign == "}" and stack:
            begin, header = stack.pop()
            yield begin, header, position, stack
            if re.match(r"\s*[,){]", text[position + 1:position + 200]):
                start = begin  # m_member{value} before a body, or = {} in an argument: the header goes on
                continue
        start = position + 1


def is_scope(header):
    return bool(SCOPE.search(re.sub(r"<[^<>]*>", "", header.split("(")[0]))) or not header.strip()


def cpp_functions(text):
    """(position of the name, position of the end) of each function; what stands inside one belongs to it."""
    plain = sources.blank(text)
    for begin, header, end, outer in blocks(plain):
        head = re.sub(r"\[\[.*?\]\]|\bQ_[A-Z_]+\s*\([^()]*\)", sources.spaces, header)
        opening = head.find("(")
        before = head[:opening] if opening >= 0 else head
        data = re.search(r"(?<!operator)(?<![=!<>+\-*/%&|^])=\s*", before) and "operator" not in before and "[" not in head
        if opening < 0 or data or is_scope(head):
            continue
        if all(is_scope(header) for _, header in outer):
            yield begin + len(before.rstrip()) - 1, end


def js_functions(text):
    plain = sources.blank_js(text)
    for begin, header, end, _ in blocks(plain):
        if JS_FUNCTION.search(header) and not JS_WORDS.search(header):
            yield begin + len(header) - len(header.lstrip()), end


def shell_functions(text):
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if SHELL_FUNCTION.match(line):
            ends = (i for i, other in enumerate(lines[number:], number + 1) if re.match(r"[})]\s*(?:[>|&].*)?$", other))
            yield number, next(ends, len(lines))


def functions(name, text):
    """(first line, last line) of each function."""
    if name.endswith(sources.CPP + sources.JS):
        found = cpp_functions(text) if name.endswith(sources.CPP) else js_functions(text)
        for begin, end in found:
            yield sources.line_of(text, begin), sources.line_of(text, end)
    elif name.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.lineno, node.end_lineno
    elif is_shell(name, text):
        yield from shell_functions(text)


def check(_root, name, text):
    if not name.endswith(COUNTED) and not is_shell(name, text):
        return
    lines = text.count("\n")
    if lines > FILE_LINES:
        yield sources.Finding(name, lines, f"{lines} lines, more than {FILE_LINES}")
    limit = TEST_FUNCTION_LINES if name.startswith("tests/") else FUNCTION_LINES
    for first, last in functions(name, text):
        if last - first + 1 > limit:
            yield sources.Finding(name, first, f"a function of {last - first + 1} lines, more than {limit}")


def lines(count):
    return "    a();\n" * count


def function(head, count=60):
    return head + "\n{\n" + lines(count) + "}\n"


SAMPLES = [
    ("core/a.cpp", function("void f()", 57), []),
    ("core/a.cpp", function("void f()", 58), [1]),
    ("tests/a.cpp", function("void f()", 77), []),
    ("tests/a.cpp", function("void f()", 78), [1]),
    ("core/a.cpp", "namespace {\nclass A final : public B<int>\n{\npublic:\n    int f() const override\n    {\n" + lines(60)
     + "    }\n};\n}\n", [5]),
    ("core/a.cpp", function("A::A(int b)\n    : m_b(b)\n    , m_c{b}"), [1]),
    ("core/a.cpp", "[[nodiscard]] static Result<QList<int>>\nA::f(int a, // {\n     int b) noexcept\n{\n" + lines(60)
     + "}\n", [2]),
    ("core/a.cpp", function("QString f(A a = {}, B b = {})"), [1]),
    ("core/a.cpp", function("A &A::operator=(const A &other)"), [1]),
    ("core/a.cpp", "void f()\n{\n    if (a) {\n" + lines(60) + "    }\n    const char c = '{';\n}\nvoid g() {}\n", [1]),
    ("core/a.cpp", "static const Row table[] = {\n" + "    {1, f(2)},\n" * 80 + "};\n", []),
    ("core/a.cpp", 'const auto text = R"(\n' + "{ f() {\n" * 80 + ')";\nvoid g()\n{\n}\n', []),
    ("core/a.cpp", "struct A\n{\n" + "    int a() const { return 1'000; }\n" * 70 + "};\n", []),
    ("core/a.cpp", "// line\n" * 601, [601]),
    ("tests/a.mjs", "const f = async (a) => {\n" + lines(80) + "};\n", [1]),
    ("resources/a.js", "function f(a) {\n  const r = /[\"{]/;\n" + lines(60) + "}\n", [1]),
    ("resources/a.js", "class A {\n  f(a) {\n    if (a) {\n" + lines(60) + "    }\n  }\n}\n", [2]),
    ("installers/a.sh", "f() {\n" + lines(60) + "}\n", [1]),
    ("installers/a", "#!/usr/bin/env bash\nf() {\n" + lines(20) + "}\ng() {\n" + lines(20) + "}\n", []),
    ("installers/a.py", "def f():\n" + "    a()\n" * 60, [1]),
]

if __name__ == "__main__":
    sources.run(__doc__, check, SAMPLES)
