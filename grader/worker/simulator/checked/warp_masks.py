"""Warp operations, such as shuffles, in lanes that their own mask does not name: the result is undefined.

PTX ISA, "shfl.sync": the behavior is undefined if the executing thread is not in the membermask. The same holds for
vote.sync, match.sync, redux.sync, elect.sync and bar.warp.sync.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import acting
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.traces import Event


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The event of a warp operation, the thread's linear number in its block, and its mask, which leaves it out."""

    event: int
    thread: int
    mask: int


def first_left_out(events: Events) -> LeftOut | None:
    """Return the first thread in a warp operation whose mask leaves it out."""
    operations = np.flatnonzero(events["kind"] == Event.WARP)
    masks = events["words"][operations]
    left_out = acting(events[operations]) & (masks >> np.arange(LANES) & 1 == 0)
    first = np.flatnonzero(left_out.any(axis=1))[:1]
    for row in first:
        lane = int(left_out[row].argmax())
        event = int(operations[row])
        return LeftOut(event, int(events["warp"][event]) * LANES + lane, int(masks[row, lane]))
    return None
