"""How a wrong element of C came about, in a student's words: each way in which a sum may differ has one place here."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.explain.reruns import Rerun, Told
from grader.explain.source_text import SourceText
from grader.explain.tables import element_of
from grader.explain.term_counts import of_counts
from grader.explain.unstored import of_unstored
from grader.explain.wrong_terms import by_columns, of_other_sum, of_wrong_term
from grader.model.scenes import Narrowing, Story

ASSIGNED = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\]\s*)*[-+*]?=(?!=)")
SUBTRACTION = re.compile(r"\b__[fd]sub_r[nzud]\(\s*(\w+)\s*,\s*(\w+)\s*\)")
DIFFERENCE = re.compile(r"\b([A-Za-z_]\w*)\s*-\s*([A-Za-z_]\w*)\b")
FRACTIONS = "float16", "float32"
SHORTER = "Multiply and add in the type of C, not in one that keeps fewer bits or has a smaller range."


def of_story(story: Story, again: Rerun) -> Told | None:
    """Tell how an element came about; None where nothing is known of it."""
    source = again.source
    if story.narrowing:
        return _narrowed(story.narrowing, element_of(story), source)
    if story.cancelled:
        return _cancelled(story.cancelled, element_of(story), source)
    if story.is_wrong:
        told = of_other_sum(story, source) if story.sum_of else of_wrong_term(story, source)
        return replace(told, hint=told.hint or by_columns(story, again))
    if story.overlap or story.reach or not (story.stored or story.count):
        return of_unstored(story, source)
    told = of_counts(story, source)
    return told if told.sentence else None


def _narrowed(change: Narrowing, c: str, source: SourceText) -> Told:
    """Tell what changed on the way to an element of C, and where the type is declared that is too short."""
    hint = SHORTER if change.kind in FRACTIONS else "Multiply and add in the type of C."
    is_cut = change.kind not in FRACTIONS and abs(float(change.before) - float(change.after)) < 1
    kind = f"{change.kind}, which has no fractions" if is_cut else change.kind
    sentence = f"On the way to {c}, line {change.line} converts {change.before} to {kind}: that leaves {change.after}."
    declared = _declared(change.line, change.kind, source)
    return Told("shorter-type", f"{sentence}{declared}", change.line, hint)


def _cancelled(line: int, c: str, source: SourceText) -> Told:
    """Tell of a value that is subtracted from itself, and of the line that copies it."""
    sentence = f"On the way to {c}, line {line} subtracts a value from itself"
    for one, other in DIFFERENCE.findall(SUBTRACTION.sub(r"\1 - \2", source.text(line))):
        either = rf"{one}\s*=\s*{other}|{other}\s*=\s*{one}"
        if copies := source.between(re.compile(rf"\b(?:{either})\s*;"), 0, line):
            told = f"{sentence}: {one} and {other} are the same since line {copies[-1]}."
            return Told("cancelled", told, copies[-1], f"Should line {line} come before line {copies[-1]}?")
    return Told("cancelled", f"{sentence}.", line)


def _declared(line: int, kind: str, source: SourceText) -> str:
    """Return the line that declares the variable to which a line assigns, with a type that the file names if any.

    A variable that holds more is not to blame.
    """
    assigned = ASSIGNED.search(source.text(line))
    if assigned is None:
        return ""
    declares = re.compile(rf"^\s*(?:\w+\s+)+{re.escape(assigned[1])}\s*[\[;=,{{]")
    lines = source.between(declares, 0, line + 1)
    before = source.text(lines[-1]).partition(assigned[1])[0].split() if lines else ["double"]
    if "double" in before or ("float" in before and kind != "float32"):
        return ""
    types = [f" ({name} is in line {at})" for name, at in source.constants_in(lines[-1]) if name in before]
    return f" Line {lines[-1]} declares {assigned[1]}{''.join(types[:1])}."
