"""Records of the races in a trace: the threads, the memory, and the lines of the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from grader.ptxsim.checked.accesses import accesses, every_access, unit_of, writes
from grader.ptxsim.checked.barrier_lines import EarlyArrival, met, skipped
from grader.ptxsim.checked.copy_races import first_overlap
from grader.ptxsim.checked.copy_waits import copy_ends, first_early_use
from grader.ptxsim.checked.epochs import partial_waits
from grader.ptxsim.checked.race_search import RacingPair, equal_writes, races, races_between_warps, races_inside_warps
from grader.ptxsim.checked.signals import signalling, signals
from grader.ptxsim.checked.source_order import in_order, leads_back, line_of, runs_before, runs_behind, writes_too
from grader.ptxsim.checked.synchronisation import knowledge
from grader.ptxsim.checked.traced_launch import TracedLaunch, access_of_lane, first_access, memory_at, memory_of
from grader.ptxsim.checked.vector_clocks import Knowledge
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records.races import MOST_RACES, Copying, EarlyUse, Ordering, Race, Scope, StrayArrival


@dataclass(frozen=True, slots=True)
class RacesFound:
    """The races of a launch. `is_partial`: the last events were not searched, for lack of memory."""

    races: tuple[Race, ...] = ()
    is_partial: bool = False
    early_arrival: StrayArrival | None = None


def early_use_found(launch: TracedLaunch) -> EarlyUse | Race | None:
    """Return the first use of data that an asynchronous copy may not have written yet, or already overwritten."""
    events, kernel = launch.events, launch.kernel
    found = first_early_use(events, unit_of(events))
    if found is None:
        return None
    memory = memory_at(launch, found.address, unit_of(events[found.use : found.use + 1]))
    copy = access_of_lane(launch, found.copy, found.copier)
    use = access_of_lane(launch, found.use, found.user)
    scope = Scope.WARP if events["warp"][found.copy] == events["warp"][found.use] else Scope.BLOCK
    is_ahead = found.overwrites and runs_before(launch, found.use, found.user, copy.line)
    if is_ahead or (found.replaces_unread and use.reads):
        return Race(memory, copy, use, scope, _ordering(kernel), copying=Copying.AHEAD)
    if found.overwrites:
        return Race(memory, use, copy, scope, _ordering(kernel), leads_back(launch, found.use, found.copy))
    return EarlyUse(memory, copy, use, found.is_awaited)


def races_found(launch: TracedLaunch, *, is_complete: bool = True) -> RacesFound:
    """Return the races of a launch, at most one for each pair of lines.

    If the trace is incomplete, races between blocks are left out, because the events that order blocks may be missing.
    """
    events, kernel = launch.events, launch.kernel
    is_partial, early = False, None
    if kernel.search.order.by_clocks:
        known = knowledge(events)
        is_partial, found = known.is_partial, _by_clocks(launch, known)
        early = _early_arrival(launch, known.early_arrival) if known.early_arrival else None
        found = found if is_complete else (race for race in found if not race.between_blocks)
    else:
        found = races(accesses(events, copy_ends(events)), kernel.search.order, partial_waits(events))
    distinct = _at_different_lines(launch, found)
    return RacesFound(tuple(_facts(launch, race) for race in islice(distinct, MOST_RACES)), is_partial, early)


def _by_clocks(launch: TracedLaunch, known: Knowledge) -> Iterator[RacingPair]:
    events = launch.events
    places, lines = signals(events), launch.lines
    of_warps, of_lanes = (
        signalling(table.rows(table.event < known.until), events, places)
        for table in (every_access(events, known.are_alike()), accesses(events, copy_ends(events)))
    )
    for is_shared in (True, False):
        yield from races_between_warps(of_warps.rows(of_warps.is_shared == is_shared), known, lines)
        of_space = of_lanes.rows(of_lanes.is_shared == is_shared)
        yield from races_inside_warps(of_space, partial_waits(events), known, lines)


def _early_arrival(launch: TracedLaunch, found: EarlyArrival) -> StrayArrival:
    first, second = (
        access_of_lane(launch, arrival.event, int(arrival.lanes.argmax())) for arrival in (found.before, found.arrival)
    )
    return StrayArrival(found.number, found.expected, first, second, found.again)


def overlap_found(launch: TracedLaunch) -> Race | None:
    """Return two asynchronous copies to one place, the second of which begins before the wait for the first."""
    events, kernel = launch.events, launch.kernel
    copies = kernel.traits.copies and bool((events["kind"] == Event.COPY).any())
    found = first_overlap(events, knowledge(events) if kernel.search.order.by_clocks else None) if copies else None
    if found is None:
        return None
    memory = memory_of(launch, found.change, found.other)
    first, second = first_access(launch, found.change), first_access(launch, found.other)
    return Race(memory, first, second, _scope(found), _ordering(kernel), copying=Copying.UNDER_WAY)


def equal_writes_found(launch: TracedLaunch) -> Race | None:
    """Return two unordered writes of one value to one place; None if mbarriers or fences may order them."""
    found = equal_writes(writes(launch.events), launch.kernel.search.order)
    return _facts(launch, found) if found else None


def _at_different_lines(launch: TracedLaunch, found: Iterable[RacingPair]) -> Iterator[RacingPair]:
    seen = set()
    for race in found:
        lines = frozenset(line_of(launch, access) for access in (race.change, race.other))
        if lines not in seen:
            seen.add(lines)
            yield race


def _facts(launch: TracedLaunch, race: RacingPair) -> Race:
    first, second = in_order(launch, race)
    is_of_barriers = _by_barriers_of_the_block(launch.kernel, race)
    return Race(
        memory_of(launch, first, second),
        first_access(launch, first),
        first_access(launch, second),
        _scope(race),
        _ordering(launch.kernel),
        in_loop=leads_back(launch, int(first.event[0]), int(second.event[0])),
        again=runs_behind(launch, second, line_of(launch, first)),
        both_write=writes_too(launch.events, first) and writes_too(launch.events, second),
        met=met(launch, race.change, race.other) if is_of_barriers else (0, 0),
        skipped=skipped(launch, race.change, race.other) if is_of_barriers else 0,
    )


def _scope(race: RacingPair) -> Scope:
    if race.between_blocks:
        return Scope.GRID
    return Scope.WARP if race.change.warp[0] == race.other.warp[0] else Scope.BLOCK


def _ordering(kernel: Kernel) -> Ordering:
    order = kernel.search.order
    return Ordering(order.by_parts, order.by_objects, order.by_memory)


def _by_barriers_of_the_block(kernel: Kernel, race: RacingPair) -> bool:
    """Whether two accesses are between the same two barriers, and only barriers of the block order their threads."""
    others = kernel.search.order.by_parts or kernel.search.order.by_objects
    is_inside = not race.between_blocks and bool(race.change.is_shared[0])
    return is_inside and not others and bool(race.change.epoch[0] == race.other.epoch[0])
