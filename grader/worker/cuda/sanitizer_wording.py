"""What compute-sanitizer finds, in sentences for a student: what happened, where, and what to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.contract.layout import operands
from grader.model import DataRace, Fault, Interface, RacingAccess, Shape, Verdict
from grader.worker.cuda.sanitizer_records import Place, Record, RecordedAccess, RecordKind

MOST = 3  # records of a kind, at different lines
ELEMENT = 4  # bytes of a float, the longest element that most matrices have
NEAR = 1 << 20  # bytes: an access so close to a matrix is outside of that one
SHARED, MISALIGNED, WRONG_MASK = "__shared__", "misaligned", "Invalid arguments"  # in the words of the tools
UNORDERED = "nothing makes one of them wait for the other"


@dataclass(frozen=True, slots=True)
class Matrices:
    """Where A, B and C are in the memory of a process, and under "shared" where shared memory of a kernel begins."""

    interface: Interface
    shape: Shape
    pointers: Mapping[str, int]

    def shared(self, record: Record) -> str:
        """Return the byte of shared memory of a record."""
        return f"byte {record.address - self.pointers.get('shared', 0)} of shared memory"

    def beside(self, address: int) -> tuple[str, int, int] | None:
        """Return the matrix that is closest to an address, the index there, and how many elements the matrix has.

        None if none of them is near.
        """
        places = []
        for name, operand in operands(self.interface, self.shape).items():
            offset = address - self.pointers.get(name, 0)
            index = offset // np.dtype(operand.dtype).itemsize
            places.append((max(-offset, offset - operand.nbytes, 0), (name, index, operand.elements)))
        distance, nearest = min(places)
        return nearest if distance < NEAR else None


def fault_of(records: Sequence[Record], matrices: Matrices) -> Fault:
    """Return the fault of records of one kind: the first in the sentence, those at other lines in the detail."""
    by_lines = {tuple(access.line for access in record.accesses): record for record in reversed(records)}
    first, *others = sorted(by_lines.values(), key=records.index)[:MOST]
    verdict, sentence, hint = _words(first, matrices)
    line = min((access.line for access in first.accesses if access.line), default=None)
    detail = "\n".join(_words(other, matrices)[1] for other in others)
    return Fault(
        verdict, sentence, hint, line, detail, _pair(first, matrices) if first.kind is RecordKind.RACE else None
    )


def is_unset_c(record: Record, matrices: Matrices) -> bool:
    """Whether a record is about a read of C before it is written."""
    name, index, elements = matrices.beside(record.address) or ("", 0, 0)
    return record.kind is RecordKind.UNSET and name == "C" and 0 <= index < elements


Words = tuple[Verdict, str, str]  # with the sentence and the hint


def _words(record: Record, matrices: Matrices) -> Words:
    match record.kind:
        case RecordKind.ACCESS:
            return _access(record, matrices)
        case RecordKind.BARRIER:
            return _barrier(record)
        case RecordKind.RACE:
            return _race(record, matrices)
        case RecordKind.OTHER_BLOCK:
            return _other_block(record)
        case RecordKind.UNSET:
            return _unset(record, matrices)


def _access(record: Record, matrices: Matrices) -> Words:
    access = f"Thread {_thread(record)} {_verb(record.accesses[0])}"
    line = _in_line(record)
    if record.problem == MISALIGNED:
        sentence = f"{access} {record.size} bytes{line} at an address that is not a multiple of {record.size}."
        wide = "A float4 must start at a multiple of 16 bytes, a float2 at a multiple of 8: check the index."
        hint = wide if record.size > ELEMENT else "Pointers and indices count elements, and not bytes: check the cast."
        return Verdict.CRASHED, sentence, hint
    if record.space == SHARED:
        sentence = f"{access} {matrices.shared(record)}{line}, which is outside it."
        hint = "Compare the indices with the size in the array's declaration, or with .shared of LAUNCH if it has none."
        return Verdict.OUT_OF_BOUNDS, sentence, hint
    if place := matrices.beside(record.address):
        name, index, elements = place
        sentence = f"{access} outside {name}{line}: index {index} of {elements} elements."
        hint = "Compare row, column and k with the size of the matrix before every access."
        return Verdict.OUT_OF_BOUNDS, sentence, hint
    memory = "through a null pointer" if record.address < NEAR else "memory that belongs to no matrix"
    hint = "Check how the pointer or index is computed, and the indices of shared and local arrays."
    return Verdict.OUT_OF_BOUNDS, f"{access} {memory}{line}.", hint


def _barrier(record: Record) -> Words:
    thread, line = _thread(record), _in_line(record)
    if record.problem == WRONG_MASK:
        sentence = (
            f"Thread {thread} calls a warp operation or a barrier{line} with invalid arguments, such as a mask that "
            "leaves this thread out."
        )
        hint = "The mask must name every thread of the warp that makes the call, and no thread that does not make it."
        return Verdict.WARP_MASK, sentence, hint
    sentence = f"Thread {thread} waits at a barrier{line} that not all threads reach ({record.problem.lower()})."
    hint = "Every thread of a block must reach the same __syncthreads(); move it out of the if."
    return Verdict.BARRIER, sentence, hint


def _race(record: Record, matrices: Matrices) -> Words:
    first, second = record.accesses
    sentence = (
        f"Data race: {_code(first)} {_verb(first)} {matrices.shared(record)} in thread {_axes(first.thread)}, and "
        f"{_code(second)} {_verb(second)} it in thread {_axes(second.thread)} of block {_axes(record.block)}; "
        f"{UNORDERED}."
    )
    hint = (
        "Put a __syncthreads() between the two. Where only threads of one warp exchange data, a __syncwarp() whose "
        "mask names all of them is enough."
    )
    return Verdict.DATA_RACE, sentence, hint


def _other_block(record: Record) -> Words:
    sentence = (
        f"Thread {_thread(record)} {_verb(record.accesses[0])} shared memory of another block{_in_line(record)}: a "
        f"{record.problem}."
    )
    hint = "Call cluster.sync() before the first access to the shared memory of another block and after the last one."
    return Verdict.DATA_RACE, sentence, hint


def _unset(record: Record, matrices: Matrices) -> Words:
    in_c = is_unset_c(record, matrices)
    memory = "an element of C" if in_c else "global memory"
    sentence = f"Thread {_thread(record)} reads {memory}{_in_line(record)} before anything has been written there."
    hint = (
        "Keep the sum in a variable that starts at 0, and only write to C."
        if in_c
        else "Memory from malloc or new is not zero at the start: set every element before it is read."
    )
    return Verdict.UNSET_MEMORY, sentence, hint


def _pair(record: Record, matrices: Matrices) -> DataRace:
    """Return the two accesses of a race for the report."""
    first, second = (
        RacingAccess(f"thread {_axes(access.thread)}", access.line, _verb(access)) for access in record.accesses
    )
    return DataRace(matrices.shared(record), first, second, UNORDERED)


def _thread(record: Record) -> str:
    return f"{_axes(record.accesses[0].thread)} of block {_axes(record.block)}"


def _verb(access: RecordedAccess) -> str:
    return "writes" if access.direction == "write" else "reads"


def _code(access: RecordedAccess) -> str:
    return f"line {access.line}" if access.line else "a function of a header"


def _in_line(record: Record) -> str:
    line = record.accesses[0].line
    return f" in line {line}" if line else ""


def _axes(place: Place) -> str:
    """Return coordinates without a third axis that is not in use."""
    x, y, z = place
    return f"({x}, {y}, {z})" if z else f"({x}, {y})"
