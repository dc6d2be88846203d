"""What a sum loses on its way: by a conversion to a shorter type, or in a function's own copy of an argument. Pure."""

from __future__ import annotations

import re

from grader.explain.source_text import Source, body_of, constants_in, function_at, lines_between, text_of
from grader.model.scenes import Narrowing

ASSIGNED = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\]\s*)*[-+*]?=(?!=)")
FRACTIONS = "float16", "float32"
CHANGED = re.compile(r"(?<![\w.\]])(\w+)\s*(?:\.\s*\w+\s*|\[[^\]]*\]\s*)*(?:[-+*/]|(?=\s*=[^=]))=")
MUTABLE = re.compile(r"\[[^\]&]*\]\s*\([^()]*\)\s*mutable\b")  # a lambda that may change its copies
LONGEST_HEADER = 12  # lines


def narrowed(change: Narrowing, c: str, source: Source) -> str:
    """Return what changed on the way to an element of C, and where the type is declared that is too short."""
    kind = change.kind if change.kind in FRACTIONS else f"{change.kind}, which has no fractions"
    return (
        f"On the way to {c}, line {change.line} converts {change.before} to {kind}: that leaves {change.after}."
        f"{_declared(change.line, change.kind, source)}"
    )


def _declared(line: int, kind: str, source: Source) -> str:
    """Return the line that declares the variable to which a line assigns, with a type that the file names if any.

    A variable that holds more is not to blame.
    """
    assigned = ASSIGNED.search(text_of(line, source))
    if assigned is None:
        return ""
    declares = re.compile(rf"^\s*(?:\w+\s+)+{re.escape(assigned[1])}\s*[\[;=,{{]")
    lines = lines_between(declares, 0, line + 1, source)
    before = text_of(lines[-1], source).partition(assigned[1])[0].split() if lines else ["double"]
    if "double" in before or ("float" in before and kind != "float32"):
        return ""
    types = [f" ({name} is in line {at})" for name, at in constants_in(lines[-1], source) if name in before]
    return f" Line {lines[-1]} declares {assigned[1]}{''.join(types[:1])}."


def copied(line: int, stored: int, source: Source) -> tuple[str, int]:
    """Return how a line changes a copy of a variable, in words, and the line that makes the copy; 0 if it does not.

    A function has copies of its arguments, and a lambda of what it captures by value. Nothing if the store of the sum
    is in the same function.
    """
    for start in range(line, max(0, line - LONGEST_HEADER), -1):
        capture = MUTABLE.search(text_of(start, source))
        if (
            capture
            and line in [start, *body_of(start, source)]
            and (changed := CHANGED.search(text_of(line, source), capture.end() * (start == line)))
        ):
            return f"{changed[1]}, of which the lambda has a copy of its own: [&] captures it by reference", start
    function, start = function_at(line, source)
    changed = CHANGED.search(text_of(line, source))
    if changed is None or not function or function_at(stored, source)[0] == function:
        return "", 0
    header = " ".join(text_of(each, source) for each in range(start, start + LONGEST_HEADER)).partition("{")[0]
    by_value = re.search(rf"[(,]\s*(?:const\s+|struct\s+)*[\w:]+(?:<[^<>]*>)?\s+{changed[1]}\s*[,)]", header)
    words = f"{changed[1]}, which {function} has as a copy of its own, because it is no reference (&{changed[1]})"
    return (words, start) if by_value else ("", 0)
