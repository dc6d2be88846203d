"""The findings of a trace as facts: who accessed what, and where in the source. `wording.py` puts them into words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from math import prod

import numpy as np

from grader.worker.simulator.analysis.geometry import Dim3
from grader.worker.simulator.analysis.ordering import AccessOrder
from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import Accesses, accesses, every_access, unit_of, writes
from grader.worker.simulator.checked.copies import first_early_use, waits
from grader.worker.simulator.checked.left_over import LeftOver
from grader.worker.simulator.checked.part_barriers import arrive_as_warps, knowledge
from grader.worker.simulator.checked.races import Race, equal_writes, races, races_between_warps
from grader.worker.simulator.checked.unset import first_unset_read
from grader.worker.simulator.checked.warp_order import partial_waits
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.shared_memory import array_at
from grader.worker.simulator.engine.source_names import source_name
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.layout import SEGMENT_BITS, SHARED, window
from grader.worker.simulator.generate.traces import Event

MATRICES = ("A", "B", "C")  # in the order of their segments
MOST = 3  # findings of a launch, at different lines


@dataclass(frozen=True, slots=True)
class Touch:
    """An access of one thread: its line, and whether it reads (or else writes), is atomic, or is a copy's write."""

    line: int
    reads: bool
    atomic: bool
    copies: bool
    thread: Dim3
    block: Dim3


@dataclass(frozen=True, slots=True)
class Memory:
    """Where: `name` of a matrix, of a variable or of an array of shared memory, and how many bytes after its start.

    The name is empty where the compiler has kept none. `element` is the number of bytes of an access.
    """

    name: str
    is_shared: bool
    offset: int
    element: int


@dataclass(frozen=True, slots=True)
class RaceFound:
    """Two accesses that nothing orders: of threads of one warp, of one block or of two blocks."""

    memory: Memory
    first: Touch
    second: Touch
    same_warp: bool
    between_blocks: bool
    by_parts: bool = False
    """Whether parts of the block wait at barriers."""
    in_loop: bool = False
    """Whether the second line runs before the first, too: a loop leads back to it."""


@dataclass(frozen=True, slots=True)
class UnsetFound:
    """A read of shared memory before anything was written there."""

    memory: Memory
    read: Touch


@dataclass(frozen=True, slots=True)
class EarlyUseFound:
    """An asynchronous copy, and an access to its bytes before its thread has waited for it.

    `is_awaited` says whether that thread waits later, `others_wait` whether other threads do.
    """

    memory: Memory
    copy: Touch
    use: Touch
    is_awaited: bool
    others_wait: bool


@dataclass(frozen=True, slots=True)
class LeftOverFound:
    """A read of what an access of an earlier launch has left in a variable."""

    memory: Memory
    write: Touch
    read: Touch


def left_over_found(kernel: Kernel, grid: Dim3, earlier: Events, events: Events, use: LeftOver) -> LeftOverFound:
    """Return the facts of a read in the launch of `events` of what the `earlier` launch has left."""
    memory = memory_at(kernel, use.address, unit_of(events[use.read : use.read + 1]))
    write = touch_of(kernel, grid, earlier, use.write, use.writer)
    return LeftOverFound(memory, write, touch_of(kernel, grid, events, use.read, use.reader))


def early_use_found(kernel: Kernel, grid: Dim3, events: Events) -> EarlyUseFound | RaceFound | None:
    """Return the first use of what an asynchronous copy may not have written yet, or may have overwritten already."""
    found = first_early_use(events, unit_of(events))
    if found is None:
        return None
    memory = memory_at(kernel, found.address, unit_of(events[found.use : found.use + 1]))
    copy = touch_of(kernel, grid, events, found.copy, found.copier)
    use = touch_of(kernel, grid, events, found.use, found.user)
    if found.overwrites:
        same_warp = found.copier // LANES == found.user // LANES
        by_parts = kernel.order is not None and kernel.order.by_parts
        in_loop = _leads_back(kernel, events, found.use, found.copy)
        return RaceFound(memory, use, copy, same_warp, False, by_parts, in_loop)
    return EarlyUseFound(memory, copy, use, found.is_awaited, found.others_wait)


def races_found(kernel: Kernel, grid: Dim3, events: Events) -> tuple[RaceFound, ...]:
    """Return the races of a launch, at most one for each pair of lines."""
    if kernel.order is None or kernel.order.by_objects:
        return ()
    found = races(accesses(events, waits(events)), kernel.order, partial_waits(events))
    if kernel.order.by_parts and arrive_as_warps(events, prod(kernel.block)):
        known = knowledge(events, prod(kernel.block))
        found = chain(races_between_warps(_inside_blocks(kernel.order, events), known), found)
    distinct = _at_different_lines(kernel, events, found)
    return tuple(_facts(kernel, grid, events, race) for race in islice(distinct, MOST))


def equal_writes_found(kernel: Kernel, grid: Dim3, events: Events) -> RaceFound | None:
    """Return two writes of one value to one place that nothing orders; None where objects or fences may order them."""
    found = equal_writes(writes(events), kernel.order) if kernel.order else None
    return _facts(kernel, grid, events, found) if found else None


def _inside_blocks(order: AccessOrder, events: Events) -> Accesses:
    """Return the accesses that only barriers order in a block: those to shared memory where the kernel has fences."""
    table = every_access(events)
    if not order.by_fences:
        return table
    shared = table.rows(table.is_shared)
    return shared.rows(np.zeros(len(shared), np.bool_)) if shared.is_atomic.any() else shared


def _at_different_lines(kernel: Kernel, events: Events, found: Iterable[Race]) -> Iterator[Race]:
    seen = set()
    for race in found:
        lines = frozenset(_line(kernel, events, access) for access in (race.change, race.other))
        if lines not in seen:
            seen.add(lines)
            yield race


def unset_found(kernel: Kernel, grid: Dim3, events: Events) -> UnsetFound | None:
    """Return the first read of shared memory that was never written."""
    read = first_unset_read(events)
    if read is None:
        return None
    memory = memory_at(kernel, read.address, unit_of(events[read.event : read.event + 1]))
    return UnsetFound(memory, touch_of(kernel, grid, events, read.event, read.thread))


def _line(kernel: Kernel, events: Events, access: Accesses) -> int:
    return kernel.places[int(events["where"][access.event[0]])].line


def _facts(kernel: Kernel, grid: Dim3, events: Events, race: Race) -> RaceFound:
    first, second = _in_order(kernel, events, race)
    size = int(min(events["size"][[first.event[0], second.event[0]]]))
    memory = memory_at(kernel, int(first.place[0]) * first.unit, size)
    same_warp = not race.between_blocks and bool(first.warp[0] == second.warp[0])
    touches = [_touch(kernel, grid, events, access) for access in (first, second)]
    by_parts = kernel.order is not None and kernel.order.by_parts
    in_loop = _leads_back(kernel, events, int(first.event[0]), int(second.event[0]))
    return RaceFound(memory, touches[0], touches[1], same_warp, race.between_blocks, by_parts, in_loop)


def _leads_back(kernel: Kernel, events: Events, first: int, second: int) -> bool:
    """Return whether the line of the second event runs before the first event, too; True if its warp never runs it."""
    line = kernel.places[int(events["where"][second])].line
    of_line = np.array([place.line == line for place in kernel.places])[events["where"]]
    same_warp = (events["block"] == events["block"][first]) & (events["warp"] == events["warp"][first])
    times = np.flatnonzero(same_warp & of_line)
    return not len(times) or bool(times[0] < first)


def _in_order(kernel: Kernel, events: Events, race: Race) -> tuple[Accesses, Accesses]:
    """Return the accesses as the source has them: before or after the other's line in the stretch between barriers."""
    change, other = race.change, race.other
    if kernel.order and kernel.order.by_parts and not race.between_blocks:  # the next access to follow
        return (change, other) if change.event[0] <= other.event[0] else (other, change)
    own = np.flatnonzero((events["block"] == change.block[0]) & (events["warp"] == change.warp[0]))
    here = int(np.searchsorted(own, change.event[0]))
    barriers = np.flatnonzero(events["kind"][own] == Event.BARRIER)
    low, high = np.append(np.insert(barriers, 0, 0), len(own))[np.searchsorted(barriers, here) + np.arange(2)]
    line = _line(kernel, events, other)
    before, behind = (
        any(kernel.places[number].line == line for number in np.unique(events["where"][part]))
        for part in (own[low:here], own[here + 1 : high])
    )
    is_first = behind if before != behind else _line(kernel, events, change) < line
    return (change, other) if is_first else (other, change)


def _touch(kernel: Kernel, grid: Dim3, events: Events, access: Accesses) -> Touch:
    """Return the facts of a table's first access."""
    return touch_of(kernel, grid, events, int(access.event[0]), int(access.thread[0]))


def touch_of(kernel: Kernel, grid: Dim3, events: Events, number: int, thread: int) -> Touch:
    """Return the facts of an event for one of its threads."""
    event = events[number]
    line, (kind, block) = kernel.places[int(event["where"])].line, (int(event["kind"]), int(event["block"]))
    what = kind == Event.READ, kind == Event.ATOMIC, kind == Event.COPY
    return Touch(line, *what, coordinates(thread, kernel.block), coordinates(block, grid))


def coordinates(number: int, extent: Dim3) -> Dim3:
    """Return the coordinates of a thread in a block, or of a block in a grid."""
    x, y, _ = extent
    return number % x, number // x % y, number // (x * y)


def memory_at(kernel: Kernel, address: int, size: int) -> Memory:
    """Return the array or variable in which a generic address lies."""
    segment = address >> SEGMENT_BITS
    if segment == SHARED:
        array = array_at(kernel.arrays, address - window(SHARED))
        start = window(SHARED) + array.address if array else address
        return Memory(source_name(array.name) if array else "", True, address - start, size)
    if 1 <= segment <= len(MATRICES):
        return Memory(MATRICES[segment - 1], False, address - window(segment), size)
    for variable, place in kernel.variables:
        if place <= address < place + variable.size:
            return Memory(source_name(variable.name), False, address - place, size)
    return Memory("", False, 0, size)
