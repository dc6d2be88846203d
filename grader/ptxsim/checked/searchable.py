"""Which events of a trace are searched: so many that the search ends in bounded time and memory."""

from __future__ import annotations

import numpy as np

from grader.ptxsim.checked.accesses import CHANGES, Integers, Mask, acting, unit_of
from grader.ptxsim.engine.trace import SHARED_OUT, Events
from grader.ptxsim.generate.layout import HEAP, SEGMENT_BITS
from grader.ptxsim.generate.traces import Event

MOST_UNITS = 6_000_000  # that threads access; the largest kernels of `reference` access 5 million at N = 257
OF_BLOCK = MOST_UNITS // 4  # as in a trace, the blocks in all four corners of the grid have room
CHANGE = 4  # times a read, because most reads are left out of the search for races


def searchable(events: Events, warps: int = 0) -> Events:
    """Return the first events of each block, as many as there is room for the units that they access.

    If `warps` says how many a block has, each of them has room for a share besides, as in a trace.
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
    of_warp = _sums(costs, events["block"] << 6 | events["warp"])
    beyond = np.clip(of_warp - share, 0, costs)
    within = (of_warp <= share) | (_sums(beyond, events["block"]) <= OF_BLOCK)
    within &= np.cumsum(np.where(within, costs, 0)) <= MOST_UNITS
    if within.all():
        return events
    return _with_ends(events, within) if warps else events[within]


def _with_ends(events: Events, within: Mask) -> Events:
    """Return some events, the first ones of each warp, and an event where those of a warp end."""
    lost = np.flatnonzero(~within)
    _, firsts = np.unique((events["block"] << 6 | events["warp"])[lost], return_index=True)
    ends, kept = lost[firsts], within.copy()
    kept[ends] = True
    events = events.copy()
    events["kind"][ends] = Event.LOST
    return events[kept]


def _sums(costs: Integers, owner: Integers) -> Integers:
    """Return, for each event, the costs of its owner's events up to it."""
    order = np.argsort(owner, kind="stable")
    sorted_costs = costs[order]
    sums = np.cumsum(sorted_costs)
    starts = np.flatnonzero(np.diff(owner[order], prepend=-1))
    before = np.repeat(sums[starts] - sorted_costs[starts], np.diff(starts, append=len(order)))
    of_owner = np.empty(len(order), np.int64)
    of_owner[order] = sums - before
    return of_owner


def without_heap(events: Events) -> Events:
    """Return the events without accesses to what malloc returns.

    If that is memory that another thread has freed, calls of free and malloc order the two, and no event shows that.
    """
    is_access = np.isin(events["kind"], (*CHANGES, Event.READ))
    is_heap = ((events["words"] >> SEGMENT_BITS == HEAP) & acting(events)).any(axis=1)
    events = events.copy()
    events["mask"][is_access & is_heap] = 0
    return events
