"""Reads of shared memory that no thread of the block has written, and of values from an earlier launch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.lowering import MEMORY
from grader.ptxsim.checked.accesses import CHANGES, acting, hashed, unit_of, units
from grader.ptxsim.checked.searchable import is_settled
from grader.ptxsim.checked.traced_launch import TracedLaunch, access_of_lane, memory_at
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import FIRST_SHARED, SEGMENT_BITS, SHARED, Place, window
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records.traced import UnsetRead

_BITS = 20


def unset_found(launch: TracedLaunch, *, is_complete: bool = True) -> UnsetRead | None:
    """Return the record of the first read of unwritten shared memory in the trace; None without one."""
    events, kernel = launch.events, launch.kernel
    reading = np.array([_reads(place) for place in kernel.places] or [False])[events["where"]]
    reading &= np.isin(events["kind"], (Event.READ, Event.ATOMIC))
    reading &= launch.extent.records_shared(events["block"], launch.grid)
    start = FIRST_SHARED + (MEMORY.size if MEMORY.name in kernel.symbols else 0)
    read = first_unset_read(events, reading, window(SHARED) + start)
    if read is None:
        return None
    event, lane, address = read
    memory = memory_at(launch, address, unit_of(events[event : event + 1]))
    by_clocks = kernel.search.order is not None and kernel.search.order.by_clocks
    may_race = not is_complete and (by_clocks or not is_settled(events, event))
    return UnsetRead(memory, access_of_lane(launch, event, lane), may_race)


def _reads(place: Place) -> bool:
    """Whether the effect of an instruction depends on the old content of memory; false for stores and exchanges."""
    name, *modifiers = place.instruction.split(".")
    return name != "st" and "exch" not in modifiers


def first_unset_read(
    events: Events, reading: NDArray[np.bool_], start: int = window(SHARED)
) -> tuple[int, int, int] | None:
    """Return event, lane and address of the first `reading` event of unwritten shared memory from `start` on.

    Hash collisions may hide a read, but never cause a false alarm.
    """
    unit, acts = unit_of(events), acting(events)
    first_write = np.full(1 << _BITS, len(events), np.int64)
    for event, _, place in units(events, unit, np.isin(events["kind"], CHANGES)):
        shared = acts[event] & (place * unit >> SEGMENT_BITS == SHARED)
        row, lane = np.nonzero(shared)
        slots = hashed(place[row, lane], events["block"][event[row]], _BITS)
        np.minimum.at(first_write, slots, event[row])
    found: list[tuple[int, int, int, int]] = []
    for event, part, place in units(events, unit, reading):
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
