"""Reads of shared memory that no thread of the block has written, and of values from an earlier launch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.lowering import MEMORY
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import CHANGES, Integers, Mask, acting, hashed, unit_of, units
from grader.ptxsim.checked.memory import memory_at, rows_set
from grader.ptxsim.checked.searchable import is_settled
from grader.ptxsim.checked.traced_launch import TracedLaunch, access_of
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import FIRST_SHARED, GLOBALS, SEGMENT_BITS, SHARED, Place, window
from grader.ptxsim.generate.traces import Event, How
from grader.ptxsim.records.traced import UnsetRead

_BITS = 20
OF_FRAGMENTS = ("wmma.", "ldmatrix.")


@dataclass(frozen=True, slots=True)
class Unset:
    """The event of a read, the thread's linear number in its block, and the address of the unwritten unit."""

    event: int
    thread: int
    address: int


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
    memory = memory_at(launch, read.address, unit_of(events[read.event : read.event + 1]))
    of_fragment = kernel.places[int(events["where"][read.event])].instruction.startswith(OF_FRAGMENTS)
    rows = rows_set(events, read.event, read.address, memory.element, of_fragment=of_fragment)
    by_clocks = kernel.search.order is not None and kernel.search.order.by_clocks
    may_race = not is_complete and (by_clocks or not is_settled(events, read.event))
    return UnsetRead(memory, access_of(launch, read.event, read.thread), rows, may_race)


def _reads(place: Place) -> bool:
    """Whether the effect of an instruction depends on the old content of memory; false for stores and exchanges."""
    name, *modifiers = place.instruction.split(".")
    return name != "st" and "exch" not in modifiers


def first_unset_read(events: Events, reading: NDArray[np.bool_], start: int = window(SHARED)) -> Unset | None:
    """Return the first read of unwritten shared memory from `start` on among the `reading` events; None without one.

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
        rows = np.flatnonzero(unset.any(axis=1))[:1]
        found += [(int(event[row]), part, lane, int(place[row, lane])) for row in rows for lane in _lanes(unset[row])]
    if not found:
        return None
    number, _, first, where = min(found)
    return Unset(number, int(events["warp"][number]) * LANES + first, where * unit)


def _lanes(mask: NDArray[np.bool_]) -> list[int]:
    return [int(lane) for lane in np.flatnonzero(mask)]


@dataclass(frozen=True, slots=True)
class LeftOverRead:
    """The last write of the earlier launch to an address, and the first read of it in this launch.

    Each is an event, with the linear number of the thread in its block.
    """

    address: int
    write: int
    writer: int
    read: int
    reader: int


@dataclass(frozen=True, slots=True)
class _VariableAccesses:
    """Accesses of single threads to variables, as columns sorted by event."""

    place: Integers
    event: Integers
    thread: Integers


def left_over(earlier: Events, events: Events, variables: Integers) -> Iterator[LeftOverRead]:
    """Yield, in order, the first read of each variable that an earlier launch wrote and this one has not written yet.

    `variables` has the addresses of the variables, sorted.
    """
    unit = min(unit_of(earlier), unit_of(events))
    writes = _accesses(earlier, unit, np.isin(earlier["kind"], CHANGES) & ~_only_reads(earlier))
    places, last = np.unique(writes.place[::-1], return_index=True)
    reads = _accesses(events, unit, np.isin(events["kind"], (Event.READ, Event.ATOMIC)))
    overwrites = _accesses(events, unit, events["kind"] == Event.WRITE)
    if not len(places) or not len(reads.place):
        return
    at = np.minimum(np.searchsorted(places, reads.place), len(places) - 1)
    keep = (places[at] == reads.place) & (reads.event < _first_events(overwrites, reads.place))
    rows = np.flatnonzero(keep)
    _, first = np.unique(np.searchsorted(variables, reads.place[rows] * unit, side="right"), return_index=True)
    for row in rows[np.sort(first)]:
        write = len(writes.place) - 1 - last[at[row]]
        yield LeftOverRead(
            int(reads.place[row]) * unit,
            int(writes.event[write]),
            int(writes.thread[write]),
            int(reads.event[row]),
            int(reads.thread[row]),
        )


def _first_events(accesses: _VariableAccesses, wanted: Integers) -> Integers:
    """Return the first event at each wanted place; a number above all events if there is none."""
    never = np.full(len(wanted), np.iinfo(np.int64).max)
    places, first = np.unique(accesses.place, return_index=True)
    if not len(places):
        return never
    at = np.minimum(np.searchsorted(places, wanted), len(places) - 1)
    return np.where(places[at] == wanted, accesses.event[first[at]], never)


def _only_reads(events: Events) -> Mask:
    return np.asarray((events["kind"] == Event.ATOMIC) & (events["how"] & How.PUBLISHES == 0))


def _accesses(events: Events, unit: int, chosen: Mask) -> _VariableAccesses:
    acts = acting(events)
    pieces = [np.zeros((3, 0), np.int64)]
    for event, _, place in units(events, unit, chosen):
        row, lane = np.nonzero(acts[event] & (place * unit >> SEGMENT_BITS == GLOBALS))
        thread = events["warp"][event[row]].astype(np.int64) * LANES + lane
        pieces.append(np.stack([place[row, lane], event[row], thread]))
    columns = np.concatenate(pieces, axis=1)
    return _VariableAccesses(*columns[:, np.argsort(columns[1], kind="stable")])
