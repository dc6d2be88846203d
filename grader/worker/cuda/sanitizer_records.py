"""The tools of compute-sanitizer, the records that they save as XML, and the findings in these.

A file comes from the tool, which escapes the names that it takes from a submission. What a kernel prints is not in
it. Of a file that is damaged or cut off, the records before the damage count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, iterparse

import numpy as np

from grader.contract.further import further
from grader.contract.layout import operands
from grader.model import Interface, Shape
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

REQUEST = "sanitized.json"  # in the box: what the worker asks of the process that a tool watches
MOST_BYTES = 4 << 20
SOURCE = ".cu"  # how the name of a submission ends, and that of no header

Place = tuple[int, int, int]  # of a thread in its block, or of a block in the grid
MATRICES: tuple[Matrix, ...] = ("A", "B", "C")
NEAR = 1 << 20  # bytes: an access so close to a matrix is outside of that one
SHARED, MISALIGNED, WRONG_MASK = "__shared__", "misaligned", "Invalid arguments"  # in the words of the tools


class Tool(StrEnum):
    """A tool. Each needs a process of its own."""

    MEMCHECK = "memcheck"
    SYNCCHECK = "synccheck"
    RACECHECK = "racecheck"
    INITCHECK = "initcheck"


def pointers_file(box: Path, tool: Tool) -> Path:
    """Return the file with the addresses of A, B and C on the device, and of the kernel's shared memory."""
    return box / f"{tool}.json"


class RecordKind(StrEnum):
    """The kinds of records that are reported; the values are the tool's names."""

    ACCESS = "Precise"  # of memcheck: an access that is not allowed
    UNSET = "Initcheck"
    BARRIER = "Synccheck"
    RACE = "Hazard"
    OTHER_BLOCK = "ClusterEntryExit"  # of racecheck: shared memory of a block that may not run yet, or no longer


@dataclass(frozen=True, slots=True)
class RecordedAccess:
    """What one thread does: "read" or "write", and its line of the submission, None where none is known."""

    thread: Place
    direction: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Record:
    """A record: one access, or for a race two of them, the first of which happened first.

    `space` is the tool's name of the memory, such as "__shared__"; `problem` is its word for what is wrong.
    """

    kind: RecordKind
    block: Place
    accesses: tuple[RecordedAccess, ...]
    problem: str
    space: str
    address: int
    size: int


def read_records(path: Path) -> list[Record]:
    """Return the records of a file. Raises OSError if there is none."""
    with path.open("rb") as file:
        return list(records(file.read(MOST_BYTES)))


def records(content: bytes) -> Iterator[Record]:
    """Yield the records of a file with this content."""
    try:
        for _, element in iterparse(BytesIO(content)):  # noqa: S314 - a trusted program wrote it
            if element.tag == "record" and (record := _record(element)):
                yield record
    except ParseError:
        return


def _record(element: Element) -> Record | None:
    """Return the record; None for one of another kind, or without the threads or the block."""
    kind = next((kind for kind in RecordKind if kind == element.findtext("kind")), None)
    common = "what/common" if kind is RecordKind.RACE else "what"
    try:
        accesses = tuple(_accesses(element, kind))
        block = _place(element.find("what/common/blockIdx" if kind is RecordKind.RACE else "who/blockIdx"))
        address, size = (int(element.findtext(f"{common}/{name}") or "0", 0) for name in ("address", "size"))
    except ValueError:
        return None
    problem = element.findtext("what/error") or element.findtext("what/type") or ""
    space = element.findtext("what/space") or ""
    return Record(kind, block, accesses, problem, space, address, size) if kind else None


def _accesses(element: Element, kind: RecordKind | None) -> Iterator[RecordedAccess]:
    """Yield what the threads do. Raises ValueError for a record that does not name them."""
    if kind is RecordKind.RACE:
        for thread in (element.find("what/thread0"), element.find("what/thread1")):
            if thread is None:
                raise ValueError("a race has two threads")
            yield RecordedAccess(
                _place(thread.find("threadIdx")), (thread.findtext("access") or "").lower(), _line(thread)
            )
    else:
        yield RecordedAccess(
            _place(element.find("who/threadIdx")), element.findtext("what/direction") or "read", _line(element)
        )


def _place(element: Element | None) -> Place:
    if element is None:
        raise ValueError("a record names its threads and its block")
    x, y, z = (int(element.findtext(axis) or "") for axis in "xyz")
    return x, y, z


def _line(element: Element) -> int | None:
    """Return the line of the innermost call in the submission: an access may be in a function of a header."""
    for frame in (*element.findall("where"), *element.findall("deviceStack/frame")):
        if (frame.findtext("path") or "").endswith(SOURCE):
            return int(frame.findtext("line") or "0") or None
    return None


@dataclass(frozen=True, slots=True)
class Matrices:
    """Where the matrices are in the memory of a process, and under "shared" where shared memory of a kernel begins."""

    interface: Interface
    shape: Shape
    pointers: Mapping[str, int]

    def shared(self, record: Record) -> int:
        """Return the byte of shared memory of a record."""
        return record.address - self.pointers.get("shared", 0)

    def beside(self, address: int) -> Beside | None:
        """Return which of A, B and C an address is beside; None if it is far from all, or another matrix is closer."""
        memory, others = operands(self.interface, self.shape), further(self.interface, self.shape)
        nbytes = {name: operand.nbytes for name, operand in memory.items()}
        nbytes |= {name: filled.nbytes for name, filled in others.items()}
        offsets = {name: address - self.pointers.get(name, 0) for name in nbytes}
        closest = min(nbytes, key=lambda name: _distance(offsets[name], nbytes[name]))
        nearest = next((name for name in MATRICES if name == closest), None)
        if nearest is None or _distance(offsets[nearest], nbytes[nearest]) >= NEAR:
            return None
        index = offsets[nearest] // np.dtype(memory[nearest].dtype).itemsize
        return Beside(nearest, index, memory[nearest].elements)


def _distance(offset: int, nbytes: int) -> int:
    """Return by how many bytes an address is beside a matrix of so many bytes."""
    return max(-offset, offset - nbytes, 0)


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
    writes = [access.direction == "write" for access in record.accesses]
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
