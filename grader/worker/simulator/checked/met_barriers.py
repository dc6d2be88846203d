"""Barriers of different lines at which the threads of a block have met, because some of them skip one."""

from __future__ import annotations

import numpy as np

from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import Accesses
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.traces import Event


def met(kernel: Kernel, events: Events, one: Accesses, other: Accesses) -> tuple[int, int]:
    """Return the lines of the first two barriers at which the threads of two accesses meet; zeros if there are none.

    The barrier behind the accesses counts too. Later ones may have one line again, if one thread is a step behind.
    """
    for lines in zip(*(_barriers(kernel, events, access) for access in (one, other)), strict=False):
        if lines[0] != lines[1]:
            return min(lines), max(lines)
    return 0, 0


def _barriers(kernel: Kernel, events: Events, access: Accesses) -> list[int]:
    """Return the lines of the barriers that a thread reaches up to the one behind a table's first access."""
    lane = np.uint32(access.thread[0] % LANES)
    own = (events["block"] == access.block[0]) & (events["warp"] == access.warp[0]) & (events["mask"] >> lane & 1 == 1)
    barriers = np.flatnonzero(own & (events["kind"] == Event.BARRIER))
    last = int(np.searchsorted(barriers, access.event[0])) + 1
    return [kernel.places[number].line for number in events["where"][barriers[:last]].tolist()]
