"""An access outside of a thread's own array, after which anything may happen: nvcc may leave out stores."""

from __future__ import annotations

from dataclasses import replace

from grader.model.scenes import ArrayLeft, Story
from grader.worker.replay.debug_info import ARRAY, BYTES, DebugEntry, DebugInfo
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.replays import Replays, scene_at
from grader.worker.replay.spots import Axes
from grader.worker.replay.threads import SoughtAccess
from grader.worker.replay.variables import count_of


def left_array(replays: Replays, machine: LockstepMachine, begun: Story, block: Axes | None) -> Story | None:
    """Return the story of a launch in which a thread left all memory of its own, by way of an array; None without."""
    if machine.left is None:
        return None
    number, thread, address = machine.left
    arrays = [
        (start, each.name, each.line, each.type)
        for each in replays.info.in_scope(number)
        if each.type.tag == ARRAY and "__local_depot" in each.place.symbol
        for start in [machine.memory.bases["local"] + machine.memory.symbols[each.place.symbol] + each.place.offset]
        if start <= address
    ]
    if not arrays:
        return None
    start, name, line, kind = max(arrays, key=lambda each: each[0])
    size = _size_of_element(replays.info, kind)
    shown = scene_at(replays, block, SoughtAccess(thread, machine.code.instructions[number].line, address))
    if shown is None or not size:
        return None
    return replace(begun, scene=shown, left=ArrayLeft(name, line, (address - start) // size, count_of(kind)))


def _size_of_element(info: DebugInfo, kind: DebugEntry) -> int:
    inner = info.type_of(kind)
    return inner.number(BYTES) if inner else 0
