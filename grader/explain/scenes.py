"""What a failed launch did, in a student's words: the variables, the condition that let a thread through, the terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from grader.contract.messages import Replayed
from grader.explain.lost_terms import FRACTIONS
from grader.explain.outside_scenes import limits, line_of_guard, of_outside, to_stay_inside
from grader.explain.reruns import Rerun, with_changes
from grader.explain.source_lines import (
    LOOP,
    WORD,
    condition_in,
    guard_of,
    led_to,
    named_in,
    values_of,
    words_of,
)
from grader.explain.source_text import (
    Source,
    called_in,
    is_launched_by_lab,
    number_of,
    shared_array,
    text_of,
)
from grader.explain.stopped_hints import INDEX_HINT
from grader.explain.stories import HEADS, TO_TRY, kind_of, line_of, of_story, rows
from grader.explain.traced import WHO, sizes_of, stores
from grader.model import Fault, Verdict
from grader.model.expressions import ExpressionError, whole
from grader.model.findings import Misaligned
from grader.model.matrices import MATRICES
from grader.model.scenes import Condition, Scene
from grader.ptxsim.records.traced import UnsetVariable

MATRIX = re.compile(r"\b[ABC](?=\[)|(?<=\bof )[ABC]\b|(?<=\boutside )[ABC]\b|(?<=\()[ABC](?= has)")
FLOAT = 4  # bytes
MOST_CALLED = 2  # functions and macros
# How hints begin that are given where nothing is known.
EDGE = "Only the edge is wrong"
GENERAL = "Write down the terms", "Zero is stored", "Every element is NaN.", EDGE, INDEX_HINT
SHORTER = "Multiply and add in the type of C, not in one that keeps fewer bits or has a smaller range."
ROUNDED = "The values are close but "
NEVER_WRITTEN = "These elements are never written."
UNSET = (
    "The kernel reads elements of shared memory that no thread has written.",
    "The kernel computes with a variable or an element that was never set.",
)


def detailed(fault: Fault, replayed: Replayed, again: Rerun) -> Fault:
    """Return the fault with what a launch shows that ran again, and what would make it right."""
    return with_changes(_shown(fault, replayed, again), replayed.changes, again.source)


def _shown(fault: Fault, replayed: Replayed, again: Rerun) -> Fault:
    """Return the fault with what a launch shows, instead of a hint for where nothing is known."""
    scene, story, source = replayed.scene, replayed.story, again.source
    hint = "" if fault.hint.startswith(GENERAL) else fault.hint
    if names := _names(replayed):
        fault, hint = replace(fault, sentence=_with_names(fault.sentence, names)), _with_names(hint, names)
    if scene is not None and (sentence := of_scene(scene, fault.verdict, again)):
        sentence = f"{fault.sentence} {sentence}"
        line = _guilty(scene, fault.verdict, again) or fault.line or scene.line or None
        hint = hint.removesuffix(WHO) if scene.kept_out or scene.stores else hint  # that is told
        if fault.verdict is Verdict.TIMEOUT:
            hint = _to_end(scene, source) or hint
        if fault.verdict in {Verdict.OUT_OF_BOUNDS, Verdict.CRASHED}:
            sentence += _called((scene,), source, scene.conditions[-1].line if scene.conditions else 0)
        if fault.verdict is Verdict.OUT_OF_BOUNDS and line:
            hint = hint or to_stay_inside(scene, line, again)
        return replace(fault, sentence=sentence, hint=hint, line=line, scene=scene)
    if story is not None and (sentence := of_story(story, source)):
        hint = "" if hint.startswith(ROUNDED) and not story.narrowing else hint  # terms differ
        line, diagnosis = fault.line or line_of(story, source) or None, fault.diagnosis if hint else kind_of(story)
        sentence = f"{fault.sentence} {sentence}{_called((story.scene, story.reader), source, line or 0)}"
        hint = "" if (story.scene or story.reach) and hint.startswith(NEVER_WRITTEN) else hint
        hint = "" if story.stale and hint.startswith(UNSET) else hint
        hint = hint or (fault.hint if story.stale and fault.hint.startswith(EDGE) else TO_TRY.get(kind_of(story), ""))
        hint = SHORTER if story.narrowing and story.narrowing.kind in FRACTIONS else hint
        return replace(fault, sentence=sentence, hint=hint, line=line, story=story, diagnosis=diagnosis)
    return fault


def _called(scenes: Iterable[Scene | None], source: Source, led: int = 0) -> str:
    """Return where the functions and macros are that the lines of scenes call, or that to which a story has led."""
    known = [scene for scene in scenes if scene]
    lines = [led] + [line for scene in known for line in (scene.line, *(each.line for each in led_to(scene, source)))]
    found = dict(called for line in lines for called in called_in(line, source))
    told = [f"{name}() is in line {at}" for name, at in found.items()][:MOST_CALLED]
    return f" {' and '.join(told)}." if told else ""


def _names(replayed: Replayed) -> dict[str, str]:
    """Return what the code calls the matrices, where that is something else."""
    known = dict(zip(MATRICES, replayed.story.names, strict=True)) if replayed.story else {}
    if replayed.scene and not replayed.scene.called:  # the kernel's own parameters
        known = {each.value: each.name for each in replayed.scene.variables if each.value in MATRICES and not each.line}
    return {matrix: name for matrix, name in known.items() if matrix != name}


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names of the code for the matrices, where no letter is a word."""
    return MATRIX.sub(lambda found: names.get(found[0], found[0]), text)


def _guilty(scene: Scene, verdict: Verdict, again: Rerun) -> int:
    """Return the line that led to where a thread failed; 0 where that is not known."""
    match verdict:
        case Verdict.UNSET_MEMORY:
            if isinstance(again.finding, UnsetVariable):
                return scene.variables[0].line or scene.line
            lines = [line for _, line in sizes_of(again)] if is_launched_by_lab(again.source) else []
            return scene.kept_out.line if scene.kept_out else next(iter((*lines, *scene.stores)), 0)
        case Verdict.TIMEOUT | Verdict.BARRIER:
            return scene.line
        case Verdict.OUT_OF_BOUNDS:
            return line_of_guard(scene, again)
    return 0


Table = tuple[str, tuple[str, ...], Sequence[tuple[str, ...]]]
"""A title, the heads of the columns, and the rows."""


def tables(fault: Fault) -> list[Table]:
    """Return what a launch shows that ran again, as tables."""
    scene = fault.scene or (fault.story.scene if fault.story else None)
    found: list[Table] = []
    if fault.story and fault.story.terms:
        c = f"{fault.story.names[2]}[{fault.story.row}][{fault.story.column}]"
        terms: Table = f"The sum of {c}, as it was computed", HEADS, rows(fault.story)
        found.append(terms)
    if scene and scene.variables:
        values: list[tuple[str, ...]] = [
            (each.name, each.value, f"line {each.line}" if each.line else "") for each in scene.variables
        ]
        title = f"Thread {scene.thread} of block {scene.block} in line {scene.line}"
        found.append((title, ("variable", "value", "declared in"), values))
    return found


def of_scene(scene: Scene, verdict: Verdict, again: Rerun) -> str:
    """Return the variables of the line at which a thread failed, and the condition that let it through."""
    if verdict is Verdict.OUT_OF_BOUNDS:
        return of_outside(scene, again)
    named = named_in(scene.variables, text_of(scene.line, again.source))
    declared = {each.name for each in named if each.line != scene.line} if verdict is Verdict.TIMEOUT else set[str]()
    values = f"In line {scene.line}, {values_of(named, declared)}.{limits(named, again)}" if named else ""
    if verdict is Verdict.UNSET_MEMORY:
        return f"{values} {stores(scene, again)}".strip()
    guard = _endless(scene, again.source) if verdict is Verdict.TIMEOUT else guard_of(scene, (), again.source)
    words = words_of(guard, again.source) if guard else "" if scene.conditions else "No condition comes before."
    return f"{values} {words}{_uneven_rows(scene, again)}".strip()


def _endless(scene: Scene, source: Source) -> Condition | None:
    """Return the loop that a thread does not leave, which is in the line where it is; no loop inside."""
    held = [each for each in scene.conditions if each.line == scene.line and each.held]
    return next((each for each in held if LOOP.search(text_of(each.line, source))), None)


def _to_end(scene: Scene, source: Source) -> str:
    """Return what to try where all variables in the condition of an endless loop are as they were a turn before.

    Parameters are none of these.
    """
    if (loop := _endless(scene, source)) is None:
        return ""
    text = condition_in(loop.line, source)
    named = set(WORD.findall(text.split(";")[1] if text.count(";") > 1 else text))
    own = list(dict.fromkeys(each.name for each in loop.variables if each.line and each.name in named))
    if not own or not set(own) <= set(scene.steady):
        return ""
    same = f"{' and '.join(own)} had the same value{'s' * (len(own) > 1)} in the turn before"
    return f"{same}: change {own[0]} in each turn of the loop, as ++{own[0]} does."


def _uneven_rows(scene: Scene, again: Rerun) -> str:
    """Return how long the rows of a shared array of floats are if vectors in them have no addresses of their size."""
    size = again.finding.size if isinstance(again.finding, Misaligned) else FLOAT
    for name in WORD.findall(text_of(scene.line, again.source)) if size > FLOAT else ():
        line = shared_array(name, again.source)
        found = re.search(rf"\bfloat\s+.*\b{name}\s*\[[^;]*\]\s*\[([^]]+)\]", text_of(line, again.source))
        known = {each: number_of(each, line, again.source) for each in WORD.findall(found[1])} if found else {"": 0}
        with suppress(ExpressionError):
            if found and all(known.values()) and (row := whole(found[1], known)) * FLOAT % size:
                return f" Line {line} declares {name} with rows of {row} floats, which are no multiple of {size} bytes."
    return ""
