"""The usable events of a block whose trace is incomplete, if only barriers of the whole block order its threads.

The recorded events of a warp may end before those of others, with an event LOST. Events of other warps after a barrier
that this warp is not recorded to reach cannot be compared with its events, of which a write or a wait may be missing.
"""

from __future__ import annotations

import numpy as np

from grader.ptxsim.checked.accesses import Integers, acting
from grader.ptxsim.checked.epochs import epochs_of
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event

_ALL = 1 << 40  # barriers


def in_step(events: Events) -> Events:
    """Return the events of each block before the first barrier that not all of its warps are recorded to reach."""
    if not (events["kind"] == Event.LOST).any():
        return events
    return events[_epochs(events) <= _recorded(events)]


def is_settled(events: Events, event: int) -> bool:
    """Whether all events of the block up to the barrier after this event are recorded."""
    return bool(_epochs(events)[event] < _recorded(events)[event])


def _epochs(events: Events) -> Integers:
    """Return the number of barriers before each event, the maximum over its lanes."""
    acts = acting(events)
    return np.asarray(np.where(acts, epochs_of(events, acts).of_lanes, 0).max(axis=1, initial=0))


def _recorded(events: Events) -> Integers:
    """Return, for each event, the number of barriers that all warps of its block are recorded to reach."""
    blocks, block = np.unique(events["block"], return_inverse=True)
    lost, most = events["kind"] == Event.LOST, np.full(len(blocks), _ALL)
    reached = epochs_of(events, acting(events)).of_lanes.max(axis=1, initial=0)
    np.minimum.at(most, block[lost], reached[lost])
    return most[block]
