"""Warp operations in lanes that are not in their mask, and shuffles from lanes that do not take part.

PTX ISA, "shfl.sync": the behavior is undefined if the executing thread is not in the membermask. The same holds for
vote.sync, match.sync, redux.sync, elect.sync and bar.warp.sync. The value that a shuffle reads from a lane that is
inactive or not in the membermask is unpredictable.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import acting
from grader.ptxsim.checked.traced_launch import TracedLaunch, access_of, coordinates
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import PLACE_BITS, SOURCE_BITS, Event
from grader.ptxsim.records.traced import LeftOut, MissingSource

_SOURCES = (1 << PLACE_BITS - SOURCE_BITS) - 1


@dataclass(frozen=True, slots=True)
class LeftOutEvent:
    """The event of a warp operation, the thread's linear number in its block, and the mask, which does not name it."""

    event: int
    thread: int
    mask: int


@dataclass(frozen=True, slots=True)
class MissingSourceEvent:
    """The event of a shuffle, and the linear numbers of a reading thread and of the missing `source` thread."""

    event: int
    thread: int
    source: int


def left_out_found(launch: TracedLaunch) -> LeftOut | None:
    """Return the first warp operation in a thread that its mask does not name; None without one."""
    found = first_left_out(launch.events)
    return LeftOut(access_of(launch, found.event, found.thread), found.mask) if found else None


def missing_source_found(launch: TracedLaunch) -> MissingSource | None:
    """Return the first shuffle from a thread that does not take part; None without one."""
    found = first_missing_source(launch.events)
    if found is None:
        return None
    call = access_of(launch, found.event, found.thread)
    return MissingSource(call, coordinates(found.source, launch.kernel.block))


def first_left_out(events: Events) -> LeftOutEvent | None:
    """Return the first thread in a warp operation whose mask does not name it; None without one."""
    operations = np.flatnonzero(events["kind"] == Event.WARP)
    masks = events["words"][operations]
    left_out = acting(events[operations]) & (masks >> np.arange(LANES) & 1 == 0)
    first = np.flatnonzero(left_out.any(axis=1))[:1]
    for row in first:
        lane = int(left_out[row].argmax())
        event = int(operations[row])
        return LeftOutEvent(event, int(events["warp"][event]) * LANES + lane, int(masks[row, lane]))
    return None


def first_missing_source(events: Events) -> MissingSourceEvent | None:
    """Return the first shuffle from a lane that does not take part, even if the value is not used."""
    shuffles = np.flatnonzero((events["kind"] == Event.WARP) & (_sources(events) != 0).any(axis=1))
    acts, words = acting(events[shuffles]), events["words"][shuffles]
    source = np.maximum(_sources(events[shuffles]), 1) - 1
    takes_part = np.take_along_axis(acts, source, axis=1) & (words >> source & 1 == 1)
    missing = acts & ~takes_part
    for row in np.flatnonzero(missing.any(axis=1))[:1]:
        lane, event = int(missing[row].argmax()), int(shuffles[row])
        first = int(events["warp"][event]) * LANES
        return MissingSourceEvent(event, first + lane, first + int(source[row, lane]))
    return None


def _sources(events: Events) -> NDArray[np.int64]:
    """Return the number of the lane that each lane reads in a shuffle, plus one; 0 in other operations."""
    return np.asarray(events["words"] >> SOURCE_BITS & _SOURCES)
