"""The findings of the launch that a traced simulator has just made."""

from __future__ import annotations

from dataclasses import dataclass

from grader.ptxsim.analysis.geometry import Geometry
from grader.ptxsim.checked import (
    changed_sources,
    lost_additions,
    outside,
    tolerated_barriers,
    warp_masks,
)
from grader.ptxsim.checked.findings import (
    early_use_found,
    equal_writes_found,
    overlap_found,
    races_found,
)
from grader.ptxsim.checked.searchable import searchable, without_heap
from grader.ptxsim.checked.settled import in_step
from grader.ptxsim.checked.traced_launch import TracedLaunch, last_launch
from grader.ptxsim.checked.unset import unset_found
from grader.ptxsim.engine.faults import DeviceFault
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import CORNER, Extent
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.records.fields import Unsearched
from grader.ptxsim.records.races import AnyRace, EarlyUse, Races
from grader.ptxsim.records.traced import (
    EqualWrites,
    LeftOut,
    MissingSource,
    Odd,
    OutsideVariable,
    UnsetRead,
    UnsetVariable,
)

MOST_EVENTS = 100_000  # of a launch: about half a second of analysis
OF_BLOCK = MOST_EVENTS // 4  # so that the blocks in all four corners of the grid have room
PART_OF_ROOM = 2  # one in so many, where not only barriers of whole blocks order threads: the search takes longer
PART_OF_MEMORY = 4  # likewise, where what threads write to memory orders them
EVERYWHERE = 1 << 30


def extent(kernel: Kernel, read_only: tuple[int, ...] = ()) -> Extent:
    """Return what the trace of a launch keeps that is searched: no reads of the segments `read_only`.

    The blocks in the corners of the grid are of every kind: with whole tiles, and with cut ones at each edge. Of
    others, accesses to global memory matter only. If memory may order blocks, any block may order others, and the room
    is for all. Where only barriers order threads, the warps of a block have room of their own: one that lacks a barrier
    runs far ahead of the others.
    """
    if kernel.search.order is None or not kernel.search.order.by_clocks:
        return Extent(MOST_EVENTS, OF_BLOCK, read_only, shared_edge=CORNER, warps=Geometry(kernel.block).warps)
    if kernel.search.order.by_memory:
        most = MOST_EVENTS // PART_OF_MEMORY
        return Extent(most, most, read_only, shared_edge=CORNER, edge=EVERYWHERE)
    return Extent(MOST_EVENTS // PART_OF_ROOM, OF_BLOCK // PART_OF_ROOM, read_only, shared_edge=CORNER)


def outside_arrays(simulator: Simulator) -> OutsideVariable | None:
    """Return an access outside variables, or outside the memory that malloc or new has returned."""
    return outside.outside_found(searchable_launch(simulator), simulator.heap.sizes if simulator.heap else {})


@dataclass(frozen=True, slots=True)
class RaceSearch:
    """A race that a trace shows, or some, and what was left out for want of room."""

    race: AnyRace | None
    left_out: Unsearched | None


def search_for_races(simulator: Simulator) -> RaceSearch:
    """Search the trace for races; a missing wait for a copy is one."""
    left_out = None if _is_complete(simulator) else Unsearched.ROUNDS
    launch = _launch(simulator)
    early = early_use_found(launch)
    if early:
        return RaceSearch(early if isinstance(early, EarlyUse) else Races((early,)), left_out)
    if changed := changed_sources.changed_source_found(launch):
        return RaceSearch(changed, left_out)
    found = races_found(launch, is_complete=not left_out)
    if found.stray and not (found.stray.again and found.races):
        return RaceSearch(found.stray, left_out)
    race: AnyRace | None = Races(found.races) if found.races else None
    if not race and (overlap := overlap_found(launch)):
        race = Races((overlap,))
    race = race or lost_additions.lost_found(launch, is_complete=not left_out)
    return RaceSearch(race, left_out or (Unsearched.WAITS if found.is_partial else None))


def reason_of_index(simulator: Simulator, fault: DeviceFault) -> Races | OutsideVariable | None:
    """Return what an index outside of other memory may come from: a race in shared memory, or another bad index."""
    if fault.kind is not FaultKind.MEMORY or fault.buffer.partition(" ")[0] in {"shared", "scalar", "local"}:
        return None
    found = races_found(_launch(simulator), is_complete=False)
    if shared := tuple(race for race in found.races if race.memory.is_shared):
        return Races(shared)
    return outside_arrays(simulator) if fault.buffer in simulator.buffers else None


def left_out(simulator: Simulator) -> LeftOut | None:
    """Return a warp operation in a thread that its mask leaves out."""
    return warp_masks.left_out_found(_launch(simulator))


def missing_source(simulator: Simulator) -> MissingSource | None:
    """Return a shuffle from a thread that does not take part; its value need not reach a result."""
    return warp_masks.missing_source_found(_launch(simulator))


def unset_memory(simulator: Simulator) -> UnsetRead | UnsetVariable | None:
    """Return a read of memory or a register that was never written; its value need not reach a result."""
    kernel = simulator.kernel
    if read := unset_read(simulator):
        return read
    if kernel.search.unset_at or kernel.local_bytes:
        is_shared = bool(kernel.arrays) and not _is_complete(simulator)
        return UnsetVariable(kernel.search.unset_at[:2], is_local=bool(kernel.local_bytes), is_shared=is_shared)
    return None


def odd(simulator: Simulator) -> Odd | None:
    """Return what is odd in a correct launch.

    That is a barrier that a GPU merely tolerates, a read of unset memory that changes nothing, or equal writes.
    """
    launch = _launch(simulator)
    tolerated = tolerated_barriers.tolerated(launch) if _is_complete(simulator) else None
    if found := tolerated or unset_read(simulator):
        return found
    equal = equal_writes_found(launch)
    return EqualWrites(equal) if equal else None


def was_searched(simulator: Simulator) -> bool:
    """Whether the trace shows what orders accesses, so that it can be searched for races."""
    order = simulator.kernel.search.order
    return order is None or not order.counts_bytes


def unset_read(simulator: Simulator) -> UnsetRead | None:
    """Return a read of shared memory that was never written; its value need not reach a result."""
    return unset_found(_launch(simulator), is_complete=_is_complete(simulator))


def _is_complete(simulator: Simulator) -> bool:
    """Whether everything that the corners of the grid did is searched."""
    trace = simulator.trace
    return trace is not None and trace.is_complete and len(_launch(simulator).events) == len(trace.events())


def _launch(simulator: Simulator) -> TracedLaunch:
    launch = searchable_launch(simulator)
    events = in_step(launch.events)
    return launch.with_events(without_heap(events) if simulator.heap and simulator.heap.is_reused else events)


def searchable_launch(simulator: Simulator) -> TracedLaunch:
    """Return the launch that a traced simulator has just made, with as many events as can be searched."""
    launch, order = last_launch(simulator), simulator.kernel.search.order
    warps = Geometry(launch.kernel.block).warps if order is not None and not order.by_clocks else 0
    return launch.with_events(searchable(launch.events, warps))
