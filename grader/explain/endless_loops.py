"""A loop that does not end, in a student's words: its condition, and what changes that or would."""

from __future__ import annotations

import re

from grader.explain.source_lines import LOOP, named_in, quoted, values_of, words_of
from grader.explain.source_text import Source, body_of, lines_between, text_of
from grader.model.scenes import Condition, NamedValue, Scene

CHANGES = r"\b{0}\s*(?:[-+*/&|]|<<|>>)?=(?!=)|\b{0}\s*(?:\+\+|--)|(?:\+\+|--)\s*{0}\b"


def of_endless(scene: Scene, source: Source) -> str:
    """Return the condition of a loop that does not end, and what changes that."""
    loop = _loop(scene, source)
    if loop is None:
        return "" if scene.conditions else "No condition comes before."
    return f"{words_of(loop, source)}{_change(scene, loop, source)[0]}"


def _change(scene: Scene, loop: Condition, source: Source) -> tuple[str, int]:
    """Return what inside of a loop changes a variable of its condition, and the line to blame: 0 for none.

    That is this line if the thread is kept from it, or that of a step of 0.
    """
    body = body_of(loop.line, source)
    barring = [each for each in scene.conditions if each.line in body[1:] and not each.held]
    for each in named_in(loop.variables, text_of(loop.line, source)):
        changes = lines_between(re.compile(CHANGES.format(each.name)), loop.line, body.stop, source)
        also = re.search(CHANGES.format(each.name), text_of(loop.line, source))
        by = next((by for by in barring if changes[-1:] and changes[-1] in body_of(by.line, source)), None)
        if by is not None and len(changes) == 1 and not also:
            return f" Line {changes[0]}, which changes {each.name}, is not reached. {words_of(by, source)}", changes[0]
        if changes:
            steps = _steps(scene, body[1:], changes[0], each.name, source)
            how = f" with {values_of(steps, {step.name for step in steps})}" if steps else " too" if also else ""
            words = f" Line {changes[0]} inside of the loop changes {each.name}{how}{quoted(changes[0], source)}."
            return words, next((step.line for step in steps if step.value == "0"), 0)
    return "", 0


def _steps(scene: Scene, body: range, line: int, name: str, source: Source) -> list[NamedValue]:
    """Return the other variables of a body that a line in it names, as they were at the last condition there."""
    inside = [each for one in reversed(scene.conditions) if one.line in body for each in one.variables]
    return [each for each in named_in(inside, text_of(line, source)) if each.line in body and each.name != name]


def line_of_endless(scene: Scene, source: Source) -> int:
    """Return the line without which a loop does not end, that gives it no step, or in which it or the thread is."""
    if (loop := _loop(scene, source)) is None:
        return scene.line
    if changed := _change(scene, loop, source)[1]:
        return changed
    named = named_in(scene.variables, text_of(scene.line, source))
    zeros = [each.line for each in named if each.value == "0" and each.line not in {0, scene.line}]
    return zeros[0] if len(zeros) == 1 else loop.line


def _loop(scene: Scene, source: Source) -> Condition | None:
    """Return the loop that a thread does not leave, which is in the line where it is; no loop inside."""
    held = [each for each in scene.conditions if each.line == scene.line and each.held]
    return next((each for each in held if LOOP.search(text_of(each.line, source))), None)
