"""Memory that generated code and Python share: simulated addresses, and the records at fixed offsets.

A simulated address has the number of its segment in its bits from 40 on, so that an index beyond one matrix never
reaches another, and addresses near null belong to no segment.
"""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import Structure, c_int32, c_int64, c_void_p
from dataclasses import dataclass, field
from enum import IntEnum

from grader.ptxsim.syntax.records import Instruction

SEGMENT_BITS = 40
SEGMENTS = 16
CONSTANTS = 12  # the segment of .const variables
GLOBALS = 13  # of .global variables
SHARED = 14  # the window of shared memory among generic addresses
LOCAL = 15  # and that of local memory
HEAP = 11  # of what malloc returns
ARRAYS = 32  # arrays of shared memory with bounds of their own; those beyond share the bounds of the last
ARRAY_BITS = 21  # address bits of an array: so far apart are those of two arrays that no index leads to another
FIRST_SHARED = 1024  # the first address of shared memory: a null pointer lies outside
FIRST_LOCAL = 1024
BARRIERS = 16
PLACES = {"warpid": 64, "smid": 132}  # how many numbers there are: of warps on a multiprocessor, of these on an H200
SCRATCH = 1 << 16  # bytes for the values of loads that leave their segment, or that only few lanes execute
SAVED = 128  # where a warp's registers are kept while it waits
MASK = 4  # bytes of a mask of lanes there
NOTE_BITS = 16  # of a place where a warp resumes; the number of the kernel's part is above


def window(segment: int) -> int:
    """Return the simulated address at which a segment begins."""
    return segment << SEGMENT_BITS


class Status(IntEnum):
    """How a step of a warp, or a run of blocks, ended."""

    DONE = 0
    WAITS = 1
    FAULT = 2
    DIVERGED = 3  # lanes do not reconverge as the fast code assumes; the general code has to run instead
    STOPPED = 4
    BLOCKED = 5  # no lane of the warp can continue until a barrier opens
    YIELDED = 6  # other warps get a chance
    MOVED = 7  # the warp continues in another part of the kernel


class FaultKind(IntEnum):
    """What a fault is."""

    NONE = 0
    MEMORY = 1
    MISALIGNED = 2
    BARRIER = 3
    TRAP = 4
    ASSERTION = 5
    PRINTED = 6
    TIME = 7
    STACK = 8
    COPY_SIZE = 9
    TILE_LEADING = 10
    TILE_DIFFERS = 11
    TILE_MISALIGNED = 12
    WARP_PARTIAL = 13
    READ_ONLY = 14
    FREE = 15
    NOT_RESIDENT = 16
    SLOW = 17  # no fault: the time was over while blocks ended one after the other
    NO_OBJECT = 18  # an mbarrier that is not initialised; `write` says whether mbarrier.inval has ended one there


class Segment(Structure):
    """A range of simulated addresses and what to add to one of them to get the host's."""

    _fields_ = (("start", c_int64), ("end", c_int64), ("delta", c_int64), ("writable", c_int64))


@dataclass(frozen=True, slots=True)
class SharedArray:
    """A variable of shared memory: its simulated address, and where it lies in a block's memory; all in bytes."""

    name: str
    address: int
    place: int
    size: int
    is_scalar: bool = False
    is_dynamic: bool = False  # of the size that LAUNCH gives


class Barrier(Structure):
    """A barrier of a block: threads that have arrived, threads that it expects, what bar.red makes of predicates."""

    _fields_ = (
        ("arrived", c_int32),
        ("count", c_int32),
        ("all", c_int32),
        ("holds", c_int32),
        ("all_result", c_int32),
        ("count_result", c_int32),
        ("generation", c_int32),
        ("expected", c_int32),
    )


class ProcessorState(Structure):
    """One processor that runs blocks: everything its code reads, and the fault it leaves."""

    _fields_ = (
        ("segments", Segment * (SEGMENTS + ARRAYS)),
        ("barriers", Barrier * BARRIERS),
        ("shared", c_void_p),
        ("parameters", c_void_p),
        ("next_block", c_void_p),
        ("block_numbers", c_void_p),
        ("first_fault", c_void_p),
        ("stop", c_void_p),
        ("warps", c_void_p),
        ("heap", c_void_p),
        ("scratch", c_void_p),
        ("coordinates", c_void_p),
        ("parts", c_void_p),
        ("make_part", c_void_p),
        ("printed", c_void_p),
        ("printed_bytes", c_int64),
        ("printed_limit", c_int64),
        ("blocks", c_int64),
        ("block", c_int64),
        ("clock", c_int64),
        ("block_x", c_int32),
        ("block_y", c_int32),
        ("block_z", c_int32),
        ("grid_x", c_int32),
        ("grid_y", c_int32),
        ("grid_z", c_int32),
        ("order", c_int32),
        ("stays", c_int32),
        ("kind", c_int32),
        ("where", c_int32),
        ("warp", c_int32),
        ("lane", c_int32),
        ("address", c_int64),
        ("size", c_int32),
        ("write", c_int32),
        ("fresh", c_int32),
        ("trace", c_void_p),
    )


class Warp(Structure):
    """The head of a warp's record; its registers follow at SAVED, then its local memory."""

    _fields_ = (
        ("resume", c_int32),
        ("alive", c_int32),
        ("started", c_int32),
        ("state", c_int32),
        ("barrier", c_int32),
        ("expected", c_int32),
        ("where", c_int32),
        ("number", c_int32),
        ("pauses", c_int32),
        ("local", c_void_p),
        ("coordinates", c_void_p),
        ("copies", c_void_p),
    )


RUNNABLE, WAITING, ENDED = 0, 1, 2  # states of a warp


def offset(record: type[Structure], field: str) -> int:
    """Return how many bytes into a record a field lies."""
    place: int = getattr(record, field).offset
    return place


class KeptMask(IntEnum):
    """What general code keeps of a block at which lanes wait for each other."""

    WAITING = 0
    HELD = 1  # lanes that have arrived at a barrier
    OPENS = 2  # the barrier's number, which is no mask
    TURN = 3  # how often the barrier had opened when they arrived
    WITHOUT_OTHERS = 4  # lanes that wait for others to reach an operation, in any block
    RELEASED = 5  # lanes that need not wait any more, in any block


@dataclass(frozen=True, slots=True)
class Frame:
    """Offsets into a warp's record: of the masks of each block, of each part of a register behind them, and of its end.

    Behind the masks of the last block are those of a warp that pauses. General code has several of each block.
    """

    blocks: int
    masks_end: int
    registers: Mapping[str, tuple[int, ...]]
    end: int

    def mask(self, block: int, kind: int = 0) -> int:
        """Return where a mask is kept; the first is that of the lanes that wait at a block."""
        return SAVED + MASK * (kind * (self.blocks + 1) + block)


def frame(blocks: int, masks: int, sizes: Mapping[str, tuple[int, int]]) -> Frame:
    """Return places for the masks of each block, and for registers by their number of parts and bytes of each."""
    places: dict[str, tuple[int, ...]] = {}
    place = masks_end = SAVED + MASK * masks * (blocks + 1)
    for name, (count, size) in sizes.items():
        place = -(-place // size) * size
        places[name] = tuple(range(place, place + size * count, size))
        place += size * count
    return Frame(blocks, masks_end, places, -(-place // 64) * 64)


@dataclass(frozen=True, slots=True)
class Place:
    """What generated code names by a number: the instruction it was in, and the student's line.

    `block` is the basic block of the instruction; -1 where the code belongs to no instruction.
    """

    instruction: str
    line: int
    block: int = field(default=-1, compare=False)
    record: Instruction | None = field(default=None, compare=False, repr=False)
