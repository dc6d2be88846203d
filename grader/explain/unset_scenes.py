"""What is read before it is set, in a student's words: who should have stored it, or which variable that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.explain.reruns import Rerun, Told
from grader.explain.source_lines import BARRIER, LOOP, named_at, values_in, words_of
from grader.explain.source_text import NO_LAUNCH, SourceText
from grader.model.scenes import Condition, Scene
from grader.ptxsim.records.traced import UnsetVariable


def of_unset(scene: Scene, again: Rerun) -> Told:
    """Tell who stores to an array that is read too early, or which variable nobody has set."""
    values = values_in(scene.line, named_at(scene, again.source), (), again.source)
    if isinstance(again.finding, UnsetVariable):
        return _not_set(scene, values)
    if scene.kept_out:
        why, line = _kept_out(scene.writer, scene.kept_out, again.source), scene.kept_out.line
    else:
        why, line = _stores(scene, again.source), _line_of_size(again) or next(iter(scene.stores), 0)
    return Told("", f"{values} {why}".strip(), line)


def _not_set(scene: Scene, values: str) -> Told:
    """Tell which variable a thread has not set, which is the first of the scene, and which lines set a part of it."""
    unset, by = scene.variables[0], f"thread {scene.thread} of block {scene.block}"
    declared = f" of line {unset.line}" if unset.line else ""
    sentence = f"It is {unset.name}{declared}: {by} uses it in line {scene.line}, and has not set it before."
    hint = f"Set {unset.name} before line {scene.line} uses it, on every way there. A sum starts at 0."
    told = Told("", f"{values} {sentence}".strip(), unset.line or scene.line, hint)
    if not scene.stores:
        return told
    stored, every = scene.elements
    part = f"{_lines(scene)} {stored} of the {every} numbers in {re.split(r'[.[]', unset.name)[0]}."
    hint = f"Set all of them before line {scene.line} uses them."
    return replace(told, sentence=f"{told.sentence} {part}", line=scene.stores[0], hint=hint)


def _kept_out(writer: Sequence[int], condition: Condition, source: SourceText) -> str:
    """Return what keeps a thread from storing what it stores in other blocks, and which barrier it misses."""
    words = words_of(condition, source).replace("The condition", "the condition", 1)
    inside = source.body_of(condition.line)
    barriers = source.between(BARRIER, inside.start, inside.stop)
    sentence = f"Thread {writer} stores that element in other blocks, but here {words}"
    if condition.held or not barriers or LOOP.search(source.text(condition.line)):
        return sentence
    barrier = f"the __syncthreads() in line {barriers[0]}, which all of the block should reach"
    return f"{sentence} So that thread misses {barrier}."


def _line_of_size(again: Rerun) -> int:
    """Return the line of the first constant in the declaration of the array, if the lab chooses the block; 0 if not."""
    memory = getattr(again.finding, "memory", None)
    if not (memory and again.source.is_launched_by_lab):
        return 0
    return next((line for _, line in again.source.constants_in(again.source.shared_array(memory.name))), 0)


def _stores(scene: Scene, source: SourceText) -> str:
    """Return how much of the array is stored, in which lines, and by how many threads."""
    if not scene.stores or not scene.elements:
        return ""
    stored, every, writing, threads, first_one, last_one = (*scene.elements, 0, 0, 0, 0, 0)[:6]
    part = f", from {first_one} to {last_one}" if last_one - first_one + 1 == stored < every else ""
    by = _by_threads(stored, (writing, threads), scene.writer, source)
    return f"{_lines(scene)} {stored} of its {every} elements{part}.{by}"


def _lines(scene: Scene) -> str:
    *others, last = map(str, scene.stores)
    return f"Lines {', '.join(others)} and {last} store" if others else f"Line {last} stores"


def _by_threads(stored: int, threads: Sequence[int], writer: Sequence[int], source: SourceText) -> str:
    """Return how many of these elements each thread stores, or which one stores to those of others, if all store."""
    if source.is_launched_by_lab:
        return f" {NO_LAUNCH}"
    writing, every = threads
    if not 0 < writing == every:
        return ""
    by = f", by LAUNCH in line {line}" if (line := source.launch) else ""
    if stored < every and writer:
        return f" The block has {every} threads{by}, but thread {writer} stores where thread (0, 0, 0) does."
    number = "one" if stored == every else stored // every
    return f" That is {number} for each thread of the block: it has {every}{by}." if stored % every == 0 else ""
