"""Reads of `__device__` variables that still have a value from an earlier launch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import CHANGES, Integers, Mask, acting, unit_of, units
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import GLOBALS, SEGMENT_BITS
from grader.ptxsim.generate.traces import Event, How


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
