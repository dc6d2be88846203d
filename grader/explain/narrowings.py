"""A value that changed when it was converted to a shorter type, in a student's words."""

from __future__ import annotations

import re

from grader.explain.source_text import Source, constants_in, lines_between, text_of
from grader.model.scenes import Narrowing

ASSIGNED = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\]\s*)*[-+*]?=(?!=)")
FRACTIONS = "float16", "float32"


def narrowed(change: Narrowing, c: str, source: Source) -> str:
    """Return what a conversion changed on the way to an element of C, and where its type is declared."""
    kind = change.kind if change.kind in FRACTIONS else f"{change.kind}, which has no fractions"
    return (
        f"On the way to {c}, line {change.line} converts {change.before} to {kind}: that leaves {change.after}."
        f"{_declared(change.line, source)}"
    )


def _declared(line: int, source: Source) -> str:
    """Return the line that declares the variable to which a line assigns, with a type that the file names if any."""
    assigned = ASSIGNED.search(text_of(line, source))
    if assigned is None:
        return ""
    declares = re.compile(rf"^\s*(?:\w+\s+)+{re.escape(assigned[1])}\s*[\[;=,{{]")
    lines = lines_between(declares, 0, line + 1, source)
    if not lines:
        return ""
    before = text_of(lines[-1], source).partition(assigned[1])[0].split()
    types = [f" ({name} is in line {at})" for name, at in constants_in(lines[-1], source) if name in before]
    return f" Line {lines[-1]} declares {assigned[1]}{''.join(types[:1])}."
