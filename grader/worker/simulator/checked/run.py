"""The findings of the launch that a traced simulator has just made."""

from __future__ import annotations

from dataclasses import dataclass

from grader.contract.messages import Check
from grader.model import Fault
from grader.worker.simulator.analysis.geometry import Geometry
from grader.worker.simulator.checked import (
    changed_sources,
    lost_additions,
    outside,
    stray_arrivals,
    tolerated_barriers,
    warp_operations,
    wording,
)
from grader.worker.simulator.checked.findings import (
    EarlyUseFound,
    early_use_found,
    equal_writes_found,
    overlap_found,
    races_found,
)
from grader.worker.simulator.checked.room import searchable, without_heap
from grader.worker.simulator.checked.settled import in_step
from grader.worker.simulator.checked.unset import UnsetFound, unset_found
from grader.worker.simulator.engine.faults import DeviceFault
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.simulate import Simulator
from grader.worker.simulator.engine.trace import CORNER, Events, Extent, Trace
from grader.worker.simulator.generate.layout import FaultKind

MOST_EVENTS = 100_000  # of a launch: about half a second of analysis
OF_BLOCK = MOST_EVENTS // 4  # so that the blocks in all four corners of the grid have room
PART_OF_ROOM = 2  # one in so many, where not only barriers of whole blocks order threads: the search takes longer
PART_OF_MEMORY = 4  # likewise, where what threads write to memory orders them
EVERYWHERE = 1 << 30
READ_ONLY = (1, 2)  # segments of A and B
MATRICES = ("A", "B", "C")


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


def outside_arrays(simulator: Simulator, request: Check) -> Fault | None:
    """Return the fault of an access outside variables, or outside the memory that malloc or new has returned."""
    grid, events = request.launch.grid(request.case.shape), _searchable(simulator)
    found = outside.outside_found(simulator.kernel, grid, events, simulator.heap.sizes if simulator.heap else {})
    return outside.outside(found) if found else None


@dataclass(frozen=True, slots=True)
class RaceSearch:
    """The fault of the races that a trace shows, if there are any, and what was left out for want of room."""

    fault: Fault | None
    left_out: str


def search_for_races(simulator: Simulator, request: Check) -> RaceSearch:
    """Search the trace for races; a missing wait for a copy is one."""
    shape, left_out = request.case.shape, "" if _is_complete(simulator) else wording.PARTLY_SEARCHED
    of_launch = simulator.kernel, request.launch.grid(shape), _events(simulator)
    early = early_use_found(*of_launch)
    if isinstance(early, EarlyUseFound):
        return RaceSearch(wording.early_use(early, request.interface, shape), left_out)
    if early:
        return RaceSearch(wording.data_race((early,), request.interface, shape), left_out)
    if changed := changed_sources.changed_source_found(*of_launch):
        return RaceSearch(changed_sources.changed_source(changed, request.interface, shape), left_out)
    found = races_found(*of_launch, is_complete=not left_out)
    if found.stray and not (found.stray.again and found.races):
        return RaceSearch(stray_arrivals.fault(found.stray), left_out)
    fault = wording.data_race(found.races, request.interface, shape) if found.races else None
    if not fault and (overlap := overlap_found(*of_launch)):
        fault = wording.data_race((overlap,), request.interface, shape)
    if not fault and (of_two := lost_additions.lost_found(*of_launch, is_complete=not left_out)):
        fault = lost_additions.lost(of_two, request.interface, shape)
    return RaceSearch(fault, left_out or (wording.WAITS_PARTLY_SEARCHED if found.is_partial else ""))


def reason_of_index(simulator: Simulator, request: Check, fault: DeviceFault) -> Fault | None:
    """Return what an index outside of other memory may come from: a race in shared memory, or another bad index."""
    if fault.kind is not FaultKind.MEMORY or fault.buffer.partition(" ")[0] in {"shared", "scalar", "local"}:
        return None
    shape = request.case.shape
    found = races_found(simulator.kernel, request.launch.grid(shape), _events(simulator), is_complete=False)
    shared = tuple(race for race in found.races if race.memory.is_shared)
    if shared:
        return wording.data_race(shared, request.interface, shape)
    return outside_arrays(simulator, request) if fault.buffer in MATRICES else None


def left_out(simulator: Simulator, request: Check) -> Fault | None:
    """Return the fault of a warp operation in a thread that its mask leaves out."""
    found = warp_operations.left_out_found(
        simulator.kernel, request.launch.grid(request.case.shape), _events(simulator)
    )
    return warp_operations.left_out(found) if found else None


def missing_source(simulator: Simulator, request: Check) -> Fault | None:
    """Return the fault of a shuffle from a thread that does not take part; its result need not reach C."""
    found = warp_operations.missing_source_found(
        simulator.kernel, request.launch.grid(request.case.shape), _events(simulator)
    )
    return warp_operations.missing_source(found) if found else None


def unset_memory(simulator: Simulator, request: Check) -> Fault | None:
    """Return the fault of a read of memory or a register that was never written; its value need not reach C."""
    shape, kernel = request.case.shape, simulator.kernel
    if read := _unset(simulator, request):
        return wording.unset_memory(read, request.interface, shape)
    if kernel.unset_at or kernel.local_bytes:
        shared = bool(kernel.arrays) and not _is_complete(simulator)
        return wording.unset_variable(kernel.unset_at, local=bool(kernel.local_bytes), shared=shared)
    return None


def remark(simulator: Simulator, request: Check) -> str:
    """Return what a correct launch was not searched for, and what is odd in it.

    That is a barrier that a GPU merely tolerates, a read of unset memory that changes nothing, or equal writes.
    """
    grid, found = request.launch.grid(request.case.shape), ""
    if _is_complete(simulator):
        found = tolerated_barriers.tolerated(simulator.kernel, grid, _events(simulator))
    if not found and (read := _unset(simulator, request)):
        found = wording.unused(read, request.interface, request.case.shape)
    if not found and (equal := equal_writes_found(simulator.kernel, grid, _events(simulator))):
        found = wording.equal_writes(equal, request.interface, request.case.shape)
    return f"{not_searched(simulator)} {found}".strip()


def not_searched(simulator: Simulator) -> str:
    """Return what the launch was not searched for, and why; empty for a complete search."""
    order = simulator.kernel.order
    return wording.not_searched(order) if order else ""


def _unset(simulator: Simulator, request: Check) -> UnsetFound | None:
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
