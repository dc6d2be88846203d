"""Which events of a trace are searched: so many that the search ends in bounded time and memory."""

from __future__ import annotations

import numpy as np

from grader.worker.simulator.checked.accesses import CHANGES, acting, unit_of
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.layout import HEAP, SEGMENT_BITS
from grader.worker.simulator.generate.traces import Event

MOST_UNITS = 6_000_000  # that threads access; the largest kernels of `reference` access 5 million at N = 257
OF_BLOCK = MOST_UNITS // 4  # as in a trace, the blocks in all four corners of the grid have room
CHANGE = 4  # times a read, because most reads are left out of the search for races


def searchable(events: Events) -> Events:
    """Return the first events of each block, as many as there is room for the units that they access."""
    if not len(events):
        return events
    is_change = np.isin(events["kind"], CHANGES)
    accesses = is_change | (events["kind"] == Event.READ)
    units = np.where(accesses, events["size"] // unit_of(events), 0) * np.where(is_change, CHANGE, 1)
    costs = units * np.bitwise_count(events["mask"])
    if costs.sum() <= OF_BLOCK:
        return events
    by_block = np.argsort(events["block"], kind="stable")
    block = events["block"][by_block]
    sums = np.cumsum(costs[by_block])
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    before = np.repeat(sums[starts] - costs[by_block][starts], np.diff(starts, append=len(block)))
    within = np.zeros(len(events), np.bool_)
    within[by_block] = sums - before <= OF_BLOCK
    within &= np.cumsum(np.where(within, costs, 0)) <= MOST_UNITS
    return events if within.all() else events[within]


def without_heap(events: Events) -> Events:
    """Return the events without accesses to what malloc returns.

    If that is memory that another thread has freed, calls of free and malloc order the two, and no event shows that.
    """
    is_access = np.isin(events["kind"], (*CHANGES, Event.READ))
    is_heap = ((events["words"] >> SEGMENT_BITS == HEAP) & acting(events)).any(axis=1)
    events = events.copy()
    events["mask"][is_access & is_heap] = 0
    return events
