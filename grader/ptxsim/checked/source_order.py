"""Which access of a race comes first in the source, and whether a loop leads back from the second to the first."""

from __future__ import annotations

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Accesses
from grader.ptxsim.checked.race_search import RacingPair
from grader.ptxsim.checked.traced_launch import TracedLaunch
from grader.ptxsim.engine.trace import Events, of_lane, of_same_warp, of_warp
from grader.ptxsim.generate.traces import Event


def line_of(launch: TracedLaunch, access: Accesses) -> int:
    """Return the line of a table's first access."""
    return launch.line(int(access.event[0]))


def leads_back(launch: TracedLaunch, first: int, second: int) -> bool:
    """Whether the first event's warp also runs the second event's line before the first event, or never runs it."""
    times = np.flatnonzero(of_same_warp(launch.events, first) & (launch.lines == launch.line(second)))
    return not len(times) or bool(times[0] < first)


def in_order(launch: TracedLaunch, race: RacingPair) -> tuple[Accesses, Accesses]:
    """Return the accesses in the order of the source, which is that of their lines in the interval between barriers.

    Without clocks, no warp operation is between racing lanes of one warp, so the trace has the order of the source.
    """
    change, other = race.change, race.other
    by_clocks = launch.kernel.search.order.by_clocks
    in_one_warp = (change.block[0], change.warp[0]) == (other.block[0], other.warp[0])
    if race.between_blocks if by_clocks else in_one_warp:
        return (change, other) if change.event[0] <= other.event[0] else (other, change)
    before, behind = _beside_access(launch, change, line_of(launch, other))
    if before == behind and not by_clocks:
        behind, before = _beside_access(launch, other, line_of(launch, change))
    if before != behind:
        is_first = behind
    elif by_clocks:
        is_first = _is_earlier_round(launch, change, other)
    else:
        is_first = line_of(launch, change) < line_of(launch, other)
    return (change, other) if is_first else (other, change)


def runs_before(launch: TracedLaunch, event: int, lane: int, line: int) -> bool:
    """Whether a lane runs a line between the last barrier and an event of its warp."""
    return _beside(launch, event, lane, line)[0]


def runs_behind(launch: TracedLaunch, access: Accesses, line: int) -> bool:
    """Whether the thread of a table's first access runs a line between it and the next barrier."""
    return _beside_access(launch, access, line)[1]


def _beside_access(launch: TracedLaunch, access: Accesses, line: int) -> tuple[bool, bool]:
    return _beside(launch, int(access.event[0]), int(access.thread[0] % LANES), line)


def _beside(launch: TracedLaunch, event: int, lane: int, line: int) -> tuple[bool, bool]:
    """Return whether a lane runs a line before an event of its warp, and after it, between the same two barriers.

    Other lanes do not count: of two branches, a warp may run the later one first.
    """
    events = launch.events
    own = np.flatnonzero(of_same_warp(events, event) & of_lane(events, lane))
    here = int(np.searchsorted(own, event))
    barriers = np.flatnonzero(events["kind"][own] == Event.BARRIER)
    low, high = np.append(np.insert(barriers, 0, 0), len(own))[np.searchsorted(barriers, here) + np.arange(2)]
    of_line = launch.lines[own] == line
    return bool(of_line[low:here].any()), bool(of_line[here + 1 : high].any())


def writes_too(events: Events, access: Accesses) -> bool:
    """Whether the thread of the table's first access ever writes to the same place, with an atomic or a store."""
    lane, address = int(access.thread[0] % LANES), int(access.place[0]) * access.unit
    writes = np.isin(events["kind"], (Event.WRITE, Event.ATOMIC))
    own = events[of_warp(events, access.block[0], access.warp[0]) & writes & of_lane(events, lane)]
    covers = (own["words"][:, lane] <= address) & (address < own["words"][:, lane] + own["size"])
    return bool(covers.any())


def _is_earlier_round(launch: TracedLaunch, change: Accesses, other: Accesses) -> bool:
    """Whether a change belongs to an iteration of a loop that is not later than that of the other access.

    This is true if the other access's warp has run the change's line at least as often. If a warp never runs it, the
    order of the trace decides.
    """
    events, of_line = launch.events, launch.lines == line_of(launch, change)
    times = []
    for access, until in ((change, change.event[0] + 1), (other, other.event[0])):
        own = of_line & of_warp(events, access.block[0], access.warp[0])
        times.append(int(own[:until].sum()))
        if not own.any():
            return bool(change.event[0] <= other.event[0])
    return times[0] <= times[1]
