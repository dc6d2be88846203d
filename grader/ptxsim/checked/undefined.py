"""Undefined values: of shared memory that no thread of the block has written, and of warp operations.

PTX ISA, "shfl.sync": the behavior is undefined if the executing thread is not in the membermask. The same holds for
vote.sync, match.sync, redux.sync, elect.sync and bar.warp.sync. The value that a shuffle reads from a lane that is
inactive or not in the membermask is unpredictable.
"""

from __future__ import annotations

import numpy as np

from grader.ptxsim.analysis.lowering import MEMORY
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import CHANGES, acting, hashed, unit_of, units
from grader.ptxsim.checked.searchable import is_settled
from grader.ptxsim.checked.traced_launch import TracedLaunch, access_of_lane, coordinates, memory_at
from grader.ptxsim.engine.trace import Events, Integers, Mask
from grader.ptxsim.generate.layout import FIRST_SHARED, SEGMENT_BITS, SHARED, Place, window
from grader.ptxsim.generate.traces import PLACE_BITS, SOURCE_BITS, Event
from grader.ptxsim.records.traced import LeftOut, MissingSource, UnsetRead

_BITS = 20


def unset_found(launch: TracedLaunch, *, is_complete: bool = True) -> UnsetRead | None:
    """Return the record of the first read of unwritten shared memory in the trace; None without one."""
    events, kernel = launch.events, launch.kernel
    reading = np.array([_reads(place) for place in kernel.places] or [False])[events["where"]]
    reading &= np.isin(events["kind"], (Event.READ, Event.ATOMIC))
    reading &= launch.extent.records_shared(events["block"], launch.grid)
    start = FIRST_SHARED + (MEMORY.size if MEMORY.name in kernel.placed.symbols else 0)
    read = first_unset_read(events, reading, window(SHARED) + start)
    if read is None:
        return None
    event, lane, address = read
    memory = memory_at(launch, address, unit_of(events[event : event + 1]))
    may_race = not is_complete and (kernel.search.order.by_clocks or not is_settled(events, event))
    return UnsetRead(memory, access_of_lane(launch, event, lane), may_race)


def _reads(place: Place) -> bool:
    """Whether the effect of an instruction depends on the old content of memory; false for stores and exchanges."""
    name, *modifiers = place.instruction.split(".")
    return name != "st" and "exch" not in modifiers


def first_unset_read(events: Events, reading: Mask, start: int = window(SHARED)) -> tuple[int, int, int] | None:
    """Return event, lane and address of the first `reading` event of unwritten shared memory from `start` on.

    Hash collisions may hide a read, but never cause a false alarm.
    """
    unit, acts = unit_of(events), acting(events)
    first_write = np.full(1 << _BITS, len(events), np.int64)
    for event, _, place in units(events, unit, np.flatnonzero(np.isin(events["kind"], CHANGES))):
        shared = acts[event] & (place * unit >> SEGMENT_BITS == SHARED)
        row, lane = np.nonzero(shared)
        slots = hashed(place[row, lane], events["block"][event[row]], _BITS)
        np.minimum.at(first_write, slots, event[row])
    found: list[tuple[int, int, int, int]] = []
    for event, part, place in units(events, unit, np.flatnonzero(reading)):
        shared = acts[event] & (place * unit >> SEGMENT_BITS == SHARED) & (place * unit >= start)
        changed = first_write[hashed(place, events["block"][event][:, None], _BITS)]
        unset = shared & (changed >= event[:, None])
        for row in np.flatnonzero(unset.any(axis=1))[:1]:
            lanes = np.flatnonzero(unset[row]).tolist()
            found += [(int(event[row]), part, lane, int(place[row, lane])) for lane in lanes]
    if not found:
        return None
    number, _, first, where = min(found)
    return number, first, where * unit


_SOURCES = (1 << PLACE_BITS - SOURCE_BITS) - 1


def left_out_found(launch: TracedLaunch) -> LeftOut | None:
    """Return the first warp operation in a thread that its mask does not name; None without one."""
    found = first_left_out(launch.events)
    return LeftOut(access_of_lane(launch, *found[:2]), found[2]) if found else None


def missing_source_found(launch: TracedLaunch) -> MissingSource | None:
    """Return the first shuffle from a thread that does not take part; None without one."""
    found = first_missing_source(launch.events)
    if found is None:
        return None
    event, lane, source = found
    first = int(launch.events["warp"][event]) * LANES
    return MissingSource(access_of_lane(launch, event, lane), coordinates(first + source, launch.kernel.geometry.block))


def first_left_out(events: Events) -> tuple[int, int, int] | None:
    """Return the first warp operation whose mask does not name a lane: its event, the lane and the mask."""
    operations = np.flatnonzero(events["kind"] == Event.WARP)
    masks = events["words"][operations]
    left_out = acting(events[operations]) & (masks >> np.arange(LANES) & 1 == 0)
    for row in np.flatnonzero(left_out.any(axis=1))[:1]:
        lane = int(left_out[row].argmax())
        return int(operations[row]), lane, int(masks[row, lane])
    return None


def first_missing_source(events: Events) -> tuple[int, int, int] | None:
    """Return the first shuffle from a lane that does not take part, even if the value is not used.

    That is its event, the lane that reads, and the missing one.
    """
    shuffles = np.flatnonzero((events["kind"] == Event.WARP) & (_sources(events) != 0).any(axis=1))
    acts, words = acting(events[shuffles]), events["words"][shuffles]
    source = np.maximum(_sources(events[shuffles]), 1) - 1
    takes_part = np.take_along_axis(acts, source, axis=1) & (words >> source & 1 == 1)
    missing = acts & ~takes_part
    for row in np.flatnonzero(missing.any(axis=1))[:1]:
        lane = int(missing[row].argmax())
        return int(shuffles[row]), lane, int(source[row, lane])
    return None


def _sources(events: Events) -> Integers:
    """Return the number of the lane that each lane reads in a shuffle, plus one; 0 in other operations."""
    return np.asarray(events["words"] >> SOURCE_BITS & _SOURCES)
