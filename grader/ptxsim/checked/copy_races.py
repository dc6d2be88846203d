"""Asynchronous copies (cp.async) that race: with a change of their source, or with another copy to the same place.

A copy may read its source at any time until its own thread has waited for it. A write that the trace shows between the
copy and the wait is not ordered after the wait; if it were, it would come later in the trace. A store of the value that
was there before is harmless.

PTX ISA, "cp.async": nothing orders two copies, not even those of one thread, unless they are synchronised with
cp.async.wait_all, cp.async.wait_group or an mbarrier; "cp.async.commit_group": two copies of one group to the same
location are undefined. The compared values are those at the start of the copies.
"""

from __future__ import annotations

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Accesses, accesses_of, values_of
from grader.ptxsim.checked.copy_waits import copy_ends, source_reads
from grader.ptxsim.checked.race_search import RacingPair
from grader.ptxsim.checked.traced_launch import TracedLaunch, first_access, memory_of
from grader.ptxsim.checked.vector_clocks import Knowledge
from grader.ptxsim.engine.trace import Events, Integers
from grader.ptxsim.generate.traces import Event, How
from grader.ptxsim.records.races import ChangedSource

_EVENT_BITS = 25


def first_changed_source(events: Events) -> RacingPair | None:
    """Return the first write to the source of an incomplete copy, and the copy's read; None without one."""
    ends, of_copies = copy_ends(events), source_reads(events)
    if ends is None or not len(of_copies):
        return None
    read, change = accesses_of(events, of_copies), accesses_of(events, _changes(events))
    read, change = read.rows(np.lexsort((read.event, read.place))), change.rows(np.isin(change.place, read.place))
    found = _under_way(read, ends[read.event, read.thread % LANES], change)
    rows = np.flatnonzero(
        (found >= 0) & ((change.kind != Event.WRITE) | (change.value != _copied(events, read)[found]))
    )
    if not len(rows):
        return None
    first = rows[[int(np.argmin(change.event[rows]))]]
    return RacingPair(change.rows(first), read.rows(found[first]))


def _changes(events: Events) -> Integers:
    tells = (events["kind"] == Event.ATOMIC) & (events["how"] & How.PUBLISHES != 0)
    return np.flatnonzero((events["kind"] == Event.WRITE) | tells)


def _under_way(read: Accesses, ends: Integers, change: Accesses) -> Integers:
    """Return, for each change, the row of the earlier read of the same place that ends last; -1 if all have ended.

    Both tables are sorted by place and event.
    """
    place = np.unique(read.place, return_inverse=True)[1]
    last = place << _EVENT_BITS | ends
    longest = np.maximum.accumulate(np.where(last == np.maximum.accumulate(last), np.arange(len(last)), 0))
    own = np.searchsorted(read.place[np.unique(place, return_index=True)[1]], change.place)
    before = np.searchsorted(place << _EVENT_BITS | read.event, own << _EVENT_BITS | change.event) - 1
    found = longest[before]
    return np.where((before >= 0) & (place[found] == own) & (ends[found] > change.event), found, -1)


def _copied(events: Events, read: Accesses) -> Integers:
    """Return the values that copies have read, which follow the event of each copy."""
    lane = read.thread % LANES
    byte = read.place * read.unit - events["words"][read.event, lane]
    return values_of(events, read.event + 1, lane, byte) & (1 << 8 * read.unit) - 1


def changed_source_found(launch: TracedLaunch) -> ChangedSource | None:
    """Return the record of the first write to the source of an incomplete copy; None without one."""
    found = first_changed_source(launch.events) if launch.kernel.traits.copies else None
    if found is None:
        return None
    memory = memory_of(launch, found.change, found.other)
    return ChangedSource(memory, first_access(launch, found.other), first_access(launch, found.change))


def first_overlap(events: Events, known: Knowledge | None = None) -> RacingPair | None:
    """Return the first two copies of different values to one place that overlap in time; None without any.

    If mbarriers may order threads, `known` determines which copies are complete.
    """
    ends = copy_ends(events)
    if ends is None:
        return None
    copies = accesses_of(events, np.flatnonzero(events["kind"] == Event.COPY))
    rows = copies.rows(np.lexsort((copies.event, copies.place, copies.block)))
    first, second = rows.rows(slice(None, -1)), rows.rows(slice(1, None))
    same_place = (first.place == second.place) & (first.block == second.block)
    by_waits = ends[first.event, first.thread % LANES] > second.event
    under_way = ~known.is_before(first, second) if known else by_waits
    found = np.flatnonzero(same_place & under_way & (first.value != second.value))
    if not len(found):
        return None
    pair = found[[int(np.argmin(second.event[found]))]]
    return RacingPair(first.rows(pair), second.rows(pair))
