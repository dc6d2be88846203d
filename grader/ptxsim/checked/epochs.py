"""The progress of the lanes at each event: the barriers of the block, and the operations of the warp, before it.

A warp operation whose mask names only some lanes, for example __syncwarp(0xffff), orders only those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.engine.trace import WARP_BITS, Events, Integers, Mask, warps_of
from grader.ptxsim.generate.traces import Event

MOST_OPERATIONS = 64  # between two accesses; more are not followed, and count as an order
NONE = np.zeros(0, np.int64)
_ALL = (1 << LANES) - 1


@dataclass(frozen=True, slots=True)
class Epochs:
    """The barriers of each lane before each event (events x 32), and the waits of its warp (events)."""

    of_lanes: Integers
    of_warps: Integers


def epochs_of(events: Events, acts: Mask) -> Epochs:
    """Count barriers and waits before each event; `acts` has the lanes that take part in each (events x 32)."""
    owner = warps_of(events)
    order = np.argsort(owner, kind="stable")
    starts = np.flatnonzero(np.diff(owner[order], prepend=-1))
    kinds = events["kind"][order]
    waits = np.isin(kinds, (Event.BARRIER, Event.WARP)) & ~np.isin(order, partial_waits(events).numbers())
    of_lanes, of_warps = np.empty(acts.shape, np.int64), np.empty(len(events), np.int64)
    of_lanes[order] = _arrivals(acts[order[kinds == Event.BARRIER]], kinds == Event.BARRIER, starts)
    of_warps[order] = _restarted(np.cumsum(waits) - waits, starts)
    return Epochs(of_lanes, of_warps)


def _arrivals(arrives: Mask, is_barrier: Mask, starts: Integers) -> Integers:
    """Return the number of barriers at which each lane has arrived before each event of its warp."""
    sums = np.concatenate([np.zeros((1, LANES), np.int64), np.cumsum(arrives, axis=0, dtype=np.int64)])
    before: Integers = np.cumsum(is_barrier) - is_barrier
    first: Integers = np.repeat(before[starts], np.diff(starts, append=len(before)))
    return np.asarray(sums[before] - sums[first])


def _restarted(counts: Integers, starts: Integers) -> Integers:
    """Return running counts that restart from 0 at each of `starts`."""
    lengths = np.diff(starts, append=len(counts))
    return counts - np.repeat(counts[starts], lengths, axis=0)


@dataclass(frozen=True, slots=True)
class PartialWaits:
    """The warp operations of a launch that do not name all active lanes: their events, by block and warp."""

    events: Events
    of_warp: Mapping[tuple[int, int], Integers]

    def order(self, first: tuple[int, int], second: tuple[int, int]) -> bool:
        """Whether these operations order two accesses of a warp, each an event and a lane, the earlier one first."""
        (start, lane), (end, other) = first, second
        numbers = self.of_warp.get((int(self.events["block"][start]), int(self.events["warp"][start])), NONE)
        between = numbers[np.searchsorted(numbers, start) : np.searchsorted(numbers, end)]
        if len(between) > MOST_OPERATIONS:
            return True
        reached = 1 << lane
        for event in self.events[between]:
            taking_part = int(event["mask"]) & reached
            for number in range(LANES):
                if taking_part >> number & 1:
                    reached |= int(event["words"][number]) & _ALL
        return bool(reached >> other & 1)

    def numbers(self) -> Integers:
        """Return the indices of all these events in the trace."""
        return np.concatenate([NONE, *self.of_warp.values()])


def partial_waits(events: Events) -> PartialWaits:
    """Return the warp operations that omit lanes which are active before or after."""
    operations = np.flatnonzero(events["kind"] == Event.WARP)
    acts = events["mask"][operations, None] >> np.arange(LANES, dtype=np.uint32) & 1 == 1
    named = np.bitwise_and.reduce(np.where(acts, events["words"][operations] & _ALL, _ALL), axis=1)
    suspects, named = operations[named != _ALL], named[named != _ALL]
    owner = warps_of(events)
    partial = {}
    for warp in np.unique(owner[suspects]):
        own, here = np.flatnonzero(owner == warp), owner[suspects] == warp
        left_out = np.bitwise_or.reduce(events["mask"][own]) & ~named[here]
        partial[divmod(int(warp), 1 << WARP_BITS)] = suspects[here][left_out != 0]
    return PartialWaits(events, partial)
