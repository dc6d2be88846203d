"""Compile errors in a LAUNCH line, in words that need no knowledge of the header. Pure.

Only the wording of an error that the compiler printed is replaced. The text of the submission is hostile: every pattern
reads it once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

FIELDS = ("block", "tile", "shared", "grid_x")
ORIENTATIONS = ("ROWS", "COLUMNS")
EXPANDED = "__LabLaunch __lab_launch = {"  # what the macro LAUNCH of lab.h becomes
INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"](?:[\w./]{0,200}/)?lab\.h[>\"]", re.MULTILINE)
USE = re.compile(r"[ \t]*LAUNCH\b")
OF_GRID_X = 'entity of type "__lab_names::LabGridX"'
AMBIGUOUS = re.compile(r'__lab_scope::(?P<name>ROWS|COLUMNS)" is ambiguous')
NO_FIELD = re.compile(r'class "__LabLaunch" has no field "(?P<field>\w{1,100})"')
BEFORE = re.compile(r"already been defined \(previous definition at line (?P<line>\d{1,9})\)")
ORDER = "Write them in this order: .block, .tile, .shared, .grid_x. Those that you do not need can be left out."
INITIALIZERS = (  # words of the compiler, the sentence, and the hint
    ("out-of-order initializers", "The fields of LAUNCH are in the wrong order.", ORDER),
    ("duplicate designator", "A field of LAUNCH is given twice.", "Keep one of them."),
    (
        "too many initializer values",
        "A field of LAUNCH has too many numbers.",
        ".block takes at most three numbers, and .tile two.",
    ),
    ('from "dim3" to', "A field of LAUNCH takes numbers, not a dim3.", "Write them in braces: .block = {16, 16}."),
    ("change of sign", "A number in LAUNCH is negative.", "All of them count something: write 0 or more."),
    *(
        (f'narrowing conversion from "{kind}"', "A number in LAUNCH is not an integer.", "Write it without a fraction.")
        for kind in ("double", "float")
    ),
    ("resulted in truncation", "A number in LAUNCH has more than 32 bits.", "A block has at most 1024 threads."),
    (
        OF_GRID_X,
        "The value of .grid_x in LAUNCH is neither ROWS nor COLUMNS.",
        "Write .grid_x = ROWS or .grid_x = COLUMNS.",
    ),
)


@dataclass(frozen=True, slots=True)
class LaunchMistake:
    """What is wrong, as a sentence, what to try, and the line to change."""

    sentence: str
    hint: str
    line: int


def launch_mistake(content: bytes, line: int, text: str, quoted: str) -> LaunchMistake | None:
    """Return the mistake behind an error in a line of the submission `content`; None if it is another mistake.

    `text` is the compiler's message, and `quoted` the source line that it prints below, with macros expanded.
    """
    start = _start(content, line)
    if USE.match(quoted) and not INCLUDE.search(content, 0, start):
        sentence = "LAUNCH is unknown, because lab.h is not included above it."
        return LaunchMistake(sentence, "Add the line #include <lab.h> at the top of the file.", line)
    if EXPANDED not in quoted:
        return None
    return _macro(content, start, text, quoted) or _initializer(line, text)


def _macro(content: bytes, start: int, text: str, quoted: str) -> LaunchMistake | None:
    """Return the mistake of a macro that replaces a field, or the value of .grid_x, in the LAUNCH at `start`."""
    written = content[start : content.find(b";", start)].decode("utf-8", "replace")
    values = quoted.partition(EXPANDED)[2]
    fields = [(name, rf"\.[ \t]*{name}\b", f"the field .{name}") for name in FIELDS]
    if OF_GRID_X in text:
        fields += [(name, rf"\.grid_x[ \t]*=[ \t]*{name}\b", f"the value {name} of .grid_x") for name in ORIENTATIONS]
    for name, pattern, replaced in fields:
        defined = _definition(content, name, start)
        if defined and re.search(pattern, written) and not re.search(pattern, values):
            sentence = f"The macro {name} replaces {replaced} in LAUNCH."
            return LaunchMistake(sentence, "Give the macro another name.", defined)
    return None


def _initializer(line: int, text: str) -> LaunchMistake | None:
    """Return the mistake in the fields themselves."""
    if unknown := NO_FIELD.search(text):
        near = get_close_matches(unknown["field"], FIELDS, 1)
        hint = f"Did you mean .{near[0]}?" if near else "Its fields are .block, .tile, .shared and .grid_x."
        return LaunchMistake(f"LAUNCH has no field .{unknown['field']}.", hint, line)
    if before := BEFORE.search(text):
        return LaunchMistake(f"LAUNCH is used twice: first in line {before['line']}.", "Keep one of them.", line)
    if own := AMBIGUOUS.search(text):
        sentence = f"{own['name']} in LAUNCH is ambiguous: it is a value of .grid_x, and this file declares it too."
        return LaunchMistake(sentence, "Give your own another name.", line)
    known = ((sentence, hint) for words, sentence, hint in INITIALIZERS if words in text)
    return next((LaunchMistake(sentence, hint, line) for sentence, hint in known), None)


def _definition(content: bytes, name: str, end: int) -> int | None:
    """Return the line of the macro's last definition before `end`; None if there is none."""
    define = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+{name}\b".encode(), re.MULTILINE)
    starts = [match.start() for match in define.finditer(content, 0, end)]
    return content.count(b"\n", 0, starts[-1]) + 1 if starts else None


def _start(content: bytes, line: int) -> int:
    """Return where the line, from 1, begins."""
    return sum(len(row) + 1 for row in content.split(b"\n", line - 1)[: line - 1])
