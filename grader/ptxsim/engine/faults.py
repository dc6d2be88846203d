"""What stopped a launch, as facts that are read from the state of a simulated processor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ctypes import c_int32
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.lowering import BLOCK_OF_CLUSTER
from grader.ptxsim.analysis.shape import Dim3, Geometry
from grader.ptxsim.engine.memory_layout import array_at
from grader.ptxsim.engine.program import GRID_WORKSPACE, VARIABLE_GAP, Kernel
from grader.ptxsim.generate.layout import (
    CONSTANTS,
    ENDED,
    FIRST_LOCAL,
    FIRST_SHARED,
    GLOBALS,
    LOCAL,
    SEGMENT_BITS,
    SHARED,
    WAITING,
    FaultKind,
    Place,
    ProcessorState,
    Warp,
    window,
)
from grader.ptxsim.records.fields import Site
from grader.ptxsim.syntax.declarations import source_name
from grader.ptxsim.syntax.records import WIDTHS, Integer, Symbol, types_of

# A scalar is a variable in shared memory and no array, a cluster the shared memory of another block, and the heap what
# a null pointer is for in a kernel with malloc.
FaultSpace: TypeAlias = Literal["buffer", "shared", "scalar", "cluster", "local", "variable", "heap", "none"]
_Beside: TypeAlias = tuple[FaultSpace, str, int, int]  # the space, a name, the offset and the extent in bytes
NULL_BYTES = 1 << 20  # addresses below are offsets from a null pointer


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """A fault, and the thread in which it occurred.

    `line` is the student's, 0 where none is known, and `instruction` the PTX instruction's name. For an access: the
    simulated `address`, its `size` in bytes, and what it lies in or near: the `space`, the name of the `buffer`, array
    or variable there, if it is known, the `offset` in bytes from its start and its `extent`. `element` is the number
    of bytes of a component of the access, 0 where its type is unknown.
    `awaits_grid` says that the thread is in the loop of grid.sync(), `is_dynamic` that the array has the size which
    LAUNCH gives.
    For a barrier: the `sites` at which threads wait, how many have returned, and how many the block has.
    """

    kind: FaultKind
    line: int
    instruction: str
    block: Dim3
    thread: Dim3
    address: int = 0
    size: int = 0
    write: bool = False
    space: FaultSpace = "none"
    buffer: str = ""
    offset: int = 0
    extent: int = 0
    element: int = 0
    sites: tuple[Site, ...] = ()
    returned: int = 0
    threads: int = 0
    text: str = ""
    awaits_grid: bool = False
    is_dynamic: bool = False


def describe(
    kernel: Kernel, state: ProcessorState, warps: NDArray[np.uint8], buffers: Mapping[str, NDArray[np.generic]]
) -> DeviceFault:
    """Return the fault of a block that did not finish."""
    kind = FaultKind(state.kind)
    block = (int(state.block_x), int(state.block_y), int(state.block_z))
    geometry = kernel.geometry
    if kind is FaultKind.BARRIER:
        return _barrier(kernel, warps, block, geometry)
    place = kernel.places[state.where]
    x, y, z = (int(axis) for axis in geometry.coordinates()[state.warp, :, state.lane])
    beside = _in_array(kernel, place, int(state.address)) or _near(kernel, int(state.address), buffers)
    space, buffer, offset, extent = beside
    return DeviceFault(
        kind,
        place.line,
        place.instruction,
        block,
        (x, y, z),
        int(state.address),
        int(state.size),
        bool(state.write),
        space,
        buffer,
        offset,
        extent,
        int(state.size) if kind is FaultKind.TIME else component(place),
        sites=_sites(kernel, warps, geometry)[0] if kind is FaultKind.TIME and kernel.code.stops else (),
        threads=geometry.threads,
        awaits_grid=kind is FaultKind.TIME and _is_workspace(kernel, int(state.address)),
        is_dynamic=_is_dynamic(kernel, int(state.address)),
    )


def _is_workspace(kernel: Kernel, address: int) -> bool:
    """Whether an address is in the memory through which grid.sync() synchronises blocks."""
    start = kernel.placed.symbols.get(GRID_WORKSPACE.name, address + 1)
    return start <= address < start + GRID_WORKSPACE.size


def component(place: Place) -> int:
    """Return the bytes of one component of an access, such as a float of a float4; 0 for other instructions."""
    types = types_of(place.record) if place.record else ()
    return WIDTHS[types[-1]] // 8 if types else 0


def _in_array(kernel: Kernel, place: Place, address: int) -> _Beside | None:
    """Return the local array to which an access is restricted, with offset and extent in bytes; None for others."""
    if place.record is None or place.record.opcode != "within":
        return None
    match place.record.operands:
        case (_, Symbol(variable, start), Integer(size), Symbol(name), Integer(stride)):
            in_variable = address - window(LOCAL) - kernel.placed.symbols[variable]
            offset = (in_variable % stride if stride else in_variable) - start
            outside = size if 0 <= offset < size else offset  # a wide access may begin inside
            return "local", name, outside, size
    return None


def _near(kernel: Kernel, address: int, buffers: Mapping[str, NDArray[np.generic]]) -> _Beside:
    """Return the buffer of an address in its segment, or shortly before it, with offset and extent in bytes."""
    number = address >> SEGMENT_BITS
    if number == SHARED:
        return _near_array(kernel, address - window(SHARED))
    if number in (CONSTANTS, GLOBALS):
        return _near_variable(kernel, address)
    if number == LOCAL:
        return "local", "", address - window(LOCAL) - FIRST_LOCAL, kernel.placed.local_bytes
    if kernel.traits.allocates and 0 <= address < NULL_BYTES:
        return "heap", "", address, 0
    half = 1 << SEGMENT_BITS - 1  # an address in the upper half of the segment before counts as one before this segment
    nearest = (address + half) >> SEGMENT_BITS
    names = list(buffers)
    if 1 <= nearest <= len(names) and address >= half:
        array = buffers[names[nearest - 1]]
        return "buffer", names[nearest - 1], address - window(nearest), array.nbytes
    return "none", "", address, 0


def _near_variable(kernel: Kernel, address: int) -> _Beside:
    """Return variable, offset and extent for an address in a variable or the gap after it; else without a name."""
    for variable, start in kernel.variables:
        if 0 <= address - start < variable.size + VARIABLE_GAP:
            return "variable", source_name(variable.name), address - start, variable.size
    return "variable", "", 0, 0


def _is_dynamic(kernel: Kernel, address: int) -> bool:
    array = array_at(kernel.placed.arrays, address - window(SHARED)) if address >> SEGMENT_BITS == SHARED else None
    return array is not None and array.is_dynamic


def _near_array(kernel: Kernel, address: int) -> _Beside:
    """Return array, offset and extent for shared memory; as offset the number of a block that is not in the cluster."""
    if kernel.traits.maps_blocks and address >= BLOCK_OF_CLUSTER.value:
        return "cluster", "", address // BLOCK_OF_CLUSTER.value, 0
    address -= 1 << 32 if address >= 1 << 31 else 0  # an index below zero
    array = array_at(kernel.placed.arrays, address)
    if array is None:
        return "shared", "", address - FIRST_SHARED, kernel.placed.shared_bytes
    space: FaultSpace = "scalar" if array.is_scalar else "shared"
    return space, source_name(array.name), address - array.address, array.size


def _barrier(kernel: Kernel, memory: NDArray[np.uint8], block: Dim3, geometry: Geometry) -> DeviceFault:
    sites, alive = _sites(kernel, memory, geometry)
    line, threads = sites[0].line if sites else 0, geometry.threads
    fault = DeviceFault(FaultKind.BARRIER, line, "bar", block, (0, 0, 0))
    return replace(fault, sites=sites, returned=threads - alive, threads=threads)


def _sites(kernel: Kernel, memory: NDArray[np.uint8], geometry: Geometry) -> tuple[tuple[Site, ...], int]:
    """Return the places at which threads of a block wait for each other, and the number of unfinished threads."""
    counts: dict[tuple[int, bool, int], int] = {}
    alive = 0
    for number in range(geometry.warps):
        at = memory.ctypes.data + number * kernel.code.stride
        warp = Warp.from_address(at)
        if warp.state != ENDED:
            alive += (warp.alive & 0xFFFFFFFF).bit_count()
            for line, barrier, of_block, threads in _waiting(kernel, warp, at):
                place = line, of_block, barrier
                counts[place] = counts.get(place, 0) + threads
    places = sorted((place, threads) for place, threads in counts.items() if threads)
    return tuple(Site(line, threads, of_block, barrier) for (line, of_block, barrier), threads in places), alive


def _waiting(kernel: Kernel, warp: Warp, at: int) -> Iterator[tuple[int, int, bool, int]]:
    """Yield the line, the barrier's number, whether it is of the block, and how many threads of the warp wait there."""
    if not kernel.code.stops:
        if warp.state == WAITING:
            yield kernel.places[warp.where].line, warp.barrier, True, (warp.alive & 0xFFFFFFFF).bit_count()
        return
    if not warp.resume and warp.state != WAITING:
        return  # the warp has not saved its state yet
    for stop in kernel.code.stops:
        if stop.held >= 0:
            number = c_int32.from_address(at + stop.opens).value
            yield stop.line, number, True, (c_int32.from_address(at + stop.held).value & 0xFFFFFFFF).bit_count()
        else:
            yield stop.line, 0, False, (c_int32.from_address(at + stop.waiting).value & 0xFFFFFFFF).bit_count()
