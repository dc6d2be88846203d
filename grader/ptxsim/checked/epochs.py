"""The progress of the lanes at each event: the barriers of the block, and the operations of the warp, before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.warp_order import partial_waits
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Epochs:
    """The barriers of each lane before each event (events x 32), and the waits of its warp (events)."""

    of_lanes: Integers
    of_warps: Integers


def epochs_of(events: Events, acts: Mask) -> Epochs:
    """Count barriers and waits before each event; `acts` has the lanes that take part in each (events x 32)."""
    owner = events["block"] << 6 | events["warp"]
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
