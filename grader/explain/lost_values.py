"""What a sum loses on its way: by a conversion to a shorter type, or in a function's own copy of an argument. Pure."""

from __future__ import annotations

import re

from grader.explain.source_text import Source, constants_in, function_at, lines_between, text_of
from grader.model.scenes import Narrowing

ASSIGNED = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\]\s*)*[-+*]?=(?!=)")
FRACTIONS = "float16", "float32"
CHANGED = re.compile(r"(?<![\w.\]])(\w+)\s*(?:\.\s*\w+\s*|\[[^\]]*\]\s*)*(?:[-+*/]|(?=\s*=[^=]))=")
LONGEST_HEADER = 12  # lines


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


def copied_parameter(line: int, stored: int, source: Source) -> tuple[str, str, int]:
    """Return the parameter that a line changes, its function and that one's line, if the function has a copy of it.

    Nothing if the store of the sum is in the same function.
    """
    function, start = function_at(line, source)
    changed = CHANGED.search(text_of(line, source))
    if changed is None or not function or function_at(stored, source)[0] == function:
        return "", "", 0
    header = " ".join(text_of(each, source) for each in range(start, start + LONGEST_HEADER)).partition("{")[0]
    by_value = re.search(rf"[(,]\s*(?:const\s+|struct\s+)*[\w:]+(?:<[^<>]*>)?\s+{changed[1]}\s*[,)]", header)
    return (changed[1], function, start) if by_value else ("", "", 0)
