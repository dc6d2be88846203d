"""What a failed launch did, in a student's words: the variables, the condition that let a thread through, the terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.contract.messages import Replayed
from grader.explain.source_lines import LOOP, WORD, Bounds, guard_of, named_in, values_of, words_of
from grader.explain.source_text import (
    NO_LAUNCH,
    Source,
    constants_in,
    is_launched_by_lab,
    launch_of,
    shared_array,
    text_of,
)
from grader.explain.stopped_hints import INDEX_HINT
from grader.explain.stories import HEADS, kind_of, line_of, of_story, rows
from grader.model import Fault, Shape, Verdict
from grader.model.findings import Room, Space
from grader.model.scenes import Condition, Scene

if TYPE_CHECKING:
    from grader.contract.found import Finding

# How hints begin that are given where nothing is known.
GENERAL = ("No typical mistake", "Zero is stored.", "Every element is NaN.", "Only the edge is wrong", INDEX_HINT)


@dataclass(frozen=True, slots=True)
class Rerun:
    """A launch that ran again: its source, its size, what was found before, and whether that was at another size."""

    source: Source
    shape: Shape
    finding: Finding | None = None
    elsewhere: bool = False

    @property
    def prefix(self) -> str:
        return f"At {self.shape}: " if self.elsewhere else ""

    @property
    def room(self) -> Room | None:
        """The shared array that was left."""
        room = getattr(self.finding, "beside", None)
        return room if isinstance(room, Room) and room.space is Space.SHARED else None

    @property
    def bounds(self) -> Bounds:
        sides = {self.shape.M, self.shape.N, self.shape.K}
        return Bounds(sides, self.room.extent // self.room.element if self.room and self.room.element else 0)


def detailed(fault: Fault, replayed: Replayed, again: Rerun) -> Fault:
    """Return the fault with what a launch shows that ran again, instead of a hint for where nothing is known."""
    scene, story, source = replayed.scene, replayed.story, again.source
    hint = "" if fault.hint.startswith(GENERAL) else fault.hint
    if scene is not None and (sentence := of_scene(scene, fault.verdict, again)):
        sentence = f"{fault.sentence} {again.prefix}{sentence}{_declared(again)}"
        line = _guilty(scene, fault.verdict, again) or fault.line or scene.line or None
        return replace(fault, sentence=sentence, hint=hint, line=line, scene=scene)
    if story is not None and (sentence := of_story(story, source)):
        line, diagnosis = fault.line or line_of(story, source) or None, fault.diagnosis if hint else kind_of(story)
        sentence = f"{fault.sentence} {again.prefix}{sentence}"
        return replace(fault, sentence=sentence, hint=hint, line=line, story=story, diagnosis=diagnosis)
    return fault


def _guilty(scene: Scene, verdict: Verdict, again: Rerun) -> int:
    """Return the line that led to where a thread failed; 0 where that is not known."""
    match verdict:
        case Verdict.UNSET_MEMORY:
            sizes = [line for _, line in _sizes(again)] if is_launched_by_lab(again.source) else []
            return scene.kept_out.line if scene.kept_out else next(iter((*sizes, *scene.stores)), 0)
        case Verdict.TIMEOUT:
            return _of_step(scene, again)
        case Verdict.OUT_OF_BOUNDS:
            return _of_guard(scene, again)
    return 0


def _of_guard(scene: Scene, again: Rerun) -> int:
    """Return the line of the condition that should have kept a thread out, or of a variable that is negative.

    Where neither is to blame for an access outside of dynamic shared memory, LAUNCH gives too little.
    """
    named = named_in(scene.variables, text_of(scene.line, again.source))
    beyond = again.bounds.beyond(named)
    of_launch = launch_of(again.source) if again.room and again.room.is_dynamic else 0
    if (guard := guard_of(scene, beyond, again.source)) is None:
        return of_launch
    negative = [each.line for each in named if each.name in beyond and each.value.startswith("-") and each.line]
    if negative:  # no guard of the last row or column is what fails
        return negative[0]
    text = text_of(guard.line, again.source)
    if beyond & set(WORD.findall(text)) or (guard.held and again.bounds.beyond(named_in(guard.variables, text))):
        return guard.line
    return guard.line if beyond and not LOOP.search(text) else of_launch


def _of_step(scene: Scene, again: Rerun) -> int:
    """Return the line that gives a loop a step of zero, or that of the loop; 0 outside of any."""
    named = named_in(scene.variables, text_of(scene.line, again.source))
    zeros = [each.line for each in named if each.value == "0" and each.line not in {0, scene.line}]
    if len(zeros) == 1 and LOOP.search(text_of(scene.line, again.source)):
        return zeros[0]
    return loop.line if (loop := _loop(scene, again)) else 0


def _declared(again: Rerun) -> str:
    """Return where the shared array is declared that was left."""
    if (room := again.room) is None:
        return ""
    if room.is_dynamic:
        line = launch_of(again.source)
        return f" LAUNCH gives {room.name} {room.extent} bytes in line {line}." if line else ""
    return f" Line {line} declares {room.name}." if (line := shared_array(room.name, again.source)) else ""


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


def of_scene(scene: Scene, verdict: Verdict, again: Rerun) -> str:
    """Return the variables of the line at which a thread failed, and the condition that let it through."""
    named = named_in(scene.variables, text_of(scene.line, again.source))
    beyond = again.bounds.beyond(named)
    if verdict is Verdict.TIMEOUT:
        beyond = {each.name for each in named if each.line != scene.line}
    values = f"In line {scene.line}, {values_of(named, beyond)}." if named else ""
    if verdict is Verdict.UNSET_MEMORY:
        return f"{values} {_stores(scene, again)}".strip()
    guard = _loop(scene, again) if verdict is Verdict.TIMEOUT else guard_of(scene, beyond, again.source)
    none = "" if scene.conditions else "No condition comes before."
    fixed = "" if beyond or verdict is not Verdict.OUT_OF_BOUNDS else _constants(scene.line, again.source)
    return f"{values} {fixed}{words_of(guard, again.source) if guard else none}".strip()


def _constants(line: int, source: Source) -> str:
    """Return where the constants of a line are, which may be what is too large where no variable is."""
    found = [f"{name} is in line {at}" for name, at in constants_in(line, source)[:2]]
    return f"{' and '.join(found)}. " if found else ""


def _loop(scene: Scene, again: Rerun) -> Condition | None:
    """Return the innermost loop that a thread is still in."""
    held = [each for each in scene.conditions if each.governs and each.held]
    return next((each for each in reversed(held) if LOOP.search(text_of(each.line, again.source))), None)


def _stores(scene: Scene, again: Rerun) -> str:
    """Return who stores to an array that is read too early."""
    if scene.kept_out:
        words = words_of(scene.kept_out, again.source).replace("The condition", "the condition", 1)
        return f"Thread {scene.writer} stores that element in other blocks, but here {words}"
    if not scene.stores or not scene.elements:
        return ""
    *others, last = map(str, scene.stores)
    lines = f"Lines {', '.join(others)} and {last} store" if others else f"Line {last} stores"
    stored, every = scene.elements
    sizes = [f"{name} is in line {line}" for name, line in _sizes(again)]
    where = f" ({' and '.join(sizes)})" if sizes else ""
    without = f" {NO_LAUNCH}" if is_launched_by_lab(again.source) else ""
    return f"{lines} {stored} of its {every} elements{where}.{without}"


def _sizes(again: Rerun) -> list[tuple[str, int]]:
    """Return the constants in the declaration of a shared array that is read too early."""
    memory = getattr(again.finding, "memory", None)
    return constants_in(shared_array(memory.name, again.source), again.source)[:2] if memory else []
