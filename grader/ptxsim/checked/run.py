"""Search the trace of a simulator's last launch for faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from grader.ptxsim.checked import barrier_lines, copy_races, lost_additions
from grader.ptxsim.checked.accesses import CHANGES, acting
from grader.ptxsim.checked.findings import early_use_found, equal_writes_found, overlap_found, races_found
from grader.ptxsim.checked.searchable import in_step, searchable, without_heap
from grader.ptxsim.checked.traced_launch import TracedLaunch, access_of_lane, last_launch
from grader.ptxsim.checked.undefined import left_out_found, missing_source_found, unset_found
from grader.ptxsim.engine.faults import DeviceFault, component
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.session import initial_values
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import CORNER, NONE_DRAWN, DrawnBlocks, Events, Extent
from grader.ptxsim.generate.layout import CONSTANTS, GLOBALS, HEAP, SEGMENT_BITS, FaultKind
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records import traced
from grader.ptxsim.records.fields import Unsearched
from grader.ptxsim.records.races import AnyRace, EarlyUse, Races
from grader.ptxsim.syntax.declarations import source_name

MOST_EVENTS = 150_000  # of a launch; their analysis takes less than a second
OF_BLOCK = MOST_EVENTS // 6  # room for the blocks in all four corners of the grid, and as much as for two for others
PART_OF_ROOM = 2  # divisor if not only barriers of whole blocks order threads, because the search takes longer
PART_OF_MEMORY = 4  # the same if flags in memory order threads
EVERYWHERE = 1 << 30
SEGMENTS = (HEAP, GLOBALS, CONSTANTS)
ORDERS = "reverse", "forward"  # of a second launch: the waiting blocks may be the first or the last ones
Relaunch = Callable[[str], bytes | None]  # repeats the launch in an order; returns None if it fails


def extent(kernel: Kernel, read_only: tuple[int, ...] = (), drawn: DrawnBlocks = NONE_DRAWN) -> Extent:
    """Return which events the trace of a launch records for a search; reads of the segments `read_only` are left out.

    The blocks in the corners of the grid are of every kind: with whole tiles, and with partial tiles at each edge. For
    other blocks, unless they are `drawn`, only accesses to global memory matter. If flags in memory may order
    blocks, all blocks share the room, because any block may order others. If only barriers order threads, each warp has
    room of its own, because a warp that lacks a barrier runs far ahead of the others.
    """
    keep = partial(Extent, read_only=read_only, shared_edge=CORNER, drawn=drawn)
    if not kernel.search.order.by_clocks:
        return keep(MOST_EVENTS, OF_BLOCK, warps=kernel.geometry.warps)
    if kernel.search.order.by_memory:
        most = MOST_EVENTS // PART_OF_MEMORY
        return keep(most, most, edge=EVERYWHERE)
    return keep(MOST_EVENTS // PART_OF_ROOM, OF_BLOCK // PART_OF_ROOM)


def outside_arrays(simulator: Simulator) -> traced.OutsideVariable | None:
    """Return the first access outside of variables and of memory from malloc or new; None without one."""
    return _outside_found(_searchable_launch(simulator), simulator.heap.sizes if simulator.heap else {})


@dataclass(frozen=True, slots=True)
class RaceSearch:
    """The races in a trace, if any, and the part of the launch that was not searched, if any."""

    race: AnyRace | None
    left_out: Unsearched | None


def search_for_races(simulator: Simulator) -> RaceSearch:
    """Search the trace for races, including missing waits for asynchronous copies."""
    left_out = None if _is_complete(simulator) else Unsearched.ROUNDS
    launch = _launch(simulator)
    early = early_use_found(launch)
    if early:
        return RaceSearch(early if isinstance(early, EarlyUse) else Races((early,)), left_out)
    if changed := copy_races.changed_source_found(launch):
        return RaceSearch(changed, left_out)
    found = races_found(launch, is_complete=not left_out)
    if found.early_arrival and not (found.early_arrival.again and found.races):
        return RaceSearch(found.early_arrival, left_out)
    race: AnyRace | None = Races(found.races) if found.races else None
    if not race and (overlap := overlap_found(launch)):
        race = Races((overlap,))
    partly = left_out or (Unsearched.WAITS if found.is_partial else None)
    lost = None if race else lost_additions.lost_found(launch, is_complete=not left_out)
    if isinstance(lost, Unsearched):
        return RaceSearch(None, partly or lost)
    return RaceSearch(race or lost, partly)


def reason_of_index(simulator: Simulator, fault: DeviceFault) -> Races | traced.OutsideVariable | None:
    """Return a possible cause of a bad index: a race in shared memory, or another access out of bounds."""
    if fault.kind is not FaultKind.MEMORY or fault.space in {"shared", "scalar", "local"}:
        return None
    found = races_found(_launch(simulator), is_complete=False)
    if shared := tuple(race for race in found.races if race.memory.is_shared):
        return Races(shared)
    return outside_arrays(simulator) if fault.space == "buffer" else None


def left_out(simulator: Simulator) -> traced.LeftOut | None:
    """Return the first warp operation in a thread that is not in its mask; None without one."""
    return left_out_found(_launch(simulator))


def missing_source(simulator: Simulator) -> traced.MissingSource | None:
    """Return the first shuffle from a thread that does not take part, even if its value does not affect a result."""
    return missing_source_found(_launch(simulator))


def unset_memory(simulator: Simulator) -> traced.UnsetRead | traced.UnsetVariable | None:
    """Return the first read of unwritten memory or of an unset register, even if it does not affect a result."""
    kernel = simulator.kernel
    if read := unset_read(simulator):
        return read
    if kernel.search.unset_at or kernel.placed.local_bytes:
        is_shared = bool(kernel.placed.arrays) and not _is_complete(simulator)
        return traced.UnsetVariable(
            kernel.search.unset_at[:2], is_local=bool(kernel.placed.local_bytes), is_shared=is_shared
        )
    return None


def odd(simulator: Simulator) -> traced.Odd | None:
    """Return the first oddity of a correct launch; None without one.

    Oddities are barriers that GPUs tolerate but CUDA forbids, harmless reads of unset memory, and equal writes.
    """
    launch = _launch(simulator)
    tolerated = barrier_lines.tolerated(launch) if _is_complete(simulator) else None
    if found := tolerated or unset_read(simulator):
        return found
    equal = equal_writes_found(launch)
    return traced.EqualWrites(equal) if equal else None


def unset_read(simulator: Simulator) -> traced.UnsetRead | None:
    """Return the first read of unwritten shared memory, even if its value does not affect a result."""
    return unset_found(_launch(simulator), is_complete=_is_complete(simulator))


def _is_complete(simulator: Simulator) -> bool:
    """Whether all events of the blocks in the corners of the grid are searched."""
    trace = simulator.trace
    return trace is not None and trace.is_complete and len(_launch(simulator).events) == len(trace.events())


def _launch(simulator: Simulator) -> TracedLaunch:
    launch = _searchable_launch(simulator)
    events = in_step(launch.events)
    return launch.with_events(without_heap(events) if simulator.heap and simulator.heap.is_reused else events)


def _searchable_launch(simulator: Simulator) -> TracedLaunch:
    """Return the last launch of a traced simulator, with as many events as can be searched."""
    launch = last_launch(simulator)
    warps = 0 if launch.kernel.search.order.by_clocks else launch.kernel.geometry.warps
    return launch.with_events(searchable(launch.events, warps))


def first_outside(events: Events, sizes: Mapping[int, int]) -> tuple[int, int, int, int] | None:
    """Return the first access outside of heap blocks and variables; `sizes` has their bytes by address.

    That is its event, its lane, its address, and the start of the variable or block before it, or 0.
    """
    starts = np.array([0, *sorted(sizes)], np.int64)
    ends = starts + np.array([0, *(sizes[int(start)] for start in starts[1:])], np.int64)
    accesses = np.flatnonzero(np.isin(events["kind"], (Event.READ, *CHANGES)))
    words = events["words"][accesses]
    before = np.searchsorted(starts, words, side="right") - 1
    beyond = words + events["size"][accesses, None] > ends[before]
    outside = beyond & acting(events[accesses]) & np.isin(words >> SEGMENT_BITS, SEGMENTS)
    for row in np.flatnonzero(outside.any(axis=1))[:1]:
        lane = int(outside[row].argmax())
        address, start = int(words[row, lane]), int(starts[before[row, lane]])
        same_segment = start >> SEGMENT_BITS == address >> SEGMENT_BITS
        return int(accesses[row]), lane, address, start if same_segment else 0
    return None


def _outside_found(launch: TracedLaunch, heap: Mapping[int, int]) -> traced.OutsideVariable | None:
    """Return the record of the first access outside of variables and heap blocks; `heap` has their bytes by address."""
    variables = {address: variable for variable, address in launch.kernel.variables}
    sizes = dict(heap) | {address: variable.size for address, variable in variables.items()}
    found = first_outside(launch.events, sizes)
    if found is None:
        return None
    event, lane, address, start = found
    name = source_name(variables[start].name) if start in variables else ""
    element, size = component(launch.kernel.places[int(launch.events["where"][event])]), sizes.get(start, 0)
    offset = max(address - start, size)  # a wide access may begin inside
    return traced.OutsideVariable(access_of_lane(launch, event, lane), name, offset, size, element)


def race_of_second_launch(simulator: Simulator, launch: Relaunch) -> traced.SecondLaunch | None:
    """Return a race in a second launch; None without one.

    Variables have their values from the first launch, such as a flag that is still set: threads that wait for it
    continue immediately, so that nothing orders them. The result may nevertheless be correct: if both launches have the
    same inputs, the other block's data of the first launch are correct in the second.
    A kernel whose trace is incomplete is not launched again, because races between blocks could not be found.
    """
    kernel, trace, memory = simulator.kernel, simulator.trace, simulator.variables[GLOBALS]
    if trace is None or not kernel.search.order.by_memory or not trace.is_complete:
        return None
    if np.array_equal(memory, initial_values(kernel)[GLOBALS]):
        return None
    for order in ORDERS:
        simulator.restart()
        launch(order)
        if launch(order) is not None and (race := search_for_races(simulator).race):
            return traced.SecondLaunch(race)
    return None
