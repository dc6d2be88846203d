"""What stopped a launch, in a student's terms: what happened, where, what to try."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.contract.layout import stored_as, stored_type
from grader.explain import hints
from grader.explain.elements import in_line, place_in, reads_or_writes, shape_of, who
from grader.explain.finding import Asked, fault_of
from grader.explain.limits import kernel_stopped
from grader.host.stopped import Stopped
from grader.model import Fault, Interface, Verdict, findings
from grader.model.findings import Crash, Room, Space
from grader.model.hints import reworded
from grader.ptxsim.records.fields import Site

OBJECT_BYTES = 8  # of an mbarrier
NULL_BYTES = 1 << 20  # addresses below are offsets from a null pointer


@fault_of.register
def _at_limit(found: findings.AtLimit, asked: Asked) -> Fault:
    return kernel_stopped(Stopped(found.limit), asked.limits)


@fault_of.register
def _not_supported(found: findings.NotSupported, _: Asked) -> Fault:
    where = f" (line {found.line})" if found.line else ""
    sentence = f"The simulator does not support this kernel: {lacking(found)}{where}."
    return Fault(Verdict.NOT_SUPPORTED, sentence, "Grade it on a machine with a GPU.", found.line or None)


def lacking(found: findings.NotSupported) -> str:
    """Return what is lacking, in the simulator's words, with what it concerns."""
    number, of = f"({found.number})" if found.number else "", f"of {found.of}" if found.of else ""
    return " ".join(part for part in (found.lack.replace("-", " "), found.name, number, of) if part)


@fault_of.register
def _out_of_bounds(found: findings.OutOfBounds, asked: Asked) -> Fault:
    """Return the fault of an access outside of an array."""
    beside, lab = found.beside, asked.interface
    match beside.space:
        case Space.MATRIX:
            memory, place = beside.name, _distance(beside, lab)
            hint = hints.NEGATIVE if beside.offset < 0 else hints.INDEX
            hint = reworded(hint, f"{hint} {stored_as(beside.name, lab)}".rstrip())
        case Space.FURTHER:
            memory, place = beside.name, _place(beside)
            hint = reworded(hints.INDEX, f"{hints.INDEX} {shape_of(beside.name, lab)}".rstrip())
        case Space.VARIABLE:
            memory, place, hint = beside.name or "all variables", _place(beside) if beside.name else "", hints.VARIABLE
        case Space.SCALAR:
            memory, place, hint = f"the shared variable {beside.name}", _place(beside), hints.POINTER
        case Space.SHARED | Space.LOCAL:
            memory, place, hint = _own_memory(beside), _place(beside), _hint_at_own(beside)
        case _:
            return _outside_all(found, lab)
    where = f"{in_line(found.by.line)}{f': {place}' if place else ''}"
    sentence = f"{who(found.by)} {reads_or_writes(found.writes)} outside {memory}{where}."
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, found.by.line or None)


def _own_memory(room: Room) -> str:
    """Return memory of a block or of a thread: an array of it if that is known."""
    owner = "block" if room.space is Space.SHARED else "thread"
    return f"the {room.space} array “{room.name}”" if room.name else f"the {room.space} memory of its {owner}"


def _hint_at_own(room: Room) -> str:
    if room.is_dynamic:
        return hints.DYNAMIC if room.extent else hints.NO_DYNAMIC
    if not room.name:
        return hints.POINTER
    return hints.SHARED if room.space is Space.SHARED else hints.ARRAY


def _outside_all(found: findings.OutOfBounds, lab: Interface) -> Fault:
    is_null = 0 <= found.address < NULL_BYTES
    what = "through a null pointer" if is_null else "memory that belongs to no matrix"
    nulls = [text.split()[0] for text in lab.parameters if is_null and text.endswith("= null")]
    passed = f" The lab passes a null pointer for {' and '.join(nulls)}." if nulls else ""
    hint, line = hints.FULL_HEAP if found.beside.space is Space.HEAP else hints.POINTER, found.by.line
    detail = f"address {found.address & (1 << 64) - 1:#x}"  # where no index says how far it is off
    sentence = f"{who(found.by)} {reads_or_writes(found.writes)} {what}{in_line(line)}.{passed}"
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, line or None, detail)


@fault_of.register
def _outside_cluster(found: findings.OutsideCluster, _: Asked) -> Fault:
    sentence = (
        f"{who(found.by)} {reads_or_writes(found.writes)} shared memory of block {found.target} of its cluster"
        f"{in_line(found.by.line)}, but the cluster has only block 0."
    )
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, hints.CLUSTER, found.by.line or None)


def _place(room: Room) -> str:
    return place_in(room.offset, room.extent, room.element)


def _distance(beside: Room, interface: Interface) -> str:
    element = np.dtype(stored_type(interface.types[beside.name])).itemsize
    index, elements = beside.offset // element, beside.extent // element
    if beside.offset < 0:
        place = f"{_count(-index)} before its start"
    else:
        place = f"index {index}, which is {_count(index - elements + 1)} past its end"
    return f"{place} ({beside.name} has {_count(elements)})"


def _count(number: int) -> str:
    number = max(1, number)
    return f"{number} element{'' if number == 1 else 's'}"


@fault_of.register
def _misaligned(found: findings.Misaligned, _: Asked) -> Fault:
    sentence = f"{who(found.by)} accesses an address that is not a multiple of {found.size} bytes"
    sentence += f"{in_line(found.by.line)}."
    return Fault(Verdict.CRASHED, sentence, hints.misaligned(found.size), found.by.line or None)


@fault_of.register
def _deadlock(found: findings.Deadlock, _: Asked) -> Fault:
    barriers = [site for site in found.sites if site.barrier]
    waiting = " and ".join(f"{site.threads} at {_place_of(site)} in line {site.line}" for site in found.sites)
    gone = f"; {found.returned} of {found.threads} threads have returned" if found.returned else ""
    sentence = f"The threads of block {found.block} wait for each other forever: {waiting}{gone}."
    if found.returned and len(found.sites) == 1 and barriers:
        hint = "Do not return before the barrier: put the bounds check around the loads and the store instead."
    elif any(site.number for site in found.sites):
        hint = (
            "A numbered barrier opens when as many threads have arrived at it as its last operand says. Compare that "
            "with the threads that reach this number, and let all that wait for each other name one barrier."
        )
    elif len(barriers) == len(found.sites):
        hint = "Every thread of a block must reach the same __syncthreads(); move it out of the if."
    elif not barriers:
        hint = (
            "Lanes wait until all that their mask names call the same operation with the same mask. A shuffle and a "
            "__syncwarp(), or calls with different masks, never meet."
        )
    else:
        hint = "All lanes named in a mask must reach the warp operation, and all threads of a block the barrier."
    return Fault(Verdict.BARRIER, sentence, hint, (found.sites[0].line if found.sites else 0) or None)


def _place_of(site: Site) -> str:
    if not site.barrier:
        return "the warp operation"
    return f"barrier {site.number}" if site.number else "the barrier"


@fault_of.register
def _no_object(found: findings.NoObject, _: Asked) -> Fault:
    place, line = found.object, found.by.line
    name = f"at byte {place.offset} of {place.name}" if place.name and place.extent > OBJECT_BYTES else place.name
    sentence = f"{who(found.by)} {'waits' if found.waits else 'arrives'} at the barrier object {name}".rstrip()
    sentence += f"{in_line(line)}, but it is not initialised, or no longer."
    return Fault(Verdict.UNSET_MEMORY, sentence, hints.NO_OBJECT, line or None)


@fault_of.register
def _assertion(found: findings.AssertionFailed, _: Asked) -> Fault:
    by = found.by
    condition = "".join(letter for letter in found.condition if letter.isprintable())[:200]
    sentence = f"An assertion failed in thread {by.number} of block {by.block}{in_line(by.line)}: {condition}"
    return Fault(Verdict.CRASHED, sentence, "Find out why the condition of this assert() is false.", by.line or None)


@fault_of.register
def _crashed(found: findings.Crashed, _: Asked) -> Fault:
    sentence, hint = _CRASHES[found.cause]
    by, at = found.by, in_line(found.by.line)
    verdict = Verdict.BARRIER if found.cause is Crash.WARP_PARTIAL else Verdict.CRASHED
    return Fault(verdict, sentence.format(who=who(by), at=at, block=by.block), hint, by.line or None)


_CRASHES: Mapping[Crash, tuple[str, str]] = {
    Crash.TRAP: (
        "{who} came to a trap{at}.",
        "Find out why the kernel reaches this line. The compiler puts a trap, too, where a pointer is null or was "
        "never set, an index is surely outside of its array, or a function ends without its return.",
    ),
    Crash.STACK: (
        "{who} ran out of stack{at}.",
        "A device function that calls itself has to end, and large arrays belong in shared or global memory.",
    ),
    Crash.COPY_SIZE: (
        "{who} starts an asynchronous copy of an unsupported size{at}.",
        "An asynchronous copy has 4, 8 or 16 bytes; its last argument says how many of these are zeroed.",
    ),
    Crash.TILE_LEADING: (
        "The leading dimension of the tile{at} is not a multiple of 16 bytes.",
        "For other sizes, copy the tile to shared memory first, with zeros beyond the edge, and load it from there.",
    ),
    Crash.TILE_DIFFERS: (
        "The lanes of a warp of block {block} load or store different tiles{at}.",
        "The pointer and the leading dimension must be the same in all 32 threads of a warp: compute them from "
        "the number of the warp, without threadIdx.x % 32.",
    ),
    Crash.TILE_MISALIGNED: (
        "The tile{at} starts at an address that is not aligned.",
        "Let tiles start at multiples of 16 elements, and let the rows be a multiple of 16 bytes long.",
    ),
    Crash.WARP_PARTIAL: (
        "The operation on fragments{at} needs all 32 threads of a warp, but some are missing.",
        f"Give LAUNCH a multiple of 32 threads per block. {hints.TOGETHER}",
    ),
    Crash.FREE: (
        "{who} frees memory that is not in use{at}.",
        "Call free once, with the pointer that malloc has returned.",
    ),
    Crash.READ_ONLY: (
        "{who} writes to constant memory{at}.",
        "A kernel cannot write to a __constant__ variable: use a variable in shared or global memory.",
    ),
}
