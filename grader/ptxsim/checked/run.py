"""The findings of the launch that a traced simulator has just made."""

from __future__ import annotations

from dataclasses import dataclass

from grader.contract.messages import Check
from grader.model.answers import Unsearched
from grader.model.matrices import MATRICES
from grader.model.races import AnyRace, EarlyUse, Races
from grader.model.traced import (
    EqualWrites,
    LeftOut,
    MissingSource,
    Odd,
    OutsideVariable,
    UnsetRead,
    UnsetVariable,
)
from grader.ptxsim.analysis.geometry import Geometry
from grader.ptxsim.checked import (
    changed_sources,
    lost_additions,
    outside,
    tolerated_barriers,
    warp_operations,
)
from grader.ptxsim.checked.findings import (
    early_use_found,
    equal_writes_found,
    overlap_found,
    races_found,
)
from grader.ptxsim.checked.room import searchable, without_heap
from grader.ptxsim.checked.settled import in_step
from grader.ptxsim.checked.unset import unset_found
from grader.ptxsim.engine.faults import DeviceFault
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import CORNER, Events, Extent, Trace
from grader.ptxsim.generate.layout import FaultKind

MOST_EVENTS = 100_000  # of a launch: about half a second of analysis
OF_BLOCK = MOST_EVENTS // 4  # so that the blocks in all four corners of the grid have room
PART_OF_ROOM = 2  # one in so many, where not only barriers of whole blocks order threads: the search takes longer
PART_OF_MEMORY = 4  # likewise, where what threads write to memory orders them
EVERYWHERE = 1 << 30
READ_ONLY = (1, 2)  # segments of A and B


def extent(kernel: Kernel) -> Extent:
    """Return what the trace of a checked launch keeps.

    The blocks in the corners of the grid are of every kind: with whole tiles, and with cut ones at each edge of C. Of
    others, accesses to global memory matter only. If memory may order blocks, any block may order others, and the room
    is for all. Where only barriers order threads, the warps of a block have room of their own: one that lacks a barrier
    runs far ahead of the others.
    """
    if kernel.order is None or not kernel.order.by_clocks:
        return Extent(MOST_EVENTS, OF_BLOCK, READ_ONLY, shared_edge=CORNER, warps=Geometry(kernel.block).warps)
    if kernel.order.by_memory:
        most = MOST_EVENTS // PART_OF_MEMORY
        return Extent(most, most, READ_ONLY, shared_edge=CORNER, edge=EVERYWHERE)
    return Extent(MOST_EVENTS // PART_OF_ROOM, OF_BLOCK // PART_OF_ROOM, READ_ONLY, shared_edge=CORNER)


def outside_arrays(simulator: Simulator, request: Check) -> OutsideVariable | None:
    """Return an access outside variables, or outside the memory that malloc or new has returned."""
    grid, events = request.launch.grid(request.case.shape), _searchable(simulator)
    return outside.outside_found(simulator.kernel, grid, events, simulator.heap.sizes if simulator.heap else {})


@dataclass(frozen=True, slots=True)
class RaceSearch:
    """A race that a trace shows, or some, and what was left out for want of room."""

    race: AnyRace | None
    left_out: Unsearched | None


def search_for_races(simulator: Simulator, request: Check) -> RaceSearch:
    """Search the trace for races; a missing wait for a copy is one."""
    left_out = None if _is_complete(simulator) else Unsearched.ROUNDS
    of_launch = simulator.kernel, request.launch.grid(request.case.shape), _events(simulator)
    early = early_use_found(*of_launch)
    if early:
        return RaceSearch(early if isinstance(early, EarlyUse) else Races((early,)), left_out)
    if changed := changed_sources.changed_source_found(*of_launch):
        return RaceSearch(changed, left_out)
    found = races_found(*of_launch, is_complete=not left_out)
    if found.stray and not (found.stray.again and found.races):
        return RaceSearch(found.stray, left_out)
    race: AnyRace | None = Races(found.races) if found.races else None
    if not race and (overlap := overlap_found(*of_launch)):
        race = Races((overlap,))
    race = race or lost_additions.lost_found(*of_launch, is_complete=not left_out)
    return RaceSearch(race, left_out or (Unsearched.WAITS if found.is_partial else None))


def reason_of_index(simulator: Simulator, request: Check, fault: DeviceFault) -> Races | OutsideVariable | None:
    """Return what an index outside of other memory may come from: a race in shared memory, or another bad index."""
    if fault.kind is not FaultKind.MEMORY or fault.buffer.partition(" ")[0] in {"shared", "scalar", "local"}:
        return None
    grid = request.launch.grid(request.case.shape)
    found = races_found(simulator.kernel, grid, _events(simulator), is_complete=False)
    if shared := tuple(race for race in found.races if race.memory.is_shared):
        return Races(shared)
    return outside_arrays(simulator, request) if fault.buffer in MATRICES else None


def left_out(simulator: Simulator, request: Check) -> LeftOut | None:
    """Return a warp operation in a thread that its mask leaves out."""
    grid = request.launch.grid(request.case.shape)
    return warp_operations.left_out_found(simulator.kernel, grid, _events(simulator))


def missing_source(simulator: Simulator, request: Check) -> MissingSource | None:
    """Return a shuffle from a thread that does not take part; its result need not reach C."""
    grid = request.launch.grid(request.case.shape)
    return warp_operations.missing_source_found(simulator.kernel, grid, _events(simulator))


def unset_memory(simulator: Simulator, request: Check) -> UnsetRead | UnsetVariable | None:
    """Return a read of memory or a register that was never written; its value need not reach C."""
    kernel = simulator.kernel
    if read := _unset(simulator, request):
        return read
    if kernel.unset_at or kernel.local_bytes:
        is_shared = bool(kernel.arrays) and not _is_complete(simulator)
        return UnsetVariable(kernel.unset_at[:2], is_local=bool(kernel.local_bytes), is_shared=is_shared)
    return None


def odd(simulator: Simulator, request: Check) -> Odd | None:
    """Return what is odd in a correct launch.

    That is a barrier that a GPU merely tolerates, a read of unset memory that changes nothing, or equal writes.
    """
    grid, events = request.launch.grid(request.case.shape), _events(simulator)
    tolerated = tolerated_barriers.tolerated(simulator.kernel, grid, events) if _is_complete(simulator) else None
    if found := tolerated or _unset(simulator, request):
        return found
    equal = equal_writes_found(simulator.kernel, grid, events)
    return EqualWrites(equal) if equal else None


def was_searched(simulator: Simulator) -> bool:
    """Whether the trace shows what orders accesses, so that it can be searched for races."""
    order = simulator.kernel.order
    return order is None or not order.counts_bytes


def _unset(simulator: Simulator, request: Check) -> UnsetRead | None:
    grid, events = request.launch.grid(request.case.shape), _events(simulator)
    return unset_found(simulator.kernel, grid, events, is_complete=_is_complete(simulator))


def _is_complete(simulator: Simulator) -> bool:
    """Whether everything that the corners of the grid did is searched."""
    trace = _trace(simulator)
    return trace.is_complete and len(_events(simulator)) == len(trace.events())


def _events(simulator: Simulator) -> Events:
    events = in_step(_searchable(simulator))
    return without_heap(events) if simulator.heap and simulator.heap.is_reused else events


def _searchable(simulator: Simulator) -> Events:
    kernel = simulator.kernel
    is_by_warps = kernel.order is not None and not kernel.order.by_clocks
    return searchable(_trace(simulator).events(), Geometry(kernel.block).warps if is_by_warps else 0)


def _trace(simulator: Simulator) -> Trace:
    if simulator.trace is None:
        raise ValueError("the simulator traces nothing")
    return simulator.trace
