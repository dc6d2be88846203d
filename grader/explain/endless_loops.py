"""A loop that does not end, in a student's words: its condition, and what changes that or would."""

from __future__ import annotations

import re

from grader.explain.source_lines import LOOP, WORD, named_in, quoted, values_of, words_of
from grader.explain.source_text import Source, body_of, lines_between, text_of
from grader.model.scenes import Condition, Scene

CHANGES = r"\b{0}\s*(?:[-+*/&|]|<<|>>)?=(?!=)|\b{0}\s*(?:\+\+|--)|(?:\+\+|--)\s*{0}\b"


def of_endless(scene: Scene, source: Source) -> str:
    """Return the condition of a loop that does not end, and what changes that."""
    loop = _loop(scene, source)
    if loop is None:
        return "" if scene.conditions else "No condition comes before."
    return f"{words_of(loop, source)}{_change(scene, loop, source)[0]}"


def _change(scene: Scene, loop: Condition, source: Source) -> tuple[str, int]:
    """Return what changes a variable of a loop's condition, and the line to blame: 0 for none.

    That is this line if the thread is kept from it, or that of a step of 0.
    """
    body, header = body_of(loop.line, source), text_of(loop.line, source)
    barring = [each for each in scene.conditions if each.line in body[1:] and not each.held]
    for each in named_in(loop.variables, header):
        pattern = re.compile(CHANGES.format(each.name))
        changes, also = lines_between(pattern, loop.line, body.stop, source), pattern.search(header)
        by = next((by for by in barring if changes[-1:] and changes[-1] in body_of(by.line, source)), None)
        if by is not None and len(changes) == 1 and not also:
            return f" Line {changes[0]}, which changes {each.name}, is not reached. {words_of(by, source)}", changes[0]
        words, sets = "", changes[0] if changes else loop.line
        step = pattern.split(text_of(sets, source))[-1] if changes or also else ""
        inside = [seen for one in reversed(scene.conditions) if one.line in body for seen in one.variables]
        steps = [one for one in named_in([*inside, *loop.variables], step) if one.name != each.name]
        if changes:
            own = [one for one in steps if one.line in body or one.value == "0"]
            how = f" with {values_of(own, {one.name for one in own})}" if own else " too" if also else ""
            words = f" Line {changes[0]} inside of the loop changes {each.name}{how}{quoted(changes[0], source)}."
        zero = steps[0] if steps and all(one.value == "0" and one.line for one in steps) else None
        if zero or ("/" in step and each.name not in WORD.findall(step)):
            name, sets = (zero.name, zero.line) if zero else ("", sets)
            return f"{words}{_no_step(each.name, name, sets, source)}", sets
        if words:
            return words, 0
    return "", 0


def _no_step(counter: str, step: str, line: int, source: Source) -> str:
    """Return that the step of a loop is 0, or may be, and which one gives each thread its share of the values."""
    stays = f" With {step} = 0, {counter} stays as it is: line {line} sets {step}{quoted(line, source)}."
    words = stays if step else ""
    if "/" in text_of(line, source):
        words += " A division of whole numbers rounds down, to 0 where the divisor is larger."
    start = re.search(rf"\b{counter}\s*=[^;]{{0,200}}\bthreadIdx\.([xyz])\s*;", "\n".join(source))
    shared = " The threads begin at threadIdx.{0}: with a step of blockDim.{0}, they share the values of {1}."
    return f"{words}{shared.format(start[1], counter) if start else ''}"


def line_of_endless(scene: Scene, source: Source) -> int:
    """Return the line without which a loop does not end, that gives it no step, or in which it or the thread is."""
    if (loop := _loop(scene, source)) is None:
        return scene.line
    return _change(scene, loop, source)[1] or loop.line


def _loop(scene: Scene, source: Source) -> Condition | None:
    """Return the loop that a thread does not leave, which is in the line where it is; no loop inside."""
    held = [each for each in scene.conditions if each.line == scene.line and each.held]
    return next((each for each in held if LOOP.search(text_of(each.line, source))), None)
