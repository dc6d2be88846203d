"""Why no thread stores an element of C, in a student's words: who should have, and what led the threads elsewhere."""

from __future__ import annotations

from grader.explain.reruns import Told
from grader.explain.source_lines import led_to, named_at, quoted, with_values
from grader.explain.source_text import SourceText
from grader.explain.tables import element_of
from grader.explain.wrong_elements.error_pattern import range_of
from grader.model.scenes import Scene, Story


def of_unstored(story: Story, source: SourceText) -> Told | None:
    """Tell who should have stored an element; None if that is not known."""
    scene = story.scene
    if story.reach:
        if scene is None:
            return _of_no_store(story, source)
        if story.overlap:
            return _of_blocks(story, scene, source)
        return _instead(story, scene, source) if story.instead else _idle(story, scene, source)
    if scene is None:
        return None
    return _overlap(story, scene, source) if story.overlap else _never_stored(story, scene, source)


def _never_stored(story: Story, scene: Scene, source: SourceText) -> Told:
    named, should = named_at(scene, source), f"block {scene.block} should store {element_of(story)}"
    kept_out = (
        f"line {scene.line} kept its thread {scene.thread} out{with_values(named, {each.name for each in named})}"
    )
    sentence = f"As it is launched, {should}, but {kept_out}{quoted(scene.line, source)}."
    return Told("never-stored", sentence, scene.line)


def _overlap(story: Story, scene: Scene, source: SourceText) -> Told:
    row, column, number = story.overlap
    others = f"{number} of its threads store {story.names[2]}[{row}][{column}] in line {story.stored}"
    by = f"thread {scene.thread}{_led_by(scene, source)}"
    sentence = f"No thread of the block stores {element_of(story)}, but {others}, {by}."
    return Told("overlapping-stores", sentence, story.stored or scene.line)


def _of_no_store(story: Story, source: SourceText) -> Told:
    """Tell of a block that stores nothing outside of its tile, but less than that, or with gaps."""
    top, bottom, left, right = story.reach
    if top <= story.row <= bottom and left <= story.column <= right:
        gaps = "and the block stores elements on both sides of it: its indices leave it out."
        return Told("stored-elsewhere", f"{_tile_of(story)}, {gaps}", 0)
    stores = f"{range_of('row', top, bottom)} and {range_of('column', left, right)}"
    return Told("stored-elsewhere", f"{_tile_of(story)}, but the block stores {stores} only.", source.launch)


def _instead(story: Story, scene: Scene, source: SourceText) -> Told:
    """Tell which element a thread of the block stores, outside of the tile that has its number."""
    (row, column), (top, bottom, left, right), (first, last, _, _) = story.instead, story.reach, story.tile
    is_across = first <= row <= last
    side = range_of("column", left, right) if is_across else range_of("row", top, bottom)
    stores = f"thread {scene.thread} stores {story.names[2]}[{row}][{column}] in line {story.stored}"
    sentence = f"{_tile_of(story)}, but the block stores {side}: {stores}{_led_by(scene, source)}."
    wrong = str(column if is_across else row)
    lines = [each.line for each in led_to(scene, source) if each.value == wrong != "0"]  # which others have, too
    return Told("stored-elsewhere", sentence, lines[-1] if lines else _line_of_block(scene, source))


def _idle(story: Story, scene: Scene, source: SourceText) -> Told:
    """Tell what keeps a block from storing anything, where blocks choose their tiles."""
    sentence = (
        f"No thread stores {element_of(story)}. Block {scene.block} stores nothing, because its tile is outside of "
        f"{story.names[2]}: line {scene.line} keeps thread {scene.thread} out{_led_by(scene, source)}. If blocks are "
        "numbered in groups, is the last one smaller?"
    )
    return Told("stored-elsewhere", sentence, _line_of_block(scene, source))


def _of_blocks(story: Story, scene: Scene, source: SourceText) -> Told:
    """Tell of an element that several blocks store, where blocks choose their tiles."""
    row, column, number = story.overlap
    others = f"{number} blocks store {story.names[2]}[{row}][{column}] in line {story.stored}"
    by = f"thread {scene.thread} of block {scene.block} does it{_led_by(scene, source)}"
    sentence = f"No block stores {element_of(story)}, but {others}: {by}."
    return Told("overlapping-stores", sentence, _line_of_block(scene, source) or story.stored)


def _tile_of(story: Story) -> str:
    first, _, start, _ = story.tile
    return f"No thread stores {element_of(story)}. The tile of its block begins at {story.names[2]}[{first}][{start}]"


def _led_by(scene: Scene, source: SourceText) -> str:
    named = led_to(scene, source)
    return with_values(named, {each.name for each in named})


def _line_of_block(scene: Scene, source: SourceText) -> int:
    """Return the line of the first variable of a block that led to a condition, apart from those that this names."""
    known = {each.name for each in named_at(scene, source)}
    of_blocks = [each for each in led_to(scene, source) if "threadIdx" not in source.text(each.line)]
    return next((each.line for each in of_blocks if each.name not in known), scene.line)
