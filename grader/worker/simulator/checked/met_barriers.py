"""Barriers of different lines at which the threads of a block have met, because some of them skip one."""

from __future__ import annotations

import numpy as np

from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import Accesses
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.traces import Event


def last_barrier(kernel: Kernel, events: Events, access: Accesses) -> int:
    """Return the line of the last barrier of a thread before a table's first access; 0 if there is none."""
    lane = np.uint32(access.thread[0] % LANES)
    own = (events["block"] == access.block[0]) & (events["warp"] == access.warp[0]) & (events["mask"] >> lane & 1 == 1)
    barriers = np.flatnonzero(own & (events["kind"] == Event.BARRIER))
    before = barriers[barriers < access.event[0]]
    return kernel.places[int(events["where"][before[-1]])].line if len(before) else 0
