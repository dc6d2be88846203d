"""Changes of one line with which a kernel was right when it ran again, in a student's words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.explain.macros import broken_macro
from grader.explain.source_text import Source, text_of
from grader.model import Fault
from grader.model.remedies import Remedy

MOST_LINES = 2  # with more, they tell little
IN_WORDS = {"up": "with a division that rounds up", "fma": "with the operands of fma() in another order (a * b + c)",
            "sizeof": "without the size of an element (pointers count elements)"}  # fmt: skip


def with_changes(fault: Fault, changes: Sequence[Remedy], source: Source) -> Fault:
    """Return the fault with the changes that make the kernel right, as its hint, and their line."""
    by_line: dict[int, str] = {}
    for each in changes:
        if words := _words(each, source):
            by_line.setdefault(each.line, words)
    if not 0 < len(by_line) <= MOST_LINES or broken_macro(source):
        return fault
    tried = ", or ".join(f"{words} in line {line}" for line, words in by_line.items())
    hint = f"{tried[0].upper()}{tried[1:]}, every element of C was right in a trial, also with other inputs."
    return replace(fault, hint=hint, line=fault.line if fault.line in by_line else next(iter(by_line)))


def _words(change: Remedy, source: Source) -> str:
    """Return a change in words; nothing if its line does not have what would be changed."""
    was, instead = change.was, change.instead
    if known := IN_WORDS.get(instead or was):
        return known
    if instead.startswith("times "):
        return f"with a step that is {instead.removeprefix('times ')} times as large"
    if not re.search(rf"(?<![\w<>=+*/-]){re.escape(was)}(?![\w<>=])", text_of(change.line, source)):
        return ""
    return f"with {instead} instead of {was}"
