"""Why no thread stores an element of C, in a student's words: who should have, and what led the threads elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from grader.explain.source_lines import led_to, named_in, quoted, values_of
from grader.explain.source_text import Source, launch_of, text_of
from grader.explain.wrong_elements.error_pattern import range_of
from grader.model.scenes import NamedValue, Scene, Story


def of_unstored(story: Story, c: str, source: Source) -> str:
    """Return who should have stored an element; nothing if that is not known."""
    if story.reach:
        return _astray(story, c, source)
    if (scene := story.scene) is None:
        return ""
    return _overlap(story, scene, c, source) if story.overlap else _never_stored(scene, c, source)


def _never_stored(scene: Scene, c: str, source: Source) -> str:
    named = named_in(scene.variables, text_of(scene.line, source))
    return (
        f"As it is launched, block {scene.block} should store {c}, but line {scene.line} kept its thread "
        f"{scene.thread} out{_with_values(named)}{quoted(scene.line, source)}."
    )


def _overlap(story: Story, scene: Scene, c: str, source: Source) -> str:
    row, column, number = story.overlap
    other = f"{story.names[2]}[{row}][{column}]"
    sentence = f"No thread of the block stores {c}, but {number} of its threads store {other} in line {story.stored}"
    return f"{sentence}, thread {scene.thread}{_with_values(led_to(scene, source))}."


def _astray(story: Story, c: str, source: Source) -> str:
    instead = _instead(story, story.scene, source) if story.instead and story.scene else ""
    if story.scene and not story.instead:
        return f"No thread stores {c}. {_idle(story, story.scene, source)}"
    name, (top, bottom, left, right) = story.names[2], story.reach
    first, last, start, _ = story.tile
    sentence = f"No thread stores {c}. The tile of its block begins at {name}[{first}][{start}]"
    if not instead and _is_within(story):
        return f"{sentence}, and the block stores elements on both sides of it: its indices leave it out."
    if not instead:
        stores = f"{range_of('row', top, bottom)} and {range_of('column', left, right)}"
        return f"{sentence}, but the block stores {stores} only."
    row, _ = story.instead
    side = range_of("column", left, right) if first <= row <= last else range_of("row", top, bottom)
    return f"{sentence}, but the block stores {side}:{instead}"


def _is_within(story: Story) -> bool:
    """Return whether a block stores rows and columns on both sides of the element."""
    top, bottom, left, right = story.reach
    return top <= story.row <= bottom and left <= story.column <= right


def _idle(story: Story, scene: Scene, source: Source) -> str:
    """Return what keeps a block from storing anything, where blocks choose their tiles."""
    return (
        f"Block {scene.block} stores nothing, because its tile is outside of {story.names[2]}: line {scene.line} keeps "
        f"thread {scene.thread} out{_with_values(led_to(scene, source))}. If blocks are numbered in groups, is the "
        "last one smaller?"
    )


def _instead(story: Story, scene: Scene, source: Source) -> str:
    """Return which element a thread of the block stores, outside of the tile that has its number."""
    (row, column), values = story.instead, _with_values(led_to(scene, source))
    return f" thread {scene.thread} stores {story.names[2]}[{row}][{column}] in line {story.stored}{values}."


def _with_values(named: Sequence[NamedValue]) -> str:
    values = values_of(named, {each.name for each in named})
    return f" with {values}" if values else ""


def line_of_unstored(story: Story, source: Source) -> int:
    """Return the line that a story of an element leads to that no thread stores; 0 for none."""
    if story.reach and story.scene and not story.instead:
        return _idle_line(story, source)
    if not story.reach:
        return story.scene.line if story.scene else 0
    if story.scene is None:
        return 0 if _is_within(story) else launch_of(source)
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
