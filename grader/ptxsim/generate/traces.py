"""The trace of a launch: its layout in memory, and the code that appends the events of warps.

A trace is a head followed by events. An event is what the lanes of a mask do in one instruction; flags say how it may
order threads.
"""

from __future__ import annotations

from ctypes import Structure, c_int64
from enum import IntEnum, IntFlag

import numpy as np

from grader.ptxsim.analysis.ordering import spin_reads
from grader.ptxsim.analysis.registers import is_needed
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.addresses import Access, accessed, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.layout import SEGMENT_BITS, SHARED
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.values import spread
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Operand

ALL_COPIES = -1
# A barrier's word: whether a thread arrives without waiting, then the threads expected, then the barrier's number.
ARRIVES_ONLY, EXPECTED_BITS = 1, 32
KIND_BITS = 8  # of the kind as generated code gives it; flags follow
# The word of a warp operation: the lane's mask, the number of the lane that a shuffle reads, plus one, and, where lanes
# may be in several places, the number of this lane's `Place`, plus one. No such word is an address in a segment.
SOURCE_BITS, PLACE_BITS = 32, SEGMENT_BITS + 4
MOST_PLACES = 1 << 63 - PLACE_BITS
EDGE = 2  # blocks from each side of the grid that are traced by default
VALUE_BYTES = 8  # of each lane in an event of values
FIRST_EVENT = 512  # bytes from the head's beginning
MOST_WARPS = 32  # of a block
ENDED = 1 << 40  # events of a warp of which no more are recorded
ROOM_FOR_ENDS = 1024  # events: of all warps in the blocks that the trace has room for
OBJECT_BYTES = 8  # of an mbarrier
EXCHANGES = frozenset({"exch", "cas"})  # atomics that may leave a value as it was
_RELEASES = frozenset({"release", "acq_rel", "sc"})
_OF_BLOCK = frozenset({"cta", "cluster"})
_OF_MEMORY = frozenset({"cta", "cluster", "gpu", "gl", "sys"})


class Event(IntEnum):
    """What an event is."""

    READ = 0
    WRITE = 1  # VALUES follows, one for every eight bytes
    ATOMIC = 2
    VALUES = 3  # what the write before has written
    BARRIER = 4  # arrival at a barrier of the block, with a word for it
    WARP = 5  # lanes of a warp wait for each other; their words as of SOURCE_BITS
    COPY = 6  # an asynchronous copy begins, which writes later; VALUES follows as after WRITE
    COMMIT = 7  # the copies since the last COMMIT become a group
    WAIT = 8  # for the copies of all groups except the last `size`, or for all copies if that is ALL_COPIES
    FENCE = 9
    OBJECT = 10  # an operation on an mbarrier, whose flags say which one; VALUES follows, with counts of arrivals
    LOST = 11  # for lack of room, no event of this warp follows


class How(IntFlag):
    """What an access or a fence does besides: how it may order others."""

    NOTHING = 0
    VOLATILE = 1
    SPINS = 2  # reads in a loop that waits for a value
    ACQUIRES = 4  # returns what it reads
    PUBLISHES = 8  # writes
    RELEASES = 16  # needs no fence before it
    DEVICE = 32  # for all threads of the device, and not of the block only
    INIT = 64  # of an mbarrier, as are the others
    ARRIVE = 128
    DROP = 256
    COPIES = 512  # arrives when the thread's asynchronous copies are complete
    SOURCE = 1024  # reads what an asynchronous copy, the next event, writes


class Head(Structure):
    """The head of a trace: how much it contains, and what is left out."""

    _fields_ = (
        ("count", c_int64),  # of events
        ("limit", c_int64),
        ("block_limit", c_int64),  # for the events of a block
        ("lost", c_int64),  # whether events were left out for lack of room
        ("read_only", c_int64),  # segments whose reads are left out, as bits
        ("edge", c_int64),  # blocks from each side of the grid that are traced, in x and in y
        ("shared_edge", c_int64),  # blocks from each side of the grid whose accesses to shared memory are traced
        ("every", c_int64),  # blocks are drawn whose numbers, divided by this one, leave `chosen`
        ("chosen", c_int64),
        ("block", c_int64),  # of the last event
        ("block_start", c_int64),  # number of events before the first of this block
        ("skips", c_int64),  # whether the last write was left out; its values are left out then, too
        ("warp_share", c_int64),  # events of a block for which each of its warps has room whatever the others do
        ("reserve", c_int64),  # that share for all warps of a block
        ("reserved", c_int64),  # what warps of this block have not used of their shares
        ("warp_events", c_int64 * MOST_WARPS),  # of this block
    )


EVENT = np.dtype(
    [
        ("kind", np.int32),
        ("size", np.int32),  # bytes that each lane accesses
        ("where", np.int32),  # the number of a `Place`
        ("mask", np.uint32),
        ("warp", np.int32),
        ("how", np.int32),  # flags, as of `How`
        ("block", np.int64),
        ("words", np.int64, (LANES,)),  # generic addresses, or values
    ]
)


def functions() -> str:
    """Return the functions that append an event."""
    return ir_text(
        "trace",
        kind_bits=KIND_BITS,
        kind_mask=(1 << KIND_BITS) - 1,
        event_bytes=EVENT.itemsize,
        first_event=FIRST_EVENT,
        volatile=int(How.VOLATILE),
        shared=SHARED,
        ended=ENDED,
        room_for_ends=ROOM_FOR_ENDS,
        last_warp=MOST_WARPS - 1,
        warp_events_bytes=Head.warp_events.size,
        **{kind.name.lower(): int(kind) for kind in Event},
        **{f"trace_{name}": getattr(Head, name).offset for name, _ in Head._fields_},
    )


def append(code: Code, kind: Event, size: int = 0, words: str = "", lanes: str = "", how: How = How.NOTHING) -> None:
    """Write the code that appends an event of the executing lanes, or of the mask `lanes`, with a vector of words."""
    pointer = code.in_memory("traced", "i64", words) if words else "null"
    code.emitter.do(
        f"call void @trace(ptr %m, ptr %w, i32 {kind | how << KIND_BITS}, i32 {size}, i32 {code.place()}, "
        f"i32 {lanes or code.executing_lanes()}, ptr {pointer})"
    )


def append_tile(code: Code, size: int, words: str, count: int, values: str = "") -> None:
    """Append an access of the whole warp to `count` lines of `size` bytes; then its lanes wait for each other.

    What a write stores is at `values`: the first eight bytes of 32 lines, then the next eight bytes of each, and so on.

    PTX ISA says of stmatrix and wmma.store, as of shfl.sync, that a thread waits until all threads have executed the
    same instruction before it resumes execution. So they order lanes as a shuffle does. Its memory consistency model
    names none of them among what orders memory, as it does bar.warp.sync (__syncwarp); but kernels rely on them.
    """
    lanes = str(-1 if count == LANES else (1 << count) - 1)
    append(code, Event.WRITE if values else Event.READ, size, words, lanes)
    for part in range(size // VALUE_BYTES if values else 0):
        of_lines = code.emitter.load(vector("i64"), values, part * VALUE_BYTES * LANES, 8)
        append(code, Event.VALUES, VALUE_BYTES, of_lines, lanes)
    append_warp(code)


def append_warp(code: Code, members: str = f"splat (i64 {(1 << LANES) - 1})") -> None:
    """Append that lanes wait for each other, with a vector of words as of Event.WARP."""
    append(code, Event.WARP, 0, members)


def how_it_orders(code: Code, instruction: Instruction) -> How:
    """Return how a load, a store or an atomic may order other accesses."""
    modifiers = set(instruction.modifiers)
    flags = How.NOTHING if modifiers & _OF_BLOCK else How.DEVICE
    flags |= How.ACQUIRES if instruction.opcode in {"ld", "atom"} and _is_used(code, instruction) else How.NOTHING
    flags |= How.PUBLISHES if instruction.opcode != "ld" else How.NOTHING
    flags |= How.RELEASES if modifiers & _RELEASES else How.NOTHING
    if "volatile" in modifiers:
        facts, flags = code.kernel.facts, flags | How.VOLATILE
        is_awaited = instruction.opcode == "ld" and instruction in spin_reads(facts.graph, facts.order)
        flags |= How.SPINS if is_awaited else How.NOTHING
    return flags


def _is_used(code: Code, instruction: Instruction) -> bool:
    """Whether anything reads what an instruction returns."""
    live, block = code.kernel.facts.live, code.kernel.facts.graph.blocks[code.block]
    place = next((at for at, other in enumerate(block.instructions) if other is instruction), None)
    return place is None or is_needed(block, place, live.live_out[code.block], live.numbers)


def append_exchange(code: Code, instruction: Instruction, access: Access, replacing: str) -> None:
    """Append an exchange after it, with the mask of the lanes that have replaced a value by another one.

    The others publish nothing: who reads the value cannot know that they were there.
    """
    how, executing = how_it_orders(code, instruction), code.executing_lanes()
    addresses = generic_addresses(code, access)
    changing = code.emitter.pure(f"and i32 {executing}, {replacing}")
    unchanging = code.emitter.pure(f"xor i32 {executing}, {changing}")
    append(code, Event.ATOMIC, access.total, addresses, changing, how)
    append(code, Event.ATOMIC, access.total, addresses, unchanging, how & ~How.PUBLISHES)


def append_fence(code: Code, instruction: Instruction) -> None:
    """Append a fence of memory, but not of what orders other kinds of access."""
    scopes = _OF_MEMORY & set(instruction.modifiers)
    if scopes and "proxy" not in "".join(instruction.modifiers):
        append(code, Event.FENCE, how=How.NOTHING if scopes <= _OF_BLOCK else How.DEVICE)


def append_object(code: Code, instruction: Instruction) -> None:
    """Append an operation on an mbarrier before it."""
    last, operations = (
        instruction.operands[-1],
        {"init": How.INIT, "arrive_drop": How.DROP | How.ARRIVE, "arrive": How.ARRIVE},
    )
    kind = next((flags for name, flags in operations.items() if name in instruction.modifiers), None)
    if kind is not None:
        _append_object(code, instruction, kind)
        _append_counts(code, Integer(1) if isinstance(last, Address) else last)


def append_wait(code: Code, instruction: Instruction, over: str) -> None:
    """Append a wait at an mbarrier behind it, of the lanes to which it says that the phase is over."""
    lanes = code.emitter.op(f"and i32 {code.executing_lanes()}, {over}")
    _append_object(code, instruction, How.ACQUIRES, lanes)


def append_arrival_of_copies(code: Code, instruction: Instruction) -> None:
    """Append cp.async.mbarrier.arrive: an arrival that the phase expects only with .noinc."""
    _append_object(code, instruction, How.COPIES | How.ARRIVE)
    _append_counts(code, Integer(int("noinc" in instruction.modifiers)))


def _append_object(code: Code, instruction: Instruction, flags: How, lanes: str = "") -> None:
    append(code, Event.OBJECT, OBJECT_BYTES, generic_addresses(code, accessed(code, instruction)), lanes, flags)


def _append_counts(code: Code, count: Operand) -> None:
    narrow = spread(code.emitter, read(code, count, "u32"))
    wide = code.emitter.pure(f"zext {vector('i32')} {narrow} to {vector('i64')}")
    append(code, Event.VALUES, OBJECT_BYTES, wide)
