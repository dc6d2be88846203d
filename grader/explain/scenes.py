"""What a failed launch did, in a student's words: the variables, the condition that let a thread through, the terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.contract.messages import Replayed
from grader.explain.source_lines import Source, beyond_of, guard_of, named_in, text_of, values_of
from grader.explain.stopped_hints import INDEX_HINT
from grader.explain.stories import HEADS, kind_of, line_of, of_story, rows
from grader.model import Fault, Verdict
from grader.model.scenes import Scene

# How hints begin that are given where nothing is known.
GENERAL = ("No typical mistake", "Zero is stored.", "Every element is NaN.", "Only the edge is wrong", INDEX_HINT)


def detailed(fault: Fault, replayed: Replayed, source: Source, elsewhere: str = "") -> Fault:
    """Return the fault with what a launch shows that ran again, instead of a hint for where nothing is known.

    `elsewhere` is the size of that launch, if it is another one.
    """
    scene, story, at = replayed.scene, replayed.story, f"At {elsewhere}: " if elsewhere else ""
    hint = "" if fault.hint.startswith(GENERAL) else fault.hint
    if scene is not None and (sentence := of_scene(scene, fault.verdict, source)):
        return replace(fault, sentence=f"{fault.sentence} {at}{sentence}", hint=hint, scene=scene)
    if story is not None and (sentence := of_story(story, source)):
        line, diagnosis = fault.line or line_of(story) or None, fault.diagnosis if hint else kind_of(story)
        sentence = f"{fault.sentence} {at}{sentence}"
        return replace(fault, sentence=sentence, hint=hint, line=line, story=story, diagnosis=diagnosis)
    return fault


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
        values: list[tuple[str, ...]] = [(each.name, each.value, str(each.line or "")) for each in scene.variables]
        title = f"Thread {scene.thread} of block {scene.block} in line {scene.line}"
        found.append((title, ("variable", "value", "declared in line"), values))
    return found


def of_scene(scene: Scene, verdict: Verdict, source: Source) -> str:
    """Return the variables of the line at which a thread failed, and the condition that let it through."""
    named = named_in(scene.variables, text_of(scene.line, source))
    values = f"In line {scene.line}, {values_of(named, beyond_of(named))}." if named else ""
    guard = "" if verdict is Verdict.UNSET_MEMORY else guard_of(scene, named, source)
    return f"{values} {guard}".strip()
