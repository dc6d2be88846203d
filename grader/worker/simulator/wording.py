"""What stopped a launch, in a student's terms: what happened, where, what to try."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.contract.limit_faults import kernel_stopped
from grader.host.process import Stopped
from grader.model import Fault, Interface, Limits, Verdict
from grader.worker.simulator.engine.faults import DeviceFault
from grader.worker.simulator.generate.layout import FaultKind

NULL_BYTES = 1 << 20  # addresses below are offsets from a null pointer
MATRICES = ("A", "B", "C")
_OWNERS = {"shared": "block", "local": "thread"}
INDEX_HINT = "Compare row, column and k with the size of the matrix before every access."
TOGETHER = "All 32 threads of a warp must make the same call: let conditions depend on the warp, not on the thread."


def explain(found: DeviceFault, interface: Interface, limits: Limits) -> Fault:
    """Return the fault for a student."""
    if found.kind is FaultKind.MEMORY:
        return _memory(found, interface)
    if found.kind is FaultKind.BARRIER:
        return _barrier(found)
    if found.kind is FaultKind.TIME:
        return _time(found, limits)
    if found.kind is FaultKind.PRINTED:
        return kernel_stopped(Stopped.OUTPUT, limits)
    verdict, sentence, hint = _SENTENCES[found.kind](found)
    return Fault(verdict, sentence, hint, found.line or None)


def _who(found: DeviceFault) -> str:
    return f"Thread {found.thread} of block {found.block}"


def _in_line(line: int) -> str:
    return f" in line {line}" if line else ""


def _memory(found: DeviceFault, interface: Interface) -> Fault:
    access = f"{_who(found)} {'writes' if found.write else 'reads'}"
    detail = f"address {found.address & (1 << 64) - 1:#x}"
    if found.buffer in MATRICES:
        sentence = f"{access} outside {found.buffer}{_in_line(found.line)}: {_distance(found, interface)}."
        return Fault(Verdict.OUT_OF_BOUNDS, sentence, INDEX_HINT, found.line or None, detail)
    space, _, name = found.buffer.partition(" ")
    if space in ("shared", "local"):
        memory = f"the shared array {name}" if name else f"the {space} memory of its {_OWNERS[space]}"
        hint = "Compare the indices with the sizes in the array's declaration, and .shared of LAUNCH with what is used."
        sentence = f"{access} outside {memory}{_in_line(found.line)}: byte {found.offset} of {found.extent}."
        return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, found.line or None, detail)
    what = "through a null pointer" if 0 <= found.address < NULL_BYTES else "memory that belongs to no matrix"
    hint = "Check how the pointer or index is computed, and the indices of shared and local arrays."
    return Fault(Verdict.OUT_OF_BOUNDS, f"{access} {what}{_in_line(found.line)}.", hint, found.line or None, detail)


def _distance(found: DeviceFault, interface: Interface) -> str:
    types = {"A": interface.type_a, "B": interface.type_b, "C": interface.type_c}
    element = np.dtype(types[found.buffer]).itemsize
    elements = found.extent // element
    if found.offset < 0:
        place = f"{_count(-(found.offset // element))} before its start"
    else:
        index = found.offset // element
        place = f"index {index}, which is {_count(index - elements + 1)} past its end"
    return f"{place} ({found.buffer} has {_count(elements)})"


def _count(number: int) -> str:
    number = max(1, number)
    return f"{number} element{'' if number == 1 else 's'}"


def _barrier(found: DeviceFault) -> Fault:
    barriers = [site for site in found.sites if site.barrier]
    waiting = " and ".join(
        f"{site.threads} at the {'barrier' if site.barrier else 'warp operation'} in line {site.line}"
        for site in found.sites
    )
    gone = f"; {found.returned} of {found.threads} threads have returned" if found.returned else ""
    sentence = f"The threads of block {found.block} wait for each other forever: {waiting}{gone}."
    if found.returned and len(found.sites) == 1 and barriers:
        hint = "Do not return before the barrier: put the bounds check around the loads and the store instead."
    elif len(barriers) == len(found.sites):
        hint = "Every thread of a block must reach the same __syncthreads(); move it out of the if."
    else:
        hint = "All lanes named in a mask must reach the warp operation, and all threads of a block the barrier."
    return Fault(Verdict.BARRIER, sentence, hint, found.line or None)


def _time(found: DeviceFault, limits: Limits) -> Fault:
    who = f"thread {found.thread} of block {found.block}"
    waiting = [site for site in found.sites if site.barrier and site.threads]
    if waiting:
        site = waiting[0]
        sentence = (
            f"{site.threads} of {found.threads} threads of block {found.block} wait at the barrier in line "
            f"{site.line}, and {who} never reaches it; it is still running{_in_line(found.line)}."
        )
        return Fault(Verdict.BARRIER, sentence, "Look for a loop that does not end for that thread.", site.line)
    return kernel_stopped(Stopped.TIME, limits, f"; {who} was still running{_in_line(found.line)}", found.line or None)


_Words = tuple[Verdict, str, str]
_SENTENCES: dict[FaultKind, Callable[[DeviceFault], _Words]] = {
    FaultKind.MISALIGNED: lambda found: (
        Verdict.CRASHED,
        f"{_who(found)} accesses an address that is not a multiple of {found.size} bytes{_in_line(found.line)}.",
        "A float4 must start at a multiple of 16 bytes, a float2 at a multiple of 8: check the index "
        "before reinterpret_cast, above all when N is not a multiple of 4.",
    ),
    FaultKind.TRAP: lambda found: (
        Verdict.CRASHED,
        f"{_who(found)} called __trap(){_in_line(found.line)}.",
        "Find out why the kernel reaches this line, or remove the __trap().",
    ),
    FaultKind.ASSERTION: lambda found: (
        Verdict.CRASHED,
        f"An assertion failed in thread {found.thread} of block {found.block}{_in_line(found.line)}: "
        f"{''.join(letter for letter in found.text if letter.isprintable())[:200]}",
        "Find out why the condition of this assert() is false.",
    ),
    FaultKind.STACK: lambda found: (
        Verdict.CRASHED,
        f"{_who(found)} ran out of stack{_in_line(found.line)}.",
        "A device function that calls itself has to end, and large arrays belong in shared or global memory.",
    ),
    FaultKind.COPY_SIZE: lambda found: (
        Verdict.CRASHED,
        f"{_who(found)} starts an asynchronous copy of an unsupported size{_in_line(found.line)}.",
        "An asynchronous copy has 4, 8 or 16 bytes; its last argument says how many of these are zeroed.",
    ),
    FaultKind.TILE_LEADING: lambda found: (
        Verdict.CRASHED,
        f"The leading dimension of the tile{_in_line(found.line)} is not a multiple of 16 bytes.",
        "For other sizes, copy the tile to shared memory first, with zeros beyond the edge, and load it from there.",
    ),
    FaultKind.TILE_DIFFERS: lambda found: (
        Verdict.CRASHED,
        f"The lanes of a warp of block {found.block} load or store different tiles{_in_line(found.line)}.",
        "The pointer and the leading dimension must be the same in all 32 threads of a warp: compute them from "
        "the number of the warp, without threadIdx.x % 32.",
    ),
    FaultKind.TILE_MISALIGNED: lambda found: (
        Verdict.CRASHED,
        f"The tile{_in_line(found.line)} starts at an address that is not aligned.",
        "Let tiles start at multiples of 16 elements, and let the rows be a multiple of 16 bytes long.",
    ),
    FaultKind.WARP_PARTIAL: lambda found: (
        Verdict.BARRIER,
        f"The operation on fragments{_in_line(found.line)} needs all 32 threads of a warp, but some are missing.",
        f"Give LAUNCH a multiple of 32 threads per block. {TOGETHER}",
    ),
    FaultKind.FREE: lambda found: (
        Verdict.CRASHED,
        f"{_who(found)} frees memory that is not in use{_in_line(found.line)}.",
        "Call free once, with the pointer that malloc has returned.",
    ),
    FaultKind.NOT_RESIDENT: lambda found: (
        Verdict.LAUNCH_FAILED,
        f"The grid has {found.size} blocks, which wait for each other{_in_line(found.line)}; a GPU runs "
        f"{found.extent} of them at a time.",
        "grid.sync() needs all blocks on the GPU at the same time: use fewer blocks that do more work each.",
    ),
    FaultKind.READ_ONLY: lambda found: (
        Verdict.CRASHED,
        f"{_who(found)} writes to constant memory{_in_line(found.line)}.",
        "A kernel cannot write to a __constant__ variable: use a variable in shared or global memory.",
    ),
}
