"""Why no thread stores an element of C, in a student's words: who should have, and what led the threads elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.explain.source_lines import LOOP, STEP, led_to, named_in, quoted, values_of
from grader.explain.source_text import Source, launch_of, line_with, text_of
from grader.model.scenes import Condition, NamedValue, Scene, Story

GRID = re.compile(r"\bgridDim\b")
GROUPS = "If blocks are numbered in groups, is the last one smaller?"
BLOCK = re.compile(r"\bblockIdx\b(?:\s*\.\s*([xyz]))?")


def of_unstored(story: Story, c: str, source: Source) -> str:
    """Return who should have stored an element; nothing if that is not known."""
    if story.reach:
        return _astray(story, c, source)
    if (scene := story.scene) is None:
        return ""
    told = _overlap if story.overlap else _passed if story.is_passed else _never_stored
    return told(story, scene, c, source)


def _passed(story: Story, scene: Scene, c: str, source: Source) -> str:
    """Return how a loop steps over an element."""
    where = f"{story.names[2]}[{story.instead[0]}][{story.instead[1]}] in line {story.stored}"
    sentence = f"No thread stores {c}. Thread {scene.thread} of block {scene.block} steps over it, to {where}"
    if (loop := _passing(story, source)) is None:
        return f"{sentence}."
    return (
        f"{sentence},{_with_values(named_in(loop.variables, text_of(loop.line, source)))}{quoted(loop.line, source)}."
    )


def _passing(story: Story, source: Source) -> Condition | None:
    """Return the loop whose counter has come to the row or column behind an element; None where there is none."""
    row, column = story.instead
    behind = str(column if row == story.row else row)
    for each in story.scene.conditions if story.scene else ():
        text = text_of(each.line, source)
        if LOOP.search(text) and behind in {one.value for one in named_in(each.variables, text)}:
            return each
    return None


def _never_stored(story: Story, scene: Scene, c: str, source: Source) -> str:
    chosen = _chosen_by_block(story, source)
    named = chosen or named_in(scene.variables, text_of(scene.line, source))
    return (
        f"As it is launched, block {scene.block} should store {c}, but line {scene.line} kept its thread "
        f"{scene.thread} out{_with_values(named)}{quoted(scene.line, source)}.{f' {GROUPS}' if chosen else ''}"
    )


def _chosen_by_block(story: Story, source: Source) -> list[NamedValue]:
    """Return what led to a condition by which a block has no element of C, where blocks choose their tiles."""
    if (
        (scene := story.scene) is None
        or not line_with(GRID, source)
        or LOOP.search(text := text_of(scene.line, source))
    ):
        return []
    named = named_in(scene.variables, text)
    sides = [int(each.value) for each in named if not each.line and each.value.isdigit()]
    beyond = {
        each.name for each in named if each.line and each.value.isdigit() and int(each.value) >= min(sides, default=0)
    }
    return led_to(scene, source, beyond) if beyond else []


def _overlap(story: Story, scene: Scene, c: str, source: Source) -> str:
    row, column, number = story.overlap
    other = f"{story.names[2]}[{row}][{column}]"
    sentence = f"No thread of the block stores {c}, but {number} of its threads store {other} in line {story.stored}"
    return f"{sentence}, thread {scene.thread}{_with_values(led_to(scene, source))}."


def _astray(story: Story, c: str, source: Source) -> str:
    instead = _instead(story, story.scene, source) if story.instead and story.scene else ""
    if story.scene and not story.instead:
        return f"No thread stores {c}. {_needless(story, story.scene, source)}"
    name, (top, bottom, left, right) = story.names[2], story.reach
    first, last, start, _ = story.tile
    sentence = f"No thread stores {c}. The tile of its block begins at {name}[{first}][{start}]"
    if not instead:
        return f"{sentence}, but the block stores rows {top} to {bottom} and columns {left} to {right} only."
    row, _ = story.instead
    side = f"columns {left} to {right}" if first <= row <= last else f"rows {top} to {bottom}"
    return f"{sentence}, but the block stores {side}:{instead}"


def _needless(story: Story, scene: Scene, source: Source) -> str:
    """Return what a block does that stores nothing, or nothing but what other blocks store."""
    values = _with_values(led_to(scene, source))
    if story.overlap:
        again = f"{story.names[2]}[{story.overlap[0]}][{story.overlap[1]}]"
        return (
            f"Block {scene.block} stores only what other blocks store too: its thread {scene.thread} stores {again} in "
            f"line {story.stored}{values}. Each block needs a number of its own."
        )
    return (
        f"Block {scene.block} stores nothing, because its tile is outside of {story.names[2]}: line {scene.line} keeps "
        f"thread {scene.thread} out{values}. {GROUPS}"
    )


def _instead(story: Story, scene: Scene, source: Source) -> str:
    """Return which element a thread of the block stores, outside of the tile that has its number."""
    (row, column), values = story.instead, _with_values(led_to(scene, source))
    return f" thread {scene.thread} stores {story.names[2]}[{row}][{column}] in line {story.stored}{values}."


def _with_values(named: Sequence[NamedValue]) -> str:
    values = values_of(named, {each.name for each in named})
    return f" with {values}" if values else ""


def hint_of_unstored(story: Story, source: Source) -> str:
    """Return what to try where a kernel uses one axis alone of a grid with two."""
    axes = {axis for text in source for axis in BLOCK.findall(text)}
    if not story.reach or axes not in ({"x"}, {"y"}):
        return ""
    return (
        f"The kernel uses blockIdx.{axes.pop()} alone, but its grid has blocks along x and y, and "
        "(blockIdx.y * gridDim.x + blockIdx.x) is the number of a block among all of them."
    )


def line_of_unstored(story: Story, source: Source) -> int:
    """Return the line that a story of an element leads to that no thread stores; 0 for none."""
    if story.reach and story.scene and not story.instead:
        return _idle_line(story, source)
    if story.is_passed and (loop := _passing(story, source)):
        step, named = STEP.search(text := text_of(loop.line, source)), named_in(loop.variables, text)
        return next((each.line for each in named if step and each.line and each.name == step[1]), loop.line)
    if not story.reach:
        return _of_block(_chosen_by_block(story, source), story.scene, source) if story.scene else 0
    if story.scene is None:
        return launch_of(source)
    (row, column), (top, bottom, _, _) = story.instead, story.tile
    wrong = str(column if top <= row <= bottom else row)
    lines = [each.line for each in led_to(story.scene, source) if each.value == wrong]
    if not lines or wrong == "0":  # which other variables have, too
        return _idle_line(story, source)
    return lines[-1]


def _idle_line(story: Story, source: Source) -> int:
    """Return the line of the first variable of a block that led to a condition, apart from those that this names."""
    return _of_block(led_to(story.scene, source), story.scene, source) if story.scene else 0


def _of_block(named: Sequence[NamedValue], scene: Scene, source: Source) -> int:
    known = {each.name for each in named_in(scene.variables, text_of(scene.line, source))}
    of_blocks = [each for each in named if "threadIdx" not in text_of(each.line, source)]
    return next((each.line for each in of_blocks if each.name not in known), scene.line)
