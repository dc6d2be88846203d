"""Compile errors in a LAUNCH line, in words that need no knowledge of the header."""

from __future__ import annotations

from grader.model import Fault, Limits, Verdict
from grader.model.diagnostics import LaunchFlaw, LaunchMistake

WORDS = {  # the sentence, and the hint
    LaunchFlaw.MACRO_OF_FIELD: (
        "The macro {name} replaces the field .{name} in LAUNCH.",
        "Give the macro another name.",
    ),
    LaunchFlaw.MACRO_OF_VALUE: (
        "The macro {name} replaces the value {name} of .grid_x in LAUNCH.",
        "Give the macro another name.",
    ),
    LaunchFlaw.NO_FIELD: ("LAUNCH has no field .{name}.", "Its fields are .block, .tile, .shared and .grid_x."),
    LaunchFlaw.TWICE: ("LAUNCH is used twice: first in line {before}.", "Keep one of them."),
    LaunchFlaw.AMBIGUOUS: (
        "{name} in LAUNCH is ambiguous: it is a value of .grid_x, and this file declares it too.",
        "Give your own another name.",
    ),
    LaunchFlaw.SAME_FIELD: ("A field of LAUNCH is given twice.", "Keep one of them."),
    LaunchFlaw.TOO_MANY: (
        "A field of LAUNCH has too many numbers.",
        ".block takes at most three numbers, and .tile two.",
    ),
    LaunchFlaw.DIM3: ("A field of LAUNCH takes numbers, not a dim3.", "Write them in braces: .block = {{16, 16}}."),
    LaunchFlaw.NEGATIVE: ("A number in LAUNCH is negative.", "All of them count something: write 0 or more."),
    LaunchFlaw.FRACTION: ("A number in LAUNCH is not an integer.", "Write it without a fraction."),
    LaunchFlaw.TOO_LARGE: ("A number in LAUNCH has more than 32 bits.", "A block has at most 1024 threads."),
    LaunchFlaw.NO_ORIENTATION: (
        "The value of .grid_x in LAUNCH is neither ROWS nor COLUMNS.",
        "Write .grid_x = ROWS or .grid_x = COLUMNS.",
    ),
    LaunchFlaw.NOT_CONSTANT: (
        "A number in LAUNCH is not a constant.",
        "The compiler must know it: use a macro or a constexpr instead of a variable.",
    ),
}


def launch_mistake(found: LaunchMistake, _: Limits) -> Fault:
    """Return the fault of a mistake in a LAUNCH line."""
    sentence, hint = (words.format(name=found.name, before=found.before) for words in WORDS[found.mistake])
    if found.near:
        hint = f"Did you mean .{found.near}?"
    return Fault(Verdict.COMPILE_ERROR, sentence, hint, found.line or None)
