"""Barriers on different lines at which the threads of a block wait for each other, because some threads skip one."""

from __future__ import annotations

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Accesses, Integers
from grader.ptxsim.checked.traced_launch import TracedLaunch
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event


def met(launch: TracedLaunch, one: Accesses, other: Accesses) -> tuple[int, int]:
    """Return the lines of the first barrier at which the threads of two accesses wait on different lines, or zeros.

    The barrier after the accesses counts too. Later barriers may be on one line again if a thread is a step behind.
    """
    for lines in zip(*(_barriers(launch, access) for access in (one, other)), strict=False):
        if lines[0] != lines[1]:
            return min(lines), max(lines)
    return 0, 0


def skipped(launch: TracedLaunch, one: Accesses, other: Accesses) -> int:
    """Return the line of a barrier that other threads of the block reach, but not those of two accesses; 0 without one.

    Both threads reach later barriers, so they have not returned before it.
    """
    events = launch.events
    own = [_of_thread(events, access) for access in (one, other)]
    of_block = np.flatnonzero((events["block"] == one.block[0]) & (events["kind"] == Event.BARRIER))
    last = min((int(barriers[-1]) for barriers in own if barriers.size), default=0)
    lines = {launch.kernel.places[number].line for number in events["where"][of_block[of_block < last]].tolist()}
    lines -= {launch.kernel.places[number].line for barriers in own for number in events["where"][barriers].tolist()}
    return min(lines, default=0)


def _barriers(launch: TracedLaunch, access: Accesses) -> list[int]:
    """Return the lines of the barriers of a thread, up to the first one after the table's first access."""
    barriers = _of_thread(launch.events, access)
    last = int(np.searchsorted(barriers, access.event[0])) + 1
    return [launch.kernel.places[number].line for number in launch.events["where"][barriers[:last]].tolist()]


def _of_thread(events: Events, access: Accesses) -> Integers:
    """Return the barrier events of the thread of the table's first access."""
    lane = np.uint32(access.thread[0] % LANES)
    own = (events["block"] == access.block[0]) & (events["warp"] == access.warp[0]) & (events["mask"] >> lane & 1 == 1)
    return np.flatnonzero(own & (events["kind"] == Event.BARRIER))
