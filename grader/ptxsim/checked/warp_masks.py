"""Warp operations in lanes that are not in their mask, and shuffles from lanes that do not take part.

PTX ISA, "shfl.sync": the behavior is undefined if the executing thread is not in the membermask. The same holds for
vote.sync, match.sync, redux.sync, elect.sync and bar.warp.sync. The value that a shuffle reads from a lane that is
inactive or not in the membermask is unpredictable.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import acting
from grader.ptxsim.checked.traced_launch import TracedLaunch, access_of_lane, coordinates
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import PLACE_BITS, SOURCE_BITS, Event
from grader.ptxsim.records.traced import LeftOut, MissingSource

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
    return MissingSource(access_of_lane(launch, event, lane), coordinates(first + source, launch.kernel.block))


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


def _sources(events: Events) -> NDArray[np.int64]:
    """Return the number of the lane that each lane reads in a shuffle, plus one; 0 in other operations."""
    return np.asarray(events["words"] >> SOURCE_BITS & _SOURCES)
