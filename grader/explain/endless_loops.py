"""A loop that does not end, in a student's words: its condition, and the line that would end it but is not reached."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.explain.source_lines import LOOP, named_in, words_of
from grader.explain.source_text import Source, body_of, lines_between, text_of
from grader.model.scenes import Condition, Scene

CHANGES = r"\b{0}\s*(?:[-+*/&|]|<<|>>)?=(?!=)|\b{0}\s*(?:\+\+|--)|(?:\+\+|--)\s*{0}\b"
TAKES_LOCK = re.compile(r"\batomicCAS\s*\(|\bcompare_exchange_\w+\s*\(")
GIVE_BACK = (
    "Does every thread that takes the lock in line {} give it back, with atomicExch(..., 0) behind a __threadfence(), "
    "before it goes on to where others wait for it?"
)
CHANGE = "Change {} in every round of the loop, also where the condition in line {} fails."


@dataclass(frozen=True, slots=True)
class SkippedChange:
    """The only line in a loop that changes a variable of its condition, and the condition that keeps a thread out."""

    line: int
    name: str
    by: Condition


def of_endless(scene: Scene, source: Source) -> str:
    """Return the condition of a loop that does not end, and what would change that but is not reached."""
    loop = _loop(scene, source)
    words = words_of(loop, source) if loop else "" if scene.conditions else "No condition comes before."
    if skipped := _skipped(scene, source):
        words += f" Line {skipped.line}, which changes {skipped.name}, is not reached. {words_of(skipped.by, source)}"
    return words


def hint_of_endless(scene: Scene, source: Source) -> str:
    """Return what to try, where a thread waits for a lock, or does not reach a line that would end a loop."""
    skipped = _skipped(scene, source)
    line = skipped.by.line if skipped else scene.line
    if TAKES_LOCK.search(text_of(line, source)):
        return GIVE_BACK.format(line)
    return CHANGE.format(skipped.name, line) if skipped else ""


def line_of_endless(scene: Scene, source: Source) -> int:
    """Return the line without which a loop does not end, that gives it no step, or in which it or the thread is."""
    loop, skipped = _loop(scene, source), _skipped(scene, source)
    if skipped or loop is None:
        return skipped.line if skipped else scene.line
    named = named_in(scene.variables, text_of(scene.line, source))
    zeros = [each.line for each in named if each.value == "0" and each.line not in {0, scene.line}]
    return zeros[0] if len(zeros) == 1 else loop.line


def _loop(scene: Scene, source: Source) -> Condition | None:
    """Return the loop that a thread does not leave, which is in the line where it is; no loop inside."""
    held = [each for each in scene.conditions if each.line == scene.line and each.held]
    return next((each for each in held if LOOP.search(text_of(each.line, source))), None)


def _skipped(scene: Scene, source: Source) -> SkippedChange | None:
    """Return the change of a variable that a loop waits for, if a thread does not come there."""
    if (loop := _loop(scene, source)) is None:
        return None
    body = body_of(loop.line, source)
    barring = [each for each in scene.conditions if each.line in body[1:] and not each.held]
    for each in named_in(scene.variables, text_of(loop.line, source)):
        changes = lines_between(re.compile(CHANGES.format(each.name)), loop.line - 1, body.stop, source)
        by = next((by for by in barring if changes[-1:] and changes[-1] in body_of(by.line, source)), None)
        if by is not None and len(changes) == 1:
            return SkippedChange(changes[0], each.name, by)
    return None
