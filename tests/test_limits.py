"""Modules and functions stay short enough to be read at once, and types say what they are."""

from __future__ import annotations

import ast
import re

from tests.test_architecture import PATHS, nodes

MODULES = {name: path.read_text(encoding="utf-8") for name, path in PATHS.items()}
LONGEST_MODULE = 250
LONGEST_FUNCTION = 40
MOST_ANY = 40  # lines


def test_no_module_is_too_long():
    lengths = {name: len(text.splitlines()) for name, text in MODULES.items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_no_function_is_too_long():
    lengths = {
        f"{name}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for name in PATHS
        for node in nodes(name)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_few_types_are_any():
    lines = [line for text in MODULES.values() for line in text.splitlines() if re.search(r"\bAny\b", line)]
    assert len(lines) <= MOST_ANY, "\n".join(lines)
