"""Whether a thread waits for an mbarrier before or after it uses an asynchronous copy's data."""

from __future__ import annotations

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Accesses, Integers
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event, How


def waits_later(events: Events, copy: Accesses, use: Accesses) -> bool:
    """Whether the using thread waits, after the use, for an mbarrier at which the copy's warp has announced copies."""
    announced = events[(events["block"] == copy.block[0]) & (events["warp"] == copy.warp[0])]
    announced = announced[announced["how"] & How.COPIES != 0]
    own, lane = _operations(events, use), int(use.thread[0] % LANES)
    waits = own[(own > use.event[0]) & (events["how"][own] & How.ACQUIRES != 0)]
    return bool(np.isin(events["words"][waits, lane], announced["words"]).any())


def has_just_waited(events: Events, access: Accesses) -> bool:
    """Whether the last mbarrier operation of a thread before the table's first access is a wait."""
    own = _operations(events, access)
    last = own[own < access.event[0]][-1:]
    return bool((events["how"][last] & How.ACQUIRES).any())


def _operations(events: Events, access: Accesses) -> Integers:
    """Return the mbarrier operations of the thread of the table's first access."""
    lane = np.uint32(access.thread[0] % LANES)
    own = (events["block"] == access.block[0]) & (events["warp"] == access.warp[0]) & (events["mask"] >> lane & 1 == 1)
    return np.flatnonzero(own & (events["kind"] == Event.OBJECT))
