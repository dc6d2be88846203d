"""What is read before it is set, in a student's words: who should have stored it, or which variable that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.explain.hints import OF_ONE_THREAD
from grader.explain.reruns import Rerun, Told
from grader.explain.source_lines import BARRIER, LOOP, named_at, values_in, words_of
from grader.explain.source_text import NO_LAUNCH, SourceText
from grader.model.scenes import Condition, Scene
from grader.ptxsim.records.traced import UnsetVariable

RETURN = re.compile(r"\breturn\b")
MOST = 3 / 4  # of an array: what is left out may be what rows are padded with


def of_unset(scene: Scene, again: Rerun) -> Told:
    """Tell who stores to an array that is read too early, or which variable nobody has set."""
    values = values_in(scene.line, named_at(scene, again.source), (), again.source)
    if isinstance(again.finding, UnsetVariable) and scene.variables:
        return _not_set(scene, values)
    if scene.kept_out:
        why, line = _kept_out(scene.writer, scene.kept_out, again.source), scene.kept_out.line
        return Told("", f"{values} {why}".strip(), line, _early_return(line, again.source))
    hint, line = _left_out(scene)
    why = _stored(scene) if hint else f"{_stored(scene)}{_by_threads(scene, again.source)}"
    return Told("", f"{values} {why}".strip(), line or _line_of_size(again) or next(iter(scene.stores), 0), hint)


def _not_set(scene: Scene, values: str) -> Told:
    """Tell which variable a thread has not set, which is the first of the scene, and which lines set a part of it."""
    unset, by = scene.variables[0], f"thread {scene.thread} of block {scene.block}"
    declared = f" of line {unset.line}" if unset.line else ""
    sentence = f"It is {unset.name}{declared}: {by} uses it in line {scene.line}, and has not set it before."
    hint = f"Set {unset.name} before line {scene.line} uses it, on every way there. A sum starts at 0."
    told = Told("", f"{values} {sentence}".strip(), unset.line or scene.line, hint)
    if not scene.stores:
        return told
    stored, every, *_ = _counts(scene)
    part = f"{_lines(scene)} {stored} of the {every} numbers in {re.split(r'[.[]', unset.name)[0]}."
    hint = f"Set all of them before line {scene.line} uses them.{f' {OF_ONE_THREAD}' if stored == 1 else ''}"
    return replace(told, sentence=f"{told.sentence} {part}", line=scene.stores[0], hint=hint)


def _early_return(line: int, source: SourceText) -> str:
    """Return what to do instead of a condition's return; nothing where it has none."""
    if not source.between(RETURN, line - 1, source.body_of(line).stop):
        return ""
    needed = "it has to store its part of the shared arrays, and to reach every __syncthreads()"
    return f"Let no thread return in line {line}: {needed}. Check the edge of C only where C is stored."


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


def _stored(scene: Scene) -> str:
    """Return how much of the array is stored, and in which lines."""
    if not scene.stores:
        return ""
    stored, every, _, _, first, last = _counts(scene)
    part = f", from {first} to {last}" if last - first + 1 == stored < every else ""
    return f"{_lines(scene)} {stored} of its {every} elements{part}."


def _counts(scene: Scene) -> tuple[int, ...]:
    """Return the six numbers of `Scene.elements`, zeros for those that a worker has not sent."""
    return (*scene.elements, *[0] * 6)[:6]


def _lines(scene: Scene) -> str:
    *others, last = map(str, scene.stores)
    return f"Lines {', '.join(others)} and {last} store" if others else f"Line {last} stores"


def _left_out(scene: Scene) -> tuple[str, int]:
    """Return what to try, and where, if all threads store to the array, but not its first or single elements."""
    stored, every, writing, threads, first, last = _counts(scene)
    if not 0 < writing == threads:
        return "", 0
    if 0 < first == every - stored and last == every - 1:
        return f"Elements 0 to {first - 1} are not stored: does the first step use them, before a loop loads more?", 0
    if last - first + 1 != stored > MOST * every:
        lines = " and ".join(map(str, scene.stores))
        why = f"Compare the index of line {scene.line} with that of line {lines}: are rows equally long in both?"
        return why, scene.line
    return "", 0


def _by_threads(scene: Scene, source: SourceText) -> str:
    """Return how many of these elements each thread stores, or which one stores to those of others, if all store."""
    if not scene.stores:
        return ""
    if source.is_launched_by_lab:
        return f" {NO_LAUNCH}"
    stored, _, writing, every, *_ = _counts(scene)
    if not 0 < writing == every:
        return ""
    by = f", by LAUNCH in line {line}" if (line := source.launch) else ""
    if stored < every and scene.writer:
        return f" The block has {every} threads{by}, but thread {scene.writer} stores where thread (0, 0, 0) does."
    number = "one" if stored == every else stored // every
    return f" That is {number} for each thread of the block: it has {every}{by}." if stored % every == 0 else ""
