"""What stopped a launch, in a student's terms: what happened, where, what to try."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.contract.layout import stored_as
from grader.contract.limit_faults import kernel_stopped
from grader.host.stopped import Stopped
from grader.model import Fault, Interface, Limits, Verdict
from grader.worker.launch_limits import not_resident
from grader.worker.simulator.checked.outside import VARIABLE_HINT
from grader.worker.simulator.engine.array_places import place_in
from grader.worker.simulator.engine.describe import NULL_BYTES
from grader.worker.simulator.engine.faults import DeviceFault, Site
from grader.worker.simulator.fault_hints import (
    ARRAY_HINT,
    CLUSTER_HINT,
    DYNAMIC_HINT,
    ENDED_OBJECT_HINT,
    FULL_HEAP_HINT,
    INDEX_HINT,
    NEGATIVE_HINT,
    NO_OBJECT_HINT,
    POINTER_HINT,
    TOGETHER,
    misaligned,
)
from grader.worker.simulator.generate.layout import FaultKind
from grader.worker.simulator.syntax.errors import PtxError
from grader.worker.simulator.time_wording import MATRICES, in_line, out_of_time, too_slow

OBJECT_BYTES = 8  # of an mbarrier
_OWNERS = {"shared": "block", "local": "thread"}


def not_supported(error: PtxError) -> Fault:
    """Return the fault of an instruction that the simulator lacks."""
    where = f" (line {error.line})" if error.line else ""
    sentence = f"The simulator does not support {error.what}{where}."
    return Fault(Verdict.NOT_SUPPORTED, sentence, "Grade it on a machine with a GPU.", error.line or None)


def explain(fault: DeviceFault, interface: Interface, limits: Limits) -> Fault:
    """Return the fault for a student."""
    if fault.kind is FaultKind.MEMORY:
        return _memory(fault, interface)
    if fault.kind is FaultKind.BARRIER:
        return _barrier(fault)
    if fault.kind is FaultKind.TIME:
        return out_of_time(fault, limits)
    if fault.kind is FaultKind.SLOW:
        return too_slow(fault, limits)
    if fault.kind is FaultKind.NO_OBJECT:
        return _no_object(fault)
    if fault.kind is FaultKind.NOT_RESIDENT:
        return not_resident(fault.size, fault.extent, fault.line)
    if fault.kind is FaultKind.PRINTED:
        return kernel_stopped(Stopped.OUTPUT, limits)
    verdict, sentence, hint = _SENTENCES[fault.kind](fault)
    return Fault(verdict, sentence, hint, fault.line or None)


def _who(fault: DeviceFault) -> str:
    return f"Thread {fault.thread} of block {fault.block}"


def _memory(fault: DeviceFault, interface: Interface) -> Fault:
    access = f"{_who(fault)} {'writes' if fault.write else 'reads'}"
    if fault.buffer in MATRICES:
        sentence = f"{access} outside {fault.buffer}{in_line(fault.line)}: {_distance(fault, interface)}."
        index_hint = NEGATIVE_HINT if fault.offset < 0 else INDEX_HINT
        hint = f"{index_hint} {stored_as(fault.buffer, interface)}".rstrip()
        return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, fault.line or None)
    if fault.buffer == "cluster":
        sentence = (
            f"{access} shared memory of block {fault.offset} of its cluster{in_line(fault.line)}, but the cluster has "
            "only block 0."
        )
        return Fault(Verdict.OUT_OF_BOUNDS, sentence, CLUSTER_HINT, fault.line or None)
    space, _, name = fault.buffer.partition(" ")
    if space == "variable":
        where = f": {_place(fault)}" if name else ""
        sentence = f"{access} outside {name or 'all variables'}{in_line(fault.line)}{where}."
        return Fault(Verdict.OUT_OF_BOUNDS, sentence, VARIABLE_HINT, fault.line or None)
    if space == "scalar":
        sentence = f"{access} outside the shared variable {name}{in_line(fault.line)}: {_place(fault)}."
        return Fault(Verdict.OUT_OF_BOUNDS, sentence, POINTER_HINT, fault.line or None)
    if space in ("shared", "local"):
        memory = f"the {space} array {name}" if name else f"the {space} memory of its {_OWNERS[space]}"
        hint = DYNAMIC_HINT if fault.is_dynamic else ARRAY_HINT if name else POINTER_HINT
        sentence = f"{access} outside {memory}{in_line(fault.line)}: {_place(fault)}."
        return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, fault.line or None)
    what = "through a null pointer" if 0 <= fault.address < NULL_BYTES else "memory that belongs to no matrix"
    hint = FULL_HEAP_HINT if fault.buffer == "heap" else POINTER_HINT
    detail = f"address {fault.address & (1 << 64) - 1:#x}"  # where no index says how far it is off
    return Fault(Verdict.OUT_OF_BOUNDS, f"{access} {what}{in_line(fault.line)}.", hint, fault.line or None, detail)


def _place(fault: DeviceFault) -> str:
    return place_in(fault.offset, fault.extent, fault.element)


def _distance(fault: DeviceFault, interface: Interface) -> str:
    types = {"A": interface.type_a, "B": interface.type_b, "C": interface.type_c}
    element = np.dtype(types[fault.buffer]).itemsize
    elements = fault.extent // element
    if fault.offset < 0:
        place = f"{_count(-(fault.offset // element))} before its start"
    else:
        index = fault.offset // element
        place = f"index {index}, which is {_count(index - elements + 1)} past its end"
    return f"{place} ({fault.buffer} has {_count(elements)})"


def _count(number: int) -> str:
    number = max(1, number)
    return f"{number} element{'' if number == 1 else 's'}"


def _barrier(fault: DeviceFault) -> Fault:
    barriers = [site for site in fault.sites if site.barrier]
    waiting = " and ".join(
        f"{site.threads} at {_barrier_name(site) if site.barrier else 'the warp operation'} in line {site.line}"
        for site in fault.sites
    )
    gone = f"; {fault.returned} of {fault.threads} threads have returned" if fault.returned else ""
    sentence = f"The threads of block {fault.block} wait for each other forever: {waiting}{gone}."
    if fault.returned and len(fault.sites) == 1 and barriers:
        hint = "Do not return before the barrier: put the bounds check around the loads and the store instead."
    elif any(site.number for site in fault.sites):
        hint = (
            "A numbered barrier opens when as many threads have arrived at it as its last operand says. Compare that "
            "with the threads that reach this number, and let all that wait for each other name one barrier."
        )
    elif len(barriers) == len(fault.sites):
        hint = "Every thread of a block must reach the same __syncthreads(); move it out of the if."
    elif not barriers:
        hint = (
            "Lanes wait until all that their mask names call the same operation with the same mask. A shuffle and a "
            "__syncwarp(), or calls with different masks, never meet."
        )
    else:
        hint = "All lanes named in a mask must reach the warp operation, and all threads of a block the barrier."
    return Fault(Verdict.BARRIER, sentence, hint, fault.line or None)


def _barrier_name(site: Site) -> str:
    return f"barrier {site.number}" if site.number else "the barrier"


def _no_object(fault: DeviceFault) -> Fault:
    _, _, name = fault.buffer.partition(" ")
    name = name if fault.extent <= OBJECT_BYTES else f"at byte {fault.offset} of {name}" if name else ""
    verb = "waits" if "_wait" in fault.instruction else "arrives"
    sentence = f"{_who(fault)} {verb} at the barrier object {name}".rstrip() + in_line(fault.line)
    line = fault.line or None
    if fault.write:
        return Fault(Verdict.UNSET_MEMORY, f"{sentence} after mbarrier.inval has ended it.", ENDED_OBJECT_HINT, line)
    return Fault(Verdict.UNSET_MEMORY, f"{sentence}, but no thread has initialised it.", NO_OBJECT_HINT, line)


_Words = tuple[Verdict, str, str]
_SENTENCES: dict[FaultKind, Callable[[DeviceFault], _Words]] = {
    FaultKind.MISALIGNED: lambda fault: (
        Verdict.CRASHED,
        f"{_who(fault)} accesses an address that is not a multiple of {fault.size} bytes{in_line(fault.line)}.",
        misaligned(fault.size, is_copy=fault.instruction.startswith("cp.")),
    ),
    FaultKind.TRAP: lambda fault: (
        Verdict.CRASHED,
        f"{_who(fault)} called __trap(){in_line(fault.line)}.",
        "Find out why the kernel reaches this line, or remove the __trap().",
    ),
    FaultKind.ASSERTION: lambda fault: (
        Verdict.CRASHED,
        f"An assertion failed in thread {fault.thread} of block {fault.block}{in_line(fault.line)}: "
        f"{''.join(letter for letter in fault.text if letter.isprintable())[:200]}",
        "Find out why the condition of this assert() is false.",
    ),
    FaultKind.STACK: lambda fault: (
        Verdict.CRASHED,
        f"{_who(fault)} ran out of stack{in_line(fault.line)}.",
        "A device function that calls itself has to end, and large arrays belong in shared or global memory.",
    ),
    FaultKind.COPY_SIZE: lambda fault: (
        Verdict.CRASHED,
        f"{_who(fault)} starts an asynchronous copy of an unsupported size{in_line(fault.line)}.",
        "An asynchronous copy has 4, 8 or 16 bytes; its last argument says how many of these are zeroed.",
    ),
    FaultKind.TILE_LEADING: lambda fault: (
        Verdict.CRASHED,
        f"The leading dimension of the tile{in_line(fault.line)} is not a multiple of 16 bytes.",
        "For other sizes, copy the tile to shared memory first, with zeros beyond the edge, and load it from there.",
    ),
    FaultKind.TILE_DIFFERS: lambda fault: (
        Verdict.CRASHED,
        f"The lanes of a warp of block {fault.block} load or store different tiles{in_line(fault.line)}.",
        "The pointer and the leading dimension must be the same in all 32 threads of a warp: compute them from "
        "the number of the warp, without threadIdx.x % 32.",
    ),
    FaultKind.TILE_MISALIGNED: lambda fault: (
        Verdict.CRASHED,
        f"The tile{in_line(fault.line)} starts at an address that is not aligned.",
        "Let tiles start at multiples of 16 elements, and let the rows be a multiple of 16 bytes long.",
    ),
    FaultKind.WARP_PARTIAL: lambda fault: (
        Verdict.BARRIER,
        f"The operation on fragments{in_line(fault.line)} needs all 32 threads of a warp, but some are missing.",
        f"Give LAUNCH a multiple of 32 threads per block. {TOGETHER}",
    ),
    FaultKind.FREE: lambda fault: (
        Verdict.CRASHED,
        f"{_who(fault)} frees memory that is not in use{in_line(fault.line)}.",
        "Call free once, with the pointer that malloc has returned.",
    ),
    FaultKind.READ_ONLY: lambda fault: (
        Verdict.CRASHED,
        f"{_who(fault)} writes to constant memory{in_line(fault.line)}.",
        "A kernel cannot write to a __constant__ variable: use a variable in shared or global memory.",
    ),
}
