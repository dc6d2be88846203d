"""The records of compute-sanitizer as findings: the matrix beside an address, the byte of shared memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.contract.layout import operands
from grader.model import Interface, Operand, Shape
from grader.model.findings import Thread
from grader.model.watched import (
    MOST_RECORDS,
    Beside,
    Matrix,
    OtherBlock,
    Watched,
    WatchedAccess,
    WatchedBarrier,
    WatchedRace,
    WatchedRecord,
    WatchedUnset,
)
from grader.worker.cuda.sanitizer_records import Record, RecordedAccess, RecordKind

MATRICES: tuple[Matrix, ...] = ("A", "B", "C")
NEAR = 1 << 20  # bytes: an access so close to a matrix is outside of that one
SHARED, MISALIGNED, WRONG_MASK = "__shared__", "misaligned", "Invalid arguments"  # in the words of the tools


@dataclass(frozen=True, slots=True)
class Matrices:
    """Where A, B and C are in the memory of a process, and under "shared" where shared memory of a kernel begins."""

    interface: Interface
    shape: Shape
    pointers: Mapping[str, int]

    def shared(self, record: Record) -> int:
        """Return the byte of shared memory of a record."""
        return record.address - self.pointers.get("shared", 0)

    def beside(self, address: int) -> Beside | None:
        """Return the matrix that is closest to an address. None if none of them is near."""
        memory = operands(self.interface, self.shape)
        offsets = {name: address - self.pointers.get(name, 0) for name in MATRICES}
        nearest = min(MATRICES, key=lambda name: _distance(offsets[name], memory[name]))
        if _distance(offsets[nearest], memory[nearest]) >= NEAR:
            return None
        index = offsets[nearest] // np.dtype(memory[nearest].dtype).itemsize
        return Beside(nearest, index, memory[nearest].elements)


def _distance(offset: int, operand: Operand) -> int:
    """Return by how many bytes an address is beside a matrix."""
    return max(-offset, offset - operand.nbytes, 0)


def watched(records: Sequence[Record], matrices: Matrices) -> Watched:
    """Return the finding of records of one kind: the first, and those at other lines."""
    by_lines = {tuple(access.line for access in record.accesses): record for record in reversed(records)}
    first = sorted(by_lines.values(), key=records.index)[:MOST_RECORDS]
    return Watched(tuple(_finding(record, matrices) for record in first))


def is_unset_c(record: Record, matrices: Matrices) -> bool:
    """Whether a record is about a read of C before it is written."""
    beside = matrices.beside(record.address) if record.kind is RecordKind.UNSET else None
    return beside is not None and beside.matrix == "C" and 0 <= beside.index < beside.elements


def _finding(record: Record, matrices: Matrices) -> WatchedRecord:
    threads = [Thread(access.thread, record.block, access.line or 0) for access in record.accesses]
    writes = [_writes(access) for access in record.accesses]
    match record.kind:
        case RecordKind.ACCESS:
            return WatchedAccess(
                by=threads[0],
                writes=writes[0],
                size=record.size,
                is_misaligned=record.problem == MISALIGNED,
                shared_byte=matrices.shared(record) if record.space == SHARED else None,
                beside=matrices.beside(record.address),
                is_null=record.address < NEAR,
            )
        case RecordKind.BARRIER:
            return WatchedBarrier(threads[0], record.problem, record.problem == WRONG_MASK)
        case RecordKind.RACE:
            return WatchedRace(threads[0], threads[1], (writes[0], writes[1]), matrices.shared(record))
        case RecordKind.OTHER_BLOCK:
            return OtherBlock(threads[0], writes[0], record.problem)
        case RecordKind.UNSET:
            return WatchedUnset(threads[0], is_unset_c(record, matrices))


def _writes(access: RecordedAccess) -> bool:
    return access.direction == "write"
