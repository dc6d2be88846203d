"""The findings of a trace as facts: who accessed what, and where in the source. `wording.py` puts them into words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from grader.worker.simulator.analysis.geometry import Dim3
from grader.worker.simulator.analysis.ordering import AccessOrder
from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import Accesses, accesses, acting, every_access, unit_of, writes
from grader.worker.simulator.checked.buffers import reads_only_the_filled, written_by_warps
from grader.worker.simulator.checked.clocks import Knowledge
from grader.worker.simulator.checked.copies import first_early_use, waits
from grader.worker.simulator.checked.left_over import LeftOver
from grader.worker.simulator.checked.memory import Memory, memory_at
from grader.worker.simulator.checked.met_barriers import met, skipped
from grader.worker.simulator.checked.object_waits import has_just_waited, waits_later
from grader.worker.simulator.checked.overlapping_copies import first_overlap
from grader.worker.simulator.checked.races import Race, equal_writes, races, races_between_warps, races_inside_warps
from grader.worker.simulator.checked.signals import signalling, signals
from grader.worker.simulator.checked.source_order import in_order, leads_back, line_of, runs_before, writes_too
from grader.worker.simulator.checked.stray_arrivals import StrayFound, stray_found
from grader.worker.simulator.checked.synchronisation import knowledge
from grader.worker.simulator.checked.touches import Touch, touch_of
from grader.worker.simulator.checked.warp_order import partial_waits
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.traces import Event

MOST = 3  # findings of a launch, at different lines


@dataclass(frozen=True, slots=True)
class RaceFound:
    """Two accesses that nothing orders: of threads of one warp, of one block or of two blocks."""

    memory: Memory
    first: Touch
    second: Touch
    same_warp: bool
    between_blocks: bool
    order: AccessOrder = field(default_factory=AccessOrder)
    """What else may order threads of the kernel."""
    in_loop: bool = False
    """Whether the second line runs before the first, too: a loop leads back to it."""
    told: Touch | None = None
    """Where a thread tells others what its warp has done, without waiting for the thread that did it."""
    waits_later: bool = False
    """Whether the second thread waits after its access for copies of the first one's warp."""
    adds: bool = False
    """Whether both threads write there, as where several threads add to one variable."""
    has_just_waited: bool = False
    """Whether the second thread has waited for an mbarrier, and not arrived at one since."""
    is_ahead: bool = False
    """Whether the first is a copy that starts before its threads have read what was there."""
    is_under_way: bool = False
    """Whether the second is a copy that starts before the thread of the first, a copy too, has waited for it."""
    met: tuple[int, int] = (0, 0)
    """The lines of the first barriers at which the two threads have met, where these are two."""
    skipped: int = 0
    """The line of a barrier that neither thread reaches, but others of their block; 0 without one."""
    reads_filled: bool = False
    """Whether the reading line reads only what the same step fills, and nothing that the step before has filled."""
    writing_warps: int = 1
    """How many warps of the block write there between the same two barriers."""


@dataclass(frozen=True, slots=True)
class RacesFound:
    """The races of a launch. `is_partial`: there was no room to search it to the end."""

    races: tuple[RaceFound, ...] = ()
    is_partial: bool = False
    stray: StrayFound | None = None


@dataclass(frozen=True, slots=True)
class EarlyUseFound:
    """An asynchronous copy, and an access to its bytes before its thread has waited for it.

    `is_awaited` says whether that thread waits later, `others_wait` whether other threads do, `is_committed` whether
    the copy belongs to a group by then, `user_has_waited` whether the thread of the access has waited for the copy that
    it has made itself in the same step, `by_objects` whether threads wait for mbarriers instead.
    """

    memory: Memory
    copy: Touch
    use: Touch
    is_awaited: bool
    others_wait: bool
    is_committed: bool
    user_has_waited: bool
    by_objects: bool


@dataclass(frozen=True, slots=True)
class LeftOverFound:
    """A read of what an access of an earlier launch has left in a variable."""

    memory: Memory
    write: Touch
    read: Touch


def left_over_found(kernel: Kernel, grid: Dim3, earlier: Events, events: Events, use: LeftOver) -> LeftOverFound:
    """Return the facts of a read in the launch of `events` of what the `earlier` launch has left."""
    memory = memory_at(kernel, events, use.address, unit_of(events[use.read : use.read + 1]))
    write = touch_of(kernel, grid, earlier, use.write, use.writer)
    return LeftOverFound(memory, write, touch_of(kernel, grid, events, use.read, use.reader))


def early_use_found(kernel: Kernel, grid: Dim3, events: Events) -> EarlyUseFound | RaceFound | None:
    """Return the first use of what an asynchronous copy may not have written yet, or may have overwritten already."""
    found = first_early_use(events, unit_of(events))
    if found is None:
        return None
    memory = memory_at(kernel, events, found.address, unit_of(events[found.use : found.use + 1]))
    copy = touch_of(kernel, grid, events, found.copy, found.copier)
    use = touch_of(kernel, grid, events, found.use, found.user)
    same_warp = found.copier // LANES == found.user // LANES
    if found.replaces_unread and use.reads:
        return RaceFound(memory, copy, use, same_warp, False, kernel.order or AccessOrder(), is_ahead=True)
    if found.overwrites:
        if runs_before(kernel, events, found.use, found.user % LANES, copy.line):
            return RaceFound(memory, copy, use, same_warp, False, kernel.order or AccessOrder(), is_ahead=True)
        in_loop = leads_back(kernel, events, found.use, found.copy)
        return RaceFound(memory, use, copy, same_warp, False, kernel.order or AccessOrder(), in_loop)
    waits_for_groups = bool((events["kind"] == Event.WAIT).any())
    by_objects = kernel.order is not None and kernel.order.by_objects and not waits_for_groups
    return EarlyUseFound(
        memory, copy, use, found.is_awaited, found.others_wait, found.is_committed, found.user_has_waited, by_objects
    )


def races_found(kernel: Kernel, grid: Dim3, events: Events, *, is_complete: bool = True) -> RacesFound:
    """Return the races of a launch, at most one for each pair of lines.

    If what orders blocks may be missing in the events, races between blocks are left out.
    """
    if kernel.order is None or kernel.order.unknown:
        return RacesFound()
    is_partial, stray = False, None
    if kernel.order.by_clocks:
        known = knowledge(events)
        is_partial, found = known.is_partial, _by_clocks(kernel, events, known)
        stray = stray_found(kernel, grid, events, known.stray) if known.stray else None
        found = found if is_complete else (race for race in found if not race.between_blocks)
    else:
        found = races(accesses(events, waits(events)), kernel.order, partial_waits(events))
    distinct = _at_different_lines(kernel, events, found)
    return RacesFound(tuple(_facts(kernel, grid, events, race) for race in islice(distinct, MOST)), is_partial, stray)


def _by_clocks(kernel: Kernel, events: Events, known: Knowledge) -> Iterator[Race]:
    places, lines = signals(events), np.array([place.line for place in kernel.places])[events["where"]]
    of_warps, of_lanes = (
        signalling(table.rows(table.event < known.until), events, places)
        for table in (every_access(events, known.are_alike()), accesses(events, waits(events)))
    )
    for is_shared in (True, False):
        yield from races_between_warps(of_warps.rows(of_warps.is_shared == is_shared), known, lines)
        of_space = of_lanes.rows(of_lanes.is_shared == is_shared)
        yield from races_inside_warps(of_space, partial_waits(events), known, lines)


def overlap_found(kernel: Kernel, grid: Dim3, events: Events) -> RaceFound | None:
    """Return two asynchronous copies to one place, of which the second begins before the first is awaited."""
    copies = kernel.copies and bool((events["kind"] == Event.COPY).any())
    by_clocks = kernel.order and kernel.order.by_clocks
    found = first_overlap(events, knowledge(events) if by_clocks else None) if copies else None
    if found is None:
        return None
    size = int(events["size"][[found.change.event[0], found.other.event[0]]].min())
    memory = memory_at(kernel, events, int(found.change.place[0]) * found.change.unit, size)
    touches = [_touch(kernel, grid, events, access) for access in (found.change, found.other)]
    same_warp = bool(found.change.warp[0] == found.other.warp[0])
    order = kernel.order or AccessOrder()
    return RaceFound(memory, touches[0], touches[1], same_warp, False, order, is_under_way=True)


def equal_writes_found(kernel: Kernel, grid: Dim3, events: Events) -> RaceFound | None:
    """Return two writes of one value to one place that nothing orders; None where objects or fences may order them."""
    found = equal_writes(writes(events), kernel.order) if kernel.order else None
    return _facts(kernel, grid, events, found) if found else None


def _at_different_lines(kernel: Kernel, events: Events, found: Iterable[Race]) -> Iterator[Race]:
    seen = set()
    for race in found:
        lines = frozenset(line_of(kernel, events, access) for access in (race.change, race.other))
        if lines not in seen:
            seen.add(lines)
            yield race


def _facts(kernel: Kernel, grid: Dim3, events: Events, race: Race) -> RaceFound:
    first, second = in_order(kernel, events, race)
    size = int(min(events["size"][[first.event[0], second.event[0]]]))
    memory = memory_at(kernel, events, int(first.place[0]) * first.unit, size)
    same_warp = not race.between_blocks and bool(first.warp[0] == second.warp[0])
    touches = [_touch(kernel, grid, events, access) for access in (first, second)]
    by_barriers = _by_barriers_of_the_block(kernel, race)
    in_loop = leads_back(kernel, events, int(first.event[0]), int(second.event[0]))
    told = _told(kernel, grid, events, race.told) if race.told >= 0 else None
    order = kernel.order or AccessOrder()
    return RaceFound(
        memory,
        touches[0],
        touches[1],
        same_warp,
        race.between_blocks,
        order,
        in_loop,
        told,
        waits_later(events, first, second),
        writes_too(events, first) and writes_too(events, second),
        has_just_waited(events, second),
        met=met(kernel, events, race.change, race.other) if by_barriers else (0, 0),
        skipped=skipped(kernel, events, race.change, race.other) if by_barriers else 0,
        reads_filled=by_barriers and bool(race.other.is_read[0]) and reads_only_the_filled(kernel, events, race.other),
        writing_warps=written_by_warps(events, race.change) if by_barriers else 1,
    )


def _by_barriers_of_the_block(kernel: Kernel, race: Race) -> bool:
    """Return whether the two accesses are between the same two barriers, and nothing else orders their threads."""
    others = kernel.order and (kernel.order.by_parts or kernel.order.by_objects)
    is_inside = not race.between_blocks and bool(race.change.is_shared[0])
    return is_inside and not others and bool(race.change.epoch[0] == race.other.epoch[0])


def _told(kernel: Kernel, grid: Dim3, events: Events, event: int) -> Touch:
    lane = int(acting(events[event : event + 1])[0].argmax())
    return touch_of(kernel, grid, events, event, int(events["warp"][event]) * LANES + lane)


def _touch(kernel: Kernel, grid: Dim3, events: Events, access: Accesses) -> Touch:
    """Return the facts of a table's first access."""
    return touch_of(kernel, grid, events, int(access.event[0]), int(access.thread[0]))
