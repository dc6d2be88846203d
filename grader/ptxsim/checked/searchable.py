"""The events of a trace that are searched: so few that time and memory of the search are bounded.

The recorded events of a warp may end before those of others, with an event LOST. If only barriers of the whole block
order its threads, events of other warps after a barrier that this warp is not recorded to reach cannot be compared with
its events, of which a write or a wait may be missing.
"""

from __future__ import annotations

import numpy as np

from grader.ptxsim.checked.accesses import CHANGES, acting, unit_of
from grader.ptxsim.checked.epochs import epochs_of
from grader.ptxsim.engine.trace import SHARED_OUT, Events, Integers, Mask, warps_of
from grader.ptxsim.generate.layout import HEAP, SEGMENT_BITS
from grader.ptxsim.generate.traces import Event

MOST_UNITS = 9_000_000  # accessed by threads; the largest kernels of `reference` have 5 million at N = 257
OF_BLOCK = MOST_UNITS // 6  # room for the blocks in all four corners of the grid and for others, as in a trace
CHANGE = 4  # cost of a change / cost of a read, because most reads are dropped before the search for races
_ALL = 1 << 40  # barriers


def searchable(events: Events, warps: int = 0) -> Events:
    """Return the first events of each block, up to the limits for the units that they access.

    If `warps`, the number of warps of a block, is given, each warp also has room of its own, as in a trace.
    """
    if not len(events):
        return events
    is_change = np.isin(events["kind"], CHANGES)
    accesses = is_change | (events["kind"] == Event.READ)
    units = np.where(accesses, events["size"] // unit_of(events), 0) * np.where(is_change, CHANGE, 1)
    costs = units * np.bitwise_count(events["mask"])
    if costs.sum() <= OF_BLOCK:
        return events
    share = OF_BLOCK // (SHARED_OUT * warps) if warps else 0
    of_warp = _sums(costs, warps_of(events))
    beyond = np.clip(of_warp - share, 0, costs)
    within = (of_warp <= share) | (_sums(beyond, events["block"]) <= OF_BLOCK)
    within &= np.cumsum(np.where(within, costs, 0)) <= MOST_UNITS
    if within.all():
        return events
    return _with_ends(events, within) if warps else events[within]


def _with_ends(events: Events, within: Mask) -> Events:
    """Return the events `within`, and for each warp that has more, an event LOST at their end."""
    lost = np.flatnonzero(~within)
    _, firsts = np.unique(warps_of(events)[lost], return_index=True)
    ends, kept = lost[firsts], within.copy()
    kept[ends] = True
    events = events.copy()
    events["kind"][ends] = Event.LOST
    return events[kept]


def _sums(costs: Integers, owner: Integers) -> Integers:
    """Return, for each event, the sum of its owner's costs up to and including it."""
    order = np.argsort(owner, kind="stable")
    sorted_costs = costs[order]
    sums = np.cumsum(sorted_costs)
    starts = np.flatnonzero(np.diff(owner[order], prepend=-1))
    before = np.repeat(sums[starts] - sorted_costs[starts], np.diff(starts, append=len(order)))
    of_owner = np.empty(len(order), np.int64)
    of_owner[order] = sums - before
    return of_owner


def without_heap(events: Events) -> Events:
    """Return the events without accesses to the heap.

    If malloc returns memory that another thread has freed, the calls of free and malloc order the two threads, but no
    event records this.
    """
    is_access = np.isin(events["kind"], (*CHANGES, Event.READ))
    is_heap = ((events["words"] >> SEGMENT_BITS == HEAP) & acting(events)).any(axis=1)
    events = events.copy()
    events["mask"][is_access & is_heap] = 0
    return events


def in_step(events: Events) -> Events:
    """Return the events of each block before the first barrier that not all of its warps are recorded to reach."""
    if not (events["kind"] == Event.LOST).any():
        return events
    return events[_epochs(events) <= _recorded(events)]


def is_settled(events: Events, event: int) -> bool:
    """Whether all events of the block up to the barrier after this event are recorded."""
    return bool(_epochs(events)[event] < _recorded(events)[event])


def _epochs(events: Events) -> Integers:
    """Return the number of barriers before each event, the maximum over its lanes."""
    acts = acting(events)
    return np.asarray(np.where(acts, epochs_of(events, acts).of_lanes, 0).max(axis=1, initial=0))


def _recorded(events: Events) -> Integers:
    """Return, for each event, the number of barriers that all warps of its block are recorded to reach."""
    blocks, block = np.unique(events["block"], return_inverse=True)
    lost, most = events["kind"] == Event.LOST, np.full(len(blocks), _ALL)
    reached = epochs_of(events, acting(events)).of_lanes.max(axis=1, initial=0)
    np.minimum.at(most, block[lost], reached[lost])
    return most[block]
